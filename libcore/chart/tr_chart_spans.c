/* SPDX-License-Identifier: MIT */
/*
 * Spans along a time axis: bands, with a lane for each facet, and flames, with a row for each depth.  Spans too narrow to
 * be seen are drawn together with their neighbours.
 */
#include "chart/tr_chart_draw_int.h"
#include "chart/tr_chart_text_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NARROW   0.4 /* pixels of the narrowest span */
#define NAME_PX  110.0
#define MIN_ROW  4.0
#define MAX_ROW  28.0

static void time_scale(struct tr__drawing *p)
{
    double lo = INFINITY, hi = -INFINITY;
    for (unsigned k = 0; k < p->n_panels; k++)
        for (size_t i = p->first[k]; i < p->first[k + 1]; i++) {
            const struct tr__point *at = &p->d.points[i];
            if (isnan(at->y) || isnan(at->x))
                continue;
            tr__range(at->x, &lo, &hi);
            tr__range(at->x + at->y, &lo, &hi);
        }
    if (!isfinite(lo))
        lo = 0, hi = 1;
    tr__scale_exact(&p->x, p->d.x.q, lo, hi, p->n_panels > 3 ? 4 : 8);
}

/* A run of spans that are drawn as one. */
struct run {
    double from, to;
    size_t first, n;
    uint32_t cls;
};

static void draw_run(struct tr__drawing *p, const struct run *r, double y, double h, bool text)
{
    struct tr_buf hover = { 0 }, name = { 0 }, cut = { 0 };
    const struct tr__point *at = &p->d.points[r->first];
    char classes[32];
    double w = fmax(r->to - r->from, NARROW);
    if (r->n > 1) {
        p->svg.failed |= !tr_buf_print(&hover, "%zu spans", r->n);
    } else {
        if (text && p->d.text_column != SIZE_MAX)
            p->svg.failed |= !tr__chart_cell(&p->d, at->row, p->d.text_column, false, &name);
        if (name.len > 200)
            name.len = 200;
        while (name.len && ((unsigned char)name.data[name.len - 1] & 0xc0) == 0x80)
            name.len--; /* no part of a character */
        tr__hover(p, at, &hover);
        if (name.len) {
            struct tr_buf both = { 0 };
            p->svg.failed |= !(tr_buf_add(&both, name.data, name.len) && tr_buf_add_str(&both, ": ") &&
                               tr__chart_cell(&p->d, at->row, p->d.y.column, true, &both));
            tr_buf_free(&hover);
            hover = both;
        }
    }
    tr__svg_bar(&p->svg, r->from, y, w, h, p->colours[r->cls], true, &hover);
    if (name.len && w >= 30 && h >= 13) {
        p->svg.failed |= !tr__text_cut_end(&cut, tr_buf_text(&name), name.len, TR__TICK_PX, w - 8);
        snprintf(classes, sizeof classes, "sm t-%s", tr__colour_name(p->colours[r->cls]));
        tr__svg_text(&p->svg, r->from + 4, y + h / 2 + 4, classes, tr_buf_text(&cut), cut.len);
    }
    tr_buf_free(&hover);
    tr_buf_free(&name);
    tr_buf_free(&cut);
}

/* The points [from, to), in order of time, in one row. */
static void draw_spans(struct tr__drawing *p, size_t from, size_t to, double y, double h, bool text)
{
    struct run r = { .n = 0 };
    for (size_t i = from; i < to; i++) {
        const struct tr__point *at = &p->d.points[i];
        if (isnan(at->y) || isnan(at->x) || at->y < 0)
            continue;
        double a = tr__scale_at(&p->x, at->x), b = tr__scale_at(&p->x, at->x + at->y);
        bool narrow = b - a < 1 && r.to - r.from < 4;
        if (r.n && narrow && at->cls == r.cls && a <= r.to + 0.2) {
            r.to = fmax(r.to, b);
            r.n++;
            continue;
        }
        if (r.n && b - a < NARROW && b <= r.to)
            continue; /* below what is drawn already */
        if (r.n)
            draw_run(p, &r, y, h, text);
        r = (struct run){ a, b, i, 1, at->cls };
    }
    if (r.n)
        draw_run(p, &r, y, h, text);
}

/* ---- bands ---- */

static double lanes_width(struct tr__drawing *p)
{
    double widest = 0;
    for (uint32_t i = 0; i < tr_strtab_count(p->d.facets); i++) {
        struct tr_str s = tr__chart_name(p->d.facets, i);
        widest = fmax(widest, tr__text_px(s.s, s.len, TR__TEXT_PX, false));
    }
    return fmin(widest, NAME_PX);
}

void tr__draw_band(struct tr__drawing *p)
{
    struct tr_buf cut = { 0 };
    double names = lanes_width(p);
    struct tr__box plot = { 24 + names + 8, 96, p->width - 28, p->height - 56 };
    size_t n = 0, lane = 0;
    time_scale(p);
    p->x.from = plot.x0;
    p->x.to = plot.x1;
    for (size_t i = 0; i < p->first[1]; i++)
        n += !i || p->d.points[i].facet != p->d.points[i - 1].facet;
    double slot = (plot.y1 - plot.y0) / (double)(n ? n : 1), h = fmin(slot * (slot > 6 ? 0.72 : 1), 60), last = -1e9;
    tr__axis_x(p, &plot);
    for (size_t i = 0, to; i < p->first[1]; i = to, lane++) {
        uint32_t facet = p->d.points[i].facet;
        for (to = i; to < p->first[1] && p->d.points[to].facet == facet; to++)
            ;
        double mid = plot.y0 + slot * ((double)lane + 0.5);
        draw_spans(p, i, to, mid - h / 2, h, p->d.text_column != SIZE_MAX);
        if (mid < last + 14)
            continue;
        struct tr_str s = tr__chart_name(p->d.facets, facet);
        cut.len = 0;
        p->svg.failed |= !tr__text_cut_middle(&cut, s.s, s.len, TR__TEXT_PX, names, 0);
        tr__svg_text(&p->svg, plot.x0 - 8, mid + 4, "e n", tr_buf_text(&cut), cut.len);
        last = mid;
    }
    tr__axis_titles(p, p->d.x.column, true, SIZE_MAX, false);
    tr_buf_free(&cut);
}

/* ---- flames ---- */

void tr__draw_flame(struct tr__drawing *p)
{
    double depth = 0;
    time_scale(p);
    for (size_t i = 0; i < p->first[p->n_panels]; i++)
        if (!isnan(p->d.points[i].low))
            depth = fmax(depth, p->d.points[i].low);
    for (unsigned k = 0; k < p->n_panels; k++) {
        struct tr__box box = tr__panel(p, k, false);
        struct tr__box plot = { box.x0, box.y0, box.x1 - 8, box.y1 - 20 };
        double h = fmin(MAX_ROW, (plot.y1 - plot.y0) / (depth + 1));
        size_t rows = (size_t)(depth + 1);
        if (h < MIN_ROW) {
            h = MIN_ROW;
            rows = (size_t)((plot.y1 - plot.y0) / h);
        }
        p->x.from = plot.x0;
        p->x.to = plot.x1;
        tr__axis_x(p, &plot);
        for (size_t i = p->first[k], to; i < p->first[k + 1]; i = to) {
            double row = p->d.points[i].low;
            for (to = i; to < p->first[k + 1] && (p->d.points[to].low == row || isnan(p->d.points[to].low)); to++)
                ;
            if (row >= 0 && row < (double)rows)
                draw_spans(p, i, to, plot.y0 + h * row, h - (h > 6 ? 1 : 0), true);
        }
        if (k == 0 && (double)rows < depth + 1)
            tr__note(p, "the first %zu levels", rows);
    }
    tr__axis_titles(p, p->d.x.column, true, SIZE_MAX, false);
}
