/* SPDX-License-Identifier: MIT */
/* Devices compute nearly all of the time: only faster kernels, or less work, shorten the step. */
#include "analysis/findings/tr_finding.h"

#include <math.h>

static const struct tr_finding_limit limits[] = { { "share", 85, "%", "of the step that devices compute" }, { NULL } };

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_table *t = tr_finding_table(f, TR_FACT_KERNELS);
    double ns = job->median[TR_ACCOUNT_COMPUTE];
    size_t row = tr_fact_largest(t, TR_I64_NONE, "sum", "kind", "compute");
    if (!tr_finding_matters(f, ns, 0) || row == SIZE_MAX)
        return;
    double all = tr_fact_sum(t, TR_I64_NONE, "sum", "kind", "compute");
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN);
    tr_finding_say(f, x, "Devices compute ");
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_say(f, x, ": only faster kernels or less work shorten it. The longest kernel is ");
    tr_finding_say_name(f, x, tr_fact_text(t, row, "name"));
    tr_finding_say(f, x, ", %.1f %% of compute", 100 * tr_fact_number(t, row, "sum") / all);
    tr_finding_evidence(x, "compute_us", ns / 1e3);
    tr_finding_evidence(x, "longest_kernel_pct", 100 * tr_fact_number(t, row, "sum") / all);
}

const struct tr_finding_kind tr_finding_compute_bound = {
    .id = "compute_bound",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether devices compute nearly all of the time",
    .limits = limits,
    .commands = { "tr-breakdown --by kernel", "tr-roofline" },
    .part = "compute",
    .look = look,
};
