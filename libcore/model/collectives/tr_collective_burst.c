/* SPDX-License-Identifier: MIT */
/*
 * Aligns two sequences of ends in which most ends are closer together than they jitter: bursts.
 *
 * Bursts are matched by the intervals between them, like single ends that are farther apart.  Within a burst, ends are
 * matched by order, but only if no end is lost.  A burst counts as complete if both sides have as many ends as the
 * largest bursts.  For other bursts, it is not known which end is missing.
 */
#include "base/tr_sort.h"
#include "base/tr_time.h"
#include "model/collectives/tr_collective_int.h"

#include <math.h>
#include <stdlib.h>

#define JUMP      8     /* gaps between bursts are longer than those within by this factor */
#define FEW       3     /* complete bursts; with fewer, it is not certain that they are complete */
#define MIN_DEV   300.0 /* ns: ends are not known better than that */
#define TOLERANCE 6.0   /* deviations */

struct burst {
    size_t first, n; /* by place among the usable ends */
};

struct side {
    const struct tr__coll_mark *mark;
    size_t *of; /* usable ends: their places in the sequence */
    size_t n_ends;
    struct burst *burst;
    struct tr__coll_mark *middle; /* of each burst */
    size_t n;
};

static bool side_init(struct side *s, const struct tr__coll_mark *mark, size_t n)
{
    *s = (struct side){ .mark = mark,
                        .of = malloc((n + 1) * sizeof *s->of),
                        .burst = malloc((n + 1) * sizeof *s->burst),
                        .middle = malloc((n + 1) * sizeof *s->middle) };
    if (!s->of || !s->burst || !s->middle)
        return false;
    for (size_t i = 0; i < n; i++) {
        bool later = !s->n_ends || mark[i].end >= mark[s->of[s->n_ends - 1]].end;
        if (mark[i].sync && mark[i].end != TR_TIME_NONE && later)
            s->of[s->n_ends++] = i;
    }
    return true;
}

static void side_free(struct side *s)
{
    free(s->of);
    free(s->burst);
    free(s->middle);
}

static int64_t end_of(const struct side *s, size_t end)
{
    return s->mark[s->of[end]].end;
}

/* The gap before an end, in ns. */
static double gap_before(const struct side *s, size_t end)
{
    int64_t gap = tr_time_diff(end_of(s, end), end_of(s, end - 1));
    return gap == TR_TIME_NONE ? INFINITY : (double)gap;
}

/* The limit between gaps within bursts and gaps between bursts, which are fewer; 0: there are no bursts. */
static double find_limit(const struct side *a, const struct side *b, double *gaps)
{
    size_t n = 0, at = 0;
    double max = JUMP;
    for (size_t i = 1; i < a->n_ends; i++)
        gaps[n++] = gap_before(a, i);
    for (size_t i = 1; i < b->n_ends; i++)
        gaps[n++] = gap_before(b, i);
    qsort(gaps, n, sizeof *gaps, tr_by_f64);
    for (size_t i = n / 2; i + 1 < n; i++)
        if (gaps[i + 1] > max * fmax(gaps[i], 1)) {
            max = gaps[i + 1] / fmax(gaps[i], 1);
            at = i;
        }
    return at ? gaps[at] * sqrt(JUMP) : 0;
}

static void find_bursts(struct side *s, double limit)
{
    for (size_t i = 0; i < s->n_ends; i++)
        if (!i || gap_before(s, i) > limit)
            s->burst[s->n++] = (struct burst){ i, 1 };
        else
            s->burst[s->n - 1].n++;
    for (size_t i = 0; i < s->n; i++) {
        int64_t first = end_of(s, s->burst[i].first), last = end_of(s, s->burst[i].first + s->burst[i].n - 1);
        s->middle[i] = (struct tr__coll_mark){ .end = first + (last - first) / 2, .sync = true };
    }
}

static size_t largest(const struct side *s)
{
    size_t max = 0;
    for (size_t i = 0; i < s->n; i++)
        max = s->burst[i].n > max ? s->burst[i].n : max;
    return max;
}

/* Pair the ends of complete bursts, in order; *complete: number of complete bursts.  Returns the number of pairs. */
static size_t pair_ends(const struct side *a, const struct side *b, const size_t *burst_at, size_t *at,
                        size_t *complete)
{
    size_t size = largest(a) > largest(b) ? largest(a) : largest(b), n = 0;
    *complete = 0;
    for (size_t j = 0; j < b->n; j++) {
        const struct burst *y = &b->burst[j], *x = burst_at[j] == SIZE_MAX ? NULL : &a->burst[burst_at[j]];
        bool same = x && x->n == size && y->n == size;
        for (size_t k = 0; k < size && same; k++)
            same = tr__coll_alike(&a->mark[a->of[x->first + k]], &b->mark[b->of[y->first + k]]);
        *complete += same;
        for (size_t k = 0; k < size && same; k++, n++)
            at[b->of[y->first + k]] = a->of[x->first + k];
    }
    return n;
}

static double apart(const struct side *a, const struct side *b, const struct tr__coll_clock *clock, size_t i, size_t j)
{
    int64_t t = tr__coll_clock_apply(clock, b->mark[j].end);
    int64_t d = t == TR_TIME_NONE ? TR_TIME_NONE : tr_time_diff(a->mark[i].end, t);
    return d == TR_TIME_NONE ? INFINITY : (double)d;
}

/* Remove pairs that are far from the others, on the clock of the bursts.  Returns the number of remaining pairs. */
static size_t drop_far(const struct side *a, const struct side *b, const struct tr__coll_clock *clock, double *off,
                       size_t n_b, size_t *at)
{
    size_t n = 0, near = 0;
    for (size_t j = 0; j < n_b; j++)
        if (at[j] != SIZE_MAX)
            off[n++] = apart(a, b, clock, at[j], j);
    qsort(off, n, sizeof *off, tr_by_f64);
    double middle = n ? off[n / 2] : 0;
    for (size_t i = 0; i < n; i++)
        off[i] = fabs(off[i] - middle);
    qsort(off, n, sizeof *off, tr_by_f64);
    double room = n ? TOLERANCE * fmax(1.4826 * off[n / 2], MIN_DEV) : 0;
    for (size_t j = 0; j < n_b; j++) {
        if (at[j] == SIZE_MAX)
            continue;
        if (fabs(apart(a, b, clock, at[j], j) - middle) <= room)
            near++;
        else
            at[j] = SIZE_MAX;
    }
    return near;
}

bool tr__coll_vote_bursts(const struct tr__coll_mark *a, size_t n_a, const struct tr__coll_mark *b, size_t n_b,
                          struct tr__coll_clock *clock, size_t *at)
{
    struct side x = { 0 }, y = { 0 };
    struct tr__coll_clock found;
    double *work = malloc((n_a + n_b + 1) * sizeof *work);
    size_t *burst_at = malloc((n_b + 1) * sizeof *burst_at), complete;
    bool ok = side_init(&x, a, n_a) && side_init(&y, b, n_b) && work && burst_at;
    double limit = ok ? find_limit(&x, &y, work) : 0;
    if (ok && limit > 0) {
        find_bursts(&x, limit);
        find_bursts(&y, limit);
        ok = tr__coll_vote(x.middle, x.n, y.middle, y.n, &found, burst_at);
        for (size_t j = 0; j < y.n && ok && found.verdict == TR__COLL_ORDER; j++)
            burst_at[j] = j;
        if (ok && found.verdict >= TR__COLL_ORDER) {
            for (size_t j = 0; j < n_b; j++)
                at[j] = SIZE_MAX;
            size_t n = pair_ends(&x, &y, burst_at, at, &complete);
            if (complete >= FEW && 4 * drop_far(&x, &y, &found, work, n_b, at) >= 3 * n) {
                *clock = found;
                clock->verdict = TR__COLL_BURSTS;
            }
        }
    }
    side_free(&x);
    side_free(&y);
    free(work);
    free(burst_at);
    return ok;
}
