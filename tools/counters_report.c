#include <config.h>

#include "counters_report.h"

#include "base/tr_stats.h"

#include <math.h>
#include <stdlib.h>

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

unsigned counters_needed(const struct counters *o)
{
    if (o->series)
        return 1u << (o->series - 1);
    switch (o->report) {
    case REPORT_QUEUE:
    case REPORT_FULL:
        return 1u << TR_COUNTER_QUEUE;
    case REPORT_BANDWIDTH:
        return 1u << TR_COUNTER_BANDWIDTH;
    default:
        return (1u << TR_N_COUNTERS) - 1;
    }
}

/* ---- sums ---- */

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

static enum tr_status sum_up(struct tr_counters *c, const struct counters *o, struct sums *sums, struct tr_error *err)
{
    struct tr_sample sample;
    enum tr_status st;
    int64_t max = o->max_queue > INT64_MAX ? INT64_MAX : (int64_t)o->max_queue;
    while ((st = tr_counters_next(c, &sample, err)) == TR_OK)
        if (!add_sample(&sums[sample.series], &sample, o->report == REPORT_BANDWIDTH, max))
            return tr_fail_memory(err);
    return st == TR_END ? TR_OK : st;
}

/* ---- tables ---- */

static void columns(struct tr_table *t, const struct counters *o)
{
    static const char *const values[] = { "mean", "std", "min", "p25", "p50", "p75", "max" };
    bool copies = o->report == REPORT_BANDWIDTH;
    tr_group_columns(t, copies ? TR_PER_DEVICE : TR_PER_STREAM);
    if (o->report == REPORT_FULL) {
        tr_table_column(t, "max_queue_length", TR_CELL_COUNT, 0);
        tr_table_column(t, "full", TR_CELL_TIME, 0);
        tr_table_column(t, "full_pct", TR_CELL_RATIO, 2);
        return;
    }
    if (copies)
        tr_table_column(t, "name", TR_CELL_STRING, 0);
    tr_table_column(t, "count", TR_CELL_COUNT, 0);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        tr_table_column(t, values[i], TR_CELL_RATIO, copies ? 6 : 3);
    tr_table_column(t, "time_mean", TR_CELL_RATIO, copies ? 6 : 3);
    tr_table_column(t, "approx", TR_CELL_COUNT, 0);
}

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

static void row(struct tr_table *t, const struct counters *o, const struct tr_series *series, const struct sums *s)
{
    bool copies = o->report == REPORT_BANDWIDTH;
    tr_group_cells(t, copies ? TR_PER_DEVICE : TR_PER_STREAM, &series->key);
    if (o->report == REPORT_FULL) {
        tr_table_count(t, o->max_queue);
        tr_table_time(t, s->full);
        tr_table_pct(t, s->full, tr_time_diff(s->last, s->first));
        return;
    }
    if (copies)
        tr_table_string(t, series->name);
    stats_row(t, s, copies ? GB : 1);
}

static enum tr_status print_sums(struct tr_table *t, const struct counters *o, struct tr_counters *c,
                                 const struct tr_series *series, size_t n, struct tr_error *err)
{
    struct sums *sums = calloc(n + 1, sizeof *sums);
    enum tr_status st = sums ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        sums[i] = (struct sums){ .stats = TR_STATS_INIT, .values = tr_hist_new(DISTINCT), .first = TR_TIME_NONE };
        if (!sums[i].values)
            st = tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = sum_up(c, o, sums, err);
    columns(t, o);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        tr_hist_seal(sums[i].values);
        if (o->report == REPORT_FULL ? sums[i].n_full : sums[i].stats.n)
            row(t, o, &series[i], &sums[i]);
    }
    for (size_t i = 0; sums && i < n; i++)
        tr_hist_free(sums[i].values);
    free(sums);
    return st;
}

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

static enum tr_status print_samples(struct tr_table *t, enum tr_counter which, struct tr_counters *c,
                                    const struct tr_series *series, struct tr_error *err)
{
    struct tr_sample sample;
    enum tr_status st = TR_OK;
    tr_group_columns(t, which == TR_COUNTER_QUEUE ? TR_PER_STREAM : TR_PER_DEVICE);
    if (which == TR_COUNTER_BANDWIDTH)
        tr_table_column(t, "name", TR_CELL_STRING, 0);
    tr_table_column(t, "ts", TR_CELL_TIME, 0);
    if (which == TR_COUNTER_BANDWIDTH)
        tr_table_column(t, "GBps", TR_CELL_RATIO, 9);
    else
        tr_table_column(t, which == TR_COUNTER_QUEUE ? "queue_length" : "busy_streams", TR_CELL_INT, 0);
    tr_table_column(t, "record", TR_CELL_COUNT, 0);
    while (st == TR_OK && (st = tr_counters_next(c, &sample, err)) == TR_OK) {
        sample_row(t, &series[sample.series], &sample);
        st = tr_table_status(t, err);
    }
    return st == TR_END ? TR_OK : st;
}

static const char *why_empty(const struct counters *o)
{
    if (o->report == REPORT_BANDWIDTH)
        return "no copies whose bytes or bandwidth are known are selected";
    if (o->series == TR_COUNTER_BANDWIDTH + 1)
        return "no copies are selected";
    if (o->series == TR_COUNTER_BUSY + 1)
        return "no device work is selected";
    return o->report == REPORT_FULL ? "no queue was ever as long as --max-queue says"
                                    : "no device work whose launch is known is selected";
}

enum tr_status counters_report(struct cli *cli, const struct counters *o, struct tr_counters *c,
                               const struct tr_series *series, size_t n, struct tr_error *err)
{
    struct tr_table *t = cli_table_new(cli);
    enum tr_status st = t ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = o->series ? print_samples(t, (enum tr_counter)(o->series - 1), c, series, err)
                       : print_sums(t, o, c, series, n, err);
    if (st == TR_OK)
        st = cli_analysis_write(cli, &o->a, t, why_empty(o), err);
    tr_table_free(t);
    return st;
}
