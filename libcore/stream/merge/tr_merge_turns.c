/* SPDX-License-Identifier: MIT */
/*
 * Batches of the inputs in turn, for programs that do not need the order between ranks.  Events are not moved.  Only
 * the numbers in columns that are read are replaced by those of the result.
 *
 * The batch that ends first is next.  So inputs are read in the same order as by a merge of their events, and no input
 * is far ahead of the others.
 */
#include "stream/merge/tr_merge_int.h"

#include <stdlib.h>
#include <string.h>

void tr__turns_free(struct tr__turns *t)
{
    for (size_t c = 0; c < t->n_own; c++)
        free(t->own[c].v.i64);
    free(t->own);
    free(t->cols);
    free(t->ts);
    free(t->track);
    free(t->shape);
    free(t->name);
    free(t->cat);
}

/* ---- numbers ---- */

/* Strings with numbers of the result, in memory that grows as needed; NULL: out of memory. */
static uint32_t *map_strings(struct tr__merge *m, struct tr__lane *l, const uint32_t *v, size_t n, uint32_t **out,
                             size_t *cap)
{
    if (!tr_grow(out, cap, n, sizeof **out))
        return NULL;
    uint32_t *to = *out;
    const uint32_t *numbers = l->strings.map.to;
    for (size_t i = 0; i < n; i++) {
        to[i] = numbers[(uint32_t)(v[i] + 1)];
        if (to[i] == TR_NUMBER_UNKNOWN && v[i] != TR_NO_STR) {
            to[i] = tr__merge_string(m, l, v[i]);
            numbers = l->strings.map.to;
        }
    }
    return m->failed ? NULL : to;
}

/* The same for tracks and shapes, all of which are known. */
static uint32_t *map_known(const struct tr__numbers *numbers, uint32_t *v, size_t n, bool same, uint32_t **out,
                           size_t *cap)
{
    if (same)
        return v;
    if (!tr_grow(out, cap, n, sizeof **out))
        return NULL;
    uint32_t *restrict to = *out;
    const uint32_t *restrict from = numbers->map.to + 1, *restrict in = v;
    for (size_t i = 0; i < n; i++)
        to[i] = from[in[i]];
    return to;
}

/* Give numbers to the new tracks and shapes in the dictionary of a lane; there are few. */
static bool number_all(struct tr__merge *m, struct tr__lane *l)
{
    const struct tr_dict *d = l->in->dict;
    if (!tr__lane_numbers_grow(l))
        return false;
    for (; l->n_tracks < d->n_tracks; l->n_tracks++)
        l->other_tracks |= tr__merge_track(m, l, l->n_tracks) != l->n_tracks;
    for (; l->n_shapes < d->n_shapes; l->n_shapes++) {
        if (!tr__lane_shape(m, l, l->n_shapes))
            return false;
        l->other_shapes |= tr_number_of(&l->shapes.map, l->n_shapes) != l->n_shapes;
    }
    return !m->failed;
}

/* ---- columns ---- */

/* False: a time leaves the range. */
static bool move_times(const struct tr__lane *l, const int64_t *from, size_t n, int64_t *out)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        out[i] = from[i];
        ok &= tr__merge_time(&out[i], l->shift);
    }
    return ok;
}

/* Column c of the result, from a column of the lane with entries. */
static enum tr_status take_column(struct tr__merge *m, struct tr__lane *l, uint32_t c, const struct tr_col *from,
                                  struct tr_error *err)
{
    struct tr_col *to = &m->turns.cols[c], *own = &m->turns.own[c];
    const unsigned type = m->dict->columns[c].type;
    *to = *from;
    if (tr_type_is_string(type)) {
        to->v.str = map_strings(m, l, from->v.str, from->n, &own->v.str, &own->cap);
        return to->v.str ? TR_OK : tr_fail_memory(err);
    }
    if (c != TR_COL_LAUNCH_TRACK && (c != TR_COL_LAUNCH_TS || !l->shift))
        return TR_OK;
    if (!tr_grow(&own->v.i64, &own->cap, from->n, sizeof *own->v.i64))
        return tr_fail_memory(err);
    to->v.i64 = own->v.i64;
    if (c == TR_COL_LAUNCH_TS)
        return move_times(l, from->v.i64, from->n, own->v.i64) ? TR_OK : tr__merge_too_far(l, err);
    for (size_t i = 0; i < from->n; i++)
        own->v.i64[i] = l->tracks.map.to[(uint32_t)from->v.i64[i] + 1];
    return TR_OK;
}

static bool grow_columns(struct tr__turns *t, size_t n)
{
    if (!tr_grow(&t->cols, &t->cap_cols, n, sizeof *t->cols) || !tr_grow(&t->own, &t->cap_own, n, sizeof *t->own))
        return false;
    memset(t->cols, 0, n * sizeof *t->cols);
    if (n > t->n_own) {
        memset(t->own + t->n_own, 0, (n - t->n_own) * sizeof *t->own);
        t->n_own = n;
    }
    return true;
}

static enum tr_status take_columns(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    const struct tr_batch *b = l->b;
    const size_t n = m->dict->n_columns;
    enum tr_status st = TR_OK;
    if (!grow_columns(&m->turns, n) || !tr__wanted_learn(&m->wanted, m->dict))
        return tr_fail_memory(err);
    for (uint32_t c = 0; c < n && st == TR_OK; c++) {
        uint32_t of = c < TR_N_DERIVED ? c : tr_number_of(&l->column_of, c);
        if (of < b->n_cols && b->cols[of].n && tr__wanted_has(&m->wanted, c))
            st = take_column(m, l, c, &b->cols[of], err);
    }
    m->shown.cols = m->turns.cols;
    m->shown.n_cols = n;
    return st;
}

/* The batch of a lane, with the numbers of the result. */
static enum tr_status take_batch(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    const struct tr_batch *b = l->b;
    const uint32_t fixed = m->wanted.fixed;
    struct tr__turns *t = &m->turns;
    struct tr_batch *s = &m->shown;
    *s = *b;
    s->dict = m->dict;
    if (!number_all(m, l))
        return tr_fail_memory(err);
    if (l->shift && !tr_grow(&t->ts, &t->cap_ts, b->n, sizeof *t->ts))
        return tr_fail_memory(err);
    if (l->shift) {
        if (!move_times(l, b->ts, b->n, t->ts))
            return tr__merge_too_far(l, err);
        s->ts = t->ts;
    }
    s->track = map_known(&l->tracks, b->track, b->n, !l->other_tracks, &t->track, &t->cap_track);
    s->shape = map_known(&l->shapes, b->shape, b->n, !l->other_shapes, &t->shape, &t->cap_shape);
    bool ok = s->track && s->shape;
    if (fixed & TR_FIXED_BIT(NAME))
        ok = ok && (s->name = map_strings(m, l, b->name, b->n, &t->name, &t->cap_name));
    if (fixed & TR_FIXED_BIT(CAT))
        ok = ok && (s->cat = map_strings(m, l, b->cat, b->n, &t->cat, &t->cap_cat));
    return ok ? take_columns(m, l, err) : tr_fail_memory(err);
}

/* ---- turns ---- */

/* Get the next batch of a lane; its last event represents it in the tree. */
static enum tr_status fetch(struct tr__merge *m, uint32_t lane, struct tr_error *err)
{
    struct tr__lane *l = &m->lanes[lane];
    enum tr_status st = tr__lane_fetch(m, l, err);
    m->over[lane] = st == TR_END;
    if (st != TR_OK)
        return st == TR_END ? TR_OK : st;
    l->start = 0;
    l->end = l->b->n;
    l->at = l->end - 1;
    return l->shift && !tr__lane_ends_fit(l) ? tr__merge_too_far(l, err) : TR_OK;
}

enum tr_status tr__turns_next(struct tr__merge *m, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!m->started) {
        for (size_t i = 0; i < m->n && st == TR_OK; i++)
            st = fetch(m, (uint32_t)i, err);
        m->started = true;
        if (st == TR_OK)
            tr__tree_build(m);
    } else {
        uint32_t last = m->tree[0].lane;
        st = fetch(m, last, err);
        if (st == TR_OK)
            tr__tree_play(m, last);
    }
    if (st != TR_OK)
        return st;
    uint32_t top = m->tree[0].lane;
    return m->over[top] ? TR_END : take_batch(m, &m->lanes[top], err);
}
