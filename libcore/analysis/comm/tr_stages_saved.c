/* SPDX-License-Identifier: MIT */
/* Stages as partial results: what each rank knows alone, before stages are those that all ranks have. */
#include "analysis/comm/tr_collective_table.h"
#include "analysis/comm/tr_stages_int.h"
#include "base/tr_mem.h"

#include <stdlib.h>

enum { STEPS, MARKS, LAUNCHES, STRETCHES }; /* after the tables of the matching */

struct saved_step {
    int64_t rank, capture, number, start, end, reach; /* reach: of the time after the last mark */
    uint64_t source, place;
};
struct saved_mark {
    int64_t rank, start, end, before, in; /* before, in: the latest ends of work launched before it, and in it */
    uint64_t source, place;
    struct tr_str name;
};
struct saved_launch {
    int64_t rank, ts;
    uint64_t source, record, place;
};
struct saved_stretch {
    int64_t rank, end;
    uint64_t source, cause;
};

#define COLUMN(type, what, kind) { #what, TR_SAVED_##kind, offsetof(struct saved_##type, what) }
const struct tr_saved_column tr__stages_steps[8] = {
    COLUMN(step, rank, INT),  COLUMN(step, source, COUNT), COLUMN(step, place, COUNT), COLUMN(step, capture, INT),
    COLUMN(step, number, INT), COLUMN(step, start, INT),   COLUMN(step, end, INT),     COLUMN(step, reach, INT),
};
const struct tr_saved_column tr__stages_marks[8] = {
    COLUMN(mark, rank, INT),  COLUMN(mark, source, COUNT), COLUMN(mark, place, COUNT), COLUMN(mark, name, TEXT),
    COLUMN(mark, start, INT), COLUMN(mark, end, INT),      COLUMN(mark, before, INT),  COLUMN(mark, in, INT),
};
const struct tr_saved_column tr__stages_launches[5] = {
    COLUMN(launch, rank, INT), COLUMN(launch, source, COUNT), COLUMN(launch, record, COUNT), COLUMN(launch, ts, INT),
    COLUMN(launch, place, COUNT),
};
const struct tr_saved_column tr__stages_stretches[4] = {
    COLUMN(stretch, rank, INT), COLUMN(stretch, source, COUNT), COLUMN(stretch, end, INT),
    COLUMN(stretch, cause, COUNT),
};

/* ---- saving ---- */

static int64_t rank_of(const struct tr_stages *s, uint32_t source)
{
    int64_t rank = s->in->dict->sources[source].rank;
    return rank < 0 ? TR_I64_NONE : rank;
}

static void save_step(const struct tr_stages *s, const struct tr_stage_step *step, struct tr_partial_out *out)
{
    const uint32_t source = step->span.source;
    const struct saved_step row = { .rank = rank_of(s, source),
                                    .capture = step->capture,
                                    .number = step->span.at.number,
                                    .start = step->span.start,
                                    .end = step->span.end,
                                    .reach = step->reach[2 * step->n_marks],
                                    .source = source,
                                    .place = step->span.place };
    tr_partial_put(out, TR__COMM_OWN_TABLES + STEPS, &row);
    for (size_t i = 0; i < step->n_marks; i++) {
        const struct saved_mark mark = { .rank = row.rank,
                                         .start = step->marks[i].start,
                                         .end = step->marks[i].end,
                                         .before = step->reach[2 * i],
                                         .in = step->reach[2 * i + 1],
                                         .source = source,
                                         .place = row.place,
                                         .name = tr_dict_text_if(s->in->dict, step->marks[i].name) };
        tr_partial_put(out, TR__COMM_OWN_TABLES + MARKS, &mark);
    }
}

static void save_launches(const struct tr_stages *s, const struct tr_coll_member *members, size_t n, bool host,
                          struct tr_partial_out *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct tr_coll_member *m = &members[i];
        const struct tr_stage_launch at = tr__stages_launch(s, host, m);
        const struct saved_launch row = { rank_of(s, m->source), at.ts, m->source, m->record, at.place };
        if (tr_eventmap_has(&s->step_of, m->source, at.place))
            tr_partial_put(out, TR__COMM_OWN_TABLES + LAUNCHES, &row);
    }
}

static bool add(int64_t time, int64_t **times, size_t *n, size_t *cap)
{
    if (!tr_grow(times, cap, *n + 1, sizeof **times))
        return false;
    (*times)[(*n)++] = time;
    return true;
}

/* The moments that tables can ask about: those of steps, and of members. */
static bool list_moments(const struct tr_stages *s, const struct tr_coll_gathered *g, uint32_t source, int64_t **times,
                         size_t *n, size_t *cap)
{
    bool ok = true;
    for (size_t i = 0; ok && i < s->n_steps; i++) {
        const struct tr_stage_step *step = &s->steps[i];
        if (step->span.source != source)
            continue;
        ok = add(step->span.start, times, n, cap) && add(step->span.end, times, n, cap);
        for (size_t k = 0; ok && k < 2 * step->n_marks; k++)
            ok = add(tr__stage_bound(step->marks, k), times, n, cap);
        for (size_t k = 0; ok && k < 2 * step->n_marks + 1; k++)
            ok = step->reach[k] == TR_TIME_NONE || add(step->reach[k], times, n, cap);
    }
    for (size_t i = 0; ok && i < g->n_kernels + g->n_records; i++) {
        const struct tr_coll_member *m = i < g->n_kernels ? &g->kernels[i] : &g->records[i - g->n_kernels];
        if (m->source == source)
            ok = add(m->start, times, n, cap) && add(m->end, times, n, cap);
    }
    return ok;
}

static bool save_stretches(struct tr_stages *s, const struct tr_coll_gathered *g, uint32_t source,
                           struct tr_partial_out *out)
{
    int64_t *moments = NULL;
    size_t n = 0, cap = 0;
    bool ok = list_moments(s, g, source, &moments, &n, &cap) && tr__stages_cut(s, source, moments, n);
    const struct tr_stage_source *of = &s->sources[source];
    for (size_t i = 0; ok && n && i < of->n_stretches && of->stretches[i].end <= moments[n - 1]; i++) {
        const struct saved_stretch row = { rank_of(s, source), of->stretches[i].end, source, of->stretches[i].cause };
        tr_partial_put(out, TR__COMM_OWN_TABLES + STRETCHES, &row);
    }
    free(moments);
    return ok;
}

enum tr_status tr__stages_save(struct tr_stages *s, const struct tr_coll_gathered *g, struct tr_partial_out *out,
                               struct tr_error *err)
{
    bool ok = tr__stages_end_reading(s);
    for (size_t i = 0; ok && i < s->n_steps; i++)
        save_step(s, &s->steps[i], out);
    if (ok) {
        save_launches(s, g->kernels, g->n_kernels, false, out);
        save_launches(s, g->records, g->n_records, true, out);
    }
    for (uint32_t i = 0; ok && i < s->n_sources; i++)
        if (!s->in->select || tr_select_source(s->in->select, i))
            ok = save_stretches(s, g, i, out);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- loading ---- */

struct loading {
    const struct tr__comm_matching *m;
    struct tr_stages *s; /* NULL: nobody asks for stages */
    struct tr_partial_in *in;
};

/* A time that may be absent. */
static bool take_time(const struct loading *l, uint32_t source, int64_t t, int64_t *to)
{
    *to = TR_TIME_NONE;
    return t == TR_TIME_NONE || tr__comm_take_time(l->m, l->in, source, t, to);
}

/* Functions for rows: false if memory is out; what is wrong in a row is remembered. */
static bool load_step(const struct loading *l, const struct saved_step *r)
{
    struct tr_stages *s = l->s;
    struct tr_stage_step step = { .rank = r->rank == TR_I64_NONE ? INT64_MAX : r->rank };
    step.span.at.number = r->number;
    step.span.place = r->place;
    if (!tr__comm_take_source(l->m, l->in, r->rank, r->source, &step.span.source) ||
        !tr__comm_take_time(l->m, l->in, step.span.source, r->start, &step.span.start) ||
        !tr__comm_take_time(l->m, l->in, step.span.source, r->end, &step.span.end))
        return true;
    if (step.span.end < step.span.start || tr_eventmap_has(&s->step_of, step.span.source, r->place)) {
        tr_partial_wrong(l->in, "a step that ends before it starts, or is there twice");
        return true;
    }
    step.capture = tr_partial_capture(l->in, r->rank, r->capture);
    step.reach = malloc(sizeof *step.reach);
    if (!step.reach || !tr_grow(&s->steps, &s->cap_steps, s->n_steps + 1, sizeof *s->steps)) {
        free(step.reach);
        return false;
    }
    take_time(l, step.span.source, r->reach, step.reach);
    s->steps[s->n_steps] = step;
    return tr_eventmap_put(&s->step_of, step.span.source, r->place, (uint32_t)s->n_steps++);
}

static bool load_mark(const struct loading *l, const struct saved_mark *r)
{
    struct tr_stages *s = l->s;
    uint32_t source, at;
    struct tr_stage_mark mark = { .coll = SIZE_MAX, .name = tr_partial_string(l->in, r->name) };
    int64_t before, in;
    if (!tr__comm_take_source(l->m, l->in, r->rank, r->source, &source) ||
        !tr__comm_take_time(l->m, l->in, source, r->start, &mark.start) ||
        !tr__comm_take_time(l->m, l->in, source, r->end, &mark.end) || !take_time(l, source, r->before, &before) ||
        !take_time(l, source, r->in, &in))
        return true;
    at = tr_eventmap_get(&s->step_of, source, r->place);
    struct tr_stage_step *step = at == TR_EVENTMAP_NONE ? NULL : &s->steps[at];
    if (!step || mark.end < mark.start || (step->n_marks && mark.start < step->marks[step->n_marks - 1].end)) {
        tr_partial_wrong(l->in, "an annotation of no step, or before the one before it");
        return true;
    }
    size_t n = step->n_marks;
    int64_t *reach = realloc(step->reach, (2 * n + 3) * sizeof *reach);
    if (!reach)
        return false;
    step->reach = reach;
    reach[2 * n + 2] = reach[2 * n]; /* of the time after the last mark */
    reach[2 * n + 1] = in;
    reach[2 * n] = before;
    if (!tr_grow(&step->marks, &step->cap_marks, n + 1, sizeof *step->marks))
        return false;
    step->marks[step->n_marks++] = mark;
    return true;
}

static bool load_launch(const struct loading *l, const struct saved_launch *r)
{
    struct tr_stages *s = l->s;
    struct tr_stage_launch launch = { .place = r->place };
    uint32_t source;
    if (!tr__comm_take_source(l->m, l->in, r->rank, r->source, &source) ||
        !tr__comm_take_time(l->m, l->in, source, r->ts, &launch.ts))
        return true;
    if (!tr_grow(&s->launches, &s->cap_launches, s->n_launches + 1, sizeof *s->launches))
        return false;
    s->launches[s->n_launches] = launch;
    return tr_eventmap_put(&s->launch_of, source, r->record, (uint32_t)s->n_launches++);
}

static bool load_stretch(const struct loading *l, const struct saved_stretch *r)
{
    struct tr_stages *s = l->s;
    struct tr_stretch stretch = { .cause = (uint8_t)r->cause };
    uint32_t source;
    if (!tr__comm_take_source(l->m, l->in, r->rank, r->source, &source) ||
        !tr__comm_take_time(l->m, l->in, source, r->end, &stretch.end))
        return true;
    if (!tr__stages_know_sources(s))
        return false;
    struct tr_stage_source *of = &s->sources[source];
    if (r->cause >= TR_N_STAGE_CAUSES ||
        (of->n_stretches && stretch.end < of->stretches[of->n_stretches - 1].end)) {
        tr_partial_wrong(l->in, "what a device did, in no order");
        return true;
    }
    if (!tr_grow(&of->stretches, &of->cap_stretches, of->n_stretches + 1, sizeof *of->stretches))
        return false;
    of->stretches[of->n_stretches++] = stretch;
    return true;
}

bool tr__stages_load(const struct tr__comm_matching *m, struct tr_partial_in *in)
{
    const struct loading l = { m, m->stages, in };
    struct saved_step step;
    struct saved_mark mark;
    struct saved_launch launch;
    struct saved_stretch stretch;
    bool ok = !l.s || tr__stages_know_sources(l.s);
    if (l.s)
        l.s->loaded = true;
    while (ok && tr_partial_get(in, TR__COMM_OWN_TABLES + STEPS, &step))
        ok = !l.s || load_step(&l, &step);
    while (ok && tr_partial_get(in, TR__COMM_OWN_TABLES + MARKS, &mark))
        ok = !l.s || load_mark(&l, &mark);
    while (ok && tr_partial_get(in, TR__COMM_OWN_TABLES + LAUNCHES, &launch))
        ok = !l.s || load_launch(&l, &launch);
    while (ok && tr_partial_get(in, TR__COMM_OWN_TABLES + STRETCHES, &stretch))
        ok = !l.s || load_stretch(&l, &stretch);
    return ok;
}
