/* SPDX-License-Identifier: MIT */
/*
 * The merge: parts of one source become one source again.
 *
 * An event is identified by its source and its record.  In the canonical order, two copies of an event are neighbours.
 * So the merge needs only the last event to see that the next one is a copy.
 */
#include "stream/merge/tr_merge_int.h"
#include "base/tr_sort.h"

#include <inttypes.h>
#include <stdlib.h>

void tr__joins_free(struct tr__joins *j)
{
    tr_hash_index_free(&j->tracks);
}

/* ---- events ---- */

static struct tr_order_key key_at(const struct tr__lane *l, size_t i, const struct tr__lane_source **source)
{
    struct tr_order_key key = tr_order_key(l->b, i);
    *source = &l->sources[key.source];
    key.ts += key.ts == TR_TIME_NONE ? 0 : l->shift;
    key.source = (*source)->number;
    return key;
}

void tr__join_took(struct tr__merge *m, uint32_t lane)
{
    const struct tr__lane_source *source;
    const struct tr__lane *l = &m->lanes[lane];
    m->joins.last = key_at(l, l->at - 1, &source);
    m->joins.last_lane = lane;
    m->joins.started = true;
}

enum tr_status tr__join_twice(const struct tr__merge *m, uint32_t lane, bool *twice, struct tr_error *err)
{
    const struct tr__joins *j = &m->joins;
    const struct tr__lane *l = &m->lanes[lane];
    const struct tr__lane_source *source;
    const struct tr_order_key key = key_at(l, l->at, &source);
    *twice = j->started && j->last_lane != lane && source->joined && key.source == j->last.source &&
             key.record == j->last.record && key.ts == j->last.ts && key.dur == j->last.dur;
    if (!*twice || l->b->phase[l->at] == TR_META || key.ts == TR_TIME_NONE)
        return TR_OK;
    tr_error_input(err, l->in->name);
    return tr_fail(err, TR_DAMAGED, "has events that are in %s, too (rank %" PRId64 "): leave one of them out",
                   m->lanes[j->last_lane].in->name, source->rank);
}

enum tr_status tr__join_skip(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    const struct tr_batch *b = l->b;
    const struct tr_dict *d = l->in->dict;
    const struct tr_shape *s = &d->shapes[b->shape[l->at]];
    enum tr_status st = l->fresh[l->at - l->start] ? tr__lane_number(m, l, err) : TR_OK;
    for (uint32_t c = 0; c < TR_N_DERIVED; c++)
        l->cursor[c] += (b->flags[l->at] & d->columns[c].flag) != 0;
    for (uint32_t k = 0; k < s->n_slots; k++)
        if (s->slots[k].role == TR_ROLE_COLUMN && s->slots[k].column != UINT32_MAX)
            l->cursor[s->slots[k].column]++;
    l->from = ++l->at;
    return st;
}

/* ---- tracks and clocks ---- */

/* Add the steps whose times a clock fixes: a step of the lane has another place in the result. */
static bool add_step_fixes(struct tr__merge *m, const struct tr__lane *l, const struct tr_clock *from,
                           struct tr_clock *to)
{
    const struct tr_source_summary *have = &l->in->summary->sources[from->source],
                                   *all = &m->summary->sources[to->source];
    const int64_t shift = l->sources[from->source].shift;
    for (size_t k = 0; k < from->n_step_fixes; k++) {
        if (from->step_fixes[k] / 2 >= have->n_steps)
            continue;
        struct tr_step step = have->steps[from->step_fixes[k] / 2];
        step.start += shift;
        step.end += shift;
        step.track = tr_number_of(&l->tracks.map, step.track);
        for (size_t i = 0; i < all->n_steps; i++)
            if (tr_step_cmp(&all->steps[i], &step) == 0 &&
                !tr_clock_add_step_fix(to, 2 * i + from->step_fixes[k] % 2))
                return false;
    }
    return true;
}

bool tr__join_step_fixes(struct tr__merge *m)
{
    bool ok = true;
    for (size_t i = 0; i < m->n; i++) {
        const struct tr__lane *l = &m->lanes[i];
        for (size_t c = 0; c < l->in->dict->n_clocks; c++)
            if (l->sources[l->in->dict->clocks[c].source].joined)
                m->dict->clocks[l->clocks[c] - 1].n_step_fixes = 0;
    }
    for (size_t i = 0; i < m->n && ok; i++) {
        const struct tr__lane *l = &m->lanes[i];
        for (size_t c = 0; c < l->in->dict->n_clocks && ok; c++) {
            const struct tr_clock *from = &l->in->dict->clocks[c];
            struct tr_clock *to = &m->dict->clocks[l->clocks[c] - 1];
            if (!from->n_step_fixes || !l->sources[from->source].joined)
                continue;
            ok = add_step_fixes(m, l, from, to);
            size_t n = 0;
            if (to->n_step_fixes)
                qsort(to->step_fixes, to->n_step_fixes, sizeof *to->step_fixes, tr_by_u64);
            for (size_t k = 0; k < to->n_step_fixes; k++)
                if (!n || to->step_fixes[n - 1] != to->step_fixes[k])
                    to->step_fixes[n++] = to->step_fixes[k];
            to->n_step_fixes = n;
        }
    }
    return ok;
}

/* ---- tables ---- */

/* Do the rows of a table have bytes that a row of the index has? */
static bool has_row(const struct tr_hash_index *x, const struct tr_side_table *t, const size_t *ends, const void *row,
                    size_t len)
{
    struct tr_hash_walk walk = tr_hash_index_walk(x, tr_hash(row, len));
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;) {
        size_t from = i ? ends[i - 1] : 0;
        if (ends[i] - from == len && tr_same_bytes(t->rows.data + from, row, len))
            return true;
    }
    return false;
}

bool tr__join_rows(struct tr_side_table *to, const struct tr_side_table *from)
{
    struct tr_side_value values[TR_SIDE_MAX_COLUMNS];
    struct tr_hash_index index = { 0 };
    size_t *ends = calloc((size_t)to->n_rows + 1, sizeof *ends), n = 0, at = 0, before = 0;
    bool ok = ends != NULL;
    for (; ok && n < to->n_rows && tr_side_table_row(to, &at, values); before = at) {
        ok = tr_hash_index_add(&index, tr_hash(to->rows.data + before, at - before), (uint32_t)n);
        ends[n++] = at;
    }
    for (at = before = 0; ok && tr_side_table_row(from, &at, values); before = at)
        if (!has_row(&index, to, ends, from->rows.data + before, at - before))
            ok = tr_side_table_add(to, values);
    tr_hash_index_free(&index);
    free(ends);
    return ok;
}
