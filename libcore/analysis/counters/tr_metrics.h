/* SPDX-License-Identifier: MIT */
/*
 * Hardware counters of profiled ranges and their launches; samples of series, and the kernels that ran at that time.
 *
 * A profiler that replays kernels to read hardware counters (CUPTI range profiler, one range per
 * kernel) records the counters as args of spans of a separate category, whose times are those of
 * the replays and not of the program.  So ranges and launches are matched by position: the nth range of a
 * source in the order of time belongs to its nth launch of a kernel.  A launch is a call of the
 * runtime or driver with "LaunchKernel" in its name, outside any other such call.  If the numbers
 * differ, no range of that source has a launch.
 *
 * The stack of a range has the operators around its launch, on the thread of the launch, outermost first.  It is empty
 * if there are none.  tr_metric_values.h defines metrics and their names.
 *
 * If no source has a range, samples are used.  A counter event belongs to the kernels of its source that run at its
 * time (start <= ts < end) on its device.  The device is that of a pid "GPU n ...", else the pid of the kernels' track;
 * a counter event of a track without a number belongs to any device.  A kernel without samples has no row.  Its launch
 * is that of the stream.
 *
 * A row of a metric file is a sample of an instance of a kernel, and consecutive rows with the same file, device,
 * kernel and instance are one range.  Counts and the time of the kernel are added up; of percentages, rates and
 * frequencies it has the mean, of identifiers and points in time the first one.  Rows for instructions, which have no
 * instance, are one range for each kernel.  A range with a GlobalInstanceId takes place, times and launch of the
 * kernel whose arg id is the same number, in the rank of the file, or in any rank if only the order of inputs gives
 * the rank of the file.
 *
 * The selection applies to ranges, after they were matched with their launches, and to kernels.  For samples, it
 * applies without the test where.  For rows of metric files, a range is selected if its
 * kernel is, or without a kernel, if one of its rows is.
 *
 * One pass in canonical order; memory: 90 bytes per range, 24 more per counter of it, 40 per launch, 60 per kernel
 * with samples, 32 per sample in it.
 */
#ifndef TR_METRICS_H
#define TR_METRICS_H

#include "analysis/counters/tr_metric_values.h"
#include "engine/tr_partial.h"
#include "model/calls/tr_stacks.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_METRICS_CATEGORY "cuda_profiler_range"
#define TR_METRICS_NO_INSTANCE UINT64_MAX

/* A metric of a row. */
struct tr_metrics_cell {
    struct tr_metric sum; /* TR_METRIC_NONE: it has none */
    uint64_t n;           /* samples added up */
    bool mean;            /* the value is sum divided by n */
    bool counts;          /* the value is a sum */
    double time;          /* ns, of the ranges that have it: their own metric of time, else their duration */
};

/* A range or kernel, or the sum of several with the same rank and key. */
struct tr_metrics_row {
    int64_t rank;     /* -1: unknown */
    uint32_t source;  /* of the first */
    uint64_t record;
    int64_t ts, dur;  /* ns; dur: their sum, TR_TIME_NONE: does not fit */
    int64_t start;    /* ts as in its file */
    uint32_t name;    /* of the kernel; string number, as all names */
    bool launched;    /* the launch is known */
    uint64_t launch;  /* its record */
    uint32_t stack;    /* operators, in tr_metrics_stacks */
    uint64_t count;
    uint64_t samples;  /* ranges, or counter events */
    uint64_t instance; /* TR_METRICS_INSTANCE: its number among those with its rank and name, from 1, by time; of a
                        * metric file: as the file counts, or TR_METRICS_NO_INSTANCE */
    int64_t device;    /* TR_I64_NONE: unknown */
    const struct tr_metrics_cell *metrics; /* one for each metric */
};

enum tr_metrics_by {
    TR_METRICS_RANGE,    /* each range, in order; a kernel is not a range */
    TR_METRICS_KERNEL,   /* by rank and kernel */
    TR_METRICS_OPERATOR, /* by rank and innermost operator */
    TR_METRICS_STACK,    /* by rank and stack */
    TR_METRICS_INSTANCE, /* each range, or kernel with samples, in the order of time */
};

struct tr_metrics;

/* category: of ranges, copied; list: as for tr_metric_values_new.  NULL: out of memory. */
struct tr_metrics *tr_metrics_new(const struct tr_dict *dict, const char *category, const char *list);
void tr_metrics_free(struct tr_metrics *a);

/*
 * The next batch.  keep and sampled have one byte per event; NULL: all.  keep applies to ranges and kernels, sampled to
 * counter events.  TR_OK or TR_SYSTEM.
 */
enum tr_status tr_metrics_feed(struct tr_metrics *a, const struct tr_batch *b, const uint8_t *keep,
                               const uint8_t *sampled, struct tr_error *err);

/* After the last batch, before the rest.  selected NULL: all sources are. */
enum tr_status tr_metrics_complete(struct tr_metrics *a, struct tr_select *selected, struct tr_error *err);

/*
 * After that, once.  Rows of several ranges are in the order of rank; then the row with the most ranges comes
 * first; then by name.  Ranges without a metric have rows only with TR_METRICS_RANGE and without a list.  Owner: the
 * analysis.
 *
 * TR_OK; TR_ABSENT: a metric of the list is in no event; TR_SYSTEM.
 */
enum tr_status tr_metrics_finish(struct tr_metrics *a, enum tr_metrics_by by,
                                 const struct tr_metrics_row **rows, size_t *n,
                                 struct tr_error *err);

/*
 * After that: the name of metric k, in the order of the list, or in the order of bytes; NULL: there are no more.
 * *real: some sum is not an integer.
 */
const char *tr_metrics_counter(const struct tr_metrics *a, size_t k, bool *real);

/* Is this metric, of metric files, a sum? */
bool tr_metrics_adds(const struct tr_metrics *a, size_t k);

/* The stacks of rows. */
const struct tr_stacks *tr_metrics_stacks(const struct tr_metrics *a);

/* A selected source whose ranges are not as many as its launches. */
struct tr_metrics_unmatched {
    int64_t rank;
    uint32_t name; /* of the source */
    uint64_t ranges, launches;
};

/* What was found, after the last batch. */
struct tr_metrics_found {
    uint64_t sources, ranges;       /* selected or not */
    uint64_t joined;                /* kernels that metric files are about */
    uint64_t ambiguous;             /* 1: kernels of several ranks have the same instance */
    uint64_t files;                 /* 1: there are rows of metric files */
    uint64_t samples;               /* counter events with values, selected or not */
};
const struct tr_metrics_found *tr_metrics_found(const struct tr_metrics *a, const struct tr_metrics_unmatched **v,
                                                size_t *n);

/* There are no ranges, and rows are kernels with samples. */
bool tr_metrics_sampled(const struct tr_metrics *a);

/*
 * The state as a partial result, after tr_metrics_complete: each range and kernel with samples that is selected, which
 * serves all rows.
 */
#define TR_METRICS_TABLES 5u
extern const struct tr_saved_table tr_metrics_saved[TR_METRICS_TABLES];
enum tr_status tr_metrics_save(struct tr_metrics *a, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr_metrics_load(struct tr_metrics *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
