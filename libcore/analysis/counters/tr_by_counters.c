/* SPDX-License-Identifier: MIT */
/* Counters of devices: sums of their values, and all values. */
#include "analysis/counters/tr_counters.h"
#include "analysis/counters/tr_counters_analyses.h"
#include "base/tr_stats.h"
#include "model/collectives/tr_collective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DISTINCT ((size_t)1 << 17) /* values of a series up to which percentiles are exact */
#define GB       1e9
#define UW       1e6

/* The sums of a series. */
struct sums {
    struct tr_stats stats; /* of samples */
    struct tr_hist *values;
    struct tr_u128 area;   /* value times ns */
    int64_t first, last, value; /* time of the first and the last sample, value of the last */
    int64_t full;          /* ns with a full queue */
    uint64_t n_full;       /* samples at which the queue was full */
};

static void needs(const void *options, struct tr_needs *n)
{
    static const char *const keys[] = { "bytes", "Bytes", "memory bandwidth (GB/s)" };
    (void)options;
    n->want = (struct tr_projection){ .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD),
                                      .derived = 1u << TR_COL_LAUNCH_RECORD,
                                      .keys = keys,
                                      .n_keys = 3 };
}

static void stamped_needs(const void *options, struct tr_needs *n)
{
    static const char *const keys[] = { "TS1", "TS2", "TS3", "TS4", "TS5", "Power" };
    (void)options;
    n->want = (struct tr_projection){ .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD) |
                                               TR_FIXED_BIT(SHAPE),
                                      .keys = keys,
                                      .n_keys = 6 };
}

static void collective_needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want = (struct tr_projection){ .fixed = TR_FIXED_ALL & ~TR_FIXED_BIT(CAT),
                                      .derived = 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TS |
                                                 1u << TR_COL_LAUNCH_TRACK,
                                      .keys = tr_coll_keys,
                                      .n_keys = TR_COLL_N_KEYS };
}

/* ---- samples, which are sorted once for all tables of a counter ---- */

struct counted;

/* The tables that take part: each gets the number of series, and then each sample in order of time. */
struct listener {
    enum tr_status (*prepare)(void *self, const struct counted *c, struct tr_error *err); /* NULL: no need */
    enum tr_status (*take)(void *self, const struct counted *c, const struct tr_counter_sample *sample,
                           struct tr_error *err);
    void *self;
};

struct counted {
    enum tr_counter which;
    struct tr_counters *counters;
    const struct tr_series *series;
    size_t n;
    struct listener *listeners;
    size_t n_listeners, cap_listeners;
};

static void counted_free(void *state)
{
    struct counted *c = state;
    tr_counters_free(c->counters);
    free(c->listeners);
    free(c);
}

static enum tr_status counted_start(const struct tr_analysis_in *in, const void *options, void **state,
                                    struct tr_error *err)
{
    struct counted *c = *state = calloc(1, sizeof *c);
    if (!c)
        return tr_fail_memory(err);
    memcpy(&c->which, options, sizeof c->which);
    const struct tr_counters_opts opts = {
        .work = in->work, .which = 1u << c->which, .max_memory = in->max_memory, .temp_dir = in->temp_dir
    };
    return tr_counters_new(&opts, in->dict, in->summary, in->sorted, in->select, &c->counters, err);
}

static enum tr_status counted_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    struct counted *c = state;
    return tr_counters_feed(c->counters, b, keep, err);
}

static enum tr_status counted_finish(void *state, struct tr_error *err)
{
    struct counted *c = state;
    struct tr_counter_sample sample;
    enum tr_status st = tr_counters_finish(c->counters, &c->series, &c->n, err);
    for (size_t i = 0; i < c->n_listeners && st == TR_OK; i++)
        if (c->listeners[i].prepare)
            st = c->listeners[i].prepare(c->listeners[i].self, c, err);
    while (st == TR_OK && (st = tr_counters_next(c->counters, &sample, err)) == TR_OK)
        for (size_t i = 0; i < c->n_listeners && st == TR_OK; i++)
            st = c->listeners[i].take(c->listeners[i].self, c, &sample, err);
    return st == TR_END ? TR_OK : st;
}

static const struct tr_service counted_service = {
    .name = "samples of counters",
    .options_size = sizeof(enum tr_counter),
    .start = counted_start,
    .feed = counted_feed,
    .finish = counted_finish,
    .free = counted_free,
};

static enum tr_status listen(const struct tr_analysis_in *in, enum tr_counter which, struct listener l,
                             const struct counted **counted, struct tr_error *err)
{
    void *state = NULL;
    enum tr_status st = tr_service_get(in, &counted_service, &which, &state, err);
    struct counted *c = state;
    *counted = c;
    if (st != TR_OK)
        return st;
    if (!tr_grow(&c->listeners, &c->cap_listeners, c->n_listeners + 1, sizeof *c->listeners))
        return tr_fail_memory(err);
    c->listeners[c->n_listeners++] = l;
    return TR_OK;
}

/* ---- tables of sums ---- */

struct report {
    const struct counted *counted;
    struct sums *sums; /* by series */
    size_t n;
    uint64_t max_queue;
};

static bool add_sample(struct sums *s, const struct tr_counter_sample *sample, bool positive_only, int64_t max_queue)
{
    if (s->first == TR_TIME_NONE) {
        s->first = sample->ts;
    } else {
        uint64_t ns = (uint64_t)sample->ts - (uint64_t)s->last;
        if (s->value > 0)
            s->area = tr_u128_add(s->area, tr_u128_mul(ns, (uint64_t)s->value));
        if (s->value >= max_queue)
            s->full = tr_time_sum(s->full, tr_time_of_length(ns));
    }
    s->last = sample->ts;
    s->value = sample->value;
    s->n_full += sample->value >= max_queue;
    if (sample->value == TR_I64_NONE || (positive_only && sample->value <= 0))
        return true;
    tr_stats_add(&s->stats, sample->value);
    return !s->values || tr_hist_add(s->values, sample->value, 1);
}

/* The mean over time, from the first change to the last. */
static double mean_in_time(const struct sums *s)
{
    double ns = (double)((uint64_t)s->last - (uint64_t)s->first);
    return ns > 0 ? ((double)s->area.hi * 18446744073709551616.0 + (double)s->area.lo) / ns : NAN;
}

static void report_free(void *state)
{
    struct report *r = state;
    for (size_t i = 0; i < r->n; i++)
        tr_hist_free(r->sums[i].values);
    free(r->sums);
    free(r);
}

static enum tr_status new_sums(struct report *r, const struct counted *c, bool values, struct tr_error *err)
{
    r->sums = calloc(c->n + 1, sizeof *r->sums);
    for (; r->sums && r->n < c->n; r->n++) {
        r->sums[r->n] = (struct sums){ .stats = TR_STATS_INIT, .first = TR_TIME_NONE };
        if (values && !(r->sums[r->n].values = tr_hist_new(DISTINCT)))
            return tr_fail_memory(err);
    }
    return r->sums ? TR_OK : tr_fail_memory(err);
}

static enum tr_status values_start(void *self, const struct counted *c, struct tr_error *err)
{
    return new_sums(self, c, true, err);
}

static enum tr_status full_prepare(void *self, const struct counted *c, struct tr_error *err)
{
    return new_sums(self, c, false, err); /* no percentiles */
}

static enum tr_status report_take(void *self, const struct counted *c, const struct tr_counter_sample *sample,
                                  struct tr_error *err)
{
    struct report *r = self;
    int64_t max_queue = r->max_queue > INT64_MAX ? INT64_MAX : (int64_t)r->max_queue;
    bool ok = add_sample(&r->sums[sample->series], sample, c->which == TR_COUNTER_BANDWIDTH, max_queue);
    return ok ? TR_OK : tr_fail_memory(err);
}

static enum tr_status report_start(const struct tr_analysis_in *in, enum tr_counter which, const void *options,
                                   enum tr_status (*prepare)(void *, const struct counted *, struct tr_error *),
                                   void **state, struct tr_error *err)
{
    const struct tr_counter_options *o = options;
    struct report *r = *state = calloc(1, sizeof *r);
    if (!r)
        return tr_fail_memory(err);
    r->max_queue = o->max_queue;
    return listen(in, which, (struct listener){ prepare, report_take, r }, &r->counted, err);
}

static enum tr_status queue_start(const struct tr_analysis_in *in, const void *options, void **state,
                                  struct tr_error *err)
{
    return report_start(in, TR_COUNTER_QUEUE, options, values_start, state, err);
}

static enum tr_status full_start(const struct tr_analysis_in *in, const void *options, void **state,
                                 struct tr_error *err)
{
    return report_start(in, TR_COUNTER_QUEUE, options, full_prepare, state, err);
}

static enum tr_status bandwidth_start(const struct tr_analysis_in *in, const void *options, void **state,
                                      struct tr_error *err)
{
    return report_start(in, TR_COUNTER_BANDWIDTH, options, values_start, state, err);
}

#define VALUES(decimals, what, after)                                                                            \
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "samples" },                                             \
    { "mean" after, TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .unit = what, .meaning = "mean of the samples" }, \
    { "std" after, TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .extra = true, .unit = what,                       \
      .meaning = "their standard deviation" },                                                                   \
    { "min" after, TR_CELL_RATIO, TR_ROLE_MIN, decimals, .extra = true, .unit = what,                            \
      .meaning = "the smallest" },                                                                               \
    { "p25" after, TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .extra = true, .unit = what,                       \
      .meaning = "25th percentile" },                                                                   \
    { "p50" after, TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .unit = what, .meaning = "the median" },           \
    { "p75" after, TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .extra = true, .unit = what,                       \
      .meaning = "75th percentile" },                                                                   \
    { "max" after, TR_CELL_RATIO, TR_ROLE_MAX, decimals, .unit = what, .meaning = "the largest" },               \
    { "time_mean" after, TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .unit = what,                                \
      .meaning = "mean over time, from the first sample to the last" },                                          \
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, .quiet = TR_QUIET_0,                                                 \
      .meaning = "1: percentiles are approximate, to 2^-11 of their value" }

static const struct tr_table_column queue_columns[] = { VALUES(3, NULL, "") };
static const struct tr_table_column bandwidth_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the kind of copy" },
    VALUES(6, "GB/s", "_GBps"),
};

static void stats_row(struct tr_table *t, const struct sums *s, double unit)
{
    tr_hist_seal(s->values);
    tr_table_count(t, s->stats.n);
    tr_table_ratio(t, tr_stats_mean(&s->stats) / unit);
    tr_table_ratio(t, tr_stats_std(&s->stats) / unit);
    tr_table_ratio(t, s->stats.n ? (double)s->stats.min / unit : NAN);
    tr_table_ratio(t, tr_hist_quantile(s->values, 25, 100) / unit);
    tr_table_ratio(t, tr_hist_quantile(s->values, 50, 100) / unit);
    tr_table_ratio(t, tr_hist_quantile(s->values, 75, 100) / unit);
    tr_table_ratio(t, s->stats.n ? (double)s->stats.max / unit : NAN);
    tr_table_ratio(t, mean_in_time(s) / unit);
    tr_table_count(t, tr_hist_approx(s->values));
}

static enum tr_status queue_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct report *r = state;
    for (size_t i = 0; i < r->n; i++) {
        if (!r->sums[i].stats.n)
            continue;
        tr_group_cells(t, TR_PER_STREAM, &r->counted->series[i].key);
        stats_row(t, &r->sums[i], 1);
    }
    return tr_table_status(t, err);
}

static enum tr_status bandwidth_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct report *r = state;
    for (size_t i = 0; i < r->n; i++) {
        if (!r->sums[i].stats.n)
            continue;
        tr_group_cells(t, TR_PER_DEVICE, &r->counted->series[i].key);
        tr_table_string(t, r->counted->series[i].name);
        stats_row(t, &r->sums[i], GB);
    }
    return tr_table_status(t, err);
}

static const struct tr_table_column full_columns[] = {
    { "max_queue_length", TR_CELL_COUNT, TR_ROLE_MAX,
      .meaning = "number of kernels, copies and memsets in a full queue" },
    { "full", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "time during which the queue was full" },
    { "full_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .unit = "%",
      .meaning = "share of the time from the first sample of the stream to the last" },
};

static enum tr_status full_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct report *r = state;
    for (size_t i = 0; i < r->n; i++) {
        const struct sums *s = &r->sums[i];
        if (!s->n_full)
            continue;
        tr_group_cells(t, TR_PER_STREAM, &r->counted->series[i].key);
        tr_table_count(t, r->max_queue);
        tr_table_time(t, s->full);
        tr_table_pct(t, s->full, tr_time_diff(s->last, s->first));
    }
    return tr_table_status(t, err);
}

static const struct tr_counter_options defaults = TR_COUNTER_DEFAULTS;
static const struct tr_option full_options[] = {
    { 0, "max-queue", "N", TR_OPTION_U64, offsetof(struct tr_counter_options, max_queue), .lo = 1,
      .help = "a queue is full with N kernels, copies and memsets [1024]" },
    { 0 },
};

const struct tr_analysis tr_analysis_queue = {
    .name = "queue",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "stream", .y = { "mean" }, .facet = "rank", .low = "min",
                                       .high = "max" },
    .question = "How much work waited in the queues of streams?",
    .nothing = "no device work whose launch is known is selected",
    .groups = TR_PER_BIT(TR_PER_STREAM),
    .group = TR_PER_STREAM,
    TR_OPTIONS(NULL, defaults),
    .needs = needs,
    TR_OWN_COLUMNS(queue_columns),
    .start = queue_start,
    .finish = queue_finish,
    .free = report_free,
    .unsaved = "queues at the border of two parts cannot be saved",
};

const struct tr_analysis tr_analysis_bandwidth = {
    .name = "bandwidth",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "mean_GBps" }, .facet = "rank",
                                       .low = "min_GBps",
                                       .high = "max_GBps" },
    .question = "How fast were copies?",
    .nothing = "no copies whose bytes or bandwidth are known are selected",
    .groups = TR_PER_BIT(TR_PER_DEVICE),
    .group = TR_PER_DEVICE,
    TR_OPTIONS(NULL, defaults),
    .needs = needs,
    TR_OWN_COLUMNS(bandwidth_columns),
    .start = bandwidth_start,
    .finish = bandwidth_finish,
    .free = report_free,
    .unsaved = "copies at the border of two parts cannot be saved",
};

const struct tr_analysis tr_analysis_full_queue = {
    .name = "full-queue",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "stream", .y = { "full" }, .facet = "rank" },
    .question = "How long were queues full?",
    .nothing = "no queue reached the length of --max-queue",
    .groups = TR_PER_BIT(TR_PER_STREAM),
    .group = TR_PER_STREAM,
    TR_OPTIONS(full_options, defaults),
    .needs = needs,
    TR_OWN_COLUMNS(full_columns),
    .start = full_start,
    .finish = full_finish,
    .free = report_free,
    .unsaved = "queues at the border of two parts cannot be saved",
};

/* ---- samples ---- */

/* Rows are added as the samples come, to the table that came with the batches. */
struct samples {
    struct tr_analysis_in in;
    const struct counted *counted;
    struct tr_table *table; /* NULL: there was no batch, so there are no samples */
};

static void sample_row(const struct samples *of, const struct tr_series *s, const struct tr_counter_sample *sample);

static enum tr_status samples_take(void *self, const struct counted *c, const struct tr_counter_sample *sample,
                                   struct tr_error *err)
{
    const struct samples *s = self;
    sample_row(s, &c->series[sample->series], sample);
    return tr_table_status(s->table, err);
}

static enum tr_status samples_start(const struct tr_analysis_in *in, enum tr_counter which, void **state,
                                    struct tr_error *err)
{
    struct samples *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->in = *in;
    return listen(in, which, (struct listener){ NULL, samples_take, s }, &s->counted, err);
}

#define SAMPLES_START(name, which)                                                                 \
    static enum tr_status name(const struct tr_analysis_in *in, const void *options, void **state, \
                               struct tr_error *err)                                               \
    {                                                                                              \
        (void)options;                                                                             \
        return samples_start(in, which, state, err);                                               \
    }
SAMPLES_START(queue_series_start, TR_COUNTER_QUEUE)
SAMPLES_START(bandwidth_series_start, TR_COUNTER_BANDWIDTH)
SAMPLES_START(busy_series_start, TR_COUNTER_BUSY)
SAMPLES_START(power_series_start, TR_COUNTER_POWER)
SAMPLES_START(waiting_series_start, TR_COUNTER_WAITING)
SAMPLES_START(collective_series_start, TR_COUNTER_COLLECTIVE)

static enum tr_status samples_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                   struct tr_error *err)
{
    struct samples *s = state;
    (void)b;
    (void)keep;
    (void)err;
    s->table = t;
    return TR_OK;
}

#define TS     { "ts", TR_CELL_TIME, TR_ROLE_KEY, .meaning = "when the counter changed" }
#define RECORD { "record", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, \
      .meaning = "index in its file of the event that changed it" }
static const struct tr_table_column queue_series_columns[] = {
    TS,
    { "queue_length", TR_CELL_INT, TR_ROLE_QUANTILE,
      .meaning = "kernels, copies and memsets that were launched and have not started, from then on" },
    RECORD,
};
static const struct tr_table_column bandwidth_series_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the kind of copy" },
    TS,
    { "GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, .unit = "GB/s",
      .meaning = "rate of all running copies, from then on" },
    RECORD,
};
static const struct tr_table_column busy_series_columns[] = {
    TS,
    { "busy_streams", TR_CELL_INT, TR_ROLE_QUANTILE, .meaning = "number of streams on which work runs, from then on" },
    RECORD,
};
static const struct tr_table_column power_series_columns[] = {
    TS,
    { "power_W", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, .unit = "W",
      .meaning = "power from then on, to the next reading of the charge" },
    RECORD,
};
static const struct tr_table_column waiting_series_columns[] = {
    TS,
    { "waiting", TR_CELL_INT, TR_ROLE_QUANTILE,
      .meaning = "number of requests that wait for their turn, from then on" },
    RECORD,
};

static const struct tr_table_column collective_series_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "what the collectives do" },
    TS,
    { "busbw_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, .unit = "GB/s",
      .meaning = "bus bandwidth of the collectives that all ranks are in, from then on" },
    RECORD,
};

static void sample_row(const struct samples *of, const struct tr_series *s, const struct tr_counter_sample *sample)
{
    struct tr_table *t = of->table;
    const struct tr_dict *d = of->in.dict;
    const struct tr_source *source = &d->sources[d->tracks[s->track].source];
    bool rate = s->counter == TR_COUNTER_BANDWIDTH || s->counter == TR_COUNTER_COLLECTIVE;
    if (s->counter != TR_COUNTER_COLLECTIVE)
        tr_group_cells(t, s->counter == TR_COUNTER_QUEUE ? TR_PER_STREAM : TR_PER_DEVICE, &s->key);
    if (rate)
        tr_table_string(t, s->name);
    tr_table_time(t, of->in.relative ? tr_source_to_file(source, sample->ts) : sample->ts);
    if (rate)
        tr_table_ratio(t, sample->value == TR_I64_NONE ? NAN : (double)sample->value / GB);
    else if (s->counter == TR_COUNTER_POWER)
        tr_table_ratio(t, (double)sample->value / UW);
    else
        tr_table_int(t, sample->value);
    tr_table_count(t, sample->record);
}

const struct tr_analysis tr_analysis_queue_series = {
    .name = "queue-series",
    .chart = &(const struct tr_chart){ TR_CHART_STEP, .x = "ts", .y = { "queue_length" }, .series = "stream",
                                       .facet = "rank" },
    .question = "How much work waited in the queues of streams, over time?",
    .nothing = "no device work whose launch is known is selected",
    .groups = TR_PER_BIT(TR_PER_STREAM),
    .group = TR_PER_STREAM,
    .needs = needs,
    TR_OWN_COLUMNS(queue_series_columns),
    .start = queue_series_start,
    .feed = samples_feed,
    .free = free,
    .unsaved = "it lists each change over time",
};

const struct tr_analysis tr_analysis_bandwidth_series = {
    .name = "bandwidth-series",
    .chart = &(const struct tr_chart){ TR_CHART_STEP, .x = "ts", .y = { "GBps" }, .series = "name", .facet = "rank" },
    .question = "How fast were copies, over time?",
    .nothing = "no copies are selected",
    .groups = TR_PER_BIT(TR_PER_DEVICE),
    .group = TR_PER_DEVICE,
    .needs = needs,
    TR_OWN_COLUMNS(bandwidth_series_columns),
    .start = bandwidth_series_start,
    .feed = samples_feed,
    .free = free,
    .unsaved = "it lists each change over time",
};

const struct tr_analysis tr_analysis_busy_series = {
    .name = "busy-series",
    .chart = &(const struct tr_chart){ TR_CHART_STEP, .x = "ts", .y = { "busy_streams" }, .series = "device",
                                       .facet = "rank" },
    .question = "How many streams were busy, over time?",
    .nothing = "no device work is selected",
    .groups = TR_PER_BIT(TR_PER_DEVICE),
    .group = TR_PER_DEVICE,
    .needs = needs,
    TR_OWN_COLUMNS(busy_series_columns),
    .start = busy_series_start,
    .feed = samples_feed,
    .free = free,
    .unsaved = "it lists each change over time",
};

const struct tr_analysis tr_analysis_power_series = {
    .name = "power-series",
    .chart = &(const struct tr_chart){ TR_CHART_STEP, .x = "ts", .y = { "power_W" }, .series = "device",
                                       .facet = "rank" },
    .question = "How much power did devices take, over time?",
    .nothing = "no span with cycle stamps and a reading of the charge is selected",
    .groups = TR_PER_BIT(TR_PER_DEVICE),
    .group = TR_PER_DEVICE,
    .needs = stamped_needs,
    TR_OWN_COLUMNS(power_series_columns),
    .start = power_series_start,
    .feed = samples_feed,
    .free = free,
    .unsaved = "it lists each change over time",
};

const struct tr_analysis tr_analysis_waiting_series = {
    .name = "waiting-series",
    .chart = &(const struct tr_chart){ TR_CHART_STEP, .x = "ts", .y = { "waiting" }, .series = "device",
                                       .facet = "rank" },
    .question = "How many requests waited for their turn on a device, over time?",
    .nothing = "no wait of a request with cycle stamps is selected",
    .groups = TR_PER_BIT(TR_PER_DEVICE),
    .group = TR_PER_DEVICE,
    .needs = stamped_needs,
    TR_OWN_COLUMNS(waiting_series_columns),
    .start = waiting_series_start,
    .feed = samples_feed,
    .free = free,
    .unsaved = "it lists each change over time",
};

const struct tr_analysis tr_analysis_collective_series = {
    .name = "collective-series",
    .chart = &(const struct tr_chart){ TR_CHART_STEP, .x = "ts", .y = { "busbw_GBps" }, .series = "name" },
    .question = "How fast were collectives, over time?",
    .nothing = "no collective whose bytes and group are known is selected",
    .groups = 0,
    .group = TR_PER_ALL,
    .needs = collective_needs,
    TR_OWN_COLUMNS(collective_series_columns),
    .start = collective_series_start,
    .feed = samples_feed,
    .free = free,
    .unsaved = "it lists each change over time",
};
