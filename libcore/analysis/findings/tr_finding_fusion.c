/* SPDX-License-Identifier: MIT */
/* Kernels in a row that work element by element: one kernel would read and write their data once. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = { { "share", 2, "%", "of the step that would be saved" }, { NULL } };

static void look(struct tr_findings *f)
{
    const struct tr_table *t = tr_finding_table(f, TR_FACT_CHAINS);
    double parts = tr_finding_parts(f), sum = tr_fact_sum(t, TR_I64_NONE, "sum", NULL, NULL) / parts;
    double ns = sum - tr_fact_sum(t, TR_I64_NONE, "longest", NULL, NULL) / parts;
    size_t row = tr_fact_largest(t, TR_I64_NONE, "sum", NULL, NULL);
    if (row == SIZE_MAX || !tr_finding_matters(f, ns, 0))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, 0.6 * ns, sum);
    tr_finding_say(f, x, "%.0f kernels of %s are in %.0f chains that work element by element, and take ",
                   tr_fact_sum(t, TR_I64_NONE, "kernels", NULL, NULL) / parts, tr_finding_each_step(f),
                   tr_fact_sum(t, TR_I64_NONE, "chains", NULL, NULL) / parts);
    tr_finding_say_time(f, x, sum);
    tr_finding_say_share(f, x, sum);
    tr_finding_say(f, x, ": a fused kernel for each saves ");
    tr_finding_say_time(f, x, ns);
    tr_finding_evidence(x, "chains_us", sum / 1e3);
}

const struct tr_finding_kind tr_finding_fusion = {
    .id = "fusion",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether chains of kernels could be fused",
    .limits = limits,
    .commands = { "tr-breakdown --by chain" },
    .look = look,
};
