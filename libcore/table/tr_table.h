/*
 * Tables of results: typed columns with units, written as aligned text, TSV, CSV, JSON or Markdown.
 *
 *     struct tr_table *t = tr_table_new(TR_UNIT_US);
 *     tr_table_column(t, "rank", TR_CELL_INT, 0);
 *     tr_table_column(t, "busy", TR_CELL_TIME, 0);       its name in the output: busy_us
 *     tr_table_column(t, "busy_pct", TR_CELL_RATIO, 2);
 *     tr_table_int(t, 0); tr_table_time(t, 1234567); tr_table_pct(t, 1, 3);
 *     st = tr_table_write(t, TR_FORMAT_TSV, &buf, &err);   "0\t1234.567\t33.33\n" below the header
 *
 * Cells are added from left to right; a row begins with the first cell after a full one.  Times are
 * int64 nanoseconds and are printed by integer arithmetic in the table's unit with all their digits
 * (ns none, us three, ms six, s nine decimals).  No output depends on the locale.
 *
 * Running out of memory, and a cell whose type is not its column's, are remembered: further
 * additions do nothing and tr_table_write says so.  Thus a caller need not check every cell.  Not
 * shared between threads.
 */
#ifndef TR_TABLE_H
#define TR_TABLE_H

#include "base/tr_mem.h"
#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Formats.  An absent cell is "-" in text, null in JSON, empty elsewhere.
 *
 *   text      columns aligned, numbers to the right, two blanks between; control bytes and bytes
 *             that are no UTF-8 as \xHH; strings longer than TR_TABLE_TEXT_WIDTH characters end
 *             in "..."
 *   tsv       header line, tab between; backslash, tab, newline, carriage return in strings as
 *             \\ \t \n \r, other control bytes as \xHH; everything else byte by byte
 *   csv       RFC 4180: CRLF, fields with comma, quote or line end in quotes, quotes doubled
 *   json      an array with one object per row, each on a line of its own; numbers as JSON numbers;
 *             bytes that are no UTF-8 become U+FFFD
 *   md        a table of GitHub-flavoured Markdown
 */
enum tr_table_format {
    TR_FORMAT_TEXT,
    TR_FORMAT_TSV,
    TR_FORMAT_CSV,
    TR_FORMAT_JSON,
    TR_FORMAT_MD,
};
#define TR_TABLE_TEXT_WIDTH 80u

enum tr_unit { TR_UNIT_NS, TR_UNIT_US, TR_UNIT_MS, TR_UNIT_S };

/* By the name a user writes ("text", "tsv", "csv", "json", "md"; "ns", "us", "ms", "s"), or -1. */
int tr_table_format_by_name(const char *name);
int tr_unit_by_name(const char *name);
const char *tr_unit_name(enum tr_unit unit);

enum tr_cell {
    TR_CELL_STRING,
    TR_CELL_INT,    /* int64: a rank, a stream, a step */
    TR_CELL_COUNT,  /* uint64 */
    TR_CELL_TIME,   /* int64 ns; the column's name gets the unit as its suffix */
    TR_CELL_RATIO,  /* double with the column's number of decimals */
    TR_CELL_DOUBLE, /* double in the fewest digits that give it back */
};

struct tr_table;

struct tr_table *tr_table_new(enum tr_unit unit); /* NULL: out of memory */
void tr_table_free(struct tr_table *t);

/*
 * How many characters a line of text may have; 0, as it is at first: any number.  A table that is
 * wider is written turned, if that makes it fit: a line for each column, its name in front, and in
 * it the cells of all rows.  Other formats do not care, nor does a table that was flushed.
 */
void tr_table_width(struct tr_table *t, size_t width);

/*
 * Where text that is flushed waits until all widths are known: in a temporary file in the folder dir
 * (copied).  Without it rows of text are held.  False: out of memory.
 */
bool tr_table_temp_dir(struct tr_table *t, const char *dir);

/* Add a column; before the first row.  decimals (0 to 17) is for TR_CELL_RATIO. */
void tr_table_column(struct tr_table *t, const char *name, enum tr_cell type, unsigned decimals);

/* The next cell.  Strings are copied; NULL is absent. */
void tr_table_string(struct tr_table *t, const char *s);
void tr_table_bytes(struct tr_table *t, const char *s, size_t len);
void tr_table_int(struct tr_table *t, int64_t value);
void tr_table_count(struct tr_table *t, uint64_t value);
void tr_table_time(struct tr_table *t, int64_t ns);
/* Rounded to whole ns, half away from 0; NaN is absent. */
void tr_table_time_f(struct tr_table *t, double ns);
/* Also for TR_CELL_DOUBLE; what is not finite is absent. */
void tr_table_ratio(struct tr_table *t, double value);
/* 100 part / whole; absent if whole is 0. */
void tr_table_pct(struct tr_table *t, int64_t part, int64_t whole);
void tr_table_absent(struct tr_table *t);

size_t tr_table_rows(const struct tr_table *t); /* begun so far, less those flushed */
bool tr_table_empty(const struct tr_table *t);  /* none was ever begun */

/*
 * Append the table to a buffer.  A row that was begun is completed with absent cells.  Afterwards
 * the table has its columns and no rows.
 *
 * Returns TR_OK, TR_SYSTEM when memory ran out now or earlier, TR_USAGE when cells did not fit
 * columns.
 */
enum tr_status tr_table_write(struct tr_table *t, enum tr_table_format format, struct tr_buf *out,
                              struct tr_error *err);

/*
 * The same in pieces, for tables too long to hold: append the rows so far and forget them.  Calls
 * with one format, ended by tr_table_write or tr_table_write_some, give what a single tr_table_write
 * would have given.  Text needs all rows for its widths, so there nothing is appended before the end.
 */
enum tr_status tr_table_flush(struct tr_table *t, enum tr_table_format format, struct tr_buf *out,
                              struct tr_error *err);

/*
 * tr_table_write in pieces: append what comes next, about a quarter of a megabyte of text that was
 * flushed.  TR_OK: there is more; TR_END: that was all; failures as by tr_table_write.
 */
enum tr_status tr_table_write_some(struct tr_table *t, enum tr_table_format format,
                                   struct tr_buf *out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
