/* SPDX-License-Identifier: MIT */
/*
 * Fits the clocks of several ranks to each other, from events that ended at one time.
 *
 *     struct tr_clockfit *f;
 *     tr_clockfit_new(&f, n_clocks, reference, &err);
 *     for (each anchor)
 *         tr_clockfit_anchor(f), then tr_clockfit_member(f, clock, start, end) for each clock that saw it
 *     tr_clockfit_solve(f, &opts, &err);
 *     tr_clockfit_row(f, clock, &row, &err);
 *
 * The model.  When the reference shows t, clock r shows
 *
 *     t + offset_r + drift_r * (t - origin)
 *
 * An anchor i, such as a collective, ends on all clocks at one moment T_i, plus a jitter with mean 0.  Offsets, drifts
 * and all T_i are the weighted least squares solution over all anchors and all clocks together.  So a clock without a
 * common anchor with the reference is connected through other clocks.  Weights make the solution robust.  An end that
 * is far from the median of its anchor, measured by the median deviation of its clock, counts less (Huber).  In the
 * last rounds, an end that is more than 4.7 deviations off does not count (Tukey's biweight, which keeps 95 % of the
 * efficiency if the jitter is normal).
 *
 * Causality.  No member of an anchor can end before the last one started.  So clocks are moved away from the solution
 * as little as possible, by at most their standard errors, or 3 ns; anchors of weight 0 are ignored.
 *
 * Standard errors are those of weighted least squares: the mean square of the residuals times the inverse of the normal
 * matrix.  With few anchors they are made larger, so that 95 % of the errors are less than two of them.  They do not
 * include the distance by which causality moves a clock.  They are errors of differences to the reference.  So the
 * noise of the reference is in all of them: it is about half of each variance, and makes the errors of one fit similar.
 *
 * Times are differences of integers before they become doubles.  Memory: some 90 bytes per member, and 8 for each pair
 * of unknowns that standard errors need together: of clocks, or of anchors where these are fewer
 * (tr_clockfit_covariance.c).  Results depend on the order in which anchors are added only in the last digits.
 */
#ifndef TR_CLOCKFIT_H
#define TR_CLOCKFIT_H

#include "base/tr_status.h"
#include "stream/tr_clock.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_clockfit;

struct tr_clockfit_opts {
    int64_t origin; /* ns on the reference's clock: the moment of the offsets */
    bool drift;     /* also fit drifts; otherwise they are 0 */
};

struct tr_clockfit_row {
    uint64_t anchors; /* number of anchors in common with another clock */
    uint64_t ignored; /* number of these with weight 0, because they are too far off */
    int64_t offset;   /* ns: the time that the clock shows when the reference shows origin, minus origin */
    int64_t drift;    /* how much faster it runs than the reference, in 10^-12 */
    double offset_se; /* standard error, ns; NaN: unknown */
    double drift_se;  /* standard error, a ratio; 0 if drifts are not fitted */
    /* Distance of its ends from the mean of their anchors, after all clocks are aligned, in ns.  NaN: none. */
    double residual_p50, residual_p99, residual_max;
};

/* A fit of n clocks; reference is the number of one of them.  TR_OK, TR_SYSTEM. */
enum tr_status tr_clockfit_new(struct tr_clockfit **out, size_t n, size_t reference,
                               struct tr_error *err);
void tr_clockfit_free(struct tr_clockfit *f);

/* Start an anchor.  False: out of memory. */
bool tr_clockfit_anchor(struct tr_clockfit *f);

/*
 * Add the member of a clock to this anchor, once per clock.
 * start  ns, or TR_TIME_NONE: unknown
 * end    ns
 */
bool tr_clockfit_member(struct tr_clockfit *f, size_t clock, int64_t start, int64_t end);

/* The number of anchors that a clock has in common with others. */
uint64_t tr_clockfit_anchors(const struct tr_clockfit *f, size_t clock);

/*
 * The first clock, by number, that has fewer than min anchors in common with others, or that no anchors connect with
 * the reference; the number of clocks if there is none.  *anchors: its number of anchors.
 */
size_t tr_clockfit_weak(const struct tr_clockfit *f, uint64_t min, uint64_t *anchors);

/* Fit.  All clocks must be connected.  TR_OK; TR_USAGE: one is not; TR_SYSTEM. */
enum tr_status tr_clockfit_solve(struct tr_clockfit *f, const struct tr_clockfit_opts *opts,
                                 struct tr_error *err);

/*
 * The number of common anchors of a clock that agree with the result: their distance from the mean of the other members
 * (of those that count, if any) is at most the mean distance between its anchors.
 */
uint64_t tr_clockfit_agreed(const struct tr_clockfit *f, size_t clock);

/*
 * The result for a clock.  TR_OK; TR_NO: its drift would be more than TR_DRIFT_MAX; TR_DAMAGED: its offset leaves the
 * range of 64 bits; TR_SYSTEM.
 */
enum tr_status tr_clockfit_row(const struct tr_clockfit *f, size_t clock,
                               struct tr_clockfit_row *row, struct tr_error *err);

/* The number of anchors with a member that ends, by the result, before another member starts. */
uint64_t tr_clockfit_violations(const struct tr_clockfit *f);

/* The row of a clock that converts its times to those of the reference, from offset, drift and origin. */
struct tr_clock tr_clockfit_clock(int64_t offset, int64_t drift, int64_t origin, int64_t frame);

#ifdef __cplusplus
}
#endif
#endif
