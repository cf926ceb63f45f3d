/* SPDX-License-Identifier: MIT */
/* Memory of a device grows from step to step. */
#include "analysis/findings/tr_finding.h"

#include <math.h>

static const struct tr_finding_limit limits[] = { { "share", 0.5, "%", "of the peak, in each step" },
                                                  { "bytes", 1048576, "bytes", "in each step" },
                                                  { "unused", 10, "%", "of what the allocator holds beyond the peak" },
                                                  { NULL } };

/* The allocator holds much more than was ever allocated at once. */
static void look_unused(struct tr_findings *f)
{
    const struct tr_table *t = tr_finding_table(f, TR_FACT_MEMORY);
    size_t worst = SIZE_MAX;
    double most = 0;
    for (size_t row = 0; row < tr_fact_rows(t); row++) {
        double more = tr_fact_number(t, row, "max_reserved_bytes") - tr_fact_number(t, row, "peak_bytes");
        if (more > most && 100 * more > tr_finding_limit(f, 2) * tr_fact_number(t, row, "max_reserved_bytes")) {
            most = more;
            worst = row;
        }
    }
    if (worst == SIZE_MAX)
        return;
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN);
    tr_finding_say(
        f, x, "The allocator holds %.1f MiB, but no more than %.1f MiB were ever allocated: memory is in fragments",
        tr_fact_number(t, worst, "max_reserved_bytes") / 1048576, tr_fact_number(t, worst, "peak_bytes") / 1048576);
    if (x)
        x->severity = TR_SEVERITY_LOW;
    tr_finding_evidence(x, "max_reserved_bytes", tr_fact_number(t, worst, "max_reserved_bytes"));
    tr_finding_evidence(x, "peak_bytes", tr_fact_number(t, worst, "peak_bytes"));
}

static void look_growth(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_table *t = tr_finding_table(f, TR_FACT_MEMORY);
    double steps = job->numbered && job->n_steps ? (double)job->n_steps : 1, most = 0;
    size_t worst = SIZE_MAX;
    for (size_t row = 0; row < tr_fact_rows(t); row++) {
        double grows = tr_fact_number(t, row, "growth_bytes") / steps;
        if (tr_str_is(tr_fact_text(t, row, "device"), "host") || !(grows > most))
            continue;
        most = grows;
        worst = row;
    }
    if (worst == SIZE_MAX || most < tr_finding_limit(f, 1) ||
        100 * most < tr_finding_limit(f, 0) * tr_fact_number(t, worst, "peak_bytes"))
        return;
    double rank = tr_fact_number(t, worst, "rank");
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN);
    tr_finding_say(f, x, "Memory grows by %.1f MiB in each step, to a peak of %.1f MiB", most / 1048576,
                   tr_fact_number(t, worst, "peak_bytes") / 1048576);
    if (!isnan(rank) && job->n_ranks > 1)
        tr_finding_say(f, x, " on rank %.0f", rank);
    tr_finding_say(f, x, ": something keeps what a step allocates");
    if (x && !isnan(rank) && job->n_ranks > 1)
        x->rank = (int64_t)rank;
    if (x)
        x->severity = TR_SEVERITY_LOW;
    tr_finding_evidence(x, "growth_bytes_per_step", most);
    tr_finding_evidence(x, "peak_bytes", tr_fact_number(t, worst, "peak_bytes"));
}

static void look(struct tr_findings *f)
{
    look_growth(f);
    look_unused(f);
}

static const char *lacks(const struct tr_findings *f)
{
    return !tr_fact_rows(tr_finding_table(f, TR_FACT_MEMORY)) ? "memory was not recorded (profile_memory)"
           : tr_finding_job(f)->n_steps < 2                   ? "there are fewer than two steps"
                                                              : NULL;
}

const struct tr_finding_kind tr_finding_memory_growth = {
    .id = "memory_growth",
    .checks = "whether memory grows from step to step",
    .limits = limits,
    .commands = { "tr-memory --by summary", "tr-memory --by end,operator" },
    .lacks = lacks,
    .look = look,
};
