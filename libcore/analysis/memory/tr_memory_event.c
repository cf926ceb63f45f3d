/* SPDX-License-Identifier: MIT */
/* Memory: the data that an event has about an allocation. */
#include "analysis/memory/tr_memory_int.h"

#include <stdlib.h>
#include <string.h>

static const char *const arg_names[TR__N_ARGS] = {
    [TR__BYTES] = "Bytes",
    [TR__ADDR] = "Addr",
    [TR__TOTAL] = "Total Allocated",
    [TR__RESERVED] = "Total Reserved",
    [TR__DEVICE_TYPE] = "Device Type",
    [TR__DEVICE_ID] = "Device Id",
    [TR__CATEGORY] = "Category",
};

bool tr__alloc_reader_init(struct tr__alloc_reader *r, const struct tr_dict *dict,
                           enum tr_memory_by by)
{
    r->dict = dict;
    r->args = (struct tr_args){ .place = TR_PLACE_ARGS, .keys = arg_names, .n_keys = TR__N_ARGS };
    r->by = by;
    r->nest = tr_open_spans_new();
    return r->nest != NULL;
}

void tr__alloc_reader_free(struct tr__alloc_reader *r)
{
    tr_open_spans_free(r->nest);
    tr_args_free(&r->args);
}

bool tr__alloc_reader_batch(struct tr__alloc_reader *r, const struct tr_batch *b, bool *any)
{
    size_t first = 0;
    while (first < b->n && b->activity[first] != TR_ACT_MEMORY_INSTANT)
        first++;
    *any = first < b->n;
    if (!*any)
        return true;
    return tr_args_start(&r->args, b);
}

/* ---- what was open ---- */

static bool is_context(enum tr_memory_by by, unsigned activity)
{
    if (by == TR_MEMORY_ANNOTATION)
        return activity == TR_ACT_ANNOTATION;
    return (by == TR_MEMORY_OPERATOR || by == TR_MEMORY_TOP) &&
           (activity == TR_ACT_CPU_OP || activity == TR_ACT_COMM_RECORD);
}

bool tr__alloc_reader_open(struct tr__alloc_reader *r, const struct tr_batch *b, size_t i)
{
    if (!is_context(r->by, b->activity[i]))
        return true;
    int64_t end = tr_span_end(b, i);
    if (end == TR_TIME_NONE)
        return true;
    struct tr_open_spans_track *t = tr_open_spans_at(r->nest, b->track[i], b->ts[i]);
    return t && tr_open_spans_push(t, b->ts[i], end, b->name[i], false);
}

/* Operators that only allocate memory do not show what it is for. */
static bool only_allocates(const struct tr_dict *d, uint32_t name)
{
    static const char prefix[] = "aten::empty";
    return strncmp(tr_dict_str(d, name), prefix, sizeof prefix - 1) == 0;
}

static uint32_t context_of(const struct tr__alloc_reader *r, const struct tr_open_spans_track *t)
{
    if (t->len == 0)
        return TR_NO_STR;
    size_t k = t->len - 1;
    if (r->by == TR_MEMORY_TOP)
        return (uint32_t)t->spans[t->first].tag;
    while (r->by == TR_MEMORY_OPERATOR && k > t->first &&
           (t->spans[k].closed || only_allocates(r->dict, (uint32_t)t->spans[k].tag)))
        k--;
    return (uint32_t)t->spans[k].tag;
}

/* Numbers beyond int64 are addresses, of which only the bits matter, or invalid. */
static int64_t number(const struct tr_arg_value *values, enum tr__memory_arg arg)
{
    int64_t v = values[arg].v;
    bool whole = values[arg].type == TR_T_INT + 1 || (values[arg].type == TR_T_UINT + 1 && (arg == TR__ADDR || v >= 0));
    return whole ? v : TR_MEMORY_NONE;
}

bool tr__alloc_reader_take(struct tr__alloc_reader *r, const struct tr_batch *b, size_t i,
                           struct tr__alloc *alloc)
{
    struct tr_arg_value v[TR__N_ARGS];
    tr_args_take(&r->args, b, i, v);
    bool categorized = r->by == TR_MEMORY_CATEGORY && v[TR__CATEGORY].type == TR_T_STRING + 1;
    *alloc = (struct tr__alloc){
        .bytes = number(v, TR__BYTES),
        .addr = number(v, TR__ADDR),
        .total = number(v, TR__TOTAL),
        .reserved = number(v, TR__RESERVED),
        .device_type = number(v, TR__DEVICE_TYPE),
        .device_id = number(v, TR__DEVICE_ID),
        .category = categorized ? (uint32_t)v[TR__CATEGORY].v : TR_NO_STR,
    };
    if (b->ts[i] == TR_TIME_NONE || r->by == TR_MEMORY_CATEGORY || r->by == TR_MEMORY_ALL)
        return true;
    struct tr_open_spans_track *t = tr_open_spans_at(r->nest, b->track[i], b->ts[i]);
    if (t)
        alloc->category = context_of(r, t);
    return t != NULL;
}
