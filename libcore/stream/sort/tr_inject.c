/* SPDX-License-Identifier: MIT */
/* Adding events to a stream in canonical order. */
#include "stream/sort/tr_inject.h"

#include "base/tr_mem.h"
#include "stream/tr_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tr_inject {
    struct tr_input input;
    struct tr_input *base;
    const struct tr_dict *dict;
    struct tr_inject_records *records;
    tr_inject_next *next;
    void *ctx;
    struct tr_inject_event event; /* the next one to add */
    bool have_event, events_over, base_over;
    struct tr_batch shown; /* a batch of the base under the new dictionary; owns nothing */
    struct tr_batch *added; /* those that come before the end of the batch */
    struct tr_batch *mixed;
    uint32_t *from; /* by event of mixed: event of the base, or ADDED + event of added */
    size_t cap_from;
};

#define ADDED 0x80000000u

/* ---- records ---- */

bool tr_inject_see(struct tr_inject_records *r, const struct tr_batch *b)
{
    if (!tr_grow(&r->next, &r->cap, b->dict->n_sources, sizeof *r->next))
        return false;
    while (r->n < b->dict->n_sources)
        r->next[r->n++] = 0;
    for (size_t i = 0; i < b->n; i++) {
        uint64_t *next = &r->next[b->dict->tracks[b->track[i]].source];
        *next = b->record[i] >= *next ? b->record[i] + 1 : *next;
    }
    return true;
}

void tr_inject_records_free(struct tr_inject_records *r)
{
    free(r->next);
    memset(r, 0, sizeof *r);
}

/* ---- added events ---- */

uint32_t tr_inject_shape(struct tr_dict *d, char ph, const struct tr_inject_member *members, size_t n)
{
    struct tr_slot *slots = calloc(n + 1, sizeof *slots);
    bool ok = slots;
    for (size_t i = 0; ok && i < n; i++) {
        const struct tr_inject_member *m = &members[i];
        const struct tr_column c = { tr_strtab_add(d->strings, m->key, strlen(m->key)), m->place, m->type, 0 };
        bool packed = m->role == TR_ROLE_COLUMN;
        ok = c.key != TR_NO_STR;
        slots[i] = (struct tr_slot){ c.key, ok && packed ? tr_dict_need_column(d, &c) : UINT32_MAX, m->place,
                                     m->role, m->type };
        ok = ok && (!packed || slots[i].column != UINT32_MAX);
    }
    uint32_t shape = ok ? tr_dict_add_shape(d, &(struct tr_shape){ slots, (uint32_t)n, ph }) : UINT32_MAX;
    free(slots);
    return shape;
}

/* Get the next event to add, if there is one. */
static enum tr_status look_ahead(struct tr_inject *o, struct tr_error *err)
{
    if (o->have_event || o->events_over)
        return TR_OK;
    enum tr_status st = o->next(o->ctx, &o->event, err);
    o->have_event = st == TR_OK;
    o->events_over = st == TR_END;
    return st == TR_END ? TR_OK : st;
}

static struct tr_order_key key_of_event(const struct tr_inject *o)
{
    const struct tr_inject_event *e = &o->event;
    uint32_t source = o->dict->tracks[e->track].source;
    return (struct tr_order_key){ e->ts, e->dur, source, o->records->next[source] };
}

/* Append the current event to o->added. */
static enum tr_status take_event(struct tr_inject *o, struct tr_error *err)
{
    struct tr_batch *b = o->added;
    const struct tr_inject_event *e = &o->event;
    const struct tr_shape *shape = &o->dict->shapes[e->shape];
    uint32_t source = o->dict->tracks[e->track].source;
    if (!tr_batch_reserve(b, b->n + 1) || !tr_batch_reserve_cols(b, o->dict->n_columns))
        return tr_fail_memory(err);
    size_t i = b->n++, value = 0;
    b->ts[i] = e->ts;
    b->dur[i] = e->dur;
    b->record[i] = o->records->next[source]++;
    b->track[i] = e->track;
    b->shape[i] = e->shape;
    b->name[i] = e->name;
    b->cat[i] = e->cat;
    b->phase[i] = e->phase;
    b->activity[i] = e->activity;
    b->kind[i] = TR_KIND_NONE;
    b->suspect[i] = TR_SUSPECT_NO;
    b->flags[i] = 0;
    for (uint32_t k = 0; k < shape->n_slots; k++) {
        uint32_t column = shape->slots[k].column;
        if (column == UINT32_MAX)
            continue;
        struct tr_col *c = &b->cols[column];
        if (!tr_col_reserve(c, c->n + 1, (enum tr_type)o->dict->columns[column].type))
            return tr_fail_memory(err);
        if (tr_type_is_string(o->dict->columns[column].type))
            c->v.str[c->n++] = (uint32_t)e->values[value++];
        else
            c->v.i64[c->n++] = e->values[value++];
    }
    o->have_event = false;
    return TR_OK;
}

/* ---- mixing ---- */

#define GATHER(column)                                                                        \
    for (size_t k = 0; k < n; k++)                                                            \
    out->column[k] = o->from[k] & ADDED ? added->column[o->from[k] - ADDED] : base->column[o->from[k]]

static bool mix_fixed(struct tr_inject *o, size_t n)
{
    const struct tr_batch *base = &o->shown, *added = o->added;
    struct tr_batch *out = o->mixed;
    if (!tr_batch_reserve(out, n))
        return false;
    GATHER(ts);
    GATHER(dur);
    GATHER(record);
    GATHER(track);
    GATHER(shape);
    GATHER(name);
    GATHER(cat);
    GATHER(phase);
    GATHER(activity);
    GATHER(kind);
    GATHER(suspect);
    GATHER(flags);
    out->n = n;
    return true;
}

static bool put_value(struct tr_col *to, const struct tr_col *from, size_t at, bool is_string,
                      enum tr_type type)
{
    if (!tr_col_reserve(to, to->n + 1, type))
        return false;
    if (is_string)
        to->v.str[to->n++] = from->v.str[at];
    else
        to->v.i64[to->n++] = from->v.i64[at];
    return true;
}

/* A packed column of which both have entries: entry by entry, in the order of events. */
static bool mix_column(struct tr_inject *o, uint32_t column)
{
    const struct tr_batch *base = &o->shown;
    enum tr_type type = (enum tr_type)o->dict->columns[column].type;
    bool is_string = tr_type_is_string(type), ok = true;
    size_t at_base = 0, at_added = 0;
    for (size_t k = 0; ok && k < o->mixed->n; k++) {
        bool is_added = o->from[k] & ADDED;
        const struct tr_batch *b = is_added ? o->added : base;
        if (!tr_batch_has(b, o->from[k] & ~ADDED, column))
            continue;
        size_t *at = is_added ? &at_added : &at_base;
        ok = put_value(&o->mixed->cols[column], &b->cols[column], (*at)++, is_string, type);
    }
    return ok;
}

static bool copy_column(struct tr_col *to, const struct tr_col *from, enum tr_type type)
{
    if (!tr_col_reserve(to, from->n, type))
        return false;
    if (tr_type_is_string(type))
        memcpy(to->v.str, from->v.str, from->n * sizeof *to->v.str);
    else
        memcpy(to->v.i64, from->v.i64, from->n * sizeof *to->v.i64);
    to->n = from->n;
    return true;
}

static bool mix_packed(struct tr_inject *o)
{
    const struct tr_batch *base = &o->shown;
    if (!tr_batch_reserve_cols(o->mixed, o->dict->n_columns))
        return false;
    for (uint32_t c = 0; c < o->dict->n_columns; c++) {
        const struct tr_col *a = c < base->n_cols ? &base->cols[c] : NULL;
        const struct tr_col *b = c < o->added->n_cols ? &o->added->cols[c] : NULL;
        enum tr_type type = (enum tr_type)o->dict->columns[c].type;
        bool in_base = a && a->n, in_added = b && b->n;
        if (in_base && in_added ? !mix_column(o, c)
            : in_base           ? !copy_column(&o->mixed->cols[c], a, type)
            : in_added          ? !copy_column(&o->mixed->cols[c], b, type)
                                : false)
            return false;
    }
    return true;
}

/* Find the order of a batch of the base (shown) and of what comes before its end. */
static enum tr_status interleave(struct tr_inject *o, size_t *n, struct tr_error *err)
{
    const struct tr_batch *base = &o->shown;
    enum tr_status st = look_ahead(o, err);
    *n = 0;
    for (size_t i = 0; st == TR_OK && (i < base->n || (o->base_over && o->have_event));) {
        if (!tr_grow(&o->from, &o->cap_from, *n + 1, sizeof *o->from))
            return tr_fail_memory(err);
        bool add = o->have_event;
        if (add && i < base->n) {
            struct tr_order_key event = key_of_event(o), next = tr_order_key(base, i);
            add = event.ts <= next.ts && tr_order_key_cmp(o->dict, &event, &next) < 0;
        }
        if (!add) {
            o->from[(*n)++] = (uint32_t)i++;
            continue;
        }
        o->from[(*n)++] = ADDED + (uint32_t)o->added->n;
        st = take_event(o, err);
        if (st == TR_OK)
            st = look_ahead(o, err);
        if (o->base_over && o->added->n >= TR_BATCH_MAX)
            break;
    }
    return st;
}

static enum tr_status overlay_next(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct tr_inject *o = self;
    const struct tr_batch *b = NULL;
    size_t n;
    enum tr_status st = o->base_over ? TR_END : tr_input_next(o->base, &b, err);
    if (st != TR_OK && st != TR_END)
        return st;
    o->base_over = st == TR_END;
    o->shown = b ? *b : (struct tr_batch){ .n = 0 };
    o->shown.dict = o->dict;
    if (b && (b->dict->n_tracks > o->dict->n_tracks || b->dict->n_shapes > o->dict->n_shapes ||
              b->dict->n_columns > o->dict->n_columns || b->dict->n_sources > o->records->n ||
              tr_strtab_count(b->dict->strings) > tr_strtab_count(o->dict->strings))) {
        tr_error_input(err, o->base->name);
        return tr_fail(err, TR_DAMAGED, "changed while it was read");
    }
    tr_batch_clear(o->added);
    tr_batch_clear(o->mixed);
    o->added->dict = o->mixed->dict = o->dict;
    st = interleave(o, &n, err);
    if (st != TR_OK)
        return st;
    if (n == 0)
        return TR_END;
    *batch = &o->shown;
    if (o->added->n == 0)
        return TR_OK;
    if (!mix_fixed(o, n) || !mix_packed(o))
        return tr_fail_memory(err);
    *batch = o->mixed;
    return TR_OK;
}

static void overlay_close(void *self)
{
    struct tr_inject *o = self;
    if (!o)
        return;
    tr_batch_free(o->added);
    tr_batch_free(o->mixed);
    free(o->from);
    free(o);
}

static const struct tr_input_ops overlay_ops = { .next = overlay_next, .close = overlay_close };

enum tr_status tr_inject_open(struct tr_input **out, struct tr_input *base, const struct tr_dict *dict,
                              struct tr_inject_records *records, tr_inject_next *next, void *ctx, struct tr_error *err)
{
    if (!base->sorted) {
        tr_error_input(err, base->name);
        return tr_fail(err, TR_DAMAGED, "events are not in order of time");
    }
    struct tr_inject *o = calloc(1, sizeof *o);
    if (!o)
        return tr_fail_memory(err);
    o->base = base;
    o->dict = dict;
    o->records = records;
    o->next = next;
    o->ctx = ctx;
    o->added = tr_batch_new();
    o->mixed = tr_batch_new();
    if (!o->added || !o->mixed) {
        overlay_close(o);
        return tr_fail_memory(err);
    }
    o->input = (struct tr_input){ .ops = &overlay_ops,
                                  .self = o,
                                  .dict = dict,
                                  .summary = base->summary,
                                  .tables = base->tables,
                                  .provenance = base->provenance,
                                  .sorted = true };
    snprintf(o->input.name, sizeof o->input.name, "%s", base->name);
    *out = &o->input;
    return TR_OK;
}
