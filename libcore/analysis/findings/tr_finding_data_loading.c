/* SPDX-License-Identifier: MIT */
/* Devices wait for data to be loaded. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = { { "share", 2, "%", "of the step that devices wait" }, { NULL } };

#define ALONE 0.3 /* of what is saved in all: if the others make up less, it is about one rank */

static double loading(const struct tr_job_part *p)
{
    return p->of[TR_ACCOUNT_IDLE + TR_IDLE_DATA_LOADING];
}

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_table *idle = tr_finding_table(f, TR_FACT_IDLE);
    double more, ns = tr_job_saving(job, loading, SIZE_MAX);
    bool late = job->straggler != SIZE_MAX &&
                tr_job_longer(job, job->straggler, &more) == TR_ACCOUNT_IDLE + TR_IDLE_DATA_LOADING;
    double others = tr_job_saving(job, loading, job->straggler);
    bool one = late && others < ALONE * ns; /* the others do not wait for data themselves */
    if (!late)
        ns = others; /* that rank is late for another reason */
    if (!tr_finding_matters(f, ns, 0))
        return;
    int64_t rank = late ? job->ranks[job->straggler].rank : TR_I64_NONE;
    size_t row = tr_fact_largest(idle, rank, "idle", "cause", "data_loading");
    struct tr_finding *x = tr_finding_add(f, ns, 0.9 * ns, ns);
    if (x && one)
        x->rank = rank;
    if (one)
        tr_finding_say(f, x, "Rank %lld waits, and the others with it, for data to be loaded ", (long long)rank);
    else
        tr_finding_say(f, x, "Devices wait for data to be loaded ");
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    if (late && !one)
        tr_finding_say(f, x, ", longest on rank %lld", (long long)rank);
    if (row != SIZE_MAX && tr_fact_text(idle, row, "during").len) {
        tr_finding_say(f, x, ": ");
        tr_finding_say_name(f, x, tr_fact_text(idle, row, "during"));
    }
    tr_finding_evidence(x, "data_loading_us", ns / 1e3);
}

const struct tr_finding_kind tr_finding_data_loading = {
    .id = "data_loading",
    .grounds = TR_FINDING_ON_WORK | TR_FINDING_ON_LAUNCHES,
    .checks = "whether devices wait for data",
    .limits = limits,
    .commands = { "tr-breakdown --by idle" },
    .part = "data_loading",
    .look = look,
};
