/* SPDX-License-Identifier: MIT */
/*
 * Counters: queues, bandwidth, power, and the metrics of hardware.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_counters, struct tr_metrics.
 */
#ifndef TR_COUNTERS_ANALYSES_H
#define TR_COUNTERS_ANALYSES_H

#include "analysis/counters/tr_metrics.h"
#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Hardware counters and samples: tr_metrics.h.  Sums of metrics; the list of metrics; their values over time. */
struct tr_metrics_options {
    int by; /* enum tr_metrics_by */
    const char *category; /* of the ranges that have counters */
    const char *metrics;  /* names with commas between; NULL: all */
    bool throughput;      /* values divided by the time of their ranges; only for tr_analysis_metrics */
};
#define TR_METRICS_DEFAULTS { .by = TR_METRICS_RANGE, .category = TR_METRICS_CATEGORY }
extern const struct tr_metrics_options tr_metrics_defaults;
extern const struct tr_option tr_metrics_settings[]; /* after the first: no key; after two: no throughput */
extern const struct tr_analysis tr_analysis_metrics, tr_analysis_metric_list, tr_analysis_metric_series;

/* Sums of counters: tr_counters.h.  Queues of streams, copies, and how long queues were full. */
struct tr_counter_options {
    uint64_t max_queue; /* number of events of device work in a full queue */
};
#define TR_COUNTER_DEFAULTS { .max_queue = 1024 }
extern const struct tr_analysis tr_analysis_queue, tr_analysis_bandwidth, tr_analysis_full_queue;
/* Each change of a counter.  No options. */
extern const struct tr_analysis tr_analysis_queue_series, tr_analysis_bandwidth_series, tr_analysis_busy_series;
extern const struct tr_analysis tr_analysis_power_series, tr_analysis_waiting_series,
    tr_analysis_collective_series;
/* Power over time, with kernels and between them, and by kernel.  No options. */
extern const struct tr_analysis tr_analysis_power, tr_analysis_power_kernel;

#ifdef __cplusplus
}
#endif
#endif
