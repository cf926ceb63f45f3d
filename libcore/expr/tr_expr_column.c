/* Expressions over events: fields of a batch as columns of values. */
#include "expr/tr_expr_int.h"

#include <stdlib.h>
#include <string.h>

void tr__expr_columns_forget(struct tr_expr *e)
{
    e->end.loaded = e->step.loaded = e->depth.loaded = e->launch.loaded = false;
    e->graph.loaded = e->node.loaded = false;
    e->class_ids.loaded = e->api_ids.loaded = false;
    for (size_t i = 0; i < e->n_args; i++)
        e->args[i].loaded = false;
}

void tr__expr_columns_free(struct tr_expr *e)
{
    for (size_t i = 0; i < e->n_args; i++) {
        free(e->args[i].shapes);
        free(e->args[i].columns);
        free(e->args[i].type);
        free(e->args[i].value);
    }
    free(e->end.v);
    free(e->step.v);
    free(e->depth.v);
    free(e->launch.v);
    free(e->graph.v);
    free(e->node.v);
    free(e->class_ids.v);
    free(e->api_ids.v);
}

static bool room(struct tr__scratch *c, size_t n)
{
    return tr_grow(&c->v, &c->cap, n, sizeof *c->v);
}

/* --- args ------------------------------------------------------------------------------------- */

/* The index of a packed column among those of this argument. */
static uint32_t candidate(struct tr__arg *a, uint32_t column)
{
    for (size_t i = 0; i < a->n_columns; i++)
        if (a->columns[i].column == column)
            return (uint32_t)i;
    if (!tr_grow(&a->columns, &a->cap_columns, a->n_columns + 1, sizeof *a->columns))
        return UINT32_MAX;
    a->columns[a->n_columns] = (struct tr__arg_column){ column, 0 };
    return (uint32_t)a->n_columns++;
}

/* Look at the shapes that have come since the last batch. */
static bool learn_shapes(struct tr__arg *a, const struct tr_dict *d)
{
    if (!tr_grow(&a->shapes, &a->cap_shapes, d->n_shapes, sizeof *a->shapes))
        return false;
    for (; a->n_shapes < d->n_shapes; a->n_shapes++) {
        const struct tr_shape *s = &d->shapes[a->n_shapes];
        struct tr__arg_shape *out = &a->shapes[a->n_shapes];
        *out = (struct tr__arg_shape){ 0, UINT32_MAX };
        for (uint32_t k = 0; k < s->n_slots; k++) {
            const struct tr_slot *slot = &s->slots[k];
            if (slot->place != TR_PLACE_ARGS || slot->role != TR_ROLE_COLUMN ||
                tr_strtab_len(d->strings, slot->key) != a->key_len ||
                memcmp(tr_strtab_get(d->strings, slot->key), a->key, a->key_len) != 0)
                continue;
            out->type = (uint8_t)(slot->type + 1);
            if (!tr_type_has_entry(slot->type))
                continue;
            out->cand = candidate(a, slot->column);
            if (out->cand == UINT32_MAX)
                return false;
        }
    }
    return true;
}

enum tr_status tr__expr_load_arg(struct tr_expr *e, struct tr__arg *a, const struct tr_batch *b,
                                 struct tr_error *err)
{
    if (a->loaded)
        return TR_OK;
    if (!learn_shapes(a, e->dict) || !tr_grow(&a->type, &a->cap_type, b->n, 1) ||
        !tr_grow(&a->value, &a->cap_value, b->n, sizeof *a->value))
        return tr_fail_memory(err);
    for (size_t k = 0; k < a->n_columns; k++)
        a->columns[k].at = 0;
    unsigned any = 0;
    for (size_t i = 0; i < b->n; i++) {
        struct tr__arg_shape s = a->shapes[b->shape[i]];
        a->type[i] = s.type;
        any |= s.type;
        if (s.cand == UINT32_MAX)
            continue;
        struct tr__arg_column *c = &a->columns[s.cand];
        if (c->column >= b->n_cols || c->at >= b->cols[c->column].n)
            return tr_fail(err, TR_DAMAGED, "column '%.80s' ends before its events do", a->key);
        const struct tr_col *col = &b->cols[c->column];
        a->value[i] =
            tr_type_is_string(s.type - 1u) ? (int64_t)col->v.str[c->at] : col->v.i64[c->at];
        c->at++;
    }
    a->absent = !any;
    a->loaded = true;
    return TR_OK;
}

/* --- computed columns ------------------------------------------------------------------------- */

bool tr__expr_load_end(struct tr_expr *e, const struct tr_batch *b)
{
    if (e->end.loaded)
        return true;
    if (!room(&e->end, b->n))
        return false;
    for (size_t i = 0; i < b->n; i++) {
        int64_t ts = b->ts[i], dur = b->dur[i];
        int64_t sum = (int64_t)((uint64_t)ts + (uint64_t)dur);
        bool over = dur < 0 ? sum > ts : sum < ts;
        e->end.v[i] = ts == TR_TIME_NONE || dur == TR_TIME_NONE || over ? TR_TIME_NONE : sum;
    }
    return e->end.loaded = true;
}

bool tr__expr_load_derived(struct tr__scratch *c, const struct tr_batch *b, uint32_t column)
{
    if (c->loaded)
        return true;
    if (!room(c, b->n))
        return false;
    tr_batch_expand_i64(b, column, TR_I64_NONE, c->v);
    return c->loaded = true;
}

bool tr__expr_load_step(struct tr_expr *e, const struct tr_batch *b)
{
    if (e->step.loaded)
        return true;
    if (!room(&e->step, b->n) || !room(&e->launch, b->n))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, e->launch.v);
    for (size_t i = 0; i < b->n; i++) {
        int64_t ts = tr_event_host_time(b, i, e->launch.v[i]);
        e->step.v[i] = TR_I64_NONE;
        if (ts != TR_TIME_NONE)
            tr_steps_find(e->steps, e->dict->tracks[b->track[i]].source, ts, &e->step.v[i]);
    }
    return e->step.loaded = true;
}

bool tr__expr_load_depth(struct tr_expr *e, const struct tr_batch *b)
{
    if (e->depth.loaded)
        return true;
    if (!room(&e->depth, b->n))
        return false;
    for (size_t i = 0; i < b->n; i++) {
        e->depth.v[i] = TR_I64_NONE;
        if (b->phase[i] != TR_SPAN || b->ts[i] == TR_TIME_NONE)
            continue;
        struct tr_open_spans_track *t = tr_open_spans_at(e->nest, b->track[i], b->ts[i]);
        if (!t)
            return false;
        e->depth.v[i] = (int64_t)t->n;
        int64_t end = tr_span_end(b, i);
        if (end > b->ts[i] && !tr_open_spans_push(t, b->ts[i], end, 0, false))
            return false;
    }
    return e->depth.loaded = true;
}

bool tr__expr_load_ids(struct tr__ids *ids, const struct tr_batch *b, uint32_t column)
{
    if (ids->loaded)
        return true;
    if (!tr_grow(&ids->v, &ids->cap, b->n, sizeof *ids->v))
        return false;
    tr_batch_expand_str(b, column, ids->v);
    return ids->loaded = true;
}
