/* SPDX-License-Identifier: MIT */
/*
 * The fit of clocks: the normal matrix, and how exact offsets and drifts are.
 *
 * Covariances of weighted least squares: the inverse of the normal matrix, times the weighted mean square of
 * the residuals.  The weights of the biweight are themselves estimated from the residuals, and make these look smaller.
 * The result of its theory is larger by a factor, if the jitter is normal (P. J. Huber, Robust Statistics, 1981):
 * E(psi^2) / E(psi')^2 over E(w r^2) / E(w)^2.
 *
 * The normal matrix has one or two unknowns for each clock.  There may be thousands of clocks, and few anchors that all
 * of them share; or few clocks, and thousands of anchors; or groups of clocks that share many anchors, and few anchors
 * of all groups.  An anchor adds a diagonal part for each of its clocks, and subtracts u u' / w, where u has the
 * weights of its members and w is their sum.  So anchors of few clocks are added to a matrix D, where they join their
 * clocks to blocks; the others are kept as columns of U, with W for the diagonal matrix of their w:
 *
 *     N = D - U W^-1 U'        N^-1 = D^-1 + D^-1 U (W - U' D^-1 U)^-1 U' D^-1
 *
 * (M. A. Woodbury, 1950).  How many clocks are few is chosen so that there is little to compute.  With D = L L',
 * Z = L^-1 U and W - Z' Z = S S', an entry of N^-1 is the sum of two products: of columns of L^-1, and of Z' times
 * these columns, divided by S.
 */
#include "analysis/clocks/tr_clockfit_int.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING (1.0 / 12) /* ns^2: variance that rounding to whole ns adds */

#define MIN_FREEDOM 0.9 /* one degree of freedom; weights may make it a little less */

#define BIWEIGHT 1.1633 /* this factor, for the biweight's constant 4.685 */

/* Unknowns of clocks that anchors of few clocks join. */
struct block {
    size_t n, n_kept, first; /* first: its first unknown among those of all blocks */
    size_t *kept; /* anchors that are kept and have members here, by number */
    double *v;    /* n * n: the lower half of D here; later its factor L */
    double *z;    /* by kept anchor: n entries of U; later of Z */
};

struct tr__fit_normal {
    const struct tr_clockfit *f;
    size_t *size;            /* by anchor: its members that count; 0: fewer than two, so it says nothing */
    size_t limit;            /* anchors of more members are kept */
    size_t per;              /* unknowns of a clock: p, and s if drifts are fitted */
    size_t *parent;          /* by clock: another one of its block, itself for the first one */
    size_t *block_of, *at;   /* by clock: its block, and its first unknown there */
    double *unknowns, *kept; /* by the first clock of a block: numbers of both */
    size_t *seen;            /* by that clock: the last kept anchor that has members there, plus one */
    struct block *blocks;
    size_t n_blocks, n_kept, n_unknowns;
    double *s;         /* n_kept * n_kept: the lower half of W - Z' Z; later its factor S */
    double *column[2]; /* of L^-1: those of p and s of a clock */
    double *rest[2];   /* what anchors that are kept add to them */
    double *all;       /* a vector of all unknowns, block by block */
    double residuals, freedom;
};

/* ---- blocks ---- */

static size_t root(struct tr__fit_normal *m, size_t clock)
{
    while (m->parent[clock] != clock)
        clock = m->parent[clock] = m->parent[m->parent[clock]];
    return clock;
}

/* A member that counts, of a clock with unknowns. */
static bool counts(const struct tr_clockfit *f, size_t member)
{
    return f->members[member].weight > 0 && f->members[member].clock != f->reference;
}

/* Join the clocks of an anchor; the lowest one comes first. */
static void join(struct tr__fit_normal *m, size_t anchor)
{
    size_t first = SIZE_MAX;
    for (size_t k = m->f->first[anchor]; k < tr__fit_end(m->f, anchor); k++) {
        if (!counts(m->f, k))
            continue;
        size_t other = root(m, m->f->members[k].clock), low = other < first ? other : first;
        if (first != SIZE_MAX)
            m->parent[first] = m->parent[other] = low;
        first = low;
    }
}

/* Make blocks with a limit.  Returns the work, in multiplications. */
static double make_blocks(struct tr__fit_normal *m, size_t limit)
{
    const struct tr_clockfit *f = m->f;
    double all, work = 0;
    m->limit = limit;
    m->n_kept = 0;
    for (size_t c = 0; c < f->n_clocks; c++) {
        m->parent[c] = c;
        m->unknowns[c] = m->kept[c] = 0;
        m->seen[c] = 0;
    }
    for (size_t i = 0; i < f->n; i++)
        if (m->size[i] && m->size[i] <= limit) {
            join(m, i);
            work += (double)(m->size[i] * m->size[i] * m->per * m->per);
        }
    for (size_t c = 0; c < f->n_clocks; c++)
        m->unknowns[root(m, c)] += c == f->reference ? 0 : (double)m->per;
    for (size_t i = 0; i < f->n; i++) {
        if (m->size[i] <= limit)
            continue;
        m->n_kept++;
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++) {
            size_t c = counts(f, k) ? root(m, f->members[k].clock) : SIZE_MAX;
            if (c != SIZE_MAX && m->seen[c] != m->n_kept) {
                m->seen[c] = m->n_kept;
                m->kept[c]++;
            }
        }
    }
    all = (double)m->n_kept;
    for (size_t c = 0; c < f->n_clocks; c++) {
        double n = m->unknowns[c], k = m->kept[c];
        work += n * (n * n * 5 / 6 + n * k * 3 / 2 + k * k / 2 + all * all / 2);
    }
    return work + all * all * all / 3;
}

/* Choose the limit with the smallest work. */
static void choose_blocks(struct tr__fit_normal *m)
{
    size_t largest = 0, limit = 0;
    for (size_t i = 0; i < m->f->n; i++)
        largest = m->size[i] > largest ? m->size[i] : largest;
    double work = make_blocks(m, 0);
    for (size_t to = 2; to / 2 < largest; to *= 2) {
        double other = make_blocks(m, to);
        limit = other <= work ? to : limit;
        work = other <= work ? other : work;
    }
    make_blocks(m, limit);
}

static bool add_block(struct tr__fit_normal *m, size_t clock)
{
    struct block *b = &m->blocks[m->n_blocks++];
    size_t n = (size_t)m->unknowns[clock], kept = (size_t)m->kept[clock];
    *b = (struct block){ .first = m->n_unknowns,
                         .v = calloc(n * n + 1, sizeof *b->v),
                         .z = calloc(n * kept + 1, sizeof *b->z),
                         .kept = calloc(kept + 1, sizeof *b->kept) };
    m->n_unknowns += n;
    return b->v && b->z && b->kept;
}

/* The blocks, and the numbers of unknowns in them. */
static bool number_unknowns(struct tr__fit_normal *m)
{
    const struct tr_clockfit *f = m->f;
    size_t most = 0;
    bool ok = true;
    m->blocks = calloc(f->n_clocks + 1, sizeof *m->blocks);
    m->s = calloc(m->n_kept * m->n_kept + 1, sizeof *m->s);
    for (size_t c = 0; c < f->n_clocks && m->blocks && ok; c++) {
        size_t first = root(m, c);
        if (c == f->reference)
            continue;
        if (first == c)
            ok = add_block(m, c);
        m->block_of[c] = first == c ? m->n_blocks - 1 : m->block_of[first];
        struct block *b = &m->blocks[m->block_of[c]];
        m->at[c] = b->n;
        b->n += m->per;
        most = b->n > most ? b->n : most;
    }
    for (int which = 0; which < 2; which++) {
        m->column[which] = calloc(most + 1, sizeof **m->column);
        m->rest[which] = calloc(m->n_kept + 1, sizeof **m->rest);
        ok = ok && m->column[which] && m->rest[which];
    }
    m->all = calloc(2 * f->n_clocks + 1, sizeof *m->all);
    return ok && m->blocks && m->s && m->all;
}

static bool init(struct tr__fit_normal *m, const struct tr_clockfit *f)
{
    size_t n = f->n_clocks + 1;
    m->f = f;
    m->per = f->opts.drift ? 2 : 1;
    m->size = calloc(f->n + 1, sizeof *m->size);
    m->parent = calloc(n, sizeof *m->parent);
    m->block_of = calloc(n, sizeof *m->block_of);
    m->at = calloc(n, sizeof *m->at);
    m->unknowns = calloc(n, sizeof *m->unknowns);
    m->kept = calloc(n, sizeof *m->kept);
    m->seen = calloc(n, sizeof *m->seen);
    if (!m->size || !m->parent || !m->block_of || !m->at || !m->unknowns || !m->kept || !m->seen)
        return false;
    for (size_t i = 0; i < f->n; i++) {
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++)
            m->size[i] += f->members[k].weight > 0;
        m->size[i] = m->size[i] < 2 ? 0 : m->size[i];
    }
    choose_blocks(m);
    return number_unknowns(m);
}

void tr__fit_normal_free(struct tr__fit_normal *m)
{
    if (!m)
        return;
    for (size_t b = 0; b < m->n_blocks; b++) {
        free(m->blocks[b].v);
        free(m->blocks[b].z);
        free(m->blocks[b].kept);
    }
    for (int which = 0; which < 2; which++) {
        free(m->column[which]);
        free(m->rest[which]);
    }
    free(m->size);
    free(m->parent);
    free(m->block_of);
    free(m->at);
    free(m->unknowns);
    free(m->kept);
    free(m->seen);
    free(m->blocks);
    free(m->s);
    free(m->all);
    free(m);
}

/* ---- anchors ---- */

/* The factor of an unknown of a member, p or s. */
static double factor(const struct tr_clockfit *f, const struct tr__fit_member *k, size_t which)
{
    const struct tr__fit_clock *c = &f->clocks[k->clock];
    return which ? (k->y - c->middle) / f->scale : 1;
}

/* Add to D what a member and another one of its block have: itself without its anchor's time, or the time's part. */
static void add_product(struct tr__fit_normal *m, size_t one, size_t other, double weight)
{
    const struct tr__fit_member *a = &m->f->members[one], *b = &m->f->members[other];
    struct block *to = &m->blocks[m->block_of[a->clock]];
    for (size_t x = 0; x < m->per; x++)
        for (size_t y = 0; y < m->per; y++) {
            size_t row = m->at[a->clock] + x, column = m->at[b->clock] + y;
            if (column <= row)
                to->v[row * to->n + column] += weight * factor(m->f, a, x) * factor(m->f, b, y);
        }
}

/* What an anchor of few clocks adds to its block: its own time is eliminated, by subtracting products of its sums. */
static void add_to_block(struct tr__fit_normal *m, size_t anchor, double weights)
{
    const struct tr_clockfit *f = m->f;
    for (size_t k = f->first[anchor]; k < tr__fit_end(f, anchor); k++) {
        if (!counts(f, k))
            continue;
        add_product(m, k, k, f->members[k].weight);
        for (size_t j = f->first[anchor]; j < tr__fit_end(f, anchor); j++)
            if (counts(f, j))
                add_product(m, k, j, -f->members[k].weight * f->members[j].weight / weights);
    }
}

/* An anchor that is kept, with its number. */
static void add_kept(struct tr__fit_normal *m, size_t anchor, size_t number, double weights)
{
    const struct tr_clockfit *f = m->f;
    m->s[number * m->n_kept + number] = weights;
    for (size_t k = f->first[anchor]; k < tr__fit_end(f, anchor); k++) {
        const struct tr__fit_member *a = &f->members[k];
        if (!counts(f, k))
            continue;
        struct block *b = &m->blocks[m->block_of[a->clock]];
        add_product(m, k, k, a->weight);
        if (!b->n_kept || b->kept[b->n_kept - 1] != number)
            b->kept[b->n_kept++] = number;
        for (size_t x = 0; x < m->per; x++)
            b->z[(b->n_kept - 1) * b->n + m->at[a->clock] + x] = a->weight * factor(f, a, x);
    }
}

static void add_anchors(struct tr__fit_normal *m)
{
    const struct tr_clockfit *f = m->f;
    size_t kept = 0;
    for (size_t i = 0; i < f->n; i++) {
        double weights = 0, sum = 0;
        if (!m->size[i])
            continue;
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++) {
            weights += f->members[k].weight;
            sum += f->members[k].weight * tr__fit_aligned(f, f->members[k].clock, f->members[k].y);
        }
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++) {
            double off = tr__fit_aligned(f, f->members[k].clock, f->members[k].y) - sum / weights;
            m->residuals += f->members[k].weight * off * off;
        }
        m->freedom += weights * (double)(m->size[i] - 1) / (double)m->size[i];
        if (m->size[i] <= m->limit)
            add_to_block(m, i, weights);
        else
            add_kept(m, i, kept++, weights);
    }
}

/* ---- the inverse ---- */

/* Cholesky, in place.  An unknown that no anchor determines gets a 0 on the diagonal. */
static void factorize(double *v, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double own = v[j * n + j], left = own;
        for (size_t k = 0; k < j; k++)
            left -= v[j * n + k] * v[j * n + k];
        double to = left > own * 1e-12 ? sqrt(left) : 0;
        v[j * n + j] = to;
        for (size_t i = j + 1; i < n; i++) {
            double entry = v[i * n + j];
            for (size_t k = 0; k < j; k++)
                entry -= v[i * n + k] * v[j * n + k];
            v[i * n + j] = to > 0 ? entry / to : 0;
        }
    }
}

/* Divide a vector, whose entries before `from` are 0, by a factor.  An entry that is not determined becomes `lost`, or
 * 0 if it is 0. */
static void divide(const double *v, size_t n, size_t from, double lost, double *x)
{
    for (size_t i = from; i < n; i++) {
        double left = x[i];
        for (size_t k = from; k < i; k++)
            left -= v[i * n + k] * x[k];
        x[i] = v[i * n + i] > 0 ? left / v[i * n + i] : left != 0 ? lost : 0;
    }
}

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The factors of all blocks, and of what is left of the anchors that are kept. */
static void factorize_all(struct tr__fit_normal *m)
{
    for (size_t i = 0; i < m->n_blocks; i++) {
        struct block *b = &m->blocks[i];
        factorize(b->v, b->n);
        for (size_t j = 0; j < b->n_kept; j++) {
            divide(b->v, b->n, 0, 0, b->z + j * b->n);
            for (size_t k = 0; k <= j; k++)
                m->s[b->kept[j] * m->n_kept + b->kept[k]] -= product(b->z + j * b->n, b->z + k * b->n, b->n);
        }
    }
    factorize(m->s, m->n_kept);
}

struct tr__fit_normal *tr__fit_normal_new(const struct tr_clockfit *f)
{
    struct tr__fit_normal *m = calloc(1, sizeof *m);
    if (!m || !init(m, f)) {
        tr__fit_normal_free(m);
        return NULL;
    }
    add_anchors(m);
    factorize_all(m);
    return m;
}

/* ---- equations ---- */

/* Divide a vector by the transposed factor. */
static void divide_back(const double *v, size_t n, double *x)
{
    for (size_t i = n; i-- > 0;) {
        x[i] = v[i * n + i] > 0 ? x[i] / v[i * n + i] : 0;
        for (size_t k = 0; k < i; k++)
            x[k] -= v[i * n + k] * x[i];
    }
}

/* Copy the unknowns from a vector of two entries per clock to blocks one after the other, or back. */
static void copy_unknowns(const struct tr__fit_normal *m, const double *from, double *to, bool back)
{
    for (size_t c = 0; c < m->f->n_clocks; c++)
        for (size_t x = 0; x < m->per && c != m->f->reference; x++) {
            size_t here = 2 * c + x, there = m->blocks[m->block_of[c]].first + m->at[c] + x;
            to[back ? here : there] = from[back ? there : here];
        }
}

void tr__fit_normal_divide(struct tr__fit_normal *m, const double *r, double *z)
{
    double *kept = m->rest[0];
    for (size_t i = 0; i < m->n_kept; i++)
        kept[i] = 0;
    copy_unknowns(m, r, m->all, false);
    for (size_t i = 0; i < m->n_blocks; i++) {
        const struct block *b = &m->blocks[i];
        divide(b->v, b->n, 0, 0, m->all + b->first);
        for (size_t j = 0; j < b->n_kept; j++)
            kept[b->kept[j]] += product(b->z + j * b->n, m->all + b->first, b->n);
    }
    divide(m->s, m->n_kept, 0, 0, kept);
    divide_back(m->s, m->n_kept, kept);
    for (size_t i = 0; i < m->n_blocks; i++) {
        const struct block *b = &m->blocks[i];
        for (size_t j = 0; j < b->n_kept; j++)
            for (size_t u = 0; u < b->n; u++)
                m->all[b->first + u] += b->z[j * b->n + u] * kept[b->kept[j]];
        divide_back(b->v, b->n, m->all + b->first);
    }
    for (size_t u = 0; u < 2 * m->f->n_clocks; u++)
        z[u] = 0;
    copy_unknowns(m, m->all, z, true);
}

/* ---- errors ---- */

/* Find the column of an unknown of a clock, p or s. */
static void find_column(struct tr__fit_normal *m, size_t clock, int which)
{
    const struct block *b = &m->blocks[m->block_of[clock]];
    size_t unknown = m->at[clock] + (size_t)which;
    double *column = m->column[which], *rest = m->rest[which];
    for (size_t i = 0; i < b->n; i++)
        column[i] = i == unknown;
    divide(b->v, b->n, unknown, 0, column);
    if (!(b->v[unknown * b->n + unknown] > 0))
        column[unknown] = NAN;
    for (size_t i = 0; i < m->n_kept; i++)
        rest[i] = 0;
    for (size_t j = 0; j < b->n_kept; j++)
        rest[b->kept[j]] = product(b->z + j * b->n, column, b->n);
    if (b->n_kept)
        divide(m->s, m->n_kept, b->kept[0], NAN, rest);
}

/* An entry of the inverse: of p or s, and p or s, of the clock whose columns were found. */
static double entry(const struct tr__fit_normal *m, size_t clock, int a, int b)
{
    return product(m->column[a], m->column[b], m->blocks[m->block_of[clock]].n) +
           product(m->rest[a], m->rest[b], m->n_kept);
}

static void set_errors(struct tr__fit_normal *m, size_t clock, struct tr__fit_clock *c, double variance)
{
    double back = -c->middle / m->f->scale, pp, ps = 0, ss = 0; /* offsets hold at zero */
    find_column(m, clock, 0);
    pp = entry(m, clock, 0, 0);
    if (m->per == 2) {
        find_column(m, clock, 1);
        ps = entry(m, clock, 0, 1);
        ss = entry(m, clock, 1, 1);
    }
    c->offset_se = sqrt(variance * (pp + 2 * back * ps + back * back * ss) + ROUNDING);
    c->drift_se = sqrt(variance * ss) / m->f->scale;
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
    struct tr__fit_normal *m = tr__fit_normal_new(f);
    double weight = 0;
    if (!m)
        return false;
    for (size_t k = 0; k < f->n_members; k++)
        weight += f->members[k].weight / (double)f->n_members;
    double unknowns = (double)((f->n_clocks - 1) * m->per), freedom = m->freedom - unknowns * weight;
    double wider = student(freedom) * student(freedom), variance = BIWEIGHT * wider * m->residuals / freedom;
    for (size_t c = 0; c < f->n_clocks; c++) {
        f->clocks[c].offset_se = f->clocks[c].drift_se = 0;
        if (c != f->reference)
            set_errors(m, c, &f->clocks[c], freedom >= MIN_FREEDOM ? fmax(variance, ROUNDING) : (double)NAN);
    }
    tr__fit_normal_free(m);
    return true;
}
