/* SPDX-License-Identifier: MIT */
/*
 * Row sinks: the formats that tables are written in, one file each.
 *
 * A sink turns the rows that a table holds into bytes.  The table calls it and forgets the rows
 * afterwards; a new format is a file with a struct tr_row_sink and a line in tr_row_sink.c.
 *
 * An absent cell is "-" in text, null in JSON, empty elsewhere.
 *
 * In text, tsv, csv and md what is not plain (tr_escape_plain: control characters, marks that turn or hide text,
 * bytes that are no UTF-8) stands as \xHH, so that each is UTF-8 whatever the names hold.
 *
 *   text  columns aligned, numbers to the right, two blanks between; as wide as the table may be (tr_table_width); times of a column without the
 *         decimals that are 0 in all of them, in threes
 *   tsv   header line, tab between; backslash, tab, newline, carriage return in strings as
 *         \\ \t \n \r
 *   csv   RFC 4180: CRLF, fields with comma, quote or line end in quotes, quotes doubled; tabs and line ends
 *         stay as they are
 *   json  an array with one object per row, each on a line of its own; numbers as JSON numbers;
 *         bytes that are no UTF-8 become U+FFFD
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

struct tr_row_sink {
    const char *name; /* as users write it: "tsv" */
    /* Rows can be written before the last one is known.  Else a table puts them aside, or holds them. */
    bool streams;
    /*
     * Take the rows that the table holds, the first time after what stands before them: append them
     * to out, or put them aside in the table's temporary folder.  TR_OK or TR_SYSTEM.
     */
    enum tr_status (*rows)(struct tr_table *t, struct tr_buf *out, struct tr_error *err);
    /*
     * All rows are known; the last ones are still held unless the sink streams.  Append the next piece
     * of what is left.  TR_OK: call again; TR_END: that was all; TR_SYSTEM.  NULL: nothing is left.
     */
    enum tr_status (*end)(struct tr_table *t, struct tr_buf *out, struct tr_error *err);
};

extern const struct tr_row_sink tr_row_sink_text, tr_row_sink_tsv, tr_row_sink_csv, tr_row_sink_json, tr_row_sink_md;
/* csv for spreadsheets: texts that begin with = + - @, a tab or a carriage return have an apostrophe before them. */
extern const struct tr_row_sink tr_row_sink_csv_safe;

/* All of them, ended by NULL; and by name, NULL: no such. */
extern const struct tr_row_sink *const tr_row_sinks[];
const struct tr_row_sink *tr_row_sink_by_name(const char *name);

#ifdef __cplusplus
}
#endif
#endif
