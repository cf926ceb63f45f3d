/* SPDX-License-Identifier: MIT */
/* One rank for which the others wait. */
#include "analysis/findings/tr_finding.h"

#include <math.h>

static const struct tr_finding_limit limits[] = { { "share", 2, "%", "of the step that the others wait" },
                                                  { "steps", 60, "%", "of steps in which it is the last" },
                                                  { NULL } };

static const char *words(unsigned account)
{
    switch (account) {
    case TR_ACCOUNT_COMPUTE:
        return "it computes";
    case TR_ACCOUNT_MEMORY:
        return "it copies";
    case TR_ACCOUNT_IDLE + TR_IDLE_DATA_LOADING:
        return "it waits for data";
    case TR_ACCOUNT_IDLE + TR_IDLE_HOST_BUSY:
    case TR_ACCOUNT_IDLE + TR_IDLE_LAUNCH_OVERHEAD:
        return "its device waits for the host";
    case TR_ACCOUNT_IDLE + TR_IDLE_HOST_BLOCKED:
        return "its host waits for the device";
    default:
        return "it is idle";
    }
}

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    double more;
    if (job->straggler == SIZE_MAX)
        return;
    const struct tr_job_rank *r = &job->ranks[job->straggler];
    unsigned account = tr_job_longer(job, job->straggler, &more);
    double ns = tr_job_straggler_saving(job, job->straggler), most = r->own - job->own;
    if (account == TR_ACCOUNT_IDLE + TR_IDLE_DATA_LOADING || /* data_loading says it, or imbalance */
        (account == TR_ACCOUNT_COMPUTE && tr_job_uneven(job, job->straggler, tr_finding_table(f, TR_FACT_KERNELS))))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, 0.8 * ns, fmax(most, ns));
    tr_finding_say(f, x, "The other ranks wait for rank %lld ", (long long)r->rank);
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_say(f, x, ": %s ", words(account));
    tr_finding_say_time(f, x, more);
    tr_finding_say(f, x, " longer than %s", job->n_ranks > 2 ? "the median rank" : "the other");
    if (x)
        x->rank = r->rank;
    tr_finding_evidence(x, "own_us", r->own / 1e3);
    tr_finding_evidence(x, "median_own_us", job->own / 1e3);
    tr_finding_evidence(x, "steps_last", (double)r->last);
}

static const char *lacks(const struct tr_findings *f)
{
    return tr_finding_job(f)->n_ranks < 2 ? "only one rank is given" : NULL;
}

const struct tr_finding_kind tr_finding_straggler = {
    .id = "straggler",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether ranks wait for one of them",
    .limits = limits,
    .commands = { "tr-breakdown --by step --columns all", "tr-comm --by straggler --columns all" },
    .part = "time",
    .lacks = lacks,
    .look = look,
};
