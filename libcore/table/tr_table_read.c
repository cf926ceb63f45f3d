/* SPDX-License-Identifier: MIT */
/* What a table has: rows, columns by name, its state. */
#include "table/tr_table_int.h"

#include <stdlib.h>

static bool is_name(const char *name, const char *s, size_t len)
{
    return strlen(name) == len && memcmp(name, s, len) == 0;
}

size_t tr__find_column(const struct tr_table *t, const char *s, size_t len)
{
    for (size_t c = 0; c < t->n_cols; c++)
        if (is_name(t->cols[c].printed, s, len) || is_name(t->cols[c].is.name, s, len))
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
    t->n_cells = t->strings.len = 0;
    free(t->order);
    t->order = NULL;
    free(t->hidden);
    t->hidden = NULL;
    t->n_hidden = t->cap_hidden = 0;
    t->total = SIZE_MAX;
    t->started = true;
}

enum tr_status tr_table_status(const struct tr_table *t, struct tr_error *err)
{
    if (t->err.status != TR_OK && err)
        *err = t->err;
    return t->err.status;
}
