/* SPDX-License-Identifier: MIT */
/* How long did launches take, and how long until their work started? */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/calls/tr_launches.h"
#include "stream/tr_args.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char nothing[] = "no device work whose launch is known is selected";

/* ---- once for all analyses with the same options ---- */

static enum tr_status launches_start(const struct tr_analysis_in *in, const void *options, void **state,
                                     struct tr_error *err)
{
    struct tr_launches *launches = NULL;
    enum tr_status st = tr_launches_new(options, in->dict, in->summary, in->sorted, in->select, &launches, err);
    *state = launches;
    return st;
}

static enum tr_status launches_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    return tr_launches_feed(state, b, keep, err);
}

static void launches_free(void *state)
{
    tr_launches_free(state);
}

static const struct tr_service launches_service = {
    .name = "launches",
    .options_size = sizeof(struct tr_launches_opts),
    .start = launches_start,
    .feed = launches_feed,
    .free = launches_free,
};

/* ---- by the name of the call ---- */

struct calls {
    const struct tr_launch_options *options;
    enum tr_per per;
    void *launches; /* owner: the run */
};

static const struct tr_table_column call_columns[] = {
    { "api", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the call" },
    { "launches", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of kernels, copies and memsets that it launched" },
    { "cpu_mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "mean duration of the call" },
    { "queue_mean", TR_CELL_TIME, TR_ROLE_QUANTILE,
      .meaning = "mean time from the end of the call to the start of the work" },
    { "gpu_mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "mean duration of the work" },
    { "total_mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "mean of cpu + queue + gpu" },
    { "stream_wait_mean", TR_CELL_TIME, TR_ROLE_QUANTILE,
      .meaning = "part of queue_mean: waiting for earlier work on the stream" },
    { "start_latency_mean", TR_CELL_TIME, TR_ROLE_QUANTILE,
      .meaning = "the rest of queue_mean: the stream was free" },
    { "queue_p50", TR_CELL_TIME, TR_ROLE_QUANTILE,
      .meaning = "median from the end of the call to the start of the work" },
    { "queue_p99", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "99th percentile of the same" },
    { "short_kernels", TR_CELL_COUNT, TR_ROLE_COUNT, .quiet = TR_QUIET_0,
      .meaning = "number of kernels and copies shorter than their call" },
    { "slow_calls", TR_CELL_COUNT, TR_ROLE_COUNT, .quiet = TR_QUIET_0,
      .meaning = "number of calls longer than --cpu-cutoff" },
    { "late_starts", TR_CELL_COUNT, TR_ROLE_COUNT, .quiet = TR_QUIET_0,
      .meaning = "number of calls with a queue longer than --queue-cutoff" },
    { "negative", TR_CELL_COUNT, TR_ROLE_COUNT, .quiet = TR_QUIET_0,
      .meaning = "work that starts before its call; left out of means and percentiles" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, .extra = true, .meaning = "number of calls that launched work" },
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, .quiet = TR_QUIET_0,
      .meaning = "1: percentiles are approximate, to 2^-11 of their value" },
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
    free(state);
}

static enum tr_status calls_start(const struct tr_analysis_in *in, const void *options, void **state,
                                  struct tr_error *err)
{
    struct tr_launches_opts opts;
    struct calls *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->options = options;
    memset(&opts, 0, sizeof opts); /* services are compared by bytes */
    opts.work.per = s->per = in->work.per;
    opts.work.suspect = in->work.suspect;
    opts.cpu_cutoff = s->options->cpu_cutoff;
    opts.queue_cutoff = s->options->queue_cutoff;
    opts.distinct = in->distinct;
    opts.means_only = s->options->means_only;
    return tr_service_get(in, &launches_service, &opts, &s->launches, err);
}

/* Means of the whole and of one part are rounded.  The other part is the difference, so they add up as shown. */
static void calls_row(struct tr_table *t, enum tr_per per, const struct tr_launches_row *r)
{
    double queue = round(tr_stats_mean(&r->queue)), latency = round(tr_stats_mean(&r->start_latency));
    tr_group_cells(t, per, &r->key);
    tr_table_text(t, r->api);
    tr_table_count(t, r->pairs);
    tr_table_time_f(t, tr_stats_mean(&r->cpu));
    tr_table_time_f(t, queue);
    tr_table_time_f(t, tr_stats_mean(&r->gpu));
    tr_table_time_f(t, tr_stats_mean(&r->total));
    tr_table_time_f(t, queue - latency);
    tr_table_time_f(t, latency);
    tr_table_time_f(t, r->queues ? tr_hist_quantile(r->queues, 50, 100) : NAN);
    tr_table_time_f(t, r->queues ? tr_hist_quantile(r->queues, 99, 100) : NAN);
    tr_table_count(t, r->short_kernels);
    tr_table_count(t, r->slow_calls);
    tr_table_count(t, r->late_starts);
    tr_table_count(t, r->negative);
    if (per == TR_PER_DEVICE || per == TR_PER_STREAM) /* a call belongs to none */
        tr_table_absent(t);
    else
        tr_table_count(t, r->calls);
    tr_table_count(t, r->queues && tr_hist_approx(r->queues));
}

static enum tr_status calls_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct calls *s = state;
    const struct tr_launches_row *rows;
    size_t n;
    enum tr_status st = tr_launches_finish(s->launches, &rows, &n, err);
    for (size_t i = 0; st == TR_OK && i < n; i++)
        calls_row(t, s->per, &rows[i]);
    return st;
}

static enum tr_status calls_options_text(const void *options, struct tr_buf *text, struct tr_error *err)
{
    const struct tr_launch_options *o = options;
    char line[80];
    snprintf(line, sizeof line, "cpu_cutoff=%" PRId64 " queue_cutoff=%" PRId64, o->cpu_cutoff, o->queue_cutoff);
    return tr_buf_add_str(text, line) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status calls_save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    const struct calls *s = state;
    if (s->options->means_only)
        return tr_fail(err, TR_USAGE, "means of launches alone are not kept as a partial result");
    tr_launches_save(s->launches, out);
    return TR_OK;
}

static enum tr_status calls_load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct calls *s = state;
    return tr_launches_load(s->launches, in, err);
}

static const struct tr_saving calls_saving = {
    .version = 3,
    .whole_ranks = true, /* work on one stream waits for earlier work there */
    .tables = &tr_launches_saved,
    .n_tables = 1,
    .options_text = calls_options_text,
    .save = calls_save,
    .load = calls_load,
};

static const struct tr_launch_options defaults = TR_LAUNCH_DEFAULTS;
static const struct tr_option call_options[] = {
    { 0, "cpu-cutoff", "TIME", TR_OPTION_TIME, offsetof(struct tr_launch_options, cpu_cutoff), .hi = INT64_MAX,
      .help = "calls longer than this are slow [50us]" },
    { 0, "queue-cutoff", "TIME", TR_OPTION_TIME, offsetof(struct tr_launch_options, queue_cutoff), .hi = INT64_MAX,
      .help = "work that starts later than this after its call is late [100us]" },
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
    .needs = calls_needs,
    TR_OWN_COLUMNS(call_columns),
    .start = calls_start,
    .finish = calls_finish,
    .free = calls_free,
    .saving = &calls_saving,
};

/* ---- one by one ---- */

struct each {
    struct tr_pairs pairs;
    struct tr_arg correlation, corr_id; /* corr_id: of rocprofv3 */
    int64_t *launch_record;
    size_t cap_record;
};

static const struct tr_table_column each_columns[] = {
    { "correlation", TR_CELL_INT, TR_ROLE_KEY, .extra = true,
      .meaning = "correlation number of the call and its work" },
    { "api", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "the call" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "the work" },
    { "cpu", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "duration of the call" },
    { "queue", TR_CELL_TIME, TR_ROLE_SUM, .main = true,
      .meaning = "from the end of the call to the start of the work, not below 0" },
    { "gpu", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "duration of the work" },
    { "total", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "cpu + queue + gpu" },
    { "stream_wait", TR_CELL_TIME, TR_ROLE_SUM,
      .meaning = "part of queue: waiting for earlier work on the stream" },
    { "start_latency", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "the rest of queue: the stream was free" },
    { "negative", TR_CELL_COUNT, TR_ROLE_COUNT, .quiet = TR_QUIET_0,
      .meaning = "1: the work starts before its call" },
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, .extra = true, .meaning = "index of the work in its file" },
    { "launch_record", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, .meaning = "index of the call in its file" },
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
    free(e);
}

static enum tr_status each_start(const struct tr_analysis_in *in, const void *options, void **state,
                                 struct tr_error *err)
{
    struct tr_group_by_opts work = in->work;
    struct each *e = *state = calloc(1, sizeof *e);
    (void)options;
    if (!e)
        return tr_fail_memory(err);
    work.per = TR_PER_STREAM;
    return tr_pairs_init(&e->pairs, &work, in->dict, in->summary, in->sorted, in->select, err);
}

static void duration_cell(struct tr_table *t, int64_t ns)
{
    if (ns == TR_TIME_NONE)
        tr_table_absent(t);
    else
        tr_table_time(t, ns);
}

static void each_row(struct tr_table *t, const struct tr_pairs *pairs, const struct tr_launch_pair *p,
                     int64_t correlation, int64_t launch_record)
{
    const struct tr_batch *b = pairs->streams.groups.batch;
    tr_group_cells(t, TR_PER_STREAM, &pairs->streams.groups.groups[p->group]);
    if (correlation == TR_I64_NONE)
        tr_table_absent(t);
    else
        tr_table_int(t, correlation);
    tr_table_text(t, tr_dict_text(b->dict, p->api));
    tr_table_text(t, tr_dict_text(b->dict, b->name[p->event]));
    duration_cell(t, p->cpu);
    duration_cell(t, p->queue);
    duration_cell(t, p->gpu);
    duration_cell(t, p->total);
    duration_cell(t, p->stream_wait);
    duration_cell(t, p->start_latency);
    tr_table_count(t, p->negative);
    tr_table_count(t, b->record[p->event]);
    tr_table_count(t, (uint64_t)launch_record);
}

static enum tr_status each_feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                                struct tr_table *t, struct tr_error *err)
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
        int64_t number = tr_arg_int(&e->correlation, p->event);
        if (number == TR_I64_NONE)
            number = tr_arg_int(&e->corr_id, p->event);
        each_row(t, &e->pairs, p, number, e->launch_record[p->event]);
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
    .needs = each_needs,
    .columns = each_columns_of,
    .start = each_start,
    .feed = each_feed,
    .free = each_free,
    .unsaved = "it lists single events",
};
