/* SPDX-License-Identifier: MIT */
/* tr-diff --by trend: the headline of several runs, and where it changed. */
#include "analysis/compare/tr_run_summary_table.h"
#include "analysis/compare/tr_trend.h"
#include "diff/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trend {
    struct diff *x;
    const char *const *paths;
    char **names; /* of inputs */
    size_t n;
    struct tr_run_summary_figure *figures; /* by metric, then by run */
    struct tr_trend_level *levels;         /* the same */
};

static const struct tr_table_column trend_columns[] = {
    { "metric", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the figure, and the unit of times" },
    { "run", TR_CELL_INT, TR_ROLE_KEY, .meaning = "number of the run, from 1" },
    { "input", TR_CELL_STRING, TR_ROLE_TEXT, .label = true, .meaning = "its input" },
    { "value", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .times = true, .meaning = "figure of the run, mean over the ranks" },
    { "level", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .meaning = "mean of the runs from one change to the next" },
    { "before", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .meaning = "of a change: mean of the runs before it" },
    { "diff_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "level", .per = "before",
      .meaning = "of a change: level less before, in percent of before" },
    { "sigma", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .meaning = "of a change: the difference by its standard error" },
};

static void columns(const void *arg, struct tr_table *t)
{
    (void)arg;
    tr_table_columns(t, trend_columns, sizeof trend_columns / sizeof *trend_columns);
}

/* The figures of one run, which is an input alone. */
static enum tr_status read_run(struct cli *cli, struct trend *c, size_t run, struct tr_error *err)
{
    struct diff_side *side = &c->x->sides[TR_DIFF_BASE];
    struct tr_run_summary_figure of[TR_N_RUN_SUMMARY];
    char what[32];
    tr_step_times_free(&side->steps);
    free(side->ranks);
    snprintf(what, sizeof what, "run %zu", run + 1);
    *side = (struct diff_side){ .what = what, .coverage = 1 };
    tr_run_summary_init(&side->headline);
    tr_diff_free(c->x->d);
    c->x->d = tr_diff_new(c->x->by, 0, diff_max_bytes(cli));
    enum tr_status st = c->x->d ? diff_read(cli, c->x->o, c->x, TR_DIFF_BASE, &c->paths[run], 1, err)
                                : tr_fail_memory(err);
    side->what = "run";
    if (st != TR_OK)
        return st;
    tr_run_summary_figures(&side->headline, &side->steps, of);
    c->names[run] = strdup(side->input[0] ? side->input : c->paths[run]);
    if (!c->names[run])
        return tr_fail_memory(err);
    for (size_t m = 0; m < TR_N_RUN_SUMMARY; m++)
        c->figures[m * c->n + run] = of[m];
    return TR_OK;
}

static void put_row(struct cli *cli, const struct trend *c, size_t m, size_t run, struct tr_table *t)
{
    const enum tr_run_summary_metric metric = (enum tr_run_summary_metric)m;
    const struct tr_trend_level *l = &c->levels[m * c->n + run];
    double value = c->figures[m * c->n + run].value, pct = 100 * (l->mean - l->before) / l->before;
    char text[300] = "", label[60];
    tr_run_summary_put_name(t, metric);
    tr_table_int(t, (int64_t)run + 1);
    tr_table_string(t, c->names[run]);
    tr_run_summary_put_figure(t, metric, value);
    tr_run_summary_put_figure(t, metric, l->mean);
    tr_run_summary_put_figure(t, metric, l->changed ? l->before : NAN);
    tr_table_ratio(t, l->changed && l->before != 0 ? pct : NAN);
    tr_table_ratio(t, l->changed ? l->sigma : NAN);
    if (!l->changed || cli_quiet(cli))
        return;
    snprintf(label, sizeof label, "%s%s", tr_run_summary_names[m], tr_run_summary_is_time(metric) ? "_us" : "");
    diff_values_add(text, sizeof text, label, l->before, l->mean, l->sigma, tr_run_summary_is_time(metric));
    cli_remark(cli, "changed in run %zu (%.100s): %s", run + 1, c->names[run], text);
}

static enum tr_status fill(struct cli *cli, void *arg, struct tr_table *t, struct tr_error *err)
{
    struct trend *c = arg;
    enum tr_status st = TR_OK;
    c->figures = calloc(c->n * TR_N_RUN_SUMMARY, sizeof *c->figures);
    c->levels = calloc(c->n * TR_N_RUN_SUMMARY, sizeof *c->levels);
    c->names = calloc(c->n, sizeof *c->names);
    if (!c->figures || !c->levels || !c->names)
        return tr_fail_memory(err);
    for (size_t run = 0; run < c->n && st == TR_OK; run++)
        st = read_run(cli, c, run, err);
    for (size_t m = 0; m < TR_N_RUN_SUMMARY && st == TR_OK; m++) {
        if (!tr_trend_levels(c->figures + m * c->n, c->n, c->levels + m * c->n))
            return tr_fail_memory(err);
        for (size_t run = 0; run < c->n; run++)
            put_row(cli, c, m, run, t);
        st = tr_table_status(t, err);
    }
    return st;
}

enum tr_status diff_report_trend(struct cli *cli, struct diff *x, struct tr_error *err)
{
    static const struct tr_chart chart = { TR_CHART_LINE, .x = "run", .y = { "value", "level" }, .facet = "metric" };
    static const struct cli_table table = { .columns = columns, .fill = fill, .chart = &chart,
                                            .question = "How did the runs change, one after the other?" };
    struct trend c = { .x = x };
    c.paths = cli_operands(cli, &c.n);
    if (!cli_arrange(cli)->help_columns && c.n < 2)
        return tr_fail(err, TR_USAGE, "a trend is about two or more runs, each one operand");
    x->rows = false;
    enum tr_status st = cli_table_run(cli, &table, &c, err);
    for (size_t i = 0; c.names && i < c.n; i++)
        free(c.names[i]);
    free(c.names);
    free(c.figures);
    free(c.levels);
    return st;
}
