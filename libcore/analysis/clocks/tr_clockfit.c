/* SPDX-License-Identifier: MIT */
/* The fit of clocks: anchors, a first guess, results. */
#include "analysis/clocks/tr_clockfit_int.h"

#include "base/tr_mem.h"
#include "base/tr_stats.h"
#include "stream/tr_event.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum tr_status tr_clockfit_new(struct tr_clockfit **out, size_t n, size_t reference,
                               struct tr_error *err)
{
    struct tr_clockfit *f = calloc(1, sizeof *f);
    if (f)
        f->clocks = calloc(n + 1, sizeof *f->clocks);
    if (!f || !f->clocks) {
        free(f);
        return tr_fail_memory(err);
    }
    f->n_clocks = n;
    f->reference = reference;
    *out = f;
    return TR_OK;
}

void tr_clockfit_free(struct tr_clockfit *f)
{
    if (!f)
        return;
    free(f->clocks);
    free(f->members);
    free(f->first);
    free(f->by_clock);
    free(f->from);
    free(f->anchor_of);
    free(f->sums);
    free(f);
}

bool tr_clockfit_anchor(struct tr_clockfit *f)
{
    if (!tr_grow(&f->first, &f->cap, f->n + 1, sizeof *f->first))
        return false;
    f->first[f->n++] = f->n_members;
    return true;
}

bool tr_clockfit_member(struct tr_clockfit *f, size_t clock, int64_t start, int64_t end)
{
    if (!tr_grow(&f->members, &f->cap_members, f->n_members + 1, sizeof *f->members))
        return false;
    f->members[f->n_members++] = (struct tr__fit_member){ start, end, 0, 1, (uint32_t)clock };
    size_t n = f->n_members - f->first[f->n - 1];
    f->clocks[clock].anchors += n > 1;
    if (n == 2) /* the first one has an anchor in common now, too */
        f->clocks[f->members[f->n_members - 2].clock].anchors++;
    return true;
}

/* Members by clock, and the anchors of members.  False: out of memory. */
static bool index_members(struct tr_clockfit *f)
{
    size_t n = f->n_members + 1;
    f->by_clock = calloc(n, sizeof *f->by_clock);
    f->from = calloc(f->n_clocks + 2, sizeof *f->from);
    f->anchor_of = calloc(n, sizeof *f->anchor_of);
    f->sums = calloc(f->n + 1, sizeof *f->sums);
    if (!f->by_clock || !f->from || !f->anchor_of || !f->sums)
        return false;
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++)
            f->anchor_of[k] = i;
    for (size_t k = 0; k < f->n_members; k++)
        f->from[f->members[k].clock + 2]++;
    for (size_t c = 2; c < f->n_clocks + 2; c++)
        f->from[c] += f->from[c - 1];
    for (size_t k = 0; k < f->n_members; k++)
        f->by_clock[f->from[f->members[k].clock + 1]++] = k;
    return true;
}

/* ---- which clocks are connected ---- */

uint64_t tr_clockfit_anchors(const struct tr_clockfit *f, size_t clock)
{
    return f->clocks[clock].anchors;
}

/* Spread `known` from the reference over common anchors. */
static void connect(struct tr__fit_clock *clocks, const struct tr_clockfit *f)
{
    bool more = true;
    clocks[f->reference].known = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < f->n; i++) {
            bool any = false, all = true;
            for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++) {
                any |= clocks[f->members[k].clock].known;
                all &= clocks[f->members[k].clock].known;
            }
            for (size_t k = f->first[i]; any && !all && k < tr__fit_end(f, i); k++)
                clocks[f->members[k].clock].known = true;
            more |= any && !all;
        }
    }
}

size_t tr_clockfit_weak(const struct tr_clockfit *f, uint64_t min, uint64_t *anchors)
{
    size_t weak = f->n_clocks;
    for (size_t c = 0; c < f->n_clocks; c++)
        f->clocks[c].known = false;
    connect(f->clocks, f);
    for (size_t c = 0; c < f->n_clocks && weak == f->n_clocks; c++)
        if (f->n_clocks > 1 && (f->clocks[c].anchors < min || !f->clocks[c].known))
            weak = c;
    *anchors = weak < f->n_clocks ? f->clocks[weak].anchors : 0;
    return weak;
}

/* ---- a first guess ---- */

/*
 * Clocks join one by one.  The next one is always the clock that shares most anchors with those that have joined.  The
 * median of its differences is a guess that no minority of wrong anchors spoils.
 */
/* A clock that may join next. */
struct next {
    uint64_t common;
    size_t clock;
};

struct guess {
    struct tr_clockfit *f;
    struct next *heap; /* the best one first; an entry whose number has grown since is followed by another one */
    size_t n_heap;
    double *when;            /* by anchor: aligned end since zero, NaN: not known yet */
    uint64_t *common;        /* by clock: anchors whose time is known */
    double (*pairs)[2];      /* time of the anchor, difference */
    double *work;
};

static bool guess_init(struct guess *g, struct tr_clockfit *f)
{
    size_t n = f->n_members + 1;
    *g = (struct guess){ .f = f };
    g->heap = calloc(n, sizeof *g->heap); /* a number grows once for each member */
    g->when = malloc((f->n + 1) * sizeof *g->when);
    g->common = calloc(f->n_clocks + 1, sizeof *g->common);
    g->pairs = calloc(n, sizeof *g->pairs);
    g->work = calloc(n, sizeof *g->work);
    if (!g->heap || !g->when || !g->common || !g->pairs || !g->work)
        return false;
    for (size_t i = 0; i < f->n; i++)
        g->when[i] = NAN;
    return true;
}

static bool comes_before(const struct next *a, const struct next *b)
{
    return a->common != b->common ? a->common > b->common : a->clock < b->clock;
}

/* A clock has one more anchor in common with those that have joined. */
static void count_common(struct guess *g, size_t clock)
{
    const struct next more = { ++g->common[clock], clock };
    size_t at = g->n_heap++;
    for (; at && comes_before(&more, &g->heap[(at - 1) / 2]); at = (at - 1) / 2)
        g->heap[at] = g->heap[(at - 1) / 2];
    g->heap[at] = more;
}

static void drop_first(struct guess *g)
{
    const struct next last = g->heap[--g->n_heap];
    size_t at = 0;
    for (size_t down; (down = 2 * at + 1) < g->n_heap; at = down) {
        down += down + 1 < g->n_heap && comes_before(&g->heap[down + 1], &g->heap[down]);
        if (!comes_before(&g->heap[down], &last))
            break;
        g->heap[at] = g->heap[down];
    }
    g->heap[at] = last;
}

/* The clock that shares most anchors with those that have joined, of equal ones the first; SIZE_MAX: none does. */
static size_t next_clock(struct guess *g)
{
    while (g->n_heap && (g->f->clocks[g->heap->clock].known || g->heap->common != g->common[g->heap->clock]))
        drop_first(g);
    return g->n_heap ? g->heap->clock : SIZE_MAX;
}

static void guess_free(struct guess *g)
{
    free(g->heap);
    free(g->when);
    free(g->common);
    free(g->pairs);
    free(g->work);
}

static int by_time(const void *a, const void *b)
{
    const double *x = a, *y = b;
    if (x[0] != y[0])
        return x[0] < y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Slope of the differences over time: the median over pairs that are half the anchors apart. */
static double guess_slope(struct guess *g, size_t n)
{
    size_t half = n / 2, m = 0;
    if (!g->f->opts.drift || n < 8)
        return 0;
    qsort(g->pairs, n, sizeof *g->pairs, by_time);
    for (size_t i = 0; i + half < n; i++) {
        double dt = g->pairs[i + half][0] - g->pairs[i][0];
        if (dt > 0)
            g->work[m++] = (g->pairs[i + half][1] - g->pairs[i][1]) / dt;
    }
    return m ? tr__fit_median(g->work, m) : 0;
}

/* Times no further than this from the first event of the reference keep every step within 64 bits. */
static bool is_near(int64_t ns)
{
    return ns > -(TR_TIME_FAR / 2) && ns < TR_TIME_FAR / 2;
}

/* Add a clock: compute its first guess, and the times of anchors that only it has. */
static void join(struct guess *g, size_t c)
{
    struct tr_clockfit *f = g->f;
    struct tr__fit_clock *clock = &f->clocks[c];
    size_t n = 0;
    int64_t rough = 0;
    double slope = 0, middle = 0;
    for (size_t k = f->from[c]; k < f->from[c + 1]; k++) {
        const struct tr__fit_member *m = &f->members[f->by_clock[k]];
        double when = g->when[f->anchor_of[f->by_clock[k]]];
        if (!(fabs(when) < (double)TR_TIME_FAR)) /* not known */
            continue;
        int64_t apart = m->end - f->zero;
        if (!n)
            rough = apart - (int64_t)when;
        g->pairs[n][0] = when;
        g->pairs[n++][1] = (double)(apart - rough) - when;
    }
    if (n) {
        slope = guess_slope(g, n);
        middle = g->pairs[n / 2][0];
        for (size_t i = 0; i < n; i++)
            g->work[i] = g->pairs[i][1] - slope * (g->pairs[i][0] - middle);
        clock->guess = rough + (int64_t)llround(tr__fit_median(g->work, n));
    }
    /* s holds the slope; solve() gives it the scale that is valid by then. */
    clock->s = slope / (1 + slope);
    clock->middle = middle;
    clock->known = true;
    for (size_t k = f->from[c]; k < f->from[c + 1]; k++) {
        size_t at = f->by_clock[k], i = f->anchor_of[at];
        if (!isnan(g->when[i]))
            continue;
        double y = (double)(f->members[at].end - clock->guess - f->zero);
        g->when[i] = y - clock->s * (y - middle);
        for (size_t m = f->first[i]; m < tr__fit_end(f, i); m++)
            count_common(g, f->members[m].clock);
    }
}

static enum tr_status guess_all(struct tr_clockfit *f, struct tr_error *err)
{
    struct guess g;
    enum tr_status st = TR_OK;
    size_t c = f->reference;
    if (!guess_init(&g, f)) {
        guess_free(&g);
        return tr_fail_memory(err);
    }
    for (size_t i = 0; i < f->n_clocks; i++)
        f->clocks[i].known = false;
    for (size_t joined = 0; joined < f->n_clocks && st == TR_OK; joined++) {
        join(&g, c);
        c = next_clock(&g);
        if (c == SIZE_MAX && joined + 1 < f->n_clocks)
            st = tr_fail(err, TR_USAGE, "clocks without a common anchor");
    }
    guess_free(&g);
    return st;
}

/* The sums of the solution. */
static void add_up(struct tr_clockfit *f)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++) {
            double at = tr__fit_aligned(f, f->members[k].clock, f->members[k].y);
            f->sums[i].weighted += f->members[k].weight * at;
            f->sums[i].weights += f->members[k].weight;
            f->sums[i].plain += at;
        }
}

enum tr_status tr_clockfit_solve(struct tr_clockfit *f, const struct tr_clockfit_opts *opts,
                                 struct tr_error *err)
{
    f->opts = *opts;
    f->zero = opts->origin;
    for (size_t k = 0; k < f->n_members; k++)
        if (!is_near(tr_time_diff(f->members[k].end, f->zero)))
            return tr_fail(err, TR_DAMAGED, "an anchor is 73 years or more from the first event of the reference");
    if (!index_members(f))
        return tr_fail_memory(err);
    enum tr_status st = guess_all(f, err);
    if (st == TR_OK)
        st = tr__fit_solve(f, err);
    if (st == TR_OK)
        add_up(f);
    return st;
}

/* ---- results ---- */

/*
 * The reference shows z since zero when y - p - s (y - middle) / scale = z.  This is solved for y, and as a difference,
 * so that no two large numbers are subtracted.
 */
static void offset_and_drift(const struct tr_clockfit *f, size_t clock, int64_t *offset,
                             double *drift)
{
    const struct tr__fit_clock *c = &f->clocks[clock];
    double rate = c->s / f->scale, z = (double)(f->opts.origin - f->zero);
    *drift = rate / (1 - rate);
    double rest = z * *drift + (c->p - rate * c->middle) * (1 + *drift);
    *offset = fabs(rest) < (double)TR_TIME_FAR ? tr_time_sum(c->guess, llround(rest)) : TR_TIME_NONE;
}

static bool residuals(const struct tr_clockfit *f, size_t clock, struct tr_clockfit_row *row)
{
    struct tr_hist *h = tr_hist_new(0);
    bool ok = h != NULL;
    for (size_t k = f->from[clock]; k < f->from[clock + 1] && ok; k++) {
        const struct tr__fit_member *m = &f->members[f->by_clock[k]];
        size_t i = f->anchor_of[f->by_clock[k]];
        const struct tr__fit_sum *s = &f->sums[i];
        if (tr__fit_end(f, i) - f->first[i] < 2)
            continue;
        row->ignored += m->weight == 0;
        if (s->weights > 0)
            ok = tr_hist_add(h, llround(fabs(tr__fit_aligned(f, m->clock, m->y) - s->weighted / s->weights)), 1);
    }
    if (ok) {
        tr_hist_seal(h);
        row->residual_p50 = tr_hist_quantile(h, 50, 100);
        row->residual_p99 = tr_hist_quantile(h, 99, 100);
        row->residual_max = tr_hist_quantile(h, 1, 1);
    }
    tr_hist_free(h);
    return ok;
}

#define MOST 0.99 /* of the weights of an anchor: without it, differences of sums are exact enough */

/* The mean of the other ends of a member's anchor, which has some: of those that count, if any. */
static double mean_of_others(const struct tr_clockfit *f, size_t member)
{
    const struct tr__fit_member *m = &f->members[member];
    size_t anchor = f->anchor_of[member];
    struct tr__fit_sum s = f->sums[anchor];
    double own = tr__fit_aligned(f, m->clock, m->y);
    double others = (double)(tr__fit_end(f, anchor) - f->first[anchor] - 1);
    if (m->weight <= MOST * s.weights && s.weights > 0)
        return (s.weighted - m->weight * own) / (s.weights - m->weight);
    s = (struct tr__fit_sum){ 0, 0, s.plain - own };
    for (size_t k = f->first[anchor]; k < tr__fit_end(f, anchor); k++)
        if (k != member) {
            s.weighted += f->members[k].weight * tr__fit_aligned(f, f->members[k].clock, f->members[k].y);
            s.weights += f->members[k].weight;
        }
    return s.weights > 0 ? s.weighted / s.weights : s.plain / others;
}

uint64_t tr_clockfit_agreed(const struct tr_clockfit *f, size_t clock)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    uint64_t near = 0, shared = f->clocks[clock].anchors;
    for (size_t k = f->from[clock]; k < f->from[clock + 1]; k++) {
        int64_t end = f->members[f->by_clock[k]].end;
        first = end < first ? end : first;
        last = end > last ? end : last;
    }
    double gap = shared > 1 ? (double)(last - first) / (double)(shared - 1) : 0;
    for (size_t k = f->from[clock]; k < f->from[clock + 1]; k++) {
        size_t member = f->by_clock[k], i = f->anchor_of[member];
        const struct tr__fit_member *m = &f->members[member];
        if (tr__fit_end(f, i) - f->first[i] > 1)
            near += fabs(tr__fit_aligned(f, m->clock, m->y) - mean_of_others(f, member)) <= fmax(gap, 1);
    }
    return near;
}

enum tr_status tr_clockfit_row(const struct tr_clockfit *f, size_t clock,
                               struct tr_clockfit_row *row, struct tr_error *err)
{
    double drift;
    *row = (struct tr_clockfit_row){ .anchors = f->clocks[clock].anchors };
    offset_and_drift(f, clock, &row->offset, &drift);
    if (!(fabs(drift) * (double)TR_DRIFT_UNIT < (double)TR_DRIFT_MAX))
        return tr_fail(err, TR_NO,
                       "its ends agree with those of other ranks on no clock that drifts by less than %.0f ppm (best: "
                       "%.0f ppm, standard error %.0f)",
                       (double)TR_DRIFT_MAX / (double)TR_DRIFT_UNIT * 1e6, drift * 1e6,
                       f->clocks[clock].drift_se * 1e6);
    if (row->offset == TR_TIME_NONE)
        return tr_fail(err, TR_DAMAGED, "its offset leaves the range of 64 bits");
    row->drift = llround(drift * (double)TR_DRIFT_UNIT);
    row->offset_se = f->clocks[clock].offset_se;
    row->drift_se = f->clocks[clock].drift_se;
    return residuals(f, clock, row) ? TR_OK : tr_fail_memory(err);
}

struct tr_clock tr_clockfit_clock(int64_t offset, int64_t drift, int64_t origin, int64_t frame)
{
    return (struct tr_clock){ .frame = frame,
                              .origin = origin + offset,
                              .offset = offset,
                              .drift = drift,
                              .first_ts = TR_TIME_NONE,
                              .last_end = TR_TIME_NONE };
}

uint64_t tr_clockfit_violations(const struct tr_clockfit *f)
{
    uint64_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        int64_t latest = TR_TIME_NONE, earliest = INT64_MAX, at, offset;
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++) {
            const struct tr__fit_member *m = &f->members[k];
            double drift;
            offset_and_drift(f, m->clock, &offset, &drift);
            struct tr_clock c = tr_clockfit_clock(offset, llround(drift * (double)TR_DRIFT_UNIT),
                                                  f->opts.origin, 0);
            if (tr_clock_apply(&c, m->end, &at) && at < earliest)
                earliest = at;
            if (m->start != TR_TIME_NONE && tr_clock_apply(&c, m->start, &at) && at > latest)
                latest = at;
        }
        n += latest != TR_TIME_NONE && earliest < latest;
    }
    return n;
}
