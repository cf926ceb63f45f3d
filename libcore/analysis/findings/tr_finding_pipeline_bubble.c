/* SPDX-License-Identifier: MIT */
/* Stages of a pipeline wait for each other. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = { { "share", 4, "%", "of the step that ranks wait in the mean" },
                                                  { NULL } };

/* Of the time in bubbles, the cause with the most; its share in percent, and that of each to evidence. */
static size_t main_cause(const struct tr_table *t, double share[], const char *const causes[], size_t n)
{
    const double all = tr_fact_sum(t, TR_I64_NONE, "bubble", NULL, NULL);
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        share[i] = all > 0 ? 100 * tr_fact_sum(t, TR_I64_NONE, "bubble", "cause", causes[i]) / all : 0;
        most = share[i] > share[most] ? i : most;
    }
    return most;
}

/* When stages wait, and which of them waits most. */
static void say_bubbles(struct tr_findings *f, struct tr_finding *x)
{
    static const char *const causes[] = { "warmup", "cooldown", "imbalance" };
    static const char *const whens[] = { "while it fills", "while it drains", "in between" };
    static const char *const metrics[] = { "warmup_pct", "cooldown_pct", "imbalance_pct" };
    const struct tr_table *t = tr_finding_table(f, TR_FACT_BUBBLES);
    double share[3];
    size_t at = main_cause(t, share, causes, 3);
    if (!tr_fact_rows(t))
        return;
    tr_finding_say(f, x, ", %.0f %% of it %s", share[at], whens[at]);
    for (size_t i = 0; i < 3; i++)
        tr_finding_evidence(x, metrics[i], share[i]);
}

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
    say_bubbles(f, x);
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
    .commands = { "tr-comm --by bubble", "tr-breakdown --by step --columns all" },
    .part = "exposed_comm",
    .lacks = lacks,
    .look = look,
};
