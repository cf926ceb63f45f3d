/* SPDX-License-Identifier: MIT */
/*
 * The time of devices and streams: busy, idle and why, what ran beside what, steps and iterations.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_busy, struct tr_idle, struct tr_step_ends.
 */
#ifndef TR_TIME_ANALYSES_H
#define TR_TIME_ANALYSES_H

#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where did the time of devices go?  tr_busy.h.  No options. */
extern const struct tr_analysis tr_analysis_time;
/* Communication that runs at the same time as compute: tr_busy.h.  No options. */
extern const struct tr_analysis tr_analysis_overlap;
/* The time of devices as rows that add up to the span: tr_busy.h. */
enum tr_memsets { TR_MEMSETS_MEMORY, TR_MEMSETS_COMPUTE }; /* what they count as */
struct tr_timeline_options {
    int64_t micro_idle; /* ns: gaps shorter than this have a separate row; 0: none */
    enum tr_memsets memsets;
    bool quiet;         /* no remarks, because the rows are not shown; also for tr_analysis_time */
};
extern const struct tr_analysis tr_analysis_timeline;

/* Kinds of work that run at the same time: tr_concurrency.h.  No options.  Ranks are added up, unless grouped. */
extern const struct tr_analysis tr_analysis_type;

/* Any kinds or classes that run at the same time: tr_concurrency.h. */
struct tr_classes_options {
    const char *list; /* names with commas between */
};
#define TR_CLASSES_DEFAULT "compute,comm,memory"
extern const struct tr_analysis tr_analysis_classes;

/* Work that runs at the same time on other streams of its device, by the names of both: tr_concurrent_kernels.c.  No
 * options. */
extern const struct tr_analysis tr_analysis_beside;

/*
 * Causes of idle time of devices, as sums and for each gap: tr_idle.h.  Causes of idle time of streams, as in Holistic
 * Trace Analysis: tr_by_stream_idle.c.
 */
struct tr_idle_options {
    int64_t threshold; /* ns; 0 or more */
    bool sums_only;    /* sums by cause: no percentiles */
};
#define TR_IDLE_THRESHOLD 30000
#define TR_IDLE_DEFAULTS { .threshold = TR_IDLE_THRESHOLD }
extern const struct tr_idle_options tr_idle_defaults;
extern const struct tr_option tr_idle_settings[];
extern const struct tr_analysis tr_analysis_idle, tr_analysis_cause, tr_analysis_gap, tr_analysis_stream_idle;

/*
 * How long each step took on the host, how busy the devices of its rank were in that time, and the largest cause of the
 * idle gaps that end in it.  All device work counts, except what a test where leaves out.  A selection of steps or
 * times only selects rows.  Options as above.
 */
extern const struct tr_analysis tr_analysis_step;

/* Device work of the step of median length, as rows of a time line: tr_by_typical.c.  No options. */
extern const struct tr_analysis tr_analysis_typical;

/*
 * Steps of inference with the work that they launched: tr_step_work.h.  Each step; sums by phase; the runs of so many
 * steps that are typical of the trace, of decode, of prefill.  Times and conditions as for steps above.
 */
struct tr_window_options {
    uint64_t steps; /* in a window, at least 1 */
};
#define TR_WINDOW_DEFAULTS { .steps = 32 }
extern const struct tr_analysis tr_analysis_inference, tr_analysis_phase, tr_analysis_window;

/*
 * How long one iteration took, for traces without steps: an iteration is the sequence of kernels that is repeated.
 * Memory: up to 32768 kernels of each group, 32 bytes each.
 */
extern const struct tr_analysis tr_analysis_iteration;

#ifdef __cplusplus
}
#endif
#endif
