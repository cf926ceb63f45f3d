/* SPDX-License-Identifier: MIT */
/*
 * Sums and statistics of groups of events: by name, by class, by rule, by size, by any key.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_sum_options (tr_sum.h), struct tr_name_stats, struct tr_class_sum.
 */
#ifndef TR_SUMS_ANALYSES_H
#define TR_SUMS_ANALYSES_H

#include "analysis/sums/tr_class_sums.h"
#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Durations by name, by class, or of annotations: tr_name_stats.h. */
enum tr_annotation_side { TR_ANNOTATION_HOST, TR_ANNOTATION_DEVICE, TR_ANNOTATION_WORK };
struct tr_name_stats_options {
    double ratio;                 /* the largest rows up to this share of the sum, then others; 1: all */
    enum tr_annotation_side side; /* annotations only: of the host, of the device, or work below those of the device */
    /* Kernels only: */
    int64_t shorter; /* ns: only durations below this; 0: all */
    bool sums_only;  /* columns of percentiles are absent */
};
#define TR_NAME_STATS_DEFAULTS \
    {                          \
        .ratio = 1             \
    }
extern const struct tr_analysis tr_analysis_kernel, tr_analysis_class, tr_analysis_annotation;

/*
 * Classes by rules; the stream needs no classes: tr_class_sums.h.  Sums of classes; a statistic of these over ranks;
 * names without a class.
 */
enum tr_across_absent { TR_ACROSS_ZERO, TR_ACROSS_SKIP };
struct tr_rules_options {
    struct tr_option_list files;  /* the rules by their names, or those of files; */
    int precedence;               /* enum tr_rule_order, of files */
    bool keep_spaces;             /* of files */
    struct tr_rules *rules;       /* the same, read */
    enum tr_rule_target target;   /* device work, or operators of the host */
    /* Over ranks only: */
    int across; /* enum tr_across; -1: the sum, or as in unitrace the mean */
    int absent; /* enum tr_across_absent, how a rank without the class counts; -1: as zero, or as in unitrace not */
    int compat; /* 0: each statistic as in unitrace (tr_class_across_names); -1: none */
    enum tr_status (*take)(void *self, const struct tr_class_across *row, struct tr_error *err);
    void *self; /* take gets the rows; NULL: the table */
};
#define TR_RULES_DEFAULTS                           \
    {                                               \
        .across = -1, .absent = -1, .compat = -1    \
    }
/* The words of the options, by their values; NULL ends each list. */
extern const char *const tr_rule_target_names[], *const tr_across_names[], *const tr_absent_names[],
    *const tr_rule_order_names[];
extern const struct tr_analysis tr_analysis_rules, tr_analysis_rules_across, tr_analysis_unmatched;

/* Copies by direction and size; chains of kernels that one could replace; the overhead of the profiler.  No options. */
extern const struct tr_analysis tr_analysis_size, tr_analysis_chain, tr_analysis_overhead;

/* Sums of any groups of events: tr_sum.h, also for the options.  There are no defaults. */
extern const struct tr_analysis tr_analysis_sum;

#ifdef __cplusplus
}
#endif
#endif
