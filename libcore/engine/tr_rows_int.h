/* SPDX-License-Identifier: MIT */
/* What finding, printing and saving of rows share.  Internal to the engine. */
#ifndef TR_ROWS_INT_H
#define TR_ROWS_INT_H

#include "engine/tr_rows.h"

/* Members of a new row that are not zero. */
struct tr__row_start {
    const struct tr_table_column *is[TR_SAVED_MAX];
    size_t n;
    bool samples; /* some are to be freed */
};

struct tr_rows {
    const struct tr_row_type *type;
    struct tr__row_start start;
    const struct tr_dict *dict;
    struct tr_group_by *groups;
    size_t distinct; /* of samples */
    char *rows;
    size_t n, cap;
    struct tr_spilling rows_in; /* where the rows are */
    struct tr_hash_index index;
    size_t last; /* the row that was found last: it is often the next, too */
};

static inline void *tr__row_at(const struct tr_rows *r, size_t i)
{
    tr_spilling_touched(&r->rows_in);
    return r->rows + i * r->type->size;
}

/* An empty row with a key; its samples are freed by the second. */
void tr__row_init(const struct tr_rows *r, void *row, const void *key);
void tr__row_free(const struct tr_row_type *type, void *row);

/* An integer member; TR_I64_NONE: absent, or it does not fit. */
int64_t tr__row_integer(const void *row, const struct tr_table_column *is);
/* The order of two rows by a member, ascending.  No text comes first; integers that are absent, or do not fit, last. */
int tr__row_compare(const struct tr_rows *r, const struct tr_table_column *is, const void *a, const void *b);
/* Combine the figures of a row with those of another; a new row has none of its own.  False: out of memory. */
bool tr__row_merge(const struct tr_rows *r, void *to, const void *from, bool is_new);

#endif
