/* SPDX-License-Identifier: MIT */
/*
 * Tables of results: rows of typed cells below described columns, arranged and written by a row sink.
 *
 *     struct tr_table *t = tr_table_new(TR_UNIT_US);
 *     tr_table_columns(t, columns, 3);                  described as in tr_table_column.h
 *     tr_table_int(t, 0); tr_table_time(t, 1234567); tr_table_pct(t, 1, 3);
 *     st = tr_table_write(t, &tr_row_sink_tsv, &buf, &err);   "0\t1234.567\t33.33\n" below the header
 *
 * Cells are added from left to right; a row begins with the first cell after a full one.  Times are
 * int64 nanoseconds and are printed by integer arithmetic in the table's unit with all their digits
 * (ns none, us three, ms six, s nine decimals).  No output depends on the locale.
 *
 * A table with an output (tr_table_output) writes long listings while they are made.  Which columns are
 * shown, in which order rows come, and how many of them, is arranged by whoever made the table; who
 * adds the cells adds all of them and need not know.
 *
 * What goes wrong is remembered: further additions do nothing, and the end of the table reports it.
 * Thus a caller need not check every cell.  Not shared between threads.
 */
#ifndef TR_TABLE_H
#define TR_TABLE_H

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

/* By the name a user writes ("ns", "us", "ms", "s"), or -1. */
int tr_unit_by_name(const char *name);
const char *tr_unit_name(enum tr_unit unit);

struct tr_table;

struct tr_table *tr_table_new(enum tr_unit unit); /* NULL: out of memory */
void tr_table_free(struct tr_table *t);
enum tr_unit tr_table_unit(const struct tr_table *t);

/*
 * How many columns of the terminal a line of text may have; 0, as it is at first: any number.
 *
 * Texts that can be long are then cut in the middle, so that no two of a column look alike.  Where that does not
 * suffice and the user could choose columns (tr_table_arrange) but did not, they are left out, the last first, but
 * for keys, the first names, what the table is about and the column that orders the rows.  Else a table of few rows is turned, if it then
 * fits: a line for each column, its name in front, and in it the cells of all rows.  Any other is printed in blocks,
 * one below the other, that begin with the same keys.  A column of shares has a bar beside it where there is room.
 * Other formats do not care.
 */
void tr_table_width(struct tr_table *t, size_t width);

/* Whether text has a header that stands out, by the codes of ECMA-48.  At first it has not. */
void tr_table_colour(struct tr_table *t, bool colour);

/*
 * Where text that is flushed waits until all widths are known: in a temporary file in the folder dir
 * (copied).  Without it rows of text are held.  False: out of memory.
 */
bool tr_table_temp_dir(struct tr_table *t, const char *dir);

/*
 * Where finished rows go, in pieces, while the table is filled: bytes of the given sink to write.
 * Without an output rows are held until tr_table_write.
 */
typedef enum tr_status tr_table_out(void *self, const void *bytes, size_t n, struct tr_error *err);
void tr_table_output(struct tr_table *t, const struct tr_row_sink *sink, tr_table_out *write, void *self);

/* How a user wants to see a table; texts as the user wrote them, copied. */
struct tr_arrange {
    const char *columns; /* names with commas between, "all"; NULL: all, in text those that are neither extra nor quiet */
    const char *sort;    /* a name, ":asc" or ":desc" after it [numbers largest first]; NULL: as they come */
    uint64_t top;        /* rows of each group, then one for the others; 0: all */
    /* What to make of cells in columns of names; rows that then look alike are put together.  NULL: nothing. */
    bool (*shorten)(const char *name, size_t len, struct tr_buf *out);
    bool has_unit; /* the unit of times was asked for */
    bool human;    /* text has bytes as "1.5 MiB" */
    bool csv_safe; /* the sink is to be tr_row_sink_csv_safe */
};

/*
 * Arrange a table.  Names are those of the header, or for times those without the unit.  Sorting is
 * stable and needs all rows at hand.  Rows beyond top become one row for each group, "others", as the
 * roles of the columns tell; groups are told apart by the columns of role group if there are keys
 * besides, else the table is one group.  A column of role group in which the others differ has no
 * value in their row.  Names are shortened last, for print.
 *
 * Before the first row.  TR_SYSTEM: out of memory.  Names that the table does not have are reported
 * by tr_table_ready.
 */
enum tr_status tr_table_arrange(struct tr_table *t, const struct tr_arrange *a, struct tr_error *err);

/*
 * For whoever cuts rows itself: how many were asked for, 0: all.  The table then leaves them alone,
 * unless it has to sort them first.
 */
uint64_t tr_table_take_top(struct tr_table *t);

/*
 * The order of rows unless the user asks for another: names of columns with commas between, each with
 * ":asc", ":desc" or ":size" (the largest absolute value first) after it, as in "diff:size,name:asc".  A
 * later one counts where those before are equal; all of them where the user's own column is.  Before the
 * first row; at most 5 names.
 */
void tr_table_order(struct tr_table *t, const char *order);

/* Add columns, descriptions copied; before the first row. */
void tr_table_columns(struct tr_table *t, const struct tr_table_column *columns, size_t n);
/* The same for one column that needs no description: a text or a figure that stands alone. */
void tr_table_column(struct tr_table *t, const char *name, enum tr_cell type, unsigned decimals);

/*
 * All columns are there: find those that were asked for.  The first cell does the same; whoever reads
 * long inputs asks before.  TR_USAGE: there is no such column, and which ones there are; or names are to be
 * shortened, or a unit was asked for, and there are no names, or no times.
 */
enum tr_status tr_table_ready(struct tr_table *t, struct tr_error *err);

/* There is something to say in a rare column: it is shown from now on.  Before the first row; no such column: nothing. */
void tr_table_show(struct tr_table *t, const char *name);

/* A table that describes the columns of another: name, type, role, unit, shown, meaning. */
void tr_table_describe(const struct tr_table *t, struct tr_table *out);

/* The next cell.  Strings are copied; NULL is absent. */
void tr_table_string(struct tr_table *t, const char *s);
void tr_table_bytes(struct tr_table *t, const char *s, size_t len);
void tr_table_text(struct tr_table *t, struct tr_str text);
void tr_table_int(struct tr_table *t, int64_t value);
void tr_table_count(struct tr_table *t, uint64_t value);
void tr_table_time(struct tr_table *t, int64_t ns); /* TR_TIME_NONE is absent */
/* Rounded to whole ns, half away from 0; NaN and what does not fit are absent. */
void tr_table_time_f(struct tr_table *t, double ns);
/* Also for TR_CELL_DOUBLE; what is not finite is absent. */
void tr_table_ratio(struct tr_table *t, double value);
/* In a column of TR_CELL_DOUBLE whose rows differ in unit: so many decimals, at most 17. */
void tr_table_decimal(struct tr_table *t, double value, unsigned decimals);
/* A time there: in the table's unit, with its decimals, as in a column of times. */
void tr_table_decimal_time(struct tr_table *t, double ns);
/* 100 part / whole; absent if whole is 0, or one of them TR_TIME_NONE. */
void tr_table_pct(struct tr_table *t, int64_t part, int64_t whole);
void tr_table_absent(struct tr_table *t);

/* ---- rows at hand: of a table without an output, or one that has an order or is cut ---- */

/*
 * Add a row that stands for all rows so far, as their roles tell, with a name in place of the key; where
 * groups are told apart (tr_table_arrange), one for each of them, in the order of their first rows.  They
 * stay the last ones.
 */
void tr_table_total(struct tr_table *t, const char *name);
/* Print nothing of a row, nor count it with the others; of a total, it still does. */
void tr_table_hide(struct tr_table *t, size_t row);

/* Are two rows of one group?  All are where groups are not told apart. */
bool tr_table_same_group(const struct tr_table *t, size_t a, size_t b);
/* Does row a come before row b in the table's own order, whatever the user's is? */
bool tr_table_before(const struct tr_table *t, size_t a, size_t b);
/* The column of a name, as for tr_table_arrange; SIZE_MAX: there is none. */
size_t tr_table_find(const struct tr_table *t, const char *name);
/* A cell that is no text as a number, times in ns and unrounded if they came so; NaN: absent. */
double tr_table_number(const struct tr_table *t, size_t row, size_t column);
/* A cell of text, with a zero after it, valid until the next cell is added; s NULL: absent. */
struct tr_str tr_table_get(const struct tr_table *t, size_t row, size_t column);

size_t tr_table_rows(const struct tr_table *t); /* begun so far, less those flushed */
bool tr_table_empty(const struct tr_table *t);  /* none was ever begun */

/*
 * Append the table to a buffer, for tables without an output.  A row that was begun is completed with
 * absent cells.  Afterwards the table has its columns and no rows.
 *
 * Returns TR_OK; TR_SYSTEM when memory ran out now or earlier; TR_USAGE when cells did not fit columns,
 * or a column was asked for that is not there.
 */
enum tr_status tr_table_write(struct tr_table *t, const struct tr_row_sink *sink, struct tr_buf *out,
                              struct tr_error *err);

/*
 * The end of a table that has an output: write what was not written yet.  Fails as tr_table_write does,
 * and as the output did, now or earlier.
 */
enum tr_status tr_table_end(struct tr_table *t, struct tr_error *err);

/* Whoever makes the rows is out of memory: so is the table. */
void tr_table_no_memory(struct tr_table *t);

/* Has anything gone wrong so far? */
enum tr_status tr_table_status(const struct tr_table *t, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
