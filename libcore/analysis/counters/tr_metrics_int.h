/* SPDX-License-Identifier: MIT */
/* Declarations that the files of the metrics share: ranges, kernels with samples, launches. */
#ifndef TR_METRICS_INT_H
#define TR_METRICS_INT_H

#include "analysis/counters/tr_metrics.h"
#include "base/tr_mem.h"
#include "model/calls/tr_call_path.h"
#include "model/tr_eventmap.h"
#include "stream/tr_args.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr__metrics_launch {
    uint64_t record;
    uint32_t stack; /* in stacks */
};

/* A counter range, or a kernel that ran when a sample was taken. */
struct tr__metrics_range {
    uint64_t record;
    int64_t ts, dur;
    double time; /* ns, of the kernel: the range's own time metric, or its duration */
    uint32_t name;
    uint32_t source;
    bool keep;
    bool has_launch; /* kernels */
    uint32_t launch_source;
    uint64_t launch;
    uint64_t samples;
    size_t first_value; /* in values */
    size_t n_values;
    bool of_file;       /* an instance of a metric file */
    uint64_t number;    /* of_file: its number; TR_METRICS_NO_INSTANCE */
    int64_t device;
};

/* A range or kernel of a partial result: its row, and the values of it. */
struct tr__metrics_loaded {
    struct tr_metrics_row row;
    struct tr__metrics_range is; /* only time, of_file, keep, and its values */
    bool sampled; /* a kernel with samples */
};

/* An instance of a metric file with a number that kernels of a trace may have. */
struct tr__metrics_of_id {
    uint32_t source;
    size_t range;
    int64_t kernel_source; /* of its kernel; -1: none yet */
};

/* A sample in a kernel. */
struct tr__metrics_hit {
    size_t kernel, number; /* in kernels; in the order of arrival */
    struct tr_metric_value value;
};

/* A kernel that runs. */
struct tr__metrics_active {
    int64_t end;
    uint32_t track;
    size_t kernel; /* in kernels; SIZE_MAX: it has no sample yet */
    struct tr__metrics_range is;
};

struct tr__metrics_source {
    struct tr__metrics_launch *launches;
    struct tr__metrics_range *ranges;
    size_t n_launches, cap_launches, n_ranges, cap_ranges;
    bool from_file; /* ranges are instances of a metric file */
};

/* A counter event that waits for all kernels that start at its time. */
struct tr__metrics_sample {
    int64_t ts;
    uint32_t track;
    size_t first_value, n_values; /* in waiting_values */
};

struct tr_metrics {
    const struct tr_dict *dict;
    char *category;
    struct tr_call_path *tree;
    struct tr_metric_values *values_of;
    struct tr__metrics_source *sources;
    size_t n_sources, cap_sources;
    struct tr_stacks stacks;     /* of operators */
    struct tr_eventmap owners;   /* of calls with device work: stack + 1 */
    struct tr_metric_value *values; /* of ranges */
    size_t n_values, cap_values;
    bool ranged;                 /* some source has a range */
    struct tr_metrics_found found;
    struct tr_metrics_unmatched *unmatched;
    size_t n_unmatched, cap_unmatched;
    struct tr__metrics_loaded *loaded;
    size_t n_loaded, cap_loaded;
    struct tr__metrics_active *active;
    size_t n_active, cap_active;
    struct tr__metrics_sample *waiting;
    size_t n_waiting, cap_waiting;
    struct tr_metric_value *waiting_values;
    size_t n_waiting_values, cap_waiting_values;
    struct tr__metrics_range *kernels;
    size_t n_kernels, cap_kernels;
    struct tr__metrics_hit *hits;
    size_t n_hits, cap_hits;
    /* metric files */
    struct tr_arg row_instance, row_id, kernel_id;
    bool instance_open; /* the last range of open_source may get more rows */
    uint32_t open_source, open_track;
    struct tr_metric_value *sums; /* of its rows, by metric; n 0: none */
    uint32_t *summed;             /* the metrics that it has */
    size_t n_sums, cap_sums, n_summed, cap_summed;
    struct tr_eventmap ids; /* of (rank + 1, or 0 for any; number of the instance): place in of_id */
    struct tr__metrics_of_id *of_id;
    size_t n_of_id, cap_of_id;
    int64_t *launch_record, *launch_track; /* of this batch, by event */
    size_t cap_record, cap_track;
    uint32_t *place; /* in the order of columns, by metric; UINT32_MAX: not wanted */
    uint32_t *named; /* by place: the metric */
    size_t n_named;
    bool *real; /* by place */
    struct tr_metrics_row *rows;
    struct tr_metrics_cell *cells; /* of all rows */
    size_t n_rows;
};

/* ---- sums: tr_metrics_rows.c ---- */

void tr__metric_add(struct tr_metric *sum, struct tr_metric m);

/* Give each range and each kernel with samples, with a row of its own, to a function.  False: it returned false. */
typedef bool tr__metrics_take(void *self, const struct tr__metrics_range *r, const struct tr_metrics_row *row,
                              bool sampled);
bool tr__metrics_each(const struct tr_metrics *a, tr__metrics_take *take, void *self);

/* ---- metric files: tr_metrics_files.c ---- */

/* Add a row; end the last instance; give an instance its kernel.  False: out of memory. */
bool tr__metrics_add_row(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep);
bool tr__metrics_close_instance(struct tr_metrics *a);
bool tr__metrics_claim(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep);

/* ---- samples: tr_metrics_samples.c ---- */

/* Add a kernel; add a counter event.  False: out of memory. */
bool tr__metrics_add_kernel(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep);
bool tr__metrics_add_sample(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep);
/* After the last batch: set the values of kernels with samples.  False: out of memory. */
bool tr__metrics_end_samples(struct tr_metrics *a);

#ifdef __cplusplus
}
#endif
#endif
