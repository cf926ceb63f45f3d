/* SPDX-License-Identifier: MIT */
/* Why were devices idle?  Sums by cause, and gaps one by one. */
#include "analysis/time/tr_idle.h"
#include "analysis/time/tr_time_analyses.h"
#include "engine/tr_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What it needs of a stream. */
#define NEEDS                                                                                          \
    .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME),                                         \
              .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_DUR | 1u << TR_COL_LAUNCH_TRACK, \
              .any_rank_order = true }

/* ---- sums by cause ---- */

/* All parts of gaps of one group and cause, in which the host did the same; TR_NO_STR: whatever it did. */
struct sum {
    uint32_t group, cause, during;
    uint64_t by_launch; /* 1: the work was selected by its launches */
    struct tr_sample parts;
};

static const struct tr_table_column sum_columns[] = {
    { "cause", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, cause), .word = tr_idle_cause_name,
      .n_words = TR_N_IDLE_CAUSES, .label = true,
      .meaning = "why nothing ran. Before the launch: host_busy, host_blocked (it waits for the device), "
                 "data_loading or collective_wait; in the launch: launch_overhead; after it: device_overhead "
                 "(short) or dependency; unknown: no launch is known; edge: before the first work of a "
                 "window, or after the last" },
    { "during", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, during), .names = true,
      .meaning = "what the launching thread did meanwhile" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct sum, parts), .main = true,
      .meaning = "time without work on any stream" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "idle",
      .meaning = "share of the idle time of the group" },
    { "gaps", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct sum, parts),
      .meaning = "number of gaps that have such a part" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, TR_OF(struct sum, parts), .of = "idle", .per = "gaps",
      .meaning = "mean part" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct sum, parts), .percent = 50, .extra = true,
      .meaning = "median part" },
    { "p99", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct sum, parts), .percent = 99, .extra = true,
      .meaning = "99th percentile of the parts" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct sum, parts), .meaning = "longest part" },
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct sum, parts), .quiet = TR_QUIET_0,
      .meaning = "1: percentiles are approximate, to 2^-11 of their value" },
    { "by_launch", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct sum, by_launch) }, /* saved, not printed */
};
enum { N_SUM_COLUMNS = sizeof sum_columns / sizeof *sum_columns };

static const struct tr_row_type sum_type = {
    .name = "parts",
    .size = sizeof(struct sum),
    .key_size = offsetof(struct sum, during) + sizeof(uint32_t),
    .columns = sum_columns,
    .n_columns = N_SUM_COLUMNS,
    .order = "idle,cause,during",
    .distinct = (size_t)1 << 16,
};

static void columns_of_idle(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, sum_columns, N_SUM_COLUMNS - 1);
}

static void columns_of_cause(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, sum_columns, 1);
    tr_table_columns(t, sum_columns + 2, N_SUM_COLUMNS - 3);
}

struct idle_state {
    struct tr_rows *rows; /* first: tr_rows_first */
    struct tr_analysis_in in;
    struct tr_idle *idle;
    bool during; /* a row for each thing that the host did */
    bool by_launch;
};

static bool see_sums(void *self, const struct tr_idle_gap *gap)
{
    struct idle_state *s = self;
    for (size_t i = 0; i < gap->n_parts; i++) {
        const struct tr_idle_part *p = &gap->parts[i];
        const uint32_t key[] = { gap->group, p->cause, s->during ? p->during : TR_NO_STR };
        struct sum *row = tr_rows_at(s->rows, key);
        if (!row || !tr_sample_add(&row->parts, p->ns))
            return false;
        row->by_launch = s->by_launch;
    }
    return true;
}

static void release(void *state)
{
    struct idle_state *s = state;
    tr_rows_free(s->rows);
    tr_idle_free(s->idle);
}

static enum tr_status start(const struct tr_analysis_in *in, const struct tr_idle_options *o, tr_idle_see *see,
                            const struct tr_row_type *type, void *state, struct tr_error *err)
{
    struct idle_state *s = state;
    s->in = *in;
    s->by_launch = in->select && tr_select_by_launch(in->select);
    enum tr_status st =
        tr_idle_new(&in->work, o->threshold, in->dict, in->summary, in->sorted, in->select, see, s, &s->idle, err);
    if (st == TR_OK)
        st = tr_idle_share(s->idle, in, err);
    if (st != TR_OK)
        return st;
    s->rows = tr_rows_new(type, in, tr_idle_groups(s->idle), o->sums_only);
    return s->rows ? TR_OK : tr_fail_memory(err);
}

static enum tr_status cause_start(const struct tr_analysis_in *in, const void *options, void *state,
                                  struct tr_error *err)
{
    return start(in, options, see_sums, &sum_type, state, err);
}

static enum tr_status idle_start(const struct tr_analysis_in *in, const void *options, void *state,
                                 struct tr_error *err)
{
    ((struct idle_state *)state)->during = true;
    return cause_start(in, options, state, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct idle_state *s = state;
    (void)t;
    return tr_idle_feed(s->idle, b, keep, err);
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    return tr_idle_finish(((struct idle_state *)state)->idle, err);
}

/* A user who looks for the idle time of a step may not expect that it starts with the first work of the step. */
static enum tr_status remark(const struct idle_state *s, bool by_launch, struct tr_error *err)
{
    if (by_launch)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "",
                           "idle time before the first selected work does not count: see tr-breakdown --by step");
    return tr_group_remark_devices(&s->in, tr_idle_groups(s->idle), NULL) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status remark_sums(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct idle_state *s = state;
    bool by_launch = s->by_launch; /* also of partial results */
    (void)t;
    for (size_t i = 0; i < tr_rows_count(s->rows); i++)
        by_launch |= ((const struct sum *)tr_rows_get(s->rows, i))->by_launch != 0;
    return remark(s, by_launch, err);
}

static const struct tr_saved_table saved_sums = { .rows = &sum_type };
static const struct tr_saving sum_saving = {
    .version = 1,
    .whole_ranks = true, /* a gap is between device work and the next of its group */
    .unions = true,
    .tables = &saved_sums,
    .n_tables = 1,
};

const struct tr_idle_options tr_idle_defaults = TR_IDLE_DEFAULTS;
const struct tr_option tr_idle_settings[] = {
    { 0, "threshold", "TIME", TR_OPTION_TIME, offsetof(struct tr_idle_options, threshold), .lo = 0, .hi = INT64_MAX,
      .help = "a shorter wait after the launch is overhead of the device [30us]" },
    { 0, "sums-only", NULL, TR_OPTION_FLAG, offsetof(struct tr_idle_options, sums_only), .hidden = true },
    { 0 },
};

const struct tr_analysis tr_analysis_idle = {
    .name = "idle",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "rank", .y = { "idle" }, .series = "cause" },
    .compares = true,
    .question = "Why were the devices idle, and what did the host do meanwhile?",
    .nothing = "the devices were never idle, or no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr_idle_settings, tr_idle_defaults),
    .needs = { NEEDS },
    .columns = columns_of_idle,
    .state_size = sizeof(struct idle_state),
    .start = idle_start,
    .feed = feed,
    .complete = complete,
    .rows = tr_rows_first,
    .finish = remark_sums,
    .free = release,
    .saving = &sum_saving,
};

const struct tr_analysis tr_analysis_cause = {
    .name = "cause",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "rank", .y = { "idle" }, .series = "cause" },
    .compares = true,
    .question = "Why were the devices idle?",
    .nothing = "the devices were never idle, or no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr_idle_settings, tr_idle_defaults),
    .needs = { NEEDS },
    .columns = columns_of_cause,
    .state_size = sizeof(struct idle_state),
    .start = cause_start,
    .feed = feed,
    .complete = complete,
    .rows = tr_rows_first,
    .finish = remark_sums,
    .free = release,
    .saving = &sum_saving,
};

/* ---- gap by gap ---- */

struct gap {
    uint32_t group, before; /* work that ended last before the gap */
    int64_t at;             /* in the stream; start: in the file, when all ranks are known */
    int64_t start, length, part;
    uint32_t cause, during, after;
    uint64_t by_launch;
};

static const struct tr_table_column gap_columns[] = {
    { "at", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct gap, at) },
    { "by_launch", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct gap, by_launch) },
    /* printed */
    { "start", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct gap, start), .label = true,
      .meaning = "start of the gap, as in its file" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct gap, length), .main = true, .meaning = "its length" },
    { "cause", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct gap, cause), .word = tr_idle_cause_name,
      .n_words = TR_N_IDLE_CAUSES, .meaning = "cause of the largest part of the gap, as in --by cause" },
    { "cause_part", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct gap, part), .extra = true,
      .meaning = "length of that part" },
    { "during", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct gap, during), .names = true,
      .meaning = "what the launching thread did during that part" },
    { "before", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct gap, before), .names = true,
      .meaning = "work that ended last before the gap" },
    { "after", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct gap, after), .names = true,
      .meaning = "work that ends the gap" },
};
enum { N_GAP_COLUMNS = sizeof gap_columns / sizeof *gap_columns, GAP_PRINTED = 2 };

static const struct tr_row_type gap_type = {
    .name = "gaps",
    .size = sizeof(struct gap),
    .key_size = offsetof(struct gap, start),
    .columns = gap_columns,
    .n_columns = N_GAP_COLUMNS,
    .order = "idle,at",
};

static bool see_gap(void *self, const struct tr_idle_gap *gap)
{
    struct idle_state *s = self;
    const struct tr_idle_part *max = &gap->parts[0];
    for (size_t i = 1; i < gap->n_parts; i++)
        max = gap->parts[i].ns > max->ns ? &gap->parts[i] : max;
    const struct gap one = { .group = gap->group,
                             .before = gap->before,
                             .at = gap->start,
                             .start = TR_TIME_NONE,
                             .length = gap->end - gap->start,
                             .part = max->ns,
                             .cause = max->cause,
                             .during = max->during,
                             .after = gap->after,
                             .by_launch = s->by_launch };
    return tr_rows_add(s->rows, &one);
}

static enum tr_status gap_start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    return start(in, options, see_gap, &gap_type, state, err);
}

static enum tr_status gap_complete(void *state, struct tr_error *err)
{
    struct idle_state *s = state;
    enum tr_status st = complete(s, err);
    for (size_t i = 0; st == TR_OK && i < tr_rows_count(s->rows); i++) {
        struct gap *row = tr_rows_get(s->rows, i);
        if (row->start == TR_TIME_NONE)
            row->start = tr_group_file_time(s->in.dict, tr_rows_group(s->rows, row), row->at);
    }
    return st;
}

static enum tr_status remark_gaps(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct idle_state *s = state;
    bool by_launch = s->by_launch;
    (void)t;
    for (size_t i = 0; i < tr_rows_count(s->rows); i++)
        by_launch |= ((const struct gap *)tr_rows_get(s->rows, i))->by_launch != 0;
    return remark(s, by_launch, err);
}

static const struct tr_saved_table saved_gaps = { .rows = &gap_type };
static const struct tr_saving gap_saving = {
    .version = 1,
    .whole_ranks = true,
    .unions = true,
    .tables = &saved_gaps,
    .n_tables = 1,
};

const struct tr_analysis tr_analysis_gap = {
    .name = "gap",
    .chart = &(const struct tr_chart){ TR_CHART_SCATTER, .x = "start", .y = { "idle" }, .series = "cause",
                                       .facet = "rank", .log_y = true },
    .joins = true,
    .compares = true,
    .question = "Which were the longest gaps in the work of the devices, and why?",
    .nothing = "the devices were never idle, or no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr_idle_settings, tr_idle_defaults),
    .needs = { NEEDS },
    .own_columns = gap_columns + GAP_PRINTED,
    .n_columns = N_GAP_COLUMNS - GAP_PRINTED,
    .state_size = sizeof(struct idle_state),
    .start = gap_start,
    .feed = feed,
    .complete = gap_complete,
    .rows = tr_rows_first,
    .finish = remark_gaps,
    .free = release,
    .saving = &gap_saving,
};
