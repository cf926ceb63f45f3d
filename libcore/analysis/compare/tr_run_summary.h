/* SPDX-License-Identifier: MIT */
/*
 * The headline of a run: its main figures.
 *
 *   step_time     mean duration of the steps (tr_step_times.h)
 *   busy          time with any device work
 *   compute       time with compute
 *   exposed_comm  time with communication and without compute
 *   idle          time without device work
 *   launches      device work whose launch is known
 *
 * All except the first are means over the ranks and their captures (tr_captures.h), so jobs of different sizes can be
 * compared.  For a single rank, they are the figures of tr_busy.h and tr_launches.h.
 *
 * It is computed from the tables of two analyses, which a run of the runner makes together with others:
 *
 *     tr_run_summary_maker_new(runner, &run, &err);     adds them
 *     ... tr_runner_needs, tr_runner_start, tr_runner_feed, tr_runner_finish ...
 *     tr_run_summary_maker_end(run, &steps, &headline, &err);
 *     tr_run_summary_maker_free(run);                   after the runner
 *     tr_run_summary_figures(&headline, &steps, figures);
 *
 * tr_run_summary_compare compares two runs; tr_run_summary_table.h writes the rows of a table.
 *
 * Memory: that of these analyses, by rank and by step.
 */
#ifndef TR_RUN_SUMMARY_H
#define TR_RUN_SUMMARY_H

#include "analysis/time/tr_step_times.h"
#include "base/tr_stats.h"
#include "engine/tr_runner.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_run_summary_metric {
    TR_RUN_SUMMARY_STEP_TIME,
    TR_RUN_SUMMARY_BUSY,
    TR_RUN_SUMMARY_COMPUTE,
    TR_RUN_SUMMARY_EXPOSED_COMM,
    TR_RUN_SUMMARY_IDLE,
    TR_RUN_SUMMARY_LAUNCHES,
    TR_N_RUN_SUMMARY
};
extern const char *const tr_run_summary_names[]; /* "step_time" and so on, NULL at the end */

/* Launches are a count; all others are times. */
static inline bool tr_run_summary_is_time(enum tr_run_summary_metric metric)
{
    return metric != TR_RUN_SUMMARY_LAUNCHES;
}

/* The data of a run.  Times in ns.  The entry of the step time is not used: steps are stored separately. */
struct tr_run_summary {
    uint64_t n_ranks; /* each capture of a rank counts */
    int64_t whole[TR_N_RUN_SUMMARY];      /* of all ranks together; TR_TIME_NONE: it does not fit */
    struct tr_stats steps[TR_N_RUN_SUMMARY]; /* of single steps, all ranks together */
};
void tr_run_summary_init(struct tr_run_summary *h);

/*
 * A metric, ns or a number, and its variance.  NaN: there are no steps or no ranks, or the value does not fit.  The
 * variance is also NaN with fewer than two steps.
 */
struct tr_run_summary_figure {
    double value, variance;
};

/*
 * The figures.  The variance of a mean of steps is the variance of their durations divided by their number.  A total of
 * the trace is a sum over its steps.  So its variance is that of single steps times their number, as if steps were
 * independent.
 */
void tr_run_summary_figures(const struct tr_run_summary *h, const struct tr_step_times *steps,
                            struct tr_run_summary_figure figures[TR_N_RUN_SUMMARY]);

/*
 * A metric of two runs.  diff is test - base; pct is diff in percent of the base (NaN: the base is 0).  sigma is diff
 * divided by its standard error, the square root of the sum of both variances.  It is 0 if diff and error are 0, and
 * infinite if only the error is 0.
 */
struct tr_run_summary_difference {
    double base, test, diff, pct, sigma;
};
struct tr_run_summary_difference tr_run_summary_compare(struct tr_run_summary_figure base,
                                                        struct tr_run_summary_figure test);

struct tr_run_summary_maker;

/* Add the analyses to a runner.  *run is set on TR_OK; free it after the runner.  TR_OK or TR_SYSTEM. */
enum tr_status tr_run_summary_maker_new(struct tr_runner *r, struct tr_run_summary_maker **run, struct tr_error *err);
void tr_run_summary_maker_free(struct tr_run_summary_maker *run);

/*
 * After tr_runner_finish: the results of the run.  steps: sealed.  The idle time of a step is its duration minus the
 * time in which its work runs.  So the time between the work of two steps also counts.  TR_OK or TR_SYSTEM.
 */
enum tr_status tr_run_summary_maker_end(const struct tr_run_summary_maker *run, const struct tr_step_times *steps,
                                        struct tr_run_summary *h, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
