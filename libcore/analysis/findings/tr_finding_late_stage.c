/* SPDX-License-Identifier: MIT */
/*
 * In which stage of the step is the rank late for which the others wait?  Who waits is known from waits themselves
 * (tr_job.h).  Alone, a stage that ends later proves nothing: where ranks run ahead of each other, it costs no time.
 */
#include "analysis/findings/tr_finding.h"
#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>

static const struct tr_finding_limit limits[] = { { "share", 2, "%", "of the step that the others wait" },
                                                  { "steps", 60, "%", "of steps in which the rank leads the stage" },
                                                  { NULL } };

/* A stage of a step that a rank leads; then sums over steps. */
struct led {
    struct tr_str stage, cause; /* cause: of the largest part */
    int64_t rank;
    double late, exposed, most;
    size_t steps;
};

TR_ORDER(by_stage, struct led, tr_str_cmp(a->stage, b->stage), TR_UP(rank), TR_DOWN(late))

/* Is a step steady?  *at: where it was found; rows of one step come together. */
static bool is_steady(const struct tr_job *job, size_t *at, int64_t capture, int64_t number)
{
    for (size_t k = 0; k < job->n_steps; k++, *at = (*at + 1) % job->n_steps)
        if (job->steps[*at].number == number && job->steps[*at].parts->capture == capture)
            return job->steps[*at].steady;
    return false;
}

/* All rows of steady steps, then one for each stage and rank.  The number of them. */
static size_t gather(const struct tr_job *job, const struct tr_table *t, struct led *out)
{
    size_t n = 0, sums = 0, at = 0;
    for (size_t i = 0; i < tr_fact_rows(t); i++) {
        const double rank = tr_fact_number(t, i, "rank"), capture = tr_fact_number(t, i, "capture"),
                     late = tr_fact_number(t, i, "late");
        const int64_t step = (int64_t)tr_fact_number(t, i, "step");
        if (!isnan(rank) && is_steady(job, &at, isnan(capture) ? 0 : (int64_t)capture, step))
            out[n++] = (struct led){ .stage = tr_fact_text(t, i, "stage"), .cause = tr_fact_text(t, i, "cause"),
                                     .rank = (int64_t)rank,                .late = late,
                                     .exposed = tr_fact_number(t, i, "exposed"), .most = late, .steps = 1 };
    }
    if (n)
        qsort(out, n, sizeof *out, by_stage);
    for (size_t i = 0; i < n; i++) {
        struct led *to = sums ? &out[sums - 1] : NULL;
        if (to && to->rank == out[i].rank && tr_str_cmp(to->stage, out[i].stage) == 0) {
            to->late += out[i].late;
            to->exposed += out[i].exposed;
            to->steps++;
        } else {
            out[sums++] = out[i];
        }
    }
    return sums;
}

/* Does another finding say that the others wait for this rank? */
static bool is_named(const struct tr_findings *f, int64_t rank)
{
    size_t n;
    const struct tr_finding *all = tr_findings_all(f, &n);
    for (size_t i = 0; i < n; i++)
        if (all[i].rank == rank && !isnan(all[i].impact) && !all[i].aside)
            return true;
    return false;
}

static void say(struct tr_findings *f, const struct led *at)
{
    const struct tr_job *job = tr_finding_job(f);
    const double ns = at->late / (double)job->n_steady;
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN); /* the other finding has its time */
    tr_finding_say(f, x, "Rank %lld is late in one stage of the step, '", (long long)at->rank);
    tr_finding_say_name(f, x, at->stage);
    tr_finding_say(f, x, "', which it leads in %zu of %zu steps: mostly ", at->steps, job->n_steady);
    tr_finding_say_name(f, x, at->cause);
    if (x)
        x->rank = at->rank;
    tr_finding_evidence(x, "late_us", ns / 1e3);
    tr_finding_evidence(x, "exposed_us", at->exposed / (double)job->n_steady / 1e3);
    tr_finding_evidence(x, "steps_led", (double)at->steps);
}

static void look(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_table *t = tr_finding_table(f, TR_FACT_STAGES);
    struct led *all = job->pipeline ? NULL : malloc((tr_fact_rows(t) + 1) * sizeof *all);
    const struct led *most = NULL;
    if (job->pipeline) /* its stages are other ones */
        return;
    if (!all) {
        tr_finding_no_memory(f);
        return;
    }
    for (size_t i = 0, n = gather(job, t, all); i < n; i++)
        if (is_named(f, all[i].rank) && (!most || all[i].late > most->late))
            most = &all[i];
    if (most && 100 * (double)most->steps >= tr_finding_limit(f, 1) * (double)job->n_steady &&
        tr_finding_matters(f, most->late / (double)job->n_steady, 0))
        say(f, most);
    free(all);
}

static const char *lacks(const struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    return job->n_ranks < 2    ? "only one rank is given"
           : !job->numbered    ? "there are no numbered steps"
           : job->n_steady < 3 ? "there are fewer than three steps"
                               : NULL;
}

const struct tr_finding_kind tr_finding_late_stage = {
    .id = "late_stage",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "in which stage of the step a rank is late for which the others wait",
    .limits = limits,
    .commands = { "tr-comm --by stage --columns all" },
    .part = "time",
    .lacks = lacks,
    .look = look,
};
