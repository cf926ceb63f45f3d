/* SPDX-License-Identifier: MIT */
/* How long did launches take, and how long until their work started? */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/calls/tr_launches.h"
#include "engine/tr_rows.h"
#include "stream/tr_args.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char nothing[] = "no device work whose launch is known is selected";

/* ---- by the name of the call ---- */

struct call {
    uint32_t group, api;
    int64_t calls; /* selected calls that launched device work; TR_I64_NONE in groups by device or stream */
    uint64_t launches, negative;     /* all pairs; the negative ones among them */
    uint64_t short_kernels;          /* pairs whose work is shorter than the call, and the call at most cpu_cutoff */
    uint64_t slow_calls;             /* pairs whose call is longer than cpu_cutoff */
    uint64_t late_starts;            /* pairs whose queue is longer than queue_cutoff */
    struct tr_stats cpu, gpu, total; /* of pairs that have the value */
    struct tr_sample queue;          /* of the same pairs as start_latency: those in which both values fit */
    struct tr_stats start_latency;
    double stream_wait; /* mean */
};

static const struct tr_table_column call_columns[] = {
    { "api", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct call, api), .meaning = "the call" },
    { "launches", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct call, launches),
      .meaning = "number of kernels, copies and memsets that it launched" },
    { "cpu_mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct call, cpu), .per = "launches",
      .meaning = "mean duration of the call" },
    { "queue_mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct call, queue), .per = "launches",
      .meaning = "mean time from the end of the call to the start of the work" },
    { "gpu_mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct call, gpu), .per = "launches",
      .meaning = "mean duration of the work" },
    { "total_mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct call, total), .per = "launches", .extra = true,
      .meaning = "mean of cpu + queue + gpu" },
    { "stream_wait_mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct call, stream_wait), .per = "launches",
      .meaning = "part of queue_mean: waiting for earlier work on the stream" },
    { "start_latency_mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct call, start_latency), .per = "launches",
      .meaning = "the rest of queue_mean: the stream was free" },
    { "queue_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct call, queue), .percent = 50,
      .meaning = "median from the end of the call to the start of the work" },
    { "queue_p99", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct call, queue), .percent = 99,
      .meaning = "99th percentile of the same" },
    { "short_kernels", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct call, short_kernels), .quiet = TR_QUIET_0,
      .meaning = "number of kernels and copies shorter than their call" },
    { "slow_calls", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct call, slow_calls), .quiet = TR_QUIET_0,
      .meaning = "number of calls longer than --cpu-cutoff" },
    { "late_starts", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct call, late_starts), .quiet = TR_QUIET_0,
      .meaning = "number of calls with a queue longer than --queue-cutoff" },
    { "negative", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct call, negative), .quiet = TR_QUIET_0,
      .meaning = "work that starts before its call; left out of means and percentiles" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct call, calls), .extra = true,
      .meaning = "number of calls that launched work" },
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct call, queue), .quiet = TR_QUIET_0,
      .meaning = "1: percentiles are approximate, to 2^-11 of their value" },
};

static const struct tr_row_type call_type = {
    .name = "calls",
    .size = sizeof(struct call),
    .key_size = offsetof(struct call, calls),
    .columns = call_columns,
    .n_columns = sizeof call_columns / sizeof *call_columns,
    .order = "launches,api",
    .distinct = (size_t)1 << 20,
};

struct calls {
    struct tr_rows *rows; /* first: tr_rows_first */
    const struct tr_launch_options *options;
    enum tr_per per;
    struct tr_pairs pairs;
};

static void calls_needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME);
    n->want.derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_DUR | 1u << TR_COL_LAUNCH_NAME;
    n->want.any_rank_order = true;
}

static void calls_free(void *state)
{
    struct calls *s = state;
    tr_rows_free(s->rows);
    tr_pairs_free(&s->pairs);
}

static enum tr_status calls_start(const struct tr_analysis_in *in, const void *options, void *state,
                                  struct tr_error *err)
{
    struct calls *s = state;
    s->options = options;
    s->per = in->work.per;
    if (!(s->rows = tr_rows_new(&call_type, in, &s->pairs.streams.groups, s->options->means_only)))
        return tr_fail_memory(err);
    return tr_pairs_init(&s->pairs, &in->work, in->dict, in->summary, in->sorted, in->select, err);
}

static struct call *call_of(struct calls *s, uint32_t group, uint32_t api)
{
    return tr_rows_at(s->rows, (const uint32_t[]){ group, api });
}

static bool add_pair(struct calls *s, const struct tr_launch_pair *p)
{
    const struct tr_launch_options *o = s->options;
    struct call *r = call_of(s, p->group, p->api);
    if (!r)
        return false;
    r->launches++;
    if (p->negative) {
        r->negative++;
        return true;
    }
    if (p->cpu != TR_TIME_NONE) {
        tr_stats_add(&r->cpu, p->cpu);
        r->short_kernels += p->cpu <= o->cpu_cutoff && p->gpu != TR_TIME_NONE && p->gpu < p->cpu;
        r->slow_calls += p->cpu > o->cpu_cutoff;
    }
    tr_stats_add_known(&r->gpu, p->gpu);
    tr_stats_add_known(&r->total, p->total);
    if (p->queue == TR_TIME_NONE) /* if the queue time fits, so do its parts */
        return true;
    tr_stats_add(&r->start_latency, p->start_latency);
    r->late_starts += p->queue > o->queue_cutoff;
    return tr_sample_add(&r->queue, p->queue);
}

/* Calls belong to a rank and a step, but to no device. */
static bool of_device(const struct calls *s)
{
    return s->per == TR_PER_DEVICE || s->per == TR_PER_STREAM;
}

static bool count_calls(struct calls *s, const struct tr_batch *b, const uint8_t *keep)
{
    uint32_t group;
    for (size_t i = 0; i < b->n && !of_device(s); i++) {
        if (!(b->flags[i] & TR_HAS_DEVICE) || (keep && !keep[i]))
            continue;
        struct call *r = tr_group_by_group(&s->pairs.streams.groups, i, &group) ? call_of(s, group, b->name[i]) : NULL;
        if (!r)
            return false;
        r->calls++;
    }
    return true;
}

static enum tr_status calls_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                 struct tr_error *err)
{
    struct calls *s = state;
    (void)t;
    enum tr_status st = tr_pairs_batch(&s->pairs, b, keep, err);
    bool ok = st == TR_OK && count_calls(s, b, keep);
    for (size_t i = 0; ok && i < s->pairs.n; i++)
        ok = add_pair(s, &s->pairs.pairs[i]);
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

/* Means of the whole and of one part are rounded.  The other part is the difference, so they add up as shown. */
static enum tr_status calls_complete(void *state, struct tr_error *err)
{
    struct calls *s = state;
    (void)err;
    for (size_t i = 0; i < tr_rows_count(s->rows); i++) {
        struct call *r = tr_rows_get(s->rows, i);
        r->stream_wait = round(tr_stats_mean(&r->queue.stats)) - round(tr_stats_mean(&r->start_latency));
        r->calls = of_device(s) ? TR_I64_NONE : r->calls;
    }
    return TR_OK;
}

/* All of its work is suspect. */
static bool no_launches(void *self, const void *row)
{
    (void)self;
    return !((const struct call *)row)->launches;
}

static void calls_cut(const void *options, struct tr_rows_cut *cut)
{
    (void)options;
    cut->skip = no_launches;
}

static const struct tr_launch_options defaults = TR_LAUNCH_DEFAULTS;
static const struct tr_option call_options[] = {
    { 0, "cpu-cutoff", "TIME", TR_OPTION_TIME, offsetof(struct tr_launch_options, cpu_cutoff), .hi = INT64_MAX,
      .help = "calls longer than this are slow [50us]" },
    { 0, "queue-cutoff", "TIME", TR_OPTION_TIME, offsetof(struct tr_launch_options, queue_cutoff), .hi = INT64_MAX,
      .help = "work that starts later than this after its call is late [100us]" },
    { 0, "means-only", NULL, TR_OPTION_FLAG, offsetof(struct tr_launch_options, means_only), .hidden = true },
    { 0 },
};
const struct tr_launch_options tr_launch_means = { .cpu_cutoff = 50000, .queue_cutoff = 100000, .means_only = true };

const struct tr_analysis tr_analysis_api = {
    .name = "api",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "api", .y = { "cpu_mean", "queue_mean", "gpu_mean" },
                                       .facet = "rank" },
    .question = "How long did launches take, and their work to start?",
    .nothing = nothing,
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(call_options, defaults),
    .more = calls_needs,
    TR_OWN_COLUMNS(call_columns),
    .state_size = sizeof(struct calls),
    .start = calls_start,
    .feed = calls_feed,
    .complete = calls_complete,
    .rows = tr_rows_first,
    .cut = calls_cut,
    .free = calls_free,
    /* work on one stream waits for earlier work there */
    .saving = &(const struct tr_saving){ .version = 4, .whole_ranks = true, TR_SAVED_ROWS(call_type) },
};

/* ---- one by one ---- */

struct each {
    struct tr_analysis_in in;
    struct tr_pairs pairs;
    struct tr_arg correlation, corr_id; /* corr_id: of rocprofv3 */
    int64_t *launch_record;
    size_t cap_record;
};

struct one {
    struct tr_launch_pair pair;
    uint32_t name;
    int64_t correlation;
    uint64_t record, launch_record;
};

static const struct tr_table_column each_columns[] = {
    { "correlation", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct one, correlation), .extra = true,
      .meaning = "correlation number of the call and its work" },
    { "api", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct one, pair.api), .meaning = "the call" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct one, name), .names = true, .meaning = "the work" },
    { "cpu", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct one, pair.cpu), .meaning = "duration of the call" },
    { "queue", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct one, pair.queue), .main = true,
      .meaning = "from the end of the call to the start of the work, not below 0" },
    { "gpu", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct one, pair.gpu), .meaning = "duration of the work" },
    { "total", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct one, pair.total), .extra = true,
      .meaning = "cpu + queue + gpu" },
    { "stream_wait", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct one, pair.stream_wait),
      .meaning = "part of queue: waiting for earlier work on the stream" },
    { "start_latency", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct one, pair.start_latency),
      .meaning = "the rest of queue: the stream was free" },
    { "negative", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct one, pair.negative), .quiet = TR_QUIET_0,
      .meaning = "1: the work starts before its call" },
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct one, record), .extra = true,
      .meaning = "index of the work in its file" },
    { "launch_record", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct one, launch_record), .extra = true,
      .meaning = "index of the call in its file" },
};

static void each_columns_of(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_group_columns(t, TR_PER_STREAM);
    tr_table_columns(t, each_columns, sizeof each_columns / sizeof *each_columns);
}

static void each_needs(const void *options, struct tr_needs *n)
{
    static const char *const keys[] = { "correlation", "corr_id" };
    calls_needs(options, n);
    n->want.fixed |= TR_FIXED_BIT(RECORD);
    n->want.derived |= 1u << TR_COL_LAUNCH_RECORD;
    n->want.keys = keys;
    n->want.n_keys = sizeof keys / sizeof *keys;
    n->want.any_rank_order = false; /* rows come in the order of the work */
}

static void each_free(void *state)
{
    struct each *e = state;
    tr_pairs_free(&e->pairs);
    tr_arg_free(&e->correlation);
    tr_arg_free(&e->corr_id);
    free(e->launch_record);
}

static enum tr_status each_start(const struct tr_analysis_in *in, const void *options, void *state,
                                 struct tr_error *err)
{
    struct tr_group_by_opts work = in->work;
    struct each *e = state;
    (void)options;
    e->in = *in;
    work.per = TR_PER_STREAM;
    return tr_pairs_init(&e->pairs, &work, in->dict, in->summary, in->sorted, in->select, err);
}

static enum tr_status each_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                struct tr_error *err)
{
    struct each *e = state;
    enum tr_status st = tr_pairs_batch(&e->pairs, b, keep, err);
    if (st != TR_OK)
        return st;
    if (!tr_grow(&e->launch_record, &e->cap_record, b->n, sizeof *e->launch_record) ||
        !tr_arg_read(&e->correlation, b, TR_PLACE_ARGS, "correlation") ||
        !tr_arg_read(&e->corr_id, b, TR_PLACE_ARGS, "corr_id"))
        return tr_fail_memory(err);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, 0, e->launch_record);
    for (size_t k = 0; k < e->pairs.n; k++) {
        const struct tr_launch_pair *p = &e->pairs.pairs[k];
        struct one row = { .pair = *p,
                           .name = b->name[p->event],
                           .correlation = tr_arg_int(&e->correlation, p->event),
                           .record = b->record[p->event],
                           .launch_record = (uint64_t)e->launch_record[p->event] };
        if (row.correlation == TR_I64_NONE)
            row.correlation = tr_arg_int(&e->corr_id, p->event);
        tr_analysis_at(&e->in, b->dict->tracks[b->track[p->event]].source, b->ts[p->event],
                       tr_order_dur(b->dur[p->event], b->suspect[p->event]));
        tr_table_row(t, &(struct tr_row){ .group = &e->pairs.streams.groups.groups[p->group], .row = &row });
    }
    return TR_OK;
}

const struct tr_analysis tr_analysis_launch = {
    .name = "launch",
    .chart = &(const struct tr_chart){ TR_CHART_SCATTER, .x = "cpu", .y = { "queue" }, .series = "api",
                                       .facet = "rank", .log_x = true, .log_y = true },
    .question = "How long after its launch did each kernel, copy or memset start?",
    .nothing = nothing,
    .groups = 0,
    .group = TR_PER_STREAM,
    TR_OPTIONS(NULL, defaults),
    .more = each_needs,
    .columns = each_columns_of,
    .state_size = sizeof(struct each),
    .start = each_start,
    .feed = each_feed,
    .free = each_free,
    .saving = &tr_saving_times,
};
