/* SPDX-License-Identifier: MIT */
/*
 * How well devices were used over time: in bins, in stretches of low use, step by step, below annotations.
 *
 * The analyses of this folder and their options.  The description of an analysis (struct tr_analysis) has its question
 * and its columns; the page of tr-util describes the options.
 *
 * Central: struct tr_time_bins.
 */
#ifndef TR_UTIL_ANALYSES_H
#define TR_UTIL_ANALYSES_H

#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Busy, compute and communication in each bin of time: tr_time_bins.h. */
struct tr_util_options {
    int64_t bin; /* ns; 0: about 100 bins of a round length */
};
extern const struct tr_analysis tr_analysis_util_rank, tr_analysis_util_device, tr_analysis_util_stream;

/* Stretches of bins with low use, and why: idle time as in time/tr_idle.h. */
struct tr_region_options {
    int64_t bin; /* as above */
    double below; /* percent of a bin */
    int64_t threshold; /* as of tr_idle_options */
};
extern const struct tr_analysis tr_analysis_util_region;

/* Durations of annotations and kernels, step by step. */
struct tr_pace_options {
    struct tr_name_test name; /* match NULL: the names with the longest time */
};
extern const struct tr_analysis tr_analysis_util_pace;

/* The device work that was launched inside of annotations: tr_by_projection.c. */
struct tr_projection_options {
    bool launching_only; /* only annotations that launched work have rows */
};
extern const struct tr_projection_options tr_projection_launching;
extern const struct tr_analysis tr_analysis_util_annotation;

#ifdef __cplusplus
}
#endif
#endif
