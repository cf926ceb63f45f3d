/* SPDX-License-Identifier: MIT */
/* Why streams stood still, what host threads did meanwhile, and what operators cost. */
#include "analysis/operators/tr_operators.h"
#include "analysis/time/tr_time_analyses.h"
#include "engine/tr_rows.h"
#include "model/calls/tr_host_history.h"
#include "unit/analysis_build.h"

#include <math.h>

static struct build t;
static struct tr_summary *sum;
static struct tr_error err = TR_ERROR_INIT;
static uint32_t host, other, a7, a9, b7; /* of rank 0: two threads and two streams; a stream of rank 1 */

static void two_ranks(void)
{
    start_stream(&t);
    uint32_t zero = source(&t, 0), one = source(&t, 1);
    host = track(&t, zero, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
    other = track(&t, zero, 1, 2, TR_TIME_NONE, TR_TIME_NONE);
    a7 = track(&t, zero, 0, 7, 0, 7);
    a9 = track(&t, zero, 0, 9, 0, 9);
    b7 = track(&t, one, 0, 7, 0, 7);
    sum = tr_summary_new(2);
    need(sum != NULL);
}

static void end(void)
{
    tr_summary_free(sum);
    build_end(&t);
}

static void work(uint32_t trk, int64_t ts, int64_t dur, int64_t launch_ts, uint64_t record, uint32_t thread)
{
    kernel(&t, trk, "k", ts, dur);
    launched(&t, "launch", launch_ts, 1, record, thread);
}

/* ---- streams ---- */

static const struct tr_analysis *const idle = &tr_analysis_stream_idle;
static void *state;
static struct tr_table *table;

static enum tr_status start_idle(enum tr_per per, const struct tr_idle_options *options, bool sorted)
{
    const struct tr_analysis_in in = { .dict = t.dict, .summary = sum, .sorted = sorted, .work = { .per = per } };
    need((table = tr_table_new(TR_UNIT_NS)) != NULL);
    tr_analysis_columns(idle, &in, options, table);
    return tr_analysis_start(idle, &in, options, &state, &err);
}

static void end_idle(void)
{
    tr_analysis_free(idle, state);
    tr_table_free(table);
}

static size_t gaps_by(enum tr_per per, int64_t threshold)
{
    const struct tr_idle_options options = { .threshold = threshold };
    CHECK(start_idle(per, &options, true) == TR_OK);
    CHECK(idle->feed(state, t.batch, NULL, table, &err) == TR_OK);
    CHECK(tr_rows_finish(idle->rows(state), table, NULL, &err) == TR_OK);
    return tr_table_rows(table);
}

static double at(size_t row, const char *column)
{
    return tr_table_number(table, row, tr_table_find(table, column));
}

/* whole: of the group; its share is 100 part / whole */
static bool is_gap(size_t i, const char *cause, double n, double total, double whole)
{
    double pct = at(i, "pct");
    return tr_str_is(tr_table_get(table, i, tr_table_find(table, "cause")), cause) && at(i, "count") == n &&
           at(i, "idle") == total && (whole == 0 ? isnan(pct) : fabs(pct - 100 * total / whole) < 1e-9);
}

static void test_stream_idle(void)
{
    two_ranks();
    work(a7, -50, 20, -60, 0, host); /* what comes before the first work is no gap */
    work(a9, -40, 10, -60, 0, host);
    work(a7, -45, 5, -60, 0, host);  /* inside of other work: a gap of 0, below the threshold */
    work(a7, -10, 20, -29, 0, host); /* launched after the stream had drained at -30 */
    work(a7, 14, 6, 10, 0, host);    /* launched as it drained: not after */
    work(a7, 25, 5, 0, 0, host);     /* as long as the threshold: not shorter */
    kernel(&t, a7, "nobody knows", 130, 1);
    work(a9, 0, 1, -60, 0, host); /* 30 after its stream's work */
    work(b7, 0, 1, -60, 0, host); /* of another rank, alone */
    CHECK(gaps_by(TR_PER_RANK, 5) == 6);
    CHECK(is_gap(0, "host_wait", 1, 20, 159) && at(0, "rank") == 0);
    CHECK(is_gap(1, "kernel_wait", 2, 4, 159));
    CHECK(is_gap(2, "other", 3, 135, 159) && at(2, "max") == 100);
    CHECK(is_gap(3, "host_wait", 0, 0, 0) && at(3, "rank") == 1);
    CHECK(is_gap(5, "other", 0, 0, 0));
    end_idle();
    CHECK(gaps_by(TR_PER_STREAM, 5) == 9 && at(3, "stream") == 9 && is_gap(5, "other", 1, 30, 30));
    end_idle();
    end();
}

static void test_stream_idle_edges(void)
{
    const struct tr_idle_options options = { .threshold = 5 };
    const double end_of_time = (double)(INT64_MAX - 11);
    two_ranks();
    CHECK(gaps_by(TR_PER_STREAM, 5) == 0); /* no events */
    end_idle();
    CHECK(start_idle(TR_PER_RANK, &options, false) == TR_DAMAGED);
    end_idle();
    kernel(&t, a7, "no end", 10, TR_TIME_NONE);
    kernel(&t, a7, "as it starts", 10, 0);
    kernel(&t, a7, "last", INT64_MAX - 1, 1);
    CHECK(gaps_by(TR_PER_RANK, 5) == 3);
    CHECK(is_gap(1, "kernel_wait", 1, 0, end_of_time)); /* short, though its launch is not known */
    CHECK(is_gap(2, "other", 1, end_of_time, end_of_time));
    end_idle();
    end();
}

/* ---- host threads ---- */

struct stretch {
    int64_t ns;
    const char *name, *frame;
    enum tr_host_doing doing;
};

struct walk {
    const struct stretch *want;
    size_t n;
};

static bool see(void *self, const struct tr_host_moment *m, int64_t ns)
{
    struct walk *w = self;
    const struct stretch *s = &w->want[w->n++];
    const char *name = m->name == TR_NO_STR ? "" : tr_dict_str(t.dict, m->name);
    const char *frame = m->frame == TR_NO_STR ? "" : tr_dict_str(t.dict, m->frame);
    if (s->ns != ns)
        printf("# %lld ns of %s in %s\n", (long long)ns, name, frame);
    CHECK(s->ns == ns && m->doing == s->doing);
    CHECK_STR(name, s->name);
    CHECK_STR(frame, s->frame);
    return s->ns == ns;
}

static bool stop(void *self, const struct tr_host_moment *m, int64_t ns)
{
    (void)m;
    (void)ns;
    ++*(int *)self;
    return false;
}

static void test_history(void)
{
    static const struct stretch of[] = {
        { 5, "", "", TR_HOST_BUSY },
        { 5, "", "train.py: step", TR_HOST_BUSY },
        { 10, "outer", "train.py: step", TR_HOST_BUSY },
        { 20, "cudaDeviceSynchronize", "train.py: step", TR_HOST_WAITS_FOR_DEVICE },
        { 30, "outer", "train.py: step", TR_HOST_BUSY },
        { 20, "", "train.py: step", TR_HOST_BUSY },
        { 10, "", "", TR_HOST_BUSY },
    };
    struct walk w = { .want = of };
    int calls = 0;
    two_ranks();
    span(&t, host, TR_ACT_PYTHON, "train.py: step", -5, 85);
    span(&t, host, TR_ACT_CPU_OP, "outer", 0, 60);
    span(&t, other, TR_ACT_CPU_OP, "of another thread", 1, 50);
    span(&t, host, TR_ACT_CPU_OP, "moment", 5, 0);
    span(&t, host, TR_ACT_RUNTIME_API, "cudaDeviceSynchronize", 10, 20);
    struct tr_host_history *h = tr_host_history_new(t.dict);
    need(h != NULL);
    for (size_t i = 0; i < t.batch->n; i++)
        CHECK(tr_host_history_enter(h, t.batch, i));
    CHECK(tr_host_history_walk(h, host, -10, 90, see, &w) && w.n == 7);
    CHECK(!tr_host_history_walk(h, host, -10, 90, stop, &calls) && calls == 1);
    tr_host_history_forget(h, host, 25);
    static const struct stretch later[] = { { 5, "cudaDeviceSynchronize", "train.py: step", TR_HOST_WAITS_FOR_DEVICE },
                                            { 1, "outer", "train.py: step", TR_HOST_BUSY } };
    w = (struct walk){ .want = later };
    CHECK(tr_host_history_walk(h, host, 25, 31, see, &w) && w.n == 2);
    static const struct stretch nothing[] = { { 7, "", "", TR_HOST_BUSY } };
    w = (struct walk){ .want = nothing };
    CHECK(tr_host_history_walk(h, a7, 0, 7, see, &w) && w.n == 1); /* nothing is known of it */
    tr_host_history_free(h);
    tr_host_history_free(NULL);
    end();
}

/* ---- operators ---- */

static const struct tr_operator_row *operator_of(const struct tr_operator_row *r, size_t n, const char *name)
{
    uint32_t id = name ? str(&t, name) : TR_NO_STR;
    for (size_t i = 0; i < n; i++)
        if (r[i].key.name == id)
            return &r[i];
    return NULL;
}

static bool costs(const struct tr_operator_row *r, int64_t host_self, int64_t whole, int64_t device_self,
                  int64_t device)
{
    bool same = r && r->host_self == host_self && r->host == whole && r->device_self == device_self &&
                r->device == device;
    if (r && !same)
        printf("# %lld of %lld, %lld of %lld\n", (long long)r->host_self, (long long)r->host,
               (long long)r->device_self, (long long)r->device);
    return same;
}

static void test_operators(void)
{
    const struct tr_operator_row *r;
    struct tr_operators *a = NULL;
    size_t n = 99;
    two_ranks();
    const struct tr_analysis_in in = { .dict = t.dict, .summary = sum, .sorted = true };
    CHECK(tr_operators_new(&in, 0, &a, &err) == TR_OK);
    CHECK(tr_operators_feed(a, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_operators_finish(a, &err) == TR_OK && tr_rows_count(tr_operators_rows(a)) == 0);
    tr_operators_free(a);
    tr_operators_free(NULL);
    span(&t, host, TR_ACT_CPU_OP, "linear", -10, 100);    /* 0 */
    span(&t, host, TR_ACT_CPU_OP, "mm", 0, 30);           /* 1 */
    span(&t, host, TR_ACT_RUNTIME_API, "launch", 5, 10);  /* 2: no operator, so mm's own time */
    owns(&t, 2);
    work(a7, 20, 40, 5, 2, host);                         /* 3 */
    span(&t, host, TR_ACT_CPU_OP, "linear", 40, 20);      /* 4: inside one of the same name */
    span(&t, host, TR_ACT_RUNTIME_API, "launch", 41, 1);  /* 5 */
    owns(&t, 1);
    work(a9, 50, 20, 5, 2, host);                         /* 6: overlaps the work of 3 by 10 */
    work(a7, 70, 5, 41, 5, host);                         /* 7 */
    kernel(&t, a7, "unlaunched", 80, 3);                  /* 8 */
    CHECK(tr_operators_new(&in, 0, &a, &err) == TR_OK);
    CHECK(tr_operators_feed(a, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_operators_finish(a, &err) == TR_OK && (n = tr_rows_count(tr_operators_rows(a))) == 3);
    r = tr_rows_get(tr_operators_rows(a), 0);
    const struct tr_operator_row *linear = operator_of(r, n, "linear"), *mm = operator_of(r, n, "mm"),
                                 *none = operator_of(r, n, NULL);
    CHECK(costs(linear, 70, 100, 5, 65) && linear->calls == 2 && linear->kernels == 1 && linear->kernels_below == 3);
    CHECK(costs(mm, 30, 30, 60, 60) && mm->calls == 1 && mm->device_self_busy == 50 && mm->device_busy == 50);
    CHECK(linear && linear->device_busy == 55 && linear->device_self_busy == 5); /* 20 to 70, 70 to 75 */
    CHECK(costs(none, 0, 0, 3, 3) && none->calls == 0 && none->kernels == 1);
    CHECK(tr_operators_groups(a)->n_groups >= 1 && linear->key.group == mm->key.group);
    tr_operators_free(a);
    const struct tr_analysis_in unsorted = { .dict = t.dict, .summary = sum };
    CHECK(tr_operators_new(&unsorted, 0, &a, &err) == TR_DAMAGED);
    end();
}

struct stacks {
    size_t below, alone;
};

static enum tr_status see_stack(void *self, const void *row, const struct tr_str *texts, struct tr_error *e)
{
    enum { STACK = 10 }; /* the last key */
    struct stacks *s = self;
    const struct tr_operator_row *r = row;
    bool mm = r->key.name == str(&t, "mm");
    (void)e;
    s->below += mm && tr_str_is(texts[STACK], "outer") && r->host == 10;
    s->alone += texts[STACK].s && !texts[STACK].len && r->host == (mm ? 4 : 50);
    return TR_OK;
}

static void test_operators_by_stack(void)
{
    struct tr_operators *a = NULL;
    struct stacks seen = { 0, 0 };
    two_ranks();
    const struct tr_analysis_in in = { .dict = t.dict, .summary = sum, .sorted = true };
    span(&t, host, TR_ACT_CPU_OP, "outer", 0, 50);
    span(&t, host, TR_ACT_CPU_OP, "mm", 10, 10);
    span(&t, other, TR_ACT_CPU_OP, "mm", 10, 4);
    CHECK(tr_operators_new(&in, TR_OPERATOR_STACK, &a, &err) == TR_OK);
    CHECK(tr_operators_feed(a, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_operators_finish(a, &err) == TR_OK && tr_rows_count(tr_operators_rows(a)) == 3);
    CHECK(tr_rows_each(tr_operators_rows(a), "name", see_stack, &seen, &err) == TR_OK);
    CHECK(seen.below == 1 && seen.alone == 2);
    tr_operators_free(a);
    end();
}

static const struct tap_test tests[] = {
    { "gaps of streams by cause", test_stream_idle },
    { "no events, work without an end, the bounds of time", test_stream_idle_edges },
    { "what a thread did from one moment to another", test_history },
    { "time of the host and of devices by operator", test_operators },
    { "operators by what is around them", test_operators_by_stack },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
