/* SPDX-License-Identifier: MIT */
/* tr-critpath --mark: the input, a line for the path, and an arrow for each step of it. */
#include "critpath/critpath.h"

#include "base/tr_sort.h"
#include "stream/tr_order.h"

#include <stdlib.h>
#include <string.h>

/* An event to add: a part of the path on its line, or one end of an arrow. */
struct mark {
    int64_t ts, dur;
    uint32_t track;
    uint32_t place; /* of its source in canonical order */
    uint32_t name;
    uint32_t edge, bound; /* string numbers */
    int64_t weight, id;
    uint8_t phase;
};

struct marks {
    struct mark *list;
    size_t n, cap, at;
    struct tr_dict *dict;
    uint32_t *line;  /* by source: the track of its line, UINT32_MAX: none yet */
    uint32_t *place; /* by source: how many sources come before it */
    uint32_t cat, process;
    uint32_t edge[TR_CP_N_EDGES], bound[TR_CP_N_BOUNDS];
    uint32_t span_shape;
    uint32_t flow_shape[2][2][2]; /* start or end; by type of pid and tid: number or string */
    int64_t values[4];
};

static uint32_t string(struct tr_dict *d, const char *s)
{
    return tr_strtab_add(d->strings, s, strlen(s));
}

/* ---- shapes ---- */

/* {"ph": "X", "cat", "name", "pid", "tid", "ts", "dur", "args": {"edge", "bound", "weight_ns"}} */
static bool make_span_shape(struct marks *m)
{
    const struct tr_inject_member members[] = {
        { "ph", TR_PLACE_TOP, TR_ROLE_PHASE, TR_T_STRING },
        { "cat", TR_PLACE_TOP, TR_ROLE_CAT, TR_T_STRING },
        { "name", TR_PLACE_TOP, TR_ROLE_NAME, TR_T_STRING },
        { "pid", TR_PLACE_TOP, TR_ROLE_PID, TR_T_STRING },
        { "tid", TR_PLACE_TOP, TR_ROLE_TID, TR_T_INT },
        { "ts", TR_PLACE_TOP, TR_ROLE_TS, TR_T_INT },
        { "dur", TR_PLACE_TOP, TR_ROLE_DUR, TR_T_INT },
        { "args", TR_PLACE_TOP, TR_ROLE_ARGS, TR_T_JSON },
        { "edge", TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_STRING },
        { "bound", TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_STRING },
        { "weight_ns", TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_INT },
    };
    m->span_shape = tr_inject_shape(m->dict, 'X', members, sizeof members / sizeof *members);
    return m->span_shape != UINT32_MAX;
}

/*
 * {"ph": "s", "id", "cat", "name", "pid", "tid", "ts", ["bp": "e",] "args": {"edge", "weight_ns"}}
 */
static bool make_flow_shape(struct marks *m, bool end, uint8_t pid_type, uint8_t tid_type,
                            uint32_t *shape)
{
    struct tr_inject_member members[16];
    uint32_t n = 0;
    const struct tr_inject_member head[] = {
        { "ph", TR_PLACE_TOP, TR_ROLE_PHASE, TR_T_STRING }, { "id", TR_PLACE_TOP, TR_ROLE_COLUMN, TR_T_INT },
        { "cat", TR_PLACE_TOP, TR_ROLE_CAT, TR_T_STRING },  { "name", TR_PLACE_TOP, TR_ROLE_NAME, TR_T_STRING },
        { "pid", TR_PLACE_TOP, TR_ROLE_PID, pid_type },     { "tid", TR_PLACE_TOP, TR_ROLE_TID, tid_type },
        { "ts", TR_PLACE_TOP, TR_ROLE_TS, TR_T_INT },
    };
    const struct tr_inject_member binds = { "bp", TR_PLACE_TOP, TR_ROLE_COLUMN, TR_T_STRING };
    const struct tr_inject_member tail[] = {
        { "args", TR_PLACE_TOP, TR_ROLE_ARGS, TR_T_JSON },
        { "edge", TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_STRING },
        { "weight_ns", TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_INT },
    };
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        members[n++] = head[i];
    if (end)
        members[n++] = binds;
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        members[n++] = tail[i];
    *shape = tr_inject_shape(m->dict, end ? 'f' : 's', members, n);
    return *shape != UINT32_MAX;
}

static bool start_marks(struct marks *m, const struct tr_dict *dict)
{
    static const uint8_t types[] = { TR_T_INT, TR_T_STRING };
    m->dict = tr_dict_copy(dict);
    m->line = malloc((dict->n_sources + 1) * sizeof *m->line);
    m->place = calloc(dict->n_sources + 1, sizeof *m->place);
    if (!m->dict || !m->line || !m->place || !tr_sources_place(dict, m->place))
        return false;
    for (uint32_t i = 0; i < dict->n_sources; i++)
        m->line[i] = UINT32_MAX;
    m->cat = string(m->dict, "critical_path");
    m->process = string(m->dict, "critical path");
    bool ok = m->cat != TR_NO_STR && m->process != TR_NO_STR && make_span_shape(m);
    for (size_t end = 0; end < 2; end++)
        for (size_t p = 0; ok && p < 2; p++)
            for (size_t t = 0; ok && t < 2; t++)
                ok = make_flow_shape(m, end, types[p], types[t], &m->flow_shape[end][p][t]);
    for (unsigned i = 0; ok && i < TR_CP_N_EDGES; i++)
        ok = (m->edge[i] = string(m->dict, tr_cp_edge_name(i))) != TR_NO_STR;
    for (unsigned i = 0; ok && i < TR_CP_N_BOUNDS; i++)
        ok = (m->bound[i] = string(m->dict, tr_cp_bound_name(i))) != TR_NO_STR;
    return ok;
}

/* ---- added events ---- */

/* The line of a source's path: a separate thread, so that it overlaps no other spans. */
static uint32_t line_of(struct marks *m, uint32_t source)
{
    if (m->line[source] == UINT32_MAX) {
        const struct tr_source *s = &m->dict->sources[source];
        const struct tr_track t = {
            .source = source,
            .side = TR_SIDE_HOST,
            .pid_type = TR_T_STRING,
            .tid_type = TR_T_INT,
            .pid = m->process,
            .tid = s->rank < 0 ? 0 : s->rank,
            .device = TR_I64_NONE,
            .context = TR_I64_NONE,
            .stream = TR_I64_NONE,
            .process_name = TR_NO_STR,
            .thread_name = TR_NO_STR,
            .labels = TR_NO_STR,
            .process_sort = TR_I64_NONE,
            .thread_sort = TR_I64_NONE,
        };
        m->line[source] = tr_dict_add_track(m->dict, &t);
    }
    return m->line[source];
}

static bool add(struct marks *m, struct mark mark)
{
    if (mark.track == UINT32_MAX || !tr_grow(&m->list, &m->cap, m->n + 1, sizeof *m->list))
        return false;
    mark.place = m->place[m->dict->tracks[mark.track].source];
    m->list[m->n++] = mark;
    return true;
}

/* A moment inside a span, so that an arrow finds it: its end itself belongs to what comes next. */
static int64_t bind_at(const struct tr_cp_event *e, int64_t ts)
{
    return ts >= e->end && e->end > e->ts ? e->end - 1 : ts;
}

static bool add_link(struct marks *m, const struct tr_cp_link *l, int64_t id)
{
    const struct tr_cp_event *e = l->charged ? &l->payer : &l->to;
    struct mark mark = { .edge = m->edge[l->edge],
                         .bound = m->bound[l->bound],
                         .weight = l->weight,
                         .id = id,
                         .name = e->name };
    bool ok = true;
    if (l->weight > 0) {
        mark.ts = l->from_ts;
        mark.dur = tr_time_diff(l->to_ts, l->from_ts);
        mark.track = line_of(m, m->dict->tracks[e->track].source);
        mark.phase = TR_SPAN;
        ok = add(m, mark);
    }
    bool within = l->edge == TR_CP_OPERATOR || l->edge == TR_CP_OPERATOR_FREE;
    if (within || (l->from.record == l->to.record && l->from.track == l->to.track))
        return ok; /* spans in each other need no arrow */
    mark.dur = TR_TIME_NONE;
    mark.name = m->cat;
    mark.ts = bind_at(&l->from, l->from_ts);
    mark.track = l->from.track;
    mark.phase = TR_FLOW_START;
    ok = ok && add(m, mark);
    mark.ts = bind_at(&l->to, l->to_ts);
    mark.track = l->to.track;
    mark.phase = TR_FLOW_END;
    return ok && add(m, mark);
}

static enum tr_status add_paths(struct marks *m, const struct tr_critpath *c, struct tr_error *err)
{
    int64_t id = 0;
    for (size_t g = 0; g < tr_critpath_groups(c); g++) {
        struct tr_cp_link *links;
        size_t n;
        enum tr_status st = tr_critpath_path(c, g, &links, &n, err);
        if (st != TR_OK)
            return st;
        bool ok = true;
        for (size_t i = 0; i < n && ok; i++)
            ok = add_link(m, &links[i], id++);
        free(links);
        if (!ok)
            return tr_fail_memory(err);
    }
    return TR_OK;
}

TR_ORDER(by_order, struct mark, tr_order_cmp(a->ts, a->dur, b->ts, b->dur), TR_UP(place), TR_UP(id), TR_UP(phase))

static enum tr_status next_mark(void *ctx, struct tr_inject_event *e, struct tr_error *err)
{
    struct marks *m = ctx;
    (void)err;
    if (m->at == m->n)
        return TR_END;
    const struct mark *k = &m->list[m->at++];
    const struct tr_track *t = &m->dict->tracks[k->track];
    size_t n = 0;
    *e = (struct tr_inject_event){
        .ts = k->ts,
        .dur = k->dur,
        .track = k->track,
        .name = k->name,
        .cat = m->cat,
        .phase = k->phase,
        .activity = k->phase == TR_SPAN ? TR_ACT_ANNOTATION : TR_ACT_OTHER,
        .values = m->values,
    };
    if (k->phase == TR_SPAN) {
        e->shape = m->span_shape;
        m->values[n++] = k->edge;
        m->values[n++] = k->bound;
        m->values[n++] = k->weight;
        return TR_OK;
    }
    bool end = k->phase == TR_FLOW_END;
    e->shape = m->flow_shape[end][t->pid_type == TR_T_STRING][t->tid_type == TR_T_STRING];
    m->values[n++] = k->id;
    if (end)
        m->values[n++] = string(m->dict, "e");
    m->values[n++] = k->edge;
    m->values[n++] = k->weight;
    return TR_OK;
}

enum tr_status critpath_mark(struct cli *cli, const struct critpath *o, const struct tr_critpath *c,
                             struct tr_error *err)
{
    struct marks m = { 0 };
    enum tr_status st = start_marks(&m, o->a.in->dict) ? add_paths(&m, c, err) : tr_fail_memory(err);
    if (st == TR_OK && string(m.dict, "e") == TR_NO_STR)
        st = tr_fail_memory(err);
    if (st == TR_OK && m.n)
        qsort(m.list, m.n, sizeof *m.list, by_order);
    if (st == TR_OK)
        st = cli_overlay_write(cli, o->a.twice, m.dict, next_mark, &m, err);
    tr_dict_free(m.dict);
    free(m.line);
    free(m.place);
    free(m.list);
    return st;
}
