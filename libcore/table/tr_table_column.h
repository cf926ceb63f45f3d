/*
 * Descriptions of columns: what a table tells about itself before it has a row.
 *
 *     static const struct tr_table_column columns[] = {
 *         { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the kernel" },
 *         { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "calls" },
 *         { "sum", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "their durations added up" },
 *         { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .of = "sum", .meaning = "share of all kernels" },
 *     };
 *
 * An analysis declares its columns once.  The header of the table, --help-columns, --columns, --sort,
 * the row that stands for the rest of a table (--top), merging of partial results and comparison of two
 * tables all follow from the declaration.
 */
#ifndef TR_TABLE_COLUMN_H
#define TR_TABLE_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tr_cell {
    TR_CELL_STRING,
    TR_CELL_INT,    /* int64: a rank, a stream, a step */
    TR_CELL_COUNT,  /* uint64 */
    TR_CELL_TIME,   /* int64 ns; the printed name gets the unit as its suffix */
    TR_CELL_RATIO,  /* double with the column's number of decimals */
    TR_CELL_DOUBLE, /* double in the fewest digits that give it back */
};

/* What becomes of a column when rows are put together or two tables are compared. */
enum tr_column_role {
    TR_ROLE_TEXT,  /* says more about a row; of several rows together nothing is said */
    TR_ROLE_GROUP, /* the part of the job that the row is about: rank, device, stream, step */
    TR_ROLE_KEY,   /* tells the rows of a group apart */
    TR_ROLE_SUM,   /* adds up */
    TR_ROLE_COUNT, /* adds up; how many */
    TR_ROLE_MIN,
    TR_ROLE_MAX,
    TR_ROLE_INCLUSIVE, /* holds what other rows count too; of several rows together it is the sum of column `of` */
    TR_ROLE_SHARE,     /* percentage that column `of` is of a whole; shares of one whole add up */
    TR_ROLE_RATIO,     /* column `of` divided by column `per`, in percent if that is its unit */
    TR_ROLE_DIFFERENCE, /* column `of` less column `per` */
    TR_ROLE_CHANGE,    /* text: how the count in column `of` compares with that in column `per` */
    TR_ROLE_VARIANCE,  /* square of the standard error of column `of`; for comparisons */
    TR_ROLE_QUANTILE,  /* or another figure that rows do not determine, such as a standard deviation */
};

struct tr_table_column {
    const char *name; /* of times without the unit: "sum" is printed as sum_us */
    enum tr_cell type;
    enum tr_column_role role;
    unsigned decimals;   /* TR_CELL_RATIO: 0 to 17 */
    bool names;          /* cells are names of kernels, operators or functions, which can be shortened */
    bool label;          /* of several keys, the one that says "others" in a row for these */
    bool extra;          /* not among the columns that a terminal shows by default */
    const char *unit;    /* "bytes", "GB/s", "%"; NULL: none, or for times that of the table */
    const char *of, *per; /* names of columns, as the role says; NULL: not in this table */
    const char *meaning; /* one line, for --help-columns */
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
