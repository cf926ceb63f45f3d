/* SPDX-License-Identifier: MIT */
/* Sums over collectives, and the ranks for which the others waited. */
#include "analysis/comm/tr_collective_table.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "model/tr_rank.h"

#include <math.h>
#include <stdlib.h>

static const char nothing[] = "no collectives, on devices or in records of the host";

/* ---- sums by name, size, group ---- */

struct rates {
    double mean, min, p50, max; /* GB/s */
};

struct sum {
    struct tr__comm_of of;
    struct tr_collective_sum s; /* its rates are in bytes per second */
    struct rates algbw, busbw;
    double spread_mean;
    int64_t bytes;
    uint32_t dtype, description;
    const char *role;
};

#define RATES(name, what)                                                                                        \
    { #name "_mean_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct sum, name.mean), .unit = "GB/s",      \
      .meaning = "mean of " what, .extra = RATE_##name },                                                        \
    { #name "_min_GBps", TR_CELL_RATIO, TR_ROLE_MIN, 3, TR_OF(struct sum, name.min), .extra = true,              \
      .unit = "GB/s", .meaning = "its minimum" },                                                                \
    { #name "_p50_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct sum, name.p50), .extra = true,         \
      .unit = "GB/s", .meaning = "its median" },                                                                 \
    { #name "_max_GBps", TR_CELL_RATIO, TR_ROLE_MAX, 3, TR_OF(struct sum, name.max), .extra = true,              \
      .unit = "GB/s", .meaning = "its maximum" }
#define RATE_algbw true
#define RATE_busbw false

#define SUM_COLUMNS                                                                                                   \
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct sum, s.dur.stats),                                          \
      .meaning = "number of collectives with possible times" },                                                       \
    { "dur_sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct sum, s.dur.stats), .meaning = "sum of shortest durations" }, \
    { "dur_mean", TR_CELL_TIME, TR_ROLE_RATIO, TR_OF(struct sum, s.dur.stats), .of = "dur_sum", .per = "count",       \
      .meaning = "mean of the shortest durations" },                                                                  \
    { "dur_min", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct sum, s.dur.stats), .extra = true,                            \
      .meaning = "smallest of them" },                                                                                \
    { "dur_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct sum, s.dur.hist), .percent = 50, .extra = true,         \
      .meaning = "their median" },                                                                                    \
    { "dur_max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct sum, s.dur.stats), .extra = true,                            \
      .meaning = "largest of them" },                                                                                 \
    { "spread_mean", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct sum, spread_mean),                                  \
      .meaning = "mean of last start minus first start" },                                                            \
    { "spread_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct sum, s.spread.hist), .percent = 50, .extra = true,   \
      .meaning = "its median" },                                                                                      \
    { "spread_max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct sum, s.spread.stats), .meaning = "its maximum" },         \
    RATES(algbw, "bytes divided by duration"), RATES(busbw, "the bus bandwidth")

static const struct tr_table_column name_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, of.name), .meaning = "operation of the collectives" },
    SUM_COLUMNS,
    TR__COMM_DIFFER(struct sum, s.differ),
};
static const struct tr_table_column size_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, of.name), .meaning = "operation of the collectives" },
    { "dtype", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, dtype), .meaning = "type of the elements" },
    { "bytes", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct sum, bytes), .unit = "bytes",
      .meaning = "size of the data; empty: unknown" },
    SUM_COLUMNS,
    TR__COMM_DIFFER(struct sum, s.differ),
};
static const struct tr_table_column group_columns[] = {
    { "group", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, of.group), .meaning = "name of the process group" },
    { "description", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct sum, description), .wide = true,
      .meaning = "name that the program gives it" },
    { "group_size", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct sum, of.size), .meaning = "ranks of the group" },
    { "group_ranks", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, of.ranks), .wide = true,
      .meaning = "which ranks" },
    SUM_COLUMNS,
    { "end_spread_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct sum, s.ends.hist), .percent = 50, .extra = true,
      .meaning = "median of last end minus first end, where all ranks wait: small if their clocks agree" },
    TR__COMM_SPAN(struct sum),
    { "role", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct sum, role), .quiet = TR_QUIET_SAME,
      .meaning = "axes of the mesh along which it goes, such as tp, pp, dp or ep; empty: unknown" },
    TR__COMM_DIFFER(struct sum, s.differ),
};

static struct rates rates_of(const struct tr_collective_stat *s)
{
    bool any = s->hist != NULL;
    return (struct rates){ .mean = tr__comm_gbps(any ? tr_stats_mean(&s->stats) : 0),
                           .min = tr__comm_gbps(any ? (double)s->stats.min : 0),
                           .p50 = tr__comm_gbps(any ? tr_hist_quantile(s->hist, 50, 100) : 0),
                           .max = tr__comm_gbps(any ? (double)s->stats.max : 0) };
}

static void sum_row(const struct tr__comm_view *v, const struct tr_collective_sum *s)
{
    const struct tr_coll *coll = &v->c->colls[s->coll];
    char role[TR_MESH_ROLE];
    unsigned axes = tr__comm_axes(v, coll);
    const struct sum row = { .of = tr__comm_of(v, coll),
                             .s = *s,
                             .spread_mean = tr_stats_mean(&s->spread.stats),
                             .algbw = rates_of(&s->algbw),
                             .busbw = rates_of(&s->busbw),
                             .bytes = tr__comm_number(s->bytes),
                             .dtype = v->c->calls[v->c->members[coll->first].call].dtype,
                             .description = v->c->groups[coll->group].desc,
                             .role = axes ? tr_mesh_role(axes, role) : NULL };
    tr__comm_row(v, &row);
}

static enum tr_status sum_rows(const struct tr__comm_view *v, enum tr_collective_by by, struct tr_error *err)
{
    struct tr_collective_sums s;
    enum tr_status st = tr_collective_sum_up(v->dict, v->c, by, v->suspect, &s, err);
    for (size_t i = 0; i < s.n && st == TR_OK; i++)
        sum_row(v, &s.v[i]);
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

TR__COMM_TABLE(comm_name, "comm-name", name_rows, TR_PER_ALL, TR__COMM_SAYS_DOUBTS,
               .name = "name",
               .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "dur_mean" }, .low = "dur_min",
                                                  .high = "dur_max" },
               .question = "What did collectives of each name cost?",
               .nothing = nothing,
               TR_OPTIONS(NULL, tr__comm_defaults),
               TR_OWN_COLUMNS(name_columns));

TR__COMM_TABLE(comm_size, "comm-size", size_rows, TR_PER_ALL, TR__COMM_SAYS_DOUBTS,
               .name = "size",
               .chart = &(const struct tr_chart){ TR_CHART_LINE, .x = "bytes", .y = { "busbw_mean_GBps" },
                                                  .series = "name", .low = "busbw_min_GBps",
                                                  .high = "busbw_max_GBps", .log_x = true },
               .question = "What did collectives of each size cost, and how fast were they?",
               .nothing = nothing,
               TR_OPTIONS(NULL, tr__comm_defaults),
               TR_OWN_COLUMNS(size_columns));

TR__COMM_TABLE(comm_group, "comm-group", group_rows, TR_PER_ALL, TR__COMM_SAYS_DOUBTS,
               .name = "group",
               .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "group", .y = { "dur_mean" }, .low = "dur_min",
                                                  .high = "dur_max" },
               .question = "What did the collectives of each process group cost?",
               .nothing = nothing,
               TR_OPTIONS(tr__comm_node_options, tr__comm_defaults),
               TR_OWN_COLUMNS(group_columns));

/* ---- stragglers ---- */

struct lag {
    struct tr_collective_lag l;
    int64_t step, rank, device, wait;
    double pct;
};

static const struct tr_table_column lag_columns[] = {
    { "step", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct lag, step), .meaning = "the step" },
    { "rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct lag, rank), .meaning = "the rank" },
    { "last_arrivals", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct lag, l.n_last),
      .meaning = "number of collectives at which it arrived last" },
    { "pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, TR_OF(struct lag, pct), .unit = "%",
      .meaning = "share of its collectives" },
    { "wait_caused", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct lag, l.caused),
      .meaning = "time that the others waited for it" },
    { "mean_lag", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct lag, l.lag), .per = "collectives",
      .meaning = "mean of its start minus that of the first rank" },
    { "collectives", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct lag, l.n),
      .meaning = "number of its collectives in which all ranks wait" },
    { "first_arrivals", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct lag, l.n_first), .extra = true,
      .meaning = "number of collectives at which it arrived first" },
    { "wait", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct lag, wait), .extra = true,
      .meaning = "time that it waited for the last rank" },
    { "mean_wait", TR_CELL_TIME, TR_ROLE_RATIO, TR_OF(struct lag, l.wait), .of = "wait", .per = "collectives",
      .extra = true, .meaning = "the same for one collective" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct lag, l.dur), .extra = true,
      .meaning = "sum of all its durations" },
    { "device", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct lag, device), .extra = true, .meaning = "its device" },
    TR__COMM_DIFFER(struct lag, l.differ),
};

static void columns_of_lag(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    size_t first = in->grouped && in->work.per == TR_PER_STEP ? 0 : 1;
    (void)options;
    tr_table_columns(t, lag_columns + first, sizeof lag_columns / sizeof *lag_columns - first);
}

static void lag_row(const struct tr__comm_view *v, const struct tr_collective_lag *l)
{
    const struct lag row = { .l = *l,
                             .step = tr__comm_number(l->step),
                             .rank = tr__comm_rank(v, l->party),
                             .device = tr__comm_number(v->c->parties[l->party].device),
                             .wait = tr_stats_sum(&l->wait),
                             .pct = l->n ? 100.0 * (double)l->n_last / (double)l->n : NAN };
    tr__comm_row(v, &row);
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

TR__COMM_TABLE(straggler, "straggler", lag_rows, TR_PER_RANK, TR__COMM_SAYS_DOUBTS,
               .name = "straggler",
               .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "rank", .y = { "wait_caused", "wait" } },
               .question = "Which rank did the others wait for?",
               .nothing = "no collectives of several ranks in which all ranks wait, and whose times compare",
               .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_STEP),
               TR_OPTIONS(NULL, tr__comm_defaults),
               .columns = columns_of_lag);
