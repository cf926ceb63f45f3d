/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of columns: what a table tells about itself before it has a row.
 *
 *     static const struct tr_table_column columns[] = {
 *         { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the kernel" },
 *         { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "calls" },
 *         { "sum", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of their durations" },
 *         { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .of = "sum", .meaning = "share of all kernels" },
 *     };
 *
 * An analysis declares its columns once.  The header of the table, --help-columns, --columns, --sort,
 * the row that stands for the rest of a table (--top), merging of partial results and comparison of two
 * tables all follow from the declaration.
 */
#ifndef TR_TABLE_COLUMN_H
#define TR_TABLE_COLUMN_H

#include "tracepipe.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* When a column says nothing: all its cells are absent, or 0, or 1, or the same. */
enum tr_quiet { TR_QUIET_NEVER, TR_QUIET_0, TR_QUIET_1, TR_QUIET_SAME };

/* enum tr_cell and enum tr_column_role stand in tracepipe.h. */
struct tr_table_column {
    const char *name; /* of times without the unit: "sum" is printed as sum_us */
    enum tr_cell type;
    enum tr_column_role role;
    unsigned decimals;   /* TR_CELL_RATIO: 0 to 17 */
    bool names;          /* cells are names of kernels, operators or functions, which can be shortened */
    bool label;          /* of several keys, the one that says "others" in a row for these */
    bool extra;          /* not among the columns that text shows by default */
    enum tr_quiet quiet; /* text leaves it out where it says nothing */
    bool main;           /* what the table is about: text keeps it while it leaves out others for lack of room */
    bool wide;           /* cells are texts that can be long: text has them last, cut in the middle; as names are */
    bool rare;           /* not shown, unless by name or by tr_table_show */
    const char *unit;    /* "bytes", "GB/s", "%"; NULL: none, or for times that of the table */
    const char *of, *per; /* names of columns, as the role says; NULL: not in this table */
    const char *meaning; /* one line, for --help-columns */
    bool times;          /* TR_CELL_DOUBLE: some of its rows are times, in the unit of the table */
};

/* What a role, a type is called in --help-columns. */
const char *tr_column_role_name(enum tr_column_role role);
const char *tr_cell_name(enum tr_cell type);

static inline bool tr_cell_is_number(enum tr_cell type)
{
    return type != TR_CELL_STRING;
}

#ifdef __cplusplus
}
#endif
#endif
