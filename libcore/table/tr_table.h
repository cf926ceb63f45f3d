/* SPDX-License-Identifier: MIT */
/*
 * Tables of results: described columns and rows of typed cells, arranged here and written by a row sink.
 *
 *     struct tr_table *t = tr_table_new(TR_UNIT_US);
 *     tr_table_columns(t, columns, 3);                  see tr_table_column.h
 *     tr_table_int(t, 0); tr_table_time(t, 1234567); tr_table_pct(t, 1, 3);
 *     st = tr_table_write(t, &tr_row_sink_tsv, &buf, &err);   "0\t1234.567\t33.33\n" below the header
 *
 * Cells are added from left to right.  When a row is full, the next cell starts a new row.  Times are int64
 * nanoseconds.  They are printed with integer arithmetic, in the table's unit and with all their digits: no decimals in
 * ns, three in us, six in ms, nine in s.  No output depends on the locale.
 *
 * A table with an output (tr_table_output) writes rows while they are added.  The creator of the table arranges which
 * columns are shown, the order of the rows, and their number.  The code that adds cells always adds all of them, and
 * does not depend on this arrangement.
 *
 * The first failure is kept: further additions do nothing, and the end of the table reports the failure.  So a caller
 * does not need to check every cell.  Not shared between threads.
 */
#ifndef TR_TABLE_H
#define TR_TABLE_H

#include "base/tr_go_on.h"
#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "table/tr_table_column.h"
#include "table/tr_row_sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tr_unit { TR_UNIT_NS, TR_UNIT_US, TR_UNIT_MS, TR_UNIT_S };

/* The unit with this name ("ns", "us", "ms", "s"), or -1. */
int tr_unit_by_name(const char *name);
const char *tr_unit_name(enum tr_unit unit);

struct tr_chart; /* tr_chart.h */
struct tr_picture;
struct tr_table;

struct tr_table *tr_table_new(enum tr_unit unit); /* NULL: out of memory */
void tr_table_free(struct tr_table *t);
enum tr_unit tr_table_unit(const struct tr_table *t);

/*
 * The number of terminal columns that a line of text may have.  0, the default: any number.
 *
 * If a table is too wide, long texts are first cut in the middle, so that no two texts of a column look alike.  If it
 * is still too wide, and the user could choose columns (tr_table_arrange) but did not, columns are left out, the last
 * ones first, and the figure of a base together with that of the test.  These columns are kept: keys, the first column
 * of names, main columns, and the column that the rows are ordered by.  Otherwise, a table of few rows is transposed if
 * it then fits: each column becomes a line, with its name in front of the cells of all rows.  Any other table is
 * printed in blocks, one below the other, and each block starts with the same keys.  If there is room, a column of
 * shares has a bar next to it.  Other formats ignore the width.
 */
void tr_table_width(struct tr_table *t, size_t width);

/* Should text highlight the header with ECMA-48 codes?  The default is no. */
void tr_table_colour(struct tr_table *t, bool colour);

/* For sinks that draw: what they draw, and what stands around it.  Borrowed until the table is written. */
void tr_table_picture(struct tr_table *t, const struct tr_picture *picture);

/*
 * Keep flushed rows of text in a temporary file until all widths are known.  dir: its folder, copied.  Without this
 * call, rows of text stay in memory.  False: out of memory.
 */
bool tr_table_temp_dir(struct tr_table *t, const char *dir);

/*
 * Rows that have to stay in memory go to files of this spill when memory is short, and are slower there.  NULL: they
 * do not.  Call it before the first row.  Borrowed until the table is freed.
 */
void tr_table_spill(struct tr_table *t, struct tr_spill *spill);

/*
 * The output: while the table is filled, the sink formats finished rows, and write receives the bytes in pieces.
 * Without an output, rows stay in memory until tr_table_write.
 */
typedef enum tr_status tr_table_out(void *self, const void *bytes, size_t n, struct tr_error *err);
void tr_table_output(struct tr_table *t, const struct tr_row_sink *sink, tr_table_out *write, void *self);

/* The name of a column in the words of another program. */
struct tr_table_heading {
    const char *name, *heading; /* name: NULL ends the list */
};

/* The arrangement of a table that a user asks for.  Texts are as the user wrote them, and copied. */
struct tr_arrange {
    const char *columns; /* names with commas between, or "all"; NULL: all, but in text no extra and no quiet ones */
    const char *sort;    /* a name, perhaps with ":asc" or ":desc" [numbers: largest first]; NULL: as added */
    uint64_t top;        /* rows of each group, then one for the others; 0: all */
    const char *top_per; /* a name: of the rows of a group, those with each value of this column; NULL: all together */
    /* Shortens cells in columns of names; rows that are then equal are combined.  NULL: names do not change. */
    bool (*shorten)(const char *name, size_t len, struct tr_buf *out);
    bool has_unit; /* the user chose the unit of times */
    bool human;    /* text has bytes as "1.5 MiB" */
    bool csv_safe; /* use tr_row_sink_csv_safe */
    /* Printed in place of names, times with their unit in parentheses; borrowed.  NULL: none. */
    const struct tr_table_heading *headings;
};

/*
 * Arrange a table.  Names are those of the header; the names of times may leave out the unit.  Sorting is stable and
 * needs all rows in memory.  In each group, the rows after the first top rows become one row, "others", as the roles of
 * the columns say.  The columns of role group define the groups if the table also has keys.  Otherwise, the table is
 * one group.  If the combined rows differ in a column of role group, their row has no value there.  Names are shortened
 * last, when rows are printed.
 *
 * Call it before the first row.  TR_SYSTEM: out of memory.  tr_table_ready reports names that the table does not have.
 */
enum tr_status tr_table_arrange(struct tr_table *t, const struct tr_arrange *a, struct tr_error *err);

/*
 * For a caller that limits the number of rows itself: the requested number; 0: all.  *per: top_per, or NULL.  The
 * table then does not limit them.  If the table has to sort the rows first, this returns 0, and the table limits them.
 */
uint64_t tr_table_take_top(struct tr_table *t, const char **per);

/*
 * The default order of rows: names of columns with commas between, each followed by ":asc", ":desc" or ":size" (the
 * largest absolute value first), as in "diff:size,name:asc".  A later column decides between rows that are equal in all
 * earlier ones.  If the user chooses a column, that column comes first.  Call it before the first row, with at most 5
 * names.
 */
void tr_table_order(struct tr_table *t, const char *order);

/* Keep all rows in memory until tr_table_end, for a caller that looks at them first.  Call it before the first row. */
void tr_table_hold(struct tr_table *t);

/* The figures of all rows are unknown: from here on, all cells but texts, groups and keys are absent. */
void tr_table_no_figures(struct tr_table *t);

/* Add columns before the first row.  The descriptions are copied. */
void tr_table_columns(struct tr_table *t, const struct tr_table_column *columns, size_t n);
/* The same for one column that needs no description: a text or a figure that follows from no other column. */
void tr_table_column(struct tr_table *t, const char *name, enum tr_cell type, unsigned decimals);

/*
 * All columns are added: find the requested ones.  The first cell does the same, but a program that reads a long input
 * should call this before.  TR_USAGE: there is no such column (err lists the columns); or the user asks for short
 * names or a unit, and the table has no names or no times.
 */
enum tr_status tr_table_ready(struct tr_table *t, struct tr_error *err);

/* A rare column has values: show it.  Call it before the first row.  Without such a column, this does nothing. */
void tr_table_show(struct tr_table *t, const char *name);

/* A table that describes the columns of another: name, type, role, unit, shown, meaning, part in a chart or NULL. */
void tr_table_describe(const struct tr_table *t, const struct tr_chart *chart, struct tr_table *out);

/* The next cell.  Strings are copied; NULL is absent. */
void tr_table_string(struct tr_table *t, const char *s);
void tr_table_bytes(struct tr_table *t, const char *s, size_t len);
void tr_table_text(struct tr_table *t, struct tr_str text);
/* In a column of texts that is mixed: a number, or true or false, as its digits or its word.  Copied. */
void tr_table_digits(struct tr_table *t, const char *s, size_t len);
void tr_table_int(struct tr_table *t, int64_t value);
void tr_table_count(struct tr_table *t, uint64_t value);
void tr_table_time(struct tr_table *t, int64_t ns); /* TR_TIME_NONE is absent */
/* Rounded to whole ns, half away from 0; NaN and what does not fit are absent. */
void tr_table_time_f(struct tr_table *t, double ns);
/* Also for TR_CELL_DOUBLE; what is not finite is absent. */
void tr_table_ratio(struct tr_table *t, double value);
/* For a column of TR_CELL_DOUBLE whose rows differ in unit: a value with this number of decimals, at most 17. */
void tr_table_decimal(struct tr_table *t, double value, unsigned decimals);
/* A time in such a column: in the table's unit, with its decimals, as in a column of times. */
void tr_table_decimal_time(struct tr_table *t, double ns);
/* 100 part / whole; absent if whole is 0, or one of them TR_TIME_NONE. */
void tr_table_pct(struct tr_table *t, int64_t part, int64_t whole);
void tr_table_absent(struct tr_table *t);

/* A cell as it was added, and the next cell from one of another table whose columns have the same types. */
struct tr_cell_value {
    struct tr_str text; /* valid until the next cell is added; no text: absent */
    int64_t i;          /* of an integer, a count or a time; TR_I64_NONE: absent */
    double d;           /* of another number, and of a time before it was rounded; NaN: absent */
    uint8_t decimals;   /* of tr_table_decimal, and 1; 0: of another cell */
};
struct tr_cell_value tr_table_value(const struct tr_table *t, size_t row, size_t column);
void tr_table_add_value(struct tr_table *t, const struct tr_cell_value *value);

/*
 * The next row, from a struct (tr_table_column.h).  A column without a member follows from others: a share or a ratio
 * from the columns it names; a count is the number of rows that this row sums up.
 */
struct tr_row {
    const void *group;      /* of the columns of its group (struct tr_group_key); NULL: none has such columns */
    const void *row;        /* the struct that the columns describe */
    const int64_t *wholes;  /* by column: the whole of a share; TR_TIME_NONE: it does not fit */
    uint64_t n_rows;        /* that it sums up; 0: 1 */
    const char *label;      /* of a row that sums up others: the text of its label column, in place of its key */
    const struct tr_str *texts; /* by column: the cells of strings and own texts; NULL: tr_table_strings has them */
    const bool *differ;     /* by column, with label: the rows differ in it, so the cell is absent; NULL: in all keys */
};
void tr_table_row(struct tr_table *t, const struct tr_row *row);
/* n rows, each a struct of this size that begins with the struct of its group. */
void tr_table_grouped_rows(struct tr_table *t, const void *rows, size_t n, size_t size);
/* What numbers of strings in rows stand for; text of TR_NO_STR is absent.  self is borrowed. */
void tr_table_strings(struct tr_table *t, struct tr_str (*text)(const void *self, uint32_t number), const void *self);
/* A long table asks, from time to time while rows are added, whether it is wanted; copied. */
void tr_table_go_on(struct tr_table *t, const struct tr_go_on *go_on);
/* The columns of a table, numbered from 0.  NULL: there are no more. */
const struct tr_table_column *tr_table_column_at(const struct tr_table *t, size_t column);
/* The column for the name of a row that sums up others; SIZE_MAX: there is none. */
size_t tr_table_label(const struct tr_table *t);

/* ---- rows in memory: of a table without an output, or with an order or a limited number of rows ---- */

/*
 * Add a total: a row that combines all rows so far, as the roles of the columns say, with a name in place of the key.
 * A table with groups (tr_table_arrange) gets one total for each group, in the order of the groups' first rows.  Totals
 * stay at the end of the table.
 */
void tr_table_total(struct tr_table *t, const char *name);
/* Do not print a row, and do not count it in the row "others".  A total still counts it. */
void tr_table_hide(struct tr_table *t, size_t row);

/* Are two rows in the same group?  A table without groups is one group. */
bool tr_table_same_group(const struct tr_table *t, size_t a, size_t b);
/* Does row a come before row b in the table's default order?  The order that the user chose does not matter. */
bool tr_table_before(const struct tr_table *t, size_t a, size_t b);
/* The column with this name, as for tr_table_arrange; SIZE_MAX: there is none. */
size_t tr_table_find(const struct tr_table *t, const char *name);
/* The value of a cell that is not a text.  Times are in ns, and not rounded if they were added so.  NaN: absent. */
double tr_table_number(const struct tr_table *t, size_t row, size_t column);
/* A cell of text, with a zero after it, valid until the next cell is added; s NULL: absent. */
struct tr_str tr_table_get(const struct tr_table *t, size_t row, size_t column);

size_t tr_table_rows(const struct tr_table *t); /* rows started so far, without those already written */
bool tr_table_empty(const struct tr_table *t);  /* none was ever started */

/*
 * Append a table without an output to a buffer.  An incomplete row is filled up with absent cells.  After the call, the
 * table has its columns, but no rows.
 *
 * Returns TR_OK; TR_SYSTEM: memory ran out, now or earlier; TR_USAGE: cells did not match their columns, or a requested
 * column does not exist.
 */
enum tr_status tr_table_write(struct tr_table *t, const struct tr_row_sink *sink, struct tr_buf *out,
                              struct tr_error *err);

/*
 * The end of a table that has an output: write the rest.  It fails for the same reasons as tr_table_write, or with the
 * failure of the output, now or earlier.
 */
enum tr_status tr_table_end(struct tr_table *t, struct tr_error *err);

/* The code that adds rows ran out of memory: the table fails with TR_SYSTEM. */
void tr_table_no_memory(struct tr_table *t);

/* The first failure so far, or TR_OK. */
enum tr_status tr_table_status(const struct tr_table *t, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
