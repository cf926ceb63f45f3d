/* SPDX-License-Identifier: MIT */
/* Memory over time: pools, categories, peaks, frees without allocations, and sums by step. */
#include "analysis/memory/tr_memory.h"
#include "unit/analysis_build.h"

static struct build t;
static struct tr_summary *sum;
static struct tr_error err = TR_ERROR_INIT;
static uint32_t host, other, plain, pooled; /* threads of ranks 0 and 1; shapes without and with the totals of a pool */

static void two_ranks(void)
{
    start_stream(&t);
    uint32_t zero = source(&t, 0), one = source(&t, 1);
    host = track(&t, zero, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
    other = track(&t, one, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
    for (int k = 0; k < 2; k++) {
        usual(&t, true, true); /* 0 to 6 */
        member(&t, TR_PLACE_ARGS, "Bytes", TR_T_INT);
        member(&t, TR_PLACE_ARGS, "Device Type", TR_T_INT);
        member(&t, TR_PLACE_ARGS, "Device Id", TR_T_INT);
        member(&t, TR_PLACE_ARGS, "Category", TR_T_STRING);
        member(&t, TR_PLACE_ARGS, "Addr", TR_T_INT);
        if (k) {
            member(&t, TR_PLACE_ARGS, "Total Allocated", TR_T_INT);
            member(&t, TR_PLACE_ARGS, "Total Reserved", TR_T_INT);
        }
        *(k ? &pooled : &plain) = shape(&t, 'i');
    }
    sum = tr_summary_new(2);
    need(sum != NULL);
}

static void end(void)
{
    tr_summary_free(sum);
    build_end(&t);
}

/* Bytes at an address of a device, -1: the host. */
static size_t bytes(uint32_t shp, uint32_t trk, int64_t ts, int64_t n, int64_t device, int64_t addr,
                    const char *category)
{
    size_t i = event(&t, shp, trk, "[memory]", ts, TR_TIME_NONE);
    t.batch->activity[i] = TR_ACT_MEMORY_INSTANT;
    t.batch->phase[i] = TR_INSTANT;
    put_at(&t, 7, n);
    put_at(&t, 8, device < 0 ? 0 : 1);
    put_at(&t, 9, device);
    put_str_at(&t, 10, category);
    put_at(&t, 11, addr);
    return i;
}

static void totals(int64_t total, int64_t reserved)
{
    put_at(&t, 12, total);
    put_at(&t, 13, reserved);
}

static struct tr_memory *memory;
static const struct tr_memory_row *rows;
static const struct tr_memory_sum *sums;

static void feed(struct tr_memory_opts opts, const uint8_t *keep)
{
    memory = tr_memory_new(&opts, t.dict, sum);
    need(memory != NULL);
    CHECK(tr_memory_feed(memory, t.batch, keep, &err) == TR_OK);
    CHECK(tr_memory_finish(memory, &err) == TR_OK);
}

static size_t at_peak(void)
{
    size_t n = 99;
    CHECK(tr_memory_peak(memory, &rows, &n, &err) == TR_OK);
    return n;
}

static size_t at_end(void)
{
    size_t n = 99;
    CHECK(tr_memory_end(memory, &rows, &n, &err) == TR_OK);
    return n;
}

static size_t n_sums(void)
{
    size_t n = 99;
    CHECK(tr_memory_sums(memory, &sums, &n, &err) == TR_OK);
    return n;
}

static bool holds(size_t i, int64_t ts, const char *category, int64_t allocated, int64_t total, uint64_t n)
{
    const struct tr_memory_row *r = &rows[i];
    return r->ts == ts && r->allocated == allocated && r->total == total && r->n_allocations == n &&
           (category ? r->category == str(&t, category) : r->category == TR_NO_STR);
}

static void test_pools(void)
{
    two_ranks();
    bytes(plain, other, -30, 7, 0, 1, "Gradient");
    bytes(plain, host, -20, 50, -1, 1, "Input"); /* the same address in another pool */
    bytes(plain, host, -10, 100, 0, 1, "Input");
    bytes(plain, host, 0, 100, 0, 2, "Gradient");
    bytes(plain, host, 10, 300, 0, 3, "Input");
    bytes(plain, host, 20, -300, 0, 3, "named otherwise"); /* a free is that of its allocation */
    bytes(plain, host, 30, 300, 0, 4, "Gradient");         /* the peak again: the first counts */
    bytes(plain, host, 40, -100, 0, 2, "Gradient");
    bytes(plain, host, 50, -9, 0, 77, "Gradient"); /* what the trace has not allocated */
    feed((struct tr_memory_opts){ .by = TR_MEMORY_CATEGORY }, NULL);
    CHECK(at_peak() == 4);
    CHECK(rows[0].pool.rank == 0 && rows[0].pool.device == 0 && holds(0, 10, "Input", 400, 500, 2));
    CHECK(holds(1, 10, "Gradient", 100, 500, 1) && rows[1].reserved == TR_MEMORY_NONE);
    CHECK(rows[2].pool.host && rows[2].pool.device == TR_MEMORY_NONE && holds(2, -20, "Input", 50, 50, 1));
    CHECK(rows[3].pool.rank == 1 && holds(3, -30, "Gradient", 7, 7, 1));
    CHECK(at_end() == 5 && holds(0, 50, "Gradient", 300, 391, 1) && holds(1, 50, "Input", 100, 391, 1));
    CHECK(holds(2, 50, NULL, -9, 391, 0));
    CHECK(n_sums() == 3 && sums[0].n_allocs == 4 && sums[0].n_frees == 3 && sums[0].n_unmatched == 1);
    CHECK(sums[0].allocated == 800 && sums[0].freed == 409 && sums[0].largest == 300 && sums[0].growth == 391);
    CHECK(sums[0].start == 0 && sums[0].end == 391 && sums[0].peak == 500 && sums[0].peak_ts == 10);
    CHECK(sums[0].n_live == 2 && sums[0].live == 400 && sums[0].addresses && sums[0].step == TR_MEMORY_NONE);
    CHECK(sums[1].pool.host && sums[1].live == 50 && sums[2].pool.rank == 1 && sums[2].live == 7);
    tr_memory_free(memory);
    feed((struct tr_memory_opts){ .by = TR_MEMORY_ALL }, NULL);
    CHECK(at_peak() == 3 && rows[0].allocated == 500 && rows[0].n_allocations == 3);
    tr_memory_free(memory);
    tr_memory_free(NULL);
    end();
}

static void test_totals(void)
{
    two_ranks();
    bytes(pooled, host, 0, 100, 0, 1, "Input");
    totals(1000, 4000); /* 900 are older than the trace */
    bytes(pooled, host, 10, -500, 0, 9, "Input");
    totals(500, 4000);
    bytes(pooled, host, 20, 200, 0, 1, "Input"); /* what stood there was freed unseen */
    totals(700, 2000);
    feed((struct tr_memory_opts){ .by = TR_MEMORY_CATEGORY }, NULL);
    CHECK(at_peak() == 2 && holds(0, 0, NULL, 900, 1000, 0) && holds(1, 0, "Input", 100, 1000, 1));
    CHECK(rows[0].reserved == 4000);
    CHECK(at_end() == 2 && holds(0, 20, NULL, 500, 700, 0) && holds(1, 20, "Input", 200, 700, 1));
    CHECK(rows[0].reserved == 2000);
    CHECK(n_sums() == 1 && sums[0].start == 900 && sums[0].end == 700 && sums[0].growth == -200);
    CHECK(sums[0].reserved == 4000 && sums[0].unused == 3500 && sums[0].n_unmatched == 1 && sums[0].n_live == 1);
    tr_memory_free(memory);
    end();
}

static void operators(enum tr_memory_by by, const char *inner, const char *outer)
{
    feed((struct tr_memory_opts){ .by = by }, NULL);
    CHECK(at_peak() == 2 && holds(0, 20, inner, 10, 14, 1) && holds(1, 20, outer, 4, 14, 1));
    tr_memory_free(memory);
}

static void test_context(void)
{
    two_ranks();
    span(&t, host, TR_ACT_ANNOTATION, "step", 0, 100);
    span(&t, host, TR_ACT_CPU_OP, "linear", 5, 80);
    span(&t, host, TR_ACT_CPU_OP, "mm", 9, 3);
    bytes(plain, host, 10, 4, 0, 2, "c");
    span(&t, other, TR_ACT_CPU_OP, "elsewhere", 11, 80);
    span(&t, host, TR_ACT_CPU_OP, "add", 15, 10);
    span(&t, host, TR_ACT_CPU_OP, "aten::empty_strided", 18, 5); /* gets memory for others */
    bytes(plain, host, 20, 10, 0, 1, "c");
    operators(TR_MEMORY_OPERATOR, "add", "mm");
    feed((struct tr_memory_opts){ .by = TR_MEMORY_TOP }, NULL);
    CHECK(at_peak() == 1 && holds(0, 20, "linear", 14, 14, 2));
    tr_memory_free(memory);
    feed((struct tr_memory_opts){ .by = TR_MEMORY_ANNOTATION }, NULL);
    CHECK(at_peak() == 1 && holds(0, 20, "step", 14, 14, 2));
    tr_memory_free(memory);
    end();
}

struct seen {
    struct tr_memory_row rows[8];
    size_t n, max;
};

static enum tr_status see(void *self, const struct tr_memory_row *row, struct tr_error *e)
{
    struct seen *s = self;
    if (s->n >= s->max)
        return tr_fail(e, TR_NO, "enough");
    s->rows[s->n++] = *row;
    return TR_OK;
}

static void test_changes(void)
{
    struct seen s = { .max = 8 };
    two_ranks();
    bytes(plain, host, 0, 10, 0, 1, "a");
    bytes(plain, host, 0, 5, 0, 2, "b");
    bytes(plain, host, 0, 20, 0, 3, "a"); /* one time, one row for each category */
    bytes(plain, host, 8, -5, 0, 2, "b");
    feed((struct tr_memory_opts){ .by = TR_MEMORY_CATEGORY, .change = see, .change_self = &s }, NULL);
    rows = s.rows;
    CHECK(s.n == 3 && holds(0, 0, "a", 30, 35, 2) && holds(1, 0, "b", 5, 35, 1) && holds(2, 8, "b", 0, 30, 0));
    tr_memory_free(memory);
    s = (struct seen){ .max = 1 }; /* what is stopped stops */
    const struct tr_memory_opts opts = { .by = TR_MEMORY_CATEGORY, .change = see, .change_self = &s };
    memory = tr_memory_new(&opts, t.dict, sum);
    need(memory != NULL);
    CHECK(tr_memory_feed(memory, t.batch, NULL, &err) == TR_NO && s.n == 1);
    tr_memory_free(memory);
    end();
}

static void test_steps_and_selection(void)
{
    two_ranks();
    step(sum, 0, 1, 0, 10);
    step(sum, 0, 2, 10, 20);
    bytes(plain, host, -5, 10, 0, 1, "a");
    bytes(plain, host, 0, 20, 0, 2, "a");
    bytes(plain, host, 10, -10, 0, 1, "a"); /* half-open: of step 2 */
    bytes(plain, host, 15, 1000, 0, 4, "a");
    suspect(&t, TR_SUSPECT_BEFORE_BASE); /* counts for the state, and is no moment */
    bytes(plain, host, 19, 1, 0, 3, "a");
    feed((struct tr_memory_opts){ .by = TR_MEMORY_CATEGORY, .per_step = true }, NULL);
    CHECK(n_sums() == 3 && sums[0].step == 1 && sums[1].step == 2 && sums[2].step == TR_MEMORY_NONE);
    CHECK(sums[0].start == 10 && sums[0].end == 30 && sums[0].n_live == 1 && sums[0].live == 20);
    CHECK(sums[1].start == 30 && sums[1].end == 1021 && sums[1].n_allocs == 1 && sums[1].peak_ts == 19);
    CHECK(sums[2].growth == 10 && sums[2].n_live == 0);
    tr_memory_free(memory);
    const uint8_t keep[] = { 0, 1, 0, 0, 0 };
    feed((struct tr_memory_opts){ .by = TR_MEMORY_CATEGORY }, keep);
    CHECK(at_end() == 1 && holds(0, 0, "a", 30, 30, 2) && n_sums() == 1 && sums[0].n_allocs == 1);
    tr_memory_free(memory);
    end();
}

static void test_bounds(void)
{
    two_ranks();
    feed((struct tr_memory_opts){ .by = TR_MEMORY_CATEGORY }, NULL); /* no events */
    CHECK(at_peak() == 0 && at_end() == 0 && n_sums() == 0);
    tr_memory_free(memory);
    bytes(plain, host, TR_TIME_NONE, 5, 0, 3, "a");
    bytes(plain, host, INT64_MIN + 1, INT64_MAX, 0, 1, "a");
    bytes(plain, host, INT64_MAX, INT64_MAX, 0, 2, "a"); /* sums end at the bounds */
    feed((struct tr_memory_opts){ .by = TR_MEMORY_CATEGORY, .timed = true }, NULL);
    CHECK(n_sums() == 1 && sums[0].n_allocs == 2 && sums[0].allocated == INT64_MAX && sums[0].live == INT64_MAX);
    CHECK(sums[0].start == 5 && sums[0].peak == INT64_MAX && sums[0].peak_ts == INT64_MIN + 1);
    CHECK(at_end() == 1 && rows[0].ts == INT64_MAX && rows[0].allocated == INT64_MAX && rows[0].n_allocations == 3);
    tr_memory_free(memory);
    feed((struct tr_memory_opts){ .by = TR_MEMORY_CATEGORY }, NULL); /* not about times: what has none is looked at */
    CHECK(n_sums() == 1 && sums[0].n_allocs == 3 && sums[0].start == 0);
    tr_memory_free(memory);
    end();
}

static const struct tap_test tests[] = {
    { "pools of devices and hosts, frees by address, the first peak", test_pools },
    { "what an allocator says that it holds", test_totals },
    { "the operator or annotation that allocates", test_context },
    { "changes, a row for each category and time", test_changes },
    { "steps, and events that are not selected", test_steps_and_selection },
    { "no events, and the bounds of int64", test_bounds },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
