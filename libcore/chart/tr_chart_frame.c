/* SPDX-License-Identifier: MIT */
/* What pictures of all kinds have: panels, axes, names of classes, hover texts. */
#include "chart/tr_chart_draw_int.h"
#include "chart/tr_chart_text_int.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void keep(struct tr__drawing *p, bool ok)
{
    if (!ok)
        p->svg.failed = true;
}

void tr__note(struct tr__drawing *p, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    keep(p, (!p->notes.len || tr_buf_add_str(&p->notes, " \xc2\xb7 ")) && tr_buf_print_list(&p->notes, fmt, args));
    va_end(args);
}

void tr__class_name(struct tr__drawing *p, unsigned c, struct tr_buf *out)
{
    if (p->class_series[c] == TR_NO_STR) {
        keep(p, tr_buf_add_str(out, "others"));
        return;
    }
    struct tr_str name = tr__chart_name(p->d.series, p->class_series[c]);
    bool columns = p->d.n_y > 1 && p->d.series_column == SIZE_MAX;
    keep(p, columns ? tr__text_words(out, name.s, name.len) : tr_buf_add(out, name.s, name.len));
}

static bool same_text(const struct tr_buf *a, const struct tr_buf *b)
{
    return a->len == b->len && memcmp(tr_buf_text(a), tr_buf_text(b), a->len) == 0;
}

/* The names of all classes; those that are too long without parameters and so on, unless others have the same. */
static void class_names(struct tr__drawing *p, double width, struct tr_buf *names)
{
    struct tr_buf brief[TR__MAX_SERIES + 1] = { { 0 } };
    for (unsigned i = 0; i < p->n_classes; i++) {
        tr__class_name(p, i, &names[i]);
        keep(p, tr__text_brief(&brief[i], tr_buf_text(&names[i]), names[i].len));
    }
    for (unsigned i = 0; i < p->n_classes; i++) {
        unsigned same = 0;
        for (unsigned k = 0; k < p->n_classes; k++)
            same += same_text(&brief[i], &brief[k]);
        if (same > 1 || tr__text_px(tr_buf_text(&names[i]), names[i].len, TR__TEXT_PX, false) <= width)
            continue;
        names[i].len = 0;
        keep(p, tr_buf_add(&names[i], tr_buf_text(&brief[i]), brief[i].len));
    }
    for (unsigned i = 0; i < p->n_classes; i++)
        tr_buf_free(&brief[i]);
}

void tr__class_labels(struct tr__drawing *p, double width, struct tr_buf *labels)
{
    struct tr_buf names[TR__MAX_SERIES + 1] = { { 0 } };
    class_names(p, width, names);
    for (unsigned i = 0; i < p->n_classes; i++) {
        keep(p, tr__text_cut_middle(&labels[i], tr_buf_text(&names[i]), names[i].len, TR__TEXT_PX, width, 0));
    }
    for (unsigned i = 0; i < p->n_classes; i++)
        for (unsigned k = 0; k < p->n_classes; k++) {
            struct tr_buf *a = &names[i], *b = &names[k];
            size_t differ = 0;
            if (k == i || !same_text(&labels[i], &labels[k]))
                continue;
            while (differ < a->len && differ < b->len && a->data[differ] == b->data[differ])
                differ++;
            labels[i].len = 0;
            keep(p, tr__text_cut_middle(&labels[i], tr_buf_text(a), a->len, TR__TEXT_PX, width, differ));
            labels[k].len = 0;
            keep(p, tr__text_cut_middle(&labels[k], tr_buf_text(b), b->len, TR__TEXT_PX, width, differ));
        }
    for (unsigned i = 0; i < p->n_classes; i++)
        tr_buf_free(&names[i]);
}

/* ---- panels ---- */

unsigned tr__panel_columns(const struct tr__drawing *p, bool side_by_side)
{
    unsigned n = p->n_panels;
    unsigned columns = n <= 1 ? 1 : n <= 3 ? (side_by_side ? n : 1) : n <= 4 ? 2 : n <= 9 ? 3 : 4;
    return p->figure && columns > 1 && p->width < columns * 170 ? 1 : columns;
}

struct tr__box tr__panel(struct tr__drawing *p, unsigned panel, bool side_by_side)
{
    const double gap = 24, head = 26;
    struct tr__box all = { 24, 96, p->width - 24, p->height - 36 };
    unsigned n = p->n_panels, columns = tr__panel_columns(p, side_by_side);
    unsigned rows = (n + columns - 1) / columns, row = panel / columns, column = panel % columns;
    double w = (all.x1 - all.x0 - gap * (columns - 1)) / columns, h = (all.y1 - all.y0) / rows;
    if (n <= 1)
        return all;
    p->abreast = columns;
    struct tr__box box = { all.x0 + column * (w + gap), all.y0 + row * h, 0, 0 };
    box.x1 = box.x0 + w;
    box.y1 = box.y0 + h;
    struct tr_str name = tr__chart_name(p->d.facets, p->d.points[p->first[panel]].facet);
    struct tr_buf cut = { 0 };
    keep(p, tr__text_cut_middle(&cut, name.s, name.len, TR__TEXT_PX * 1.12, w, 0));
    tr__svg_text(&p->svg, box.x0, box.y0 + 14, "fa", tr_buf_text(&cut), cut.len);
    tr_buf_free(&cut);
    box.y0 += head;
    return box;
}

/* ---- axes ---- */

double tr__ticks_width(const struct tr__scale *s)
{
    struct tr_buf label = { 0 };
    double widest = 0;
    for (unsigned i = 0; i < s->n_ticks; i++) {
        label.len = 0;
        if (tr__tick_label(&label, s, s->ticks[i]))
            widest = fmax(widest, tr__text_px(tr_buf_text(&label), label.len, TR__TICK_PX, false));
    }
    tr_buf_free(&label);
    return widest;
}

struct tr__box tr__plot(struct tr__drawing *p, const struct tr__box *panel, double right)
{
    struct tr__box plot = { panel->x0 + tr__ticks_width(&p->y) + 8, panel->y0, panel->x1 - right, panel->y1 - 20 };
    p->x.from = plot.x0;
    p->x.to = plot.x1;
    p->y.from = plot.y1;
    p->y.to = plot.y0;
    return plot;
}

void tr__axis_x(struct tr__drawing *p, const struct tr__box *plot)
{
    struct tr_buf label = { 0 };
    double last = -1e9;
    for (unsigned i = 0; i < p->x.n_ticks; i++) {
        double x = tr__scale_at(&p->x, p->x.ticks[i]);
        tr__svg_line(&p->svg, x, plot->y0, x, plot->y1, "gr");
        label.len = 0;
        keep(p, tr__tick_label(&label, &p->x, p->x.ticks[i]));
        double half = tr__text_px(tr_buf_text(&label), label.len, TR__TICK_PX, false) / 2;
        if (x - half < last + 6 || x + half > p->width - 2)
            continue;
        tr__svg_text(&p->svg, x, plot->y1 + 16, "tk m n", tr_buf_text(&label), label.len);
        last = x + half;
    }
    tr_buf_free(&label);
}

void tr__axis_y(struct tr__drawing *p, const struct tr__box *plot)
{
    struct tr_buf label = { 0 };
    double last = 1e9;
    for (unsigned i = 0; i < p->y.n_ticks; i++) {
        double y = tr__scale_at(&p->y, p->y.ticks[i]);
        tr__svg_line(&p->svg, plot->x0, y, plot->x1, y, "gr");
        if (y > last - 13)
            continue;
        label.len = 0;
        keep(p, tr__tick_label(&label, &p->y, p->y.ticks[i]));
        tr__svg_text(&p->svg, plot->x0 - 8, y + 4, "tk e n", tr_buf_text(&label), label.len);
        last = y;
    }
    tr_buf_free(&label);
}

/* "sum (ms)"; several columns have the name of what they measure. */
static void add_title(struct tr__drawing *p, const struct tr__scale *s, size_t column, bool unit, struct tr_buf *out)
{
    bool several = column != SIZE_MAX && column == p->d.y.column && p->d.n_y > 1 && p->d.chart.kind != TR_CHART_HEAT;
    const char *word = s->q.measure == TR__TIME ? "time" : s->q.measure == TR__PERCENT ? "share" : "value";
    if (column == SIZE_MAX || several)
        keep(p, tr_buf_add_str(out, word));
    else if (column == p->d.x.column && p->d.x.moments)
        keep(p, tr_buf_add_str(out, "time since the first"));
    else
        keep(p, tr__chart_title(&p->d, column, out));
    const char *name = unit ? s->log ? (s->q.measure == TR__NUMBER ? s->q.unit : "") : s->unit.name : "";
    /* a name that says its unit need not say it twice */
    size_t len = strlen(name);
    if (len && !(out->len > len && strcmp(tr_buf_text(out) + out->len - len, name) == 0))
        keep(p, tr_buf_print(out, " (%s)", name));
    if (s->log && unit)
        keep(p, tr_buf_add_str(out, ", logarithmic"));
}

void tr__axis_titles(struct tr__drawing *p, size_t x_column, bool x_unit, size_t y_column, bool y_unit)
{
    struct tr_buf title = { 0 }, cut = { 0 };
    add_title(p, &p->x, x_column, x_unit, &title);
    keep(p, tr_buf_add(&title, "", 1) &&
                tr__text_cut_end(&cut, tr_buf_text(&title), title.len - 1, TR__TEXT_PX, p->width - 48));
    tr__svg_text(&p->svg, p->width / 2, p->height - 18, "ax m", tr_buf_text(&cut), cut.len);
    if (y_column != SIZE_MAX) {
        title.len = cut.len = 0;
        add_title(p, &p->y, y_column, y_unit, &title);
        keep(p,
             tr_buf_add(&title, "", 1) && tr__text_cut_end(&cut, tr_buf_text(&title), title.len - 1, TR__TEXT_PX, 200));
        tr__svg_text(&p->svg, 24, 80, "ax", tr_buf_text(&cut), cut.len);
    }
    tr_buf_free(&title);
    tr_buf_free(&cut);
}

/* ---- texts ---- */

void tr__hover(struct tr__drawing *p, const struct tr__point *at, struct tr_buf *out)
{
    const struct tr__chart_data *d = &p->d;
    bool category = tr_strtab_count(d->cats) != 0, ok = true;
    out->len = 0;
    if (tr_strtab_count(d->facets) > 1) {
        struct tr_str s = tr__chart_name(d->facets, at->facet);
        ok = tr_buf_add(out, s.s, s.len) && tr_buf_add_str(out, ", ");
    }
    if (category) {
        struct tr_str s = tr__chart_name(d->cats, at->cat);
        ok = ok &&
             (d->x.text || d->chart.kind == TR_CHART_HEAT ||
              (tr__chart_title(d, d->x.column, out) && tr_buf_add_str(out, " "))) &&
             tr_buf_add(out, s.s, s.len) && tr_buf_add_str(out, ": ");
    }
    struct tr_str series = tr__chart_name(d->series, at->series);
    if (ok && series.len && d->chart.kind != TR_CHART_HEAT && tr_strtab_count(d->series) > 1)
        ok = (d->n_y > 1 && d->series_column == SIZE_MAX ? tr__text_words(out, series.s, series.len)
                                                         : tr_buf_add(out, series.s, series.len)) &&
             tr_buf_add_str(out, " ");
    size_t column = d->chart.kind == TR_CHART_HEAT ? d->z.column : d->y_columns[at->column];
    keep(p, ok && tr__chart_cell(d, at->row, column, true, out));
}

void tr__range(double v, double *lo, double *hi)
{
    if (!isfinite(v))
        return;
    *lo = fmin(*lo, v);
    *hi = fmax(*hi, v);
}
