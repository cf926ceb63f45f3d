/* SPDX-License-Identifier: MIT */
/* Clocks of ranks against each other: late devices, anchors, and what each clock is moved by. */
#include "analysis/clocks/tr_align.h"
#include "analysis/clocks/tr_anchors.h"
#include "analysis/clocks/tr_device_lag.h"
#include "unit/analysis_build.h"

static struct build t;
static struct tr_error err = TR_ERROR_INIT;
static struct tr_rank_set ranks;
static uint32_t host[3], queue[3]; /* by rank: a thread, and stream 7 of device 0 */

/* n sources, the last rank first. */
static void start_ranks(int64_t n)
{
    start_stream(&t);
    for (int64_t r = n; r-- > 0;) {
        uint32_t src = source(&t, r);
        host[r] = track(&t, src, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
        queue[r] = track(&t, src, 0, 7, 0, 7);
    }
    CHECK(tr_rank_set_init(&ranks, t.dict, NULL, &err) == TR_OK && ranks.n == (size_t)n);
}

static void end(void)
{
    tr_rank_set_free(&ranks);
    build_end(&t);
}

/* Work of a rank that starts so long after its launch. */
static void lag(int64_t rank, int64_t ts, int64_t by)
{
    kernel(&t, queue[rank], "k", ts, 1);
    launched(&t, "launch", ts - by, 1, 0, host[rank]);
}

static int64_t shift_of(struct tr_device_lag *d, size_t rank, uint64_t want_left_out)
{
    uint64_t left_out = 99;
    int64_t shift = tr_device_lag_shift(d, rank, &left_out);
    CHECK(left_out == want_left_out);
    return shift;
}

static void test_lags(void)
{
    struct tr_device_lag *d = NULL;
    start_ranks(3);
    lag(0, 1000, 5);
    lag(1, 1000, -3);
    lag(0, 1010, 0); /* at once: no clock is late */
    lag(1, 1010, -7);
    lag(1, 1020, 12);
    kernel(&t, queue[1], "its launch is not known", 1030, 1);
    lag(1, 1040, -900);
    suspect(&t, TR_SUSPECT_BEFORE_BASE);
    span(&t, host[1], TR_ACT_SYNC, "no work", 1050, 1);
    launched(&t, "launch", 3000, 1, 0, host[1]);
    kernel(&t, queue[1], "a lag that does not fit", INT64_MIN + 1, 1);
    launched(&t, "launch", INT64_MAX, 0, 0, host[1]);
    CHECK(tr_device_lag_new(&d, &ranks, &err) == TR_OK);
    CHECK(tr_device_lag_feed(d, t.batch, &err) == TR_OK);
    tr_batch_clear(t.batch);
    CHECK(tr_device_lag_feed(d, t.batch, &err) == TR_OK);
    CHECK(shift_of(d, 0, 0) == 0 && shift_of(d, 1, 0) == 7 && shift_of(d, 2, 0) == 0);
    tr_device_lag_free(d);
    tr_device_lag_free(NULL);
    end();
}

/* One lag in many is far below the others: made up, and not to be trusted.  At the bounds of time, too. */
static void test_far_off(void)
{
    struct tr_device_lag *d = NULL;
    start_ranks(2);
    for (int64_t i = 0; i < 300; i++) {
        lag(0, 10000 * i, i % 5 - 4); /* -4 to 0: the first percentile is -4, the median -2 */
        lag(1, i, 8);
    }
    lag(0, 5, -1000000);
    lag(0, 5, -25); /* as far as -4 - 10 * 2, and 1 ns for rounding: just there */
    lag(1, INT64_MIN + 1000, -(INT64_MAX - 1000));
    CHECK(tr_device_lag_new(&d, &ranks, &err) == TR_OK);
    CHECK(tr_device_lag_feed(d, t.batch, &err) == TR_OK);
    CHECK(shift_of(d, 0, 1) == 25 && shift_of(d, 1, 1) == 0);
    tr_device_lag_free(d);
    end();
}

static struct tr_clockfit *fit_of(bool marks, const uint8_t *marked, const int64_t *shift, bool even)
{
    struct tr_anchors *a = NULL;
    struct tr_clockfit *f = NULL;
    size_t few = 99, many = 99;
    CHECK(tr_anchors_new(&a, &ranks, t.dict, marks, &err) == TR_OK);
    CHECK(tr_clockfit_new(&f, ranks.n, 0, &err) == TR_OK);
    CHECK(tr_anchors_feed(a, t.batch, marked, &err) == TR_OK);
    CHECK(!marks || tr_anchors_even(a, &few, &many) == even);
    CHECK(tr_anchors_give(a, shift, f, &err) == TR_OK);
    tr_anchors_free(a);
    return f;
}

static uint64_t shared_anchors(const struct tr_clockfit *f, uint64_t min, size_t weak)
{
    uint64_t n = 99;
    CHECK(tr_clockfit_weak(f, min, &n) == weak);
    return n;
}

static void test_marked(void)
{
    struct tr_clockfit_row row;
    const struct tr_clockfit_opts opts = { .origin = 0 };
    const int64_t shift[] = { 0, 400 };
    start_ranks(2);
    static const uint8_t marked[] = { 1, 1, 1, 0, 1, 1, 1, 1 };
    span(&t, host[0], TR_ACT_CPU_OP, "m", -100, 50);
    span(&t, host[1], TR_ACT_CPU_OP, "m", 400, 70); /* 500 late: the starts count, not the ends */
    kernel(&t, queue[1], "m", 200, 1); /* 100 late, once the device is moved by 400 */
    span(&t, host[0], TR_ACT_CPU_OP, "unmarked", 10, 1);
    span(&t, host[0], TR_ACT_CPU_OP, "m", 100, 1);
    span(&t, host[0], TR_ACT_CPU_OP, "m", 200, 1); /* the third of rank 0: rank 1 has none */
    span(&t, host[0], TR_ACT_CPU_OP, "wrong", 300, 1);
    suspect(&t, TR_SUSPECT_NEGATIVE_DUR);
    span(&t, host[0], TR_ACT_CPU_OP, "no time", TR_TIME_NONE, 1);
    struct tr_clockfit *f = fit_of(true, marked, shift, false);
    CHECK(shared_anchors(f, 3, 0) == 2 && shared_anchors(f, 2, 2) != 1);
    CHECK(tr_clockfit_solve(f, &opts, &err) == TR_OK && tr_clockfit_row(f, 1, &row, &err) == TR_OK);
    CHECK(row.anchors == 2 && row.offset == 500);
    tr_clockfit_free(f);
    end();
}

static void test_bounds(void)
{
    const int64_t shift[] = { 10, 10 };
    static const uint8_t marked[] = { 1, 1, 1, 1 };
    start_ranks(2);
    kernel(&t, queue[0], "m", 0, 1);
    kernel(&t, queue[1], "m", 0, 1);
    kernel(&t, queue[0], "m", INT64_MAX - 5, 1); /* moved, it does not fit: no anchor */
    kernel(&t, queue[1], "m", INT64_MAX - 5, 1);
    struct tr_clockfit *f = fit_of(true, marked, shift, true);
    CHECK(shared_anchors(f, 2, 0) == 1);
    tr_clockfit_free(f);
    tr_batch_clear(t.batch);
    f = fit_of(true, NULL, NULL, true); /* no events */
    CHECK(shared_anchors(f, 1, 0) == 0);
    tr_clockfit_free(f);
    end();
}

static void collective(int64_t rank, const char *name, int64_t ts, int64_t dur)
{
    size_t i = kernel(&t, queue[rank], name, ts, dur);
    t.batch->kind[i] = TR_KIND_COMM;
}

#define ALLREDUCE "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)"
#define BROADCAST "ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgs)"

static void test_collectives(void)
{
    struct tr_clockfit_row row;
    const struct tr_clockfit_opts opts = { .origin = 0 };
    start_ranks(2);
    for (int64_t i = 0; i < 4; i++) {
        collective(0, ALLREDUCE, 1000 * i, 100);
        collective(1, ALLREDUCE, 1000 * i + 30, 77); /* ends 7 later */
    }
    collective(0, BROADCAST, 5000, 100); /* nobody waits for all */
    collective(1, BROADCAST, 5000, 900);
    collective(0, ALLREDUCE, 7000, -5);
    suspect(&t, TR_SUSPECT_NEGATIVE_DUR); /* good for matching only */
    collective(1, ALLREDUCE, 7000, 5);
    struct tr_clockfit *f = fit_of(false, NULL, NULL, true);
    CHECK(shared_anchors(f, 5, 0) == 4);
    CHECK(tr_clockfit_solve(f, &opts, &err) == TR_OK && tr_clockfit_row(f, 1, &row, &err) == TR_OK);
    CHECK(row.anchors == 4 && row.offset == 7);
    tr_clockfit_free(f);
    tr_anchors_free(NULL);
    end();
}

/* ---- all of it ---- */

static struct tr_input in;
static struct tr_summary *sum;

static void start_input(int64_t n)
{
    start_ranks(n);
    sum = tr_summary_new((size_t)n);
    need(sum != NULL);
    in = (struct tr_input){ .name = "trace", .dict = t.dict, .summary = sum, .sorted = true };
    for (size_t s = 0; s < (size_t)n; s++)
        sum->sources[s].first_ts = TR_TIME_NONE;
}

static void end_input(void)
{
    tr_summary_free(sum);
    end();
}

static void test_align(void)
{
    const struct tr_align_opts opts = { .reference = -1, .min_anchors = 2, .device = true };
    struct tr_align a;
    struct tr_clock h, d;
    start_input(2);
    sum->sources[0].first_ts = -80; /* of rank 1 */
    sum->sources[1].first_ts = -50;
    for (int64_t i = 0; i < 3; i++) {
        collective(0, ALLREDUCE, 1000 * i, 100);
        launched(&t, "launch", 1000 * i - 5, 1, 0, host[0]);
        collective(1, ALLREDUCE, 1000 * i + 40, 100);
        launched(&t, "launch", 1000 * i + 60, 1, 0, host[1]); /* its device is 20 late: 60 in all */
    }
    CHECK(tr_align_init(&a, &opts, &in, &err) == TR_OK);
    CHECK(tr_align_feed(&a, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_align_solve(&a, "trace", &err) == TR_OK);
    CHECK(a.reference_at == 0 && a.origin == -50 && a.fit);
    CHECK(a.shift[0] == 0 && a.shift[1] == 20 && a.offset[0] == 0 && a.offset[1] == 60 && a.drift[1] == 0);
    CHECK(tr_align_clocks(&a, 0, &h, &d) && h.offset == 60 && d.offset == 40);
    CHECK(!tr_align_clocks(&a, 1, &h, &d) && h.offset == 0 && d.offset == 0);
    tr_align_free(&a);
    end_input();
}

static void test_refusals(void)
{
    struct tr_align_opts opts = { .reference = 5, .min_anchors = 1 };
    struct tr_align a;
    start_input(2);
    CHECK(tr_align_init(&a, &opts, &in, &err) == TR_DAMAGED);
    tr_align_free(&a);
    opts.reference = 1;
    in.sorted = false;
    CHECK(tr_align_init(&a, &opts, &in, &err) == TR_DAMAGED);
    tr_align_free(&a);
    in.sorted = true;
    CHECK(tr_align_init(&a, &opts, &in, &err) == TR_OK && a.reference_at == 1);
    CHECK(tr_align_feed(&a, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_align_solve(&a, "trace", &err) == TR_NO); /* no anchors */
    tr_align_free(&a);
    t.dict->sources[0].rank = -1;
    CHECK(tr_align_init(&a, &opts, &in, &err) == TR_DAMAGED);
    tr_align_free(&a);
    end_input();
}

static void test_given(void)
{
    struct tr_align_opts opts = { .reference = 7, .given = true };
    struct tr_align a;
    struct tr_clock h, d;
    start_input(2);
    sum->sources[1].first_ts = 100;
    CHECK(tr_align_init(&a, &opts, &in, &err) == TR_OK && a.reference_at == a.ranks.n && !a.anchors);
    a.offset[1] = 25;
    CHECK(tr_align_feed(&a, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_align_solve(&a, "trace", &err) == TR_OK && !tr_align_clocks(&a, 0, &h, &d) && h.offset == 25);
    a.drift[1] = 1; /* which moment is it of? */
    CHECK(tr_align_solve(&a, "trace", &err) == TR_DAMAGED);
    tr_align_free(&a);
    opts.reference = 0;
    CHECK(tr_align_init(&a, &opts, &in, &err) == TR_OK && a.origin == 100);
    a.offset[1] = INT64_MAX - 100;
    a.drift[1] = 1;
    CHECK(tr_align_solve(&a, "trace", &err) == TR_OK);
    a.offset[1] = INT64_MAX - 99;
    CHECK(tr_align_solve(&a, "trace", &err) == TR_DAMAGED);
    tr_align_free(&a);
    end_input();
    start_input(1); /* one clock is one clock */
    opts = (struct tr_align_opts){ .reference = -1, .min_anchors = 3 };
    CHECK(tr_align_init(&a, &opts, &in, &err) == TR_OK);
    CHECK(tr_align_solve(&a, "trace", &err) == TR_OK && a.offset[0] == 0 && !a.fit);
    tr_align_free(&a);
    end_input();
}

static const struct tap_test tests[] = {
    { "a device that starts work before its launch is late by as much", test_lags },
    { "lags far below the rest are left out and counted", test_far_off },
    { "marked events: the n-th of each rank are one moment", test_marked },
    { "anchors that are moved out of the range of time, and none at all", test_bounds },
    { "collectives that all ranks wait for are anchors by their ends", test_collectives },
    { "offsets of hosts and devices", test_align },
    { "what cannot be aligned", test_refusals },
    { "offsets that are given, at the bounds of time", test_given },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
