/* SPDX-License-Identifier: MIT */
/* Which metrics are there, and what are their values over time? */
#include "analysis/counters/tr_counters_analyses.h"
#include "analysis/counters/tr_metric_values.h"
#include "base/tr_mem.h"
#include "stream/tr_args.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct metric_list_state {
    struct tr_analysis_in in;
    const struct tr_metrics_options *options;
    struct tr_metric_values *values;
    struct metric *metrics; /* the list */
    size_t n_metrics, cap_metrics;
    struct tr_strtab *keys; /* of the list: struct key */
    struct tr_arg instance, sample; /* of rows of metric files */
    bool divided;           /* a value has been divided by its time */
};

static void release(void *state)
{
    struct metric_list_state *s = state;
    tr_metric_values_free(s->values);
    tr_strtab_free(s->keys);
    tr_arg_free(&s->instance);
    tr_arg_free(&s->sample);
    free(s->metrics);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    const struct tr_metrics_options *o = options;
    struct metric_list_state *s = state;
    s->in = *in;
    s->options = o;
    s->values = tr_metric_values_new(in->dict, o->metrics);
    s->keys = tr_strtab_new();
    return s->values && s->keys ? TR_OK : tr_fail_memory(err);
}

/* The categories of events with values, as strings of the dictionary. */
struct categories {
    uint32_t range, row;
};

/* Does an event have values?  A range has, a sample of a series, and a row of a metric file. */
static bool bears_values(const struct tr_batch *b, size_t i, struct categories of)
{
    if (tr_metric_is_row(b, i, of.row))
        return true;
    if (b->ts[i] == TR_TIME_NONE)
        return false;
    return b->phase[i] == TR_COUNTER || (b->phase[i] == TR_SPAN && b->cat[i] == of.range && of.range != TR_NO_STR);
}

static struct categories categories_of(const struct metric_list_state *s)
{
    const struct tr_strtab *t = s->in.dict->strings;
    return (struct categories){ tr_strtab_find(t, s->options->category, strlen(s->options->category)),
                                tr_metric_file_category(s->in.dict) };
}

/* The process of an event with values has a meaning: of a series; of a row of a metric file, it is the device. */
static bool has_process(const struct tr_batch *b, size_t i)
{
    return b->phase[i] == TR_COUNTER || b->phase[i] == TR_INSTANT;
}

/* The process of a series, from its pid; number: room for its digits. */
static struct tr_str process_of(const struct metric_list_state *s, bool series, unsigned type, int64_t pid,
                                char number[TR_TRACK_DIGITS])
{
    tr_track_digits(type, pid, number);
    if (series && type == TR_T_STRING)
        return tr_dict_text(s->in.dict, (uint32_t)pid);
    return tr_str_of(series && type != TR_T_NULL ? number : NULL);
}

static struct tr_group_key group_of(const struct tr_source *source)
{
    return (struct tr_group_key){ .rank = source->rank >= 0 ? source->rank : TR_GROUP_NONE, .device = TR_GROUP_NONE,
                                  .stream = TR_GROUP_NONE, .step = TR_GROUP_NONE, .capture = source->capture };
}

static struct tr_str unit_of(const char *name)
{
    struct tr_str unit = tr_metric_unit(name);
    return unit.len ? unit : tr_str_of(NULL);
}

/* The unit of a throughput: that of the metric per ns; unit: room for it. */
static struct tr_str rate_unit_of(const char *name, char unit[64])
{
    struct tr_str of = tr_metric_unit(name);
    snprintf(unit, 64, "%.*s/ns", (int)(of.len < 40 ? of.len : 40), of.s);
    return tr_str_of(tr_metric_is_bytes(name) ? "GB/s" : of.len ? unit : "1/ns");
}

/* ---- the list ---- */

struct key {
    struct tr_group_key group;
    int64_t pid;
    uint32_t metric;
    uint8_t series, pid_type;
    uint16_t zero;
};

struct metric {
    struct key key;
    uint64_t samples, position;
    double sum, min, max;
};

struct list_row {
    struct tr_group_key key;
    const char *metric;
    struct tr_str process, unit;
    uint64_t samples, position;
    double min, mean, max;
};

static const struct tr_table_column list_columns[] = {
    { "metric", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct list_row, metric), .wide = true, .meaning = "its name" },
    { "process", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct list_row, process), .quiet = TR_QUIET_SAME,
      .meaning = "pid of a series; device of a metric file" },
    { "unit", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct list_row, unit), .meaning = "unit, by the name" },
    { "samples", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct list_row, samples),
      .meaning = "number of values: ranges, or counter events" },
    { "min", TR_CELL_DOUBLE, TR_ROLE_MIN, TR_OF(struct list_row, min), .meaning = "minimum" },
    { "mean", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, TR_OF(struct list_row, mean), .meaning = "mean value" },
    { "max", TR_CELL_DOUBLE, TR_ROLE_MAX, TR_OF(struct list_row, max), .meaning = "maximum" },
    { "position", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct list_row, position), .extra = true,
      .meaning = "place among the metrics of the first event that has it, from 0" },
};

static bool add_to_list(struct metric_list_state *s, const struct tr_batch *b, size_t i,
                        const struct tr_metric_value *v, size_t position)
{
    const struct tr_track *track = &s->in.dict->tracks[b->track[i]];
    struct key key = { .group = group_of(&s->in.dict->sources[track->source]), .metric = v->metric };
    if (has_process(b, i)) {
        key.series = 1;
        key.pid_type = track->pid_type;
        key.pid = track->pid_type == TR_T_NULL ? 0 : track->pid;
    }
    uint32_t number = tr_strtab_add(s->keys, &key, sizeof key);
    if (number == TR_NO_STR || !tr_grow(&s->metrics, &s->cap_metrics, (size_t)number + 1, sizeof *s->metrics))
        return false;
    double value = tr_metric_number(v->m);
    struct metric *m = &s->metrics[number];
    if (number == s->n_metrics) {
        s->n_metrics++;
        *m = (struct metric){ key, 0, position, 0, value, value };
    }
    m->samples++;
    m->sum += value;
    m->min = value < m->min ? value : m->min;
    m->max = value > m->max ? value : m->max;
    return true;
}

static enum tr_status list_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                struct tr_error *err)
{
    struct metric_list_state *s = state;
    const struct tr_metric_value *of;
    struct categories of_values = categories_of(s);
    size_t n;
    bool ok = true;
    (void)t;
    tr_metric_values_batch(s->values, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        if (!bears_values(b, i, of_values))
            continue;
        ok = tr_metric_values_of(s->values, i, &of, &n); /* also for unselected events: their metrics exist */
        for (size_t k = 0; ok && (!keep || keep[i]) && k < n; k++)
            ok = !tr_metric_values_wanted(s->values, of[k].metric) || add_to_list(s, b, i, &of[k], k);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

struct sorted {
    const struct metric_list_state *s;
    size_t place;
    const struct metric *m;
};

static int compare_pids(const struct metric_list_state *s, const struct key *x, const struct key *y)
{
    if (x->pid_type != y->pid_type)
        return x->pid_type < y->pid_type ? -1 : 1;
    if (x->pid_type == TR_T_STRING)
        return tr_str_cmp(tr_dict_text(s->in.dict, (uint32_t)x->pid), tr_dict_text(s->in.dict, (uint32_t)y->pid));
    return (x->pid > y->pid) - (x->pid < y->pid);
}

static int by_name(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    const struct key *p = &x->m->key, *q = &y->m->key;
    if (p->group.rank != q->group.rank)
        return p->group.rank < q->group.rank ? -1 : 1;
    if (p->group.capture != q->group.capture)
        return p->group.capture < q->group.capture ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (p->series != q->series)
        return p->series < q->series ? -1 : 1;
    return compare_pids(x->s, p, q);
}

static void list_row(struct tr_table *t, const struct metric_list_state *s, const struct metric *m)
{
    const char *name = tr_metric_values_name(s->values, m->key.metric);
    char number[TR_TRACK_DIGITS];
    const struct list_row row = { .key = m->key.group,
                                  .metric = name,
                                  .process = process_of(s, m->key.series, m->key.pid_type, m->key.pid, number),
                                  .unit = unit_of(name),
                                  .samples = m->samples,
                                  .position = m->position,
                                  .min = m->min,
                                  .mean = m->sum / (double)m->samples,
                                  .max = m->max };
    tr_table_grouped_rows(t, &row, 1, sizeof row);
}

static enum tr_status list_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct metric_list_state *s = state;
    size_t n = tr_metric_values_count(s->values);
    uint32_t *order = calloc(n + 1, sizeof *order);
    size_t *place = calloc(n + 1, sizeof *place);
    struct sorted *sorted = calloc(s->n_metrics + 1, sizeof *sorted);
    bool ok = order && place && sorted && (n = tr_metric_values_order(s->values, order)) != SIZE_MAX;
    enum tr_status st = ok ? tr_metric_values_check(s->values, err) : tr_fail_memory(err);
    for (size_t k = 0; st == TR_OK && k < n; k++)
        place[order[k]] = k;
    for (size_t k = 0; st == TR_OK && k < s->n_metrics; k++)
        sorted[k] = (struct sorted){ s, place[s->metrics[k].key.metric], &s->metrics[k] };
    if (st == TR_OK)
        qsort(sorted, s->n_metrics, sizeof *sorted, by_name);
    for (size_t k = 0; st == TR_OK && k < s->n_metrics; k++)
        list_row(t, s, sorted[k].m);
    free(order);
    free(place);
    free(sorted);
    return st;
}

/* A view of single metrics. */
#define METRICS(id, name_of, question_of, settings, columns_of, feed_of, finish_of, saving_of, ...) \
    const struct tr_analysis tr_analysis_metric_##id = {                                            \
        .name = name_of,                                                                            \
        .question = question_of,                                                                    \
        .nothing = "no event with a metric is selected",                                            \
        .groups = TR_PER_BIT(TR_PER_RANK),                                                          \
        .group = TR_PER_RANK,                                                                       \
        TR_OPTIONS(settings, tr_metrics_defaults),                                                  \
        /* which keys are metrics is known only from the events */                                  \
        .needs = { .want = { .fixed = TR_FIXED_ALL, .all_packed = true }, .host = true },           \
        TR_OWN_COLUMNS(columns_of),                                                                 \
        .state_size = sizeof(struct metric_list_state),                                             \
        .start = start,                                                                             \
        .feed = feed_of,                                                                            \
        .finish = finish_of,                                                                        \
        .free = release,                                                                            \
        .saving = &saving_of,                                                                       \
        __VA_ARGS__                                                                                 \
    }

METRICS(list, "metric-list", "Which metrics are there, and how large are they?", &tr_metrics_settings[2],
        list_columns, list_feed, list_finish, tr_saving_ranks,
        .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "metric", .y = { "mean" }, .facet = "rank",
                                           .low = "min", .high = "max" });

/* ---- over time ---- */

struct series_row {
    struct tr_group_key key;
    int64_t ts, dur, instance, sample;
    const char *metric;
    struct tr_str process, unit, name;
    double value;
    uint64_t record;
};

static const struct tr_table_column series_columns[] = {
    { "ts", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct series_row, ts), .meaning = "time of the value, as in its file" },
    { "metric", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct series_row, metric), .wide = true, .meaning = "its name" },
    { "process", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct series_row, process), .quiet = TR_QUIET_SAME,
      .meaning = "pid of a series; device of a metric file" },
    { "unit", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct series_row, unit), .meaning = "unit, by the name" },
    { "value", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, TR_OF(struct series_row, value), .main = true,
      .meaning = "the value" },
    { "dur", TR_CELL_TIME, TR_ROLE_TEXT, TR_OF(struct series_row, dur), .extra = true,
      .meaning = "duration of the range" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct series_row, name), .extra = true, .names = true,
      .meaning = "the kernel of the range" },
    { "record", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct series_row, record), .extra = true,
      .meaning = "index of the event in its file" },
    { "instance", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct series_row, instance), .extra = true,
      .meaning = "of a metric file: number of the kernel among those of its name and device, from 1" },
    { "sample", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct series_row, sample), .extra = true,
      .meaning = "of a metric file: number of the row in its instance, from 0" },
};


/* A number of a row of a metric file. */
static int64_t number_of(const struct tr_batch *b, size_t i, const struct tr_arg *arg)
{
    int64_t number = b->phase[i] == TR_INSTANT ? tr_arg_int(arg, i) : -1;
    return number < 0 ? TR_I64_NONE : number;
}

static void series_row(struct tr_table *t, const struct metric_list_state *s, const struct tr_batch *b, size_t i,
                       const struct tr_metric_value *v, double time)
{
    const struct tr_track *track = &s->in.dict->tracks[b->track[i]];
    const struct tr_source *source = &s->in.dict->sources[track->source];
    const char *name = tr_metric_values_name(s->values, v->metric);
    bool series = b->phase[i] == TR_COUNTER, rate = s->options->throughput;
    char number[TR_TRACK_DIGITS], unit[64];
    const struct series_row row = {
        .key = group_of(source),
        .ts = tr_source_to_file(source, b->ts[i]),
        .metric = name,
        .process = process_of(s, has_process(b, i), track->pid_type, track->pid, number),
        .unit = rate ? rate_unit_of(name, unit) : unit_of(name),
        .value = rate ? tr_metric_number(v->m) / time : tr_metric_number(v->m),
        .dur = b->phase[i] == TR_SPAN ? tr_dur_used(b->dur[i], b->suspect[i]) : TR_TIME_NONE,
        .name = series ? tr_str_of(NULL) : tr_dict_text_if(s->in.dict, b->name[i]),
        .record = b->record[i],
        .instance = number_of(b, i, &s->instance),
        .sample = number_of(b, i, &s->sample),
    };
    tr_analysis_at(&s->in, track->source, b->ts[i], tr_order_dur(b->dur[i], b->suspect[i]));
    tr_table_grouped_rows(t, &row, 1, sizeof row);
}

/* The time that the values of an event are about, in ns; NaN: they are about no time. */
static double time_of(const struct metric_list_state *s, const struct tr_batch *b, size_t i,
                      const struct tr_metric_value *of, size_t n)
{
    for (size_t k = n; k-- > 0;)
        if (tr_metric_is_time(tr_metric_values_name(s->values, of[k].metric)))
            return tr_metric_number(of[k].m);
    return b->phase[i] == TR_SPAN ? (double)tr_dur_used(b->dur[i], b->suspect[i]) : NAN;
}

/* Is a value wanted, and with --throughput, can it be divided? */
static bool shown(struct metric_list_state *s, const struct tr_batch *b, size_t i, const struct tr_metric_value *v,
                  double time)
{
    const char *name = tr_metric_values_name(s->values, v->metric);
    if (!tr_metric_values_wanted(s->values, v->metric))
        return false;
    if (!s->options->throughput)
        return true;
    bool counts = tr_metric_counts(name) && (b->phase[i] == TR_SPAN || tr_metric_of_rows(name) == TR_METRIC_ADDED);
    s->divided |= counts && !isnan(time);
    return counts && time > 0;
}

static enum tr_status series_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                  struct tr_error *err)
{
    struct metric_list_state *s = state;
    const struct tr_metric_value *of;
    struct categories of_values = categories_of(s);
    size_t n;
    if (!tr_arg_read(&s->instance, b, TR_PLACE_ARGS, "instance") ||
        !tr_arg_read(&s->sample, b, TR_PLACE_ARGS, "sample"))
        return tr_fail_memory(err);
    tr_metric_values_batch(s->values, b);
    for (size_t i = 0; i < b->n; i++) {
        if (!bears_values(b, i, of_values))
            continue;
        if (!tr_metric_values_of(s->values, i, &of, &n))
            return tr_fail_memory(err);
        double time = time_of(s, b, i, of, n);
        for (size_t k = 0; (!keep || keep[i]) && k < n; k++)
            if (shown(s, b, i, &of[k], time))
                series_row(t, s, b, i, &of[k], time);
    }
    return TR_OK;
}

static enum tr_status series_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct metric_list_state *s = state;
    (void)t;
    enum tr_status st = tr_metric_values_check(s->values, err);
    if (st == TR_OK && s->options->throughput && !s->divided)
        return tr_fail(err, TR_ABSENT, "no value has a throughput: none is a count, of a range or of a metric file");
    return st;
}

METRICS(series, "metric-series", "Which values did metrics have over time?", &tr_metrics_settings[1], series_columns,
        series_feed, series_finish, tr_saving_times,
        .chart = &(const struct tr_chart){ TR_CHART_LINE, .x = "ts", .y = { "value" }, .series = "metric",
                                           .facet = "rank" });
