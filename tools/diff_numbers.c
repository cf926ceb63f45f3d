/* tr-diff: the numbers that tables show and conditions ask for. */
#include <config.h>

#include "diff.h"

#include <math.h>

const char *const diff_step_names[] = { "mean", "p50", "std" };

static double percent(double base, double diff)
{
    if (base == 0)
        return diff == 0 ? NAN : diff > 0 ? INFINITY : -INFINITY;
    return 100 * diff / base;
}

static double number_of(int64_t ns)
{
    return ns == TR_TIME_NONE ? NAN : (double)ns;
}

/* A difference in units of noise; without noise any difference is beyond it. */
static double in_noise(double diff, double noise)
{
    if (noise == 0)
        return diff == 0 ? 0 : diff > 0 ? INFINITY : -INFINITY;
    return diff / noise;
}

struct diff_numbers diff_numbers_of(const struct tr_diff_row *r, bool sum)
{
    struct diff_numbers n = { 0 };
    for (int run = 0; run < 2; run++) {
        n.count[run] = r->sums[run].dur.n;
        n.self[run] = tr_diff_self(&r->sums[run]);
        n.us[run] = sum ? n.self[run] : tr_stats_sum(&r->sums[run].dur);
        n.mean[run] = sum ? NAN : tr_stats_mean(&r->sums[run].dur);
    }
    n.diff = tr_diff_minus(n.us[TR_DIFF_TEST], n.us[TR_DIFF_BASE]);
    n.self_diff = tr_diff_minus(n.self[TR_DIFF_TEST], n.self[TR_DIFF_BASE]);
    n.pct = percent(number_of(n.us[TR_DIFF_BASE]), number_of(n.diff));
    n.noise = sum ? NAN : tr_diff_noise(r);
    n.sigma = in_noise(number_of(n.diff), n.noise);
    return n;
}

const char *diff_change(const struct diff_numbers *n)
{
    uint64_t base = n->count[TR_DIFF_BASE], test = n->count[TR_DIFF_TEST];
    if (base == test)
        return "same";
    if (base == 0)
        return "added";
    if (test == 0)
        return "removed";
    return test > base ? "more" : "fewer";
}

struct diff_step_numbers diff_step_numbers_of(const struct diff *x, enum diff_step_statistic s)
{
    struct diff_step_numbers n = { .noise = NAN, .sigma = NAN };
    for (int run = 0; run < 2; run++) {
        const struct tr_step_times *t = &x->sides[run].steps;
        n.value[run] = s == DIFF_STEP_MEAN ? t->mean : s == DIFF_STEP_P50 ? t->p50 : t->std;
    }
    n.diff = n.value[TR_DIFF_TEST] - n.value[TR_DIFF_BASE];
    n.pct = percent(n.value[TR_DIFF_BASE], n.diff);
    if (s != DIFF_STEP_MEAN)
        return n;
    n.noise = tr_step_times_noise(&x->sides[TR_DIFF_BASE].steps, &x->sides[TR_DIFF_TEST].steps);
    n.sigma = in_noise(n.diff, n.noise);
    return n;
}
