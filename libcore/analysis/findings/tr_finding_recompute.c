/* SPDX-License-Identifier: MIT */
/* Activations are computed again in the backward pass. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = { { "share", 2, "%", "of the step" }, { NULL } };

static void look(struct tr_findings *f)
{
    const struct tr_table *t = tr_finding_table(f, TR_FACT_RECOMPUTE);
    double ns = tr_fact_sum(t, TR_I64_NONE, "device_self_busy", "recompute", "yes") / tr_finding_parts(f);
    if (!tr_finding_matters(f, ns, 0))
        return;
    size_t row = tr_fact_largest(t, TR_I64_NONE, "device_self_busy", "recompute", "yes");
    struct tr_finding *x = tr_finding_add(f, ns, 0.8 * ns, 1.1 * ns);
    tr_finding_say(f, x, "Activations are computed a second time: ");
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_say(f, x, ", longest in ");
    tr_finding_say_name(f, x, tr_fact_text(t, row, "name"));
    tr_finding_say(f, x, ". It saves memory: keep more of them if there is room");
    tr_finding_evidence(x, "recompute_us", ns / 1e3);
}

const struct tr_finding_kind tr_finding_recompute = {
    .id = "recompute",
    .grounds = TR_FINDING_ON_WORK | TR_FINDING_ON_LAUNCHES,
    .checks = "whether activations are computed again",
    .limits = limits,
    .commands = { "tr-breakdown --by operator,recompute" },
    .look = look,
};
