/* SPDX-License-Identifier: MIT */
/* Clocks: transforms lead back exactly; fits meet scaled offsets as closely as their jitter lets them. */
#include "harness/tap.h"

#include "analysis/clocks/tr_clockfit_int.h"
#include "stream/tr_event.h"

#include <math.h>
#include <stdlib.h>

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int64_t between(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(next_random(state) % (uint64_t)(high - low + 1));
}

/* Nearly normal, of standard deviation 1: a sum of twelve. */
static double normal(uint64_t *state)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += (double)(next_random(state) >> 11) / 9007199254740992.0 - 0.5;
    return sum;
}

/* ---- transforms ---- */

static bool leads_back(const struct tr_clock *c, int64_t t)
{
    int64_t now, next, before, back;
    if (!tr_clock_apply(c, t, &now))
        return true; /* out of range, and said so */
    if (!tr_clock_apply(c, t + 1, &next) || !tr_clock_apply(c, t - 1, &before))
        return true;
    bool upper = before == now;
    return next >= now && before <= now && tr_clock_invert(c, now, upper, &back) && back == t &&
           tr_clock_invert(c, now, false, &back) && back == (upper ? t - 1 : t);
}

#if defined __SIZEOF_INT128__
/* What the rule says, worked out in one piece. */
static int64_t by_rule(const struct tr_clock *c, int64_t t)
{
    __extension__ typedef __int128 wide;
    wide unit = (wide)TR_DRIFT_UNIT + c->drift, n = ((wide)t - c->origin) * c->drift * 2 + unit;
    wide rounded = n / (2 * unit) - (n % (2 * unit) < 0);
    return (int64_t)((wide)t - c->offset - rounded);
}
#endif

static void test_transforms(void)
{
    uint64_t rng = 1;
    int wrong = 0, other = 0;
    for (int i = 0; i < 20000; i++) {
        int64_t max = i % 3 ? 50000000 : TR_DRIFT_MAX;
        struct tr_clock c = { .origin = between(&rng, -(INT64_C(1) << 60), INT64_C(1) << 60),
                              .offset = between(&rng, -2000000000, 2000000000),
                              .drift = between(&rng, -max, max) };
        int64_t t = i & 1 ? c.origin + between(&rng, -300000, 300000)
                          : between(&rng, -(INT64_C(1) << 61), INT64_C(1) << 61);
        int64_t now;
        wrong += !leads_back(&c, t);
        other += !tr_clock_apply(&c, t, &now);
#if defined __SIZEOF_INT128__
        other += now != by_rule(&c, t);
#endif
    }
    CHECK(wrong == 0);
    CHECK(other == 0);
}

static void test_collapse(void)
{
    struct tr_clock c = { .drift = 50000000 }; /* 50 ppm */
    int64_t now, last = TR_TIME_NONE;
    int same = 0;
    for (int64_t t = 0; t < 1000000; t++) {
        if (!tr_clock_apply(&c, t, &now) || !leads_back(&c, t))
            CHECK(!"in range");
        same += now == last;
        last = now;
    }
    CHECK(same == 50); /* so many of a million neighbours fall together */
}

static void test_range(void)
{
    struct tr_clock c = { .offset = 10 };
    int64_t t;
    CHECK(!tr_clock_apply(&c, INT64_MIN + 5, &t));
    CHECK(!tr_clock_apply(&c, INT64_MIN + 10, &t)); /* that value means "none" */
    CHECK(tr_clock_apply(&c, INT64_MIN + 11, &t) && t == INT64_MIN + 1);
    CHECK(!tr_clock_invert(&c, INT64_MAX - 5, false, &t));
    c.offset = 0; /* one step from the value that means "none" */
    CHECK(tr_clock_invert(&c, INT64_MIN + 2, false, &t) && t == INT64_MIN + 2);
    CHECK(!tr_clock_invert(&c, INT64_MIN + 1, false, &t));
    c.offset = INT64_MIN;
    CHECK(!tr_clock_apply(&c, 0, &t) && !tr_clock_invert(&c, 0, false, &t));
}

static void test_fixes(void)
{
    struct tr_clock c = { .source = 0 };
    for (uint64_t r = 100; r > 0; r--)
        CHECK(tr_clock_add_fix(&c, 3 * r, (uint8_t)(1 + r % 63)));
    tr_clock_sort_fixes(&c);
    CHECK(tr_clock_fix_of(&c, 300) == 1 + 100 % 63 && tr_clock_fix_of(&c, 3) == 2);
    CHECK(tr_clock_fix_of(&c, 4) == 0 && tr_clock_fix_of(&c, 0) == 0);
    free(c.fixes);
}

/* ---- fits ---- */

#define MAX_RANKS 64

/* A job: what all clocks show of the same anchors, and the truth. */
struct job {
    size_t ranks, anchors, group; /* group: ranks that share an anchor; 0: all */
    double jitter;                /* ns */
    double missing, wild;         /* share of members that are not there, or anywhere */
    bool drift, late;             /* the last rank joins after half of the time */
    int64_t offset[MAX_RANKS], ppt[MAX_RANKS];               /* ns; 10^-12 */
    double n[MAX_RANKS], sum[MAX_RANKS], squares[MAX_RANKS]; /* of good members, time in s */
};

#define SPACING INT64_C(20000000) /* ns between anchors */
#define BASE    (INT64_C(1) << 58)

static int64_t shown(const struct job *j, size_t rank, int64_t t)
{
    return t + j->offset[rank] + (int64_t)floor((double)(t - BASE) * 1e-12 * (double)j->ppt[rank]);
}

static void draw_clocks(struct job *j, uint64_t *rng)
{
    for (size_t r = 0; r < j->ranks; r++) {
        j->offset[r] = r ? between(rng, -1000000000, 1000000000) : 0;
        j->ppt[r] = r && j->drift ? between(rng, -50000000, 50000000) : 0;
        j->n[r] = j->sum[r] = j->squares[r] = 0;
    }
}

static bool sees(const struct job *j, size_t rank, size_t anchor, uint64_t *rng)
{
    if (j->late && rank + 1 == j->ranks && anchor < j->anchors / 2)
        return false;
    /* Groups overlap by one rank, turn by turn, so that all are connected. */
    if (j->group && anchor % j->ranks / (j->group - 1) != rank / (j->group - 1) &&
        rank != (anchor % j->ranks / (j->group - 1) + 1) * (j->group - 1))
        return false;
    return (double)between(rng, 0, 999999) / 1e6 >= j->missing;
}

static struct tr_clockfit *feed(struct job *j, uint64_t *rng)
{
    struct tr_clockfit *f;
    if (tr_clockfit_new(&f, j->ranks, 0, NULL) != TR_OK)
        return NULL;
    for (size_t i = 0; i < j->anchors; i++) {
        int64_t at = BASE + (int64_t)i * SPACING + between(rng, 0, SPACING / 2);
        bool good[MAX_RANKS] = { false };
        size_t n_good = 0;
        tr_clockfit_anchor(f);
        for (size_t r = 0; r < j->ranks; r++) {
            int64_t true_end = at + (int64_t)lround(j->jitter * normal(rng)), arrived;
            arrived = at - 100000 - between(rng, 0, 5000000);
            if (!sees(j, r, i, rng))
                continue;
            bool wild = (double)between(rng, 0, 999999) / 1e6 < j->wild;
            int64_t end = shown(j, r, wild ? true_end + between(rng, 100000, 80000000) : true_end);
            tr_clockfit_member(f, r, shown(j, r, arrived), end);
            good[r] = !wild;
            n_good += !wild;
        }
        for (size_t r = 0; r < j->ranks; r++) {
            double t = (double)(at - BASE) * 1e-9, counts = good[r] && n_good > 1;
            j->n[r] += counts;
            j->sum[r] += counts * t;
            j->squares[r] += counts * t * t;
        }
    }
    return f;
}

/* Standard errors of offset (ns, at BASE) and drift (ppm) of a rank against rank 0, from its anchors. */
static void errors_of(const struct job *j, size_t r, double *offset, double *drift)
{
    double mean = 0, slope = 0;
    for (size_t k = 0; k <= r; k += r) {
        double m = j->sum[k] / j->n[k], spread = j->squares[k] - j->n[k] * m * m;
        double own = j->jitter * j->jitter / j->n[k];
        mean += own + (j->drift ? m * m * j->jitter * j->jitter / spread : 0);
        slope += j->jitter * j->jitter / spread;
    }
    *offset = sqrt(mean);
    *drift = sqrt(slope) * 1e-3; /* ns per s to ppm */
}

struct misses {
    double worst, squares, worst_drift, drift_squares, worst_ppm;
    double scaled, drift_scaled; /* squares of errors over the standard errors that the fit gives */
    size_t n, beyond[5];     /* results; those beyond so many such standard errors, of either kind */
};

static void judge(struct job *j, uint64_t seed, struct misses *m)
{
    uint64_t rng = seed;
    const struct tr_clockfit_opts opts = { .origin = BASE, .drift = j->drift };
    draw_clocks(j, &rng);
    struct tr_clockfit *f = feed(j, &rng);
    uint64_t few;
    CHECK(f && tr_clockfit_weak(f, 3, &few) == j->ranks);
    CHECK(f && tr_clockfit_solve(f, &opts, NULL) == TR_OK);
    for (size_t r = 1; f && r < j->ranks; r++) {
        struct tr_clockfit_row row;
        double se, se_ppm;
        CHECK(tr_clockfit_row(f, r, &row, NULL) == TR_OK);
        errors_of(j, r, &se, &se_ppm);
        double miss = (double)(row.offset - j->offset[r]) / (se > 1 ? se : 1);
        double ppm = (double)(row.drift - j->ppt[r]) * 1e-6;
        m->worst = fmax(m->worst, fabs(miss));
        m->squares += miss * miss;
        m->scaled += pow((double)(row.offset - j->offset[r]) / row.offset_se, 2);
        for (int k = 0; k < 5; k++)
            m->beyond[k] += fabs((double)(row.offset - j->offset[r])) > k * row.offset_se;
        CHECK(j->drift ? row.drift_se > 0 : row.drift_se == 0);
        if (j->drift) {
            m->drift_scaled += pow(ppm * 1e-6 / row.drift_se, 2);
            for (int k = 0; k < 5; k++)
                m->beyond[k] += fabs(ppm * 1e-6) > k * row.drift_se;
            m->worst_drift = fmax(m->worst_drift, fabs(ppm / se_ppm));
            m->drift_squares += ppm / se_ppm * (ppm / se_ppm);
            if (se_ppm < 0.25)
                m->worst_ppm = fmax(m->worst_ppm, fabs(ppm));
        }
        m->n++;
    }
    tr_clockfit_free(f);
}

static void check_misses(struct job *j, unsigned seeds, double factor)
{
    struct misses m = { 0 };
    for (uint64_t s = 1; s <= seeds; s++)
        judge(j, s * 7919, &m);
    double rms = sqrt(m.squares / (double)m.n), drift = sqrt(m.drift_squares / (double)m.n);
    printf(
        "# %zu ranks, %u seeds: worst %.2f, rms %.2f standard errors; drift %.2f, %.2f; %.3f ppm\n",
        j->ranks, seeds, m.worst, rms, m.worst_drift, drift, m.worst_ppm);
    double scaled = sqrt(m.scaled / (double)m.n), drift_scaled = sqrt(m.drift_scaled / (double)m.n);
    printf("# errors over the standard errors told: %.2f, drift %.2f\n", scaled, drift_scaled);
    CHECK(scaled > 0.8 && scaled < 1.3);
    CHECK(!j->drift || (drift_scaled > 0.8 && drift_scaled < 1.3));
    CHECK(m.worst < 4 * factor);
    CHECK(rms < 1.3 * factor);
    CHECK(m.worst_drift < 4 * factor);
    CHECK(drift < 1.3 * factor);
    CHECK(m.worst_ppm < 1);
}

static void test_offsets(void)
{
    check_misses(&(struct job){ .ranks = 2, .anchors = 200, .jitter = 3000, .missing = 0.05 }, 200,
                 1);
    check_misses(&(struct job){ .ranks = 8, .anchors = 200, .jitter = 3000, .missing = 0.05 }, 60,
                 1);
    check_misses(&(struct job){ .ranks = 64, .anchors = 150, .jitter = 3000, .missing = 0.05 }, 12,
                 1);
}

/* Standard errors of few anchors hold what those of many do: 95 of 100 errors within two of them. */
static void test_few(void)
{
    for (size_t n = 6; n <= 24; n += n / 2) {
        struct job j = { .ranks = 2, .anchors = n, .jitter = 2000, .drift = true };
        struct misses m = { 0 };
        for (uint64_t s = 1; s <= 1000; s++)
            judge(&j, s * 104729, &m);
        printf("# %zu anchors: beyond 2 %zu, beyond 4 %zu of %zu\n", n, m.beyond[2], m.beyond[4], 2 * m.n);
        CHECK(m.beyond[2] > 20 && m.beyond[2] < 140); /* of 2000, 91 if normal */
        CHECK(m.beyond[4] < 25);
    }
}

static void test_drifts(void)
{
    struct job j = { .anchors = 400, .jitter = 2000, .missing = 0.05, .drift = true, .late = true };
    j.ranks = 2;
    check_misses(&j, 60, 1);
    j.ranks = 8;
    check_misses(&j, 30, 1);
    j.ranks = 64;
    j.anchors = 200;
    check_misses(&j, 12, 1);
}

static void test_outliers(void)
{
    struct job j = { .anchors = 400, .jitter = 2000, .missing = 0.05, .wild = 0.05, .drift = true };
    j.ranks = 8;
    check_misses(&j, 30, 1.05); /* the biweight pays 5 % for looking away */
    j.ranks = 2;                /* of two, nobody knows which is wrong */
    check_misses(&j, 60, 1.1);
}

/* Groups of four that share a rank with the next: most ranks meet the reference only through others. */
static void test_groups(void)
{
    struct job j = { .ranks = 16, .anchors = 1600, .jitter = 2000, .group = 4, .drift = true };
    struct misses m = { 0 };
    for (uint64_t s = 1; s <= 10; s++)
        judge(&j, s, &m);
    /* Errors add up along the chain of at most five groups. */
    printf("# groups: worst %.2f, rms %.2f\n", m.worst, sqrt(m.squares / (double)m.n));
    CHECK(m.worst < 4 * sqrt(5));
    CHECK(m.worst_ppm < 1);
}

static void test_exact(void)
{
    struct job j = { .ranks = 8, .anchors = 50, .drift = true };
    uint64_t rng = 3;
    const struct tr_clockfit_opts opts = { .origin = BASE, .drift = true };
    draw_clocks(&j, &rng);
    struct tr_clockfit *f = feed(&j, &rng);
    CHECK(tr_clockfit_solve(f, &opts, NULL) == TR_OK);
    CHECK(tr_clockfit_violations(f) == 0);
    for (size_t r = 0; r < j.ranks; r++) {
        struct tr_clockfit_row row;
        CHECK(tr_clockfit_row(f, r, &row, NULL) == TR_OK);
        CHECK(llabs(row.offset - j.offset[r]) <= 1);
        CHECK(llabs(row.drift - j.ppt[r]) <= 2000); /* 0.002 ppm: times are whole ns */
        CHECK(row.residual_max <= 2 && row.anchors == j.anchors && row.ignored == 0);
    }
    tr_clockfit_free(f);
}

/* Ends that agree to the nanosecond, but for a quarter that is anywhere: so exact are simulated traces. */
static void test_exact_but_wild(void)
{
    struct job j = { .ranks = 3, .anchors = 200, .wild = 0.25 };
    uint64_t rng = 5;
    draw_clocks(&j, &rng);
    struct tr_clockfit *f = feed(&j, &rng);
    CHECK(tr_clockfit_solve(f, &(struct tr_clockfit_opts){ .origin = BASE }, NULL) == TR_OK);
    for (size_t r = 1; r < j.ranks; r++) {
        struct tr_clockfit_row row;
        CHECK(tr_clockfit_row(f, r, &row, NULL) == TR_OK);
        CHECK(llabs(row.offset - j.offset[r]) <= 1 && row.ignored > 30 && row.ignored < 110);
    }
    tr_clockfit_free(f);
}

/* ---- standard errors, from the whole normal matrix ---- */

/* Add the products of an anchor: of each member's unknowns less their mean. */
static void add_dense(const struct tr_clockfit *f, size_t anchor, double *matrix, size_t n)
{
    double *mean = calloc(n, sizeof *mean), *own = calloc(n, sizeof *own), weights = 0;
    for (size_t k = f->first[anchor]; k < tr__fit_end(f, anchor); k++) {
        const struct tr__fit_member *m = &f->members[k];
        mean[2 * m->clock] += m->weight;
        mean[2 * m->clock + 1] += m->weight * (m->y - f->clocks[m->clock].middle) / f->scale;
        weights += m->weight;
    }
    for (size_t k = f->first[anchor]; k < tr__fit_end(f, anchor) && weights > 0; k++) {
        const struct tr__fit_member *m = &f->members[k];
        for (size_t u = 0; u < n; u++)
            own[u] = -mean[u] / weights;
        own[2 * m->clock] += 1;
        own[2 * m->clock + 1] += (m->y - f->clocks[m->clock].middle) / f->scale;
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                matrix[a * n + b] += m->weight * own[a] * own[b];
    }
    free(mean);
    free(own);
}

/* Invert a matrix in place, by Gauss and Jordan; it is positive. */
static void invert(double *v, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        double pivot = v[k * n + k];
        v[k * n + k] = 1;
        for (size_t j = 0; j < n; j++)
            v[k * n + j] /= pivot;
        for (size_t i = 0; i < n; i++) {
            double times = i == k ? 0 : v[i * n + k];
            v[i * n + k] = i == k ? v[i * n + k] : 0;
            for (size_t j = 0; j < n && i != k; j++)
                v[i * n + j] -= times * v[k * n + j];
        }
    }
}

/* The mean square of the residuals, and the degrees of freedom that are left. */
static double dense_variance(const struct tr_clockfit *f, double unknowns)
{
    double squares = 0, freedom = 0, all = 0;
    for (size_t i = 0; i < f->n; i++) {
        double sum = 0, weights = 0, n = 0;
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++) {
            n += f->members[k].weight > 0;
            weights += f->members[k].weight;
            sum += f->members[k].weight * tr__fit_aligned(f, f->members[k].clock, f->members[k].y);
        }
        all += weights;
        if (n < 2)
            continue;
        freedom += weights * (n - 1) / n;
        for (size_t k = f->first[i]; k < tr__fit_end(f, i); k++)
            squares += f->members[k].weight *
                       pow(tr__fit_aligned(f, f->members[k].clock, f->members[k].y) - sum / weights, 2);
    }
    freedom -= unknowns * all / (double)f->n_members;
    double d = 1 / freedom, wider = 1 + d * (1.25 + d * (1.53125 + d * (1.4297 + d * 0.922)));
    return fmax(1.1633 * wider * wider * squares / freedom, 1.0 / 12);
}

/* The largest relative difference of the standard errors of a fit from those of the whole matrix. */
static double off_dense(const struct tr_clockfit *f, bool drift)
{
    size_t n = 2 * f->n_clocks;
    double *v = calloc(n * n, sizeof *v), worst = 0;
    double variance = dense_variance(f, (double)((f->n_clocks - 1) * (drift ? 2 : 1)));
    for (size_t i = 0; i < f->n; i++)
        add_dense(f, i, v, n);
    for (size_t u = 0; u < n; u++) /* what is fixed stands alone */
        for (size_t o = 0; o < n && (u / 2 == f->reference || (u % 2 && !drift)); o++)
            v[u * n + o] = v[o * n + u] = u == o;
    invert(v, n);
    for (size_t c = 0; c < f->n_clocks; c++) {
        const struct tr__fit_clock *k = &f->clocks[c];
        double back = drift ? -k->middle / f->scale : 0, pp = v[2 * c * n + 2 * c], ps = v[2 * c * n + 2 * c + 1];
        double ss = v[(2 * c + 1) * n + 2 * c + 1];
        double offset = sqrt(variance * (pp + 2 * back * ps + back * back * ss) + 1.0 / 12);
        double slope = sqrt(variance * ss) / f->scale;
        if (c == f->reference)
            continue;
        worst = fmax(worst, fabs(k->offset_se / offset - 1));
        worst = drift ? fmax(worst, fabs(k->drift_se / slope - 1)) : worst;
        worst = isnan(k->offset_se) || isnan(k->drift_se) ? INFINITY : worst;
    }
    free(v);
    return worst;
}

/* Anchors of all clocks, and of groups of neighbours. */
struct shape {
    size_t clocks, all, group, of_group;
};

static double off_of_shape(const struct shape *s, uint64_t seed, bool drift)
{
    struct tr_clockfit *f;
    uint64_t rng = seed;
    const struct tr_clockfit_opts opts = { .origin = BASE, .drift = drift };
    size_t n_groups = s->group ? s->clocks / s->group : 0;
    CHECK(tr_clockfit_new(&f, s->clocks, s->clocks / 3, NULL) == TR_OK);
    for (size_t i = 0; i < s->all + n_groups * s->of_group; i++) {
        size_t group = i < s->all ? 0 : (i - s->all) % n_groups, n = i < s->all ? s->clocks : s->group;
        int64_t at = BASE + between(&rng, 0, INT64_C(5000000000));
        tr_clockfit_anchor(f);
        for (size_t c = group * n; c < (group + 1) * n; c++)
            if (between(&rng, 0, 9))
                tr_clockfit_member(f, c, TR_TIME_NONE,
                                   at + 1000 * (int64_t)c + (int64_t)lround(2000 * normal(&rng)) +
                                       (between(&rng, 0, 19) ? 0 : 1000000));
    }
    double off = tr_clockfit_solve(f, &opts, NULL) == TR_OK ? off_dense(f, drift) : INFINITY;
    tr_clockfit_free(f);
    return off;
}

/*
 * Few anchors of many clocks, many of few, and groups with many of their own: each is computed in another way, and all
 * give what the whole matrix gives.
 */
static void test_whole_matrix(void)
{
    static const struct shape shapes[] = {
        { 40, 16, 0, 0 }, { 4, 80, 0, 0 }, { 48, 10, 4, 30 }, { 30, 12, 10, 5 }, { 24, 8, 2, 40 }, { 3, 6, 0, 0 },
    };
    double worst = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint64_t seed = 1; seed <= 8; seed++)
            worst = fmax(worst, off_of_shape(&shapes[i], seed * 31 + i, seed % 2));
    printf("# standard errors differ from those of the whole matrix by %.1e at most\n", worst);
    CHECK(worst < 1e-9);
}

/* ---- who cannot be aligned ---- */

static struct tr_clockfit *pairs(const size_t (*who)[2], size_t n)
{
    struct tr_clockfit *f;
    if (tr_clockfit_new(&f, 4, 0, NULL) != TR_OK)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        tr_clockfit_anchor(f);
        tr_clockfit_member(f, who[i][0], TR_TIME_NONE, (int64_t)i * 1000);
        if (who[i][1] < 4)
            tr_clockfit_member(f, who[i][1], TR_TIME_NONE, (int64_t)i * 1000);
    }
    return f;
}

static void test_weak(void)
{
    static const size_t apart[][2] = { { 0, 1 }, { 2, 3 }, { 0, 1 }, { 2, 3 } };
    static const size_t joined[][2] = { { 2, 3 }, { 0, 1 }, { 1, 2 }, { 3, 9 } };
    uint64_t n;
    struct tr_clockfit *f = pairs(apart, 4);
    CHECK(tr_clockfit_weak(f, 2, &n) == 2 && n == 2); /* enough, but connected with 3 only */
    CHECK(tr_clockfit_weak(f, 3, &n) == 0 && n == 2);
    CHECK(tr_clockfit_solve(f, &(struct tr_clockfit_opts){ 0 }, NULL) == TR_USAGE);
    tr_clockfit_free(f);
    f = pairs(joined, 4);
    CHECK(tr_clockfit_weak(f, 1, &n) == 4); /* all connected */
    CHECK(tr_clockfit_weak(f, 2, &n) == 0 && n == 1);
    tr_clockfit_free(f);
}

/* One rank always ends so late that the mean of the ends would put an end before another's start. */
/* Clock 1 is 400 ns ahead, transfers take so long, and ends on it are 0 to 1400 ns late: least squares says 1100. */
static struct tr_clockfit *late_ends(int64_t transfer)
{
    struct tr_clockfit *f;
    CHECK(tr_clockfit_new(&f, 2, 0, NULL) == TR_OK);
    for (int64_t i = 0; i < 100; i++) {
        int64_t at = i * 1000000;
        tr_clockfit_anchor(f);
        tr_clockfit_member(f, 0, at - transfer - 5000 * (i & 1), at);
        tr_clockfit_member(f, 1, at - transfer - 5000 * !(i & 1) + 400, at + 400 + 1400 * (i % 10) / 9);
    }
    CHECK(tr_clockfit_solve(f, &(struct tr_clockfit_opts){ 0 }, NULL) == TR_OK);
    return f;
}

static void test_causality(void)
{
    struct tr_clockfit_row row;
    struct tr_clockfit *f = late_ends(680); /* 20 ns are missing, and 3 for rounding */
    CHECK(tr_clockfit_violations(f) == 0);
    CHECK(tr_clockfit_row(f, 1, &row, NULL) == TR_OK);
    CHECK(row.offset >= 1074 && row.offset <= 1080 && row.offset_se > 26);
    tr_clockfit_free(f);
    f = late_ends(100); /* 600: a clock is not moved by more than its error */
    CHECK(tr_clockfit_violations(f) > 0);
    CHECK(tr_clockfit_row(f, 1, &row, NULL) == TR_OK);
    CHECK(fabs(1100 - row.offset_se - (double)row.offset) <= 1 && row.offset_se < 60);
    tr_clockfit_free(f);
}

/*
 * Collectives of clock 1 that ended before clock 0 came to those that they stand beside: their ends are even further
 * apart than what causality lacks, so no error of a clock makes up for that, and they are ignored.
 */
static void test_impossible(void)
{
    struct tr_clockfit *f;
    struct tr_clockfit_row row;
    uint64_t rng = 9;
    CHECK(tr_clockfit_new(&f, 2, 0, NULL) == TR_OK);
    for (int64_t i = 0; i < 40; i++) {
        int64_t at = i * 1000000, early = i % 8 == 3 ? 200000 : 0;
        int64_t end = at + (int64_t)lround(1000 * normal(&rng)), other = at + (int64_t)lround(1000 * normal(&rng));
        tr_clockfit_anchor(f);
        tr_clockfit_member(f, 0, at - 100000, end);
        tr_clockfit_member(f, 1, at - 100000 - early + 5000, other - early + 5000);
    }
    CHECK(tr_clockfit_solve(f, &(struct tr_clockfit_opts){ 0 }, NULL) == TR_OK);
    CHECK(tr_clockfit_row(f, 1, &row, NULL) == TR_OK);
    CHECK(row.ignored == 5 && tr_clockfit_violations(f) == 5);
    CHECK(fabs((double)(row.offset - 5000)) < 4 * row.offset_se && row.offset_se < 400);
    tr_clockfit_free(f);
}

/* Half of the anchors, and not half: within the mean distance of the anchors.  A drift that no clock has. */
static void test_agreed(void)
{
    for (int64_t wrong = 0; wrong < 3; wrong++) {
        struct tr_clockfit *f;
        CHECK(tr_clockfit_new(&f, 2, 0, NULL) == TR_OK);
        for (int64_t i = 0; i < 9; i++) {
            tr_clockfit_anchor(f);
            tr_clockfit_member(f, 0, TR_TIME_NONE, i * 1000);
            tr_clockfit_member(f, 1, TR_TIME_NONE, i * 1000 + 70 + (i < wrong ? 1001 + i : i == 8 ? 1000 : 0));
        }
        tr_clockfit_anchor(f); /* not shared */
        tr_clockfit_member(f, 1, TR_TIME_NONE, 4500);
        CHECK(tr_clockfit_solve(f, &(struct tr_clockfit_opts){ 0 }, NULL) == TR_OK);
        CHECK(tr_clockfit_agreed(f, 0) == (uint64_t)(9 - wrong));
        tr_clockfit_free(f);
    }
}

static void test_no_clock(void)
{
    for (int64_t ppm = 990; ppm <= 1010; ppm += 20) {
        struct tr_clockfit *f;
        struct tr_clockfit_row row;
        CHECK(tr_clockfit_new(&f, 2, 0, NULL) == TR_OK);
        for (int64_t i = 0; i < 20; i++) {
            tr_clockfit_anchor(f);
            tr_clockfit_member(f, 0, TR_TIME_NONE, i * 1000000);
            tr_clockfit_member(f, 1, TR_TIME_NONE, i * (1000000 + ppm));
        }
        CHECK(tr_clockfit_solve(f, &(struct tr_clockfit_opts){ .drift = true }, NULL) == TR_OK);
        CHECK(tr_clockfit_row(f, 1, &row, NULL) == (ppm < 1000 ? TR_OK : TR_NO));
        tr_clockfit_free(f);
    }
}

static const struct tap_test tests[] = {
    { "transforms lead back, and are what their rule says", test_transforms },
    { "neighbours that fall together are told apart", test_collapse },
    { "times out of range are refused", test_range },
    { "fixes are found", test_fixes },
    { "offsets of 2, 8 and 64 ranks", test_offsets },
    { "few anchors", test_few },
    { "offsets and drifts, with a rank that joins late", test_drifts },
    { "ends that are far off", test_outliers },
    { "groups that share a rank", test_groups },
    { "without jitter to the nanosecond", test_exact },
    { "exact ends, and wild ones among them", test_exact_but_wild },
    { "standard errors are those of the whole normal matrix", test_whole_matrix },
    { "ranks without connection are named", test_weak },
    { "no end before a start, as far as a clock's error goes", test_causality },
    { "what contradicts causality by more than ends jitter is ignored", test_impossible },
    { "how many anchors agree", test_agreed },
    { "a drift that no clock has", test_no_clock },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
