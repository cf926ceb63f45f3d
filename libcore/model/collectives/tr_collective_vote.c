/* SPDX-License-Identifier: MIT */
/*
 * Aligns two sequences of ends, on the clock on which most of them agree.
 *
 * The differences between all ends of the first sequence and some ends in the middle of the second one are most
 * frequent near the true offset.  The most frequent differences are candidates.  For each candidate, a line is fitted
 * to more and more ends, from the middle outwards, with medians of slopes and residuals (H. Theil, 1950; P. K. Sen,
 * 1968).  Its quality is the median residual, where an end without a partner counts as far off (P. J. Rousseeuw, Least
 * Median of Squares Regression, 1984).  So almost half of the ends may be wrong.
 */
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "base/tr_time.h"
#include "model/collectives/tr_collective_int.h"

#include <math.h>
#include <stdlib.h>

#define WINDOW     64     /* ends whose differences are used */
#define DIFFS      400000 /* largest number of differences, but the window has at least 16 ends */
#define N_WIDTHS   3
#define N_PEAKS    8
#define MIN_DEV  300.0   /* ns: ends are not known better than that */
#define SLOPE_MAX  1e-3  /* as TR_DRIFT_MAX */
#define TOLERANCE  6.0   /* deviations */
#define FEW        8      /* fewer ends are too few for a vote if intervals are regular */
#define SHIFTED    4      /* a shift of one in this number of pairs in order may remain unnoticed */
#define LESS       1.25
#define LIKELIER   15
#define CHANCE     1e-3  /* largest expected number of clocks, among all, on which as many ends agree by chance */

/* The usable ends of one sequence. */
struct ends {
    double *t;  /* ns since base, ascending */
    size_t *of; /* place in the sequence */
    size_t n;
    int64_t base;
};

/* The time on the clock of a for an end of b at t: t + offset + slope * (t - centre). */
struct line {
    double offset, slope, centre;
    double dev; /* deviation of ends, ns */
};

struct voter {
    const struct tr__coll_mark *a, *b;
    struct ends ea, eb;
    double gap;          /* the median time between two ends */
    double *diffs;       /* candidates */
    double *x, *y, *buf; /* pairs of a match, work */
    size_t *at, *best;   /* by end of b: end of a, SIZE_MAX */
};

struct verdict {
    struct line line;
    double cost; /* lower is better; INFINITY: less than half of the ends agree */
    bool informative;  /* more ends agree than by chance */
    size_t agreed, in_place; /* ends with a partner; those of them with as many ends before them on both sides */
};

static double median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, tr_by_f64);
    return n & 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static bool informative(const struct tr__coll_mark *m)
{
    return m->sync && m->end != TR_TIME_NONE;
}

/* Ends out of order are left out: those after which the next one is earlier. */
static bool ends_init(struct ends *e, const struct tr__coll_mark *m, size_t n)
{
    *e = (struct ends){ malloc((n + 1) * sizeof(double)), malloc((n + 1) * sizeof(size_t)), 0, 0 };
    if (!e->t || !e->of)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!informative(&m[i]))
            continue;
        if (!e->n)
            e->base = m[i].end;
        int64_t t = tr_time_diff(m[i].end, e->base);
        if (t == TR_TIME_NONE)
            continue;
        while (e->n && e->t[e->n - 1] > (double)t)
            e->n--;
        e->t[e->n] = (double)t;
        e->of[e->n++] = i;
    }
    return true;
}

bool tr__coll_alike(const struct tr__coll_mark *x, const struct tr__coll_mark *y)
{
    return x->sig == y->sig || (x->kind == y->kind && (x->vague || y->vague));
}

static bool pair_fits(const struct voter *v, size_t i, size_t j)
{
    return tr__coll_alike(&v->a[v->ea.of[i]], &v->b[v->eb.of[j]]);
}

static double on_a(const struct line *l, double t)
{
    return t + l->offset + l->slope * (t - l->centre);
}

/* Pair each end of b from lo to hi with the nearest end of a within a tolerance, one to one and in order.  Returns the
 * number of pairs. */
static size_t pair_up(struct voter *v, const struct line *l, double tolerance, size_t lo, size_t hi)
{
    size_t i = 0, n = 0;
    double first = on_a(l, v->eb.t[lo]) - tolerance;
    TR_BOUND(i, v->ea.n, mid, v->ea.t[mid] < first); /* the first of a that is not before */
    for (size_t j = lo; j < hi; j++) {
        double t = on_a(l, v->eb.t[j]), nearest = tolerance;
        size_t found = SIZE_MAX;
        v->at[j] = SIZE_MAX;
        while (i < v->ea.n && v->ea.t[i] < t - tolerance)
            i++;
        for (size_t k = i; k < v->ea.n && v->ea.t[k] <= t + tolerance; k++)
            if (fabs(v->ea.t[k] - t) <= nearest && pair_fits(v, k, j)) {
                nearest = fabs(v->ea.t[k] - t);
                found = k;
            }
        if (found == SIZE_MAX)
            continue;
        v->at[j] = found;
        v->x[n] = v->eb.t[j];
        v->y[n++] = v->ea.t[found] - v->eb.t[j];
        i = found + 1;
    }
    return n;
}

/* Fit a line to n pairs, with the deviation of the pairs from it. */
static void fit_line(struct voter *v, struct line *l, size_t n)
{
    size_t half = n / 2, m = 0;
    l->slope = 0;
    for (size_t i = 0; n >= 8 && i + half < n; i++)
        if (v->x[i + half] > v->x[i])
            v->buf[m++] = (v->y[i + half] - v->y[i]) / (v->x[i + half] - v->x[i]);
    if (m)
        l->slope = median(v->buf, m);
    l->slope = fmax(-SLOPE_MAX, fmin(SLOPE_MAX, l->slope));
    l->centre = v->x[half];
    for (size_t i = 0; i < n; i++)
        v->buf[i] = v->y[i] - l->slope * (v->x[i] - l->centre);
    l->offset = median(v->buf, n);
    for (size_t i = 0; i < n; i++)
        v->buf[i] = fabs(v->y[i] - l->slope * (v->x[i] - l->centre) - l->offset);
    l->dev = fmax(1.4826 * median(v->buf, n), MIN_DEV);
}

/* The number of ends of one sequence in the time of the other one. */
static size_t covered(const struct ends *e, double from, double to)
{
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++)
        n += e->t[i] >= from && e->t[i] <= to;
    return n;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * An unrelated end has a partner with probability p.  Are m of n ends with a partner more than chance explains, for the
 * best of this number of clocks?  By the bound of H. Chernoff (1952); the offset uses up one end.
 */
static bool beyond_chance(double n, double m, double p, double clocks)
{
    double share = m / n, more = 0;
    if (share <= p)
        return false;
    more += share * log(share / p);
    more += share < 1 ? (1 - share) * log((1 - share) / (1 - p)) : 0;
    return (n - 1) * more - log(clocks) > -log(CHANCE);
}

/* Judge how well all ends agree with a line: by the median residual of ends in the common time. */
static struct verdict judge(struct voter *v, const struct line *line)
{
    struct verdict r = { .line = *line, .cost = INFINITY };
    double room = TOLERANCE * line->dev;
    const struct ends *a = &v->ea, *b = &v->eb;
    size_t few = smaller(covered(b, (a->t[0] - line->offset) - v->gap, a->t[a->n - 1] - line->offset + v->gap),
                         covered(a, on_a(line, b->t[0]) - v->gap, on_a(line, b->t[b->n - 1]) + v->gap));
    size_t n = r.agreed = pair_up(v, line, fmin(room, v->gap / 3), 0, b->n);
    size_t need = (few + 1) / 2 > 3 ? (few + 1) / 2 : smaller(few, 3);
    if (!n || n < need || 2 * few < smaller(a->n, b->n))
        return r;
    r.informative = beyond_chance((double)few, (double)smaller(n, few), 2 * fmin(room, v->gap / 3) / v->gap,
                                  (double)a->n * (double)b->n);
    for (size_t i = 0; i < n; i++)
        v->buf[i] = fabs(v->y[i] - line->slope * (v->x[i] - line->centre) - line->offset);
    qsort(v->buf, n, sizeof *v->buf, tr_by_f64);
    double share = (double)n / (double)smaller(a->n, b->n);
    for (size_t j = 0; j < b->n; j++)
        r.in_place += v->at[j] == j;
    r.cost = (v->buf[need - 1] + MIN_DEV / 3) / (share * share * share * share);
    return r;
}

/* Fit a line to some ends around the middle, then to twice as many each time, until all ends are used. */
static struct verdict follow(struct voter *v, double offset, double width, size_t middle)
{
    struct line l = { offset, 0, v->eb.t[middle], width };
    double room = width;
    for (size_t reach = 6;; reach *= 2) {
        size_t lo = middle > reach ? middle - reach : 0, hi = smaller(middle + reach + 1, v->eb.n);
        double far = fmax(v->eb.t[hi - 1] - l.centre, l.centre - v->eb.t[lo]);
        if (reach == 6)
            room += SLOPE_MAX / 4 * far;
        size_t n = pair_up(v, &l, fmin(room, v->gap / 3), lo, hi);
        if (2 * n + 2 < hi - lo && reach > 6)
            return (struct verdict){ .line = l, .cost = INFINITY };
        if (!n)
            return (struct verdict){ .line = l, .cost = INFINITY };
        fit_line(v, &l, n);
        if (lo == 0 && hi == v->eb.n)
            break;
        double span = v->x[n - 1] - v->x[0];
        double uncertain = n >= 8 && span > 0 ? l.dev * sqrt(12 / (double)n) / span : SLOPE_MAX / 4;
        room = TOLERANCE * l.dev + 4 * fmin(uncertain, SLOPE_MAX) * 2 * span;
    }
    for (int round = 0; round < 3; round++) {
        size_t n = pair_up(v, &l, fmin(TOLERANCE * l.dev, v->gap / 3), 0, v->eb.n);
        if (!n)
            return (struct verdict){ .line = l, .cost = INFINITY };
        fit_line(v, &l, n);
    }
    return judge(v, &l);
}

/* ---- candidates ---- */

static double middle_gap(struct voter *v)
{
    double min = INFINITY;
    for (int side = 0; side < 2; side++) {
        const struct ends *e = side ? &v->eb : &v->ea;
        for (size_t i = 0; i + 1 < e->n; i++)
            v->buf[i] = e->t[i + 1] - e->t[i];
        if (e->n > 1)
            min = fmin(min, median(v->buf, e->n - 1));
    }
    return min < INFINITY ? fmax(min, 1) : 1e6;
}

/*
 * Does the first line fit clearly better than the second?  Its cost is at most half; or its cost is less, and its
 * residuals, if they are normal, are more likely by a factor of e^LIKELIER.
 */
static bool better_by_far(const struct verdict *a, const struct verdict *b)
{
    if (b->cost > 2 * a->cost)
        return true;
    return b->cost > LESS * a->cost &&
           (double)smaller(a->agreed, b->agreed) * log(b->line.dev / a->line.dev) > LIKELIER;
}

static bool alike(const struct verdict *a, const struct verdict *b)
{
    return a->cost < INFINITY && b->cost < INFINITY && !better_by_far(a, b) && !better_by_far(b, a);
}

static void keep_best(struct voter *v, const struct verdict *now, struct verdict *first, struct verdict *second)
{
    bool same = fabs(on_a(&now->line, first->line.centre) - on_a(&first->line, first->line.centre)) < v->gap / 2;
    bool better = now->cost < first->cost;
    if (!same && alike(now, first)) /* regular intervals: only the order can decide */
        better = now->in_place > first->in_place || (now->in_place == first->in_place && better);
    if (better) {
        if (!same && first->cost < second->cost)
            *second = *first;
        *first = *now;
        for (size_t j = 0; j < v->eb.n; j++)
            v->best[j] = v->at[j];
    } else if (!same && now->cost < second->cost) {
        *second = *now;
    }
}

/* Find the most frequent of n sorted differences, within a width, and follow each. */
static void try_peaks(struct voter *v, size_t n, double width, size_t middle, struct verdict *first,
                      struct verdict *second)
{
    double done[N_PEAKS];
    for (int peak = 0; peak < N_PEAKS; peak++) {
        size_t max = 0, from = 0;
        for (size_t lo = 0, hi = 0; lo < n; lo++) {
            bool again = false;
            while (hi < n && v->diffs[hi] <= v->diffs[lo] + width)
                hi++;
            for (int p = 0; p < peak && hi - lo > max; p++)
                again = again || fabs(v->diffs[lo] - done[p]) <= width;
            if (hi - lo > max && !again) {
                max = hi - lo;
                from = lo;
            }
        }
        if (!max)
            return;
        done[peak] = v->diffs[from];
        struct verdict now = follow(v, v->diffs[from + max / 2], width, middle);
        keep_best(v, &now, first, second);
    }
}

static void try_window(struct voter *v, size_t middle, struct verdict *first, struct verdict *second)
{
    size_t window = DIFFS / v->ea.n, n = 0;
    window = window > WINDOW ? WINDOW : window < 16 ? 16 : window;
    size_t lo = middle > window / 2 ? middle - window / 2 : 0, hi = smaller(lo + window, v->eb.n);
    for (size_t j = lo; j < hi; j++)
        for (size_t i = 0; i < v->ea.n; i++)
            if (pair_fits(v, i, j))
                v->diffs[n++] = v->ea.t[i] - v->eb.t[j];
    qsort(v->diffs, n, sizeof *v->diffs, tr_by_f64);
    double width = 4000;
    for (int w = 0; w < N_WIDTHS; w++, width *= 8) {
        try_peaks(v, n, fmin(width, v->gap / 4), middle, first, second);
        if (width >= v->gap / 4)
            break;
    }
}

/* ---- the whole ---- */

static bool voter_init(struct voter *v, size_t n_a, size_t n_b)
{
    size_t n = n_a + n_b + 1;
    if (!ends_init(&v->ea, v->a, n_a) || !ends_init(&v->eb, v->b, n_b))
        return false;
    v->diffs = malloc((WINDOW * v->ea.n + 1) * sizeof *v->diffs);
    v->x = malloc(n * sizeof *v->x);
    v->y = malloc(n * sizeof *v->y);
    v->buf = malloc(n * sizeof *v->buf);
    v->at = malloc(n * sizeof *v->at);
    v->best = malloc(n * sizeof *v->best);
    return v->diffs && v->x && v->y && v->buf && v->at && v->best;
}

static void voter_free(struct voter *v)
{
    free(v->ea.t);
    free(v->ea.of);
    free(v->eb.t);
    free(v->eb.of);
    free(v->diffs);
    free(v->x);
    free(v->y);
    free(v->buf);
    free(v->at);
    free(v->best);
}

/* Pair late ends: ends without a partner that are between the same pairs on both sides, and not too far apart. */
static void add_late(struct voter *v, const struct line *l)
{
    double room = fmin(v->gap / 4, 50 * l->dev);
    size_t next = 0; /* end of a */
    for (size_t j = 0; j < v->eb.n; j++) {
        size_t stop = v->ea.n;
        if (v->best[j] != SIZE_MAX) {
            next = v->best[j] + 1;
            continue;
        }
        for (size_t k = j; k < v->eb.n && stop == v->ea.n; k++)
            stop = v->best[k] != SIZE_MAX ? v->best[k] : stop;
        for (size_t i = next; i < stop; i++)
            if (fabs(v->ea.t[i] - on_a(l, v->eb.t[j])) <= room) {
                v->best[j] = i;
                next = i + 1;
                break;
            }
    }
}

/* Align members without usable ends, between two pairs, by order. */
static bool align_rest(const struct voter *v, size_t n_a, size_t n_b, size_t *at)
{
    uint64_t *sig_a = malloc((n_a + 1) * sizeof *sig_a), *sig_b = malloc((n_b + 1) * sizeof *sig_b);
    size_t *of_a = malloc((n_a + 1) * sizeof *of_a), *of_b = malloc((n_b + 1) * sizeof *of_b);
    size_t *found = malloc((n_b + 1) * sizeof *found);
    bool ok = sig_a && sig_b && of_a && of_b && found;
    for (size_t j = 0, i = 0; ok && j <= n_b; j++) {
        size_t n = 0, m = 0, from = j;
        while (j < n_b && at[j] == SIZE_MAX)
            j++;
        size_t stop = j < n_b ? at[j] : n_a;
        for (size_t k = from; k < j; k++)
            if (!informative(&v->b[k])) {
                of_b[m] = k;
                sig_b[m++] = v->b[k].sig;
            }
        for (; i < stop; i++)
            if (!informative(&v->a[i])) {
                of_a[n] = i;
                sig_a[n++] = v->a[i].sig;
            }
        i = stop + 1;
        ok = !n || !m || tr__coll_align(sig_a, n, sig_b, m, found);
        for (size_t k = 0; ok && n && k < m; k++)
            if (found[k] != SIZE_MAX)
                at[of_b[k]] = of_a[found[k]];
    }
    free(sig_a);
    free(sig_b);
    free(of_a);
    free(of_b);
    free(found);
    return ok;
}

/*
 * Is the first line the right one?  It is if it fits clearly better than the second.  With regular intervals, it
 * cannot.  Then the line of the order is right if no end seems to be lost: both sides have as many ends, and most pairs
 * have as many ends before them on both sides.
 */
static bool settled(const struct voter *v, const struct verdict *first, const struct verdict *second)
{
    bool order = v->ea.n == v->eb.n && 2 * first->in_place > v->ea.n && first->in_place > second->in_place;
    bool close = TOLERANCE * first->line.dev > v->gap / 2; /* the nearest end may be that of another */
    return first->informative && !close && (order || better_by_far(first, second));
}

/*
 * Pair the n-th synchronous member of a with the n-th one of b, which may belong to one collective.  x and y: the ends
 * of the m pairs with usable ends.  False: the numbers of members differ, or two members differ.
 */
static bool pair_in_order(struct voter *v, size_t n_a, size_t n_b, size_t *n, size_t *m)
{
    size_t of_a = 0, of_b = 0;
    *n = *m = 0;
    for (size_t i = 0, j = 0;; i++, j++, ++*n) {
        while (i < n_a && !v->a[i].sync)
            i++;
        while (j < n_b && !v->b[j].sync)
            j++;
        if (i == n_a || j == n_b)
            return i == n_a && j == n_b;
        if (!tr__coll_alike(&v->a[i], &v->b[j]))
            return false;
        while (of_a < v->ea.n && v->ea.of[of_a] < i)
            of_a++;
        while (of_b < v->eb.n && v->eb.of[of_b] < j)
            of_b++;
        if (of_a == v->ea.n || of_b == v->eb.n || v->ea.of[of_a] != i || v->eb.of[of_b] != j)
            continue;
        v->x[*m] = v->eb.t[of_b];
        v->y[(*m)++] = v->ea.t[of_a] - v->eb.t[of_b];
    }
}

/*
 * Could some of m pairs in order be shifted, because as many members were lost on both sides?  Shifted pairs are off by
 * a gap, so they cannot continue across a gap of more than twice the tolerance of all pairs.
 */
static bool may_be_shifted(const struct voter *v, size_t m, double room)
{
    size_t stretch = 1, longest = 1;
    for (size_t i = 1; i < m; i++) {
        stretch = v->x[i] - v->x[i - 1] > 2 * room ? 1 : stretch + 1;
        longest = stretch > longest ? stretch : longest;
    }
    return longest > m / SHIFTED;
}

/*
 * Pair by order, the n-th with the n-th, if both sides have as many members.  With few members, two thirds of the pairs
 * must be less than a quarter of the gap from one line.  With more members, for example in bursts that are closer than
 * they jitter, all usable pairs must be on one line, and gaps must show that no long sequence of pairs is shifted.
 */
static bool pair_plainly(struct voter *v, size_t n_a, size_t n_b, struct line *line)
{
    size_t n, m, near = 0;
    if (!pair_in_order(v, n_a, n_b, &n, &m) || !m)
        return false;
    fit_line(v, line, m);
    double room = n <= FEW ? fmax(v->gap / 4, TOLERANCE * MIN_DEV) : TOLERANCE * line->dev;
    for (size_t i = 0; i < m; i++)
        near += fabs(v->y[i] - line->slope * (v->x[i] - line->centre) - line->offset) <= room;
    return n <= FEW ? 3 * near >= 2 * m : near == m && 2 * m > n && !may_be_shifted(v, m, room);
}

bool tr__coll_vote(const struct tr__coll_mark *a, size_t n_a, const struct tr__coll_mark *b, size_t n_b,
                   struct tr__coll_clock *clock, size_t *at)
{
    struct voter v = { .a = a, .b = b };
    struct verdict first = { .cost = INFINITY }, second = first;
    bool ok = voter_init(&v, n_a, n_b);
    *clock = (struct tr__coll_clock){ .verdict = TR__COLL_NOTHING };
    if (ok && v.ea.n && v.eb.n) {
        static const size_t quarter[] = { 2, 1, 3 };
        clock->verdict = TR__COLL_DISAGREE;
        v.gap = middle_gap(&v);
        for (size_t w = 0; w < 3 && !first.informative && (w == 0 || v.eb.n > 16); w++)
            try_window(&v, v.eb.n * quarter[w] / 4, &first, &second);
        struct line plain = { 0 };
        if (pair_plainly(&v, n_a, n_b, &plain) && (v.ea.n > FEW || !settled(&v, &first, &second))) {
            clock->verdict = TR__COLL_ORDER;
            first.line = plain;
        } else if (settled(&v, &first, &second)) {
            clock->verdict = TR__COLL_AGREE;
        }
        clock->sure = first.informative && better_by_far(&first, &second);
        clock->gap = v.gap;
        clock->a = v.ea.base;
        clock->b = v.eb.base;
        clock->offset = first.line.offset;
        clock->slope = first.line.slope;
        clock->centre = first.line.centre;
    }
    if (ok && clock->verdict == TR__COLL_AGREE) {
        add_late(&v, &first.line);
        for (size_t j = 0; j < n_b; j++)
            at[j] = SIZE_MAX;
        for (size_t j = 0; j < v.eb.n; j++)
            if (v.best[j] != SIZE_MAX)
                at[v.eb.of[j]] = v.ea.of[v.best[j]];
        ok = align_rest(&v, n_a, n_b, at);
    }
    voter_free(&v);
    return ok;
}

int64_t tr__coll_clock_apply(const struct tr__coll_clock *c, int64_t t)
{
    int64_t since = t == TR_TIME_NONE ? TR_TIME_NONE : tr_time_diff(t, c->b);
    if (since == TR_TIME_NONE)
        return TR_TIME_NONE;
    double more = c->offset + c->slope * ((double)since - c->centre);
    int64_t moved = fabs(more) < 4e18 ? tr_time_sum(since, llround(more)) : TR_TIME_NONE;
    return moved == TR_TIME_NONE ? TR_TIME_NONE : tr_time_sum(moved, c->a);
}
