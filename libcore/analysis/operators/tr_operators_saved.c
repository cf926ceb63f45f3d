/* SPDX-License-Identifier: MIT */
/* Rows of operators as partial results. */
#include "analysis/operators/tr_operator_keys_int.h"

#include <stddef.h>
#include <stdlib.h>

struct saved {
    struct tr_group_key key;
    struct tr_str name, dims, types, strides, stack, module, thread, recompute; /* stack: a list */
    uint64_t calls, kernels, kernels_below;
    int64_t host_self, host, device_self, device, device_self_busy, device_busy;
};

static const struct tr_saved_column columns[] = {
    { NULL, TR_SAVED_GROUP, offsetof(struct saved, key) },
    { "name", TR_SAVED_TEXT, offsetof(struct saved, name) },
    { "shapes", TR_SAVED_TEXT, offsetof(struct saved, dims) },
    { "dtypes", TR_SAVED_TEXT, offsetof(struct saved, types) },
    { "strides", TR_SAVED_TEXT, offsetof(struct saved, strides) },
    { "stack", TR_SAVED_TEXT, offsetof(struct saved, stack) },
    { "module", TR_SAVED_TEXT, offsetof(struct saved, module) },
    { "thread", TR_SAVED_TEXT, offsetof(struct saved, thread) },
    { "recompute", TR_SAVED_TEXT, offsetof(struct saved, recompute) },
    { "calls", TR_SAVED_COUNT, offsetof(struct saved, calls) },
    { "kernels", TR_SAVED_COUNT, offsetof(struct saved, kernels) },
    { "kernels_below", TR_SAVED_COUNT, offsetof(struct saved, kernels_below) },
    { "host_self", TR_SAVED_INT, offsetof(struct saved, host_self) },
    { "host", TR_SAVED_INT, offsetof(struct saved, host) },
    { "device_self", TR_SAVED_INT, offsetof(struct saved, device_self) },
    { "device", TR_SAVED_INT, offsetof(struct saved, device) },
    { "device_self_busy", TR_SAVED_INT, offsetof(struct saved, device_self_busy) },
    { "device_busy", TR_SAVED_INT, offsetof(struct saved, device_busy) },
};

/* Values for all rows, each 0 or 1. */
struct saved_all {
    /* Was work tested?  Were there operators, shapes of arguments, Python frames? */
    uint64_t where, operators, shapes, python;
};

static const struct tr_saved_column all_columns[] = {
    { "where", TR_SAVED_COUNT, offsetof(struct saved_all, where) },
    { "operators", TR_SAVED_COUNT, offsetof(struct saved_all, operators) },
    { "shapes", TR_SAVED_COUNT, offsetof(struct saved_all, shapes) },
    { "python", TR_SAVED_COUNT, offsetof(struct saved_all, python) },
};

const struct tr_saved_table tr_operators_saved[TR_OPERATORS_TABLES] = {
    TR_SAVED_TABLE("operators", columns),
    TR_SAVED_TABLE("selection", all_columns),
};

/* ---- out ---- */

enum tr_status tr_operators_save(struct tr_operators *a, struct tr_partial_out *out, struct tr_error *err)
{
    const struct tr_group_by *w = tr_operators_groups(a);
    const struct tr_operator_row *rows;
    struct tr_buf list = { 0 };
    size_t n = 0;
    enum tr_status st = tr_operators_finish(a, &rows, &n, err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        const struct tr_operator_row *r = &rows[i];
        const struct tr_operator_key *k = &r->key;
        if (!tr__operator_stack_list(tr__operators_keys(a), k->stack, &list))
            st = tr_fail_memory(err);
        const struct saved v = {
            .key = w->groups[k->group],
            .name = tr_dict_text_if(w->dict, k->name),
            .dims = tr_dict_text_if(w->dict, k->dims),
            .types = tr_dict_text_if(w->dict, k->types),
            .strides = tr_dict_text_if(w->dict, k->strides),
            .stack = { k->stack == UINT32_MAX ? NULL : (const char *)list.data, list.len },
            .module = tr_operators_text(a, k->module),
            .thread = tr_operators_text(a, k->thread),
            .recompute = tr_operators_text(a, k->recompute),
            .calls = r->calls,
            .kernels = r->kernels,
            .kernels_below = r->kernels_below,
            .host_self = r->host_self,
            .host = r->host,
            .device_self = r->device_self,
            .device = r->device,
            .device_self_busy = r->device_self_busy,
            .device_busy = r->device_busy,
        };
        tr_partial_put(out, 0, &v);
    }
    const struct tr__operator_keys *keys = tr__operators_keys(a);
    const struct saved_all all = { tr_operators_where(a), keys->operators, keys->shapes, keys->python };
    tr_partial_put(out, 1, &all);
    tr_buf_free(&list);
    return st;
}

/* ---- in ---- */

static void add_time(struct tr_partial_in *in, int64_t *to, int64_t from)
{
    if (from < 0 && from != TR_TIME_NONE)
        tr_partial_wrong(in, "a time below 0");
    *to = tr_time_sum(*to, from);
}

static void add_row(struct tr_partial_in *in, struct tr_operator_row *to, const struct saved *from)
{
    tr_partial_add_count(in, &to->calls, from->calls);
    tr_partial_add_count(in, &to->kernels, from->kernels);
    tr_partial_add_count(in, &to->kernels_below, from->kernels_below);
    add_time(in, &to->host_self, from->host_self);
    add_time(in, &to->host, from->host);
    add_time(in, &to->device_self, from->device_self);
    add_time(in, &to->device, from->device);
    add_time(in, &to->device_self_busy, from->device_self_busy);
    add_time(in, &to->device_busy, from->device_busy);
}

/* Names of spans as frames.  False: out of memory. */
static bool take_stack(struct tr__operator_keys *keys, struct tr_partial_in *in, struct tr_str list, uint32_t *stack)
{
    struct tr_str text;
    bool ok = true, given = list.s != NULL;
    *stack = UINT32_MAX;
    while (ok && given && tr_partial_list_take(&list, &text)) {
        if (!text.s)
            tr_partial_wrong(in, "a span without a name");
        uint32_t name = tr_partial_string(in, text);
        ok = tr_partial_status(in, NULL) != TR_OK || tr_stacks_inner(&keys->stacks, *stack, name, stack);
    }
    if (given && (list.len || *stack == UINT32_MAX))
        tr_partial_wrong(in, "a list of names");
    return ok;
}

static bool take_text(struct tr__operator_keys *keys, struct tr_str text, uint32_t *number)
{
    *number = text.s ? tr_strtab_add(keys->texts, text.s, text.len) : UINT32_MAX;
    return !text.s || *number != TR_NO_STR;
}

/* Does a row have a key that was not requested? */
static bool foreign(unsigned by, const struct saved *r)
{
    return (!(by & TR_OPERATOR_SHAPE) && (r->dims.s || r->types.s || r->strides.s)) ||
           (!(by & TR_OPERATOR_STACK) && r->stack.s) || (!(by & TR_OPERATOR_MODULE) && r->module.s) ||
           (!(by & TR_OPERATOR_THREAD) && r->thread.s) || (!(by & TR_OPERATOR_RECOMPUTE) && r->recompute.s);
}

enum tr_status tr_operators_load(struct tr_operators *a, struct tr_partial_in *in, struct tr_error *err)
{
    struct tr__operator_keys *keys = tr__operators_keys(a);
    struct saved_all all;
    struct saved r;
    bool ok = true;
    while (ok && tr_partial_get(in, 0, &r)) {
        struct tr_operator_key k = TR_OPERATOR_KEY_INIT;
        struct tr_operator_row *row = NULL;
        if (foreign(keys->by, &r))
            tr_partial_wrong(in, "a key that was not asked for");
        k.name = tr_partial_string(in, r.name);
        k.dims = tr_partial_string(in, r.dims);
        k.types = tr_partial_string(in, r.types);
        k.strides = tr_partial_string(in, r.strides);
        ok = take_stack(keys, in, r.stack, &k.stack) && take_text(keys, r.module, &k.module) &&
             take_text(keys, r.thread, &k.thread) && take_text(keys, r.recompute, &k.recompute);
        if (!ok || !tr_partial_group(in, tr__operators_groups(a), &r.key, &k.group))
            break;
        ok = (row = tr__operators_row(a, &k)) != NULL;
        if (ok)
            add_row(in, row, &r);
    }
    while (ok && tr_partial_get(in, 1, &all)) {
        if (all.where > 1 || all.operators > 1 || all.shapes > 1 || all.python > 1)
            tr_partial_wrong(in, "a yes or no that is neither 0 nor 1");
        tr__operators_set_where(a, all.where);
        keys->operators |= all.operators;
        keys->shapes |= all.shapes;
        keys->python |= all.python;
    }
    return ok ? tr_partial_status(in, err) : tr_fail_memory(err);
}
