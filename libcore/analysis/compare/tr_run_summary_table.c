/* SPDX-License-Identifier: MIT */
/* Rows of the headline, of one run and of two. */
#include "analysis/compare/tr_run_summary_table.h"

#include <stdio.h>

const struct tr_table_column tr_run_summary_columns[TR_N_RUN_SUMMARY_COLUMNS] = {
    { "metric", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the figure, and the unit of times" },
    { "base", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .times = true, .meaning = "figure of the base, mean over the ranks" },
    { "test", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .meaning = "figure of the test, mean over the ranks" },
    { "diff", TR_CELL_DOUBLE, TR_ROLE_DIFFERENCE, .of = "test", .per = "base", .meaning = "test less base" },
    { "diff_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "diff", .per = "base",
      .meaning = "diff in percent of base" },
    { "sigma", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .meaning = "diff divided by its standard error" },
};

const struct tr_table_column tr_run_summary_value_columns[TR_N_RUN_SUMMARY_VALUE_COLUMNS] = {
    { "metric", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the figure, and the unit of times" },
    { "value", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .times = true, .meaning = "mean over the ranks" },
};

void tr_run_summary_put_name(struct tr_table *t, enum tr_run_summary_metric metric)
{
    bool time = tr_run_summary_is_time(metric);
    char name[40];
    snprintf(name, sizeof name, "%s%s%s", tr_run_summary_names[metric], time ? "_" : "",
             time ? tr_unit_name(tr_table_unit(t)) : "");
    tr_table_string(t, name);
}

void tr_run_summary_put_figure(struct tr_table *t, enum tr_run_summary_metric metric, double value)
{
    if (tr_run_summary_is_time(metric))
        tr_table_decimal_time(t, value);
    else
        tr_table_ratio(t, value);
}

void tr_run_summary_row(struct tr_table *t, enum tr_run_summary_metric metric, struct tr_run_summary_difference d)
{
    tr_run_summary_put_name(t, metric);
    tr_run_summary_put_figure(t, metric, d.base);
    tr_run_summary_put_figure(t, metric, d.test);
    tr_run_summary_put_figure(t, metric, d.diff);
    tr_table_ratio(t, d.pct);
    tr_table_ratio(t, d.sigma);
}

void tr_run_summary_value_row(struct tr_table *t, enum tr_run_summary_metric metric, double value)
{
    tr_run_summary_put_name(t, metric);
    tr_run_summary_put_figure(t, metric, value);
}
