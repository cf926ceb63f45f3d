/* SPDX-License-Identifier: MIT */
/*
 * Hardware counters of profiled ranges, and what launched them.
 *
 * A profiler that replays kernels to read hardware counters (CUPTI range profiler, one range per
 * kernel) records the counters as args of spans of a category of its own, whose times are those of
 * the replays and not of the program.  So ranges and launches meet by position: the nth range of a
 * source in the order of time belongs to its nth launch of a kernel.  A launch is a call of the
 * runtime or driver with "LaunchKernel" in its name, outside any other such call.  Where numbers
 * differ, no range of that source has a launch.
 *
 * The stack of a range is the operators around its launch, on the launch's thread, outermost first;
 * it is empty if there are none.  Counters are the args of ranges that are numbers.
 *
 * Selection chooses among ranges, after they have met their launches.
 *
 * One pass in canonical order; memory: 80 bytes per range, 16 more per counter of it, 16 per launch.
 */
#ifndef TR_METRICS_H
#define TR_METRICS_H

#include "base/tr_status.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_METRICS_CATEGORY "cuda_profiler_range"

struct tr_metric {
    enum { TR_METRIC_NONE, TR_METRIC_INT, TR_METRIC_REAL } is;
    union {
        int64_t i;
        double d;
    } v;
};

/* A range, or what several ranges with the same rank and key have in common. */
struct tr_metrics_row {
    int64_t rank;     /* -1: unknown */
    uint32_t source;  /* of the first */
    uint64_t record;
    int64_t ts, dur;  /* ns; dur: their sum, TR_TIME_NONE: does not fit */
    uint32_t name;    /* of the kernel; string number, as all names */
    bool launched;    /* the launch is known */
    uint64_t launch;  /* its record */
    const uint32_t *stack; /* operators; NULL: none */
    size_t n_stack;
    uint64_t count;
    const struct tr_metric *metrics; /* one for each counter; sums */
};

enum tr_metrics_by {
    TR_METRICS_RANGE,    /* each range, in order */
    TR_METRICS_KERNEL,   /* by rank and kernel */
    TR_METRICS_OPERATOR, /* by rank and innermost operator */
    TR_METRICS_STACK,    /* by rank and stack */
};

struct tr_metrics;

/* category: of ranges, copied.  NULL: out of memory. */
struct tr_metrics *tr_metrics_new(const struct tr_dict *dict, const char *category);
void tr_metrics_free(struct tr_metrics *a);

/* The next batch; keep: one byte per event, NULL: all.  TR_OK or TR_SYSTEM. */
enum tr_status tr_metrics_feed(struct tr_metrics *a, const struct tr_batch *b, const uint8_t *keep,
                               struct tr_error *err);

/*
 * After the last batch, once.  Rows that stand for several ranges come by rank, then the most ranges
 * first, then by name.  Owner: the analysis.
 */
enum tr_status tr_metrics_finish(struct tr_metrics *a, enum tr_metrics_by by,
                                 const struct tr_metrics_row **rows, size_t *n,
                                 struct tr_error *err);

/* After that: the name of counter k, in bytewise order; NULL: there are no more.  *real: some value is
 * no integer. */
const char *tr_metrics_counter(const struct tr_metrics *a, size_t k, bool *real);

/* Ranges and launches of a source, selected or not. */
void tr_metrics_found(const struct tr_metrics *a, uint32_t source, uint64_t *ranges,
                      uint64_t *launches);

#ifdef __cplusplus
}
#endif
#endif
