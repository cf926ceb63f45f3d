/* SPDX-License-Identifier: MIT */
/*
 * Row sinks: the formats that tables are written in, one file each.
 *
 * A sink writes the rows of a table as bytes.  The table calls it, and then forgets the rows.  A new format is a file
 * with a struct tr_row_sink, and a line in sink/tr_sinks.c.  Pictures are sinks, too (chart/tr_chart_sinks.h).
 *
 * An absent cell is "-" in text, null in JSON, empty elsewhere.
 *
 * In text, tsv, csv and md, characters that are not plain (tr_escape_plain: control characters, marks that turn or hide
 * text, invalid UTF-8) are written as \xHH.  So the output is always UTF-8.
 *
 *   text  aligned columns, numbers to the right, two blanks between; at most as wide as tr_table_width allows;
 *         decimals of times that are 0 in the whole column are left out, in groups of three
 *   tsv   header line, tabs between cells; backslash, tab, newline, carriage return in strings as
 *         \\ \t \n \r
 *   csv   RFC 4180: CRLF; fields with a comma, a quote or a line end are quoted, and their quotes are doubled; tabs and
 *         line ends in fields do not change
 *   json  an array with one object per row, each on a line of its own; numbers as JSON numbers;
 *         invalid UTF-8 becomes U+FFFD
 *   md    a table of GitHub-flavoured Markdown
 */
#ifndef TR_ROW_SINK_H
#define TR_ROW_SINK_H

#include "base/tr_mem.h"
#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_table;
struct tr_book_kind; /* sink/tr_book.h */

struct tr_row_sink {
    const char *name; /* "tsv" */
    /* Rows can be written before the last one is known.  Otherwise the table keeps them in memory or in a file. */
    bool streams;
    const struct tr_book_kind *book; /* it writes into a book, which may have several tables; NULL: it writes bytes */
    bool draws; /* it draws the chart of the table (tr_table_picture); all rows are then in memory at the end */
    /*
     * Append the rows in memory to out, or write them to the table's temporary folder.  The first call also writes the
     * header.  TR_OK or TR_SYSTEM.
     */
    enum tr_status (*rows)(struct tr_table *t, struct tr_buf *out, struct tr_error *err);
    /*
     * All rows are known; the last ones are in memory unless the sink streams.  Append the next piece of the rest.
     * TR_OK: call again; TR_END: no more; TR_SYSTEM.  NULL: there is no rest.
     */
    enum tr_status (*end)(struct tr_table *t, struct tr_buf *out, struct tr_error *err);
};

extern const struct tr_row_sink tr_row_sink_text, tr_row_sink_tsv, tr_row_sink_csv, tr_row_sink_json, tr_row_sink_md;
/* csv for spreadsheets: a text that starts with = + - @, a tab or a carriage return gets an apostrophe in front. */
extern const struct tr_row_sink tr_row_sink_csv_safe;

#ifdef __cplusplus
}
#endif
#endif
