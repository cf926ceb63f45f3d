/* Memory: what an event says about an allocation. */
#include "analysis/tr_memory_int.h"

#include <stdlib.h>
#include <string.h>

static const char *const arg_names[TR__N_ARGS + 1] = {
    [TR__BYTES] = "Bytes",
    [TR__ADDR] = "Addr",
    [TR__TOTAL] = "Total Allocated",
    [TR__RESERVED] = "Total Reserved",
    [TR__DEVICE_TYPE] = "Device Type",
    [TR__DEVICE_ID] = "Device Id",
    [TR__N_ARGS] = "Category",
};

bool tr__alloc_reader_init(struct tr__alloc_reader *r, const struct tr_dict *dict,
                           enum tr_memory_by by)
{
    r->dict = dict;
    r->by = by;
    r->nest = tr_open_spans_new();
    return r->nest != NULL;
}

void tr__alloc_reader_free(struct tr__alloc_reader *r)
{
    tr_open_spans_free(r->nest);
    for (unsigned k = 0; k < TR__N_ARGS; k++)
        free(r->args[k]);
    free(r->role);
    free(r->category);
}

static uint8_t role_of(const struct tr_dict *d, const struct tr_column *c)
{
    if (c->place != TR_PLACE_ARGS)
        return 0;
    struct tr_str key = tr_dict_text(d, c->key);
    for (unsigned k = 0; k <= TR__N_ARGS; k++) {
        bool fits =
            k == TR__N_ARGS ? c->type == TR_T_STRING : c->type == TR_T_INT || c->type == TR_T_UINT;
        if (fits && tr_str_is(key, arg_names[k]))
            return (uint8_t)(k + 1);
    }
    return 0;
}

static bool find_roles(struct tr__alloc_reader *r)
{
    size_t n = r->dict->n_columns;
    if (!tr_grow(&r->role, &r->cap_role, n, sizeof *r->role))
        return false;
    for (; r->n_role < n; r->n_role++)
        r->role[r->n_role] = role_of(r->dict, &r->dict->columns[r->n_role]);
    return true;
}

/* Numbers beyond int64 are addresses, whose bits are enough, or nonsense. */
static void take_column(struct tr__alloc_reader *r, const struct tr_batch *b, uint32_t column)
{
    unsigned arg = r->role[column] - 1u;
    bool is_unsigned = r->dict->columns[column].type == TR_T_UINT;
    struct tr_entries e;
    for (tr_entries_begin(&e, b, column); tr_entries_next(&e);)
        if (arg == TR__N_ARGS)
            r->category[e.event] = (uint32_t)e.value;
        else if (arg == TR__ADDR || !is_unsigned || e.value >= 0)
            r->args[arg][e.event] = e.value;
}

bool tr__alloc_reader_batch(struct tr__alloc_reader *r, const struct tr_batch *b, bool *any)
{
    size_t first = 0;
    while (first < b->n && b->activity[first] != TR_ACT_MEMORY_INSTANT)
        first++;
    *any = first < b->n;
    if (!*any)
        return true;
    bool ok = find_roles(r) && tr_grow(&r->category, &r->cap_category, b->n, sizeof *r->category);
    for (unsigned k = 0; ok && k < TR__N_ARGS; k++)
        ok = tr_grow(&r->args[k], &r->cap_args[k], b->n, sizeof *r->args[k]);
    for (size_t i = 0; ok && i < b->n; i++) {
        r->category[i] = TR_NO_STR;
        for (unsigned k = 0; k < TR__N_ARGS; k++)
            r->args[k][i] = TR_MEMORY_NONE;
    }
    for (uint32_t c = 0; ok && c < r->n_role && c < b->n_cols; c++)
        if (r->role[c] && b->cols[c].n)
            take_column(r, b, c);
    return ok;
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

/* Operators whose only work is to get memory say nothing about what it is for. */
static bool only_allocates(const struct tr_dict *d, uint32_t name)
{
    static const char prefix[] = "aten::empty";
    return strncmp(tr_dict_str(d, name), prefix, sizeof prefix - 1) == 0;
}

static uint32_t context_of(const struct tr__alloc_reader *r, const struct tr_open_spans_track *t)
{
    if (t->n == 0)
        return TR_NO_STR;
    if (r->by == TR_MEMORY_TOP)
        return (uint32_t)t->spans[0].tag;
    size_t k = t->n - 1;
    while (r->by == TR_MEMORY_OPERATOR && k > 0 &&
           only_allocates(r->dict, (uint32_t)t->spans[k].tag))
        k--;
    return (uint32_t)t->spans[k].tag;
}

bool tr__alloc_reader_take(struct tr__alloc_reader *r, const struct tr_batch *b, size_t i,
                           struct tr__alloc *alloc)
{
    *alloc = (struct tr__alloc){
        .bytes = r->args[TR__BYTES][i],
        .addr = r->args[TR__ADDR][i],
        .total = r->args[TR__TOTAL][i],
        .reserved = r->args[TR__RESERVED][i],
        .device_type = r->args[TR__DEVICE_TYPE][i],
        .device_id = r->args[TR__DEVICE_ID][i],
        .category = r->by == TR_MEMORY_CATEGORY ? r->category[i] : TR_NO_STR,
    };
    if (b->ts[i] == TR_TIME_NONE || r->by == TR_MEMORY_CATEGORY || r->by == TR_MEMORY_ALL)
        return true;
    struct tr_open_spans_track *t = tr_open_spans_at(r->nest, b->track[i], b->ts[i]);
    if (t)
        alloc->category = context_of(r, t);
    return t != NULL;
}
