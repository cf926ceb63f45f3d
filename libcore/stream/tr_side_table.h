/* SPDX-License-Identifier: MIT */
/*
 * Tables of a stream: data other than events, such as samples of hardware, peaks of a device, partial results.  A table
 * has a name and typed columns.  It belongs to one source, or to none.
 *
 *     struct tr_side_table *t = tr_side_table_new("clock_mhz", 0);
 *     struct tr_side_value row[2] = { { true, 1500, track }, { true, 1980 } };
 *     ok = t && tr_side_table_column(t, "at", TR_SIDE_TIME) && tr_side_table_column(t, "mhz", TR_T_INT) &&
 *          tr_side_table_add(t, row);
 *
 *     for (size_t at = 0; tr_side_table_row(t, &at, row);)
 *         ...row[0] to row[t->n_columns - 1]...
 *
 * Times are those of the input, on clock 0 of their track.  tr_side_time converts them to the present clock.
 */
#ifndef TR_SIDE_TABLE_H
#define TR_SIDE_TABLE_H

#include "base/tr_mem.h"
#include "stream/tr_dict.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_SIDE_MAX_COLUMNS 256u
#define TR_SIDE_MAX_NAME 255u /* bytes of a name of a table or column */

/* Types of columns, in addition to the types of members (enum tr_type) that have entries.  Part of the format. */
enum tr_side_type {
    TR_SIDE_BOOL = 16,
    TR_SIDE_TIME = 17,   /* ns on clock 0 of a track */
    TR_SIDE_TRACK = 18,
    TR_SIDE_RECORD = 19, /* an event: a record of a source */
};

struct tr_side_value {
    bool present;
    int64_t v;   /* by type: as in packed columns; 0 or 1; ns; number of a track; record */
    uint32_t of; /* for a time: its track; for a record: its source */
    const char *text; /* STRING, JSON, NUMBER; any bytes */
    size_t len;
};

struct tr_side_column {
    char *name;
    uint8_t type;
};

struct tr_side_table {
    char *name;
    uint32_t source; /* UINT32_MAX: none */
    struct tr_side_column *columns;
    size_t n_columns, cap_columns;
    struct tr_buf rows; /* as in blocks */
    uint64_t n_rows;
};

struct tr_side_tables {
    struct tr_side_table **v;
    size_t n, cap;
};

/* A table with no columns and no rows; NULL: out of memory. */
struct tr_side_table *tr_side_table_new(const char *name, uint32_t source);
/* A table with the same name, source and columns, but no rows; NULL: out of memory. */
struct tr_side_table *tr_side_table_like(const struct tr_side_table *t);
void tr_side_table_free(struct tr_side_table *t); /* NULL is allowed */

/* Add a column, before the first row.  False: out of memory. */
bool tr_side_table_column(struct tr_side_table *t, const char *name, unsigned type);

/* Add a row: a value for each column.  Texts are copied.  False: out of memory. */
bool tr_side_table_add(struct tr_side_table *t, const struct tr_side_value *values);

/*
 * Read the row at *at, 0 for the first row, and move *at to the next one.  Texts belong to the table.
 * False: there are no more rows.
 */
bool tr_side_table_row(const struct tr_side_table *t, size_t *at, struct tr_side_value *values);

bool tr_side_table_same_head(const struct tr_side_table *a, const struct tr_side_table *b); /* name, source, columns */
bool tr_side_table_has_text(const struct tr_side_table *t); /* does it have a column of texts? */

/* Add a table.  The list owns it, also on failure.  False: out of memory. */
bool tr_side_tables_add(struct tr_side_tables *list, struct tr_side_table *t);
void tr_side_tables_free(struct tr_side_tables *list); /* its contents */
/* Tables whose names begin so remain, without rows. */
void tr_side_tables_drop_rows(struct tr_side_tables *list, const char *begin);

/* A time on the present clock of its track.  False: beyond 64 bits. */
bool tr_side_time(const struct tr_dict *d, const struct tr_side_value *value, int64_t *now);

#ifdef __cplusplus
}
#endif
#endif
