/* SPDX-License-Identifier: MIT */
/*
 * The profiler itself holds up the hosts, and devices wait for that.  What it does before their first work, after their
 * last, or on threads that launch nothing does not count: see tr_by_overhead.c.
 */
#include "analysis/findings/tr_finding.h"

#include <math.h>

static const struct tr_finding_limit limits[] = { { "share", 2, "%", "of the step" }, { NULL } };

static void look(struct tr_findings *f)
{
    const struct tr_table *t = tr_finding_table(f, TR_FACT_OVERHEAD);
    double parts = tr_finding_parts(f);
    double all = tr_fact_sum(t, TR_I64_NONE, "sum", NULL, NULL) / parts;
    double idle = tr_fact_sum(t, TR_I64_NONE, "idle", NULL, NULL) / parts;
    double ns = fmin(idle, tr_finding_starved(f));
    size_t row = tr_fact_largest(t, TR_I64_NONE, "idle", NULL, NULL);
    if (row == SIZE_MAX || !tr_finding_matters(f, ns, 0))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, 0.5 * ns, idle);
    tr_finding_say(f, x, "The profiler holds up the host (");
    tr_finding_say_name(f, x, tr_fact_text(t, row, "name"));
    tr_finding_say(f, x, "), and devices wait for that ");
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_say(f, x, ": without the profiler, steps are shorter");
    tr_finding_evidence(x, "overhead_us", all / 1e3);
    tr_finding_evidence(x, "idle_us", idle / 1e3);
    tr_finding_take_starved(f, ns);
}

const struct tr_finding_kind tr_finding_profiler_overhead = {
    .id = "profiler_overhead",
    .grounds = TR_FINDING_ON_WORK | TR_FINDING_ON_LAUNCHES,
    .checks = "whether the profiler holds up the program",
    .limits = limits,
    .commands = { "tr-breakdown --by overhead" },
    .look = look,
};
