/* Counters of queues, copies and busy streams: their values in sum, and one by one. */
#include "analysis/tr_analyses.h"
#include "analysis/tr_counters.h"
#include "base/tr_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DISTINCT ((size_t)1 << 17) /* values of a series that percentiles know exactly */
#define GB       1e9

/* What is known of a series. */
struct sums {
    struct tr_stats stats; /* of samples */
    struct tr_hist *values;
    struct tr_u128 area;   /* value times ns */
    int64_t first, last, value; /* time of the first and the last sample, value of the last */
    int64_t full;          /* ns with a full queue */
    uint64_t n_full;       /* samples at which it was full */
};

static void needs(const void *options, struct tr_needs *n)
{
    static const char *const keys[] = { "bytes", "memory bandwidth (GB/s)" };
    (void)options;
    n->want = (struct tr_want){ .fixed = TR_WORK_FIXED | TR_WANT(NAME) | TR_WANT(RECORD),
                                .derived = 1u << TR_COL_LAUNCH_RECORD,
                                .keys = keys,
                                .n_keys = 2 };
}

static enum tr_status new_counters(const struct tr_analysis_in *in, enum tr_counter which, struct tr_counters **c,
                                   struct tr_error *err)
{
    const struct tr_counters_opts opts = {
        .work = in->work, .which = 1u << which, .max_memory = in->max_memory, .temp_dir = in->temp_dir
    };
    return tr_counters_new(&opts, in->dict, in->summary, in->sorted, in->select, c, err);
}

/* ---- sums of the samples of each series, which several tables share ---- */

struct totals_options {
    enum tr_counter which;
    int64_t max_queue;
};

struct totals {
    struct totals_options options;
    struct tr_counters *counters;
    const struct tr_series *series;
    struct sums *sums; /* by series */
    size_t n;
};

static bool add_sample(struct sums *s, const struct tr_sample *sample, bool positive_only, int64_t max_queue)
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
    if (sample->value == TR_TIME_NONE || (positive_only && sample->value <= 0))
        return true;
    tr_stats_add(&s->stats, sample->value);
    return tr_hist_add(s->values, sample->value, 1);
}

/* The mean over time, from the first change to the last. */
static double mean_in_time(const struct sums *s)
{
    double ns = (double)((uint64_t)s->last - (uint64_t)s->first);
    return ns > 0 ? ((double)s->area.hi * 18446744073709551616.0 + (double)s->area.lo) / ns : NAN;
}

static void totals_free(void *state)
{
    struct totals *s = state;
    for (size_t i = 0; s->sums && i < s->n; i++)
        tr_hist_free(s->sums[i].values);
    free(s->sums);
    tr_counters_free(s->counters);
    free(s);
}

static enum tr_status totals_start(const struct tr_analysis_in *in, const void *options, void **state,
                                   struct tr_error *err)
{
    const struct totals_options *o = options;
    struct totals *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->options = *o;
    return new_counters(in, o->which, &s->counters, err);
}

static enum tr_status totals_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    struct totals *s = state;
    return tr_counters_feed(s->counters, b, keep, err);
}

static enum tr_status new_sums(struct totals *s, struct tr_error *err)
{
    s->sums = calloc(s->n + 1, sizeof *s->sums);
    for (size_t i = 0; s->sums && i < s->n; i++) {
        s->sums[i] = (struct sums){ .stats = TR_STATS_INIT, .values = tr_hist_new(DISTINCT), .first = TR_TIME_NONE };
        if (!s->sums[i].values)
            return tr_fail_memory(err);
    }
    return s->sums ? TR_OK : tr_fail_memory(err);
}

static enum tr_status totals_finish(void *state, struct tr_error *err)
{
    struct totals *s = state;
    struct tr_sample sample;
    bool positive_only = s->options.which == TR_COUNTER_BANDWIDTH;
    enum tr_status st = tr_counters_finish(s->counters, &s->series, &s->n, err);
    if (st == TR_OK)
        st = new_sums(s, err);
    while (st == TR_OK && (st = tr_counters_next(s->counters, &sample, err)) == TR_OK)
        if (!add_sample(&s->sums[sample.series], &sample, positive_only, s->options.max_queue))
            return tr_fail_memory(err);
    for (size_t i = 0; st == TR_END && i < s->n; i++)
        tr_hist_seal(s->sums[i].values);
    return st == TR_END ? TR_OK : st;
}

static const struct tr_service totals_service = {
    .name = "totals of counters",
    .options_size = sizeof(struct totals_options),
    .start = totals_start,
    .feed = totals_feed,
    .finish = totals_finish,
    .free = totals_free,
};

/* ---- tables of sums ---- */

struct report {
    struct totals *totals;
    uint64_t max_queue;
};

static enum tr_status report_start(const struct tr_analysis_in *in, enum tr_counter which, const void *options,
                                   void **state, struct tr_error *err)
{
    const struct tr_counter_options *o = options;
    struct report *r = *state = calloc(1, sizeof *r);
    struct totals_options opts;
    void *totals = NULL;
    if (!r)
        return tr_fail_memory(err);
    memset(&opts, 0, sizeof opts); /* compared byte by byte */
    opts.which = which;
    opts.max_queue = o->max_queue > INT64_MAX ? INT64_MAX : (int64_t)o->max_queue;
    r->max_queue = o->max_queue;
    enum tr_status st = tr_service_get(in, &totals_service, &opts, &totals, err);
    r->totals = totals;
    return st;
}

static enum tr_status queue_start(const struct tr_analysis_in *in, const void *options, void **state,
                                  struct tr_error *err)
{
    return report_start(in, TR_COUNTER_QUEUE, options, state, err);
}

static enum tr_status bandwidth_start(const struct tr_analysis_in *in, const void *options, void **state,
                                      struct tr_error *err)
{
    return report_start(in, TR_COUNTER_BANDWIDTH, options, state, err);
}

#define VALUES(decimals, what)                                                                             \
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "samples" },                                       \
    { "mean", TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .unit = what, .meaning = "mean of the samples" }, \
    { "std", TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .unit = what, .meaning = "their standard deviation" }, \
    { "min", TR_CELL_RATIO, TR_ROLE_MIN, decimals, .unit = what, .meaning = "the smallest" },              \
    { "p25", TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .unit = what, .meaning = "25 of 100 are not larger" }, \
    { "p50", TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .unit = what, .meaning = "the median" },           \
    { "p75", TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .unit = what, .meaning = "75 of 100 are not larger" }, \
    { "max", TR_CELL_RATIO, TR_ROLE_MAX, decimals, .unit = what, .meaning = "the largest" },               \
    { "time_mean", TR_CELL_RATIO, TR_ROLE_QUANTILE, decimals, .unit = what,                                \
      .meaning = "mean over time, from the first sample to the last" },                                    \
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, .extra = true,                                                 \
      .meaning = "1: percentiles are approximate, to 2^-11 of their value" }

static const struct tr_table_column queue_columns[] = { VALUES(3, NULL) };
static const struct tr_table_column bandwidth_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the kind of copy" },
    VALUES(6, "GB/s"),
};

static void stats_row(struct tr_table *t, const struct sums *s, double unit)
{
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
    for (size_t i = 0; i < r->totals->n; i++) {
        if (!r->totals->sums[i].stats.n)
            continue;
        tr_group_cells(t, TR_PER_STREAM, &r->totals->series[i].key);
        stats_row(t, &r->totals->sums[i], 1);
    }
    return tr_table_status(t, err);
}

static enum tr_status bandwidth_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct report *r = state;
    for (size_t i = 0; i < r->totals->n; i++) {
        if (!r->totals->sums[i].stats.n)
            continue;
        tr_group_cells(t, TR_PER_DEVICE, &r->totals->series[i].key);
        tr_table_string(t, r->totals->series[i].name);
        stats_row(t, &r->totals->sums[i], GB);
    }
    return tr_table_status(t, err);
}

static const struct tr_table_column full_columns[] = {
    { "max_queue_length", TR_CELL_COUNT, TR_ROLE_MAX, .meaning = "a queue of so many is full" },
    { "full", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "how long the queue was full" },
    { "full_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .unit = "%",
      .meaning = "share of the time from the first sample of the stream to the last" },
};

static enum tr_status full_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct report *r = state;
    for (size_t i = 0; i < r->totals->n; i++) {
        const struct sums *s = &r->totals->sums[i];
        if (!s->n_full)
            continue;
        tr_group_cells(t, TR_PER_STREAM, &r->totals->series[i].key);
        tr_table_count(t, r->max_queue);
        tr_table_time(t, s->full);
        tr_table_pct(t, s->full, tr_time_diff(s->last, s->first));
    }
    return tr_table_status(t, err);
}

static const struct tr_counter_options defaults = TR_COUNTER_DEFAULTS;

const struct tr_analysis tr_analysis_queue = {
    .name = "queue",
    .question = "How much work waited on streams?",
    .nothing = "no device work whose launch is known is selected",
    .groups = TR_PER_BIT(TR_PER_STREAM),
    .group = TR_PER_STREAM,
    .defaults = &defaults,
    .needs = needs,
    TR_OWN_COLUMNS(queue_columns),
    .start = queue_start,
    .finish = queue_finish,
    .free = free,
};

const struct tr_analysis tr_analysis_bandwidth = {
    .name = "bandwidth",
    .question = "How fast were copies?",
    .nothing = "no copies whose bytes or bandwidth are known are selected",
    .groups = TR_PER_BIT(TR_PER_DEVICE),
    .group = TR_PER_DEVICE,
    .defaults = &defaults,
    .needs = needs,
    TR_OWN_COLUMNS(bandwidth_columns),
    .start = bandwidth_start,
    .finish = bandwidth_finish,
    .free = free,
};

const struct tr_analysis tr_analysis_full_queue = {
    .name = "full-queue",
    .question = "How long were queues full?",
    .nothing = "no queue was ever as long as --max-queue says",
    .groups = TR_PER_BIT(TR_PER_STREAM),
    .group = TR_PER_STREAM,
    .defaults = &defaults,
    .needs = needs,
    TR_OWN_COLUMNS(full_columns),
    .start = queue_start,
    .finish = full_finish,
    .free = free,
};

/* ---- samples ---- */

struct samples {
    enum tr_counter which;
    struct tr_counters *counters;
};

static void samples_free(void *state)
{
    struct samples *s = state;
    tr_counters_free(s->counters);
    free(s);
}

static enum tr_status samples_start(const struct tr_analysis_in *in, enum tr_counter which, void **state,
                                    struct tr_error *err)
{
    struct samples *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->which = which;
    return new_counters(in, which, &s->counters, err);
}

#define SAMPLES_START(name, which)                                                                                 \
    static enum tr_status name(const struct tr_analysis_in *in, const void *options, void **state, struct tr_error *err) \
    {                                                                                                              \
        (void)options;                                                                                             \
        return samples_start(in, which, state, err);                                                               \
    }
SAMPLES_START(queue_series_start, TR_COUNTER_QUEUE)
SAMPLES_START(bandwidth_series_start, TR_COUNTER_BANDWIDTH)
SAMPLES_START(busy_series_start, TR_COUNTER_BUSY)

static enum tr_status samples_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                   struct tr_error *err)
{
    struct samples *s = state;
    (void)t;
    return tr_counters_feed(s->counters, b, keep, err);
}

#define TS     { "ts", TR_CELL_TIME, TR_ROLE_KEY, .meaning = "when the counter changed" }
#define RECORD { "record", TR_CELL_COUNT, TR_ROLE_TEXT, .meaning = "place in its file of the event that changed it" }
static const struct tr_table_column queue_series_columns[] = {
    TS,
    { "queue_length", TR_CELL_INT, TR_ROLE_QUANTILE, .meaning = "work launched and not yet begun, from then on" },
    RECORD,
};
static const struct tr_table_column bandwidth_series_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the kind of copy" },
    TS,
    { "GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, .unit = "GB/s", .meaning = "rate of all copies under way, from then on" },
    RECORD,
};
static const struct tr_table_column busy_series_columns[] = {
    TS,
    { "busy_streams", TR_CELL_INT, TR_ROLE_QUANTILE, .meaning = "streams on which work runs, from then on" },
    RECORD,
};

static void sample_row(struct tr_table *t, const struct tr_series *s, const struct tr_sample *sample)
{
    tr_group_cells(t, s->counter == TR_COUNTER_QUEUE ? TR_PER_STREAM : TR_PER_DEVICE, &s->key);
    if (s->counter == TR_COUNTER_BANDWIDTH)
        tr_table_string(t, s->name);
    tr_table_time(t, sample->ts);
    if (s->counter == TR_COUNTER_BANDWIDTH)
        tr_table_ratio(t, sample->value == TR_TIME_NONE ? NAN : (double)sample->value / GB);
    else
        tr_table_int(t, sample->value);
    tr_table_count(t, sample->record);
}

static enum tr_status samples_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct samples *s = state;
    const struct tr_series *series;
    struct tr_sample sample;
    size_t n;
    enum tr_status st = tr_counters_finish(s->counters, &series, &n, err);
    while (st == TR_OK && (st = tr_counters_next(s->counters, &sample, err)) == TR_OK) {
        sample_row(t, &series[sample.series], &sample);
        st = tr_table_status(t, err);
    }
    return st == TR_END ? TR_OK : st;
}

const struct tr_analysis tr_analysis_queue_series = {
    .name = "queue-series",
    .question = "How much work waited on streams, over time?",
    .nothing = "no device work whose launch is known is selected",
    .groups = TR_PER_BIT(TR_PER_STREAM),
    .group = TR_PER_STREAM,
    .needs = needs,
    TR_OWN_COLUMNS(queue_series_columns),
    .start = queue_series_start,
    .feed = samples_feed,
    .finish = samples_finish,
    .free = samples_free,
};

const struct tr_analysis tr_analysis_bandwidth_series = {
    .name = "bandwidth-series",
    .question = "How fast were copies, over time?",
    .nothing = "no copies are selected",
    .groups = TR_PER_BIT(TR_PER_DEVICE),
    .group = TR_PER_DEVICE,
    .needs = needs,
    TR_OWN_COLUMNS(bandwidth_series_columns),
    .start = bandwidth_series_start,
    .feed = samples_feed,
    .finish = samples_finish,
    .free = samples_free,
};

const struct tr_analysis tr_analysis_busy_series = {
    .name = "busy-series",
    .question = "How many streams were busy, over time?",
    .nothing = "no device work is selected",
    .groups = TR_PER_BIT(TR_PER_DEVICE),
    .group = TR_PER_DEVICE,
    .needs = needs,
    TR_OWN_COLUMNS(busy_series_columns),
    .start = busy_series_start,
    .feed = samples_feed,
    .finish = samples_finish,
    .free = samples_free,
};
