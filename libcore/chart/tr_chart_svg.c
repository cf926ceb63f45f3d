/* SPDX-License-Identifier: MIT */
/* From the rows of a table to a picture: classes, panels, the drawing of its kind, and what stands around it. */
#include "chart/tr_chart_svg.h"

#include "chart/tr_chart_draw_int.h"
#include "chart/tr_chart_guess.h"
#include "chart/tr_chart_text_int.h"

#include <math.h>
#include <string.h>

/* ---- around the marks ---- */

static void draw_ramp(struct tr__drawing *p)
{
    struct tr_buf text = { 0 };
    double x = p->width - 24;
    p->svg.failed |= !tr__number_short(&text, p->top, p->ramp_q);
    tr__svg_text(&p->svg, x, 78, "e n sm", tr_buf_text(&text), text.len);
    x -= tr__text_px(tr_buf_text(&text), text.len, TR__TICK_PX, false) + 6;
    for (unsigned i = TR__LEVELS; i-- > 0; x -= 12) {
        char name[8] = { 'h', (char)('0' + i), 0 };
        tr__svg_rect(&p->svg, x - 12, 69, 12, 10, name, NULL);
    }
    text.len = 0;
    size_t column = p->d.chart.kind == TR_CHART_HEAT ? p->d.z.column : SIZE_MAX;
    p->svg.failed |= !(column == SIZE_MAX ? tr_buf_add_str(&text, "points  1")
                                          : tr__chart_title(&p->d, column, &text));
    if (text.len > 4 && memcmp(text.data + text.len - 4, " pct", 4) == 0)
        text.len -= 4; /* the unit says so */
    p->svg.failed |= column != SIZE_MAX && !tr_buf_add_str(&text, "  0");
    tr__svg_text(&p->svg, x - 6, 78, "e n sm", tr_buf_text(&text), text.len);
    tr_buf_free(&text);
}

#define SHORT 90.0 /* pixels of a name that is cut so much that it says little */

/* The width that names may have so that all fit: those that need less leave the rest to others. */
static double fair_width(const double *widths, unsigned n, double room)
{
    double most = room / n;
    for (unsigned round = 0; round < n; round++) {
        double left = room;
        unsigned wide = 0;
        for (unsigned i = 0; i < n; i++) {
            left -= widths[i] <= most ? widths[i] : 0;
            wide += widths[i] > most;
        }
        if (!wide)
            return room;
        most = left / wide;
    }
    return most;
}

/* The room for each of n names in a line. */
static double legend_width(const struct tr__drawing *p, const double *widths, unsigned n)
{
    return fmax(fair_width(widths, n, p->width - 24 - 170 - 38 * n), 24);
}

/* In two lines, if names would have to be very short in one. */
static void draw_legend(struct tr__drawing *p)
{
    struct tr_buf names[TR__MAX_SERIES + 1] = { { 0 } }, cut[TR__MAX_SERIES + 1] = { { 0 } };
    double widths[TR__MAX_SERIES + 1] = { 0 }, x = p->width - 24, y = 78;
    for (unsigned i = 0; i < p->n_classes; i++) {
        tr__class_name(p, i, &names[i]);
        widths[i] = tr__text_px(tr_buf_text(&names[i]), names[i].len, TR__TEXT_PX, false) + 0.01;
    }
    double room = legend_width(p, widths, p->n_classes);
    unsigned first = 0; /* of the second line */
    if (p->n_classes > 3 && room < SHORT) {
        first = (p->n_classes + 1) / 2;
        room = fmin(legend_width(p, widths, first), legend_width(p, widths + first, p->n_classes - first));
        y = 86;
    }
    tr__class_labels(p, room, cut);
    for (unsigned i = p->n_classes; i-- > 0;) {
        x -= tr__text_px(tr_buf_text(&cut[i]), cut[i].len, TR__TEXT_PX, false);
        tr__svg_text(&p->svg, x, y, "", tr_buf_text(&cut[i]), cut[i].len);
        x -= 18;
        tr__svg_bar(&p->svg, x, y - 10, 12, 12, p->colours[i], false, cut[i].len != names[i].len ? &names[i] : NULL);
        x = i == first ? p->width - 24 : x - 20;
        y = i == first ? 71 : y;
    }
    for (unsigned i = 0; i < p->n_classes; i++) {
        tr_buf_free(&names[i]);
        tr_buf_free(&cut[i]);
    }
}

/* Of changes: what the two colours are. */
static void draw_change_legend(struct tr__drawing *p)
{
    static const char *const names[] = { "less", "more" };
    static const enum tr__colour colours[] = { TR__COMPUTE, TR__COMM };
    double x = p->width - 24;
    for (unsigned i = 2; i-- > 0; x -= 38) {
        size_t len = strlen(names[i]);
        x -= tr__text_px(names[i], len, TR__TEXT_PX, false);
        tr__svg_text(&p->svg, x, 78, "", names[i], len);
        tr__svg_bar(&p->svg, x - 18, 68, 12, 12, colours[i], false, NULL);
    }
}

static bool add_phrase(struct tr_buf *out, const char *s)
{
    return !s || !*s || ((!out->len || tr_buf_add_str(out, " \xc2\xb7 ")) && tr__text_plain(out, s, strlen(s)));
}

/* Inputs, selection and notes in one line; names of inputs are cut first. */
static void draw_subtitle(struct tr__drawing *p)
{
    const struct tr_picture *a = p->about;
    struct tr_buf rest = { 0 }, inputs = { 0 }, line = { 0 };
    double room = p->width - 48;
    bool ok = add_phrase(&rest, a->selection) && (!p->notes.len || add_phrase(&rest, tr_buf_text(&p->notes))) &&
              add_phrase(&inputs, a->inputs);
    double left = room - tr__text_px(tr_buf_text(&rest), rest.len, TR__TEXT_PX, false) - 20;
    ok = ok && tr__text_cut_middle(&line, tr_buf_text(&inputs), inputs.len, TR__TEXT_PX, fmax(left, room * 0.25), 0);
    if (ok && rest.len) {
        ok = !line.len || tr_buf_add_str(&line, " \xc2\xb7 ");
        left = room - tr__text_px(tr_buf_text(&line), line.len, TR__TEXT_PX, false);
        ok = ok && tr__text_cut_end(&line, tr_buf_text(&rest), rest.len, TR__TEXT_PX, left);
    }
    p->svg.failed |= !ok;
    tr__svg_text(&p->svg, 24, 55, "su", tr_buf_text(&line), line.len);
    tr_buf_free(&rest);
    tr_buf_free(&inputs);
    tr_buf_free(&line);
}

void tr__draw_nothing(struct tr__drawing *p, const char *why)
{
    struct tr_buf text = { 0 }, cut = { 0 };
    p->svg.failed |= !(tr_buf_print(&text, "Nothing to draw: %s", why) &&
                       tr__text_cut_end(&cut, tr_buf_text(&text), strlen(tr_buf_text(&text)), 12, p->width - 96));
    tr__svg_rect(&p->svg, 24, 84, p->width - 48, p->height - 120, "gr", NULL);
    tr__svg_text(&p->svg, p->width / 2, 84 + (p->height - 120) / 2, "m", tr_buf_text(&cut), cut.len);
    tr_buf_free(&text);
    tr_buf_free(&cut);
}

static void number_attribute(struct tr__svg *s, const char *before, double v, const char *after)
{
    tr__svg_at(s, before, v);
    tr__svg_raw(s, after);
}

/* Everything before the marks. */
static void write_head(struct tr__svg *s, const struct tr__drawing *p)
{
    const struct tr_picture *a = p->about;
    struct tr_buf title = { 0 }, command = { 0 };
    bool ok = tr__text_plain(&title, p->title, strlen(p->title)) &&
              tr__text_plain(&command, a->command ? a->command : "", a->command ? strlen(a->command) : 0);
    number_attribute(s, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", p->width, "\"");
    number_attribute(s, " height=\"", p->height, "\"");
    number_attribute(s, " viewBox=\"0 0 ", p->width, "");
    number_attribute(s, " ", p->height, "\" role=\"img\" aria-labelledby=\"t d\">\n<title id=\"t\">");
    tr__svg_escaped(s, tr_buf_text(&title), title.len);
    tr__svg_raw(s, "</title>\n<desc id=\"d\">");
    tr__svg_escaped(s, tr_buf_text(&command), command.len);
    tr__svg_raw(s, "</desc>\n");
    tr__svg_raw(s, "<style>\n");
    s->failed |= !ok || !tr__style_add(&s->out, p->svg.colours, p->svg.levels);
    tr__svg_raw(s, "</style>\n");
    tr__svg_rect(s, 0, 0, p->width, p->height, "bg", NULL);
    tr_buf_free(&title);
    tr_buf_free(&command);
}

/* "sum by step, kind", for a picture that only its columns suggest. */
static bool add_own_title(struct tr__drawing *p, struct tr_buf *out)
{
    const struct tr__chart_data *d = &p->d;
    bool heat = d->chart.kind == TR_CHART_HEAT;
    size_t y = heat ? d->z.column : d->y.column, series = heat ? d->y.column : d->series_column;
    if (!tr__chart_title(d, y, out))
        return false;
    if (out->len && out->data[0] >= 'a' && out->data[0] <= 'z')
        out->data[0] = (unsigned char)(out->data[0] - 'a' + 'A');
    return tr_buf_add_str(out, " by ") && tr__chart_title(d, d->x.column, out) &&
           (series == SIZE_MAX || (tr_buf_add_str(out, ", ") && tr__chart_title(d, series, out))) &&
           tr_buf_add(out, "", 1);
}

void tr__draw_title(struct tr__drawing *p)
{
    struct tr_buf plain = { 0 }, cut = { 0 }, own = { 0 };
    if (!p->title) {
        p->svg.failed |= !add_own_title(p, &own);
        p->title = tr_buf_text(&own);
    }
    const char *title = p->title;
    p->svg.failed |= !tr__text_plain(&plain, title, strlen(title));
    bool fits = tr__text_px(tr_buf_text(&plain), plain.len, 18, true) <= p->width - 48;
    /* 1.17: it is bold */
    p->svg.failed |= !(fits ? tr_buf_add(&cut, plain.data, plain.len)
                            : tr__text_cut_end(&cut, tr_buf_text(&plain), plain.len, 14 * 1.17, p->width - 48));
    tr__svg_text(&p->svg, 24, 34, fits ? "ti" : "tj", tr_buf_text(&cut), cut.len);
    p->own_title = own;
    tr_buf_free(&plain);
    tr_buf_free(&cut);
}

static bool any_value(const struct tr__chart_data *d)
{
    bool category = tr_strtab_count(d->cats) != 0;
    for (size_t i = 0; i < d->n_points; i++)
        if (!isnan(d->points[i].y) && (category || !isnan(d->points[i].x)))
            return true;
    return false;
}

/* Would bars of these be seen? */
static bool only_zeros(const struct tr__chart_data *d)
{
    bool zeros = d->chart.kind == TR_CHART_BAR || d->chart.kind == TR_CHART_STACKED;
    for (size_t i = 0; i < d->n_points && zeros; i++)
        zeros = isnan(d->points[i].y) || d->points[i].y == 0;
    return zeros;
}

/* As high as bars and lanes need; time and other scales have a usual height. */
static double natural_height(struct tr__drawing *p)
{
    bool bars = p->d.chart.kind == TR_CHART_BAR || p->d.chart.kind == TR_CHART_STACKED;
    double height = bars ? tr__bars_height(p) : 0;
    if (p->d.chart.kind == TR_CHART_BAND)
        return 96 + 56 + 26 * (double)(tr_strtab_count(p->d.facets) ? tr_strtab_count(p->d.facets) : 1);
    return height > 0 ? height : p->n_panels > 3 ? 480 : 340;
}

/* Spans of one class have its name nowhere else. */
static bool names_spans(const struct tr__drawing *p)
{
    return p->d.chart.kind == TR_CHART_BAND && p->d.series_column != SIZE_MAX;
}

static void draw_marks(struct tr__drawing *p)
{
    static void (*const draw[TR_N_CHART_KINDS])(struct tr__drawing *) = {
        [TR_CHART_BAR] = tr__draw_bars,
        [TR_CHART_STACKED] = tr__draw_bars,
        [TR_CHART_HISTOGRAM] = tr__draw_histogram,
        [TR_CHART_LINE] = tr__draw_lines,
        [TR_CHART_STEP] = tr__draw_lines,
        [TR_CHART_SCATTER] = tr__draw_scatter,
        [TR_CHART_HEAT] = tr__draw_heat,
        [TR_CHART_ROOFLINE] = tr__draw_scatter,
        [TR_CHART_FLAME] = tr__draw_flame,
        [TR_CHART_BAND] = tr__draw_band,
    };
    p->legend = p->d.chart.kind != TR_CHART_HEAT;
    tr__arrange_points(p);
    if (p->figure && !p->about->height && !p->svg.failed)
        p->height = natural_height(p);
    if (!p->svg.failed)
        draw[p->d.chart.kind](p);
    if (p->ramp)
        draw_ramp(p);
    else if (p->d.chart.change && !p->figure)
        draw_change_legend(p);
    else if (p->legend && (p->n_classes > 1 || names_spans(p)) && !p->figure)
        draw_legend(p);
}

bool tr__draw_end(struct tr__drawing *p, struct tr_buf *out)
{
    draw_subtitle(p);
    struct tr__svg head = { .out = *out };
    write_head(&head, p);
    *out = head.out;
    return !head.failed && !p->svg.failed && tr_buf_add(out, p->svg.out.data, p->svg.out.len) &&
           tr_buf_add_str(out, "</svg>\n");
}

/* Read the table, and draw its marks.  *any: there are some. */
static enum tr_status draw(struct tr__drawing *p, struct tr_table *t, bool *any, struct tr_error *err)
{
    struct tr_chart chart;
    bool declared = false;
    *any = false;
    p->width = p->about->width ? p->about->width : 800;
    p->height = p->about->height ? p->about->height : 500;
    enum tr_status st = tr_chart_choose(t, p->about->chart, &chart, &declared, err);
    if (st == TR_OK)
        st = tr__chart_read(&p->d, t, &chart, err);
    if (st != TR_OK)
        return st;
    /* the question of a table is about its own chart */
    p->title = p->about->chart && !declared ? NULL : p->about->title;
    *any = any_value(&p->d) && !(p->figure && only_zeros(&p->d));
    if (!p->figure)
        tr__draw_title(p);
    if (*any)
        draw_marks(p);
    return TR_OK;
}

static void finish(struct tr__drawing *p)
{
    tr__chart_data_free(&p->d);
    tr_buf_free(&p->svg.out);
    tr_buf_free(&p->notes);
    tr_buf_free(&p->own_title);
}

enum tr_status tr_chart_svg(struct tr_table *t, const struct tr_picture *picture, struct tr_buf *out,
                            struct tr_error *err)
{
    static const struct tr_picture none = { .width = 0 };
    struct tr__drawing p = { .about = picture ? picture : &none };
    bool any;
    enum tr_status st = draw(&p, t, &any, err);
    if (st == TR_OK) {
        if (!any)
            tr__draw_nothing(&p, p.d.n_rows         ? "no row has a value"
                                 : p.about->nothing ? p.about->nothing
                                                    : "the table has no rows");
        st = tr__draw_end(&p, out) ? TR_OK : tr_fail_memory(err);
    }
    finish(&p);
    return st;
}

/* ---- in a page ---- */

/* Above this are the title and what the page says itself, and above rows of bars no name of an axis. */
#define FIGURE_TOP  62.0
#define BARS_TOP    86.0
#define FIGURE_SIDE 16.0

/* Does one horizontal axis stand for all panels, so that a part of it can be looked at more closely? */
static bool runs(const struct tr__drawing *p)
{
    enum tr_chart_kind kind = p->d.chart.kind;
    return p->abreast <= 1 && (p->columns || kind == TR_CHART_LINE || kind == TR_CHART_STEP ||
                               kind == TR_CHART_HISTOGRAM || kind == TR_CHART_BAND || kind == TR_CHART_FLAME);
}

/* The marks without the margins that a picture has by itself. */
static bool add_figure(struct tr__drawing *p, const char *label, struct tr_chart_figure *figure)
{
    struct tr__svg s = { .out = figure->svg };
    struct tr_buf plain = { 0 };
    bool bars = p->d.chart.kind == TR_CHART_BAR || p->d.chart.kind == TR_CHART_STACKED;
    double top = bars && !p->columns ? BARS_TOP : FIGURE_TOP;
    s.failed = !tr__text_plain(&plain, label, strlen(label));
    number_attribute(&s, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"", FIGURE_SIDE, "");
    number_attribute(&s, " ", top, "");
    number_attribute(&s, " ", p->width - 2 * FIGURE_SIDE, "");
    number_attribute(&s, " ", p->height - top - 8, "\"");
    if (runs(p)) {
        number_attribute(&s, " data-from=\"", p->x.from, "\"");
        number_attribute(&s, " data-to=\"", p->x.to, "\"");
    }
    tr__svg_raw(&s, " role=\"img\" aria-label=\"");
    tr__svg_escaped(&s, tr_buf_text(&plain), plain.len);
    tr__svg_raw(&s, "\">\n");
    figure->svg = s.out;
    tr_buf_free(&plain);
    return !s.failed && tr_buf_add(&figure->svg, p->svg.out.data, p->svg.out.len) &&
           tr_buf_add_str(&figure->svg, "</svg>\n") && tr_buf_add(&figure->notes, p->notes.data, p->notes.len);
}

/* Can marks of a class be seen? */
static bool is_seen(const struct tr__drawing *p, unsigned cls)
{
    bool any = false;
    for (size_t i = 0; i < p->d.n_points && !any; i++)
        any = p->d.points[i].cls == cls && !isnan(p->d.points[i].y) && p->d.points[i].y != 0;
    return any;
}

static bool add_legend_names(struct tr__drawing *p, struct tr_chart_figure *figure)
{
    bool ok = true;
    for (unsigned i = 0; ok && !p->ramp && p->legend && p->n_classes > 1 && i < p->n_classes; i++) {
        struct tr_buf name = { 0 };
        if (!is_seen(p, i))
            continue;
        tr__class_name(p, i, &name);
        ok = tr__text_plain(&figure->legend[figure->n_legend].name, tr_buf_text(&name), name.len);
        figure->legend[figure->n_legend++].classes = tr__colour_class(p->colours[i]);
        tr_buf_free(&name);
    }
    return ok;
}

enum tr_status tr_chart_figure(struct tr_table *t, const struct tr_picture *picture, unsigned width, const char *label,
                               struct tr_chart_figure *figure, struct tr_error *err)
{
    struct tr_picture about = *picture;
    struct tr__drawing p = { .about = &about, .figure = true };
    bool any;
    about.width = width;
    enum tr_status st = draw(&p, t, &any, err);
    if (st == TR_OK && any && !(add_legend_names(&p, figure) && add_figure(&p, label, figure) && !p.svg.failed))
        st = tr_fail_memory(err);
    finish(&p);
    return st;
}

void tr_chart_figure_free(struct tr_chart_figure *figure)
{
    tr_buf_free(&figure->svg);
    tr_buf_free(&figure->notes);
    for (unsigned i = 0; i < TR_CHART_LEGEND; i++)
        tr_buf_free(&figure->legend[i].name);
    *figure = (struct tr_chart_figure){ .n_legend = 0 };
}

bool tr_chart_figure_style(struct tr_buf *out)
{
    return tr__style_add(out, (1u << TR__N_COLOURS) - 1, true);
}
