#include "stream/tr_merge_int.h"

#include <stdlib.h>
#include <string.h>

/* The fixed columns of a lane's batch, and its numbers in the result, side by side. */
struct tr__lane_view {
    const int64_t *ts, *dur;
    const uint64_t *record;
    const uint32_t *track, *shape, *name, *cat;
    const uint8_t *phase, *activity, *kind, *suspect, *flags;
    const uint32_t *tracks, *shapes, *strings; /* entry i + 1 for number i */
    int64_t shift;
};

bool tr__gather_init(struct tr__gather *g, size_t n_lanes)
{
    g->n_lanes = n_lanes;
    g->lane = calloc(TR_BATCH_MAX, sizeof *g->lane);
    g->event = calloc(TR_BATCH_MAX, sizeof *g->event);
    g->views = calloc(n_lanes, sizeof *g->views);
    g->active = calloc(n_lanes, sizeof *g->active);
    g->columns = calloc(n_lanes, sizeof(const void *));
    g->to = calloc(n_lanes, sizeof(const uint32_t *));
    return g->lane && g->event && g->views && g->active && g->columns && g->to;
}

static void group_free(struct tr__group *p)
{
    free(p->lane);
    free(p->entry);
    free(p->n);
}

void tr__gather_free(struct tr__gather *g)
{
    for (size_t i = 0; i < sizeof g->groups / sizeof *g->groups; i++)
        group_free(&g->groups[i]);
    group_free(&g->other);
    tr__layout_free(&g->layout);
    free(g->lane);
    free(g->event);
    free(g->views);
    free(g->active);
    free(g->columns);
    free(g->to);
}

/* ---- fixed columns ---- */

static void make_views(struct tr__merge *m)
{
    struct tr__gather *g = &m->gather;
    g->n_active = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct tr__lane *l = &m->lanes[i];
        const struct tr_batch *b = l->b;
        if (m->over[i] || l->from == l->at)
            continue;
        g->active[g->n_active++] = (uint32_t)i;
        g->views[i] = (struct tr__lane_view){
            b->ts,    b->dur,      b->record,    b->track,      b->shape,     b->name,        b->cat,
            b->phase, b->activity, b->kind,      b->suspect,    b->flags,     l->tracks.to,   l->shapes.to,
            l->strings.to, l->shift,
        };
    }
}

/* One column at a time: few places in memory are looked at by turns, whatever the number of lanes. */
#define EACH(column, value)                                        \
    for (size_t k = 0; k < n; k++) {                               \
        const struct tr__lane_view *v = &g->views[g->lane[k]];     \
        const uint32_t i = g->event[k];                            \
        b->column[at + k] = (value);                               \
    }
#define EACH_COPY(column) EACH(column, v->column[i])

static void gather_fixed(struct tr__merge *m, size_t n)
{
    const struct tr__gather *g = &m->gather;
    const struct tr_batch *b = m->batch;
    const size_t at = b->n;
    EACH(ts, v->ts[i] == TR_TIME_NONE ? TR_TIME_NONE : v->ts[i] + v->shift)
    EACH_COPY(dur)
    EACH_COPY(record)
    EACH(track, v->tracks[v->track[i] + 1])
    EACH(shape, v->shapes[v->shape[i] + 1])
    EACH(name, v->strings[(uint32_t)(v->name[i] + 1)])
    EACH(cat, v->strings[(uint32_t)(v->cat[i] + 1)])
    EACH_COPY(phase)
    EACH_COPY(activity)
    EACH_COPY(kind)
    EACH_COPY(suspect)
    EACH_COPY(flags)
}

/* ---- packed columns ---- */

/* Of the entries of a column: whose they are.  NULL: out of memory. */
static const struct tr__group *group_of(struct tr__gather *g, const struct tr__present *p)
{
    if (!p->many)
        for (size_t i = 0; i < g->n_groups; i++)
            if (g->groups[i].shapes == p->shapes && g->groups[i].flag == p->flag)
                return &g->groups[i];
    bool share = !p->many && g->n_groups < sizeof g->groups / sizeof *g->groups;
    struct tr__group *group = share ? &g->groups[g->n_groups] : &g->other;
    const uint16_t *event = tr__layout_events(&g->layout, p);
    if (!group->n)
        group->n = calloc(g->n_lanes, sizeof *group->n);
    if (!event || !group->n || !tr_grow(&group->lane, &group->cap_lane, p->n, sizeof *group->lane) ||
        !tr_grow(&group->entry, &group->cap_entry, p->n, sizeof *group->entry))
        return NULL;
    for (size_t i = 0; i < g->n_active; i++)
        group->n[g->active[i]] = 0;
    for (uint32_t k = 0; k < p->n; k++) {
        uint32_t lane = g->lane[event[k]];
        group->lane[k] = lane;
        group->entry[k] = group->n[lane]++;
    }
    group->shapes = p->shapes;
    group->flag = p->flag;
    g->n_groups += share;
    return group;
}

static void gather_strings(const struct tr__gather *g, const struct tr__group *p, uint32_t n, uint32_t *out)
{
    const uint32_t *const *columns = (const uint32_t *const *)g->columns;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t lane = p->lane[k];
        out[k] = g->to[lane][(uint32_t)(columns[lane][p->entry[k]] + 1)];
    }
}

static void gather_numbers(const struct tr__gather *g, const struct tr__group *p, uint32_t n, int64_t *out)
{
    const int64_t *const *columns = (const int64_t *const *)g->columns;
    for (uint32_t k = 0; k < n; k++)
        out[k] = columns[p->lane[k]][p->entry[k]];
}

static void number_tracks(const struct tr__merge *m, const struct tr__group *p, uint32_t n, int64_t *v)
{
    for (uint32_t k = 0; k < n; k++)
        v[k] = m->lanes[p->lane[k]].tracks.to[(uint32_t)v[k] + 1];
}

static enum tr_status shift_times(const struct tr__merge *m, const struct tr__group *p, uint32_t n,
                                  int64_t *v, struct tr_error *err)
{
    for (uint32_t k = 0; k < n; k++)
        if (!tr__merge_time(&v[k], m->lanes[p->lane[k]].shift))
            return tr__merge_too_far(&m->lanes[p->lane[k]], err);
    return TR_OK;
}

static enum tr_status gather_column(struct tr__merge *m, const struct tr__present *p, struct tr_error *err)
{
    struct tr__gather *g = &m->gather;
    struct tr_col *out = &m->batch->cols[p->column];
    const struct tr__group *group = group_of(g, p);
    if (!group || !tr_col_reserve(out, out->n + p->n, m->dict->columns[p->column].type))
        return tr_fail_memory(err);
    for (size_t i = 0; i < g->n_active; i++) {
        uint32_t lane = g->active[i];
        struct tr__lane *l = &m->lanes[lane];
        if (!group->n[lane])
            continue;
        uint32_t column = p->column < TR_N_DERIVED ? p->column : l->column_of[p->column];
        const struct tr_col *from = &l->b->cols[column];
        size_t at = l->cursor[column];
        g->columns[lane] = p->elem == 4 ? (const void *)(from->v.str + at) : (const void *)(from->v.i64 + at);
        g->to[lane] = l->strings.to;
        l->cursor[column] = at + group->n[lane];
    }
    size_t n = out->n;
    out->n += p->n;
    if (p->elem == 4)
        gather_strings(g, group, p->n, out->v.str + n);
    else
        gather_numbers(g, group, p->n, out->v.i64 + n);
    if (p->column == TR_COL_LAUNCH_TRACK)
        number_tracks(m, group, p->n, out->v.i64 + n);
    return p->column == TR_COL_LAUNCH_TS ? shift_times(m, group, p->n, out->v.i64 + n, err) : TR_OK;
}

enum tr_status tr__gather_events(struct tr__merge *m, size_t n, struct tr_error *err)
{
    struct tr__gather *g = &m->gather;
    struct tr_batch *b = m->batch;
    make_views(m);
    gather_fixed(m, n);
    enum tr_status st =
        tr__layout_make(&g->layout, m->dict, b->shape + b->n, b->flags + b->n, n, SIZE_MAX, err);
    if (st == TR_OK && !tr_batch_reserve_cols(b, m->dict->n_columns))
        st = tr_fail_memory(err);
    g->n_groups = 0;
    for (size_t i = 0; i < g->layout.n_present && st == TR_OK; i++)
        st = gather_column(m, &g->layout.present[i], err);
    for (size_t i = 0; i < g->n_active; i++)
        m->lanes[g->active[i]].from = m->lanes[g->active[i]].at;
    b->n += n;
    return st;
}
