/* SPDX-License-Identifier: MIT */
/* The same work takes longer in some steps: the device runs slower, as after a step of its clock or its power. */
#include "analysis/findings/tr_finding.h"
#include "base/tr_sort.h"

#include <stdlib.h>

static const struct tr_finding_limit limits[] = {
    { "share", 1, "%", "of the step that slow steps cost in the mean" },
    { "slower", 2, "%", "by which slow steps compute longer than the others" },
    { "fit", 90, "%", "of the variance of compute that two levels explain" },
    { NULL }
};

/* Compute of steady steps beside that of their phase, as two levels. */
struct levels {
    double low, high, mean;
    double explained, line; /* parts of the variance: by two levels, by a straight line */
    size_t n_high;
};

static double squares(const double *v, size_t n, double *mean)
{
    double sum = 0, all = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    *mean = n ? sum / (double)n : 0;
    for (size_t i = 0; i < n; i++)
        all += (v[i] - *mean) * (v[i] - *mean);
    return all;
}

static double by_line(const double *v, size_t n, double all, double mean)
{
    double sx = 0, sxy = 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)i - (double)(n - 1) / 2;
        sx += x * x;
        sxy += x * (v[i] - mean);
    }
    return sx > 0 && all > 0 ? sxy * sxy / (sx * all) : 0;
}

static struct levels find_levels(double *v, size_t n)
{
    struct levels l = { .high = 0 };
    double all = squares(v, n, &l.mean), least = all;
    l.line = by_line(v, n, all, l.mean);
    if (n)
        qsort(v, n, sizeof *v, tr_by_f64);
    for (size_t k = 1; k < n; k++) {
        double low, high, rest = squares(v, k, &low) + squares(v + k, n - k, &high);
        if (rest < least) {
            least = rest;
            l.low = low;
            l.high = high;
            l.n_high = n - k;
        }
    }
    l.explained = all > 0 ? 1 - least / all : 0;
    return l;
}

/* What steps compute longer than at the low level, in the mean. */
static double cost(const struct tr_job *job, double low)
{
    double sum = 0;
    for (size_t i = job->warm; i < job->n_steps; i++) {
        const struct tr_job_step *s = &job->steps[i];
        sum += s->compute - low * s->compute / s->relative;
    }
    return job->n_steps > job->warm ? sum / (double)(job->n_steps - job->warm) : 0;
}

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    double *v = malloc((job->n_steps + 1) * sizeof *v);
    size_t n = 0;
    for (size_t i = job->warm; v && i < job->n_steps; i++)
        v[n++] = job->steps[i].relative;
    const struct levels l = v ? find_levels(v, n) : (struct levels){ .high = 0 };
    double ns = cost(job, l.low);
    free(v);
    if (!l.n_high || 100 * (l.high / l.low - 1) < tr_finding_limit(f, 1) ||
        100 * l.explained < tr_finding_limit(f, 2) || l.explained < l.line + 0.03 || !tr_finding_matters(f, ns, 0))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, 0.8 * ns, 1.1 * ns);
    tr_finding_say(f, x,
                   "The same work takes %.1f %% longer in %zu of %zu steps, as if the clock of the device were "
                   "lower, which costs ",
                   100 * (l.high / l.low - 1), l.n_high, n);
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s in the mean", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_evidence(x, "slower_pct", 100 * (l.high / l.low - 1));
    tr_finding_evidence(x, "slow_steps", (double)l.n_high);
}

static const char *lacks(const struct tr_findings *f)
{
    return tr_finding_job(f)->n_steady < 4 ? "there are fewer than four steps" : NULL;
}

const struct tr_finding_kind tr_finding_frequency = {
    .id = "frequency",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether devices are slower in some steps",
    .limits = limits,
    .commands = { "tr-breakdown --by step --columns all", "tr-counters --by power" },
    .part = "compute",
    .lacks = lacks,
    .look = look,
};
