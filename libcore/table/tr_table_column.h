/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of columns: what is known of a table before it has a row.
 *
 *     static const struct tr_table_column columns[] = {
 *         { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the kernel" },
 *         { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "calls" },
 *         { "sum", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of their durations" },
 *         { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .of = "sum", .meaning = "share of all kernels" },
 *     };
 *
 * An analysis declares its columns once.  All of this follows from the declaration: the header of the table,
 * --help-columns, --columns, --sort, the row "others" (--top), the merge of partial results, and the comparison of two
 * tables.
 */
#ifndef TR_TABLE_COLUMN_H
#define TR_TABLE_COLUMN_H

#include "tracepipe.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A column without information: all its cells are absent, or 0, or 1, or equal. */
enum tr_quiet { TR_QUIET_NEVER, TR_QUIET_0, TR_QUIET_1, TR_QUIET_SAME };

/* enum tr_cell and enum tr_column_role are in tracepipe.h. */
struct tr_table_column {
    const char *name; /* of times without the unit: "sum" is printed as sum_us */
    enum tr_cell type;
    enum tr_column_role role;
    unsigned decimals;   /* TR_CELL_RATIO: 0 to 17 */
    bool names;          /* cells are names of kernels, operators or functions, which can be shortened */
    bool label;          /* of several keys: the one that has the text "others" in the row of the others */
    bool extra;          /* text does not show it by default */
    enum tr_quiet quiet; /* text leaves it out if it has no information */
    bool main;           /* a main figure: if there is too little room, text leaves out other columns first */
    bool wide;           /* cells are texts that can be long: like names, text has them last, cut in the middle */
    bool with_next;      /* if there is too little room, text leaves it out together with the next column */
    bool rare;           /* shown only on request by name, or by tr_table_show */
    bool bar;            /* text draws a bar beside it, as beside shares */
    const char *unit;    /* "bytes", "GB/s", "%"; NULL: none, or for times that of the table */
    const char *of, *per; /* names of columns that the role refers to; NULL: not in this table */
    const char *meaning; /* one line, for --help-columns */
    bool times;          /* TR_CELL_DOUBLE: some of its rows are times, in the unit of the table */
};

/* The names of a role and a type in --help-columns. */
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
