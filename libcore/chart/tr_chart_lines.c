/* SPDX-License-Identifier: MIT */
/*
 * Lines, steps and histograms.  A line of many points is drawn as the mean of bins, with the band of their minimum and
 * maximum.
 */
#include "chart/tr_chart_draw_int.h"
#include "chart/tr_chart_text_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY     350u /* points of a line; more are bins */
#define DOTS     40u  /* points of a line; fewer are marked */
#define LABEL_PX 150.0

/* ---- scales ---- */

static void set_scales(struct tr__drawing *p)
{
    double x_lo = INFINITY, x_hi = -INFINITY, y_lo = INFINITY, y_hi = -INFINITY;
    bool log_x = p->d.chart.log_x, log_y = p->d.chart.log_y;
    size_t lost = 0;
    for (size_t i = 0; i < p->first[p->n_panels]; i++) {
        struct tr__point *at = &p->d.points[i];
        if ((log_x && at->x <= 0) || (log_y && at->y <= 0)) {
            lost += isnan(at->y) ? 0 : 1;
            at->y = (double)NAN;
        }
        if (isnan(at->y))
            continue;
        tr__range(at->x, &x_lo, &x_hi);
        tr__range(at->y, &y_lo, &y_hi);
        tr__range(at->low, &y_lo, &y_hi);
        tr__range(at->high, &y_lo, &y_hi);
    }
    if (lost)
        tr__note(p, "%zu not above 0 left out", lost);
    unsigned x_ticks = p->n_panels > 3 ? 4 : 8, y_ticks = p->n_panels > 3 ? 4 : 6;
    if (log_x)
        tr__scale_set(&p->x, p->d.x.q, x_lo, x_hi, true, false, x_ticks);
    else
        tr__scale_exact(&p->x, p->d.x.q, x_lo, x_hi, x_ticks);
    bool high = y_lo > 0.5 * y_hi && y_hi > y_lo && !log_y && !(p->d.chart.stacked && p->n_classes > 1);
    tr__scale_set(&p->y, p->d.y.q, y_lo, y_hi, log_y, !high && !log_y, y_ticks);
    if (high)
        tr__note(p, "the axis does not start at 0");
}

/* ---- one line ---- */

/* The points [from, to) of a series in a panel. */
struct run {
    size_t from, to;
    unsigned cls;
};

static void start_path(struct tr__drawing *p, unsigned cls, const char *before, const char *kind)
{
    enum tr__colour c = p->colours[cls];
    p->svg.colours |= 1u << c;
    tr__svg_raw(&p->svg, "<path class=\"");
    tr__svg_raw(&p->svg, before);
    tr__svg_raw(&p->svg, kind);
    tr__svg_raw(&p->svg, tr__colour_name(c));
    tr__svg_raw(&p->svg, "\" d=\"");
}

static void end_path(struct tr__drawing *p, unsigned cls)
{
    struct tr_buf name = { 0 };
    tr__class_name(p, cls, &name);
    if (name.len) {
        tr__svg_raw(&p->svg, "\"><title>");
        tr__svg_escaped(&p->svg, tr_buf_text(&name), name.len);
        tr__svg_raw(&p->svg, "</title></path>\n");
    } else {
        tr__svg_raw(&p->svg, "\"/>\n");
    }
    tr_buf_free(&name);
}

/* The line through points; area: closed along the axis. */
static void path_of(struct tr__drawing *p, const struct run *r, bool area)
{
    bool step = p->d.chart.kind == TR_CHART_STEP, open = false;
    double zero = tr__scale_at(&p->y, p->y.log ? p->y.lo : 0), start = 0, last = 0;
    for (size_t i = r->from; i < r->to; i++) {
        const struct tr__point *at = &p->d.points[i];
        double x = tr__scale_at(&p->x, at->x), y = tr__scale_at(&p->y, at->y);
        if (isnan(at->y) || isnan(at->x)) {
            if (open && area)
                tr__svg_at(&p->svg, "V", zero), tr__svg_at(&p->svg, "H", start), tr__svg_raw(&p->svg, "z");
            open = false;
            continue;
        }
        if (!open) {
            tr__svg_at(&p->svg, "M", x);
            tr__svg_at(&p->svg, " ", y);
            start = x;
        } else if (step) {
            tr__svg_at(&p->svg, "H", x);
            tr__svg_at(&p->svg, "V", y);
        } else {
            tr__svg_at(&p->svg, "L", x);
            tr__svg_at(&p->svg, " ", y);
        }
        open = true;
        last = x;
    }
    (void)last;
    if (open && area)
        tr__svg_at(&p->svg, "V", zero), tr__svg_at(&p->svg, "H", start), tr__svg_raw(&p->svg, "z");
}

static void draw_dots(struct tr__drawing *p, const struct run *r)
{
    struct tr_buf hover = { 0 };
    for (size_t i = r->from; i < r->to; i++) {
        const struct tr__point *at = &p->d.points[i];
        if (isnan(at->y) || isnan(at->x))
            continue;
        tr__hover(p, at, &hover);
        tr__svg_at(&p->svg, "<circle cx=\"", tr__scale_at(&p->x, at->x));
        tr__svg_at(&p->svg, "\" cy=\"", tr__scale_at(&p->y, at->y));
        tr__svg_raw(&p->svg, "\" r=\"3\" class=\"f-");
        tr__svg_raw(&p->svg, tr__colour_name(p->colours[r->cls]));
        tr__svg_raw(&p->svg, "\"><title>");
        tr__svg_escaped(&p->svg, tr_buf_text(&hover), hover.len);
        tr__svg_raw(&p->svg, "</title></circle>\n");
    }
    tr_buf_free(&hover);
}

/* Bins of a long line: the weighted sum of values, and their range. */
struct bin {
    double sum, weight, lo, hi;
};

static void add_to_bin(struct bin *b, double y, double weight)
{
    b->sum += y * weight;
    b->weight += weight;
    tr__range(y, &b->lo, &b->hi);
}

/* Each value with the time for which it holds; in lines, each value once. */
static void fill_bins(const struct tr__drawing *p, const struct run *r, struct bin *bins, double x0, double width,
                      size_t n)
{
    for (size_t i = r->from; i < r->to; i++) {
        const struct tr__point *at = &p->d.points[i];
        if (isnan(at->y) || isnan(at->x))
            continue;
        double from = (tr__scale_at(&p->x, at->x) - x0) / width, to = from;
        if (p->d.chart.kind == TR_CHART_STEP && i + 1 < r->to && !isnan(at[1].x))
            to = (tr__scale_at(&p->x, at[1].x) - x0) / width;
        size_t k = from < 0 ? 0 : from >= (double)n ? n - 1 : (size_t)from;
        if (to <= from)
            add_to_bin(&bins[k], at->y, p->d.chart.kind == TR_CHART_STEP ? 1e-9 : 1);
        for (double at_x = from; at_x < to && k < n; k++, at_x = (double)k)
            add_to_bin(&bins[k], at->y, fmin(to, (double)(k + 1)) - at_x);
    }
}

static size_t draw_bins(struct tr__drawing *p, const struct run *r, const struct tr__box *plot)
{
    size_t n = (size_t)((plot->x1 - plot->x0) / 2);
    n = n > MANY ? MANY : n < 10 ? 10 : n;
    double width = (p->x.to - p->x.from) / (double)n;
    struct bin *bins = calloc(n, sizeof *bins);
    if (!bins) {
        p->svg.failed = true;
        return n;
    }
    for (size_t k = 0; k < n; k++)
        bins[k] = (struct bin){ 0, 0, INFINITY, -INFINITY };
    fill_bins(p, r, bins, p->x.from, width, n);
    start_path(p, r->cls, "ar ", "f-");
    for (size_t k = 0, to; k < n; k = to) {
        for (to = k; to < n && bins[to].weight > 0; to++) {
            tr__svg_at(&p->svg, to == k ? "M" : "L", p->x.from + width * ((double)to + 0.5));
            tr__svg_at(&p->svg, " ", tr__scale_at(&p->y, bins[to].hi));
        }
        for (size_t back = to; back > k; back--) {
            tr__svg_at(&p->svg, "L", p->x.from + width * ((double)back - 0.5));
            tr__svg_at(&p->svg, " ", tr__scale_at(&p->y, bins[back - 1].lo));
        }
        if (to > k)
            tr__svg_raw(&p->svg, "z");
        else
            to++;
    }
    tr__svg_raw(&p->svg, "\"/>\n");
    start_path(p, r->cls, "ln ", "k-");
    bool open = false;
    for (size_t k = 0; k < n; k++) {
        if (bins[k].weight <= 0) {
            /* a bin without points does not end a line of few points per bin */
            continue;
        }
        tr__svg_at(&p->svg, open ? "L" : "M", p->x.from + width * ((double)k + 0.5));
        tr__svg_at(&p->svg, " ", tr__scale_at(&p->y, bins[k].sum / bins[k].weight));
        open = true;
    }
    end_path(p, r->cls);
    free(bins);
    return n;
}

/* ---- labels at the ends of lines ---- */

struct end_label {
    double y;
    unsigned cls;
};

static int by_height(const void *a, const void *b)
{
    const struct end_label *x = a, *y = b;
    return x->y < y->y ? -1 : x->y > y->y ? 1 : (int)x->cls - (int)y->cls;
}

static void label_ends(struct tr__drawing *p, struct end_label *ends, size_t n, const struct tr__box *plot)
{
    struct tr_buf name = { 0 }, labels[TR__MAX_SERIES + 1] = { { 0 } };
    qsort(ends, n, sizeof *ends, by_height);
    for (size_t i = 1; i < n; i++)
        ends[i].y = fmax(ends[i].y, ends[i - 1].y + 14);
    double bottom = plot->y1 - 6;
    for (size_t i = n; i-- > 0; bottom -= 14)
        ends[i].y = fmin(ends[i].y, bottom);
    tr__class_labels(p, LABEL_PX - 16, labels);
    for (size_t i = 0; i < n; i++) {
        const struct tr_buf *label = &labels[ends[i].cls];
        name.len = 0;
        tr__class_name(p, ends[i].cls, &name);
        tr__svg_bar(&p->svg, plot->x1 + 8, ends[i].y - 5, 10, 10, p->colours[ends[i].cls], false,
                    name.len != label->len ? &name : NULL);
        tr__svg_text(&p->svg, plot->x1 + 22, ends[i].y + 4, "", tr_buf_text(label), label->len);
    }
    tr_buf_free(&name);
    for (unsigned i = 0; i < p->n_classes; i++)
        tr_buf_free(&labels[i]);
}

static double ends_width(struct tr__drawing *p)
{
    struct tr_buf name = { 0 };
    double widest = 0;
    for (unsigned c = 0; c < p->n_classes; c++) {
        name.len = 0;
        tr__class_name(p, c, &name);
        widest = fmax(widest, tr__text_px(tr_buf_text(&name), name.len, TR__TEXT_PX, false));
    }
    tr_buf_free(&name);
    return fmin(widest, LABEL_PX - 16) + 24;
}

/* ---- a panel ---- */

static bool others(const struct tr__drawing *p, unsigned cls)
{
    return p->class_series[cls] == TR_NO_STR;
}

static size_t draw_run(struct tr__drawing *p, const struct run *r, const struct tr__box *plot)
{
    if (r->to - r->from > MANY)
        return draw_bins(p, r, plot);
    if (p->n_classes == 1 && !p->y.log && p->y.lo <= 0) {
        start_path(p, r->cls, "ar ", "f-");
        path_of(p, r, true);
        tr__svg_raw(&p->svg, "\"/>\n");
    }
    start_path(p, r->cls, "ln ", "k-");
    path_of(p, r, false);
    end_path(p, r->cls);
    if (r->to - r->from <= DOTS)
        draw_dots(p, r);
    return 0;
}

static void draw_panel(struct tr__drawing *p, unsigned panel, const struct tr__box *box, size_t *bins)
{
    bool ends = p->n_classes > 1 && !p->legend;
    struct end_label labels[TR__MAX_SERIES + 1];
    size_t n_labels = 0;
    struct tr__box plot = tr__plot(p, box, ends ? ends_width(p) : 0);
    tr__axis_x(p, &plot);
    tr__axis_y(p, &plot);
    struct run r;
    for (r.from = p->first[panel]; r.from < p->first[panel + 1]; r.from = r.to) {
        uint32_t series = p->d.points[r.from].series;
        r.cls = p->d.points[r.from].cls;
        double end = (double)NAN;
        for (r.to = r.from; r.to < p->first[panel + 1] && p->d.points[r.to].series == series; r.to++)
            if (!isnan(p->d.points[r.to].y))
                end = p->d.points[r.to].y;
        if (others(p, r.cls) || isnan(end))
            continue;
        size_t n = draw_run(p, &r, &plot);
        *bins = n ? n : *bins;
        labels[n_labels++] = (struct end_label){ tr__scale_at(&p->y, end), r.cls };
    }
    tr__svg_line(&p->svg, plot.x0, plot.y1, plot.x1, plot.y1, "ba");
    if (ends)
        label_ends(p, labels, n_labels, &plot);
}

/* ---- areas on top of each other ---- */

/* The values of all classes at the moment of a bin at which their sum is largest. */
struct moment {
    double sum, of[TR__MAX_SERIES + 1];
};

static int by_time(const void *a, const void *b)
{
    const struct tr__point *x = *(const struct tr__point *const *)a, *y = *(const struct tr__point *const *)b;
    return x->x != y->x ? (x->x < y->x ? -1 : 1) : x->row < y->row ? -1 : x->row > y->row;
}

/* Bins up to a time have the values of now, if their sum is larger than what they have. */
static void hold(struct moment *bins, size_t n, size_t *at, double to, const struct moment *now)
{
    size_t last = to < 0 ? 0 : to >= (double)n ? n - 1 : (size_t)to;
    for (size_t k = *at; k <= last; k++)
        if (bins[k].sum < now->sum)
            bins[k] = *now;
    *at = last;
}

/*
 * The values of a panel over time: each series keeps its value until the next one.  Returns the largest sum.
 *
 * bins  n of them, from x0 on, each so wide; NULL: only the sum is wanted
 */
static double add_over_time(struct tr__drawing *p, unsigned panel, struct moment *bins, size_t n, double width)
{
    size_t n_points = p->first[panel + 1] - p->first[panel], n_timed = 0, at = 0;
    struct tr__point **timed = calloc(n_points + 1, sizeof(struct tr__point *));
    double *value = calloc((size_t)tr_strtab_count(p->d.series) + 1, sizeof *value), most = 0;
    struct moment now = { .sum = 0 };
    p->svg.failed |= !timed || !value;
    for (size_t i = p->first[panel]; !p->svg.failed && i < p->first[panel + 1]; i++)
        if (!isnan(p->d.points[i].x) && !isnan(p->d.points[i].y))
            timed[n_timed++] = &p->d.points[i];
    if (n_timed)
        qsort(timed, n_timed, sizeof *timed, by_time);
    for (size_t i = 0; i < n_timed; i++) {
        const struct tr__point *x = timed[i];
        double change = x->y - value[x->series];
        if (bins && i)
            hold(bins, n, &at, (tr__scale_at(&p->x, x->x) - p->x.from) / width, &now);
        else if (bins)
            at = (size_t)fmax((tr__scale_at(&p->x, x->x) - p->x.from) / width, 0);
        value[x->series] = x->y;
        now.of[x->cls] += change;
        now.sum += change;
        most = fmax(most, now.sum);
    }
    if (bins && n_timed)
        hold(bins, n, &at, (double)at, &now);
    free(timed);
    free(value);
    return most;
}

static double height(const struct moment *m, unsigned n_classes)
{
    double sum = 0;
    for (unsigned c = 0; c < n_classes; c++)
        sum += m->of[c];
    return sum;
}

/* The area of a class: its upper side from left to right, and its lower side back. */
static void draw_area(struct tr__drawing *p, const struct moment *bins, size_t n, double width, unsigned cls)
{
    double last = -1;
    start_path(p, cls, "", "f-");
    for (size_t k = 0; k < n; k++) {
        double y = tr__scale_at(&p->y, height(&bins[k], cls + 1));
        tr__svg_at(&p->svg, k ? "H" : "M", p->x.from + width * (double)k);
        tr__svg_at(&p->svg, k ? "V" : " ", y);
        while (k + 1 < n && height(&bins[k + 1], cls + 1) == height(&bins[k], cls + 1))
            k++;
    }
    tr__svg_at(&p->svg, "H", p->x.from + width * (double)n);
    for (size_t k = n; k-- > 0;) {
        double y = tr__scale_at(&p->y, height(&bins[k], cls));
        if (y == last)
            continue;
        if (last >= 0)
            tr__svg_at(&p->svg, "H", p->x.from + width * (double)(k + 1));
        tr__svg_at(&p->svg, "V", y);
        last = y;
    }
    tr__svg_raw(&p->svg, "H");
    tr__svg_at(&p->svg, "", p->x.from);
    tr__svg_raw(&p->svg, "z");
    end_path(p, cls);
}

static void draw_areas(struct tr__drawing *p, unsigned panel, const struct tr__box *plot)
{
    size_t n = (size_t)((plot->x1 - plot->x0) / 2);
    double width = (plot->x1 - plot->x0) / (double)n;
    struct moment *bins = calloc(n, sizeof *bins);
    p->svg.failed |= !bins;
    if (bins)
        add_over_time(p, panel, bins, n, width);
    for (unsigned c = 0; bins && c < p->n_classes; c++)
        draw_area(p, bins, n, width, c);
    free(bins);
}

/* Series on top of each other, each bin at its highest moment. */
static void draw_stacked_lines(struct tr__drawing *p)
{
    double most = 0;
    p->legend = true;
    set_scales(p);
    for (unsigned i = 0; i < p->n_panels; i++)
        most = fmax(most, add_over_time(p, i, NULL, 0, 1));
    tr__scale_set(&p->y, p->d.y.q, 0, most, false, true, p->n_panels > 3 ? 4 : 6);
    for (unsigned i = 0; i < p->n_panels; i++) {
        const struct tr__box box = tr__panel(p, i, false), plot = tr__plot(p, &box, 8);
        tr__axis_x(p, &plot);
        tr__axis_y(p, &plot);
        draw_areas(p, i, &plot);
        tr__svg_line(&p->svg, plot.x0, plot.y1, plot.x1, plot.y1, "ba");
    }
    struct tr_buf peak = { 0 };
    p->svg.failed |= !(tr__number_short(&peak, most, p->d.y.q) && tr_buf_add(&peak, "", 1));
    tr__note(p, "peak %s", tr_buf_text(&peak));
    tr_buf_free(&peak);
    tr__axis_titles(p, p->d.x.column, true, p->d.y.column, true);
}

void tr__draw_lines(struct tr__drawing *p)
{
    size_t bins = 0;
    if (p->d.chart.stacked && p->n_classes > 1) {
        draw_stacked_lines(p);
        return;
    }
    p->legend = p->n_panels > 1;
    set_scales(p);
    for (unsigned i = 0; i < p->n_panels; i++) {
        struct tr__box box = tr__panel(p, i, false);
        draw_panel(p, i, &box, &bins);
    }
    if (bins)
        tr__note(p, "%zu bins: mean, min and max", bins);
    tr__axis_titles(p, p->d.x.column, true, p->d.y.column, true);
}

/* ---- histograms ---- */

/* The upper limit of the bin at i: the lower one of the next, or in the same step as the one before. */
static double upper(const struct tr__drawing *p, size_t i, size_t from, size_t to)
{
    const struct tr__point *at = &p->d.points[i];
    if (!isnan(at->high))
        return at->high;
    if (i + 1 < to)
        return at[1].x;
    if (i == from)
        return at->x + (at->x > 0 ? at->x : 1);
    return p->x.log || p->d.chart.log_x ? at->x * at->x / at[-1].x : 2 * at->x - at[-1].x;
}

static void histogram_scales(struct tr__drawing *p)
{
    double x_lo = INFINITY, x_hi = -INFINITY, y_lo = 0, y_hi = 0;
    for (unsigned k = 0; k < p->n_panels; k++)
        for (size_t i = p->first[k]; i < p->first[k + 1]; i++) {
            tr__range(p->d.points[i].x, &x_lo, &x_hi);
            tr__range(upper(p, i, p->first[k], p->first[k + 1]), &x_lo, &x_hi);
            tr__range(p->d.points[i].y, &y_lo, &y_hi);
        }
    unsigned x_ticks = p->n_panels > 3 ? 4 : 8, y_ticks = p->n_panels > 3 ? 4 : 6;
    if (p->d.chart.log_x && x_lo > 0)
        tr__scale_set(&p->x, p->d.x.q, x_lo, x_hi, true, false, x_ticks);
    else
        tr__scale_exact(&p->x, p->d.x.q, x_lo, x_hi, x_ticks);
    tr__scale_set(&p->y, p->d.y.q, y_lo, y_hi, false, true, y_ticks);
}

/* Do the limits grow by a factor, not by a step? */
static bool limits_grow(const struct tr__drawing *p)
{
    size_t n = p->first[1];
    const struct tr__point *at = p->d.points;
    if (n < 4 || at[0].x < 0 || at[1].x <= 0)
        return false;
    double first = at[2].x - at[1].x, last = at[n - 1].x - at[n - 2].x;
    return first > 0 && last >= 1.9 * first;
}

void tr__draw_histogram(struct tr__drawing *p)
{
    struct tr_buf hover = { 0 };
    p->legend = true;
    p->d.chart.log_x |= limits_grow(p);
    histogram_scales(p);
    for (unsigned k = 0; k < p->n_panels; k++) {
        const struct tr__box box = tr__panel(p, k, true), plot = tr__plot(p, &box, 8);
        tr__axis_y(p, &plot);
        tr__axis_x(p, &plot);
        for (size_t i = p->first[k]; i < p->first[k + 1]; i++) {
            const struct tr__point *at = &p->d.points[i];
            double from = tr__scale_at(&p->x, at->x),
                   to = tr__scale_at(&p->x, upper(p, i, p->first[k], p->first[k + 1]));
            if (isnan(at->y) || at->y <= 0)
                continue;
            double y = tr__scale_at(&p->y, at->y);
            hover.len = 0;
            p->svg.failed |=
                !(tr__chart_cell(&p->d, at->row, p->d.x.column, true, &hover) && tr_buf_add_str(&hover, ": ") &&
                  tr__chart_cell(&p->d, at->row, p->d.y.column, true, &hover));
            tr__svg_bar(&p->svg, from, y, fmax(to - from - (to - from > 4 ? 1 : 0), 0.4), plot.y1 - y,
                        p->colours[at->cls], false, &hover);
        }
        tr__svg_line(&p->svg, plot.x0, plot.y1, plot.x1, plot.y1, "ba");
    }
    tr__axis_titles(p, p->d.x.column, true, p->d.y.column, true);
    tr_buf_free(&hover);
}
