/* SPDX-License-Identifier: MIT */
/* Counters of devices: sums of their values, and all values. */
#include "analysis/counters/tr_counters.h"

#include "analysis/comm/tr_collective_table.h"
#include "analysis/counters/tr_counters_analyses.h"
#include "base/tr_stats.h"

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
    struct tr_u128 area;        /* value times ns */
    int64_t first, last, value; /* time of the first and the last sample, value of the last */
    int64_t full;               /* ns with a full queue */
    uint64_t n_full;            /* samples at which the queue was full */
};

/* What series of launches and copies need of a stream, and those of cycle stamps and power. */
#define NEEDS                                                                         \
    .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD), \
              .derived = 1u << TR_COL_LAUNCH_RECORD,                                  \
              TR_KEYS("bytes", "Bytes", "memory bandwidth (GB/s)") },                 \
    .memory = TR_MEMORY_SORTS
#define STAMPED_NEEDS                                                                                       \
    .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD) | TR_FIXED_BIT(SHAPE), \
              TR_KEYS("TS1", "TS2", "TS3", "TS4", "TS5", "Power") },                                        \
    .memory = TR_MEMORY_SORTS

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
                                   void *state, struct tr_error *err)
{
    const struct tr_counter_options *o = options;
    struct report *r = state;
    r->max_queue = o->max_queue;
    return listen(in, which, (struct listener){ prepare, report_take, r }, &r->counted, err);
}

static enum tr_status queue_start(const struct tr_analysis_in *in, const void *options, void *state,
                                  struct tr_error *err)
{
    return report_start(in, TR_COUNTER_QUEUE, options, values_start, state, err);
}

static enum tr_status full_start(const struct tr_analysis_in *in, const void *options, void *state,
                                 struct tr_error *err)
{
    return report_start(in, TR_COUNTER_QUEUE, options, full_prepare, state, err);
}

static enum tr_status bandwidth_start(const struct tr_analysis_in *in, const void *options, void *state,
                                      struct tr_error *err)
{
    return report_start(in, TR_COUNTER_BANDWIDTH, options, values_start, state, err);
}

/* A row of a table of sums. */
struct figures {
    struct tr_group_key key;
    const char *name;
    uint64_t count;
    double mean, std, min, p25, p50, p75, max, time_mean;
    bool approx;
};

#define NAME(type, what)                                                          \
    {                                                                             \
        "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(type, name), .meaning = (what) \
    }
#define VALUE(title, role, of, decimals, what, after, ...)                                               \
    {                                                                                                    \
        title after, TR_CELL_RATIO, role, decimals, TR_OF(struct figures, of), .unit = what, __VA_ARGS__ \
    }
#define VALUES(d, what, after)                                                                                     \
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct figures, count), .meaning = "samples" },                 \
        VALUE("mean", TR_ROLE_MEAN, mean, d, what, after, .per = "count", .meaning = "mean of the samples"),       \
        VALUE("std", TR_ROLE_QUANTILE, std, d, what, after, .extra = true, .meaning = "their standard deviation"), \
        VALUE("min", TR_ROLE_MIN, min, d, what, after, .extra = true, .meaning = "the smallest"),                  \
        VALUE("p25", TR_ROLE_QUANTILE, p25, d, what, after, .extra = true, .meaning = "25th percentile"),          \
        VALUE("p50", TR_ROLE_QUANTILE, p50, d, what, after, .meaning = "the median"),                              \
        VALUE("p75", TR_ROLE_QUANTILE, p75, d, what, after, .extra = true, .meaning = "75th percentile"),          \
        VALUE("max", TR_ROLE_MAX, max, d, what, after, .meaning = "the largest"),                                  \
        VALUE("time_mean", TR_ROLE_QUANTILE, time_mean, d, what, after,                                            \
              .meaning = "mean over time, from the first sample to the last"),                                     \
    {                                                                                                              \
        "approx", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct figures, approx),                                       \
            .quiet = TR_QUIET_0, .meaning = "1: percentiles are approximate, to 2^-11 of their value"              \
    }

static const struct tr_table_column queue_columns[] = { VALUES(3, NULL, "") };
static const struct tr_table_column bandwidth_columns[] = { NAME(struct figures, "the kind of copy"),
                                                            VALUES(6, "GB/s", "_GBps") };

static enum tr_status values_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct report *r = state;
    double unit = r->counted->which == TR_COUNTER_BANDWIDTH ? GB : 1;
    for (size_t i = 0; i < r->n; i++) {
        const struct sums *s = &r->sums[i];
        const struct tr_series *series = &r->counted->series[i];
        if (!s->stats.n)
            continue;
        tr_hist_seal(s->values);
        const struct figures row = { .key = series->key,
                                     .name = series->name,
                                     .count = s->stats.n,
                                     .mean = tr_stats_mean(&s->stats) / unit,
                                     .std = tr_stats_std(&s->stats) / unit,
                                     .min = (double)s->stats.min / unit,
                                     .p25 = tr_hist_quantile(s->values, 25, 100) / unit,
                                     .p50 = tr_hist_quantile(s->values, 50, 100) / unit,
                                     .p75 = tr_hist_quantile(s->values, 75, 100) / unit,
                                     .max = (double)s->stats.max / unit,
                                     .time_mean = mean_in_time(s) / unit,
                                     .approx = tr_hist_approx(s->values) };
        tr_table_grouped_rows(t, &row, 1, sizeof row);
    }
    return tr_table_status(t, err);
}

struct full {
    struct tr_group_key key;
    uint64_t max_queue;
    int64_t full;
    double pct;
};

static const struct tr_table_column full_columns[] = {
    { "max_queue_length", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct full, max_queue),
      .meaning = "number of kernels, copies and memsets in a full queue" },
    { "full", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct full, full), .meaning = "time during which the queue was full" },
    { "full_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, TR_OF(struct full, pct), .unit = "%",
      .meaning = "share of the time from the first sample of the stream to the last" },
};

static enum tr_status full_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct report *r = state;
    for (size_t i = 0; i < r->n; i++) {
        const struct sums *s = &r->sums[i];
        int64_t span = tr_time_diff(s->last, s->first);
        bool known = s->full != TR_TIME_NONE && span != TR_TIME_NONE && span > 0;
        const struct full row = { r->counted->series[i].key, r->max_queue, s->full,
                                  known ? 100.0 * (double)s->full / (double)span : NAN };
        if (s->n_full)
            tr_table_grouped_rows(t, &row, 1, sizeof row);
    }
    return tr_table_status(t, err);
}

static const struct tr_counter_options defaults = TR_COUNTER_DEFAULTS;
static const struct tr_option full_options[] = {
    { 0, "max-queue", "N", TR_OPTION_U64, offsetof(struct tr_counter_options, max_queue), .lo = 1,
      .help = "a queue is full with N kernels, copies and memsets [1024]" },
    { 0 },
};

/* Sums of a counter. */
#define SUMS(id, name_of, question_of, nothing_of, per, settings, columns_of, start_of, finish_of, ...) \
    const struct tr_analysis tr_analysis_##id = {                                                       \
        .name = name_of,                                                                                \
        .question = question_of,                                                                        \
        .nothing = nothing_of,                                                                          \
        .groups = TR_PER_BIT(per),                                                                      \
        .group = (per),                                                                                 \
        TR_OPTIONS(settings, defaults),                                                                 \
        .needs = { NEEDS },                                                                             \
        TR_OWN_COLUMNS(columns_of),                                                                     \
        .state_size = sizeof(struct report),                                                            \
        .start = start_of,                                                                              \
        .finish = finish_of,                                                                            \
        .free = report_free,                                                                            \
        .saving = &tr_saving_ranks,                                                                     \
        __VA_ARGS__                                                                                     \
    }

SUMS(queue, "queue", "How much work waited in the queues of streams?",
     "no device work whose launch is known is selected", TR_PER_STREAM, NULL, queue_columns, queue_start,
     values_finish,
     .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "stream", .y = { "mean" }, .facet = "rank", .low = "min",
                                        .high = "max" });

SUMS(bandwidth, "bandwidth", "How fast were copies?",
     "no copies whose bytes or bandwidth are known are selected", TR_PER_DEVICE, NULL, bandwidth_columns,
     bandwidth_start, values_finish,
     .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "mean_GBps" }, .facet = "rank",
                                        .low = "min_GBps", .high = "max_GBps" });

SUMS(full_queue, "full-queue", "How long were queues full?", "no queue reached the length of --max-queue",
     TR_PER_STREAM, full_options, full_columns, full_start, full_finish,
     .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "stream", .y = { "full" }, .facet = "rank" });

/* ---- samples ---- */

/* Rows are added as the samples come, to the table that came with the batches. */
struct samples {
    struct tr_analysis_in in;
    const struct counted *counted;
    struct tr_table *table; /* NULL: there was no batch, so there are no samples */
    int64_t since; /* from times of rows to those of samples */
};

struct change {
    struct tr_group_key key;
    const char *name;
    int64_t ts, number;
    double rate;
    uint64_t record;
};

static enum tr_status samples_take(void *self, const struct counted *c, const struct tr_counter_sample *sample,
                                   struct tr_error *err)
{
    const struct samples *of = self;
    const struct tr_series *s = &c->series[sample->series];
    const struct tr_dict *d = of->in.dict;
    double unit = s->counter == TR_COUNTER_POWER ? UW : GB;
    const struct change row = {
        .key = s->key,
        .name = s->name,
        .ts = of->in.relative ? tr_source_to_file(&d->sources[d->tracks[s->track].source], sample->ts)
                             : tr_time_sum(sample->ts, of->since),
        .number = sample->value,
        .rate = sample->value == TR_I64_NONE ? NAN : (double)sample->value / unit,
        .record = sample->record,
    };
    tr_analysis_at(&of->in, d->tracks[s->track].source, sample->ts, TR_TIME_NONE);
    tr_table_grouped_rows(of->table, &row, 1, sizeof row);
    return tr_table_status(of->table, err);
}

static enum tr_status samples_start(const struct tr_analysis_in *in, enum tr_counter which, void *state,
                                    struct tr_error *err)
{
    struct samples *s = state;
    s->in = *in;
    return listen(in, which, (struct listener){ NULL, samples_take, s }, &s->counted, err);
}

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

#define TS                                                                                               \
    {                                                                                                    \
        "ts", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct change, ts), .meaning = "when the counter changed" \
    }
#define RECORD                                                                         \
    {                                                                                  \
        "record", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct change, record),           \
            .extra = true, .meaning = "index in its file of the event that changed it" \
    }
#define NUMBER(title, what)                                                                   \
    {                                                                                         \
        title, TR_CELL_INT, TR_ROLE_QUANTILE, TR_OF(struct change, number), .meaning = (what) \
    }
#define RATE(title, decimals, unit_of, what)                                                             \
    {                                                                                                    \
        title, TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, TR_OF(struct change, rate), .unit = (unit_of), \
                                                                                      .meaning = (what)  \
    }

/* The changes of a counter over time. */
#define SERIES(id, counter, per, y_of, series_of, facet_of, needs_of, question_of, nothing_of, ...)            \
    static const struct tr_table_column id##_series_columns[] = { __VA_ARGS__, RECORD };                       \
    static enum tr_status id##_series_start(const struct tr_analysis_in *in, const void *options, void *state, \
                                            struct tr_error *err)                                              \
    {                                                                                                          \
        (void)options;                                                                                         \
        return samples_start(in, counter, state, err);                                                         \
    }                                                                                                          \
    const struct tr_analysis tr_analysis_##id##_series = {                                                     \
        .name = #id "-series",                                                                                 \
        .chart = &(const struct tr_chart){ TR_CHART_STEP, .x = "ts", .y = { y_of }, .series = (series_of),     \
                                           .facet = (facet_of) },                                              \
        .question = question_of,                                                                               \
        .nothing = nothing_of,                                                                                 \
        .groups = TR_PER_BIT(per),                                                                             \
        .group = (per),                                                                                        \
        needs_of,                                                                                              \
        TR_OWN_COLUMNS(id##_series_columns),                                                                   \
        .state_size = sizeof(struct samples),                                                                  \
        .start = id##_series_start,                                                                            \
        .feed = samples_feed,                                                                                  \
        .saving = &tr_saving_stream_times,                                                                     \
    }

SERIES(queue, TR_COUNTER_QUEUE, TR_PER_STREAM, "queue_length", "stream", "rank", .needs = { NEEDS },
       "How much work waited in the queues of streams, over time?",
       "no device work whose launch is known is selected", TS,
       NUMBER("queue_length", "kernels, copies and memsets that were launched and have not started, from then on"));

SERIES(bandwidth, TR_COUNTER_BANDWIDTH, TR_PER_DEVICE, "GBps", "name", "rank", .needs = { NEEDS },
       "How fast were copies, over time?",
       "no copies are selected", NAME(struct change, "the kind of copy"), TS,
       RATE("GBps", 9, "GB/s", "rate of all running copies, from then on"));

SERIES(busy, TR_COUNTER_BUSY, TR_PER_DEVICE, "busy_streams", "device", "rank", .needs = { NEEDS },
       "How many streams were busy, over time?",
       "no device work is selected", TS, NUMBER("busy_streams", "number of streams on which work runs, from then on"));

SERIES(power, TR_COUNTER_POWER, TR_PER_DEVICE, "power_W", "device", "rank", .needs = { STAMPED_NEEDS },
       "How much power did devices take, over time?",
       "no span with cycle stamps and a reading of the charge is selected", TS,
       RATE("power_W", 6, "W", "power from then on, to the next reading of the charge"));

SERIES(waiting, TR_COUNTER_WAITING, TR_PER_DEVICE, "waiting", "device", "rank", .needs = { STAMPED_NEEDS },
       "How many requests waited for their turn on a device, over time?",
       "no wait of a request with cycle stamps is selected", TS,
       NUMBER("waiting", "number of requests that wait for their turn, from then on"));

static const struct tr_table_column collective_columns[] = {
    NAME(struct change, "what the collectives do"), TS,
    RATE("busbw_GBps", 9, "GB/s", "bus bandwidth of the collectives that all ranks are in, from then on"), RECORD
};

/* Only all ranks of a collective give its rate, so it is saved as tables of collectives are. */
static enum tr_status collective_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    const struct tr_counters_opts opts = { .work = v->in->work, .max_memory = v->in->max_memory,
                                           .temp_dir = v->in->temp_dir };
    struct counted c = { .which = TR_COUNTER_COLLECTIVE };
    struct samples of = { .in = *v->in, .counted = &c, .table = v->t, .since = v->since };
    struct tr_counter_sample sample;
    enum tr_status st =
        tr_counters_new(&opts, v->dict, v->in->summary, v->in->sorted, v->in->select, &c.counters, err);
    if (st == TR_OK)
        st = tr_counters_add_collectives(c.counters, v->c, err);
    if (st == TR_OK)
        st = tr_counters_finish(c.counters, &c.series, &c.n, err);
    while (st == TR_OK && (st = tr_counters_next(c.counters, &sample, err)) == TR_OK)
        st = samples_take(&of, &c, &sample, err);
    tr_counters_free(c.counters);
    return st == TR_END ? TR_OK : st;
}

TR__COMM_TABLE(collective_series, "collective-series", collective_rows, TR_PER_ALL, TR__COMM_SAYS_NOTHING,
               .name = "collective-series",
               .chart = &(const struct tr_chart){ TR_CHART_STEP, .x = "ts", .y = { "busbw_GBps" }, .series = "name" },
               .question = "How fast were collectives, over time?",
               .nothing = "no collective whose bytes and group are known is selected",
               .needs.memory = TR_MEMORY_SORTS, TR_OWN_COLUMNS(collective_columns));
