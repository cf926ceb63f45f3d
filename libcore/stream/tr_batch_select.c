#include "stream/tr_batch_select.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 1024u /* events whose numbers fit in the first cache */

#define GATHER(column)                                      \
    do {                                                    \
        for (size_t k = 0; k < n; k++)                      \
            out->column[out->n + k] = in->column[index[k]]; \
    } while (0)

/* Fixed columns: which events, first; then one column after the other, without a branch. */
static void copy_fixed(const struct tr_batch *in, const uint8_t *mask, struct tr_batch *out)
{
    uint32_t index[CHUNK];
    for (size_t from = 0; from < in->n; from += CHUNK) {
        size_t to = in->n - from < CHUNK ? in->n : from + CHUNK, n = 0;
        for (size_t i = from; i < to; i++) {
            index[n] = (uint32_t)i;
            n += mask[i];
        }
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
        out->n += n;
    }
}

static bool reserve(const struct tr_batch *in, size_t n, struct tr_batch *out)
{
    tr_batch_clear(out);
    out->dict = in->dict;
    if (!tr_batch_reserve(out, n) || !tr_batch_reserve_cols(out, in->n_cols))
        return false;
    for (size_t c = 0; c < in->n_cols; c++)
        if (in->cols[c].n &&
            !tr_col_reserve(&out->cols[c], in->cols[c].n, in->dict->columns[c].type))
            return false;
    return true;
}

/* Entry number at of a packed column, if its event is kept. */
static inline void copy_entry(const struct tr_col *from, struct tr_col *to, size_t at,
                              bool is_string, uint8_t keep)
{
    if (!keep)
        return;
    if (is_string)
        to->v.str[to->n++] = from->v.str[at];
    else
        to->v.i64[to->n++] = from->v.i64[at];
}

static bool copy_derived(const struct tr_batch *in, const uint8_t *mask, size_t c,
                         struct tr_batch *out)
{
    const struct tr_column *column = &in->dict->columns[c];
    const struct tr_col *from = &in->cols[c];
    bool is_string = tr_type_is_string(column->type);
    size_t at = 0;
    for (size_t i = 0; i < in->n; i++) {
        if (!(in->flags[i] & column->flag))
            continue;
        if (at == from->n)
            return false;
        copy_entry(from, &out->cols[c], at++, is_string, mask[i]);
    }
    return true;
}

/* Columns of shapes, event by event: at[c] counts the entries of column c that have gone by. */
static bool copy_members(const struct tr_batch *in, const uint8_t *mask, size_t *at,
                         struct tr_batch *out)
{
    for (size_t i = 0; i < in->n; i++) {
        const struct tr_shape *s = &in->dict->shapes[in->shape[i]];
        for (uint32_t k = 0; k < s->n_slots; k++) {
            uint32_t c = s->slots[k].column;
            if (c == UINT32_MAX)
                continue;
            if (c >= in->n_cols || at[c] == in->cols[c].n)
                return false;
            copy_entry(&in->cols[c], &out->cols[c], at[c]++, tr_type_is_string(s->slots[k].type),
                       mask[i]);
        }
    }
    return true;
}

enum tr_status tr_batch_select(const struct tr_batch *in, const uint8_t *mask, struct tr_batch *out,
                               struct tr_error *err)
{
    size_t n = 0;
    bool ok = true;
    for (size_t i = 0; i < in->n; i++)
        n += mask[i];
    if (!reserve(in, n, out))
        return tr_fail_memory(err);
    if (!n)
        return TR_OK;
    size_t *at = calloc(in->n_cols + 1, sizeof *at);
    if (!at)
        return tr_fail_memory(err);
    copy_fixed(in, mask, out);
    for (size_t c = 0; c < in->n_cols && ok; c++)
        if (in->dict->columns[c].flag)
            ok = copy_derived(in, mask, c, out);
    ok = ok && copy_members(in, mask, at, out);
    free(at);
    return ok ? TR_OK : tr_fail(err, TR_DAMAGED, "a column ends before its events do");
}
