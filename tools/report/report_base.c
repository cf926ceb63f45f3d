/* SPDX-License-Identifier: MIT */
/* tr-report: the headline and the steps, of one run, or next to those of a base. */
#include "report/report.h"

#include "analysis/compare/tr_run_summary_table.h"

#include <math.h>

/* ---- reading the base ---- */

static enum tr_status feed(struct cli *cli, struct cli_analysis *a, struct tr_runner *runner,
                           struct tr_step_ends **ends, struct tr_error *err)
{
    struct cli_listener listener = { cli, a };
    struct tr_analysis_in in = cli_view_in(&listener);
    const struct tr_batch *b;
    const uint8_t *keep;
    in.distinct = 1; /* percentiles are not used */
    *ends = tr_step_ends_new(in.dict, in.summary);
    enum tr_status st = *ends ? tr_runner_start(runner, &in, err) : tr_fail_memory(err);
    while (st == TR_OK && (st = cli_analysis_next(a, &b, &keep, err)) == TR_OK)
        st = tr_step_ends_feed(*ends, b, tr_select_where_alone(a->select.selected))
                 ? tr_runner_feed(runner, b, keep, err)
                 : tr_fail_memory(err);
    st = st == TR_END ? tr_runner_finish(runner, err) : st;
    return st != TR_OK || tr_step_ends_finish(*ends) ? st : tr_fail_memory(err);
}

enum tr_status report_read_base(struct report *r, struct tr_error *err)
{
    struct cli_analysis a = r->o->a;
    struct tr_runner *runner = tr_runner_new();
    struct tr_run_summary_maker *run = NULL;
    struct report_figures *to = &r->base;
    struct tr_step_ends *ends = NULL;
    a.want = (struct tr_projection){ .fixed = TR_GROUP_BY_FIXED, .derived = TR_STEPS_DERIVED };
    enum tr_status st = runner ? tr_run_summary_maker_new(runner, &run, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_runner_needs(runner, &a.want, &a.host, err);
    if (st == TR_OK)
        st = cli_analysis_open_paths(r->cli, &a, r->o->base.items, r->o->base.n, err);
    if (st == TR_OK)
        st = feed(r->cli, &a, runner, &ends, err);
    if (st == TR_OK && (!tr_step_times_gather(&to->steps, a.in->dict, ends, a.select.selected, NULL) ||
                        !tr_step_times_seal(&to->steps)))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_run_summary_maker_end(run, &to->steps, &to->headline, err);
    if (st == TR_OK)
        tr_run_summary_figures(&to->headline, &to->steps, to->of);
    tr_runner_free(runner);
    tr_run_summary_maker_free(run);
    tr_step_ends_free(ends);
    cli_analysis_close(&a);
    if (st == TR_OK)
        cli_input_close(r->cli, a.in);
    return st;
}

/* ---- headline ---- */

void report_headline(const struct report *r, struct tr_table *to)
{
    static const struct tr_table_column per = { .name = "per", .type = TR_CELL_STRING };
    bool compared = r->o->base.n > 0;
    if (!r->device && !r->test.steps.n && !compared)
        return;
    if (compared)
        tr_table_columns(to, tr_run_summary_columns, TR_N_RUN_SUMMARY_COLUMNS);
    else
        tr_table_columns(to, tr_run_summary_value_columns, TR_N_RUN_SUMMARY_VALUE_COLUMNS);
    tr_table_columns(to, &per, 1);
    for (int m = 0; m < TR_N_RUN_SUMMARY; m++) {
        enum tr_run_summary_metric metric = (enum tr_run_summary_metric)m;
        double value = r->test.of[m].value;
        if (compared)
            tr_run_summary_row(to, metric, tr_run_summary_compare(r->base.of[m], r->test.of[m]));
        else if (isfinite(value) && (r->device || metric == TR_RUN_SUMMARY_STEP_TIME))
            tr_run_summary_value_row(to, metric, value);
        else
            continue;
        tr_table_string(to, metric == TR_RUN_SUMMARY_STEP_TIME ? "step" : "rank");
    }
}

/* ---- steps ---- */

void report_steps(const struct report *r, struct tr_table *to)
{
    static const struct tr_table_column columns[] = {
        { .name = "steps", .type = TR_CELL_COUNT },      { .name = "mean", .type = TR_CELL_TIME },
        { .name = "p50", .type = TR_CELL_TIME },         { .name = "std", .type = TR_CELL_TIME },
        { .name = "slowest_step", .type = TR_CELL_INT }, { .name = "slowest", .type = TR_CELL_TIME },
    };
    const struct tr_step_times *s = &r->test.steps;
    const struct tr_step_time *slowest = s->steps;
    if (!s->n)
        return;
    for (size_t i = 1; i < s->n; i++)
        if (s->steps[i].dur > slowest->dur)
            slowest = &s->steps[i];
    tr_table_columns(to, columns, sizeof columns / sizeof *columns);
    tr_table_count(to, s->n);
    tr_table_time_f(to, s->mean);
    tr_table_time_f(to, s->p50);
    tr_table_time_f(to, s->std);
    tr_table_int(to, slowest->number);
    tr_table_time(to, slowest->dur);
}
