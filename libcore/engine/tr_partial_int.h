/* SPDX-License-Identifier: MIT */
/*
 * Tables of partial results: declarations for tr_partial.c, which writes them, and tr_partial_in.c, which reads them.
 */
#ifndef TR_PARTIAL_INT_H
#define TR_PARTIAL_INT_H

#include "engine/tr_partial.h"
#include "engine/tr_row_layout.h"

/* The two tables that every partial result has; the tables of the analysis follow. */
enum { TR__PARTIAL_HEAD, TR__PARTIAL_SOURCES, TR__PARTIAL_N_COMMON };

/* Numbers of columns of one member. */
enum { TR__PARTIAL_N_GROUP = 5, TR__PARTIAL_N_STATS = 7, TR__PARTIAL_MAX_PARTS = TR__PARTIAL_N_STATS };
#define TR__PARTIAL_MAX_VALUES (TR_SAVED_MAX * TR__PARTIAL_MAX_PARTS) /* of a row; more than those of kept rows */

struct tr__partial_column {
    const char *suffix;
    uint8_t type; /* of a side table */
};

/* By enum tr_saved. */
struct tr__partial_kind {
    const struct tr__partial_column *parts;
    size_t n;
};
extern const struct tr__partial_kind tr__partial_kinds[];

/*
 * The bytes of values are varints (stream/tr_wire_int.h): how many different ones there are; each, ascending, as its
 * distance from the one before, the first folded; then their counts.  Values of an approximate histogram are short
 * numbers (tr_hist_short).  So they are small, and most counts are 1, which compresses well.
 */

struct tr__partial_head_row {
    uint64_t version, suspect, distinct, captures, rows;
    struct tr_str per, options, selection;
};

struct tr__partial_head_row tr__partial_head_row(const struct tr_partial_head *h, uint64_t rows);

/* A table whose columns are known. */
struct tr__partial_table {
    struct tr_saved_table is;
    struct tr__row_layout rows; /* of rows of a type */
};
/* All tables, with the two common ones first.  NULL: out of memory. */
struct tr__partial_table *tr__partial_tables(const struct tr_saving *s, size_t *n);

/* The name of a table: "partial.kernel.names". */
void tr__partial_name(const struct tr_partial_head *h, const struct tr_saved_table *t, char name[TR_SIDE_MAX_NAME + 1]);
/* The name of a part of a column: "dur.n", "count"; for a group, "rank". */
void tr__partial_column_name(const struct tr_saved_column *c, const struct tr__partial_column *p,
                             char name[TR_SIDE_MAX_NAME + 1]);

#endif
