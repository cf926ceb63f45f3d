/* SPDX-License-Identifier: MIT */
/*
 * Copies the chosen events lane by lane and column by column.  So reads are sequential, and writes are close together.
 */
#include "stream/merge/tr_merge_int.h"

#include <stdlib.h>
#include <string.h>

static bool places_init(struct tr__places *p, size_t n_lanes)
{
    p->from = calloc(n_lanes, sizeof *p->from);
    p->n = calloc(n_lanes, sizeof *p->n);
    p->end = calloc(n_lanes, sizeof *p->end);
    return p->from && p->n && p->end;
}

static void places_free(struct tr__places *p)
{
    free(p->at);
    free(p->from);
    free(p->n);
    free(p->end);
}

bool tr__gather_init(struct tr__gather *g, size_t n_lanes)
{
    g->n_lanes = n_lanes;
    g->lane = calloc(TR_BATCH_MAX, sizeof *g->lane);
    g->active = calloc(n_lanes, sizeof *g->active);
    return g->lane && g->active && places_init(&g->events, n_lanes);
}

void tr__gather_free(struct tr__gather *g)
{
    for (size_t i = 0; i < sizeof g->groups / sizeof *g->groups; i++)
        places_free(&g->groups[i].entries);
    places_free(&g->other.entries);
    places_free(&g->events);
    tr__layout_free(&g->layout);
    free(g->lane);
    free(g->active);
}

/* Room for the places of each lane, by their numbers. */
static void start_places(const struct tr__gather *g, struct tr__places *p)
{
    uint32_t from = 0;
    for (size_t i = 0; i < g->n_active; i++) {
        uint32_t lane = g->active[i];
        p->from[lane] = p->end[lane] = from;
        from += p->n[lane];
    }
}

/* Give n things their places, from 0.  event: which of the chosen events each belongs to. */
static bool make_places(const struct tr__gather *g, const uint16_t *event, uint32_t n,
                        struct tr__places *p)
{
    if (!tr_grow(&p->at, &p->cap, n, sizeof *p->at))
        return false;
    for (size_t i = 0; i < g->n_active; i++)
        p->n[g->active[i]] = 0;
    for (uint32_t k = 0; k < n; k++)
        p->n[g->lane[event[k]]]++;
    start_places(g, p);
    for (uint32_t k = 0; k < n; k++)
        p->at[p->end[g->lane[event[k]]]++] = k;
    return true;
}

/* The same for the n chosen events themselves. */
static bool place_events(struct tr__gather *g, const struct tr__lane *lanes, uint32_t n)
{
    struct tr__places *p = &g->events;
    if (!tr_grow(&p->at, &p->cap, n, sizeof *p->at))
        return false;
    for (size_t i = 0; i < g->n_active; i++) {
        const struct tr__lane *l = &lanes[g->active[i]];
        p->n[g->active[i]] = (uint32_t)(l->at - l->from);
    }
    start_places(g, p);
    for (uint32_t k = 0; k < n; k++)
        p->at[p->end[g->lane[k]]++] = k;
    return true;
}

/* ---- fixed columns ---- */

/* v[k]: a value of the lane; its place is at[k]. */
#define EACH(type, column, value)                     \
    do {                                              \
        const type *const v = l->b->column + l->from; \
        type *const to = b->column + b->n;            \
        for (uint32_t k = 0; k < n; k++)              \
            to[at[k]] = (value);                      \
    } while (0)

/* Columns that are always moved, by their width: a place is looked up once for all of them. */
static void move_times_of(const struct tr__lane *l, const struct tr_batch *b, const uint32_t *at, uint32_t n)
{
    const int64_t *ts = l->b->ts + l->from, *dur = l->b->dur + l->from, shift = l->shift;
    int64_t *restrict to_ts = b->ts + b->n, *restrict to_dur = b->dur + b->n;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t place = at[k];
        to_ts[place] = ts[k] == TR_TIME_NONE ? TR_TIME_NONE : ts[k] + shift;
        to_dur[place] = dur[k];
    }
}

static void move_numbers_of(const struct tr__lane *l, const struct tr_batch *b, const uint32_t *at, uint32_t n)
{
    const uint32_t *tracks = l->tracks.map.to, *shapes = l->shapes.map.to;
    const uint32_t *track = l->b->track + l->from, *shape = l->b->shape + l->from;
    uint32_t *restrict to_track = b->track + b->n, *restrict to_shape = b->shape + b->n;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t place = at[k];
        to_track[place] = tracks[track[k] + 1];
        to_shape[place] = shapes[shape[k] + 1];
    }
}

static void move_bytes_of(const struct tr__lane *l, const struct tr_batch *b, const uint32_t *at, uint32_t n)
{
    const uint8_t *phase = l->b->phase + l->from, *suspect = l->b->suspect + l->from, *flags = l->b->flags + l->from;
    uint8_t *restrict to_phase = b->phase + b->n, *restrict to_suspect = b->suspect + b->n,
            *restrict to_flags = b->flags + b->n;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t place = at[k];
        to_phase[place] = phase[k];
        to_suspect[place] = suspect[k];
        to_flags[place] = flags[k];
    }
}

/* The same for kinds and activities, which go together. */
static void move_kinds_of(const struct tr__lane *l, const struct tr_batch *b, const uint32_t *at, uint32_t n)
{
    const uint8_t *activity = l->b->activity + l->from, *kind = l->b->kind + l->from;
    uint8_t *restrict to_activity = b->activity + b->n, *restrict to_kind = b->kind + b->n;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t place = at[k];
        to_activity[place] = activity[k];
        to_kind[place] = kind[k];
    }
}

static void move_fixed(const struct tr__lane *l, const struct tr_batch *b, uint32_t fixed, const uint32_t *at,
                       uint32_t n)
{
    const uint32_t *strings = l->strings.map.to;
    move_times_of(l, b, at, n);
    move_numbers_of(l, b, at, n);
    move_bytes_of(l, b, at, n);
    if (fixed & TR_FIXED_BIT(RECORD))
        EACH(uint64_t, record, v[k]);
    if (fixed & TR_FIXED_BIT(NAME))
        EACH(uint32_t, name, strings[(uint32_t)(v[k] + 1)]);
    if (fixed & TR_FIXED_BIT(CAT))
        EACH(uint32_t, cat, strings[(uint32_t)(v[k] + 1)]);
    if (fixed & TR_FIXED_BIT(ACTIVITY) && fixed & TR_FIXED_BIT(KIND))
        move_kinds_of(l, b, at, n);
    else if (fixed & TR_FIXED_BIT(ACTIVITY))
        EACH(uint8_t, activity, v[k]);
    else if (fixed & TR_FIXED_BIT(KIND))
        EACH(uint8_t, kind, v[k]);
}

/* ---- packed columns ---- */

/* The places of a column's entries; NULL: out of memory. */
static const struct tr__places *places_of(struct tr__gather *g, const struct tr__present *p)
{
    if (!p->many)
        for (size_t i = 0; i < g->n_groups; i++)
            if (g->groups[i].shapes == p->shapes && g->groups[i].flag == p->flag)
                return &g->groups[i].entries;
    bool share = !p->many && g->n_groups < sizeof g->groups / sizeof *g->groups;
    struct tr__group *group = share ? &g->groups[g->n_groups] : &g->other;
    const uint16_t *event = tr__layout_events(&g->layout, p);
    if (!event || (!group->entries.n && !places_init(&group->entries, g->n_lanes)) ||
        !make_places(g, event, p->n, &group->entries))
        return NULL;
    group->shapes = p->shapes;
    group->flag = p->flag;
    g->n_groups += share;
    return &group->entries;
}

static void move_strings(const struct tr__lane *l, const uint32_t *from, const uint32_t *at,
                         uint32_t n, uint32_t *out)
{
    const uint32_t *strings = l->strings.map.to;
    for (uint32_t k = 0; k < n; k++)
        out[at[k]] = strings[(uint32_t)(from[k] + 1)];
}

static void move_tracks(const struct tr__lane *l, const int64_t *from, const uint32_t *at,
                        uint32_t n, int64_t *out)
{
    const uint32_t *tracks = l->tracks.map.to;
    for (uint32_t k = 0; k < n; k++)
        out[at[k]] = tracks[(uint32_t)from[k] + 1];
}

static void move_numbers(const int64_t *from, const uint32_t *at, uint32_t n, int64_t *out)
{
    for (uint32_t k = 0; k < n; k++)
        out[at[k]] = from[k];
}

/* False: a time leaves the range. */
static bool move_times(const struct tr__lane *l, const int64_t *from, const uint32_t *at,
                       uint32_t n, int64_t *out)
{
    bool ok = true;
    for (uint32_t k = 0; k < n; k++) {
        int64_t ts = from[k];
        ok &= tr__merge_time(&ts, l->shift);
        out[at[k]] = ts;
    }
    return ok;
}

static enum tr_status gather_column(struct tr__merge *m, const struct tr__present *p,
                                    struct tr_error *err)
{
    struct tr__gather *g = &m->gather;
    struct tr_col *to = &m->batch->cols[p->column];
    const struct tr__places *places = places_of(g, p);
    bool ok = true;
    if (!places || !tr_col_reserve(to, to->n + p->n, m->dict->columns[p->column].type))
        return tr_fail_memory(err);
    for (size_t i = 0; i < g->n_active && ok; i++) {
        uint32_t lane = g->active[i], n = places->n[lane];
        struct tr__lane *l = &m->lanes[lane];
        const uint32_t *at = places->at + places->from[lane];
        if (!n)
            continue;
        uint32_t column = p->column < TR_N_DERIVED ? p->column : tr_number_of(&l->column_of, p->column);
        if (column >= l->b->n_cols || l->b->cols[column].n - l->cursor[column] < n)
            return tr__lane_short(l, column, err);
        const struct tr_col *from = &l->b->cols[column];
        size_t in = l->cursor[column];
        l->cursor[column] += n;
        if (p->elem == 4)
            move_strings(l, from->v.str + in, at, n, to->v.str + to->n);
        else if (p->column == TR_COL_LAUNCH_TRACK)
            move_tracks(l, from->v.i64 + in, at, n, to->v.i64 + to->n);
        else if (p->column == TR_COL_LAUNCH_TS)
            ok = move_times(l, from->v.i64 + in, at, n, to->v.i64 + to->n);
        else
            move_numbers(from->v.i64 + in, at, n, to->v.i64 + to->n);
        if (!ok)
            return tr__merge_too_far(l, err);
    }
    to->n += p->n;
    return TR_OK;
}

/* Are there wanted columns that depend on shapes? */
static bool wants_members(const struct tr__merge *m)
{
    for (uint32_t c = TR_N_DERIVED; c < m->dict->n_columns; c++)
        if (tr__wanted_has(&m->wanted, c))
            return true;
    return false;
}

enum tr_status tr__gather_events(struct tr__merge *m, size_t n, struct tr_error *err)
{
    struct tr__gather *g = &m->gather;
    struct tr_batch *b = m->batch;
    g->n_active = g->n_groups = 0;
    for (size_t i = 0; i < m->n; i++)
        if (!m->over[i] && m->lanes[i].from != m->lanes[i].at)
            g->active[g->n_active++] = (uint32_t)i;
    if (!place_events(g, m->lanes, (uint32_t)n))
        return tr_fail_memory(err);
    for (size_t i = 0; i < g->n_active; i++) {
        uint32_t lane = g->active[i];
        move_fixed(&m->lanes[lane], b, m->wanted.fixed, g->events.at + g->events.from[lane], g->events.n[lane]);
    }
    if (!tr_batch_reserve_cols(b, m->dict->n_columns) || !tr__wanted_learn(&m->wanted, m->dict))
        return tr_fail_memory(err);
    enum tr_status st = tr__layout_make(&g->layout, m->dict, wants_members(m) ? b->shape + b->n : NULL,
                                        b->flags + b->n, n, SIZE_MAX, err);
    for (size_t i = 0; i < g->layout.n_present && st == TR_OK; i++)
        if (tr__wanted_has(&m->wanted, g->layout.present[i].column))
            st = gather_column(m, &g->layout.present[i], err);
    for (size_t i = 0; i < g->n_active; i++)
        m->lanes[g->active[i]].from = m->lanes[g->active[i]].at;
    b->n += n;
    return st;
}
