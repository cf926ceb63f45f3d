/* SPDX-License-Identifier: MIT */
/* Batches in any order become an input in canonical order. */
#include "stream/sort/tr_resort.h"

#include "base/tr_mem.h"
#include "stream/merge/tr_merge.h"
#include "stream/sort/tr_external_sort_int.h"
#include "stream/tr_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN_ROWS 65536u /* rows that are sorted at a time */

struct tr_resort {
    struct tr_input input; /* of the sorted rows */
    const struct tr_dict *dict;
    struct tr_block_pool *pool;
    struct tr_external_sort *runs;
    struct tr_row_arena rows; /* of the run being gathered */
    struct tr_row_ref *refs;
    size_t n, cap;
    size_t *cursor; /* by column: entries of the batch that are done */
    size_t cap_cursor;
    uint32_t *order_of;
    struct tr_batch *batch;
};

/* Place of each source in canonical order; equal ones share a place. */
static bool order_sources(struct tr_resort *s)
{
    s->order_of = calloc(s->dict->n_sources + 1, sizeof *s->order_of);
    return s->order_of && tr_sources_place(s->dict, s->order_of);
}

enum tr_status tr_resort_new(struct tr_resort **out, const struct tr_dict *dict,
                             size_t max_memory_bytes, const char *temp_dir, struct tr_error *err)
{
    struct tr_resort *s = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->dict = dict;
    s->pool = tr_block_pool_new(max_memory_bytes);
    s->runs = tr_external_sort_new(max_memory_bytes, temp_dir);
    s->batch = tr_batch_new();
    s->rows.pool = s->pool;
    if (!s->pool || !s->runs || !s->batch || !order_sources(s)) {
        tr_resort_free(s);
        return tr_fail_memory(err);
    }
    tr_external_sort_order(s->runs, s->order_of);
    *out = s;
    return TR_OK;
}

void tr_resort_free(struct tr_resort *s)
{
    if (!s)
        return;
    tr_external_sort_free(s->runs);
    if (s->rows.pool)
        tr_row_arena_release(&s->rows);
    tr_block_pool_free(s->pool);
    tr_batch_free(s->batch);
    free(s->refs);
    free(s->cursor);
    free(s->order_of);
    free(s);
}

/* ---- from batches to rows ---- */

/* The derived columns of an event's flags, in the order in which a row has them. */
static unsigned derived_of(unsigned flags, uint32_t columns[TR_N_DERIVED])
{
    static const uint8_t flag[TR_N_DERIVED] = {
        TR_HAS_LAUNCH, TR_HAS_LAUNCH, TR_HAS_LAUNCH, TR_HAS_LAUNCH,
        TR_HAS_LAUNCH, TR_HAS_DEVICE, TR_HAS_CLASS,  TR_FROM_BE,
        TR_HAS_PS,     TR_HAS_PS,     TR_HAS_GRAPH,  TR_HAS_GRAPH,
    };
    unsigned n = 0;
    for (uint32_t c = 0; flags && c < TR_N_DERIVED; c++)
        if (flags & flag[c])
            columns[n++] = c;
    return n;
}

static bool is_packed(const struct tr_slot *slot)
{
    return slot->role == TR_ROLE_COLUMN && tr_type_has_entry(slot->type);
}

static size_t width(const struct tr_dict *d, uint32_t column)
{
    return tr_type_is_string(d->columns[column].type) ? 4 : 8;
}

static unsigned char *copy_value(struct tr_resort *s, const struct tr_batch *b, uint32_t column,
                                 unsigned char *to)
{
    const struct tr_col *c = &b->cols[column];
    size_t at = s->cursor[column]++, n = width(s->dict, column);
    if (n == 4)
        memcpy(to, &c->v.str[at], n);
    else
        memcpy(to, &c->v.i64[at], n);
    return to + n;
}

/* Append event i as a row; events are taken in the order of the batch. */
static bool add_row(struct tr_resort *s, const struct tr_batch *b, size_t i)
{
    const struct tr_dict *d = s->dict;
    const struct tr_shape *shape = &d->shapes[b->shape[i]];
    uint32_t derived[TR_N_DERIVED];
    unsigned n_derived = derived_of(b->flags[i], derived);
    unsigned char *start = tr_row_arena_reserve(&s->rows, TR_ROW_HEADER + 8 * ((size_t)n_derived + shape->n_slots));
    if (!start)
        return false;
    struct tr_row *row = (struct tr_row *)(void *)start;
    *row = (struct tr_row){
        .ts = b->ts[i],
        .dur = b->dur[i],
        .record = b->record[i],
        .shape = b->shape[i],
        .track = b->track[i],
        .source = d->tracks[b->track[i]].source,
        .name = b->name[i],
        .cat = b->cat[i],
        .phase = b->phase[i],
        .activity = b->activity[i],
        .kind = b->kind[i],
        .suspect = b->suspect[i],
        .flags = b->flags[i],
    };
    unsigned char *to = start + TR_ROW_HEADER;
    for (unsigned k = 0; k < n_derived; k++)
        to = copy_value(s, b, derived[k], to);
    for (uint32_t k = 0; k < shape->n_slots; k++)
        if (is_packed(&shape->slots[k]))
            to = copy_value(s, b, shape->slots[k].column, to);
    row->size = (uint32_t)((size_t)(to - start + 7) & ~(size_t)7);
    memset(to, 0, row->size - (size_t)(to - start));
    tr_row_arena_commit(&s->rows, row->size);
    s->refs[s->n++] = (struct tr_row_ref){ row->ts, row };
    return true;
}

static enum tr_status end_run(struct tr_resort *s, struct tr_error *err)
{
    struct tr_row_ref *tmp = malloc((s->n + 1) * sizeof *tmp);
    if (!tmp)
        return tr_fail_memory(err);
    tr_refs_sort(s->refs, tmp, s->n, s->order_of);
    free(tmp);
    size_t n = s->n;
    s->n = 0;
    return tr_external_sort_add(s->runs, &s->rows, s->refs, n, err);
}

enum tr_status tr_resort_add(struct tr_resort *s, const struct tr_batch *b, struct tr_error *err)
{
    if (!tr_grow(&s->cursor, &s->cap_cursor, s->dict->n_columns + 1, sizeof *s->cursor) ||
        !tr_grow(&s->refs, &s->cap, s->n + b->n + 1, sizeof *s->refs))
        return tr_fail_memory(err);
    memset(s->cursor, 0, s->cap_cursor * sizeof *s->cursor);
    for (size_t i = 0; i < b->n; i++)
        if (!add_row(s, b, i))
            return tr_fail_memory(err);
    return s->n >= RUN_ROWS ? end_run(s, err) : TR_OK;
}

/* ---- from rows to batches ---- */

static const unsigned char *put_value(struct tr_batch *b, const struct tr_dict *d, uint32_t column,
                                      const unsigned char *from, bool *ok)
{
    struct tr_col *c = &b->cols[column];
    size_t n = width(d, column);
    if (c->n == c->cap && !tr_col_reserve(c, c->n + 1, (enum tr_type)d->columns[column].type)) {
        *ok = false;
        return from;
    }
    if (n == 4)
        memcpy(&c->v.str[c->n++], from, n);
    else
        memcpy(&c->v.i64[c->n++], from, n);
    return from + n;
}

static bool put_row(struct tr_resort *s, const struct tr_row *row)
{
    struct tr_batch *b = s->batch;
    const struct tr_shape *shape = &s->dict->shapes[row->shape];
    const unsigned char *from = tr_row_values(row);
    uint32_t derived[TR_N_DERIVED];
    unsigned n_derived = derived_of(row->flags, derived);
    size_t i = b->n++;
    bool ok = true;
    b->ts[i] = row->ts;
    b->dur[i] = row->dur;
    b->record[i] = row->record;
    b->track[i] = row->track;
    b->shape[i] = row->shape;
    b->name[i] = row->name;
    b->cat[i] = row->cat;
    b->phase[i] = row->phase;
    b->activity[i] = row->activity;
    b->kind[i] = row->kind;
    b->suspect[i] = row->suspect;
    b->flags[i] = row->flags;
    for (unsigned k = 0; k < n_derived && ok; k++)
        from = put_value(b, s->dict, derived[k], from, &ok);
    for (uint32_t k = 0; k < shape->n_slots && ok; k++)
        if (is_packed(&shape->slots[k]))
            from = put_value(b, s->dict, shape->slots[k].column, from, &ok);
    return ok;
}

static enum tr_status sorted_next(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct tr_resort *s = self;
    const struct tr_row *row;
    enum tr_status st = TR_OK;
    tr_batch_clear(s->batch);
    s->batch->dict = s->input.dict;
    while (s->batch->n < TR_BATCH_MAX && (st = tr_external_sort_next(s->runs, &row, err)) == TR_OK)
        if (!put_row(s, row))
            return tr_fail_memory(err);
    if (st != TR_OK && st != TR_END)
        return st;
    *batch = s->batch;
    return s->batch->n ? TR_OK : TR_END;
}

static void sorted_close(void *self)
{
    tr_resort_free(self);
}

static const struct tr_input_ops sorted_ops = { .next = sorted_next, .close = sorted_close };

enum tr_status tr_resort_input(struct tr_resort *s, const struct tr_dict *dict,
                               const struct tr_summary *summary,
                               const struct tr_provenance *provenance,
                               const struct tr_side_tables *tables, const char *name,
                               struct tr_input **in, struct tr_error *err)
{
    enum tr_status st = s->n ? end_run(s, err) : TR_OK;
    if (st == TR_OK)
        st = tr_external_sort_merge(s->runs, s->order_of, err);
    if (st == TR_OK && (!tr_batch_reserve(s->batch, TR_BATCH_MAX) ||
                        !tr_batch_reserve_cols(s->batch, dict->n_columns)))
        st = tr_fail_memory(err);
    if (st != TR_OK) {
        tr_resort_free(s);
        return st;
    }
    s->input = (struct tr_input){ .ops = &sorted_ops,
                                  .self = s,
                                  .dict = dict,
                                  .summary = summary,
                                  .tables = tables,
                                  .provenance = provenance,
                                  .sorted = true };
    snprintf(s->input.name, sizeof s->input.name, "%s", name);
    struct tr_input *lane = &s->input;
    return tr_merge_open(in, &lane, 1, NULL, err);
}
