/* SPDX-License-Identifier: MIT */
/* Change points of a figure over several runs. */
#include "analysis/compare/tr_trend.h"
#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>

struct trend {
    const struct tr_run_summary_figure *of;
    size_t n;
    double v;                 /* variance of a run */
    double *sum, *squares;    /* of the first runs, from the first value on; n + 1 */
    double *cost;             /* of the best levels of the first runs; n + 1 */
    size_t *last;             /* where the last of these levels starts */
};

/* False: nothing is known of it. */
static bool find_variance(struct trend *t, double *gaps)
{
    const struct tr_run_summary_figure *of = t->of;
    double own = 0, largest = 0;
    size_t n_own = 0;
    for (size_t i = 0; i < t->n; i++) {
        bool known = isfinite(of[i].variance);
        own += known ? of[i].variance : 0;
        n_own += known;
        largest = fmax(largest, fabs(of[i].value));
    }
    for (size_t i = 1; i < t->n; i++)
        gaps[i - 1] = fabs(of[i].value - of[i - 1].value);
    qsort(gaps, t->n - 1, sizeof *gaps, tr_by_f64);
    double noise = t->n > 2 ? gaps[(t->n - 2) / 2] / 0.954 : 0;
    t->v = fmax(noise * noise, n_own ? own / (double)n_own : 0);
    t->v = fmax(t->v, largest * largest * 1e-18);
    return t->n > 2 || n_own;
}

static double mean_of(const struct trend *t, size_t from, size_t end)
{
    return t->of[0].value + (t->sum[end] - t->sum[from]) / (double)(end - from);
}

static double deviations(const struct trend *t, size_t from, size_t end)
{
    double sum = t->sum[end] - t->sum[from];
    return fmax(0, t->squares[end] - t->squares[from] - sum * sum / (double)(end - from));
}

/* Mark the first runs of levels. */
static void divide(struct trend *t, struct tr_trend_level *levels)
{
    for (size_t i = 0; i < t->n; i++) {
        double x = t->of[i].value - t->of[0].value;
        t->sum[i + 1] = t->sum[i] + x;
        t->squares[i + 1] = t->squares[i] + x * x;
    }
    for (size_t end = 1; end <= t->n; end++) {
        t->cost[end] = INFINITY;
        for (size_t from = 0; from < end; from++) {
            double cost = t->cost[from] + deviations(t, from, end) / t->v;
            cost += from ? TR_TREND_SIGMA * TR_TREND_SIGMA : 0;
            if (cost < t->cost[end]) {
                t->cost[end] = cost;
                t->last[end] = from;
            }
        }
    }
    for (size_t end = t->n; end; end = t->last[end])
        levels[t->last[end]].changed = t->last[end] > 0;
}

static size_t end_of(const struct tr_trend_level *levels, size_t n, size_t from)
{
    size_t end = from + 1;
    while (end < n && !levels[end].changed)
        end++;
    return end;
}

/* Fill in the means; returns the change that is the smallest part of the mean before it, n: there is none. */
static size_t measure(const struct trend *t, struct tr_trend_level *levels, double *part)
{
    size_t smallest = t->n, before = 0;
    *part = INFINITY;
    for (size_t i = 0, end; i < t->n; before = i, i = end) {
        end = end_of(levels, t->n, i);
        for (size_t k = i; k < end; k++)
            levels[k].mean = mean_of(t, i, end);
        if (!i)
            continue;
        struct tr_trend_level *l = &levels[i];
        l->before = levels[before].mean;
        l->sigma = (l->mean - l->before) / sqrt(t->v * (1 / (double)(i - before) + 1 / (double)(end - i)));
        double own = l->before == 0 ? INFINITY : fabs((l->mean - l->before) / l->before);
        if (own < *part) {
            *part = own;
            smallest = i;
        }
    }
    return smallest;
}

static void find_levels(struct trend *t, struct tr_trend_level *levels)
{
    double part;
    divide(t, levels);
    for (size_t at; (at = measure(t, levels, &part)) < t->n && part < TR_TREND_SHARE;)
        levels[at] = (struct tr_trend_level){ .mean = NAN, .before = NAN, .sigma = NAN };
}

bool tr_trend_levels(const struct tr_run_summary_figure *of, size_t n, struct tr_trend_level *levels)
{
    struct trend t = { .of = of, .n = n };
    bool known = n > 0;
    for (size_t i = 0; i < n; i++) {
        levels[i] = (struct tr_trend_level){ .mean = NAN, .before = NAN, .sigma = NAN };
        known = known && isfinite(of[i].value);
    }
    if (!known)
        return true;
    double *numbers = calloc(4 * (n + 1), sizeof *numbers);
    t.last = calloc(n + 1, sizeof *t.last);
    if (numbers && t.last) {
        t.sum = numbers;
        t.squares = numbers + (n + 1);
        t.cost = numbers + 2 * (n + 1);
        bool divides = find_variance(&t, numbers + 3 * (n + 1));
        t.v = divides ? t.v : INFINITY;
        find_levels(&t, levels);
    }
    bool ok = numbers && t.last;
    free(numbers);
    free(t.last);
    return ok;
}
