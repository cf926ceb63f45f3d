/* SPDX-License-Identifier: MIT */
/* What a table has: rows and room for more, columns by name, its state. */
#include "table/tr_table_int.h"

#include <stdlib.h>

#define FEW_BYTES 65536u /* not worth a file, however little memory is left */

size_t tr__find_column(const struct tr_table *t, const char *s, size_t len)
{
    struct tr_str name = { s, len };
    for (size_t c = 0; c < t->n_cols; c++)
        if (tr_str_is(name, t->cols[c].printed) || tr_str_is(name, t->cols[c].is.name))
            return c;
    return SIZE_MAX;
}

size_t tr_table_rows(const struct tr_table *t)
{
    return t->n_cols ? (t->n_cells + t->n_cols - 1) / t->n_cols : 0;
}

void tr__forget_rows(struct tr_table *t)
{
    t->n_written += tr__rows(t);
    t->started = true;
    if (t->kept)
        return;
    t->n_cells = t->strings.len = 0;
    free(t->order);
    t->order = NULL;
    free(t->hidden);
    t->hidden = NULL;
    t->n_hidden = t->cap_hidden = 0;
    t->total = SIZE_MAX;
    t->n_totals = 0;
}

enum tr_status tr_table_status(const struct tr_table *t, struct tr_error *err)
{
    if (t->err.status != TR_OK && err)
        *err = t->err;
    return t->err.status;
}

static bool reserve(struct tr_spilling *in, void *array, size_t *cap, size_t n, size_t elem)
{
    if (n <= *cap)
        return true;
    return n <= FEW_BYTES / elem ? tr_grow(array, cap, n, elem) : tr_spilling_grow(in, array, cap, n, elem);
}

bool tr__strings_reserve(struct tr_table *t, size_t more)
{
    return more <= SIZE_MAX / 2 - t->strings.len &&
           reserve(&t->strings_in, &t->strings.data, &t->strings.cap, t->strings.len + more, 1);
}

bool tr__cells_reserve(struct tr_table *t, size_t n)
{
    return reserve(&t->cells_in, &t->cells, &t->cap_cells, n, sizeof *t->cells);
}
