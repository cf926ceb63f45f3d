/* SPDX-License-Identifier: MIT */
/* A batch of events as columns. */
#include "stream/tr_batch.h"

#include "base/tr_mem.h"
#include "stream/tr_layout_int.h"
#include "stream/tr_wire_int.h"

#include <stdlib.h>
#include <string.h>

struct tr_batch *tr_batch_new(void)
{
    return calloc(1, sizeof(struct tr_batch));
}

void tr_batch_free(struct tr_batch *b)
{
    if (!b)
        return;
    free(b->ts);
    free(b->dur);
    free(b->record);
    free(b->track);
    free(b->shape);
    free(b->name);
    free(b->cat);
    free(b->phase);
    free(b->activity);
    free(b->kind);
    free(b->suspect);
    free(b->flags);
    free(b->frame);
    for (size_t c = 0; c < b->n_cols; c++)
        free(b->cols[c].v.i64);
    free(b->cols);
    free(b);
}

void tr_batch_clear(struct tr_batch *b)
{
    b->n = 0;
    for (size_t c = 0; c < b->n_cols; c++)
        b->cols[c].n = 0;
}

bool tr_batch_reserve(struct tr_batch *b, size_t n_events)
{
    if (n_events <= b->cap)
        return true;
    size_t want = b->cap + b->cap / 2;
    if (want < n_events)
        want = n_events;
    if (want < 256)
        want = 256;
    /* The arrays grow one by one, and cap grows only after all of them.  So the batch is valid after a failure. */
    const struct {
        void *array;
        size_t elem;
    } all[] = {
        { &b->ts, sizeof *b->ts },
        { &b->dur, sizeof *b->dur },
        { &b->record, sizeof *b->record },
        { &b->track, sizeof *b->track },
        { &b->shape, sizeof *b->shape },
        { &b->name, sizeof *b->name },
        { &b->cat, sizeof *b->cat },
        { &b->phase, sizeof *b->phase },
        { &b->activity, sizeof *b->activity },
        { &b->kind, sizeof *b->kind },
        { &b->suspect, sizeof *b->suspect },
        { &b->flags, sizeof *b->flags },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t cap = b->cap;
        if (!tr_grow(all[i].array, &cap, want, all[i].elem))
            return false;
    }
    b->cap = want;
    return true;
}

bool tr_batch_reserve_cols(struct tr_batch *b, size_t n_cols)
{
    if (n_cols <= b->n_cols)
        return true;
    if (n_cols > SIZE_MAX / 2 / sizeof *b->cols)
        return false;
    struct tr_col *cols = realloc(b->cols, n_cols * sizeof *cols);
    if (!cols)
        return false;
    memset(cols + b->n_cols, 0, (n_cols - b->n_cols) * sizeof *cols);
    b->cols = cols;
    b->n_cols = n_cols;
    return true;
}

bool tr_col_reserve(struct tr_col *c, size_t n, enum tr_type type)
{
    if (tr_type_is_string(type))
        return tr_grow(&c->v.str, &c->cap, n, sizeof *c->v.str);
    return tr_grow(&c->v.i64, &c->cap, n, sizeof *c->v.i64);
}

static bool shape_has(const struct tr_shape *s, uint32_t column)
{
    for (uint32_t k = 0; k < s->n_slots; k++)
        if (s->slots[k].column == column)
            return true;
    return false;
}

bool tr_batch_has(const struct tr_batch *b, size_t i, uint32_t column)
{
    uint8_t flag = b->dict->columns[column].flag;
    if (flag)
        return (b->flags[i] & flag) != 0;
    return shape_has(&b->dict->shapes[b->shape[i]], column);
}

void tr_entries_start(struct tr_entries *e, const struct tr_batch *b, uint32_t column)
{
    e->b = b;
    e->column = column;
    e->event = SIZE_MAX; /* the next one is 0 */
    e->at = 0;
    e->n = column < b->n_cols ? b->cols[column].n : 0;
    memset(e->known, 0, sizeof e->known);
}

/* Does the event have an entry?  Each shape is examined once, if its number is small. */
static inline bool has_entry(struct tr_entries *e, size_t i)
{
    uint32_t s = e->b->shape[i];
    if (e->b->dict->columns[e->column].flag || s >= sizeof e->known)
        return tr_batch_has(e->b, i, e->column);
    if (!e->known[s])
        e->known[s] = tr_batch_has(e->b, i, e->column) ? 2 : 1;
    return e->known[s] == 2;
}

bool tr_entries_next(struct tr_entries *e)
{
    if (e->at == e->n)
        return false;
    while (++e->event < e->b->n)
        if (has_entry(e, e->event)) {
            const struct tr_col *c = &e->b->cols[e->column];
            bool text = tr_type_is_string(e->b->dict->columns[e->column].type);
            e->value = text ? c->v.str[e->at] : c->v.i64[e->at];
            e->at++;
            return true;
        }
    return false;
}

/*
 * The entries of a column whose events a flag names, eight events at a time: most flags are rare, so a few entries
 * replace what says that there are none.
 */
#define DEFINE_EXPAND_FLAG(name, type)                                                                             \
    static void name(const uint8_t *flags, uint8_t flag, size_t n, const type *entries, type absent, type *out)    \
    {                                                                                                              \
        size_t i = 0;                                                                                              \
        for (; i + 8 <= n; i += 8) {                                                                               \
            uint64_t some = tr__get64(flags + i) & flag * UINT64_C(0x0101010101010101);                            \
            for (unsigned k = 0; k < 8; k++)                                                                       \
                out[i + k] = absent;                                                                               \
            for (; some; some &= some - 1)                                                                         \
                out[i + tr__lowest_bit(some) / 8] = *entries++;                                                    \
        }                                                                                                          \
        for (; i < n; i++)                                                                                         \
            out[i] = flags[i] & flag ? *entries++ : absent;                                                        \
    }

DEFINE_EXPAND_FLAG(expand_flag_i64, int64_t)
DEFINE_EXPAND_FLAG(expand_flag_str, uint32_t)

void tr_batch_expand_i64(const struct tr_batch *b, uint32_t column, int64_t absent, int64_t *out)
{
    const struct tr_col *c = column < b->n_cols ? &b->cols[column] : NULL;
    if (!c || c->n == 0) {
        for (size_t i = 0; i < b->n; i++)
            out[i] = absent;
        return;
    }
    uint8_t flag = b->dict->columns[column].flag;
    if (flag) {
        expand_flag_i64(b->flags, flag, b->n, c->v.i64, absent, out);
        return;
    }
    for (size_t i = 0; i < b->n; i++)
        out[i] = absent;
    struct tr_entries e;
    for (tr_entries_start(&e, b, column); tr_entries_next(&e);)
        out[e.event] = e.value;
}

void tr_batch_expand_str(const struct tr_batch *b, uint32_t column, uint32_t *out)
{
    const struct tr_col *c = column < b->n_cols ? &b->cols[column] : NULL;
    if (!c || c->n == 0) {
        for (size_t i = 0; i < b->n; i++)
            out[i] = TR_NO_STR;
        return;
    }
    uint8_t flag = b->dict->columns[column].flag;
    if (flag) {
        expand_flag_str(b->flags, flag, b->n, c->v.str, TR_NO_STR, out);
        return;
    }
    for (size_t i = 0; i < b->n; i++)
        out[i] = TR_NO_STR;
    struct tr_entries e;
    for (tr_entries_start(&e, b, column); tr_entries_next(&e);)
        out[e.event] = (uint32_t)e.value;
}
