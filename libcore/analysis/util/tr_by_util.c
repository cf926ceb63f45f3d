/* SPDX-License-Identifier: MIT */
/* How busy was each rank, device or stream over time? */
#include "analysis/util/tr_time_bins.h"
#include "analysis/util/tr_util_analyses.h"
#include "analysis/util/tr_util_int.h"
#include "analysis/util/tr_util_samples.h"
#include "base/tr_interval.h"

#include <math.h>
#include <stdlib.h>

/* Sums of a bin: lengths of unions, then the values and the number of samples of each activity. */
enum { BUSY, COMPUTE, COMM, N_UNIONS, SAMPLES = N_UNIONS, N_SUMS = SAMPLES + 2 * TR_N_UTIL_ACTIVITIES };

/* The unions of a group so far. */
struct use {
    struct tr_union of[N_UNIONS];
    int64_t first;
};

struct util {
    struct tr_analysis_in in;
    struct tr_group_by work;
    struct tr_time_bins bins;
    struct tr_util_samples samples;
    struct use *uses; /* by group */
    size_t n_uses, cap_uses;
};

static void release(void *state)
{
    struct util *s = state;
    tr_group_by_free(&s->work);
    tr_time_bins_free(&s->bins);
    tr_util_samples_free(&s->samples);
    free(s->uses);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    const struct tr_util_options *o = options;
    struct util *s = state;
    s->in = *in;
    if (!tr_time_bins_init(&s->bins, o->bin, N_SUMS, &s->in, &s->work) ||
        !tr_util_samples_init(&s->samples, in->dict))
        return tr_fail_memory(err);
    return tr_group_by_init(&s->work, &in->work, in->dict, in->summary, in->sorted, in->select, err);
}

static bool more_uses(struct util *s)
{
    static const struct use fresh = { { TR_UNION_INIT, TR_UNION_INIT, TR_UNION_INIT }, INT64_MAX };
    if (!tr_grow(&s->uses, &s->cap_uses, s->work.n_groups, sizeof *s->uses))
        return false;
    while (s->n_uses < s->work.n_groups)
        s->uses[s->n_uses++] = fresh;
    return true;
}

/* Count the part of an interval that is new in its union. */
static bool add(struct util *s, const struct tr_group_by_item *item, unsigned sum)
{
    struct tr_union *u = &s->uses[item->group].of[sum];
    int64_t from = item->start > u->end_ns ? item->start : u->end_ns;
    tr_union_add(u, item->start, item->end);
    return from >= item->end || tr_time_bins_add(&s->bins, item->group, sum, from, item->end);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct util *s = state;
    struct tr_group_by_item item;
    enum tr_status st = tr_group_by_batch(&s->work, b, keep, err);
    bool ok = true;
    (void)t;
    for (size_t i = 0; st == TR_OK && ok && i < b->n; i++) {
        if (!tr_group_by_counts(&s->work, i))
            continue;
        ok = tr_group_by_item(&s->work, i, &item) && more_uses(s) &&
             tr_time_bins_work(&s->bins, item.group, item.start, item.end);
        if (!ok)
            return tr_fail_memory(err);
        struct use *u = &s->uses[item.group];
        u->first = item.start < u->first ? item.start : u->first;
        ok = add(s, &item, BUSY) && (b->kind[i] != TR_KIND_COMPUTE || add(s, &item, COMPUTE)) &&
             (b->kind[i] != TR_KIND_COMM || add(s, &item, COMM));
    }
    if (st == TR_OK && !ok)
        return tr_time_bins_fail(&s->bins, err);
    return st != TR_OK || tr_util_samples_batch(&s->samples, b, keep) ? st : tr_fail_memory(err);
}

/* ---- rows ---- */

struct row {
    int64_t start, window, busy, compute, comm;
    double active[TR_N_UTIL_ACTIVITIES]; /* percent; NaN: there is no sample */
};

static const struct tr_table_column columns[] = {
    { "bin_start", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct row, start), .label = true,
      .meaning = "start of the bin, from the start of the job" },
    { "busy_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "busy", .per = "window", .main = true,
      .meaning = "share of the bin with any device work" },
    { "compute_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "compute", .per = "window",
      .meaning = "share with compute" },
    { "comm_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "comm", .per = "window",
      .meaning = "share with communication" },
    { "sm_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, TR_OF(struct row, active[TR_UTIL_SM]), .unit = "%",
      .quiet = TR_QUIET_0, .meaning = "mean of the samples of the activity of multiprocessors in it" },
    { "tensor_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, TR_OF(struct row, active[TR_UTIL_TENSOR]), .unit = "%",
      .quiet = TR_QUIET_0, .meaning = "the same of tensor cores" },
    { "window", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, window), .extra = true,
      .meaning = "the part of the bin between the first and the last work of the rank, or in the window" },
    { "busy", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, busy), .extra = true, .meaning = "any device work ran" },
    { "compute", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, compute), .extra = true, .meaning = "compute ran" },
    { "comm", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, comm), .extra = true, .meaning = "communication ran" },
};

static double mean_of(const struct util *s, uint32_t group, int64_t n, enum tr_util_activity activity)
{
    uint64_t sum = tr_time_bins_sum(&s->bins, group, SAMPLES + 2 * (size_t)activity, n);
    uint64_t samples = tr_time_bins_sum(&s->bins, group, SAMPLES + 2 * (size_t)activity + 1, n);
    return samples ? (double)sum / 1e6 / (double)samples : (double)NAN;
}

static enum tr_status rows_of(const struct util *s, struct tr_table *t, uint32_t group, struct tr_range span,
                              struct tr_error *err)
{
    enum tr_status st = TR_OK;
    int64_t length = tr_time_bins_length(&s->bins), last = tr_time_bins_number(&s->bins, group, span.to - 1);
    for (int64_t n = tr_time_bins_number(&s->bins, group, span.from); st == TR_OK && n <= last; n++) {
        struct tr_range bin = tr_time_bins_range(&s->bins, group, n);
        const struct row row = {
            .start = n * length,
            .window = (bin.to < span.to ? bin.to : span.to) - (bin.from > span.from ? bin.from : span.from),
            .busy = (int64_t)tr_time_bins_sum(&s->bins, group, BUSY, n),
            .compute = (int64_t)tr_time_bins_sum(&s->bins, group, COMPUTE, n),
            .comm = (int64_t)tr_time_bins_sum(&s->bins, group, COMM, n),
            .active = { mean_of(s, group, n, TR_UTIL_SM), mean_of(s, group, n, TR_UTIL_TENSOR) },
        };
        tr_table_row(t, &(struct tr_row){ .group = &s->work.groups[group], .row = &row });
        st = tr_table_status(t, err);
    }
    return st;
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct util *s = state;
    enum tr_status st = tr_group_by_finish(&s->work, err);
    if (st != TR_OK)
        return st;
    struct tr_range *spans = calloc(s->work.n_groups + 1, sizeof *spans);
    uint32_t *order = tr_group_by_order(&s->work);
    bool ok = spans && order && more_uses(s);
    for (size_t g = 0; ok && g < s->n_uses; g++)
        spans[g] = (struct tr_range){ s->uses[g].first, s->uses[g].of[BUSY].end_ns };
    ok = ok && tr_util_spans(&s->work, order, spans, &s->bins) && tr_group_remark_devices(&s->in, &s->work, NULL);
    size_t n = s->work.n_groups;
    st = ok ? tr_util_room(&s->bins, spans, n, err) : tr_fail_memory(err);
    if (st == TR_OK && !tr_util_samples_add(&s->samples, &s->work, spans, n, &s->bins, SAMPLES))
        st = tr_time_bins_fail(&s->bins, err);
    for (size_t i = 0; st == TR_OK && i < n; i++)
        if (spans[order[i]].from < spans[order[i]].to)
            st = rows_of(s, t, order[i], spans[order[i]], err);
    free(spans);
    free(order);
    tr_time_bins_remark(&s->bins);
    return st;
}

static const struct tr_util_options defaults = { .bin = 0 };
static const struct tr_option options[] = {
    TR_UTIL_BIN(struct tr_util_options),
    { 0 },
};

#define UTIL(one, which, asks, axis, panel)                                                                         \
    const struct tr_analysis tr_analysis_util_##one = {                                                             \
        .name = #one,                                                                                               \
        .chart = &(const struct tr_chart){ TR_CHART_HEAT, .x = "bin_start", .y = { axis, "busy_pct" },              \
                                           .facet = panel },                                                        \
        .question = (asks),                                                                                         \
        .nothing = "no device work is selected",                                                                    \
        .groups = TR_PER_BIT(which),                                                                                \
        .group = (which),                                                                                           \
        TR_OPTIONS(options, defaults),                                                                              \
        .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_UTIL_SAMPLES_FIXED, TR_UTIL_SAMPLES_KEYS,              \
                             .any_rank_order = true } },                                                            \
        TR_OWN_COLUMNS(columns),                                                                                    \
        .state_size = sizeof(struct util),                                                                          \
        .start = start,                                                                                             \
        .feed = feed,                                                                                               \
        .finish = finish,                                                                                           \
        .free = release,                                                                                            \
        .unsaved = TR_UTIL_UNSAVED,                                                                                 \
    }

UTIL(rank, TR_PER_RANK, "How busy was each rank over time?", "rank", NULL);
UTIL(device, TR_PER_DEVICE, "How busy was each device over time?", "device", "rank");
UTIL(stream, TR_PER_STREAM, "How busy was each stream over time?", "stream", "rank");
