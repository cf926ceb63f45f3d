/* SPDX-License-Identifier: MIT */
/*
 * Inside of the fit: what its files share.  Internal to libcore.
 *
 *   tr_clockfit.c        anchors, a first guess, results
 *   tr_clockfit_solve.c  weights and least squares
 *   tr_clockfit_covariance.c  standard errors
 */
#ifndef TR_CLOCKFIT_INT_H
#define TR_CLOCKFIT_INT_H

#include "analysis/tr_clockfit.h"

struct tr__fit_member {
    int64_t start, end;
    double y;      /* end, less the clock's first guess of its offset and the common zero, ns */
    double weight; /* 0 to 1 */
    uint32_t clock;
};

/*
 * The correction of a clock: aligned time = y - p - s * x, x = (y - middle) / scale.  The guess is
 * taken off before, in integers, so that y is nearly the reference's time since zero.
 */
struct tr__fit_clock {
    int64_t guess;
    double p, s, middle;
    double spread; /* deviation of its ends, ns */
    /* Standard errors: ns at the origin, ratio.  NaN: not known. */
    double offset_se, drift_se;
    double room, pushed; /* how far causality may move it, and has, ns */
    uint64_t anchors;
    bool known; /* connected with the reference */
};

struct tr_clockfit {
    struct tr__fit_clock *clocks;
    size_t n_clocks, reference;
    struct tr__fit_member *members;
    size_t n_members, cap_members;
    size_t *first; /* by anchor: its first member */
    size_t n, cap; /* anchors */
    struct tr_clockfit_opts opts;
    int64_t zero; /* ns on the reference's clock */
    double scale; /* ns */
};

static inline size_t tr__fit_end(const struct tr_clockfit *f, size_t anchor)
{
    return anchor + 1 < f->n ? f->first[anchor + 1] : f->n_members;
}

/* Aligned time of a moment on the member's clock; y is the moment as in struct tr__fit_member. */
static inline double tr__fit_aligned(const struct tr_clockfit *f, uint32_t clock, double y)
{
    const struct tr__fit_clock *c = &f->clocks[clock];
    return y - c->p - c->s * ((y - c->middle) / f->scale);
}

/* Middle one of n values, the mean of the two middle ones if n is even; sorts them.  n above 0. */
double tr__fit_median(double *v, size_t n);

/* Standard errors of a solution with its weights.  False: out of memory. */
bool tr__fit_errors(struct tr_clockfit *f);

/* From the guess to the solution. */
enum tr_status tr__fit_solve(struct tr_clockfit *f, struct tr_error *err);

#endif
