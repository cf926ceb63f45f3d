/* SPDX-License-Identifier: MIT */
/* How long did the profiler itself hold up the program?  By the name of what it did. */
#include "analysis/sums/tr_sums_analyses.h"
#include "engine/tr_rows.h"

#include <stdlib.h>

struct row {
    uint32_t group, name;
    struct tr_stats dur;
};

static const struct tr_table_column columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, name), .meaning = "what the profiler did" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, dur), .meaning = "how often" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, dur), .meaning = "sum of durations" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, TR_OF(struct row, dur), .of = "sum", .per = "count",
      .meaning = "mean duration" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct row, dur), .meaning = "longest" },
};

static const struct tr_row_type type = {
    .name = "overhead",
    .size = sizeof(struct row),
    .key_size = offsetof(struct row, dur),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "sum,name",
};

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    (void)options;
    return tr_grouped_start(state, &type, in, TR_ACTIVITY_BIT(TR_ACT_OVERHEAD), err);
}

static bool add(void *state, const struct tr_batch *b, size_t i, const struct tr_group_by_item *item)
{
    struct tr_grouped *g = state;
    struct row *r = tr_rows_at(g->rows, &(struct row){ .group = item->group, .name = b->name[i] });
    if (r)
        tr_stats_add(&r->dur, item->end - item->start);
    return r != NULL;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    (void)t;
    return tr_grouped_feed(state, b, keep, add, err);
}

const struct tr_analysis tr_analysis_overhead = {
    .name = "overhead",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "sum" }, .facet = "rank" },
    .question = "How long did the profiler itself hold up the program?",
    .nothing = "the trace shows no overhead of its profiler",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME), .any_rank_order = true }, .host = true },
    TR_OWN_COLUMNS(columns),
    .rows = tr_rows_first,
    .state_size = sizeof(struct tr_grouped),
    .start = start,
    .feed = feed,
    .free = tr_grouped_free,
    .saving = &(const struct tr_saving){ .version = 1, TR_SAVED_ROWS(type) },
};
