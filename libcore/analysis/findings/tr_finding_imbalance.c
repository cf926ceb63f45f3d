/* SPDX-License-Identifier: MIT */
/* Ranks have unequal work. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = { { "share", 3, "%", "of the step that the mean rank waits" },
                                                  { NULL } };

/* Its own time without idle time, which other findings are about. */
static double work_of(const struct tr_job_part *p)
{
    double idle = 0;
    for (unsigned k = TR_ACCOUNT_IDLE; k < TR_N_ACCOUNTS; k++)
        idle += p->of[k];
    return p->own - idle;
}

/*
 * What the mean rank waits for others in a step, but no longer than it works less than the one with the most work: the
 * rest has other causes.
 */
static double waits(const struct tr_job_step *s)
{
    double wait = 0, max = 0, mean = 0;
    for (size_t k = 0; k < s->n; k++) {
        double work = work_of(&s->parts[k]);
        max = fmax(max, work);
        mean += work / (double)s->n;
        wait += s->parts[k].wait / (double)s->n;
    }
    return fmin(wait, max - mean);
}

static double lost(const struct tr_job *job)
{
    double sum = 0;
    for (size_t i = 0; i < job->n_steps; i++)
        if (job->steps[i].steady)
            sum += waits(&job->steps[i]) / (double)job->n_steady;
    return sum;
}

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    double more, apart = lost(job);
    /* and in the middle of a step, now for one rank, now for another; the transfer itself may be hidden or not */
    double ns = tr_finding_waits(f, apart + job->transfer * (1 + job->waiting) / 2);
    bool one = job->straggler != SIZE_MAX;
    if (job->pipeline || !tr_finding_matters(f, ns, 0))
        return;
    if (one && (tr_job_longer(job, job->straggler, &more) != TR_ACCOUNT_COMPUTE ||
                !tr_job_uneven(job, job->straggler, tr_finding_table(f, TR_FACT_KERNELS))))
        return;
    double low = 0.9 * tr_finding_waits(f, apart + job->transfer * job->waiting);
    double high = 1.1 * tr_finding_waits(f, apart + job->transfer);
    struct tr_finding *x = tr_finding_add(f, ns, low, high);
    tr_finding_say(f, x, "Ranks have unequal work: the mean rank waits ");
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s for the slowest", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    if (one)
        tr_finding_say(f, x, ", which is rank %lld: some of its kernels take longer, others do not",
                       (long long)job->ranks[job->straggler].rank);
    else
        tr_finding_say(f, x, ", which is not always the same");
    if (x && one)
        x->rank = job->ranks[job->straggler].rank;
    tr_finding_evidence(x, "wait_mean_us", ns / 1e3);
    tr_finding_evidence(x, "waiting_in_collectives_pct", 100 * job->waiting);
}

static const char *lacks(const struct tr_findings *f)
{
    return tr_finding_job(f)->n_ranks < 2    ? "only one rank is given"
           : tr_finding_job(f)->n_steady < 3 ? "there are fewer than three steps"
                                             : NULL;
}

const struct tr_finding_kind tr_finding_imbalance = {
    .id = "imbalance",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether ranks have equal work",
    .limits = limits,
    .commands = { "tr-breakdown --by step --columns all", "tr-comm --by exchange" },
    .part = "exposed_comm",
    .lacks = lacks,
    .look = look,
};
