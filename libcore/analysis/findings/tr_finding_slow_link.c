/* SPDX-License-Identifier: MIT */
/* Collectives of one process group are much slower than those of the groups like it. */
#include "analysis/findings/tr_finding.h"
#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>

static const struct tr_finding_limit limits[] = { { "share", 1, "%", "of the step that it takes longer" },
                                                  { "bandwidth", 80, "%", "of the median of groups of its size" },
                                                  { NULL } };

/* Collectives of a second, by its median duration: for groups that do the same, as good as a bandwidth. */
static double speed(const struct tr_table *t, size_t row)
{
    double busbw = tr_fact_number(t, row, "busbw_p50_GBps"), dur = tr_fact_number(t, row, "dur_p50");
    return busbw > 0 ? busbw : dur > 0 ? 1e9 / dur : NAN;
}

#define AS_MANY 0.9 /* collectives: at the start of a trace, some may be cut on one rank */

/* Groups with as many ranks and about as many collectives. */
static bool alike(const struct tr_table *t, size_t a, size_t b)
{
    double x = tr_fact_number(t, a, "count"), y = tr_fact_number(t, b, "count");
    return tr_fact_number(t, a, "group_size") == tr_fact_number(t, b, "group_size") &&
           fmin(x, y) >= AS_MANY * fmax(x, y) &&
           (tr_fact_number(t, a, "busbw_p50_GBps") > 0) == (tr_fact_number(t, b, "busbw_p50_GBps") > 0);
}

/* The median speed of the groups like that of a row; NaN: it is the only one. */
static double of_others(const struct tr_table *t, size_t row)
{
    size_t n = 0, rows = tr_fact_rows(t);
    double *v = malloc((rows + 1) * sizeof *v), median = NAN;
    for (size_t i = 0; v && i < rows; i++) {
        if (i != row && speed(t, i) > 0 && alike(t, i, row))
            v[n++] = speed(t, i);
    }
    if (n) {
        qsort(v, n, sizeof *v, tr_by_f64);
        median = v[n / 2];
    }
    free(v);
    return median;
}

/* No more than what compute does not hide can be saved. */
static double most_exposed(const struct tr_job *job)
{
    double max = 0;
    for (size_t i = 0; i < job->n_ranks; i++)
        max = fmax(max, job->ranks[i].of[TR_ACCOUNT_COMM]);
    return max;
}

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_table *t = tr_finding_table(f, TR_FACT_GROUPS);
    double steps = job->numbered && job->n_steps ? (double)job->n_steps : 1;
    for (size_t row = 0; row < tr_fact_rows(t); row++) {
        double own = speed(t, row), usual = of_others(t, row);
        double longer = tr_fact_number(t, row, "dur_sum") / steps * (1 - own / usual);
        double ns = fmin(longer, most_exposed(job));
        if (!(100 * own < tr_finding_limit(f, 1) * usual) || !tr_finding_matters(f, ns, 0))
            continue;
        struct tr_finding *x = tr_finding_add(f, ns, 0.3 * ns, ns);
        tr_finding_say(f, x, "Process group ");
        tr_finding_say_name(f, x, tr_fact_text(t, row, "group"));
        tr_finding_say(f, x, " of ranks ");
        tr_finding_say_name(f, x, tr_fact_text(t, row, "group_ranks"));
        tr_finding_say(f, x, " is %.1f times as slow as groups like it, which costs ", usual / own);
        tr_finding_say_time(f, x, ns);
        tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
        tr_finding_say_share(f, x, ns);
        tr_finding_evidence(x, "busbw_GBps", tr_fact_number(t, row, "busbw_p50_GBps"));
        tr_finding_evidence(x, "dur_p50_us", tr_fact_number(t, row, "dur_p50") / 1e3);
        tr_finding_evidence(x, "times_slower", usual / own);
        tr_finding_take_waits(f, ns);
    }
}

static const char *lacks(const struct tr_findings *f)
{
    return tr_fact_rows(tr_finding_table(f, TR_FACT_GROUPS)) < 2
               ? "there are not two process groups whose collectives were matched"
               : NULL;
}

const struct tr_finding_kind tr_finding_slow_link = {
    .id = "slow_link",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether a process group is slower than those like it",
    .limits = limits,
    .commands = { "tr-comm --by group --columns all" },
    .lacks = lacks,
    .look = look,
};
