/* SPDX-License-Identifier: MIT */
/*
 * The fit of clocks: how exact are offsets and drifts?
 *
 * Covariances of weighted least squares: the inverse of the normal matrix, times the weighted mean square of
 * the residuals.  The weights of the biweight are themselves estimated from the residuals, and make these look smaller.
 * The result of its theory is larger by a factor, if the jitter is normal (P. J. Huber, Robust Statistics, 1981):
 * E(psi^2) / E(psi')^2 over E(w r^2) / E(w)^2.
 */
#include "analysis/clocks/tr_clockfit_int.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING (1.0 / 12) /* ns^2: variance that rounding to whole ns adds */

#define MIN_FREEDOM 0.9 /* one degree of freedom; weights may make it a little less */

#define BIWEIGHT 1.1633 /* this factor, for the biweight's constant 4.685 */

/* Unknowns are p and s of each clock: 2 * clock, and the next one; n of them are to be found, numbered by at. */
struct matrix {
    size_t *at; /* SIZE_MAX: given */
    size_t n;
    double *v;        /* n * n, the lower half; later its Cholesky factor */
    double *sum, *of; /* of one anchor, by number; one column of the inverse */
    double residuals, freedom;
};

static double *entry(const struct matrix *m, size_t row, size_t column)
{
    return &m->v[row * m->n + column];
}

static bool matrix_init(struct matrix *m, const struct tr_clockfit *f)
{
    *m = (struct matrix){ .at = malloc((2 * f->n_clocks + 1) * sizeof *m->at) };
    for (size_t u = 0; m->at && u < 2 * f->n_clocks; u++)
        m->at[u] = u / 2 == f->reference || (u % 2 && !f->opts.drift) ? SIZE_MAX : m->n++;
    m->v = calloc(m->n * m->n + 1, sizeof *m->v);
    m->sum = calloc(m->n + 1, sizeof *m->sum);
    m->of = calloc(m->n + 1, sizeof *m->of);
    return m->at && m->v && m->sum && m->of;
}

static void matrix_free(struct matrix *m)
{
    free(m->at);
    free(m->v);
    free(m->sum);
    free(m->of);
}

/* Number and factor of an unknown of a member, p or s. */
static size_t unknown(const struct tr_clockfit *f, const struct matrix *m, const struct tr__fit_member *k, int which,
                      double *factor)
{
    const struct tr__fit_clock *c = &f->clocks[k->clock];
    *factor = which ? (k->y - c->middle) / f->scale : 1;
    return m->at[2 * (size_t)k->clock + (size_t)which];
}

/* What one anchor adds: its own time is eliminated, by subtracting the products of its sums. */
static void add_products(struct matrix *m, const struct tr_clockfit *f, size_t from, size_t to, double weights)
{
    for (size_t a = 2 * from; a < 2 * to; a++) {
        double x, y;
        size_t row = unknown(f, m, &f->members[a / 2], a % 2, &x);
        if (row == SIZE_MAX)
            continue;
        x *= f->members[a / 2].weight;
        for (size_t b = 2 * from; b < 2 * to; b++) {
            size_t column = unknown(f, m, &f->members[b / 2], b % 2, &y);
            if (column == SIZE_MAX || column > row)
                continue;
            if (a / 2 == b / 2)
                *entry(m, row, column) += x * y;
            *entry(m, row, column) -= x * y * f->members[b / 2].weight / weights;
        }
    }
}

static void add_anchor(struct matrix *m, const struct tr_clockfit *f, size_t anchor)
{
    double weights = 0, sum = 0;
    size_t n = 0, from = f->first[anchor], to = tr__fit_end(f, anchor);
    for (size_t k = from; k < to; k++) {
        weights += f->members[k].weight;
        sum += f->members[k].weight * tr__fit_aligned(f, f->members[k].clock, f->members[k].y);
        n += f->members[k].weight > 0;
    }
    if (n < 2)
        return;
    for (size_t k = from; k < to; k++) {
        double off = tr__fit_aligned(f, f->members[k].clock, f->members[k].y) - sum / weights;
        m->residuals += f->members[k].weight * off * off;
    }
    m->freedom += weights * (double)(n - 1) / (double)n;
    add_products(m, f, from, to, weights);
}

/* Cholesky, in place.  An unknown that no anchor determines gets a 0 on the diagonal. */
static void factorize(struct matrix *m)
{
    for (size_t j = 0; j < m->n; j++) {
        double own = *entry(m, j, j), left = own;
        for (size_t k = 0; k < j; k++)
            left -= *entry(m, j, k) * *entry(m, j, k);
        double root = left > own * 1e-12 ? sqrt(left) : 0;
        *entry(m, j, j) = root;
        for (size_t i = j + 1; i < m->n; i++) {
            double v = *entry(m, i, j);
            for (size_t k = 0; k < j; k++)
                v -= *entry(m, i, k) * *entry(m, j, k);
            *entry(m, i, j) = root > 0 ? v / root : 0;
        }
    }
}

/* of: column `unknown` of L^-1.  Products of two such columns are entries of the inverse. */
static void column_of(const struct matrix *m, size_t unknown, double *of)
{
    for (size_t i = 0; i < m->n; i++) {
        double v = i == unknown;
        for (size_t k = unknown; k < i; k++)
            v -= *entry(m, i, k) * of[k];
        of[i] = i < unknown ? 0 : *entry(m, i, i) > 0 ? v / *entry(m, i, i) : i == unknown ? NAN : 0;
    }
}

static double product(const struct matrix *m, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < m->n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void set_errors(struct matrix *m, const struct tr_clockfit *f, struct tr__fit_clock *c, double variance)
{
    size_t clock = (size_t)(c - f->clocks), p = m->at[2 * clock], s = m->at[2 * clock + 1];
    double back = -c->middle / f->scale, pp, ps = 0, ss = 0; /* offsets hold at zero */
    if (p == SIZE_MAX)
        return;
    column_of(m, p, m->sum);
    pp = product(m, m->sum, m->sum);
    if (s != SIZE_MAX) {
        column_of(m, s, m->of);
        ps = product(m, m->sum, m->of);
        ss = product(m, m->of, m->of);
    }
    c->offset_se = sqrt(variance * (pp + 2 * back * ps + back * back * ss) + ROUNDING);
    c->drift_se = sqrt(variance * ss) / f->scale;
}

/*
 * The factor by which a standard error is widened for few degrees of freedom, so that twice the error holds as many
 * errors as for a normal distribution: Student's t divided by z, at z = 2 (R. A. Fisher and E. A. Cornish, 1960).
 */
static double student(double freedom)
{
    double d = 1 / freedom;
    return 1 + d * (1.25 + d * (1.53125 + d * (1.4297 + d * 0.922)));
}

bool tr__fit_errors(struct tr_clockfit *f)
{
    struct matrix m;
    double weight = 0;
    bool ok = matrix_init(&m, f);
    for (size_t c = 0; c < f->n_clocks; c++)
        f->clocks[c].offset_se = f->clocks[c].drift_se = 0;
    for (size_t k = 0; k < f->n_members; k++)
        weight += f->members[k].weight / (double)f->n_members;
    for (size_t i = 0; ok && i < f->n; i++)
        add_anchor(&m, f, i);
    if (ok) {
        double freedom = m.freedom - (double)m.n * weight, wider = student(freedom) * student(freedom);
        factorize(&m);
        for (size_t c = 0; c < f->n_clocks; c++)
            set_errors(&m, f, &f->clocks[c],
                       freedom >= MIN_FREEDOM ? fmax(BIWEIGHT * wider * m.residuals / freedom, ROUNDING) : (double)NAN);
    }
    matrix_free(&m);
    return ok;
}
