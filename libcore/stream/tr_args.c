/* SPDX-License-Identifier: MIT */
/* Members of events by key. */
#include "stream/tr_args.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

void tr_args_free(struct tr_args *a)
{
    free(a->shapes);
    free(a->slots);
    free(a->columns);
    memset(a, 0, sizeof *a);
}

/* ---- shapes ---- */

static uint32_t column_of(struct tr_args *a, uint32_t column)
{
    for (size_t i = 0; i < a->n_columns; i++)
        if (a->columns[i].column == column)
            return (uint32_t)i;
    if (!tr_grow(&a->columns, &a->cap_columns, a->n_columns + 1, sizeof *a->columns))
        return UINT32_MAX;
    a->columns[a->n_columns] = (struct tr_args_column){ .column = column };
    return (uint32_t)a->n_columns++;
}

static bool learn_slot(struct tr_args *a, struct tr_args_shape *shape, const struct tr_slot *slot)
{
    struct tr_str key = tr_dict_text(a->dict, slot->key);
    size_t k = 0;
    while (k < a->n_keys && !tr_str_is(key, a->keys[k]))
        k++;
    if (k == a->n_keys)
        return true;
    struct tr_args_slot own = { UINT32_MAX, (uint8_t)k, (uint8_t)(slot->type + 1u), tr_type_is_string(slot->type) };
    if (tr_type_has_entry(slot->type) && (own.column = column_of(a, slot->column)) == UINT32_MAX)
        return false;
    if (!tr_grow(&a->slots, &a->cap_slots, a->n_slots + 1, sizeof own))
        return false;
    a->slots[a->n_slots++] = own;
    a->bare |= own.column == UINT32_MAX;
    shape->n++;
    if (slot->type == TR_T_STRING)
        shape->strings |= 1u << k;
    return true;
}

static bool learn_shapes(struct tr_args *a)
{
    if (!tr_grow(&a->shapes, &a->cap_shapes, a->dict->n_shapes, sizeof *a->shapes))
        return false;
    for (; a->n_shapes < a->dict->n_shapes; a->n_shapes++) {
        const struct tr_shape *s = &a->dict->shapes[a->n_shapes];
        struct tr_args_shape *own = &a->shapes[a->n_shapes];
        *own = (struct tr_args_shape){ (uint32_t)a->n_slots, 0, 0 };
        for (uint32_t k = 0; k < s->n_slots; k++)
            if (s->slots[k].place == a->place && s->slots[k].role == TR_ROLE_COLUMN &&
                !learn_slot(a, own, &s->slots[k]))
                return false;
    }
    return true;
}

/* ---- in step with a batch ---- */

bool tr_args_start(struct tr_args *a, const struct tr_batch *b)
{
    if (a->dict != b->dict) {
        a->n_shapes = a->n_slots = a->n_columns = 0;
        a->bare = false;
    }
    a->dict = b->dict;
    if (!learn_shapes(a))
        return false;
    for (size_t k = 0; k < a->n_columns; k++) {
        struct tr_args_column *c = &a->columns[k];
        bool known = c->column < b->n_cols;
        bool text = tr_type_is_string(b->dict->columns[c->column].type);
        c->at = 0;
        c->n = known ? b->cols[c->column].n : 0;
        c->data = !known ? NULL : text ? (const void *)b->cols[c->column].v.str : b->cols[c->column].v.i64;
    }
    return true;
}

/* The current entry of a slot's column.  False: there are no more. */
static inline bool entry_of(const struct tr_args_column *c, const struct tr_args_slot *slot, int64_t *value)
{
    if (c->at >= c->n)
        return false;
    *value = slot->is_text ? (int64_t)((const uint32_t *)c->data)[c->at] : ((const int64_t *)c->data)[c->at];
    return true;
}

static inline bool read_slots(struct tr_args_column *columns, const struct tr_args *a, const struct tr_args_shape *s,
                              struct tr_arg_value *values, bool pass)
{
    bool whole = true;
    for (size_t k = 0; k < a->n_keys; k++)
        values[k].type = 0;
    for (size_t k = 0; k < s->n; k++) {
        const struct tr_args_slot *slot = &a->slots[s->first + k];
        struct tr_arg_value *v = &values[slot->key];
        v->type = slot->type;
        if (slot->column == UINT32_MAX) {
            v->v = 0;
            continue;
        }
        struct tr_args_column *c = &columns[slot->column];
        if (!entry_of(c, slot, &v->v)) {
            v->type = 0;
            whole = false;
        }
        c->at += pass;
    }
    return whole;
}

bool tr_args_take(struct tr_args *a, const struct tr_batch *b, size_t i, struct tr_arg_value *values)
{
    return read_slots(a->columns, a, &a->shapes[b->shape[i]], values, true);
}

bool tr_args_get(const struct tr_args *a, const struct tr_batch *b, size_t i, struct tr_arg_value *values)
{
    return read_slots(a->columns, a, &a->shapes[b->shape[i]], values, false);
}

/* ---- one key, a whole batch ---- */

void tr_arg_free(struct tr_arg *a)
{
    tr_args_free(&a->of);
    free(a->type);
    free(a->value);
    memset(a, 0, sizeof *a);
}

/* Can an event of the batch have the member?  A member without a column is always possible. */
static bool may_have(const struct tr_args *a)
{
    bool may = a->bare;
    for (size_t k = 0; k < a->n_columns && !may; k++)
        may = a->columns[k].n > 0;
    return may;
}

bool tr_arg_read(struct tr_arg *a, const struct tr_batch *b, enum tr_place place, const char *key)
{
    struct tr_args *of = &a->of;
    a->key = key;
    of->place = place;
    of->keys = &a->key;
    of->n_keys = 1;
    a->any = a->cut = false;
    if (!tr_args_start(of, b))
        return false;
    if (!may_have(of)) {
        for (size_t i = 0; of->n_columns && !a->cut && i < b->n; i++)
            a->cut = of->shapes[b->shape[i]].n > 0;
        return true;
    }
    if (!tr_grow(&a->type, &a->cap_type, b->n, 1) || !tr_grow(&a->value, &a->cap_value, b->n, sizeof *a->value))
        return false;
    const struct tr_args_shape *shapes = of->shapes;
    unsigned any = 0;
    for (size_t i = 0; i < b->n; i++) {
        const struct tr_args_shape *s = &shapes[b->shape[i]];
        a->type[i] = 0;
        for (uint32_t k = s->first; k < s->first + s->n; k++) {
            const struct tr_args_slot *slot = &of->slots[k];
            if (slot->column == UINT32_MAX) {
                a->value[i] = 0;
            } else if (entry_of(&of->columns[slot->column], slot, &a->value[i])) {
                of->columns[slot->column].at++;
            } else {
                a->cut = true;
                continue;
            }
            any |= a->type[i] = slot->type;
        }
    }
    a->any = any;
    return true;
}
