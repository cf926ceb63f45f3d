/* SPDX-License-Identifier: MIT */
/*
 * Why were device streams idle?  The gaps between consecutive work on a stream, by cause.
 *
 * A gap is the time from the end of all earlier work of the stream (the running maximum of ends) to the start of the
 * next work.  If work overlaps or follows immediately, the gap has length 0, and still counts as a gap, as in Holistic
 * Trace Analysis.  Its cause is the first one that applies:
 *
 *   host_wait    the work was launched after all earlier work of the stream had ended: the host was late
 *   kernel_wait  the gap is shorter than a threshold: the device needs some time between two kernels
 *   other        any longer gap, also before work whose launch is unknown
 *
 * The whole gap belongs to its cause.  The time before the first work of a stream is not a gap.  With a window
 * (--time), intervals are clipped first.  A stream belongs to a device of a rank.  Groups larger than a stream add up
 * the gaps of their streams.  In groups by step, a gap belongs to the step of the work after it.  Each group with
 * device work has all causes.
 *
 * One pass over events in canonical order.  Memory: some 100 bytes per stream, and a histogram per group and cause.
 */
#include "analysis/time/tr_queue_ends.h"
#include "analysis/time/tr_time_analyses.h"
#include "base/tr_mem.h"
#include "engine/tr_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum cause { HOST_WAIT, KERNEL_WAIT, OTHER, N_CAUSES };

static const char *cause_name(unsigned cause)
{
    static const char *const names[N_CAUSES] = { "host_wait", "kernel_wait", "other" };
    return names[cause];
}

struct row {
    uint32_t group, cause;
    int64_t idle; /* 0 without gaps; TR_TIME_NONE: it does not fit */
    struct tr_sample gaps;
};

static const struct tr_table_column columns[] = {
    { "cause", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, cause), .word = cause_name, .n_words = N_CAUSES,
      .meaning = "what the stream waited for" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, idle), .meaning = "sum of the gaps" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "idle",
      .meaning = "share of all gaps of the group" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, gaps),
      .meaning = "number of gaps, also of length 0" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, TR_OF(struct row, gaps), .of = "idle", .per = "count",
      .meaning = "mean gap" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct row, gaps), .extra = true,
      .meaning = "standard deviation of the sample" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct row, gaps), .extra = true, .meaning = "shortest gap" },
    { "p25", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct row, gaps), .percent = 25, .extra = true,
      .meaning = "25th percentile of the gaps" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct row, gaps), .percent = 50, .extra = true,
      .meaning = "median gap" },
    { "p75", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct row, gaps), .percent = 75, .extra = true,
      .meaning = "75th percentile of the gaps" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct row, gaps), .meaning = "longest gap" },
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct row, gaps), .quiet = TR_QUIET_0,
      .meaning = "1: percentiles are approximate, to 2^-11 of their value" },
};

static const struct tr_row_type type = {
    .name = "gaps",
    .size = sizeof(struct row),
    .key_size = offsetof(struct row, idle),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "cause",
    .distinct = (size_t)1 << 18,
};

struct stream_idle_state {
    struct tr_rows *rows; /* first: tr_rows_first */
    struct tr_queue_ends streams;
    size_t n_groups; /* that have rows */
    int64_t threshold;
    int64_t *launch_ts; /* of this batch */
    size_t cap_launch;
};

static void release(void *state)
{
    struct stream_idle_state *s = state;
    tr_rows_free(s->rows);
    tr_queue_ends_free(&s->streams);
    free(s->launch_ts);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    const struct tr_idle_options *o = options;
    struct stream_idle_state *s = state;
    s->threshold = o->threshold;
    if (!(s->rows = tr_rows_new(&type, in, &s->streams.groups, false)))
        return tr_fail_memory(err);
    return tr_queue_ends_init(&s->streams, &in->work, in->dict, in->summary, in->sorted, in->select, err);
}

static enum cause cause_of(const struct stream_idle_state *s, int64_t launch, int64_t end, int64_t gap)
{
    if (launch != TR_TIME_NONE && launch > end)
        return HOST_WAIT;
    return gap < s->threshold ? KERNEL_WAIT : OTHER;
}

static struct row *row_of(struct stream_idle_state *s, uint32_t group, enum cause cause)
{
    return tr_rows_at(s->rows, (const uint32_t[]){ group, cause });
}

/* Add device work.  False: out of memory. */
static bool add_work(struct stream_idle_state *s, size_t i)
{
    struct tr_queue_ends_item item;
    if (!tr_queue_ends_item(&s->streams, i, &item))
        return false;
    for (; s->n_groups <= item.work.group; s->n_groups++)
        for (unsigned c = 0; c < N_CAUSES; c++)
            if (!row_of(s, (uint32_t)s->n_groups, (enum cause)c))
                return false;
    if (item.before == TR_TIME_NONE)
        return true;
    int64_t gap = item.work.start > item.before ? tr_time_diff(item.work.start, item.before) : 0;
    if (gap == TR_TIME_NONE)
        return true;
    struct row *row = row_of(s, item.work.group, cause_of(s, s->launch_ts[i], item.before, gap));
    if (!row || !tr_sample_add(&row->gaps, gap))
        return false;
    row->idle = tr_time_sum(row->idle, gap);
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct stream_idle_state *s = state;
    (void)t;
    enum tr_status st = tr_queue_ends_batch(&s->streams, b, keep, err);
    if (st != TR_OK)
        return st;
    if (!tr_grow(&s->launch_ts, &s->cap_launch, b->n, sizeof *s->launch_ts))
        return tr_fail_memory(err);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, s->launch_ts);
    for (size_t i = 0; i < b->n; i++)
        if (tr_group_by_counts(&s->streams.groups, i) && !add_work(s, i))
            return tr_fail_memory(err);
    return TR_OK;
}

const struct tr_analysis tr_analysis_stream_idle = {
    .name = "stream-idle",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "stream", .y = { "idle" }, .series = "cause",
                                       .facet = "device" },
    .question = "Why were the streams of the devices idle?",
    .nothing = "no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_STREAM,
    TR_OPTIONS(tr_idle_settings, tr_idle_defaults),
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED, .any_rank_order = true } },
    TR_OWN_COLUMNS(columns),
    .state_size = sizeof(struct stream_idle_state),
    .start = start,
    .feed = feed,
    .rows = tr_rows_first,
    .free = release,
    /* a gap is between device work and the next of its stream */
    .saving = &(const struct tr_saving){ .version = 3, .whole_ranks = true, TR_SAVED_ROWS(type) },
};
