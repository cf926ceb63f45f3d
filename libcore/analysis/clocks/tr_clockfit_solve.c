/* SPDX-License-Identifier: MIT */
/* The fit of clocks: weighted least squares, robust against outliers. */
#include "analysis/clocks/tr_clockfit_int.h"

#include "base/tr_sort.h"
#include "stream/tr_event.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HUBER_ROUNDS 6
#define MAX_ROUNDS   60
#define HUBER        1.5   /* number of deviations above which weights fall */
#define TUKEY        4.685 /* number of deviations from which weights are 0 */
#define ROUNDING     3     /* ns: a clock may be moved by this, however small its error */
#define SETTLED      0.01  /* ns: a solution that moves by less is final */

double tr__fit_median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, tr_by_f64);
    return n & 1 ? v[n / 2] : v[n / 2 - 1] + (v[n / 2] - v[n / 2 - 1]) / 2;
}

/* Working memory; vectors have two entries per clock: p and s. */
struct work {
    double *x;     /* by member: place on its clock's line, about -1 to 1 */
    double *ends;  /* of one anchor, or deviations of one clock */
    double *away;  /* by member: distance from its anchor's middle */
    double *zeros; /* by clock: how many of its distances are 0 because the end is the middle itself */
    double *v, *r, *z, *d, *ad;
    struct tr__fit_normal *normal; /* with all weights 1, which is near the matrix with other weights */
};

static bool work_init(struct work *w, const struct tr_clockfit *f)
{
    size_t m = f->n_members + 1, c = 2 * f->n_clocks + 2;
    *w = (struct work){ .x = calloc(m, sizeof(double)) };
    w->ends = calloc(m, sizeof *w->ends);
    w->away = calloc(m, sizeof *w->away);
    w->zeros = calloc(c, sizeof *w->zeros);
    w->v = calloc(c, sizeof *w->v);
    w->r = calloc(c, sizeof *w->r);
    w->z = calloc(c, sizeof *w->z);
    w->d = calloc(c, sizeof *w->d);
    w->ad = calloc(c, sizeof *w->ad);
    return w->x && w->ends && w->away && w->zeros && w->v && w->r && w->z && w->d && w->ad;
}

static void work_free(struct work *w)
{
    free(w->x);
    free(w->ends);
    free(w->away);
    free(w->zeros);
    free(w->v);
    free(w->r);
    free(w->z);
    free(w->d);
    free(w->ad);
    tr__fit_normal_free(w->normal);
}

/* Times as doubles near zero, and each clock's line with its middle among its own anchors. */
static void lay_out(struct tr_clockfit *f, struct work *w)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < f->n_members; k++) {
        struct tr__fit_member *m = &f->members[k];
        m->y = (double)(m->end - f->clocks[m->clock].guess - f->zero);
        m->weight = 1;
        low = m->y < low ? m->y : low;
        high = m->y > high ? m->y : high;
    }
    f->scale = high > low ? (high - low) / 2 : 1;
    for (size_t c = 0; c < f->n_clocks; c++) {
        struct tr__fit_clock *clock = &f->clocks[c];
        double sum = 0, middle = clock->middle, slope = clock->s;
        size_t n = f->from[c + 1] - f->from[c];
        for (size_t k = f->from[c]; k < f->from[c + 1]; k++)
            sum += f->members[f->by_clock[k]].y;
        clock->middle = n ? sum / (double)n : 0;
        clock->p = slope * (clock->middle - middle); /* the same line about another middle */
        clock->s = slope * f->scale;
        for (size_t k = f->from[c]; k < f->from[c + 1]; k++) {
            size_t at = f->by_clock[k];
            w->x[at] = (f->members[at].y - clock->middle) / f->scale;
        }
    }
}

/* ---- weights ---- */

/* Factor for a clock's line, which was fitted to its own ends, and for the median of few values. */
static double few(size_t n, double unknowns)
{
    double ends = (double)n;
    return sqrt(ends / fmax(ends - unknowns, 1)) * ends / fmax(ends - 0.8, 1);
}

/*
 * Deviation of a clock's ends: 1.4826 times the median distance, which is right if they are normal.  If the number of
 * ends is odd, one of them is the middle itself and says nothing.  The number of such zeros of a clock depends on
 * chance, so the median of the others is further up among all.  Times are whole nanoseconds, so a deviation below one
 * says nothing.
 */
static double spread_of(const struct tr_clockfit *f, const struct work *w, size_t clock, double unknowns)
{
    size_t n = f->from[clock + 1] - f->from[clock];
    for (size_t k = 0; k < n; k++)
        w->ends[k] = fabs(w->away[f->by_clock[f->from[clock] + k]]);
    if (!n)
        return 1;
    qsort(w->ends, n, sizeof *w->ends, tr_by_f64);
    size_t at = (size_t)((double)n / 2 + w->zeros[clock] / 2);
    double spread = 1.4826 * few(n, unknowns) * w->ends[at < n ? at : n - 1];
    return spread > 1 ? spread : 1;
}

/* Distance of each aligned end from the median of its anchor; and the deviation of its clock, on request. */
static void measure(struct tr_clockfit *f, struct work *w, bool spreads)
{
    memset(w->zeros, 0, f->n_clocks * sizeof *w->zeros);
    for (size_t i = 0; i < f->n; i++) {
        size_t from = f->first[i], n = tr__fit_end(f, i) - from;
        for (size_t k = 0; k < n; k++)
            w->ends[k] = tr__fit_aligned(f, f->members[from + k].clock, f->members[from + k].y);
        double middle = n ? tr__fit_median(w->ends, n) : 0;
        /* Of n values, the middle takes one degree of freedom. */
        double more = n > 1 ? sqrt((double)n / (double)(n - 1)) : 0;
        for (size_t k = from; k < from + n; k++) {
            w->away[k] = more * (tr__fit_aligned(f, f->members[k].clock, f->members[k].y) - middle);
            w->zeros[f->members[k].clock] += n & 1 ? 1 / (double)n : 0;
        }
    }
    for (size_t c = 0; c < f->n_clocks && spreads; c++)
        f->clocks[c].spread = spread_of(f, w, c, f->opts.drift ? 2 : 1);
}

/*
 * Deviations stay at their values with Huber's weights.  If a fit ignores ends, its deviations get smaller the more
 * ends it ignores.  Of few ends, it would keep only those that happen to be on a line.
 */
static void weigh(struct tr_clockfit *f, struct work *w, bool tukey, bool spreads)
{
    measure(f, w, spreads);
    for (size_t k = 0; k < f->n_members; k++) {
        double u = fabs(w->away[k]) / f->clocks[f->members[k].clock].spread, left;
        if (tukey) {
            left = u < TUKEY ? 1 - u / TUKEY * (u / TUKEY) : 0;
            f->members[k].weight = left * left;
        } else {
            f->members[k].weight = u > HUBER ? HUBER / u : 1;
        }
    }
}

/* ---- least squares ---- */

/*
 * The times of the anchors are eliminated: each member becomes its distance from the weighted mean of its anchor.  out
 * = A v for the unknowns v (p and s of each clock), where A = sum of weight * (such distances of the columns)^2; if v
 * is NULL, out is the right side, computed from y.
 */
static void multiply(const struct tr_clockfit *f, const struct work *w, const double *v,
                     double *out)
{
    memset(out, 0, 2 * f->n_clocks * sizeof *out);
    for (size_t i = 0; i < f->n; i++) {
        double sum = 0, weights = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++) {
                const struct tr__fit_member *m = &f->members[k];
                size_t c = 2 * (size_t)m->clock;
                double g = v ? v[c] + v[c + 1] * w->x[k] : m->y;
                if (pass == 0) {
                    sum += m->weight * g;
                    weights += m->weight;
                } else if (weights > 0) {
                    double h = m->weight * (g - sum / weights);
                    out[c] += h;
                    out[c + 1] += h * w->x[k];
                }
            }
    }
    /* Unknowns that are fixed: those of the reference, and drifts if none are requested. */
    for (size_t c = 0; c < f->n_clocks; c++) {
        if (c == f->reference)
            out[2 * c] = 0;
        if (c == f->reference || !f->opts.drift)
            out[2 * c + 1] = 0;
    }
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Conjugate gradients, from the present solution.  Returns the largest move, ns. */
static double least_squares(struct tr_clockfit *f, struct work *w)
{
    size_t n = 2 * f->n_clocks;
    double largest = 0;
    for (size_t c = 0; c < f->n_clocks; c++) {
        w->v[2 * c] = f->clocks[c].p;
        w->v[2 * c + 1] = f->clocks[c].s;
    }
    multiply(f, w, NULL, w->r);
    multiply(f, w, w->v, w->ad);
    for (size_t i = 0; i < n; i++)
        w->r[i] -= w->ad[i];
    tr__fit_normal_divide(w->normal, w->r, w->z);
    memcpy(w->d, w->z, n * sizeof *w->d);
    double rz = dot(w->r, w->z, n), stop = 1e-9; /* squared ns, over all clocks */
    for (size_t round = 0; round < 20 * n + 100 && rz > stop; round++) {
        multiply(f, w, w->d, w->ad);
        double curve = dot(w->d, w->ad, n);
        if (!(curve > 0))
            break;
        for (size_t i = 0; i < n; i++) {
            w->v[i] += rz / curve * w->d[i];
            w->r[i] -= rz / curve * w->ad[i];
        }
        tr__fit_normal_divide(w->normal, w->r, w->z);
        double next = dot(w->r, w->z, n);
        for (size_t i = 0; i < n; i++)
            w->d[i] = w->z[i] + next / rz * w->d[i];
        rz = next;
    }
    for (size_t c = 0; c < f->n_clocks; c++) {
        struct tr__fit_clock *clock = &f->clocks[c];
        double moved = fabs(clock->p - w->v[2 * c]) + fabs(clock->s - w->v[2 * c + 1]);
        largest = moved > largest ? moved : largest;
        clock->p = w->v[2 * c];
        clock->s = w->v[2 * c + 1];
    }
    return largest;
}

/* ---- causality ---- */

/* Shift a clock, at most by its room in all.  Returns the shift. */
static double push(struct tr__fit_clock *c, double by)
{
    double to = fmax(-c->room, fmin(c->room, c->pushed + by)), moved = to - c->pushed;
    c->p += moved;
    c->pushed = to;
    return moved;
}

/*
 * Shift two clocks so that ends on one move by ns later relative to starts on the other.  Each moves half of it; if one
 * has no room, the other moves the rest.
 */
static bool push_apart(struct tr_clockfit *f, uint32_t ends, uint32_t starts, double by)
{
    struct tr__fit_clock *e = &f->clocks[ends], *s = &f->clocks[starts];
    double left = by + push(e, ends == f->reference ? 0 : starts == f->reference ? -by : -by / 2);
    left -= push(s, starts == f->reference ? 0 : left);
    left += push(e, ends == f->reference ? 0 : -left);
    return left < by;
}

/* Anchors one by one: push apart the clocks of members that end before the last one starts. */
static bool obey_once(struct tr_clockfit *f)
{
    bool moved = false;
    for (size_t i = 0; i < f->n; i++) {
        double latest = -INFINITY;
        uint32_t last = 0;
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++) {
            const struct tr__fit_member *m = &f->members[k];
            if (m->weight == 0 || m->start == TR_TIME_NONE)
                continue;
            double at = tr__fit_aligned(f, m->clock,
                                        (double)(m->start - f->clocks[m->clock].guess - f->zero));
            if (at > latest) {
                latest = at;
                last = m->clock;
            }
        }
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++) {
            const struct tr__fit_member *m = &f->members[k];
            double early = latest - tr__fit_aligned(f, m->clock, m->y);
            if (m->weight == 0 || m->clock == last || early <= -2) /* 2 ns: for rounding */
                continue;
            moved |= push_apart(f, m->clock, last, early + 3);
        }
    }
    return moved;
}

enum tr_status tr__fit_solve(struct tr_clockfit *f, struct tr_error *err)
{
    struct work w;
    if (!work_init(&w, f)) {
        work_free(&w);
        return tr_fail_memory(err);
    }
    lay_out(f, &w);
    w.normal = tr__fit_normal_new(f);
    if (!w.normal) {
        work_free(&w);
        return tr_fail_memory(err);
    }
    for (int round = 0; round < MAX_ROUNDS; round++) {
        weigh(f, &w, round >= HUBER_ROUNDS, round <= HUBER_ROUNDS);
        double moved = least_squares(f, &w);
        if (round > HUBER_ROUNDS && moved < SETTLED)
            break;
    }
    work_free(&w);
    if (!tr__fit_errors(f))
        return tr_fail_memory(err);
    for (size_t c = 0; c < f->n_clocks; c++) {
        f->clocks[c].room = c == f->reference ? 0 : fmax(f->clocks[c].offset_se, ROUNDING);
        f->clocks[c].pushed = 0;
    }
    for (int round = 0; round < 100 && obey_once(f); round++)
        continue;
    return TR_OK;
}
