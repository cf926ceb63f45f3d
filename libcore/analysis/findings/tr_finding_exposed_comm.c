/* SPDX-License-Identifier: MIT */
/* Communication that no compute hides: the transfer itself, not the wait for ranks that are late. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = { { "share", 3, "%", "of the step that only transfers run" },
                                                  { NULL } };

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_table *comm = tr_finding_table(f, TR_FACT_COMM);
    double ns = tr_finding_waits(f, job->transfer * (1 - job->waiting));
    if (job->pipeline || !tr_finding_matters(f, ns, 0))
        return;
    size_t row = tr_fact_largest(comm, TR_I64_NONE, "dur_sum", NULL, NULL);
    double one = row == SIZE_MAX ? 0 : tr_fact_number(comm, row, "dur_mean");
    struct tr_finding *x = tr_finding_add(f, ns, ns > 2 * one ? ns - one : 0.5 * ns, ns);
    tr_finding_say(f, x, "Communication that no compute hides takes ");
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    if (row != SIZE_MAX) {
        tr_finding_say(f, x, ", mostly ");
        tr_finding_say_name(f, x, tr_fact_text(comm, row, "name"));
    }
    if (job->n_ranks < 2)
        tr_finding_doubt(f, x, TR_CONFIDENCE_MEDIUM,
                         "with one rank, it is not known how much of it is waiting for ranks that are late");
    tr_finding_evidence(x, "transfer_us", ns / 1e3);
    if (row != SIZE_MAX)
        tr_finding_evidence(x, "busbw_GBps", tr_fact_number(comm, row, "busbw_mean_GBps"));
}

const struct tr_finding_kind tr_finding_exposed_comm = {
    .id = "exposed_comm",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether communication is hidden by compute",
    .limits = limits,
    .commands = { "tr-breakdown --by time", "tr-comm --by name --columns all" },
    .part = "exposed_comm",
    .look = look,
};
