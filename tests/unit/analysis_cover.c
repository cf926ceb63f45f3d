/* SPDX-License-Identifier: MIT */
/* What devices had in hand over time, how far a capture explains it, and counters of profiled ranges. */
#include "analysis/calls/tr_coverage.h"
#include "analysis/counters/tr_counters.h"
#include "analysis/counters/tr_metric_values.h"
#include "analysis/counters/tr_metrics.h"
#include "analysis/info/tr_trust.h"
#include "unit/analysis_build.h"

static struct build t;
static struct tr_summary *sum;
static struct tr_error err = TR_ERROR_INIT;
static uint32_t host, other, a7, a9, b7, bytes, rate; /* tracks of rank 0, one of rank 1; shapes of copies */

static void two_ranks(void)
{
    start_stream(&t);
    uint32_t zero = source(&t, 0), one = source(&t, 1);
    host = track(&t, zero, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
    other = track(&t, zero, 1, 2, TR_TIME_NONE, TR_TIME_NONE);
    a7 = track(&t, zero, 0, 7, 0, 7);
    a9 = track(&t, zero, 0, 9, 0, 9);
    b7 = track(&t, one, 0, 7, 0, 7);
    usual(&t, true, true);
    member(&t, TR_PLACE_ARGS, "bytes", TR_T_INT);
    bytes = shape(&t, 'X');
    usual(&t, true, true);
    member(&t, TR_PLACE_ARGS, "memory bandwidth (GB/s)", TR_T_INT);
    rate = shape(&t, 'X');
    sum = tr_summary_new(2);
    need(sum != NULL);
}

static void end(void)
{
    tr_summary_free(sum);
    build_end(&t);
}

/* ---- counters ---- */

static struct tr_counters *counters;
static const struct tr_series *series;

static size_t finish_counters(unsigned which)
{
    const struct tr_counters_opts opts = { .which = which, .max_memory = 1 << 20, .temp_dir = "." };
    size_t n = 99;
    CHECK(tr_counters_new(&opts, t.dict, sum, true, NULL, &counters, &err) == TR_OK);
    CHECK(tr_counters_feed(counters, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_counters_finish(counters, &series, &n, &err) == TR_OK);
    return n;
}

static void sample(int64_t ts, uint32_t number, int64_t value, uint64_t record)
{
    struct tr_counter_sample s = { 0 };
    CHECK(tr_counters_next(counters, &s, &err) == TR_OK);
    if (s.ts != ts || s.series != number || s.value != value || s.record != record)
        printf("# at %lld: series %u is %lld, by %llu\n", (long long)s.ts, s.series, (long long)s.value,
               (unsigned long long)s.record);
    CHECK(s.ts == ts && s.series == number && s.value == value && s.record == record);
}

static void no_more_samples(void)
{
    struct tr_counter_sample s;
    CHECK(tr_counters_next(counters, &s, &err) == TR_END);
    tr_counters_free(counters);
}

static void test_queue(void)
{
    two_ranks();
    kernel(&t, a9, "a", -20, 5);
    launched(&t, "launch", -50, 1, 100, host);
    kernel(&t, a7, "b", 10, 5);
    launched(&t, "launch", 0, 1, 101, host);
    kernel(&t, a7, "nobody knows", 12, 5);
    kernel(&t, a7, "c", 20, 5);
    launched(&t, "launch", 10, 1, 102, host); /* as b starts: first more, then less */
    kernel(&t, b7, "d", 30, 5);
    launched(&t, "launch", 40, 1, 103, host); /* clocks disagree */
    CHECK(finish_counters(1u << TR_COUNTER_QUEUE) == 3);
    CHECK(series[0].counter == TR_COUNTER_QUEUE && series[0].key.rank == 0 && series[0].key.stream == 7);
    CHECK(series[1].key.stream == 9 && series[1].track == a9 && series[2].key.rank == 1 && !series[2].name);
    sample(-50, 1, 1, 100);
    sample(-20, 1, 0, 0);
    sample(0, 0, 1, 101);
    sample(10, 0, 2, 102);
    sample(10, 0, 1, 1);
    sample(20, 0, 0, 3);
    sample(30, 2, -1, 4);
    sample(40, 2, 0, 103);
    no_more_samples();
    end();
}

static void copy(const char *name, uint32_t shp, int64_t ts, int64_t dur, int64_t value)
{
    size_t i = event(&t, shp, a7, name, ts, dur);
    t.batch->activity[i] = TR_ACT_MEMCPY;
    put_at(&t, 7, value);
}

static void test_bandwidth(void)
{
    two_ranks();
    copy("Memcpy HtoD (Pinned -> Device)", bytes, 0, 1000, 5000);       /* 5e9 per second */
    copy("Memcpy HtoD (Pageable -> Device)", rate, 500, 500, 3);        /* 3e9 */
    copy("Memcpy HtoD (Pinned -> Device)", bytes, 1000, 0, 1);          /* taken to last 1 us: 1e6 */
    copy("Memcpy DtoH (Device -> Pinned)", bytes, 3000, 10, -1);        /* not known: 0 */
    span(&t, a7, TR_ACT_MEMSET, "Memset (Device)", INT64_MAX - 5, 5);
    CHECK(finish_counters(1u << TR_COUNTER_BANDWIDTH) == 3);
    CHECK_STR(series[0].name, "Memcpy DtoH");
    CHECK_STR(series[1].name, "Memcpy HtoD");
    CHECK_STR(series[2].name, "Memset");
    CHECK(series[1].counter == TR_COUNTER_BANDWIDTH && series[1].key.device == 0);
    sample(0, 1, INT64_C(5000000000), 0);
    sample(500, 1, INT64_C(8000000000), 1);
    sample(1000, 1, INT64_C(3000000000), 0); /* what ends goes down before */
    sample(1000, 1, 0, 1);
    sample(1000, 1, 1000000, 2);
    sample(2000, 1, 0, 2);
    sample(3000, 0, 0, 3);
    sample(3010, 0, 0, 3);
    sample(INT64_MAX - 5, 2, 0, 4);
    sample(INT64_MAX, 2, 0, 4);
    no_more_samples();
    end();
}

static void test_busy(void)
{
    two_ranks();
    kernel(&t, a7, "a", INT64_MIN + 1, 10);
    kernel(&t, a7, "b", 0, 10);
    kernel(&t, a9, "c", 5, 5);
    kernel(&t, a7, "d", 8, 4); /* overlaps: the stream goes on */
    kernel(&t, a7, "e", 12, 8);
    kernel(&t, a7, "moment", 15, 0);
    kernel(&t, a9, "f", 20, TR_TIME_NONE); /* no length, nothing runs */
    CHECK(finish_counters(1u << TR_COUNTER_BUSY) == 1);
    CHECK(series[0].counter == TR_COUNTER_BUSY && series[0].key.device == 0 && series[0].key.stream == TR_GROUP_NONE);
    sample(INT64_MIN + 1, 0, 1, 0);
    sample(INT64_MIN + 11, 0, 0, 0);
    sample(0, 0, 1, 1);
    sample(5, 0, 2, 2);
    sample(10, 0, 1, 2);
    sample(20, 0, 0, 4);
    no_more_samples();
    t.batch->n = 0;
    CHECK(finish_counters(7) == 0); /* no events */
    no_more_samples();
    const struct tr_counters_opts opts = { .which = 7, .max_memory = 1 << 20, .temp_dir = "." };
    CHECK(tr_counters_new(&opts, t.dict, sum, false, NULL, &counters, &err) == TR_DAMAGED);
    tr_counters_free(NULL);
    end();
}

/* ---- coverage ---- */

static bool counts_are(struct tr_coverage_counts c, uint64_t launches, uint64_t used, uint64_t work, uint64_t known,
                       int64_t time, int64_t by_operator)
{
    bool same = c.launches == launches && c.launches_used == used && c.work == work && c.work_launched == known &&
                c.time == time && c.time_by_operator == by_operator;
    if (!same)
        printf("# %llu %llu, %llu %llu, %lld %lld\n", (unsigned long long)c.launches,
               (unsigned long long)c.launches_used, (unsigned long long)c.work, (unsigned long long)c.work_launched,
               (long long)c.time, (long long)c.time_by_operator);
    return same;
}

static void call(uint32_t trk, const char *name, int64_t ts, int64_t n_work)
{
    span(&t, trk, TR_ACT_RUNTIME_API, name, ts, 1);
    if (n_work)
        owns(&t, n_work);
}

static void work(uint32_t trk, int64_t ts, int64_t dur, uint64_t launch, int64_t launch_ts)
{
    kernel(&t, trk, "k", ts, dur);
    launched(&t, "launch", launch_ts, 1, launch, host);
}

static void test_coverage(void)
{
    struct tr_coverage *c = tr_coverage_new(false);
    two_ranks();
    need(c != NULL);
    CHECK(counts_are(tr_coverage_all(c), 0, 0, 0, 0, 0, 0) && counts_are(tr_coverage_of(c, 7), 0, 0, 0, 0, 0, 0));
    work(a7, 5, 3, 2, 11);                                 /* 0: before its call, which is record 2; clocks disagree */
    span(&t, host, TR_ACT_CPU_OP, "aten::mm", 10, 20);     /* 1 */
    call(host, "cudaLaunchKernel", 11, 2);                 /* 2: by the operator */
    call(host, "cudaLaunchKernel", 12, 0);                 /* 3: owns nothing */
    call(host, "malloc", 13, 0);                           /* 4: never owns anything */
    call(other, "of no vendor", 14, 1);                    /* 5: another thread, no operator there */
    work(a7, 20, 10, 2, 11);                               /* 6 */
    work(a9, 25, 100, 5, 14);                              /* 7 */
    kernel(&t, a7, "nobody knows", 30, 1000);              /* 8 */
    call(host, "cudaLaunchKernel", 30, 1);                 /* 9: as the operator has ended */
    work(a7, 40, 7, 9, 30);                                /* 10 */
    kernel(&t, a7, "suspect", 50, 5);                      /* 11 */
    suspect(&t, TR_SUSPECT_LONG_DUR);
    kernel(&t, b7, "of another rank", 60, INT64_MAX - 60); /* 12 */
    kernel(&t, b7, "left out", 70, 1);                     /* 13 */
    uint8_t keep[14];
    memset(keep, 1, sizeof keep);
    keep[13] = keep[1] = 0; /* operators are looked at all the same */
    CHECK(tr_coverage_add(c, t.batch, keep, &err) == TR_OK);
    CHECK(counts_are(tr_coverage_of(c, 0), 4, 3, 5, 4, 1120, 13));
    CHECK(counts_are(tr_coverage_of(c, 1), 0, 0, 1, 0, INT64_MAX - 60, 0));
    CHECK(counts_are(tr_coverage_all(c), 4, 3, 6, 4, TR_TIME_NONE, 13));
    tr_coverage_free(c);
    c = tr_coverage_new(true); /* suspects count, without durations */
    need(c != NULL);
    CHECK(tr_coverage_add(c, t.batch, keep, &err) == TR_OK);
    CHECK(counts_are(tr_coverage_of(c, 0), 4, 3, 6, 4, 1120, 13));
    tr_coverage_free(c);
    tr_coverage_free(NULL);
    end();
}

static void call_of(uint32_t trk, const char *name, int64_t ts, int64_t dur, int64_t n_work)
{
    span(&t, trk, TR_ACT_RUNTIME_API, name, ts, dur);
    if (n_work)
        owns(&t, n_work);
}

static bool launches_are(uint64_t launches, uint64_t used)
{
    struct tr_coverage *c = tr_coverage_new(false);
    need(c && tr_coverage_add(c, t.batch, NULL, &err) == TR_OK);
    struct tr_coverage_counts n = tr_coverage_of(c, 0);
    tr_coverage_free(c);
    t.batch->n = 0;
    if (n.launches != launches || n.launches_used != used)
        printf("# %llu of %llu\n", (unsigned long long)n.launches_used, (unsigned long long)n.launches);
    return n.launches == launches && n.launches_used == used;
}

/* Calls count by their role: what is part of another one, captured, or never expected to have work does not. */
static void test_roles(void)
{
    two_ranks();
    call_of(host, "cudaLaunchKernel", 10, 10, 0);
    call_of(host, "cuLaunchKernel", 12, 5, 1);
    call_of(host, "cudaGraphLaunch", 30, 10, 0);
    call_of(host, "cuGraphLaunch", 31, 10, 0); /* 1 ns longer: inside */
    call_of(other, "cuLaunchKernel", 32, 5, 0); /* on another thread */
    call_of(host, "cuLaunchKernel", 60, 5, 0); /* in no other */
    call_of(host, "cudaLaunchHostFunc", 70, 5, 0);
    CHECK(launches_are(4, 1));

    call_of(host, "cudaMemsetAsync", 10, 1, 0); /* empty, as no memset of the source has work */
    call_of(host, "hipMemcpyAsync", 20, 1, 0);
    CHECK(launches_are(1, 0));
    call_of(host, "cudaMemsetAsync", 10, 1, 0);
    call_of(host, "cudaMemsetAsync", 20, 1, 1);
    CHECK(launches_are(2, 1));

    call_of(host, "hipStreamBeginCapture", 10, 1, 0);
    call_of(host, "hipLaunchKernel", 20, 1, 0);
    call_of(host, "hipLaunchKernel", 22, 1, 1);
    call_of(other, "hipLaunchKernel", 24, 1, 0);
    call_of(host, "hipStreamEndCapture", 30, 1, 0);
    call_of(host, "hipLaunchKernel", 40, 1, 0);
    CHECK(launches_are(3, 1));

    call_of(host, "zeCommandListAppendLaunchKernel", 10, 1, 0);
    call_of(host, "zeCommandListAppendLaunchKernel", 12, 1, 1);
    CHECK(launches_are(2, 1)); /* no other call executes lists */
    call_of(host, "zeCommandListAppendLaunchKernel", 10, 1, 0);
    call_of(host, "zeCommandQueueExecuteCommandLists", 20, 1, 1);
    call_of(host, "zeCommandQueueExecuteCommandLists", 30, 1, 0);
    CHECK(launches_are(2, 1));
    call_of(host, "urEnqueueKernelLaunch", 10, 10, 0);
    call_of(host, "clEnqueueNDRangeKernel", 12, 2, 0);
    call_of(host, "clEnqueueNDRangeKernel", 15, 2, 1); /* of the same call of SYCL */
    CHECK(launches_are(1, 1));

    call_of(host, "zeCommandQueueExecuteCommandLists", 20, 1, 0);
    span(&t, a7, TR_ACT_SYNC, "zeCommandListAppendBarrier", 30, 5);
    launched(&t, "zeCommandQueueExecuteCommandLists", 20, 1, 0, host);
    CHECK(launches_are(0, 0)); /* it puts a wait on the device */
    end();
}

/* ---- trust ---- */

static struct tr_trust_counts trust(void)
{
    struct tr_trust *x = tr_trust_new();
    need(x && tr_trust_add(x, t.batch, &err) == TR_OK);
    tr_trust_finish(x);
    struct tr_trust_counts n = tr_trust_of(x, 0);
    CHECK(tr_trust_of(x, 99).pairs == 0);
    tr_trust_free(x);
    t.batch->n = 0;
    return n;
}

static void test_swallowed(void)
{
    two_ranks();
    kernel(&t, a7, "long", 0, 100);
    kernel(&t, a9, "another stream", 5, 10);
    kernel(&t, a7, "one", 10, 10);
    kernel(&t, a7, "next", 100, 100);
    kernel(&t, a7, "beyond", 110, 100);
    kernel(&t, a7, "in both", 120, 20);
    struct tr_trust_counts n = trust();
    CHECK(n.swallowing == 0 && n.swallowed == 0); /* one at a time */
    kernel(&t, a7, "long", 0, 100);
    kernel(&t, a7, "first", 0, 50);
    kernel(&t, a7, "to its end", 60, 40);
    kernel(&t, a7, "next", 100, 10);
    kernel(&t, a7, "next, too", 110, 10);
    kernel(&t, a7, "suspect", 111, 1);
    suspect(&t, TR_SUSPECT_ZERO_TIME);
    n = trust();
    CHECK(n.swallowing == 1 && n.swallowed == 2);
    end();
}

static void test_lone_work(void)
{
    two_ranks();
    kernel(&t, a7, "lone", 0, 10);
    kernel(&t, a9, "a", 910, 40);
    kernel(&t, a7, "b", 950, 50);
    struct tr_trust_counts n = trust();
    CHECK(n.lone == 1 && n.span == 1000 && n.span_rest == 90); /* the gap is ten times the rest */
    kernel(&t, a7, "not as far", 0, 10);
    kernel(&t, a9, "a", 810, 40);
    kernel(&t, a7, "b", 850, 60);
    CHECK(trust().lone == 0);
    kernel(&t, a7, "a", 0, 100); /* the rest ends later than its last work does */
    kernel(&t, a7, "b", 10, 10);
    kernel(&t, a7, "last", 5000, 7);
    kernel(&t, a9, "at the same moment", 5000, 70);
    n = trust();
    CHECK(n.lone == 2 && n.span == 5070 && n.span_rest == 100);
    kernel(&t, a7, "a", 0, 1); /* of two, neither is the lone one */
    kernel(&t, a7, "b", 5000, 1);
    CHECK(trust().lone == 0);
    kernel(&t, a7, "a", 0, 1); /* long gaps between pairs */
    kernel(&t, a7, "b", 1, 1);
    kernel(&t, a7, "c", 5000, 1);
    kernel(&t, a7, "d", 5001, 1);
    CHECK(trust().lone == 0);
    kernel(&t, a7, "a", 0, 1); /* a long duration is no gap */
    kernel(&t, a7, "b", 1, 1);
    kernel(&t, a7, "c", 2, 5000);
    CHECK(trust().lone == 0);
    CHECK(trust().span == 0); /* no work */
    end();
}

static void frame(int64_t ts, int64_t dur)
{
    span(&t, host, TR_ACT_PYTHON, "f", ts, dur);
}

static void test_pairs_and_frames(void)
{
    two_ranks();
    frame(0, 9000);
    frame(10, 20);
    frame(20, TR_TIME_NONE);
    work(a7, 30, 1, 3, 29);
    work(a7, 40, 1, 3, 40);
    work(a7, 50, 1, 3, 51);
    kernel(&t, a7, "of no launch", 60, 1);
    frame(100, 9900 - 5);
    struct tr_trust_counts n = trust();
    CHECK(n.pairs == 3 && n.pairs_causal == 2);
    CHECK(n.frames == 4 && n.frames_at_stop == 3); /* 9000 is within 1 us of 9995, and one has no end */
    frame(0, 9000);
    frame(10, 10200);
    n = trust();
    CHECK(n.frames == 2 && n.frames_at_stop == 1);
    end();
}

/* ---- counters of ranges ---- */

static uint32_t plain, real; /* shapes with counters */

static void range(uint32_t shp, const char *name, int64_t ts, int64_t value)
{
    event(&t, shp, a7, name, ts, 10);
    t.batch->cat[t.batch->n - 1] = str(&t, TR_METRICS_CATEGORY);
    put_at(&t, 7, value);
}

static void ranges(void)
{
    two_ranks();
    usual(&t, true, true);
    member(&t, TR_PLACE_ARGS, "cycles", TR_T_INT);
    plain = shape(&t, 'X');
    usual(&t, true, true);
    member(&t, TR_PLACE_ARGS, "busy", TR_T_DOUBLE);
    real = shape(&t, 'X');
    double half = 0.5;
    int64_t bits;
    memcpy(&bits, &half, sizeof bits);
    span(&t, host, TR_ACT_CPU_OP, "outer", 0, 100);
    span(&t, host, TR_ACT_CPU_OP, "inner", 10, 20);
    span(&t, host, TR_ACT_RUNTIME_API, "cudaLaunchKernel", 11, 10); /* record 2 */
    span(&t, host, TR_ACT_DRIVER_API, "cuLaunchKernel", 12, 5);     /* part of it */
    span(&t, host, TR_ACT_RUNTIME_API, "cudaMemcpyAsync", 40, 1);
    span(&t, host, TR_ACT_RUNTIME_API, "cudaLaunchKernel", 50, 10); /* 5 */
    span(&t, other, TR_ACT_RUNTIME_API, "cudaLaunchKernel", 70, 10); /* 6, by no operator */
    range(plain, "gemm", 1000, 7);
    range(real, "gemm", 2000, bits);
    range(plain, "add", 3000, INT64_MAX);
}

static size_t rows_by(struct tr_metrics *a, enum tr_metrics_by by, const struct tr_metrics_row **rows)
{
    size_t n = 99;
    need(a != NULL);
    CHECK(tr_metrics_feed(a, t.batch, NULL, NULL, &err) == TR_OK);
    CHECK(tr_metrics_complete(a, NULL, &err) == TR_OK && tr_metrics_finish(a, by, rows, &n, &err) == TR_OK);
    return n;
}

/* Are there so many operators around a row's launch, and is this the innermost? */
static bool named(const struct tr_metrics *a, const struct tr_metrics_row *r, size_t depth, const char *name)
{
    const struct tr_stacks *s = tr_metrics_stacks(a);
    return tr_stacks_depth(s, r->stack) == depth && s->frames[r->stack].name == str(&t, name);
}

static void test_ranges(void)
{
    const struct tr_metrics_row *r;
    const struct tr_metrics_unmatched *unmatched;
    size_t n;
    bool is_real = true;
    ranges();
    struct tr_metrics *a = tr_metrics_new(t.dict, TR_METRICS_CATEGORY, NULL);
    CHECK(rows_by(a, TR_METRICS_RANGE, &r) == 3);
    CHECK(r[0].launched && r[0].launch == 2 && named(a, &r[0], 2, "inner"));
    CHECK(r[1].launched && r[1].launch == 5 && named(a, &r[1], 1, "outer"));
    CHECK(r[2].launched && r[2].launch == 6 && r[2].stack == TR_STACK_NONE && r[2].ts == 3000 && r[2].dur == 10);
    CHECK_STR(tr_metrics_counter(a, 0, &is_real), "busy");
    CHECK(is_real);
    CHECK_STR(tr_metrics_counter(a, 1, &is_real), "cycles");
    CHECK(!is_real && tr_metrics_counter(a, 2, &is_real) == NULL);
    CHECK(r[0].metrics[0].sum.is == TR_METRIC_NONE && r[0].metrics[1].sum.is == TR_METRIC_INT && r[0].metrics[1].sum.v.i == 7);
    CHECK(r[1].metrics[0].sum.is == TR_METRIC_REAL && r[1].metrics[0].sum.v.d > 0.49 && r[1].metrics[0].sum.v.d < 0.51);
    CHECK(tr_metrics_found(a, &unmatched, &n)->ranges == 3 && n == 0);
    tr_metrics_free(a);
    end();
}

static void test_range_sums(void)
{
    const struct tr_metrics_row *r;
    const struct tr_metrics_unmatched *unmatched;
    size_t n;
    bool is_real = true;
    ranges();
    range(plain, "gemm", 4000, 1);
    t.batch->dur[t.batch->n - 1] = INT64_MAX - 5;
    struct tr_metrics *a = tr_metrics_new(t.dict, TR_METRICS_CATEGORY, NULL);
    CHECK(rows_by(a, TR_METRICS_KERNEL, &r) == 2); /* four ranges, three launches: none is known */
    CHECK(r[0].count == 3 && r[0].name == str(&t, "gemm") && !r[0].launched && r[0].stack == TR_STACK_NONE);
    CHECK(tr_metrics_found(a, &unmatched, &n)->ranges == 4 && n == 1);
    CHECK(n == 1 && unmatched[0].ranges == 4 && unmatched[0].launches == 3);
    CHECK(r[0].dur == TR_TIME_NONE); /* 10 + 10 + INT64_MAX - 5 does not fit */
    CHECK(r[0].metrics[1].sum.is == TR_METRIC_INT && r[0].metrics[1].sum.v.i == 8);
    CHECK(r[1].count == 1 && r[1].dur == 10 && r[1].metrics[1].sum.v.i == INT64_MAX);
    tr_metrics_free(a);
    a = tr_metrics_new(t.dict, TR_METRICS_CATEGORY, NULL);
    CHECK(rows_by(a, TR_METRICS_OPERATOR, &r) == 1); /* INT64_MAX and 8: a sum that is no integer any more */
    CHECK(r[0].count == 4 && r[0].metrics[1].sum.is == TR_METRIC_REAL && r[0].metrics[1].sum.v.d > 9e18);
    CHECK(tr_metrics_counter(a, 1, &is_real) && is_real);
    tr_metrics_free(a);
    t.batch->n--;
    a = tr_metrics_new(t.dict, TR_METRICS_CATEGORY, NULL);
    CHECK(rows_by(a, TR_METRICS_STACK, &r) == 3);
    CHECK(r[0].stack == TR_STACK_NONE && named(a, &r[1], 1, "outer") && named(a, &r[2], 2, "inner")); /* outer before outer, inner */
    tr_metrics_free(a);
    end();
}

/* What names of metrics say. */
static void test_metric_names(void)
{
    static const struct {
        const char *name, *unit, *base;
        bool counts, bytes;
    } of[] = {
        { "READ[bytes]", "bytes", "READ", true, true },
        { "SM Active (%)", "%", "SM Active", false, false },
        { "GpuTime[ns]", "ns", "GpuTime", false, false },
        { "dram__bytes.sum", "byte", "dram__bytes.sum", true, true },
        { "dram__bytes.sum.per_second", "byte/s", "dram__bytes.sum.per_second", false, false },
        { "sm__inst.avg.pct_of_peak", "%", "sm__inst.avg.pct_of_peak", false, false },
        { "gpu__time_duration.sum", "ns", "gpu__time_duration.sum", false, false },
        { "inst", "", "inst", true, false },
        { "[ns]", "", "[ns]", true, false },
        { "", "", "", true, false },
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct tr_str unit = tr_metric_unit(of[i].name), base = tr_metric_base(of[i].name);
        CHECK(tr_str_is(unit, of[i].unit) && tr_str_is(base, of[i].base));
        CHECK(tr_metric_counts(of[i].name) == of[i].counts && tr_metric_is_bytes(of[i].name) == of[i].bytes);
        CHECK(tr_metric_is_time(of[i].name) == (i == 2 || i == 6));
    }
}

/* A list of metrics: its order, names without units, and names that nobody has. */
static void test_metric_list(void)
{
    uint32_t order[4];
    struct tr_metric_value const *of;
    size_t n;
    ranges();
    struct tr_metric_values *x = tr_metric_values_new(t.dict, "cycles,busy"), *none = tr_metric_values_new(t.dict, "busy,x");
    need(x && none);
    tr_metric_values_batch(x, t.batch);
    tr_metric_values_batch(none, t.batch);
    for (size_t i = 0; i < t.batch->n; i++)
        CHECK(tr_metric_values_of(x, i, &of, &n) && tr_metric_values_of(none, i, &of, &n));
    CHECK(tr_metric_values_order(x, order) == 2 && !tr_metric_values_all(x));
    CHECK_STR(tr_metric_values_name(x, order[0]), "cycles");
    CHECK_STR(tr_metric_values_name(x, order[1]), "busy");
    CHECK(tr_metric_values_check(x, &err) == TR_OK);
    CHECK(tr_metric_values_check(none, &err) == TR_ABSENT && strstr(err.what, "'x'") && strstr(err.what, "busy, cycles"));
    err = (struct tr_error)TR_ERROR_INIT;
    tr_metric_values_free(x);
    tr_metric_values_free(none);
    tr_metric_values_free(NULL);
    end();
}

static void test_no_ranges(void)
{
    const struct tr_metrics_row *r;
    bool is_real;
    size_t n = 99;
    ranges();
    uint8_t keep[10] = { 0 };
    struct tr_metrics *a = tr_metrics_new(t.dict, TR_METRICS_CATEGORY, NULL), *empty = tr_metrics_new(t.dict, "no such", NULL);
    need(a && empty);
    keep[8] = 1; /* chosen after they have met their launches */
    CHECK(tr_metrics_feed(a, t.batch, keep, NULL, &err) == TR_OK);
    CHECK(tr_metrics_complete(a, NULL, &err) == TR_OK);
    CHECK(tr_metrics_finish(a, TR_METRICS_RANGE, &r, &n, &err) == TR_OK && n == 1 && r[0].launch == 5);
    CHECK(rows_by(empty, TR_METRICS_KERNEL, &r) == 0 && !tr_metrics_counter(empty, 0, &is_real));
    tr_metrics_free(a);
    tr_metrics_free(empty);
    tr_metrics_free(NULL);
    end();
}

static const struct tap_test tests[] = {
    { "work launched and not begun, by stream", test_queue },
    { "bytes per second of copies, by kind", test_bandwidth },
    { "streams that are busy, at the bounds of time", test_busy },
    { "launches, work and time that the capture explains", test_coverage },
    { "launch calls by their role", test_roles },
    { "spans that contain others of their stream", test_swallowed },
    { "lone work", test_lone_work },
    { "work before its launch, and Python frames", test_pairs_and_frames },
    { "ranges meet launches by position", test_ranges },
    { "what names of metrics tell", test_metric_names },
    { "a list of metrics", test_metric_list },
    { "ranges by kernel, operator and stack, and sums that do not fit", test_range_sums },
    { "ranges that are not selected, and none", test_no_ranges },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
