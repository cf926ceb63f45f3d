/* SPDX-License-Identifier: MIT */
/* Expressions over events: fields of a batch as columns of values. */
#include "expr/tr_expr_int.h"

#include <stdlib.h>
#include <string.h>

void tr__expr_columns_forget(struct tr_expr *e)
{
    e->end.loaded = e->step.loaded = e->depth.loaded = e->launch.loaded = false;
    e->step_phase.loaded = false;
    e->graph.loaded = e->node.loaded = false;
    e->class_ids.loaded = e->api_ids.loaded = false;
    for (size_t i = 0; i < e->n_args; i++)
        e->args[i].loaded = false;
}

void tr__expr_columns_free(struct tr_expr *e)
{
    for (size_t i = 0; i < e->n_args; i++)
        tr_arg_free(&e->args[i].arg);
    free(e->end.v);
    free(e->step.v);
    free(e->step_phase.v);
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

enum tr_status tr__expr_load_arg(struct tr__arg *a, const struct tr_batch *b, struct tr_error *err)
{
    if (a->loaded)
        return TR_OK;
    if (!tr_arg_read(&a->arg, b, TR_PLACE_ARGS, a->key))
        return tr_fail_memory(err);
    if (a->arg.cut)
        return tr_fail(err, TR_DAMAGED, "column '%.80s' ends before its events do", a->key);
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
    if (!room(&e->step, b->n) || !tr_step_columns_read(&e->launched, b))
        return false;
    for (size_t i = 0; i < b->n; i++) {
        e->step.v[i] = TR_I64_NONE;
        tr_steps_find(e->steps, e->dict, tr_step_columns_moment(&e->launched, e->steps, b, i), &e->step.v[i]);
    }
    return e->step.loaded = true;
}

bool tr__expr_load_step_phase(struct tr_expr *e, const struct tr_batch *b)
{
    if (e->step_phase.loaded)
        return true;
    if (!tr_grow(&e->step_phase.v, &e->step_phase.cap, b->n, 1) || !tr_step_columns_read(&e->launched, b))
        return false;
    for (size_t i = 0; i < b->n; i++)
        e->step_phase.v[i] = (uint8_t)tr_steps_phase(e->steps, e->dict,
                                                     tr_step_columns_moment(&e->launched, e->steps, b, i));
    return e->step_phase.loaded = true;
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
        struct tr_open_spans_track *t = tr_open_spans_at(e->nest, b->track[i], tr_span_inner_start(b, i));
        if (!t)
            return false;
        e->depth.v[i] = (int64_t)t->n;
        int64_t end = tr_span_inner_end(b, i);
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
