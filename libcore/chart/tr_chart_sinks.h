/* SPDX-License-Identifier: MIT */
/*
 * Sinks that draw (table/tr_row_sink.h): the rows of a table as the picture that tr_table_picture says.
 *
 *   svg   a picture (tr_chart_svg.h)
 *   vega  a specification of Vega-Lite 5 with its data
 *   bars  lines of text, each with a bar; not in the list of sinks, because it is a form of text
 *
 * TR_USAGE: the columns cannot be drawn.
 */
#ifndef TR_CHART_SINKS_H
#define TR_CHART_SINKS_H

#include "table/tr_row_sink.h"

extern const struct tr_row_sink tr_row_sink_svg, tr_row_sink_vega, tr_row_sink_bars;

#endif
