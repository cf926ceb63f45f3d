/* SPDX-License-Identifier: MIT */
/* The first steps are slower: they do not belong to what is measured. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = { { "share", 2, "%", "of the mean step, by which it is longer" },
                                                  { NULL } };

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    size_t n = job->warm;
    double all = 0;
    for (size_t i = 0; i < job->n_steps; i++)
        all += job->steps[i].time;
    double ns = job->n_steps ? all / (double)job->n_steps - job->step : 0;
    if (!n || !tr_finding_matters(f, ns, 0))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, 0.9 * ns, 1.1 * ns);
    tr_finding_say(f, x, "The first %zu of %zu steps warm up: with them, the mean step is ", n, job->n_steps);
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " longer");
    tr_finding_say_share(f, x, ns);
    tr_finding_say(f, x, ". All other findings leave them out");
    if (x)
        x->step = job->steps[0].number;
    tr_finding_evidence(x, "first_step_us", job->steps[0].time / 1e3);
    tr_finding_evidence(x, "steady_step_us", job->step / 1e3);
}

static const char *lacks(const struct tr_findings *f)
{
    return tr_finding_job(f)->n_steps < 3 ? "there are fewer than three steps" : NULL;
}

const struct tr_finding_kind tr_finding_warmup = {
    .id = "warmup",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether the first steps are slower",
    .limits = limits,
    .commands = { "tr-breakdown --by step --per all" },
    .part = "time",
    .lacks = lacks,
    .look = look,
};
