/* SPDX-License-Identifier: MIT */
/*
 * The headline (tr_run_summary.h) as a table with a row for each metric, for one run, or for two runs side by side.
 *
 *     tr_table_columns(t, tr_run_summary_columns, TR_N_RUN_SUMMARY_COLUMNS);
 *     for (int m = 0; m < TR_N_RUN_SUMMARY; m++)
 *         tr_run_summary_row(t, m, tr_run_summary_compare(base[m], test[m]));
 *
 * Metrics have different units, so a time has its unit in its name: step_time_us.  Figures that are NaN are absent.
 */
#ifndef TR_RUN_SUMMARY_TABLE_H
#define TR_RUN_SUMMARY_TABLE_H

#include "analysis/compare/tr_run_summary.h"
#include "table/tr_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TR_N_RUN_SUMMARY_COLUMNS = 6, TR_N_RUN_SUMMARY_VALUE_COLUMNS = 2 };
extern const struct tr_table_column tr_run_summary_columns[TR_N_RUN_SUMMARY_COLUMNS];             /* of two runs */
extern const struct tr_table_column tr_run_summary_value_columns[TR_N_RUN_SUMMARY_VALUE_COLUMNS]; /* of one */

/* Cells of any table: the name of a metric with its unit, and a figure of it. */
void tr_run_summary_put_name(struct tr_table *t, enum tr_run_summary_metric metric);
void tr_run_summary_put_figure(struct tr_table *t, enum tr_run_summary_metric metric, double value);

/* Append a row to a table of tr_run_summary_columns: metric, base, test, diff, diff_pct and sigma. */
void tr_run_summary_row(struct tr_table *t, enum tr_run_summary_metric metric, struct tr_run_summary_difference d);

/* Append a row to a table of tr_run_summary_value_columns: metric and value. */
void tr_run_summary_value_row(struct tr_table *t, enum tr_run_summary_metric metric, double value);

#ifdef __cplusplus
}
#endif
#endif
