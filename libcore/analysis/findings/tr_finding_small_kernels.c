/* SPDX-License-Identifier: MIT */
/* So many short kernels that launching them, and the pauses between them, cost more than their work. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = {
    { "share", 3, "%", "of the step that devices are idle while kernels are launched and between them" },
    { "kernels", 50, "%", "of kernels and copies that are shorter than 10 us" },
    { "count", 100, "", "short kernels in each step" },
    { NULL }
};

#define FUSED 0.9 /* of their time and the pauses of the device, which fusing saves */

/* Idle time before short kernels: what launching takes, and what the host does between two launches. */
static double waits(const struct tr_job *job, double part_short)
{
    const double *idle = &job->median[TR_ACCOUNT_IDLE];
    bool bound = idle[TR_IDLE_HOST_BUSY] >= idle[TR_IDLE_LAUNCH_OVERHEAD]; /* host_bound says it */
    return idle[TR_IDLE_LAUNCH_OVERHEAD] + (bound ? 0 : part_short * idle[TR_IDLE_HOST_BUSY]);
}

/*
 * The kernels and copies that are launched one by one, and how many of them are short: below 10 us, or, where most work
 * is that of graphs and does not count, shorter than their calls.
 */
static void count(const struct tr_findings *f, double *all, double *shorter, bool *graphs)
{
    const struct tr_table *launches = tr_finding_table(f, TR_FACT_LAUNCHES);
    double work = tr_fact_sum(launches, TR_I64_NONE, "launches", NULL, NULL), one_by_one = 0, below = 0;
    for (size_t row = 0; row < tr_fact_rows(launches); row++)
        if (!tr_finding_of_graphs(f, launches, row)) {
            one_by_one += tr_fact_number(launches, row, "launches");
            below += tr_fact_number(launches, row, "short_kernels");
        }
    *graphs = 2 * one_by_one < work;
    *all = *graphs ? one_by_one : tr_fact_sum(tr_finding_table(f, TR_FACT_KERNELS), TR_I64_NONE, "count", NULL, NULL);
    *shorter = *graphs ? below : tr_fact_sum(tr_finding_table(f, TR_FACT_SHORT), TR_I64_NONE, "count", NULL, NULL);
}

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_table *few = tr_finding_table(f, TR_FACT_SHORT);
    double steps = job->numbered ? (double)job->n_steps : 1, ranks = job->n_ranks ? (double)job->n_ranks : 1;
    double all, shorter, part, below = tr_fact_sum(few, TR_I64_NONE, "count", NULL, NULL);
    bool graphs;
    count(f, &all, &shorter, &graphs);
    part = below > shorter ? shorter / below : 1; /* of what is below 10 us */
    double work = part * tr_fact_sum(few, TR_I64_NONE, "sum", NULL, NULL) / (steps * ranks);
    double launching = waits(job, all > 0 ? shorter / all : 0);
    double pauses = part * job->median[TR_ACCOUNT_IDLE + TR_IDLE_DEVICE_OVERHEAD], gaps = launching + pauses;
    double ns = launching + FUSED * (pauses + work);
    double each = shorter / (steps * ranks);
    if (!tr_finding_matters(f, ns, 0) || 100 * shorter < tr_finding_limit(f, 1) * all || each < tr_finding_limit(f, 2))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, gaps, gaps + work);
    tr_finding_say(f, x,
                   "%.0f of %.0f kernels and copies of %s%s are shorter than %s: with the pauses between "
                   "them they take ",
                   each, all / (steps * ranks), tr_finding_each_step(f), graphs ? " that no graph launches" : "",
                   graphs ? "their calls" : "10 us");
    tr_finding_say_time(f, x, gaps + work);
    tr_finding_say_share(f, x, gaps + work);
    tr_finding_say(f, x, ": fuse them, or launch graphs");
    tr_finding_take_starved(f, launching);
    tr_finding_take_short(f, part);
    tr_finding_evidence(x, "short_kernels", each);
    tr_finding_evidence(x, "short_kernels_us", work / 1e3);
    tr_finding_evidence(x, "launch_overhead_us", job->median[TR_ACCOUNT_IDLE + TR_IDLE_LAUNCH_OVERHEAD] / 1e3);
    tr_finding_evidence(x, "device_overhead_us", job->median[TR_ACCOUNT_IDLE + TR_IDLE_DEVICE_OVERHEAD] / 1e3);
}

const struct tr_finding_kind tr_finding_small_kernels = {
    .id = "small_kernels",
    .grounds = TR_FINDING_ON_WORK | TR_FINDING_ON_LAUNCHES,
    .checks = "whether many short kernels are launched one by one",
    .limits = limits,
    .commands = { "tr-breakdown --by kernel --where 'dur < 10us'", "tr-launch" },
    .part = "idle",
    .look = look,
};
