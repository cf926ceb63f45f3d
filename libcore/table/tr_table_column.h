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
 *
 * Rows are C structs.  A column names the member that its cells come from, so no code adds cells one by one:
 *
 *     struct row { struct tr_str name; struct tr_stats dur; };
 *     { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, name), .meaning = "the kernel" },
 *     { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, dur), .meaning = "calls" },
 *     { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, dur), .meaning = "sum of their durations" },
 *     { "mean", TR_CELL_TIME, TR_ROLE_RATIO, .of = "sum", .per = "count", .meaning = "mean duration" },
 *
 *     tr_table_row(t, &(struct tr_row){ .row = &row });
 *
 * Type of the member and role say what the cell is: of statistics, a column of role count has their number, of role sum
 * their sum, and so on (enum tr_member).  Columns of role ratio and share need no member: they follow from others.
 */
#ifndef TR_TABLE_COLUMN_H
#define TR_TABLE_COLUMN_H

#include "base/tr_sample.h"
#include "base/tr_str.h"
#include "tracepipe.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The type of the member that cells come from, set by TR_OF.
 *
 * statistics  by role: their number, sum, minimum, maximum or mean; of role quantile the standard deviation
 * samples     the same; of role quantile with a percentage, that percentile; of type count and role max, 1 if
 *             percentiles are approximate
 * values      as samples, but only percentiles
 * sum         128 bits, in partial results only: it has no cell
 */
enum tr_member {
    TR_MEMBER_NONE,    /* cells are added one by one, or follow from other columns */
    TR_MEMBER_TEXT,    /* struct tr_str; no text is absent */
    TR_MEMBER_WORD,    /* const char *; NULL is absent */
    TR_MEMBER_I64,     /* int64_t; TR_I64_NONE is absent */
    TR_MEMBER_U64,     /* uint64_t */
    TR_MEMBER_U32,     /* uint32_t or an enum: the number of a string (tr_table_strings), or of a word (word) */
    TR_MEMBER_OWN,     /* uint32_t: the number of a text that only the owner of the rows knows (TR_OWN, tr_rows.h) */
    TR_MEMBER_U8,      /* uint8_t: the number of a word */
    TR_MEMBER_FLAG,    /* bool */
    TR_MEMBER_REAL,    /* double; what is not finite is absent.  Of a time, in ns */
    TR_MEMBER_SUM,     /* struct tr_u128 */
    TR_MEMBER_STATS,   /* struct tr_stats */
    TR_MEMBER_SAMPLE,  /* struct tr_sample */
    TR_MEMBER_VALUES,  /* struct tr_hist *, sealed; NULL is absent */
    TR_MEMBER_GROUP,   /* int64_t of the struct for the group, not of the row; TR_GROUP_NONE is absent */
};

/* clang-format off */
#define TR_MEMBER_OF(type, member)                                                                                  \
    _Generic(((type *)0)->member, struct tr_str: TR_MEMBER_TEXT, const char *: TR_MEMBER_WORD,                      \
             char *: TR_MEMBER_WORD, int64_t: TR_MEMBER_I64, uint64_t: TR_MEMBER_U64, uint32_t: TR_MEMBER_U32,      \
             uint8_t: TR_MEMBER_U8, bool: TR_MEMBER_FLAG, double: TR_MEMBER_REAL, struct tr_u128: TR_MEMBER_SUM,    \
             struct tr_stats: TR_MEMBER_STATS, struct tr_sample: TR_MEMBER_SAMPLE,                                  \
             struct tr_hist *: TR_MEMBER_VALUES, const struct tr_hist *: TR_MEMBER_VALUES)
/* The place of a column's member in a struct, for a description: { "sum", ..., TR_OF(struct row, dur), ... }. */
#define TR_OF(type, name) .member = TR_MEMBER_OF(type, name), .at = offsetof(type, name)
#define TR_OWN(type, name) .member = TR_MEMBER_OWN, .at = offsetof(type, name)
/* clang-format on */

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
    bool mixed;          /* formats with types give each cell its own: a number, or a text that is none or too large */
    bool bar;            /* text draws a bar beside it, as beside shares */
    const char *unit;    /* "bytes", "GB/s", "%"; NULL: none, or for times that of the table */
    const char *of, *per; /* names of columns that the role refers to; NULL: not in this table */
    const char *meaning; /* one line, for --help-columns */
    bool times;          /* TR_CELL_DOUBLE: some of its rows are times, in the unit of the table */
    enum tr_member member; /* where cells come from, with at: TR_OF */
    size_t at;
    unsigned percent;    /* TR_ROLE_QUANTILE of samples or values: 50 is the median; 0: the standard deviation */
    const char *(*word)(unsigned number); /* TR_MEMBER_U32, TR_MEMBER_U8: for numbers below n_words; NULL is absent */
    unsigned n_words;
    const char *none;    /* the text of a cell of strings or words without one; NULL: it is absent */
    const char *with;    /* the cell is absent in rows without a value in this column; NULL: it is not */
    const char *kept;    /* rows are combined: all columns kept with one of a time are those of the earliest row */
    const char *within;  /* TR_ROLE_SHARE: of the rows of the group that have the same value in this column */
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
