/* SPDX-License-Identifier: MIT */
/* The host waits for the device in the middle of a step, so the queue of the device runs empty. */
#include "analysis/findings/tr_finding.h"

static const struct tr_finding_limit limits[] = { { "share", 2, "%", "of the step that devices are idle after it" },
                                                  { NULL } };

static double drained(const struct tr_job_part *p)
{
    return p->drained;
}

static double alone(const struct tr_job_part *p)
{
    return p->of[TR_ACCOUNT_MEMORY];
}

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_table *idle = tr_finding_table(f, TR_FACT_IDLE);
    const struct tr_finding_copies of = tr_finding_copies_of(f, TR_FACT_KERNELS);
    double copies = of.all > 0 ? of.pageable / of.all * tr_job_saving(job, alone, job->straggler) : 0;
    double empty = tr_job_saving(job, drained, job->straggler), ns = empty + copies;
    if (!tr_finding_matters(f, ns, 0))
        return;
    size_t row = tr_fact_largest(idle, TR_I64_NONE, "gaps", "cause", "host_blocked");
    struct tr_finding *x = tr_finding_add(f, ns, 0.5 * ns, ns);
    if (copies > empty) {
        tr_finding_say(f, x,
                       "Copies from or to pageable memory, for which the host waits, keep devices from computing ");
        tr_finding_say_time(f, x, ns);
        tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
        tr_finding_say_share(f, x, ns);
        tr_finding_say(f, x, ": pin the memory, and copy without blocking");
    } else {
        tr_finding_say(f, x, "The host waits for the device and launches nothing meanwhile, so devices are idle ");
        tr_finding_say_time(f, x, ns);
        tr_finding_say(f, x, " of %s afterwards", tr_finding_each_step(f));
        tr_finding_say_share(f, x, ns);
        if (row != SIZE_MAX && tr_fact_text(idle, row, "during").len) {
            tr_finding_say(f, x, ": ");
            tr_finding_say_name(f, x, tr_fact_text(idle, row, "during"));
        }
    }
    tr_finding_evidence(x, "drained_us", empty / 1e3);
    tr_finding_evidence(x, "pageable_copies_us", copies / 1e3);
    if (row != SIZE_MAX)
        tr_finding_evidence(x, "gaps", tr_fact_number(idle, row, "gaps"));
}

const struct tr_finding_kind tr_finding_blocking_call = {
    .id = "blocking_call",
    .grounds = TR_FINDING_ON_WORK | TR_FINDING_ON_LAUNCHES,
    .checks = "whether the host waits for the device inside of steps",
    .limits = limits,
    .commands = { "tr-breakdown --by gap", "tr-breakdown --by idle" },
    .part = "drained",
    .look = look,
};
