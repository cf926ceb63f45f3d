/* SPDX-License-Identifier: MIT */
/* Where do the stages of each step end, and what did the devices do in them? */
#include "analysis/comm/tr_stages.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <stdlib.h>

#define NO_PLACE SIZE_MAX

/* Device work; launch and launched: start and end of its launch call, or TR_TIME_NONE. */
struct work {
    int64_t start, end, launch, launched;
    size_t place; /* of its step in the summary of its source */
    uint8_t cause;
};

/* A stretch of time up to `end`, from the end of the one before. */
struct stretch {
    int64_t end;
    uint8_t cause;
};

struct tr_stage_source {
    struct work *work; /* by start */
    size_t n_work, cap_work;
    struct stretch *stretches; /* after finish */
    size_t n_stretches, cap_stretches;
    struct own_marks *marks; /* by place of the step */
    size_t *step_of;         /* by place: a step, or SIZE_MAX */
    size_t n_places;
};

/* The annotations of a step, by start. */
struct own_marks {
    struct tr_stage_mark *v;
    size_t n, cap;
};

/* ---- reading ---- */

void tr_stages_free(struct tr_stages *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_sources; i++) {
        struct tr_stage_source *of = &s->sources[i];
        for (size_t k = 0; of->marks && k < of->n_places; k++)
            free(of->marks[k].v);
        free(of->marks);
        free(of->step_of);
        free(of->work);
        free(of->stretches);
    }
    for (size_t i = 0; i < s->n_steps; i++) {
        free(s->steps[i].marks);
        free(s->steps[i].cuts);
        free(s->steps[i].ends);
    }
    for (size_t i = 0; i < s->n_jobs; i++)
        free(s->jobs[i].stages);
    free(s->sources);
    free(s->steps);
    free(s->jobs);
    free(s->launch_ts);
    free(s->launch_dur);
    free(s->launch_track);
    tr_summary_free(s->summary);
    tr_steps_free(s->of);
    tr_step_ends_free(s->ends);
    free(s);
}

enum tr_status tr_stages_new(const struct tr_analysis_in *in, struct tr_stages **out, struct tr_error *err)
{
    struct tr_stages *s = *out = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->in = in;
    s->summary = in->summary ? tr_summary_copy(in->summary) : tr_summary_new(0);
    s->of = s->summary ? tr_steps_new(s->summary) : NULL;
    s->ends = s->of ? tr_step_ends_new(in->dict, s->summary) : NULL;
    return s->ends ? TR_OK : tr_fail_memory(err);
}

/* Room for what is known of each source.  False: out of memory. */
static bool know_sources(struct tr_stages *s)
{
    size_t n = s->in->dict->n_sources;
    if (!tr_grow(&s->sources, &s->cap_sources, n, sizeof *s->sources))
        return false;
    for (; s->n_sources < n; s->n_sources++) {
        struct tr_stage_source *of = &s->sources[s->n_sources];
        size_t places = s->n_sources < s->summary->n ? s->summary->sources[s->n_sources].n_steps : 0;
        *of = (struct tr_stage_source){ .n_places = places };
        of->marks = calloc(places + 1, sizeof *of->marks);
        of->step_of = malloc((places + 1) * sizeof *of->step_of);
        if (!of->marks || !of->step_of)
            return s->n_sources++, false; /* to be freed */
        for (size_t k = 0; k < places; k++)
            of->step_of[k] = SIZE_MAX;
    }
    return true;
}

static bool room_for_launches(struct tr_stages *s, size_t n)
{
    return tr_grow(&s->launch_ts, &s->cap_launch_ts, n, sizeof *s->launch_ts) &&
           tr_grow(&s->launch_dur, &s->cap_launch_dur, n, sizeof *s->launch_dur) &&
           tr_grow(&s->launch_track, &s->cap_launch_track, n, sizeof *s->launch_track);
}

/* An annotation of the thread of a step that is inside of the step and of no other annotation there. */
static bool add_mark(struct tr_stages *s, const struct tr_batch *b, size_t i, uint32_t source)
{
    struct tr_stage_source *of = &s->sources[source];
    const int64_t start = b->ts[i], end = start + b->dur[i];
    size_t place = tr_steps_place(s->of, s->in->dict, (struct tr_step_moment){ start, source, b->track[i] });
    if (place >= of->n_places)
        return true;
    const struct tr_step *step = &s->summary->sources[source].steps[place];
    struct own_marks *m = &of->marks[place];
    bool whole = start == step->start && end == step->end; /* the step itself */
    if (step->track != b->track[i] || whole || end > step->end || (m->n && start < m->v[m->n - 1].end))
        return true;
    if (!tr_grow(&m->v, &m->cap, m->n + 1, sizeof *m->v))
        return false;
    m->v[m->n++] = (struct tr_stage_mark){ start, end, b->name[i], SIZE_MAX, 0 };
    return true;
}

static bool add_work(struct tr_stages *s, const struct tr_batch *b, size_t i, uint32_t source)
{
    static const uint8_t causes[] = {
        [TR_KIND_COMPUTE] = TR_STAGE_COMPUTE, [TR_KIND_COMM] = TR_STAGE_COMM, [TR_KIND_MEMORY] = TR_STAGE_MEMORY
    };
    struct tr_stage_source *of = &s->sources[source];
    unsigned kind = b->kind[i];
    bool known = kind == TR_KIND_COMPUTE || kind == TR_KIND_COMM || kind == TR_KIND_MEMORY;
    int64_t dur = s->launch_dur[i] > 0 ? s->launch_dur[i] : 0;
    if (!tr_grow(&of->work, &of->cap_work, of->n_work + 1, sizeof *of->work))
        return false;
    of->work[of->n_work++] = (struct work){
        .start = b->ts[i],
        .end = b->ts[i] + b->dur[i],
        .launch = s->launch_ts[i],
        .launched = s->launch_ts[i] == TR_TIME_NONE ? TR_TIME_NONE : s->launch_ts[i] + dur,
        .place = tr_steps_place(s->of, s->in->dict,
                                tr_steps_moment(s->of, b, i, s->launch_ts[i], s->launch_track[i])),
        .cause = known ? causes[kind] : TR_STAGE_OTHER,
    };
    return true;
}

enum tr_status tr_stages_feed(struct tr_stages *s, const struct tr_batch *b, struct tr_error *err)
{
    const uint8_t *keep = tr_select_where_alone(s->in->select);
    bool ok = know_sources(s) && room_for_launches(s, b->n) && tr_step_ends_feed(s->ends, b, keep);
    if (ok) {
        tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, s->launch_ts);
        tr_batch_expand_i64(b, TR_COL_LAUNCH_DUR, TR_TIME_NONE, s->launch_dur);
        tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, s->launch_track);
    }
    for (size_t i = 0; ok && i < b->n; i++) {
        const struct tr_track *t = &s->in->dict->tracks[b->track[i]];
        if (b->phase[i] != TR_SPAN || b->suspect[i] != TR_SUSPECT_NO || b->ts[i] == TR_TIME_NONE || b->dur[i] < 0)
            continue;
        if (b->activity[i] == TR_ACT_ANNOTATION)
            ok = add_mark(s, b, i, t->source);
        else if (tr_is_device_work(b->activity[i]) && (!keep || keep[i]))
            ok = add_work(s, b, i, t->source);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- steps of all ranks ---- */

static int by_job(const void *x, const void *y)
{
    const struct tr_stage_step *a = x, *b = y;
    int order = TR_CMP(a->capture, b->capture);
    order = order ? order : TR_CMP(a->span.at.number, b->span.at.number);
    order = order ? order : TR_CMP(a->rank, b->rank);
    order = order ? order : TR_CMP(a->span.source, b->span.source);
    return order ? order : TR_CMP(a->span.place, b->span.place);
}

static bool same_job(const struct tr_stage_step *a, const struct tr_stage_step *b)
{
    return a->capture == b->capture && a->span.at.number == b->span.at.number;
}

static bool same_rank(const struct tr_stage_step *a, const struct tr_stage_step *b)
{
    return a->rank == b->rank && (a->rank != INT64_MAX || a->span.source == b->span.source);
}

/* The selected steps of a rank, of one number the first one alone; their annotations go with them. */
static bool gather_steps(struct tr_stages *s)
{
    const struct tr_dict *d = s->in->dict;
    size_t n, kept = 0;
    const struct tr_step_span *spans = tr_step_ends_rows(s->ends, &n);
    s->steps = calloc(n + 1, sizeof *s->steps);
    s->jobs = calloc(n + 1, sizeof *s->jobs);
    if (!s->steps || !s->jobs)
        return false;
    for (size_t i = 0; i < n; i++)
        if (spans[i].source < s->n_sources &&
            (!s->in->select || tr_select_step(s->in->select, spans[i].source, &spans[i].at))) {
            const struct tr_source *of = &d->sources[spans[i].source];
            s->steps[kept++] = (struct tr_stage_step){ .span = spans[i],
                                                       .capture = (int64_t)of->capture,
                                                       .rank = of->rank < 0 ? INT64_MAX : of->rank };
        }
    if (kept)
        qsort(s->steps, kept, sizeof *s->steps, by_job);
    for (size_t i = 0; i < kept; i++) {
        struct tr_stage_step *to = &s->steps[s->n_steps], step = s->steps[i];
        bool more = s->n_steps && same_job(&to[-1], &step);
        if (more && same_rank(&to[-1], &step))
            continue;
        if (!more)
            s->jobs[s->n_jobs++].first = s->n_steps;
        step.job = s->n_jobs - 1;
        s->jobs[step.job].n++;
        struct own_marks *m = &s->sources[step.span.source].marks[step.span.place];
        step.marks = m->v;
        step.n_marks = m->n;
        step.cap_marks = m->cap;
        *m = (struct own_marks){ NULL, 0, 0 };
        s->sources[step.span.source].step_of[step.span.place] = s->n_steps++;
        *to = step;
    }
    return true;
}

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

/* A bound between stages by its mark: bound 0 is the start of the first one, bound 1 its end. */
static int64_t bound(const struct tr_stage_step *step, size_t i)
{
    return i % 2 ? step->marks[i / 2].end : step->marks[i / 2].start;
}

/* The stage by annotations in which the host is. */
static size_t stage_at(const struct tr_stage_step *step, int64_t ts)
{
    size_t stage = 0;
    TR_BOUND(stage, 2 * step->n_marks, mid, bound(step, mid) <= ts);
    return stage;
}

/* ---- collectives that all ranks have ---- */

/* A collective of a step, by its start on the first rank. */
struct shared {
    size_t job, stage; /* SIZE_MAX: not all ranks launch it in the same one */
    int64_t start;
    size_t coll;
};

TR_ORDER(by_start, struct shared, TR_UP(job), TR_UP(stage), TR_UP(start), TR_UP(coll))

/* When a member was launched, by the clock of its rank. */
static int64_t host_time(const struct tr_colls *c, const struct tr_coll_member *m)
{
    return c->host ? m->start - m->moved : m->launch;
}


size_t tr_stages_step(const struct tr_stages *s, const struct tr_colls *c, const struct tr_coll_member *m)
{
    int64_t ts = host_time(c, m);
    const struct tr_step_moment at = { ts, m->source, c->host || ts == TR_TIME_NONE ? m->track : m->host_track };
    size_t place = m->suspect ? NO_PLACE : tr_steps_place(s->of, s->in->dict, at);
    return place < s->sources[m->source].n_places ? s->sources[m->source].step_of[place] : SIZE_MAX;
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
        size_t stage = s->jobs[s->steps[at].job].n_marks ? stage_at(&s->steps[at], host_time(c, &m[k])) : 0;
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

/* Work that was launched in a stage may end after the stage has ended on the host. */
static void extend(const struct tr_stages *s, const struct tr_stage_source *of)
{
    for (size_t i = 0; i < of->n_work; i++) {
        const struct work *w = &of->work[i];
        size_t at = w->place < of->n_places ? of->step_of[w->place] : SIZE_MAX, stage;
        if (at == SIZE_MAX || w->launch == TR_TIME_NONE || w->cause > TR_STAGE_COMM)
            continue;
        const struct tr_stage_step *step = &s->steps[at];
        if (step->n_marks && step->marks[0].coll != SIZE_MAX)
            continue;
        stage = stage_at(step, w->launch);
        step->ends[stage] = w->end > step->ends[stage] ? w->end : step->ends[stage];
    }
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
            step->ends[k] = bound(step, k);
        step->ends[n] = step->span.end;
    }
    for (size_t i = 0; i < s->n_sources; i++)
        extend(s, &s->sources[i]);
    for (size_t i = 0; i < s->n_steps; i++) {
        struct tr_stage_job *job = &s->jobs[s->steps[i].job];
        put_in_order(&s->steps[i], 2 * job->n_marks + 1);
        cut_stages(&s->steps[i], job->stages);
        put_in_order(&s->steps[i], job->n_parts);
    }
    return true;
}

/* ---- what devices did ---- */

static bool stretch(struct tr_stage_source *of, int64_t end, unsigned cause)
{
    if (!tr_grow(&of->stretches, &of->cap_stretches, of->n_stretches + 1, sizeof *of->stretches))
        return false;
    of->stretches[of->n_stretches++] = (struct stretch){ end, (uint8_t)cause };
    return true;
}

/* From the end of all earlier work, or of its launch, to the next work. */
static bool gap(struct tr_stage_source *of, int64_t now, const struct work *next)
{
    bool ok = true;
    if (next->launched != TR_TIME_NONE && next->launched > now)
        ok = stretch(of, next->launched < next->start ? next->launched : next->start, TR_STAGE_HOST);
    return ok && (next->launched >= next->start || stretch(of, next->start, TR_STAGE_IDLE));
}

/* The time of a source; after its last work, it waits for its host. */
static bool find_stretches(struct tr_stage_source *of)
{
    int64_t now = INT64_MIN, ends[TR_STAGE_HOST] = { INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN };
    bool ok = true;
    for (size_t i = 0; ok && i <= of->n_work; i++) {
        int64_t to = i < of->n_work ? of->work[i].start : INT64_MAX;
        for (unsigned cause = 0; ok && cause < TR_STAGE_HOST && now < to; cause++)
            if (ends[cause] > now) {
                now = ends[cause] < to ? ends[cause] : to;
                ok = stretch(of, now, cause);
            }
        if (ok && now < to)
            ok = i < of->n_work ? gap(of, now, &of->work[i]) : stretch(of, INT64_MAX, TR_STAGE_HOST);
        now = to;
        if (i < of->n_work && of->work[i].end > ends[of->work[i].cause])
            ends[of->work[i].cause] = of->work[i].end;
    }
    return ok;
}

void tr_stages_account(const struct tr_stages *s, uint32_t source, int64_t from, int64_t to,
                       int64_t of[TR_N_STAGE_CAUSES])
{
    const struct tr_stage_source *src = &s->sources[source];
    size_t at = 0;
    for (size_t k = 0; k < TR_N_STAGE_CAUSES; k++)
        of[k] = 0;
    TR_BOUND(at, src->n_stretches, mid, src->stretches[mid].end <= from);
    for (; at < src->n_stretches && from < to; at++) {
        int64_t end = src->stretches[at].end < to ? src->stretches[at].end : to;
        of[src->stretches[at].cause] += end - from;
        from = end;
    }
}

/* ---- the end ---- */

enum tr_status tr_stages_finish(struct tr_stages *s, const struct tr_colls *colls, struct tr_error *err)
{
    bool ok = know_sources(s) && tr_step_ends_finish(s->ends) && gather_steps(s);
    for (size_t i = 0; ok && i < s->n_jobs; i++)
        ok = mark_by_annotations(s, &s->jobs[i]);
    ok = ok && cut_by_collectives(s, colls) && end_stages(s);
    for (size_t i = 0; ok && i < s->n_sources; i++)
        ok = find_stretches(&s->sources[i]);
    return ok ? TR_OK : tr_fail_memory(err);
}
