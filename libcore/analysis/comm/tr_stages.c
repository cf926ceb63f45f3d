/* SPDX-License-Identifier: MIT */
/* The stages that all ranks of a step have in common, and where they end on each. */
#include "analysis/comm/tr_stages_int.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <stdlib.h>

/* ---- marks that all ranks have ---- */

/* How often a step has each name, in the order of names. */
struct named {
    uint32_t name;
    size_t n, ranks;
};

TR_ORDER(by_name, struct named, TR_UP(name))

static size_t count_names(const struct tr_stage_step *step, struct named *out)
{
    size_t n = 0, names = 0;
    for (; n < step->n_marks; n++)
        out[n] = (struct named){ step->marks[n].name, 1, 1 };
    if (n)
        qsort(out, n, sizeof *out, by_name);
    for (size_t i = 0; i < n; i++)
        if (names && out[names - 1].name == out[i].name)
            out[names - 1].n++;
        else
            out[names++] = out[i];
    return names;
}

static int64_t later(int64_t a, int64_t b)
{
    return a == TR_TIME_NONE || (b != TR_TIME_NONE && b > a) ? b : a;
}

/* Mark k of a step becomes mark number `to`; or it is no mark, and its stage, and the one after it, are parts of the
 * stage before. */
static void move_reach(struct tr_stage_step *step, size_t k, size_t to, bool kept)
{
    const int64_t in = step->reach[2 * k + 1], after = step->reach[2 * k + 2];
    if (kept) {
        step->reach[2 * to + 1] = in;
        step->reach[2 * to + 2] = after;
    } else {
        step->reach[2 * to] = later(later(step->reach[2 * to], in), after);
    }
}

/* Only names that each rank has as often as the first one are left; false: out of memory. */
static bool keep_common(struct tr_stage_step *steps, size_t n_steps)
{
    size_t most = 0, n_first, n;
    for (size_t i = 0; i < n_steps; i++)
        most = steps[i].n_marks > most ? steps[i].n_marks : most;
    struct named *first = malloc((2 * most + 1) * sizeof *first), *other = first ? first + most : NULL;
    if (!first)
        return false;
    n_first = count_names(steps, first);
    for (size_t i = 1; i < n_steps; i++) {
        n = count_names(&steps[i], other);
        for (size_t k = 0; k < n; k++) {
            struct named *at = bsearch(&other[k], first, n_first, sizeof *first, by_name);
            if (at)
                at->ranks += at->n == other[k].n;
        }
    }
    for (size_t i = 0; i < n_steps; i++) {
        size_t kept = 0;
        for (size_t k = 0; k < steps[i].n_marks; k++) {
            const struct named key = { steps[i].marks[k].name, 0, 0 };
            const struct named *at = bsearch(&key, first, n_first, sizeof *first, by_name);
            move_reach(&steps[i], k, kept, at && at->ranks == n_steps);
            if (at && at->ranks == n_steps)
                steps[i].marks[kept++] = steps[i].marks[k];
        }
        steps[i].n_marks = kept;
    }
    free(first);
    return true;
}

static bool one_order(const struct tr_stage_step *steps, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < steps->n_marks; k++)
            if (steps[i].marks[k].name != steps->marks[k].name)
                return false;
    return true;
}

static bool mark_by_annotations(struct tr_stages *s, struct tr_stage_job *job)
{
    struct tr_stage_step *steps = &s->steps[job->first];
    if (!keep_common(steps, job->n))
        return false;
    bool ordered = one_order(steps, job->n);
    for (size_t i = 0; i < job->n && !ordered; i++)
        steps[i].n_marks = 0;
    job->n_marks = steps->n_marks;
    return true;
}

/* ---- collectives that all ranks have ---- */

/* A collective of a step, by its start on the first rank. */
struct shared {
    size_t job, stage; /* SIZE_MAX: not all ranks launch it in the same one */
    int64_t start;
    size_t coll;
};

TR_ORDER(by_start, struct shared, TR_UP(job), TR_UP(stage), TR_UP(start), TR_UP(coll))

struct tr_stage_launch tr__stages_launch(const struct tr_stages *s, bool host, const struct tr_coll_member *m)
{
    if (s->loaded) {
        uint32_t at = tr_eventmap_get(&s->launch_of, m->source, m->record);
        return at == TR_EVENTMAP_NONE ? (struct tr_stage_launch){ TR_TIME_NONE, UINT64_MAX } : s->launches[at];
    }
    int64_t ts = host ? m->start - m->moved : m->launch;
    const struct tr_step_moment at = { ts, m->source, host || ts == TR_TIME_NONE ? m->track : m->host_track };
    return (struct tr_stage_launch){ ts, tr_steps_place(s->of, s->in->dict, at) };
}

static size_t step_at(const struct tr_stages *s, uint32_t source, uint64_t place)
{
    uint32_t at = tr_eventmap_get(&s->step_of, source, place);
    return at == TR_EVENTMAP_NONE ? SIZE_MAX : at;
}

size_t tr_stages_step(const struct tr_stages *s, const struct tr_colls *c, const struct tr_coll_member *m)
{
    return m->suspect ? SIZE_MAX : step_at(s, m->source, tr__stages_launch(s, c->host, m).place);
}

/* The step of all ranks in which a collective is; job SIZE_MAX: not all ranks wait in it, or not all of the step. */
static struct shared shared_of(const struct tr_stages *s, const struct tr_colls *c, size_t coll)
{
    const struct tr_coll_member *m = &c->members[c->colls[coll].first];
    struct shared of = { SIZE_MAX, 0, m->start, coll };
    const struct shared none = of;
    size_t n = 0, last = SIZE_MAX;
    if (!tr_coll_is_sync((enum tr_coll_type)c->colls[coll].type))
        return none;
    for (uint32_t k = 0; k < c->colls[coll].n; k++) {
        size_t at = tr_stages_step(s, c, &m[k]);
        if (at == SIZE_MAX || (k && s->steps[at].job != of.job))
            return none;
        size_t stage = tr__stage_at(s->steps[at].marks, s->steps[at].n_marks, tr__stages_launch(s, c->host, &m[k]).ts);
        of.stage = !k || stage == of.stage ? stage : SIZE_MAX;
        of.job = s->steps[at].job;
        n += at != last; /* devices of a rank are together */
        last = at;
    }
    return of.job != SIZE_MAX && of.stage != SIZE_MAX && n == s->jobs[of.job].n ? of : none;
}

/* A rank starts a collective when its last device does. */
static bool add_shared(struct tr_stages *s, const struct tr_colls *c, const struct shared *of)
{
    const struct tr_coll *coll = &c->colls[of->coll];
    for (uint32_t k = 0; k < coll->n; k++) {
        const struct tr_coll_member *m = &c->members[coll->first + k];
        struct tr_stage_step *step = &s->steps[tr_stages_step(s, c, m)];
        const struct tr_stage_mark cut = { m->start - m->moved, m->end - m->moved, TR_NO_STR, of->coll, of->stage };
        struct tr_stage_mark *last = step->n_cuts ? &step->cuts[step->n_cuts - 1] : NULL;
        if (last && last->coll == of->coll) {
            last->start = cut.start > last->start ? cut.start : last->start;
            last->end = cut.end > last->end ? cut.end : last->end;
            continue;
        }
        if (!tr_grow(&step->cuts, &step->cap_cuts, step->n_cuts + 1, sizeof *step->cuts))
            return false;
        step->cuts[step->n_cuts++] = cut;
    }
    return true;
}

/* Without annotations, collectives are the marks. */
static void cuts_as_marks(struct tr_stage_step *step)
{
    free(step->marks);
    step->marks = step->cuts;
    step->n_marks = step->n_cuts;
    step->cuts = NULL;
    step->n_cuts = 0;
}

static bool cut_by_collectives(struct tr_stages *s, const struct tr_colls *c)
{
    size_t n = 0;
    struct shared *all = malloc((c->n + 1) * sizeof *all);
    bool ok = all != NULL;
    for (size_t i = 0; ok && i < c->n; i++) {
        all[n] = shared_of(s, c, i);
        n += all[n].job != SIZE_MAX;
    }
    if (ok && n)
        qsort(all, n, sizeof *all, by_start);
    for (size_t i = 0; ok && i < n; i++)
        ok = add_shared(s, c, &all[i]);
    for (size_t i = 0; i < s->n_steps; i++)
        if (!s->jobs[s->steps[i].job].n_marks)
            cuts_as_marks(&s->steps[i]);
    for (size_t i = 0; i < s->n_jobs; i++)
        s->jobs[i].n_marks = s->steps[s->jobs[i].first].n_marks;
    free(all);
    return ok;
}

/* ---- ends of stages ---- */

/* Work that was launched in a stage of an annotation may end after the stage has ended on the host. */
static void extend(struct tr_stage_step *step)
{
    if (!step->n_marks || step->marks[0].coll != SIZE_MAX)
        return;
    for (size_t stage = 0; stage < 2 * step->n_marks + 1; stage++)
        step->ends[stage] = later(step->ends[stage], step->reach[stage]);
}

/* Put the starts and ends of collectives before the ends of the stages that they cut.  All are in order then. */
static void cut_stages(struct tr_stage_step *step, size_t *stages)
{
    size_t cut = step->n_cuts, part = 2 * (step->n_marks + step->n_cuts) + 1;
    for (size_t stage = 2 * step->n_marks + 1; stage-- > 0;) {
        int64_t end = step->ends[stage];
        stages[--part] = stage;
        step->ends[part] = end;
        for (; cut && step->cuts[cut - 1].stage == stage; cut--) {
            const struct tr_stage_mark *by = &step->cuts[cut - 1];
            stages[part - 1] = stages[part - 2] = stage;
            step->ends[--part] = by->end < end ? by->end : end;
            step->ends[--part] = by->start < end ? by->start : end;
        }
    }
}

/* Ends never go back, nor beyond the step. */
static void put_in_order(struct tr_stage_step *step, size_t n)
{
    int64_t at = step->span.start;
    for (size_t k = 0; k < n; k++) {
        at = step->ends[k] > at ? step->ends[k] : at;
        step->ends[k] = at = at < step->span.end ? at : step->span.end;
    }
}

static bool end_stages(struct tr_stages *s)
{
    for (size_t i = 0; i < s->n_steps; i++) {
        struct tr_stage_step *step = &s->steps[i];
        struct tr_stage_job *job = &s->jobs[step->job];
        size_t n = 2 * step->n_marks;
        job->n_parts = n + 2 * step->n_cuts + 1;
        step->ends = malloc(job->n_parts * sizeof *step->ends);
        if (!job->stages)
            job->stages = malloc(job->n_parts * sizeof *job->stages);
        if (!step->ends || !job->stages)
            return false;
        for (size_t k = 0; k < n; k++)
            step->ends[k] = tr__stage_bound(step->marks, k);
        step->ends[n] = step->span.end;
        extend(step);
    }
    for (size_t i = 0; i < s->n_steps; i++) {
        struct tr_stage_job *job = &s->jobs[s->steps[i].job];
        put_in_order(&s->steps[i], 2 * job->n_marks + 1);
        cut_stages(&s->steps[i], job->stages);
        put_in_order(&s->steps[i], job->n_parts);
    }
    return true;
}

/* ---- the end ---- */

enum tr_status tr_stages_finish(struct tr_stages *s, const struct tr_colls *colls, struct tr_error *err)
{
    bool ok = tr__stages_end_reading(s);
    for (size_t i = 0; ok && i < s->n_jobs; i++)
        ok = mark_by_annotations(s, &s->jobs[i]);
    ok = ok && cut_by_collectives(s, colls) && end_stages(s);
    return ok ? TR_OK : tr_fail_memory(err);
}
