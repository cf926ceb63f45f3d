/* SPDX-License-Identifier: MIT */
/*
 * Calls of the host: launches, sequences of kernels, the tree of spans and how it nests.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_pairs, struct tr_sequences, struct tr_coverage.
 */
#ifndef TR_CALLS_ANALYSES_H
#define TR_CALLS_ANALYSES_H

#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches by the name of the call, and each launch: tr_launches.h. */
struct tr_launch_options {
    int64_t cpu_cutoff, queue_cutoff; /* ns */
    bool means_only; /* columns of percentiles are absent */
};
#define TR_LAUNCH_DEFAULTS { .cpu_cutoff = 50000, .queue_cutoff = 100000 }
extern const struct tr_launch_options tr_launch_means; /* the defaults, with means only */
extern const struct tr_analysis tr_analysis_api, tr_analysis_launch;
/* Kernels by grid and block.  No options. */
extern const struct tr_analysis tr_analysis_launch_shape;
/* Kernels by their call and their name.  No options. */
extern const struct tr_analysis tr_analysis_launch_kernel;

/* Operators and the kernels that they launch: tr_sequences.h. */
struct tr_sequence_options {
    struct tr_name_test op; /* operators that count, also with other operators between them and the launch */
};
extern const struct tr_analysis tr_analysis_sequence;

/* The outermost host spans that count, and all work that they launch: tr_sequences.h. */
struct tr_pattern_options {
    struct tr_name_test op; /* spans that count, of any kind; match NULL: operators */
    uint64_t length;        /* shorter sequences are left out */
};
#define TR_PATTERN_DEFAULTS { .length = 3 }
extern const struct tr_analysis tr_analysis_pattern;

/* The options of tr_sequences.h for these options. */
struct tr_sequences_opts;
struct tr_sequences_opts tr_pattern_sequences(const struct tr_pattern_options *o, const struct tr_group_by_opts *work);

/* For options without op: a remark of one line that names the operators that were used.  False: out of memory. */
struct tr_sequences;
bool tr_pattern_chosen(const struct tr_sequences *a, const struct tr_dict *dict, char *text, size_t size);

/* Every span and the spans inside it: tr_call_tree.h. */
struct tr_tree_options {
    bool join_backward; /* the thread of the backward pass belongs to the steps of the main one */
};
extern const struct tr_analysis tr_analysis_tree;
/* Spans of one thread or stream that overlap: tr_nesting.h.  No options. */
extern const struct tr_analysis tr_analysis_nesting;

#ifdef __cplusplus
}
#endif
#endif
