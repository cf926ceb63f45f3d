/* SPDX-License-Identifier: MIT */
/*
 * What a rank alone knows of the stages of its steps: marks, ends of work, and what its devices did.
 *
 * Which marks count, and where stages end, is known only with the data of all ranks.  So for each mark that may count,
 * the latest end of work launched in it and before it is kept; of marks that do not count, the latest of several is
 * that of the stage.  Of what devices did, the sums between all moments at which a stage or a message can start or end
 * are kept: stretches between two of these are merged from time to time.
 */
#include "analysis/comm/tr_stages_int.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "base/tr_time.h"

#include <stdlib.h>

#define FEW 1024u

/* ---- memory ---- */

void tr_stages_free(struct tr_stages *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_sources; i++) {
        struct tr_stage_source *of = &s->sources[i];
        for (size_t k = 0; of->marks && k < of->n_places; k++) {
            free(of->marks[k].v);
            free(of->marks[k].reach);
        }
        free(of->marks);
        free(of->stretches);
        free(of->moments);
    }
    for (size_t i = 0; i < s->n_steps; i++) {
        free(s->steps[i].marks);
        free(s->steps[i].reach);
        free(s->steps[i].cuts);
        free(s->steps[i].ends);
    }
    for (size_t i = 0; i < s->n_jobs; i++)
        free(s->jobs[i].stages);
    free(s->sources);
    free(s->steps);
    free(s->jobs);
    free(s->launches);
    tr_eventmap_free(&s->step_of);
    tr_eventmap_free(&s->launch_of);
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
    s->ends = s->of ? tr_step_ends_new_in(in->dict, s->summary) : NULL;
    return s->ends ? TR_OK : tr_fail_memory(err);
}

bool tr__stages_know_sources(struct tr_stages *s)
{
    size_t n = s->in->dict->n_sources;
    if (!tr_grow(&s->sources, &s->cap_sources, n, sizeof *s->sources))
        return false;
    for (; s->n_sources < n; s->n_sources++) {
        struct tr_stage_source *of = &s->sources[s->n_sources];
        size_t places = s->n_sources < s->summary->n ? s->summary->sources[s->n_sources].n_steps : 0;
        *of = (struct tr_stage_source){ .n_places = places, .limit = FEW, .now = INT64_MIN };
        for (size_t k = 0; k < TR_STAGE_HOST; k++)
            of->ends[k] = INT64_MIN;
        of->marks = calloc(places + 1, sizeof *of->marks);
        if (!of->marks)
            return s->n_sources++, false; /* to be freed */
    }
    return true;
}

/* ---- marks ---- */

int64_t tr__stage_bound(const struct tr_stage_mark *marks, size_t i)
{
    return i % 2 ? marks[i / 2].end : marks[i / 2].start;
}

size_t tr__stage_at(const struct tr_stage_mark *marks, size_t n, int64_t ts)
{
    size_t stage = 0;
    TR_BOUND(stage, 2 * n, mid, tr__stage_bound(marks, mid) <= ts);
    return stage;
}

/* Room for the latest ends of work in all stages that the marks make; most steps have one stage. */
static bool room_for_reach(struct tr_stage_marks *m)
{
    if (!m->cap_reach && (m->reach = malloc((2 * m->n + 1) * sizeof *m->reach)))
        m->cap_reach = 2 * m->n + 1;
    if (!tr_grow(&m->reach, &m->cap_reach, 2 * m->n + 1, sizeof *m->reach))
        return false;
    for (; m->n_reach < 2 * m->n + 1; m->n_reach++)
        m->reach[m->n_reach] = TR_TIME_NONE;
    return true;
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
    struct tr_stage_marks *m = &of->marks[place];
    bool whole = start == step->start && end == step->end; /* the step itself */
    if (step->track != b->track[i] || whole || end > step->end || (m->n && start < m->v[m->n - 1].end))
        return true;
    if (!tr_grow(&m->v, &m->cap, m->n + 1, sizeof *m->v))
        return false;
    m->v[m->n++] = (struct tr_stage_mark){ start, end, b->name[i], SIZE_MAX, 0 };
    return true;
}

/* Work that was launched in a stage may end after the stage has ended on the host. */
static bool add_reach(struct tr_stage_marks *m, int64_t launch, int64_t end)
{
    if (!room_for_reach(m))
        return false;
    int64_t *reach = &m->reach[tr__stage_at(m->v, m->n, launch)]; /* all marks that start before work are known */
    *reach = *reach == TR_TIME_NONE || end > *reach ? end : *reach;
    return true;
}

/* ---- what devices did ---- */

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

static bool add_moment(int64_t time, int64_t **times, size_t *n, size_t *cap)
{
    if (!tr_grow(times, cap, *n + 1, sizeof **times))
        return false;
    (*times)[(*n)++] = time;
    return true;
}

bool tr__stages_moments(const struct tr_stages *s, uint32_t source, int64_t **times, size_t *n, size_t *cap)
{
    const struct tr_stage_source *of = &s->sources[source];
    bool ok = tr_step_ends_bounds(s->ends, source, times, n, cap);
    for (size_t i = 0; ok && i < of->n_moments; i++)
        ok = add_moment(of->moments[i], times, n, cap);
    for (size_t k = 0; ok && k < of->n_places; k++) {
        const struct tr_stage_marks *m = &of->marks[k];
        for (size_t i = 0; ok && i < 2 * m->n; i++)
            ok = add_moment(tr__stage_bound(m->v, i), times, n, cap);
        for (size_t i = 0; ok && i < m->n_reach; i++)
            ok = m->reach[i] == TR_TIME_NONE || add_moment(m->reach[i], times, n, cap);
    }
    return ok;
}

static void put_stretch(struct tr_stretch *list, size_t *n, int64_t end, unsigned cause)
{
    list[(*n)++] = (struct tr_stretch){ end, (uint8_t)cause };
}

bool tr__stages_cut(struct tr_stages *s, uint32_t source, int64_t *moments, size_t n_moments)
{
    struct tr_stage_source *of = &s->sources[source];
    size_t n = 0, at = 0;
    int64_t last = of->n_stretches ? of->stretches[of->n_stretches - 1].end : INT64_MIN, from = INT64_MIN;
    if (n_moments)
        qsort(moments, n_moments, sizeof *moments, tr_by_i64);
    struct tr_stretch *list = malloc((TR_N_STAGE_CAUSES * n_moments + of->n_stretches + 1) * sizeof *list);
    if (!list)
        return false;
    for (size_t i = 0; i < n_moments && moments[i] <= last; i++) {
        int64_t sums[TR_N_STAGE_CAUSES], now = from;
        if (i && moments[i] > from) {
            tr_stages_account(s, source, from, moments[i], sums);
            for (unsigned k = 0; k < TR_N_STAGE_CAUSES; k++)
                if (sums[k])
                    put_stretch(list, &n, now += sums[k], k);
        } else if (!i) {
            put_stretch(list, &n, moments[i], TR_STAGE_HOST); /* nobody asks about the time before */
        }
        from = moments[i];
    }
    for (at = 0; at < of->n_stretches; at++)
        if (of->stretches[at].end > from)
            list[n++] = of->stretches[at];
    free(of->stretches);
    of->stretches = list;
    of->n_stretches = n;
    of->cap_stretches = TR_N_STAGE_CAUSES * n_moments + at + 1;
    of->limit = 2 * n + n_moments + FEW; /* so merging takes little time for each stretch */
    return true;
}

/* Merge stretches between which nothing can start or end. */
static bool merge(struct tr_stages *s, uint32_t source)
{
    int64_t *moments = NULL;
    size_t n = 0, cap = 0;
    bool ok = tr__stages_moments(s, source, &moments, &n, &cap) && tr__stages_cut(s, source, moments, n);
    free(moments);
    return ok;
}

static bool stretch(struct tr_stages *s, uint32_t source, int64_t end, unsigned cause)
{
    struct tr_stage_source *of = &s->sources[source];
    if ((of->n_stretches >= of->limit && !merge(s, source)) ||
        !tr_grow(&of->stretches, &of->cap_stretches, of->n_stretches + 1, sizeof *of->stretches))
        return false;
    put_stretch(of->stretches, &of->n_stretches, end, cause);
    return true;
}

/* All work that starts before a time is known. */
static bool advance(struct tr_stages *s, uint32_t source, int64_t to)
{
    struct tr_stage_source *of = &s->sources[source];
    bool ok = true;
    for (unsigned cause = 0; ok && cause < TR_STAGE_HOST && of->now < to; cause++)
        if (of->ends[cause] > of->now) {
            of->now = of->ends[cause] < to ? of->ends[cause] : to;
            ok = stretch(s, source, of->now, cause);
        }
    return ok;
}

/* From the end of all earlier work, or of its launch, to the next work. */
static bool gap(struct tr_stages *s, uint32_t source, int64_t start, int64_t launched)
{
    int64_t now = s->sources[source].now;
    bool ok = true;
    if (launched != TR_TIME_NONE && launched > now)
        ok = stretch(s, source, launched < start ? launched : start, TR_STAGE_HOST);
    return ok && ((launched != TR_TIME_NONE && launched >= start) || stretch(s, source, start, TR_STAGE_IDLE));
}

static bool add_work(struct tr_stages *s, const struct tr_batch *b, size_t i, uint32_t source)
{
    static const uint8_t causes[] = {
        [TR_KIND_COMPUTE] = TR_STAGE_COMPUTE, [TR_KIND_COMM] = TR_STAGE_COMM, [TR_KIND_MEMORY] = TR_STAGE_MEMORY
    };
    struct tr_stage_source *of = &s->sources[source];
    unsigned kind = b->kind[i];
    unsigned cause =
        kind == TR_KIND_COMPUTE || kind == TR_KIND_COMM || kind == TR_KIND_MEMORY ? causes[kind] : TR_STAGE_OTHER;
    const int64_t start = b->ts[i], end = start + b->dur[i], launch = s->launch_ts[i];
    int64_t called = tr_time_sum(launch, s->launch_dur[i] > 0 ? s->launch_dur[i] : 0);
    if (!advance(s, source, start) || (of->now < start && !gap(s, source, start, called)))
        return false;
    of->now = start;
    of->ends[cause] = end > of->ends[cause] ? end : of->ends[cause];
    if (launch == TR_TIME_NONE || cause > TR_STAGE_COMM)
        return true;
    size_t place = tr_steps_place(s->of, s->in->dict, tr_steps_moment(s->of, b, i, launch, s->launch_track[i]));
    return place >= of->n_places || add_reach(&of->marks[place], launch, end);
}

static bool end_stretches(struct tr_stages *s, uint32_t source)
{
    /* after its last work, it waits for its host */
    return advance(s, source, INT64_MAX) && stretch(s, source, INT64_MAX, TR_STAGE_HOST);
}

/* ---- reading ---- */

static bool room_for_launches(struct tr_stages *s, size_t n)
{
    return tr_grow(&s->launch_ts, &s->cap_launch_ts, n, sizeof *s->launch_ts) &&
           tr_grow(&s->launch_dur, &s->cap_launch_dur, n, sizeof *s->launch_dur) &&
           tr_grow(&s->launch_track, &s->cap_launch_track, n, sizeof *s->launch_track);
}

enum tr_status tr_stages_feed(struct tr_stages *s, const struct tr_coll_finder *finder, const struct tr_batch *b,
                              struct tr_error *err)
{
    const uint8_t *keep = tr_select_where_alone(s->in->select);
    bool ok = tr__stages_know_sources(s) && room_for_launches(s, b->n) && tr_step_ends_feed(s->ends, b, keep);
    if (ok) {
        tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, s->launch_ts);
        tr_batch_expand_i64(b, TR_COL_LAUNCH_DUR, TR_TIME_NONE, s->launch_dur);
        tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, s->launch_track);
    }
    for (size_t i = 0; ok && i < b->n; i++) {
        bool mark = b->activity[i] == TR_ACT_ANNOTATION, may = tr_coll_may_have(finder, b, i);
        bool work = tr_is_device_work(b->activity[i]) && (!keep || keep[i]);
        int64_t end = tr_time_sum(b->ts[i], b->dur[i]);
        if ((!mark && !work && !may) || b->phase[i] != TR_SPAN || b->suspect[i] != TR_SUSPECT_NO || b->dur[i] < 0 ||
            tr_time_far(b->ts[i]) || tr_time_far(end))
            continue;
        uint32_t source = s->in->dict->tracks[b->track[i]].source;
        struct tr_stage_source *of = &s->sources[source];
        if (mark)
            ok = add_mark(s, b, i, source);
        else if (work)
            ok = add_work(s, b, i, source);
        if (ok && may)
            ok = add_moment(b->ts[i], &of->moments, &of->n_moments, &of->cap_moments) &&
                 add_moment(end, &of->moments, &of->n_moments, &of->cap_moments);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- the end ---- */

/* The selected steps, with what is known of them. */
static bool take_steps(struct tr_stages *s)
{
    size_t n;
    const struct tr_step_span *spans = tr_step_ends_rows(s->ends, &n);
    if (!tr_grow(&s->steps, &s->cap_steps, s->n_steps + n, sizeof *s->steps))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct tr_step_span *span = &spans[i];
        if (span->source >= s->n_sources ||
            (s->in->select && !tr_select_step(s->in->select, span->source, &span->at)))
            continue;
        const struct tr_source *of = &s->in->dict->sources[span->source];
        struct tr_stage_marks *m = &s->sources[span->source].marks[span->place];
        if (!room_for_reach(m))
            return false;
        s->steps[s->n_steps++] = (struct tr_stage_step){ .span = *span,
                                                         .capture = (int64_t)of->capture,
                                                         .rank = of->rank < 0 ? INT64_MAX : of->rank,
                                                         .marks = m->v,
                                                         .n_marks = m->n,
                                                         .cap_marks = m->cap,
                                                         .reach = m->reach };
        *m = (struct tr_stage_marks){ .v = NULL };
    }
    return true;
}

TR_ORDER(by_job, struct tr_stage_step, TR_UP(capture), TR_UP(span.at.number), TR_UP(rank), TR_UP(span.source),
         TR_UP(span.place))

static bool same_job(const struct tr_stage_step *a, const struct tr_stage_step *b)
{
    return a->capture == b->capture && a->span.at.number == b->span.at.number;
}

static bool same_rank(const struct tr_stage_step *a, const struct tr_stage_step *b)
{
    return a->rank == b->rank && (a->rank != INT64_MAX || a->span.source == b->span.source);
}

/* Of a rank, the first step of each number counts. */
static void drop_doubles(struct tr_stages *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n_steps; i++) {
        struct tr_stage_step step = s->steps[i];
        if (kept && same_job(&s->steps[kept - 1], &step) && same_rank(&s->steps[kept - 1], &step)) {
            free(step.marks);
            free(step.reach);
        } else {
            s->steps[kept++] = step;
        }
    }
    s->n_steps = kept;
}

static bool find_jobs(struct tr_stages *s)
{
    s->jobs = calloc(s->n_steps + 1, sizeof *s->jobs);
    bool ok = s->jobs != NULL;
    for (size_t i = 0; ok && i < s->n_steps; i++) {
        struct tr_stage_step *step = &s->steps[i];
        if (!i || !same_job(&step[-1], step))
            s->jobs[s->n_jobs++].first = i;
        step->job = s->n_jobs - 1;
        s->jobs[step->job].n++;
        ok = tr_eventmap_put(&s->step_of, step->span.source, step->span.place, (uint32_t)i);
    }
    return ok;
}

bool tr__stages_end_reading(struct tr_stages *s)
{
    bool ok = s->read || (tr__stages_know_sources(s) && tr_step_ends_finish(s->ends));
    if (!ok || s->read)
        return ok;
    s->read = true;
    for (uint32_t i = 0; ok && i < s->n_sources; i++)
        ok = s->loaded || end_stretches(s, i);
    ok = ok && take_steps(s);
    if (ok && s->n_steps)
        qsort(s->steps, s->n_steps, sizeof *s->steps, by_job);
    if (ok)
        drop_doubles(s);
    tr_step_ends_free(s->ends); /* it holds as much for each step again */
    s->ends = NULL;
    return ok && find_jobs(s);
}
