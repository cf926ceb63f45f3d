/* SPDX-License-Identifier: MIT */
/*
 * The list of outputs: every format that a table can be written in.  A new one is a file with a struct tr_row_sink
 * (table/tr_row_sink.h) and a line in tr_sinks.c.
 */
#ifndef TR_SINKS_H
#define TR_SINKS_H

#include "chart/tr_chart_sinks.h"
#include "sink/tr_book.h"
#include "sink/tr_html.h"
#include "table/tr_row_sink.h"

/* All sinks, with NULL at the end; and the sink with this name, NULL: unknown. */
extern const struct tr_row_sink *const tr_row_sinks[];
const struct tr_row_sink *tr_row_sink_by_name(const char *name);

#endif
