/* SPDX-License-Identifier: MIT */
/* Unions, sweeps and statistics against answers by counting every moment and every value. */
#include "base/tr_interval.h"
#include "base/tr_stats.h"
#include "base/tr_union_length.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n_tests, n_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++n_tests, what);
    n_failed += !good;
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int64_t below(uint64_t *state, uint64_t n)
{
    return (int64_t)(next_random(state) % n);
}

#define MAX_INTERVALS 24
#define MOMENTS       64

struct interval {
    int64_t start, end;
    uint32_t set;
};

static int by_start(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static size_t random_intervals(struct interval *v, unsigned n_classes, uint64_t *rng)
{
    size_t n = (size_t)below(rng, MAX_INTERVALS + 1);
    for (size_t i = 0; i < n; i++) {
        v[i].start = below(rng, MOMENTS - 10);
        v[i].end = v[i].start + below(rng, 10) - 1; /* one in ten ends before it starts */
        v[i].set = (uint32_t)below(rng, 1u << n_classes);
    }
    qsort(v, n, sizeof *v, by_start);
    return n;
}

/* Which classes are active in [t, t + 1)? */
static uint32_t active_at(const struct interval *v, size_t n, int64_t t)
{
    uint32_t set = 0;
    for (size_t i = 0; i < n; i++)
        if (v[i].start <= t && t < v[i].end)
            set |= v[i].set;
    return set;
}

static bool union_case(uint64_t *rng)
{
    struct interval v[MAX_INTERVALS];
    size_t n = random_intervals(v, 1, rng);
    struct tr_union u = TR_UNION_INIT;
    uint64_t expected = 0;
    for (size_t i = 0; i < n; i++) {
        v[i].set = 1;
        tr_union_add(&u, v[i].start, v[i].end);
    }
    for (int64_t t = 0; t < MOMENTS; t++)
        expected += active_at(v, n, t);
    return u.sum_ns == expected;
}

static bool sweep_case(uint64_t *rng)
{
    struct interval v[MAX_INTERVALS];
    unsigned n_classes = (unsigned)below(rng, 6);
    size_t n = random_intervals(v, n_classes, rng), n_sets = (size_t)1 << n_classes;
    uint64_t expected[32] = { 0 };
    int64_t last = INT64_MIN;
    struct tr_sweep s;
    if (!tr_sweep_init(&s, n_classes))
        return false;
    for (size_t i = 0; i < n; i++) {
        int64_t end = v[i].end > v[i].start ? v[i].end : v[i].start;
        last = end > last ? end : last;
        tr_sweep_add(&s, v[i].start, v[i].end, v[i].set);
    }
    tr_sweep_finish(&s);
    if (n)
        for (int64_t t = v[0].start; t < last; t++)
            expected[active_at(v, n, t)]++;
    bool same = memcmp(expected, s.sum_ns, n_sets * sizeof *expected) == 0;
    tr_sweep_free(&s);
    return same;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b) + 1e-12;
}

/* Values small enough for plain doubles to be exact. */
static bool stats_case(uint64_t *rng)
{
    enum { MAX = 200 };
    int64_t v[MAX];
    size_t n = 1 + (size_t)below(rng, MAX), wide = 1 + (size_t)below(rng, 1000);
    struct tr_stats s = TR_STATS_INIT, other = TR_STATS_INIT;
    struct tr_hist *h = tr_hist_new(0);
    double sum = 0, squares = 0;
    bool good = h != NULL;
    for (size_t i = 0; good && i < n; i++) {
        v[i] = below(rng, wide) - (int64_t)wide / 2;
        tr_stats_add(i % 2 ? &s : &other, v[i]);
        good = tr_hist_add(h, v[i], 1);
        sum += (double)v[i];
    }
    if (!good)
        return false;
    tr_stats_merge(&s, &other);
    qsort(v, n, sizeof *v, by_value);
    tr_hist_seal(h);
    for (size_t i = 0; i < n; i++)
        squares += ((double)v[i] - sum / (double)n) * ((double)v[i] - sum / (double)n);
    good = s.n == n && s.min == v[0] && s.max == v[n - 1] && (double)tr_stats_sum(&s) == sum &&
           close_to(tr_stats_mean(&s), sum / (double)n);
    good = good && (n < 2 ? isnan(tr_stats_std(&s))
                          : fabs(tr_stats_std(&s) - sqrt(squares / (double)(n - 1))) < 1e-9);
    for (uint64_t p = 0; p <= 100; p++) {
        double at = (double)(n - 1) * (double)p / 100;
        size_t low = (size_t)((n - 1) * p / 100), high = low + 1 < n ? low + 1 : low;
        double expected = (double)v[low] + ((double)v[high] - (double)v[low]) * (at - (double)low);
        good = good && fabs(tr_hist_quantile(h, p, 100) - expected) < 1e-9;
    }
    tr_hist_free(h);
    return good;
}

static void test_extremes(void)
{
    struct tr_union u = TR_UNION_INIT;
    tr_union_add(&u, INT64_MIN + 1, INT64_MAX);
    ok(u.sum_ns == UINT64_MAX - 1, "a union longer than int64 is exact");

    struct tr_sweep s;
    ok(!tr_sweep_init(&s, TR_SWEEP_MAX_CLASSES + 1), "seventeen classes are refused");

    struct tr_stats st = TR_STATS_INIT;
    tr_stats_add(&st, INT64_MAX);
    ok(tr_stats_sum(&st) == INT64_MAX, "the largest sum");
    tr_stats_add(&st, INT64_MAX);
    ok(tr_stats_sum(&st) == TR_TIME_NONE, "a sum beyond int64 is none");
    ok(close_to(tr_stats_mean(&st), 9223372036854775807.0), "its mean is right all the same");
    ok(tr_stats_std(&st) == 0, "no spread between equal values, however large");

    struct tr_stats near = TR_STATS_INIT; /* where a sum of squares in doubles has nothing left */
    for (int64_t i = 0; i < 5; i++)
        tr_stats_add(&near, INT64_C(1700000000000000000) + i);
    ok(close_to(tr_stats_std(&near), sqrt(2.5)), "the spread of close and large values is exact");

    struct tr_stats minus = TR_STATS_INIT;
    tr_stats_add(&minus, INT64_MIN);
    tr_stats_add(&minus, -1);
    ok(tr_stats_sum(&minus) == INT64_MIN && minus.min == INT64_MIN, "the smallest value counts");
    struct tr_stats none = TR_STATS_INIT;
    ok(isnan(tr_stats_mean(&none)) && isnan(tr_stats_std(&none)),
       "nothing has neither mean nor spread");
}

static void test_times(void)
{
    const int64_t none = TR_TIME_NONE, max = INT64_MAX;
    ok(tr_time_diff(5, 8) == -3 && tr_time_diff(max, 0) == max && tr_time_diff(0, max) == -max &&
           tr_time_diff(-1, max - 1) == -max && tr_time_diff(max - 1, -1) == max,
       "differences up to the limits");
    ok(tr_time_diff(max, -1) == none && tr_time_diff(-max, 1) == none && tr_time_diff(-1, max) == none &&
           tr_time_diff(-max, max) == none && tr_time_diff(max, -max) == none,
       "differences that do not fit");
    ok(tr_time_sum(5, -8) == -3 && tr_time_sum(max, 0) == max && tr_time_sum(1 - max, -1) == -max &&
           tr_time_sum(-1, max) == max - 1,
       "sums up to the limits");
    ok(tr_time_sum(max, 1) == none && tr_time_sum(-max, -1) == none && tr_time_sum(-1, -max) == none &&
           tr_time_sum(max, max) == none,
       "sums that do not fit");
    ok(tr_time_diff(none, 1) == none && tr_time_diff(1, none) == none && tr_time_sum(none, 1) == none &&
           tr_time_sum(1, none) == none,
       "with none, none");
    ok(tr_time_of_length(INT64_MAX) == max && tr_time_of_length((uint64_t)INT64_MAX + 1) == none, "lengths");
    ok(tr_time_far(none) && tr_time_far(max) && tr_time_far(TR_TIME_FAR) && tr_time_far(-TR_TIME_FAR) &&
           !tr_time_far(TR_TIME_FAR - 1) && !tr_time_far(1 - TR_TIME_FAR) &&
           tr_time_diff(TR_TIME_FAR - 1, 1 - TR_TIME_FAR) == max - 1,
       "what is not far has differences that fit");
}

/* Pieces in order, none overlapping or meeting another, and so long together. */
static bool union_is(const struct tr_union_length *c, int64_t length)
{
    bool good = tr_union_length_ns(c) == (uint64_t)length;
    for (size_t i = 0; i < c->n; i++) {
        const struct tr_union_length_piece *p = &c->room[c->first + i];
        good = good && p->start < p->end && (!i || p[-1].end < p->start);
        length -= p->end - p->start;
    }
    return good && length == 0;
}

static bool union_length_case(uint64_t *rng)
{
    struct interval v[MAX_INTERVALS];
    struct tr_union_length unions[4] = { { 0 } };
    uint32_t at[MOMENTS] = { 0 }; /* unions that have it */
    bool good = true;
    size_t n = random_intervals(v, 2, rng);
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)below(rng, i);
        struct interval other = v[k];
        v[k] = v[i - 1];
        v[i - 1] = other;
    }
    for (size_t i = 0; i < n; i++) {
        good = good && tr_union_length_add(&unions[v[i].set], v[i].start, v[i].end);
        for (int64_t t = v[i].start; t < v[i].end; t++)
            at[t] |= 1u << v[i].set;
    }
    for (unsigned to = 0; to < 4; to++) { /* what came before joined into it */
        int64_t length = 0;
        for (size_t t = 0; t < MOMENTS; t++)
            length += (at[t] & ((2u << to) - 1)) != 0;
        good = good && (!to || (tr_union_length_join(&unions[to], &unions[to - 1]) && !unions[to - 1].n)) &&
               union_is(&unions[to], length);
    }
    for (unsigned c = 0; c < 4; c++)
        tr_union_length_free(&unions[c]);
    return good;
}

/* What comes from either end, and the whole of time. */
static void test_cover(void)
{
    struct tr_union_length c = { 0 };
    bool added = true;
    for (int64_t i = 0; i < 1000; i++)
        added = added && tr_union_length_add(&c, 2000 + 3 * i, 2001 + 3 * i) && tr_union_length_add(&c, 1999 - 3 * i, 2000 - 3 * i);
    ok(added && c.n == 1999 && union_is(&c, 2000), "a cover grows at both ends");
    ok(tr_union_length_add(&c, INT64_MIN + 1, INT64_MAX) && c.n == 1 && tr_union_length_ns(&c) == UINT64_MAX - 1,
       "and may have all there is");
    tr_union_length_free(&c);
}

static void test_approximate(void)
{
    struct tr_hist *h = tr_hist_new(1000);
    bool added = h != NULL;
    for (int64_t i = 1; added && i <= 500000; i++)
        added = tr_hist_add(h, i * 977, 1);
    ok(added && tr_hist_approx(h), "a histogram beyond its limit turns approximate");
    tr_hist_seal(h);
    bool near = true;
    for (uint64_t p = 0; p <= 100; p++) {
        double expected = (1 + 499999.0 * (double)p / 100) * 977;
        near = near && fabs(tr_hist_quantile(h, p, 100) - expected) <= expected / 1024 + 977;
    }
    ok(near, "its quantiles are within 2^-10");
    ok(tr_hist_count(h) == 500000, "and no value is lost");
    tr_hist_free(h);

    h = tr_hist_new(1000);
    added = h != NULL;
    for (int64_t i = 0; added && i < 5000; i++)
        added = tr_hist_add(h, i % 1000 - 500, 3);
    ok(added && !tr_hist_approx(h), "a histogram at its limit is exact");
    tr_hist_seal(h);
    ok(tr_hist_quantile(h, 0, 1) == -500 && tr_hist_quantile(h, 1, 1) == 499, "extremes");
    tr_hist_free(h);
}

int main(void)
{
    uint64_t rng = 1;
    int bad[4] = { 0 };
    for (int i = 0; i < 1000; i++) {
        bad[0] += !union_case(&rng);
        bad[1] += !sweep_case(&rng);
        bad[2] += !stats_case(&rng);
        bad[3] += !union_length_case(&rng);
    }
    ok(bad[0] == 0, "1000 unions are what counting moments gives");
    ok(bad[1] == 0, "1000 sweeps are what counting moments gives");
    ok(bad[2] == 0, "1000 sets of values: sums, spread and all percentiles");
    ok(bad[3] == 0, "1000 covers, joined one after another, are what counting moments gives");
    test_cover();
    test_extremes();
    test_times();
    test_approximate();
    printf("1..%d\n", n_tests);
    return n_failed != 0;
}
