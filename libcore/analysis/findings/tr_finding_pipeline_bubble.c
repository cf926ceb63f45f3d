/* SPDX-License-Identifier: MIT */
/* Stages of a pipeline wait for each other. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = { { "share", 4, "%", "of the step that ranks wait in the mean" },
                                                  { NULL } };

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    double ns = 0;
    for (size_t i = 0; i < job->n_ranks; i++)
        ns += job->ranks[i].of[TR_ACCOUNT_COMM] / (double)job->n_ranks;
    if (!job->pipeline || !tr_finding_matters(f, ns, 0))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, 0.5 * ns, ns);
    tr_finding_say(f, x, "Stages of the pipeline wait for each other ");
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s in the mean", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_say(f, x, ": more micro-batches, or stages that take equally long, shorten it");
    tr_finding_evidence(x, "exposed_comm_us", ns / 1e3);
}

static const char *lacks(const struct tr_findings *f)
{
    return tr_finding_job(f)->n_ranks < 2 ? "only one rank is given" : NULL;
}

const struct tr_finding_kind tr_finding_pipeline_bubble = {
    .id = "pipeline_bubble",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether stages of a pipeline wait for each other",
    .limits = limits,
    .commands = { "tr-comm --by name --columns all", "tr-breakdown --by step --columns all" },
    .part = "exposed_comm",
    .lacks = lacks,
    .look = look,
};
