/* SPDX-License-Identifier: MIT */
/* Copies between host and device, or between devices, that no compute hides. */
#include "analysis/findings/tr_finding.h"

#include "vendor/tr_roles.h"

#include <math.h>

/* As for pageable copies; where nothing is wrong, copies of inputs and results take less. */
static const struct tr_finding_limit limits[] = { { "share", 2, "%", "of the step that only such copies run" },
                                                  { NULL } };

#define HIDDEN 0.5 /* of what compute has room for: copies wait for what they copy, and kernels for what was copied */

static double alone(const struct tr_job_part *p)
{
    return p->of[TR_ACCOUNT_MEMORY];
}

/* Such copies, without those that small_kernels has; ns over the trace. */
static double moved(const struct tr_findings *f, const struct tr_finding_copies *all)
{
    return all->moved - tr_finding_short_taken(f) * tr_finding_copies_of(f, TR_FACT_SHORT).moved;
}

/* The row of such copies with the largest sum, and how many there are; SIZE_MAX: none. */
static size_t longest(const struct tr_findings *f, const struct tr_table *kernels, double *count)
{
    size_t max = SIZE_MAX;
    *count = 0;
    for (size_t row = 0; row < tr_fact_rows(kernels); row++) {
        if (!tr_finding_is_moved(f, kernels, row))
            continue;
        *count += tr_fact_number(kernels, row, "count");
        if (max == SIZE_MAX || tr_fact_number(kernels, row, "sum") > tr_fact_number(kernels, max, "sum"))
            max = row;
    }
    return max;
}

/* The time per step in which copies and memsets run beside other work. */
static double hidden(const struct tr_findings *f)
{
    const struct tr_table *t = tr_finding_table(f, TR_FACT_TIME);
    double all = tr_fact_sum(t, TR_I64_NONE, "memory", NULL, NULL);
    return (all - tr_fact_sum(t, TR_I64_NONE, "exposed_memory", NULL, NULL)) / tr_finding_parts(f);
}

static void say(struct tr_findings *f, struct tr_finding *x, struct tr_str most, double ns, bool room)
{
    bool peers = tr_copy_direction(tr_finding_about(f)->dict->names, most.s, most.len) == TR_COPY_PTOP;
    tr_finding_say(f, x, "Copies between %s that no compute hides take ", peers ? "devices" : "host and device");
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_say(f, x, ", mostly ");
    tr_finding_say_name(f, x, most);
    tr_finding_say(f, x, room ? ": copy while the device computes, or keep the data on it"
                              : ": there is too little compute to hide them, so keep the data on the device");
}

/*
 * Which of the copies and memsets run alone is not known.  What a device does for itself stands in the stream that
 * computes, so nothing hides it; nor what the host waits for.  Only the rest of the time is that of these copies.
 */
static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_table *kernels = tr_finding_table(f, TR_FACT_KERNELS);
    const struct tr_finding_copies of = tr_finding_copies_of(f, TR_FACT_KERNELS);
    const double parts = tr_finding_parts(f), memory = tr_job_saving(job, alone, job->straggler);
    double count, these = moved(f, &of), ns = fmax(0, memory - (of.all - these) / parts);
    size_t row = longest(f, kernels, &count);
    if (row == SIZE_MAX || !tr_finding_matters(f, ns, 0))
        return;
    /*
     * Data that stays on the device is not copied: that saves all of it, and perhaps time in which communication ran
     * beside copies.  Copies that run beside compute save no more than there is compute beside which nothing is copied
     * yet.
     */
    double most = fmin(these / parts, ns + job->median[TR_ACCOUNT_COMM]);
    double room = fmax(0, job->median[TR_ACCOUNT_COMPUTE] - hidden(f));
    struct tr_finding *x = tr_finding_add(f, ns, HIDDEN * fmin(ns, room), fmax(ns, most));
    say(f, x, tr_fact_text(kernels, row, "name"), ns, room >= ns);
    tr_finding_evidence(x, "copies_us", ns / 1e3);
    tr_finding_evidence(x, "copies", count / parts);
    tr_finding_evidence(x, "hidden_us", hidden(f) / 1e3);
    tr_finding_evidence(x, "compute_us", job->median[TR_ACCOUNT_COMPUTE] / 1e3);
}

const struct tr_finding_kind tr_finding_exposed_copies = {
    .id = "exposed_copies",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether copies between host and device are hidden by compute",
    .limits = limits,
    .commands = { "tr-breakdown --by time --columns all", "tr-breakdown --by size" },
    .part = "exposed_memory",
    .look = look,
};
