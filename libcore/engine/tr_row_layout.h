/* SPDX-License-Identifier: MIT */
/*
 * The members of a row type, each once, and their form in partial results: a struct that begins with the key of the
 * group, and has a slot for each member.  Internal to the engine.
 */
#ifndef TR_ROW_LAYOUT_H
#define TR_ROW_LAYOUT_H

#include "engine/tr_rows.h"

struct tr__row_member {
    const struct tr_table_column *is; /* the first column that reads it */
    size_t slot;   /* of its saved form: a text for strings and words, statistics and then values for samples */
    bool key;
};

struct tr__row_layout {
    struct tr__row_member members[TR_SAVED_MAX];
    size_t n;
    struct tr_saved_column columns[TR_SAVED_MAX]; /* of its saved form */
    size_t n_columns;
    size_t size; /* bytes of its saved form, at most TR__ROW_MAX_SAVED */
};
#define TR__ROW_MAX_SAVED 4096u

/* False: the type has too many members, or one that cannot be saved. */
bool tr__row_layout(const struct tr_row_type *type, struct tr__row_layout *out);

#endif
