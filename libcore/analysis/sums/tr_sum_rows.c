/* SPDX-License-Identifier: MIT */
/* Sums of groups: columns and cells. */
#include "analysis/sums/tr_sum_rows_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- types of values ---- */

enum kind { TIMES, NUMBERS, REALS };

static enum kind kind_of(const struct tr_sum_options *o)
{
    return tr_sum_is_time(o) ? TIMES : o->value == TR_SUM_OF_ARG ? REALS : NUMBERS;
}

static enum tr_cell cell_of(enum kind kind)
{
    return kind == TIMES ? TR_CELL_TIME : kind == NUMBERS ? TR_CELL_INT : TR_CELL_DOUBLE;
}

/* ---- statistics in the table ---- */

size_t tr__sum_stats(const struct tr_sum_options *o, struct tr_sum_stat stats[TR_SUM_STATS])
{
    static const struct tr_sum_stat usual[] = {
        { TR_SUM_COUNT, 0, 0, "count" }, { TR_SUM_SUM, 0, 0, "sum" }, { TR_SUM_SHARE, 0, 0, "pct" },
        { TR_SUM_MEAN, 0, 0, "mean" },   { TR_SUM_STD, 0, 0, "std" }, { TR_SUM_MIN, 0, 0, "min" },
        { TR_SUM_MAX, 0, 0, "max" },
    };
    static const struct tr_sum_stat counted[] = { { TR_SUM_COUNT, 0, 0, "count" }, { TR_SUM_SHARE, 0, 0, "pct" } };
    bool event = o->value == TR_SUM_OF_EVENT;
    const struct tr_sum_stat *from = o->n_stats ? o->stats : event ? counted : usual;
    size_t n = o->n_stats ? o->n_stats : event ? 2 : sizeof usual / sizeof *usual;
    memcpy(stats, from, n * sizeof *from);
    return n;
}

bool tr__sum_asks(const struct tr_sum_options *o, enum tr_sum_what what)
{
    struct tr_sum_stat stats[TR_SUM_STATS];
    size_t n = tr__sum_stats(o, stats);
    for (size_t i = 0; i < n; i++)
        if (stats[i].what == what)
            return true;
    return false;
}

bool tr__sum_asks_values(const struct tr_sum_options *o)
{
    return o->hist != TR_SUM_NO_HIST || tr__sum_asks(o, TR_SUM_QUANTILE);
}

/* ---- columns ---- */

static enum tr_cell key_cell(const struct tr_sum_key *k)
{
    if (k->from == TR_SUM_BIN)
        return TR_CELL_TIME;
    if (k->from == TR_SUM_CAPTURE)
        return TR_CELL_INT;
    if (k->from != TR_SUM_FIELD)
        return TR_CELL_STRING;
    enum tr_field_type type = tr_event_fields[k->field].type;
    return type == TR_FIELD_IS_TIME ? TR_CELL_TIME : tr_event_field_is_whole(k->field) ? TR_CELL_INT : TR_CELL_STRING;
}

/* Parts of a job, with the names of --per. */
static bool is_part(const struct tr_sum_key *k)
{
    if (k->from == TR_SUM_CAPTURE)
        return true;
    return k->from == TR_SUM_FIELD && (k->field == TR_FIELD_RANK || k->field == TR_FIELD_DEVICE ||
                                       k->field == TR_FIELD_STREAM || k->field == TR_FIELD_STEP);
}

size_t tr__sum_leading(const struct tr_sum_options *o)
{
    size_t n = 0;
    while (n < o->n_keys && key_cell(&o->keys[n]) != TR_CELL_STRING)
        n++;
    return n;
}

static void add_column(struct tr_table *t, struct tr_table_column c)
{
    tr_table_columns(t, &c, 1);
}

static const char *key_meaning(const struct tr_sum_key *k)
{
    switch (k->from) {
    case TR_SUM_ARG:
        return "the arg of the events";
    case TR_SUM_CAPTURE:
        return "number of the recording of its rank";
    case TR_SUM_BIN:
        return "start of the bin that the events start in";
    default:
        break;
    }
    switch (k->field) {
    case TR_FIELD_OPERATOR:
        return "the innermost operator above the events";
    case TR_FIELD_MODULE:
        return "the innermost module above the events, without its number";
    case TR_FIELD_ANNOTATION:
        return "the innermost annotation above the events that is no step";
    case TR_FIELD_STACK:
        return "the innermost spans above the events, outermost first, without steps";
    default:
        return k->replace   ? "field of the events, with parts replaced"
               : k->shorten ? "field of the events, shortened"
                            : "the field of the events";
    }
}

static void key_columns(const struct tr_sum_options *o, struct tr_table *t)
{
    size_t parts = 0;
    while (parts < o->n_keys && is_part(&o->keys[parts]))
        parts++;
    for (size_t i = 0; i < o->n_keys; i++) {
        const struct tr_sum_key *k = &o->keys[i];
        struct tr_table_column c = { .name = k->name, .type = key_cell(k), .role = TR_ROLE_KEY };
        c.role = i < parts && parts < o->n_keys ? TR_ROLE_GROUP : TR_ROLE_KEY;
        c.names = c.type == TR_CELL_STRING && !k->shorten && !k->replace &&
                  k->from == TR_SUM_FIELD &&
                  (k->field == TR_FIELD_NAME || k->field == TR_FIELD_API || k->field == TR_FIELD_KERNEL ||
                   k->field == TR_FIELD_OPERATOR || k->field == TR_FIELD_STACK);
        c.meaning = key_meaning(k);
        add_column(t, c);
    }
}

static void stat_column(const struct tr_sum_options *o, const struct tr_sum_stat *s, struct tr_table *t)
{
    enum tr_cell value = cell_of(kind_of(o)), real = value == TR_CELL_TIME ? TR_CELL_TIME : TR_CELL_DOUBLE;
    const char *sum = tr__sum_asks(o, TR_SUM_SUM) ? "sum" : NULL,
               *count = tr__sum_asks(o, TR_SUM_COUNT) ? "count" : NULL;
    char meaning[64];
    switch (s->what) {
    case TR_SUM_COUNT:
        add_column(t, (struct tr_table_column){ s->name, TR_CELL_COUNT, TR_ROLE_COUNT,
                                                .meaning = "events that have the value" });
        return;
    case TR_SUM_SUM:
        add_column(t, (struct tr_table_column){ s->name, value, TR_ROLE_SUM, .meaning = "sum of values" });
        return;
    case TR_SUM_SHARE:
        add_column(t, (struct tr_table_column){ s->name, TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%",
                                                .of = o->value == TR_SUM_OF_EVENT ? count : sum,
                                                .meaning = "share of the sum of all groups" });
        return;
    case TR_SUM_MEAN:
        add_column(t, (struct tr_table_column){ s->name, real, sum && count ? TR_ROLE_RATIO : TR_ROLE_QUANTILE,
                                                .of = sum && count ? sum : NULL, .per = sum && count ? count : NULL,
                                                .meaning = "mean value" });
        return;
    case TR_SUM_STD:
        add_column(t, (struct tr_table_column){ s->name, real, TR_ROLE_QUANTILE,
                                                .meaning = "standard deviation of the sample" });
        return;
    case TR_SUM_MIN:
        add_column(t, (struct tr_table_column){ s->name, value, TR_ROLE_MIN, .meaning = "smallest value" });
        return;
    case TR_SUM_MAX:
        add_column(t, (struct tr_table_column){ s->name, value, TR_ROLE_MAX, .meaning = "largest value" });
        return;
    case TR_SUM_QUANTILE:
        snprintf(meaning, sizeof meaning, "percentile %s of the values", s->name + 1);
        add_column(t, (struct tr_table_column){ s->name, real, TR_ROLE_QUANTILE, .meaning = meaning });
        return;
    default:
        add_column(t, (struct tr_table_column){ s->name, value, TR_ROLE_TEXT,
                                                .meaning = s->what == TR_SUM_FIRST ? "value of the first event"
                                                                                   : "value of the last event" });
    }
}

static void hist_columns(const struct tr_sum_options *o, struct tr_table *t)
{
    enum tr_cell value = cell_of(kind_of(o));
    const struct tr_table_column columns[] = {
        { "from", value, TR_ROLE_KEY, .meaning = "lower end of the bin, included" },
        { "to", value, TR_ROLE_TEXT, .meaning = "upper end of the bin, not included" },
        { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "events whose value lies in the bin" },
        { "pct", TR_CELL_RATIO, TR_ROLE_TEXT, 2, .unit = "%", .bar = true,
          .meaning = "share of the events of the group" },
    };
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
}

void tr__sum_columns(const struct tr_sum_options *o, struct tr_table *t)
{
    static const struct tr_table_column approx = {
        "approx", TR_CELL_COUNT, TR_ROLE_MAX, .extra = true,
        .meaning = "1: percentiles are approximate, to 2^-11 of their value"
    };
    struct tr_sum_stat stats[TR_SUM_STATS];
    size_t n = tr__sum_stats(o, stats);
    key_columns(o, t);
    if (o->hist != TR_SUM_NO_HIST)
        hist_columns(o, t);
    for (size_t i = 0; i < n && o->hist == TR_SUM_NO_HIST; i++)
        stat_column(o, &stats[i], t);
    if (tr__sum_asks_values(o))
        tr_table_columns(t, &approx, 1);
}

/* ---- cells ---- */

static void key_cells(const struct tr__sum_keys *k, const int64_t *codes, struct tr_table *t)
{
    for (size_t i = 0; i < k->n; i++) {
        int64_t code = codes[i];
        char text[24];
        if (!k->columns[i].number && (code & 3) == TR__CODE_NUMBER) {
            snprintf(text, sizeof text, "%" PRId64, code >> 2);
            tr_table_string(t, text);
        } else if (!k->columns[i].number) {
            tr_table_text(t, tr__sum_code_text(k, code));
        } else if (key_cell(k->columns[i].key) == TR_CELL_TIME) {
            tr_table_time(t, code);
        } else if (code == TR_I64_NONE) {
            tr_table_absent(t);
        } else {
            tr_table_int(t, code);
        }
    }
}

static double unscaled(const struct tr__sum_group *x, double value)
{
    return x->fraction ? value / (double)TR__SUM_FRACTION : value;
}

static void value_cell(const struct tr__sum_group *x, enum kind kind, int64_t value, struct tr_table *t)
{
    if (kind == TIMES)
        tr_table_time(t, value);
    else if (kind == REALS)
        tr_table_ratio(t, unscaled(x, (double)value));
    else
        tr_table_int(t, value);
}

static void real_cell(const struct tr__sum_group *x, enum kind kind, double value, struct tr_table *t)
{
    if (kind == TIMES)
        tr_table_time_f(t, value);
    else
        tr_table_ratio(t, unscaled(x, value));
}

static double double_sum(const struct tr_stats *s)
{
    const struct tr_stats all = { .n = 1, .sum = s->sum };
    return tr_stats_mean(&all);
}

static void sum_cell(const struct tr__sum_group *x, enum kind kind, struct tr_table *t)
{
    int64_t sum = tr_stats_sum(&x->values.stats);
    if (kind == REALS)
        tr_table_ratio(t, unscaled(x, double_sum(&x->values.stats)));
    else if (sum == TR_TIME_NONE)
        tr_table_absent(t);
    else
        value_cell(x, kind, sum, t);
}

static void stat_cell(const struct tr__sum_shown *s, const struct tr_sum_stat *stat, const struct tr__sum_group *x,
                      struct tr_table *t)
{
    enum kind kind = kind_of(s->options);
    switch (stat->what) {
    case TR_SUM_COUNT:
        tr_table_count(t, x->values.stats.n);
        return;
    case TR_SUM_SUM:
        sum_cell(x, kind, t);
        return;
    case TR_SUM_SHARE:
        if (s->options->value == TR_SUM_OF_EVENT)
            tr_table_ratio(t, 100 * (double)x->values.stats.n / (double)s->events);
        else
            tr_table_ratio(t, 100 * double_sum(&x->values.stats) / s->total);
        return;
    case TR_SUM_MEAN:
        real_cell(x, kind, tr_stats_mean(&x->values.stats), t);
        return;
    case TR_SUM_STD:
        real_cell(x, kind, tr_stats_std(&x->values.stats), t);
        return;
    case TR_SUM_MIN:
        value_cell(x, kind, x->values.stats.min, t);
        return;
    case TR_SUM_MAX:
        value_cell(x, kind, x->values.stats.max, t);
        return;
    case TR_SUM_QUANTILE:
        real_cell(x, kind, tr_hist_quantile(x->values.values, stat->num, stat->den), t);
        return;
    default:
        value_cell(x, kind, stat->what == TR_SUM_FIRST ? x->first : x->last, t);
    }
}

/* ---- histograms ---- */

/* The bin of a value: from *from to *to, which is INT64_MAX if it would not fit. */
static void bin_of(const struct tr_sum_options *o, const struct tr__sum_group *x, int64_t value, int64_t *from,
                   int64_t *to)
{
    if (o->hist == TR_SUM_HIST_LOG) {
        *from = value < 0 ? TR_I64_NONE : 0;
        *to = value < 0 ? 0 : 1;
        while (*to <= value) {
            *from = *to;
            *to = *to > INT64_MAX / 2 ? INT64_MAX : *to * 2;
            if (*to == INT64_MAX)
                return;
        }
        return;
    }
    uint64_t range = (uint64_t)x->values.stats.max - (uint64_t)x->values.stats.min; /* less one, so that it fits */
    uint64_t width = range / o->bins + 1, number = ((uint64_t)value - (uint64_t)x->values.stats.min) / width;
    *from = (int64_t)((uint64_t)x->values.stats.min + number * width);
    *to = (uint64_t)INT64_MAX - (uint64_t)*from < width ? INT64_MAX : (int64_t)((uint64_t)*from + width);
}

static void hist_row(const struct tr__sum_shown *s, const struct tr__sum_group *x, int64_t from, int64_t to,
                     uint64_t count, struct tr_table *t)
{
    enum kind kind = kind_of(s->options);
    key_cells(s->keys, x->codes, t);
    if (from == TR_I64_NONE)
        tr_table_absent(t);
    else
        value_cell(x, kind, from, t);
    value_cell(x, kind, to, t);
    tr_table_count(t, count);
    tr_table_ratio(t, 100 * (double)count / (double)x->values.stats.n);
    tr_table_count(t, tr_hist_approx(x->values.values));
}

/* A row for each bin, from the first that holds a value to the last. */
static void hist_rows(const struct tr__sum_shown *s, const struct tr__sum_group *x, struct tr_table *t)
{
    int64_t value = 0, from = 0, to = 0;
    uint64_t count, held = 0;
    size_t at = 0;
    bool started = false;
    while (tr_hist_next(x->values.values, &at, &value, &count)) {
        if (s->options->hist == TR_SUM_HIST_EQUAL) { /* approximate values may be outside */
            const struct tr_stats *of = &x->values.stats;
            value = value < of->min ? of->min : value > of->max ? of->max : value;
        }
        while (started && value >= to && to != INT64_MAX) {
            hist_row(s, x, from, to, held, t);
            held = 0;
            bin_of(s->options, x, to, &from, &to);
        }
        if (!started)
            bin_of(s->options, x, value, &from, &to);
        started = true;
        held += count;
    }
    if (started)
        hist_row(s, x, from, to, held, t);
}

bool tr__sum_row(const struct tr__sum_shown *s, const struct tr__sum_group *group, struct tr_table *t)
{
    struct tr_sum_stat stats[TR_SUM_STATS];
    struct tr__sum_group x = *group;
    size_t n = tr__sum_stats(s->options, stats);
    bool values = tr__sum_asks_values(s->options), made = values && !x.values.values;
    struct tr_hist *h = values ? tr_sample_values(&x.values) : NULL; /* equal values have none */
    if (values && !h)
        return false;
    x.values.values = h;
    if (h)
        tr_hist_seal(h);
    if (s->options->hist != TR_SUM_NO_HIST) {
        hist_rows(s, &x, t);
    } else {
        key_cells(s->keys, x.codes, t);
        for (size_t i = 0; i < n; i++)
            stat_cell(s, &stats[i], &x, t);
        if (h)
            tr_table_count(t, tr_hist_approx(h));
    }
    if (made)
        tr_hist_free(h);
    return true;
}
