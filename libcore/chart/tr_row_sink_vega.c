/* SPDX-License-Identifier: MIT */
/*
 * Tables as specifications of Vega-Lite 5: the picture that -O svg draws, with its data, for notebooks and for other
 * styles.  The data are all points, with the numbers that the table prints.
 *
 *     category, x, y, end, low, high, series, facet, name    as far as the chart has them
 */
#include "chart/tr_chart_data_int.h"
#include "chart/tr_chart_guess.h"
#include "chart/tr_chart_palette_int.h"
#include "chart/tr_chart_sinks.h"

#include "base/tr_escape.h"
#include "table/tr_table_int.h"

#include <math.h>
#include <string.h>

static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    (void)t;
    (void)out;
    (void)err;
    return TR_OK; /* all are needed first */
}

struct spec {
    struct tr__chart_data d;
    const struct tr_picture *about;
    struct tr_buf *out;
    bool failed;
};

static void put(struct spec *s, const char *text)
{
    s->failed |= !tr_buf_add_str(s->out, text);
}

static void put_string(struct spec *s, const char *text, size_t len)
{
    s->failed |= !tr_escape_json(s->out, text, len);
}

static bool categories(const struct spec *s)
{
    enum tr_chart_kind k = s->d.chart.kind;
    return k == TR_CHART_BAR || k == TR_CHART_STACKED || k == TR_CHART_HEAT;
}

/* ---- data ---- */

static bool present(const struct spec *s, size_t row, size_t column)
{
    return column != SIZE_MAX && !tr__cell_of(s->d.t, row, column)->absent;
}

/* A member with the number that the table prints; nothing if it is absent. */
static void put_number(struct spec *s, const char *name, size_t row, size_t column, bool *first)
{
    if (!present(s, row, column) || !tr_cell_is_number(s->d.t->cols[column].is.type))
        return;
    put(s, *first ? "\"" : ",\"");
    put(s, name);
    put(s, "\":");
    s->failed |= !tr__cell_number(s->d.t, &s->d.t->cols[column], tr__cell_of(s->d.t, row, column), s->out);
    *first = false;
}

static void put_text(struct spec *s, const char *name, struct tr_str text, bool *first)
{
    put(s, *first ? "\"" : ",\"");
    put(s, name);
    put(s, "\":");
    put_string(s, text.s, text.len);
    *first = false;
}

static size_t find(const struct spec *s, const char *name)
{
    return name ? tr_table_find(s->d.t, name) : SIZE_MAX;
}

static void put_point(struct spec *s, const struct tr__point *at)
{
    const struct tr__chart_data *d = &s->d;
    bool first = true, heat = d->chart.kind == TR_CHART_HEAT;
    put(s, "{");
    if (categories(s))
        put_text(s, "category", tr__chart_name(d->cats, at->cat), &first);
    else
        put_number(s, "x", at->row, d->x.column, &first);
    put_number(s, "y", at->row, heat ? d->z.column : d->y_columns[at->column], &first);
    if (d->chart.kind == TR_CHART_FLAME)
        put_number(s, "depth", at->row, d->z.column, &first);
    if (at->column == 0) {
        put_number(s, "low", at->row, find(s, d->chart.low), &first);
        put_number(s, "high", at->row, find(s, d->chart.high), &first);
    }
    if (heat || tr_strtab_count(d->series) > 1)
        put_text(s, "series", tr__chart_name(d->series, at->series), &first);
    if (tr_strtab_count(d->facets) > 1)
        put_text(s, "facet", tr__chart_name(d->facets, at->facet), &first);
    if (d->text_column != SIZE_MAX && present(s, at->row, d->text_column) && !categories(s) &&
        d->t->cols[d->text_column].is.type == TR_CELL_STRING)
        put_text(s, "name", tr_table_get(d->t, at->row, d->text_column), &first);
    put(s, "}");
}

/* Is a number that is above 0 so as it is printed, too?  It may be rounded to 0.000. */
static bool prints_above_zero(struct spec *s, size_t row, size_t column)
{
    struct tr_buf text = { 0 };
    s->failed |= !tr__cell_number(s->d.t, &s->d.t->cols[column], tr__cell_of(s->d.t, row, column), &text);
    bool above = false;
    for (size_t i = 0; i < text.len; i++)
        above |= text.data[i] >= '1' && text.data[i] <= '9';
    tr_buf_free(&text);
    return above;
}

/* Has a point a place?  A bar without a value has: its name. */
static bool has_place(struct spec *s, const struct tr__point *at)
{
    const struct tr_chart *c = &s->d.chart;
    if (categories(s))
        return true;
    return !isnan(at->x) && !isnan(at->y) &&
           (!c->log_x || (at->x > 0 && prints_above_zero(s, at->row, s->d.x.column))) &&
           (!c->log_y || (at->y > 0 && prints_above_zero(s, at->row, s->d.y_columns[at->column])));
}

static void put_data(struct spec *s)
{
    bool first = true;
    put(s, " \"data\": {\"values\": [");
    for (size_t i = 0; i < s->d.n_points; i++) {
        if (!has_place(s, &s->d.points[i]))
            continue;
        put(s, first ? "\n  " : ",\n  ");
        put_point(s, &s->d.points[i]);
        first = false;
    }
    put(s, "\n ]}");
}

/* ---- encoding ---- */

static void put_title(struct spec *s, size_t column)
{
    struct tr_buf title = { 0 };
    const struct tr_table_column *is = column == SIZE_MAX ? NULL : &s->d.t->cols[column].is;
    const char *unit = !is ? NULL : is->type == TR_CELL_TIME ? tr_unit_name(s->d.t->unit) : is->unit;
    bool several = column == s->d.y.column && s->d.n_y > 1 && s->d.chart.kind != TR_CHART_HEAT;
    s->failed |= !(several ? tr_buf_add_str(&title, s->d.y.q.measure == TR__TIME ? "time" : "value")
                           : !is || tr__chart_title(&s->d, column, &title));
    if (unit)
        s->failed |= !tr_buf_print(&title, " (%s)", unit);
    put_string(s, tr_buf_text(&title), title.len);
    tr_buf_free(&title);
}

/* A channel: "x": {"field": ..., "type": ..., "title": ... MORE}. */
static void put_channel(struct spec *s, const char *channel, const char *field, const char *type, size_t column,
                        bool log, const char *more)
{
    put(s, "\"");
    put(s, channel);
    put(s, "\": {\"field\": \"");
    put(s, field);
    put(s, "\", \"type\": \"");
    put(s, type);
    put(s, "\", \"title\": ");
    put_title(s, column);
    if (log)
        put(s, ", \"scale\": {\"type\": \"log\"}");
    put(s, more);
    put(s, "}");
}

/* The colours of -O svg for the series. */
static void put_colour(struct spec *s)
{
    uint32_t n = tr_strtab_count(s->d.series);
    struct tr_str names[TR__MAX_SERIES];
    enum tr__colour colours[TR__MAX_SERIES];
    if (s->d.chart.change)
        s->failed |= !tr_buf_print(s->out,
                                   ", \"color\": {\"condition\": {\"test\": \"datum.y < 0\", \"value\": \"%s\"}, "
                                   "\"value\": \"%s\"}",
                                   tr__colour_hex(TR__COMPUTE), tr__colour_hex(TR__COMM));
    if (n < 2 || s->d.chart.change)
        return;
    put(s, ", \"color\": {\"field\": \"series\", \"type\": \"nominal\", \"title\": null, \"sort\": null");
    if (n <= TR__MAX_SERIES) {
        for (uint32_t i = 0; i < n; i++)
            names[i] = tr__chart_name(s->d.series, i);
        tr__colours_for(names, n, colours);
        put(s, ", \"scale\": {\"domain\": [");
        for (uint32_t i = 0; i < n; i++) {
            put(s, i ? ", " : "");
            put_string(s, names[i].s, names[i].len);
        }
        put(s, "], \"range\": [");
        for (uint32_t i = 0; i < n; i++) {
            put(s, i ? ", \"" : "\"");
            put(s, tr__colour_hex(colours[i]));
            put(s, "\"");
        }
        put(s, "]}");
    }
    put(s, "}");
}

static void put_encoding(struct spec *s)
{
    const struct tr__chart_data *d = &s->d;
    bool grouped =
        d->chart.kind == TR_CHART_BAR && tr_strtab_count(d->series) > 1 && d->n_points > tr_strtab_count(d->cats);
    put(s, "\"encoding\": {");
    switch (d->chart.kind) {
    case TR_CHART_BAR:
    case TR_CHART_STACKED:
        put_channel(s, "y", "category", "nominal", d->x.column, false, ", \"sort\": null");
        put(s, ", ");
        put_channel(s, "x", "y", "quantitative", d->y.column, false,
                    d->chart.kind == TR_CHART_STACKED ? ", \"stack\": \"zero\"" : "");
        if (grouped)
            put(s, ", \"yOffset\": {\"field\": \"series\", \"sort\": null}");
        break;
    case TR_CHART_HEAT:
        put_channel(s, "x", "category", d->x.text ? "nominal" : "ordinal", d->x.column, false, "");
        put(s, ", ");
        put_channel(s, "y", "series", d->y.text ? "nominal" : "ordinal", d->y.column, false, "");
        put(s, ", ");
        put_channel(s, "color", "y", "quantitative", d->z.column, false, "");
        put(s, "}");
        return;
    case TR_CHART_HISTOGRAM:
        put_channel(s, "x", "x", "quantitative", d->x.column, d->chart.log_x,
                    present(s, 0, find(s, d->chart.high)) ? ", \"bin\": \"binned\"" : "");
        put(s, present(s, 0, find(s, d->chart.high)) ? ", \"x2\": {\"field\": \"high\"}, " : ", ");
        put_channel(s, "y", "y", "quantitative", d->y.column, false, "");
        break;
    case TR_CHART_BAND:
    case TR_CHART_FLAME:
        put_channel(s, "x", "x", "quantitative", d->x.column, false, ", \"scale\": {\"zero\": false}");
        put(s, ", \"x2\": {\"field\": \"end\"}, ");
        if (d->chart.kind == TR_CHART_FLAME)
            put_channel(s, "y", "depth", "ordinal", d->z.column, false, "");
        else
            put(s, "\"y\": {\"field\": \"facet\", \"type\": \"nominal\", \"title\": null, \"sort\": null}");
        break;
    default:
        put_channel(s, "x", "x", "quantitative", d->x.column, d->chart.log_x,
                    d->x.moments && !d->chart.log_x ? ", \"scale\": {\"zero\": false}" : "");
        put(s, ", ");
        put_channel(s, "y", "y", "quantitative", d->y.column, d->chart.log_y, "");
    }
    put_colour(s);
    put(s, "}");
}

static void put_mark(struct spec *s)
{
    static const char *const marks[TR_N_CHART_KINDS] = {
        [TR_CHART_BAR] = "{\"type\": \"bar\", \"tooltip\": true}",
        [TR_CHART_STACKED] = "{\"type\": \"bar\", \"tooltip\": true}",
        [TR_CHART_HISTOGRAM] = "{\"type\": \"bar\", \"tooltip\": true}",
        [TR_CHART_LINE] = "{\"type\": \"line\", \"tooltip\": true}",
        [TR_CHART_STEP] = "{\"type\": \"line\", \"interpolate\": \"step-after\", \"tooltip\": true}",
        [TR_CHART_SCATTER] = "{\"type\": \"point\", \"filled\": true, \"tooltip\": {\"content\": \"data\"}}",
        [TR_CHART_HEAT] = "{\"type\": \"rect\", \"tooltip\": true}",
        [TR_CHART_ROOFLINE] = "{\"type\": \"point\", \"filled\": true, \"tooltip\": {\"content\": \"data\"}}",
        [TR_CHART_FLAME] = "{\"type\": \"bar\", \"tooltip\": {\"content\": \"data\"}}",
        [TR_CHART_BAND] = "{\"type\": \"bar\", \"tooltip\": {\"content\": \"data\"}}",
    };
    put(s, "\"mark\": ");
    put(s, marks[s->d.chart.kind]);
    put(s, ", ");
}

/* Marks and encodings; whiskers are a second layer. */
static void put_layers(struct spec *s)
{
    bool whiskers =
        s->d.chart.kind == TR_CHART_BAR && find(s, s->d.chart.low) != SIZE_MAX && find(s, s->d.chart.high) != SIZE_MAX;
    if (whiskers)
        put(s, "\"layer\": [{");
    put_mark(s);
    put_encoding(s);
    if (whiskers)
        put(s, "}, {\"mark\": {\"type\": \"rule\"}, \"encoding\": {"
               "\"y\": {\"field\": \"category\", \"type\": \"nominal\", \"sort\": null}, "
               "\"x\": {\"field\": \"low\", \"type\": \"quantitative\"}, \"x2\": {\"field\": \"high\"}}}]");
}

/* facets: of one of them, two beside each other. */
static void put_size(struct spec *s, bool facets)
{
    unsigned w = s->about->width ? s->about->width : 800, h = s->about->height ? s->about->height : 500;
    if (facets) {
        w = w / 2 - 20;
        h = h / 2 - 20;
    }
    s->failed |= !tr_buf_print(s->out, "\"width\": %u, \"height\": %u", w, h);
}

static void put_spec(struct spec *s)
{
    const struct tr__chart_data *d = &s->d;
    bool spans = d->chart.kind == TR_CHART_BAND || d->chart.kind == TR_CHART_FLAME;
    bool facets = tr_strtab_count(d->facets) > 1 && d->chart.kind != TR_CHART_BAND;
    put(s, "{\n \"$schema\": \"https://vega.github.io/schema/vega-lite/v5.json\",\n ");
    if (s->about->title) {
        const char *inputs = s->about->inputs ? s->about->inputs : "";
        put(s, "\"title\": {\"text\": ");
        put_string(s, s->about->title, strlen(s->about->title));
        put(s, ", \"subtitle\": ");
        put_string(s, inputs, strlen(inputs));
        put(s, "},\n ");
    }
    put(s, "\"description\": ");
    put_string(s, s->about->command ? s->about->command : "", s->about->command ? strlen(s->about->command) : 0);
    put(s, ",\n");
    put_data(s);
    put(s, ",\n ");
    if (spans)
        put(s, "\"transform\": [{\"calculate\": \"datum.x + datum.y\", \"as\": \"end\"}],\n ");
    if (facets)
        put(s, "\"facet\": {\"field\": \"facet\", \"type\": \"nominal\", \"title\": null, \"sort\": null}, "
               "\"columns\": 2,\n \"spec\": {");
    put_size(s, facets);
    put(s, ",\n ");
    put_layers(s);
    put(s, facets ? "}\n}\n" : "\n}\n");
}

static enum tr_status end(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    static const struct tr_picture none = { .width = 0 };
    struct spec s = { .about = t->picture ? t->picture : &none, .out = out };
    struct tr_chart chart;
    enum tr_status st = tr_chart_choose(t, s.about->chart, &chart, NULL, err);
    if (st == TR_OK)
        st = tr__chart_read(&s.d, t, &chart, err);
    if (st == TR_OK)
        put_spec(&s);
    if (st == TR_OK)
        st = s.failed ? tr_fail_memory(err) : TR_END;
    tr__chart_data_free(&s.d);
    return st;
}

const struct tr_row_sink tr_row_sink_vega = { .name = "vega", .draws = true, .rows = rows, .end = end };
