/* SPDX-License-Identifier: MIT */
/* What the columns of a table suggest as its picture. */
#ifndef TR_CHART_GUESS_H
#define TR_CHART_GUESS_H

#include "table/tr_chart.h"
#include "table/tr_table.h"

/* The chart that the columns suggest of a table whose rows are all in memory.  TR_USAGE: no column has numbers. */
enum tr_status tr_chart_suggest(const struct tr_table *t, struct tr_chart *chart, struct tr_error *err);

/*
 * The chart of a table whose rows are all in memory: the declared one if the table has its columns, otherwise what the
 * columns suggest.  Names are those of the table or of declared.  TR_USAGE: it has no column of numbers.
 *
 * declared     NULL: none
 * as_declared  is the chart the declared one?  May be NULL
 */
enum tr_status tr_chart_choose(const struct tr_table *t, const struct tr_chart *declared, struct tr_chart *chart,
                               bool *as_declared, struct tr_error *err);

#endif
