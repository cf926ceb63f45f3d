/* SPDX-License-Identifier: MIT */
/*
 * The internal state of the fit.  Internal to libcore.
 *
 *   tr_clockfit.c        anchors, a first guess, results
 *   tr_clockfit_solve.c  weights and least squares
 *   tr_clockfit_covariance.c  the normal matrix, and standard errors
 */
#ifndef TR_CLOCKFIT_INT_H
#define TR_CLOCKFIT_INT_H

#include "analysis/clocks/tr_clockfit.h"

struct tr__fit_member {
    int64_t start, end;
    double y;      /* end minus the first guess of the clock's offset, minus the common zero, in ns */
    double weight; /* 0 to 1 */
    uint32_t clock;
};

/*
 * The correction of a clock: aligned time = y - p - s * x, x = (y - middle) / scale.  The guess is already subtracted,
 * in integers.  So y is close to the time of the reference since zero.
 */
struct tr__fit_clock {
    int64_t guess;
    double p, s, middle;
    double spread; /* deviation of its ends, ns */
    /* Standard errors: ns at the origin, ratio.  NaN: not known. */
    double offset_se, drift_se;
    double room, pushed; /* how far causality may move it, and has moved it, in ns */
    uint64_t anchors;
    bool known; /* connected with the reference */
};

/* Of the aligned ends of an anchor. */
struct tr__fit_sum {
    double weighted, weights, plain; /* weight * end, weights, ends */
};

struct tr_clockfit {
    struct tr__fit_clock *clocks;
    size_t n_clocks, reference;
    struct tr__fit_member *members;
    size_t n_members, cap_members;
    size_t *first; /* by anchor: its first member */
    size_t n, cap; /* anchors */
    /* After the last anchor.  Members by clock: those of clock c from from[c] on; the anchor of each member. */
    size_t *by_clock, *from, *anchor_of;
    struct tr__fit_sum *sums; /* by anchor, of the solution */
    struct tr_clockfit_opts opts;
    int64_t zero; /* ns on the reference's clock */
    double scale; /* ns */
};

static inline size_t tr__fit_end(const struct tr_clockfit *f, size_t anchor)
{
    return anchor + 1 < f->n ? f->first[anchor + 1] : f->n_members;
}

/* The aligned time of a moment on a clock; y: the moment, as in struct tr__fit_member. */
static inline double tr__fit_aligned(const struct tr_clockfit *f, uint32_t clock, double y)
{
    const struct tr__fit_clock *c = &f->clocks[clock];
    return y - c->p - c->s * ((y - c->middle) / f->scale);
}

/* The median of n values, n > 0; the mean of the two middle ones if n is even.  Sorts the values. */
double tr__fit_median(double *v, size_t n);

/*
 * The normal matrix with the present weights, as factors: z = matrix^-1 r, for vectors of p and s of each clock.
 * Unknowns that are fixed, or that no anchor determines, become 0.  NULL: out of memory.
 */
struct tr__fit_normal;
struct tr__fit_normal *tr__fit_normal_new(const struct tr_clockfit *f);
void tr__fit_normal_divide(struct tr__fit_normal *m, const double *r, double *z);
void tr__fit_normal_free(struct tr__fit_normal *m);

/* Standard errors of a solution with its weights.  False: out of memory. */
bool tr__fit_errors(struct tr_clockfit *f);

/* Compute the solution from the guess. */
enum tr_status tr__fit_solve(struct tr_clockfit *f, struct tr_error *err);

#endif
