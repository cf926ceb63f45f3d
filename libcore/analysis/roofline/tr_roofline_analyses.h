/* SPDX-License-Identifier: MIT */
/*
 * How close operators, kernels and devices come to their peaks, and the stalls between.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_roofline.
 */
#ifndef TR_ROOFLINE_ANALYSES_H
#define TR_ROOFLINE_ANALYSES_H

#include "analysis/operators/tr_operators_analyses.h"
#include "engine/tr_analysis.h"
#include "vendor/tr_ideal.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Stalls of instructions, from metric files of unitrace: by kernel, by instruction, by cause; and the instructions that
 * are waited for.  load: append the dump of a kernel to text; TR_OK, TR_NO: there is none, or a failure; NULL: no
 * dumps.
 */
struct tr_stalls_options {
    enum tr_status (*load)(void *self, struct tr_str kernel, struct tr_buf *text, struct tr_error *err);
    void *self;
};
extern const struct tr_analysis tr_analysis_stall_kernel, tr_analysis_stall_instruction, tr_analysis_stall_cause;
extern const struct tr_analysis tr_analysis_stall_wait;

/*
 * Utilization of devices, from a compiler's tables of ideal kernel times: the tables; each kernel; by category; by
 * rank.  There are no defaults for the tables.
 */
struct tr_ideal_options {
    struct tr_ideal *tables; /* borrowed */
    int64_t hz;                    /* of the cores, above 0 */
};
#define TR_IDEAL_DEFAULTS { .hz = 1100000000 }
extern const struct tr_analysis tr_analysis_ideal, tr_analysis_utilization;
extern const struct tr_analysis tr_analysis_utilization_category, tr_analysis_utilization_rank;

/* How close operators come to the peaks of their device: tr_roofline.h.  Keys of rows: */
enum tr_roofline_by {
    TR_ROOFLINE_SHAPE = 1 << 0,  /* shapes, types and values of arguments; */
    TR_ROOFLINE_PARAMS = 1 << 1, /* or the parameters that models compute from these; */
    TR_ROOFLINE_THREAD = 1 << 2, /* threads; */
    TR_ROOFLINE_RECOMPUTE = 1 << 3, /* whether they are a recomputation; */
    TR_ROOFLINE_API = 1 << 4,       /* of work of no operator: the call that launched it, */
    TR_ROOFLINE_KERNEL = 1 << 5,    /* its name, */
    TR_ROOFLINE_NODE = 1 << 6,      /* its node in a graph that was launched; */
    TR_ROOFLINE_FUSED = 1 << 7,     /* no key: operators that inductor made a kernel of */
};
struct tr_inductor;
struct tr_models;
struct tr_peaks;
struct tr_roofline_options {
    const struct tr_operators_shared *shared; /* as in tr_operator_options; the keys are shapes and arguments */
    unsigned by;
    bool nested; /* operators inside other operators with a model have rows, too */
    bool backward; /* and so do backward passes that have a model */
    struct tr_models *models; /* borrowed, like peaks */
    struct tr_peaks *peaks;   /* NULL: no peaks */
    struct tr_peaks *measured; /* what the device reached: roofs in place of such peaks; NULL: not known */
    struct tr_name_test op;         /* operators that are shown */
    struct tr_graph_calls *graphs;  /* as in tr_operator_options, as is captures */
    struct tr_option_list captures;
    struct tr_inductor *inductor; /* code that it generated; NULL: not known */
};
extern const struct tr_analysis tr_analysis_roofline, tr_analysis_roofline_family;

/*
 * How close kernels come to these peaks, by hardware counters of metric files: each kernel; points and roofs of a
 * picture; sums by precision.
 */
struct tr_kernel_roofline_options {
    struct tr_peaks *peaks; /* borrowed, as measured; NULL: no peaks */
    struct tr_peaks *measured; /* as in tr_roofline_options */
    const char *spec; /* precision of points and roofs, "matrix_bf16"; NULL: that with the most operations */
};
extern const struct tr_analysis tr_analysis_roofline_kernel, tr_analysis_roofline_point, tr_analysis_roofline_roof;
extern const struct tr_analysis tr_analysis_roofline_precision;

#ifdef __cplusplus
}
#endif
#endif
