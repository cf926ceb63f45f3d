/* SPDX-License-Identifier: MIT */
/*
 * Pages of HTML: one file that needs no network, is complete without its script, and better with it.
 *
 *     ok = tr_html_start(&out, title) && ...text, pictures, tables... && tr_html_end(&out);
 *
 * A page is also well-formed XML, so a reader of XML can check it.  Names come from traces, so they may have any bytes:
 * all text goes through tr_html_text.  Even if one did not, nothing else could run: the page allows its own style sheet
 * and script by their digests, and nothing besides.
 *
 * The style sheet is page.css, the script page.js; classes of both are in page.css.
 */
#ifndef TR_HTML_H
#define TR_HTML_H

#include "table/tr_chart.h"
#include "table/tr_row_sink.h"
#include "table/tr_table.h"

/* Functions that append return false when memory ran out. */

/* The head and the start of the body. */
bool tr_html_start(struct tr_buf *out, const char *title);
bool tr_html_end(struct tr_buf *out);

/* Text, or the value of an attribute in double quotes; characters that are not plain (tr_escape_plain) as \xHH. */
bool tr_html_text(struct tr_buf *out, const char *s, size_t len);

/* An element with a text in it: "<p class="x">text</p>"; open: "p class=\"x\"". */
bool tr_html_element(struct tr_buf *out, const char *open, const char *s, size_t len);

/* A command to be copied, folded away unless open. */
bool tr_html_command(struct tr_buf *out, const char *s, size_t len, bool open);

/*
 * The picture of a table, for wide and for narrow windows, with legend and notes; nothing if there is nothing to draw.
 * The rows are arranged, and stay in the table.  TR_USAGE: they cannot be drawn.
 */
enum tr_status tr_html_figure(struct tr_buf *out, struct tr_table *t, const struct tr_picture *picture,
                              struct tr_error *err);

/* The rows of a table as an element table, for tr_table_write.  Of very many, the first ones: a page stays small. */
extern const struct tr_row_sink tr_html_rows;

/* The picture of a table (tr_table_picture), its rows and its command, for tr_table_write. */
extern const struct tr_row_sink tr_html_section;

/* A page with the picture of a table (tr_table_picture), its rows and its command. */
extern const struct tr_row_sink tr_row_sink_html;

#endif
