/* SPDX-License-Identifier: MIT */
/* Devices wait for their hosts, which need longer to prepare work than devices to do it. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = { { "share", 3, "%", "of the step that devices wait" }, { NULL } };

static void say_during(struct tr_findings *f, struct tr_finding *x)
{
    const struct tr_table *idle = tr_finding_table(f, TR_FACT_IDLE);
    size_t row = tr_fact_largest(idle, TR_I64_NONE, "idle", "cause", "host_busy");
    struct tr_str during = row == SIZE_MAX ? tr_str_of(NULL) : tr_fact_text(idle, row, "during");
    if (!during.len)
        return;
    tr_finding_say(f, x, ", longest in ");
    tr_finding_say_name(f, x, during);
}

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    double ns = tr_finding_starved(f);
    double launch = job->median[TR_ACCOUNT_IDLE + TR_IDLE_LAUNCH_OVERHEAD];
    if (!tr_finding_matters(f, ns, 0))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, ns > launch ? ns - launch : 0, ns + job->drained);
    tr_finding_say(f, x, "Devices wait for their hosts ");
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_say(f, x, ": the host needs longer to prepare work than the device to do it");
    say_during(f, x);
    tr_finding_evidence(x, "host_busy_us", job->median[TR_ACCOUNT_IDLE + TR_IDLE_HOST_BUSY] / 1e3);
    tr_finding_evidence(x, "launch_overhead_us", launch / 1e3);
}

const struct tr_finding_kind tr_finding_host_bound = {
    .id = "host_bound",
    .grounds = TR_FINDING_ON_WORK | TR_FINDING_ON_LAUNCHES,
    .checks = "whether devices wait for their hosts",
    .limits = limits,
    .commands = { "tr-breakdown --by idle", "tr-breakdown --by step --columns all" },
    .part = "host_busy",
    .look = look,
};
