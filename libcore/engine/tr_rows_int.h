/* SPDX-License-Identifier: MIT */
/* What finding, printing and saving of rows share.  Internal to the engine. */
#ifndef TR_ROWS_INT_H
#define TR_ROWS_INT_H

#include "engine/tr_rows.h"

#define TR__ROW_ROOMS 64u

/* Members of a new row that are not zero. */
struct tr__row_start {
    const struct tr_table_column *is[TR_SAVED_MAX];
    size_t n;
    bool samples; /* some are to be freed */
};

struct tr_rows {
    struct tr_rows_in_place at;
    const struct tr_row_type *type;
    struct tr__row_start start;
    const struct tr_dict *dict;
    struct tr_group_by *groups;
    size_t distinct; /* of samples */
    void *self;      /* the owner of texts */
    bool (*skip)(void *self, const void *row);
    void *skip_self;
    struct tr_buf room[TR__ROW_ROOMS]; /* of its texts: two rows are compared, all columns of one are printed */
    bool failed;                       /* memory ran out for one of them */
    bool loaded;                       /* they are of partial results, not of events */
    size_t max_memory;                 /* of sorting, if rows are in a file */
    const char *temp_dir;
    size_t n, cap;
    struct tr_hash_index index;
    size_t last; /* the row that was found last: it is often the next, too */
};

/* An empty row with a key; its samples are freed by the second. */
void tr__row_init(const struct tr_rows *r, void *row, const void *key);
void tr__row_free(const struct tr_row_type *type, void *row);

/* The column of a name; NULL: none. */
const struct tr_table_column *tr__row_column(const struct tr_row_type *type, const char *name, size_t len);
/* The text of a column of strings or own texts, in the dictionary, the row, or a room.  No text: none, or failed. */
bool tr__row_has_text(const struct tr_table_column *is);
struct tr_str tr__row_text(const struct tr_rows *r, const void *row, const struct tr_table_column *is, unsigned room);
int tr__compare_texts(const struct tr_table_column *is, struct tr_str a, struct tr_str b);
/* An integer member; TR_I64_NONE: absent, or it does not fit. */
int64_t tr__row_integer(const void *row, const struct tr_table_column *is);
/* The order of two rows by a member, ascending.  No text comes first; integers that are absent, or do not fit, last. */
int tr__row_compare(const struct tr_rows *r, const struct tr_table_column *is, const void *a, const void *b);
/* Combine the figures of a row with those of another; a new row has none of its own.  False: out of memory. */
bool tr__row_merge(const struct tr_rows *r, void *to, const void *from, bool is_new);

#endif
