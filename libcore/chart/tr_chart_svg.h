/* SPDX-License-Identifier: MIT */
/*
 * Pictures of tables, from their rows and a chart (table/tr_chart.h): SVG that needs neither a network nor a script, is
 * light or dark as its reader prefers, and shows names and values when one points at a mark.
 *
 * Equal tables give equal bytes: coordinates have two decimals, and nothing depends on the locale.
 */
#ifndef TR_CHART_SVG_H
#define TR_CHART_SVG_H

#include "table/tr_chart.h"
#include "table/tr_table.h"

/*
 * Append the picture of a table whose rows are all in memory.  TR_USAGE: its columns cannot be drawn, err says why;
 * TR_SYSTEM: out of memory.
 *
 * picture  NULL: what the columns suggest, without a title
 */
enum tr_status tr_chart_svg(struct tr_table *t, const struct tr_picture *picture, struct tr_buf *out,
                            struct tr_error *err);

#endif
