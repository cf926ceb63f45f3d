/* SPDX-License-Identifier: MIT */
/* Sums over collectives, and the ranks for which the others waited. */
#include "analysis/comm/tr_collective_table_int.h"
#include "analysis/comm/tr_comm_analyses.h"

#include <math.h>
#include <stdlib.h>

static const char nothing[] = "no collectives, on devices or in records of the host";

/* ---- sums by name, size, group ---- */

static const struct tr_table_column sum_columns[] = {
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of collectives with possible times" },
    { "dur_sum", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of shortest durations" },
    { "dur_mean", TR_CELL_TIME, TR_ROLE_RATIO, .of = "dur_sum", .per = "count",
      .meaning = "mean of the shortest durations" },
    { "dur_min", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "smallest of them" },
    { "dur_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "their median" },
    { "dur_max", TR_CELL_TIME, TR_ROLE_MAX, .extra = true, .meaning = "largest of them" },
    { "spread_mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "mean of last start minus first start" },
    { "spread_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "its median" },
    { "spread_max", TR_CELL_TIME, TR_ROLE_MAX, .meaning = "its maximum" },
    { "algbw_mean_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .extra = true, .unit = "GB/s",
      .meaning = "mean of bytes divided by duration" },
    { "algbw_min_GBps", TR_CELL_RATIO, TR_ROLE_MIN, 3, .extra = true, .unit = "GB/s", .meaning = "its minimum" },
    { "algbw_p50_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .extra = true, .unit = "GB/s", .meaning = "its median" },
    { "algbw_max_GBps", TR_CELL_RATIO, TR_ROLE_MAX, 3, .extra = true, .unit = "GB/s", .meaning = "its maximum" },
    { "busbw_mean_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .unit = "GB/s",
      .meaning = "mean of the bus bandwidth" },
    { "busbw_min_GBps", TR_CELL_RATIO, TR_ROLE_MIN, 3, .extra = true, .unit = "GB/s", .meaning = "its minimum" },
    { "busbw_p50_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .extra = true, .unit = "GB/s", .meaning = "its median" },
    { "busbw_max_GBps", TR_CELL_RATIO, TR_ROLE_MAX, 3, .extra = true, .unit = "GB/s", .meaning = "its maximum" },
};
static const struct tr_table_column group_columns[] = {
    { "group", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "name of the process group" },
    { "description", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .meaning = "name that the program gives it" },
    { "group_size", TR_CELL_INT, TR_ROLE_TEXT, .meaning = "ranks of the group" },
    { "group_ranks", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .meaning = "which ranks" },
};
static const struct tr_table_column ends_column = {
    "end_spread_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true,
      .meaning = "median of last end minus first end, where all ranks wait: small if their clocks agree"
};
static const struct tr_table_column span_column = {
    "span", TR_CELL_STRING, TR_ROLE_TEXT, .quiet = TR_QUIET_SAME,
      .meaning = "intra: its ranks are on one node; inter: on several; empty: unknown"
};
static const struct tr_table_column size_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "operation of the collectives" },
    { "dtype", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "type of the elements" },
    { "bytes", TR_CELL_INT, TR_ROLE_KEY, .unit = "bytes", .meaning = "size of the data; empty: unknown" },
};

static void columns_of_name(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_table_columns(t, size_columns, 1);
    tr_table_columns(t, sum_columns, sizeof sum_columns / sizeof *sum_columns);
}

static void columns_of_size(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_table_columns(t, size_columns, sizeof size_columns / sizeof *size_columns);
    tr_table_columns(t, sum_columns, sizeof sum_columns / sizeof *sum_columns);
}

static void columns_of_group(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_table_columns(t, group_columns, sizeof group_columns / sizeof *group_columns);
    tr_table_columns(t, sum_columns, sizeof sum_columns / sizeof *sum_columns);
    tr_table_columns(t, &ends_column, 1);
    tr_table_columns(t, &span_column, 1);
}

static void rate_cells(const struct tr__comm_view *v, const struct tr_collective_stat *s)
{
    bool any = s->hist != NULL;
    tr__comm_rate_cell(v, any ? tr_stats_mean(&s->stats) : 0);
    tr__comm_rate_cell(v, any ? (double)s->stats.min : 0);
    tr__comm_rate_cell(v, any ? tr_hist_quantile(s->hist, 50, 100) : 0);
    tr__comm_rate_cell(v, any ? (double)s->stats.max : 0);
}

static void sum_row(const struct tr__comm_view *v, const struct tr_collective_sum *s, enum tr_collective_by by)
{
    const struct tr_coll *coll = &v->c->colls[s->coll];
    const struct tr_coll_group *group = &v->c->groups[coll->group];
    if (by == TR_COLLECTIVE_BY_GROUP) {
        tr__comm_group_cell(v, coll);
        tr__comm_text_cell(v, group->desc);
        tr__comm_number_cell(v, group->size);
        tr__comm_text_cell(v, group->ranks);
    } else {
        tr_table_text(v->t, tr_coll_label(v->dict, v->c, coll));
    }
    if (by == TR_COLLECTIVE_BY_SIZE) {
        tr__comm_text_cell(v, v->c->calls[v->c->members[coll->first].call].dtype);
        tr__comm_number_cell(v, s->bytes);
    }
    tr_table_count(v->t, s->dur.stats.n);
    tr_table_time(v->t, tr_stats_sum(&s->dur.stats));
    tr_table_time_f(v->t, tr_stats_mean(&s->dur.stats));
    tr_table_time(v->t, s->dur.stats.min);
    tr_table_time_f(v->t, tr_hist_quantile(s->dur.hist, 50, 100));
    tr_table_time(v->t, s->dur.stats.max);
    bool compared = s->spread.hist != NULL;
    tr_table_time_f(v->t, compared ? tr_stats_mean(&s->spread.stats) : NAN);
    tr_table_time_f(v->t, compared ? tr_hist_quantile(s->spread.hist, 50, 100) : NAN);
    tr__comm_time_cell(v, compared, s->spread.stats.max);
    rate_cells(v, &s->algbw);
    rate_cells(v, &s->busbw);
    if (by == TR_COLLECTIVE_BY_GROUP) {
        tr_table_time_f(v->t, s->ends.hist ? tr_hist_quantile(s->ends.hist, 50, 100) : NAN);
        tr__comm_span_cell(v, coll);
    }
}

static enum tr_status sum_rows(const struct tr__comm_view *v, enum tr_collective_by by, struct tr_error *err)
{
    struct tr_collective_sums s;
    enum tr_status st = tr_collective_sum_up(v->dict, v->c, by, v->suspect, &s, err);
    for (size_t i = 0; i < s.n && st == TR_OK; i++)
        sum_row(v, &s.v[i], by);
    if (st == TR_OK)
        tr__comm_remark_left(v, &s.left);
    tr_collective_sums_free(&s);
    return st;
}

static enum tr_status name_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    return sum_rows(v, TR_COLLECTIVE_BY_NAME, err);
}

static enum tr_status size_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    return sum_rows(v, TR_COLLECTIVE_BY_SIZE, err);
}

static enum tr_status group_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    return sum_rows(v, TR_COLLECTIVE_BY_GROUP, err);
}

static enum tr_status finish_name(void *state, struct tr_table *t, struct tr_error *err)
{
    return tr__comm_finish(state, t, name_rows, false, err);
}

static enum tr_status finish_size(void *state, struct tr_table *t, struct tr_error *err)
{
    return tr__comm_finish(state, t, size_rows, false, err);
}

static enum tr_status finish_group(void *state, struct tr_table *t, struct tr_error *err)
{
    return tr__comm_finish(state, t, group_rows, false, err);
}

static const struct tr_saving name_saving = TR__COMM_SAVING("comm-name");

const struct tr_analysis tr_analysis_comm_name = {
    .name = "name",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "dur_mean" }, .low = "dur_min",
                                       .high = "dur_max" },
    .question = "What did collectives of each name cost?",
    .nothing = nothing,
    .groups = 0,
    .group = TR_PER_ALL,
    TR_OPTIONS(NULL, tr__comm_defaults),
    .more = tr__comm_needs,
    .columns = columns_of_name,
    .state_size = sizeof(struct tr__comm_state),
    .start = tr__comm_start,
    .finish = finish_name,
    .saving = &name_saving,
};

static const struct tr_saving size_saving = TR__COMM_SAVING("comm-size");

const struct tr_analysis tr_analysis_comm_size = {
    .name = "size",
    .chart = &(const struct tr_chart){ TR_CHART_LINE, .x = "bytes", .y = { "busbw_mean_GBps" }, .series = "name",
                                       .low = "busbw_min_GBps", .high = "busbw_max_GBps", .log_x = true },
    .question = "What did collectives of each size cost, and how fast were they?",
    .nothing = nothing,
    .groups = 0,
    .group = TR_PER_ALL,
    TR_OPTIONS(NULL, tr__comm_defaults),
    .more = tr__comm_needs,
    .columns = columns_of_size,
    .state_size = sizeof(struct tr__comm_state),
    .start = tr__comm_start,
    .finish = finish_size,
    .saving = &size_saving,
};

static const struct tr_saving group_saving = TR__COMM_SAVING("comm-group");

const struct tr_analysis tr_analysis_comm_group = {
    .name = "group",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "group", .y = { "dur_mean" }, .low = "dur_min",
                                       .high = "dur_max" },
    .question = "What did the collectives of each process group cost?",
    .nothing = nothing,
    .groups = 0,
    .group = TR_PER_ALL,
    TR_OPTIONS(tr__comm_node_options, tr__comm_defaults),
    .more = tr__comm_needs,
    .columns = columns_of_group,
    .state_size = sizeof(struct tr__comm_state),
    .start = tr__comm_start,
    .finish = finish_group,
    .saving = &group_saving,
};

/* ---- stragglers ---- */

static const struct tr_table_column step_column = { "step", TR_CELL_INT, TR_ROLE_GROUP,
                                                    .meaning = "the step" };
static const struct tr_table_column lag_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_KEY, .meaning = "the rank" },
    { "last_arrivals", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of collectives at which it arrived last" },
    { "pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .meaning = "share of its collectives" },
    { "wait_caused", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "time that the others waited for it" },
    { "mean_lag", TR_CELL_TIME, TR_ROLE_MEAN, .per = "collectives",
      .meaning = "mean of its start minus that of the first rank" },
    { "collectives", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of its collectives in which all ranks wait" },
    { "first_arrivals", TR_CELL_COUNT, TR_ROLE_COUNT, .extra = true,
      .meaning = "number of collectives at which it arrived first" },
    { "wait", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "time that it waited for the last rank" },
    { "mean_wait", TR_CELL_TIME, TR_ROLE_RATIO, .of = "wait", .per = "collectives", .extra = true,
      .meaning = "the same for one collective" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "sum of all its durations" },
    { "device", TR_CELL_INT, TR_ROLE_TEXT, .extra = true, .meaning = "its device" },
};

static void columns_of_lag(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    if (in->grouped && in->work.per == TR_PER_STEP)
        tr_table_columns(t, &step_column, 1);
    tr_table_columns(t, lag_columns, sizeof lag_columns / sizeof *lag_columns);
}

static void lag_row(const struct tr__comm_view *v, const struct tr_collective_lag *l)
{
    if (v->steps)
        tr__comm_number_cell(v, l->step);
    tr__comm_rank_cell(v, true, l->party);
    tr_table_count(v->t, l->n_last);
    tr_table_pct(v->t, (int64_t)l->n_last, (int64_t)l->n);
    tr_table_time(v->t, l->caused);
    tr_table_time_f(v->t, tr_stats_mean(&l->lag));
    tr_table_count(v->t, l->n);
    tr_table_count(v->t, l->n_first);
    tr_table_time(v->t, tr_stats_sum(&l->wait));
    tr_table_time_f(v->t, tr_stats_mean(&l->wait));
    tr_table_time(v->t, l->dur);
    tr__comm_number_cell(v, v->c->parties[l->party].device);
}

static enum tr_status lag_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    struct tr_collective_lags l;
    enum tr_status st = tr_collective_lag_of_all(v->dict, v->c, v->steps, v->suspect, &l, err);
    for (size_t i = 0; i < l.n && st == TR_OK; i++)
        lag_row(v, &l.v[i]);
    if (st == TR_OK)
        tr__comm_remark_left(v, &l.left);
    tr_collective_lags_free(&l);
    return st;
}

static enum tr_status finish_lag(void *state, struct tr_table *t, struct tr_error *err)
{
    return tr__comm_finish(state, t, lag_rows, false, err);
}

static const struct tr_saving straggler_saving = TR__COMM_SAVING("straggler");

const struct tr_analysis tr_analysis_straggler = {
    .name = "straggler",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "rank", .y = { "wait_caused", "wait" } },
    .question = "Which rank did the others wait for?",
    .nothing = "no collectives of several ranks in which all ranks wait, and whose times compare",
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_STEP),
    .group = TR_PER_RANK,
    TR_OPTIONS(NULL, tr__comm_defaults),
    .more = tr__comm_needs,
    .columns = columns_of_lag,
    .state_size = sizeof(struct tr__comm_state),
    .start = tr__comm_start,
    .finish = finish_lag,
    .saving = &straggler_saving,
};
