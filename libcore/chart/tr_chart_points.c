/* SPDX-License-Identifier: MIT */
/*
 * Scatter plots and rooflines.  Many points are drawn as the density of cells.  Points of a roofline are as large as
 * their share of the time, below the roofs that their rows are measured against.
 */
#include "chart/tr_chart_draw_int.h"
#include "chart/tr_chart_text_int.h"
#include "table/tr_table_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY    2000u
#define CELL_PX 5.0
#define NAMED   4u /* points of a roofline that have their name beside them */

static bool drawn(const struct tr__drawing *p, const struct tr__point *at)
{
    return !isnan(at->x) && !isnan(at->y) && (!p->x.log || at->x > 0) && (!p->y.log || at->y > 0);
}

static bool is_roofline(const struct tr__drawing *p)
{
    return p->d.chart.kind == TR_CHART_ROOFLINE;
}

static double cell(const struct tr__drawing *p, size_t row, const char *name)
{
    size_t column = tr_table_find(p->d.t, name);
    return column == SIZE_MAX || !tr_cell_is_number(p->d.t->cols[column].is.type)
               ? (double)NAN
               : tr_table_number(p->d.t, row, column);
}

/* ---- roofs ---- */

/* The height of the roof above a point; NaN: the table does not say. */
static double roof_above(const struct tr__drawing *p, const struct tr__point *at)
{
    double height = cell(p, at->row, "roof_gflops"), pct = cell(p, at->row, "roofline_pct");
    if (height > 0)
        return height;
    return pct > 0 ? at->y * 100 / pct : (double)NAN;
}

static bool bound_is(const struct tr__drawing *p, const struct tr__point *at, const char *word)
{
    size_t column = tr_table_find(p->d.t, "bound");
    return column != SIZE_MAX && p->d.t->cols[column].is.type == TR_CELL_STRING &&
           tr_str_is(tr_table_get(p->d.t, at->row, column), word);
}

struct roofs {
    double slope;                    /* of the roof of memory; 0: unknown */
    double peak[TR__MAX_SERIES + 1]; /* by class; 0: unknown */
};

/* Points that are bound by memory lie below the slope, those that are bound by compute below a flat roof. */
static void find_roofs(const struct tr__drawing *p, unsigned panel, struct roofs *r)
{
    bool table_of_roofs = tr_table_find(p->d.t, "GBps") != SIZE_MAX && tr_table_find(p->d.t, "level") != SIZE_MAX;
    *r = (struct roofs){ .slope = 0 };
    for (size_t i = p->first[panel]; i < p->first[panel + 1] && !table_of_roofs; i++) {
        const struct tr__point *at = &p->d.points[i];
        double height = roof_above(p, at);
        if (!drawn(p, at) || isnan(height))
            continue;
        if (bound_is(p, at, "memory"))
            r->slope = fmax(r->slope, height / at->x);
        else if (bound_is(p, at, "compute"))
            r->peak[at->cls] = fmax(r->peak[at->cls], height);
    }
}

/* A roof from its lower left end to the right edge, and its name. */
static void draw_roof(struct tr__drawing *p, const struct tr__box *plot, double slope, double peak, const char *name)
{
    struct tr_buf text = { 0 };
    double x = p->x.lo, y = slope > 0 ? slope * x : peak;
    if (slope > 0 && y < p->y.lo)
        x = p->y.lo / slope, y = p->y.lo;
    tr__svg_at(&p->svg, "<path class=\"wh\" d=\"M", tr__scale_at(&p->x, fmin(x, p->x.hi)));
    tr__svg_at(&p->svg, " ", tr__scale_at(&p->y, fmin(y, peak > 0 ? peak : y)));
    double knee = slope > 0 && peak > 0 ? peak / slope : p->x.hi;
    if (slope > 0) {
        tr__svg_at(&p->svg, "L", tr__scale_at(&p->x, fmin(knee, p->x.hi)));
        tr__svg_at(&p->svg, " ", tr__scale_at(&p->y, slope * fmin(knee, p->x.hi)));
    }
    if (peak > 0)
        tr__svg_at(&p->svg, "H", plot->x1);
    tr__svg_raw(&p->svg, "\"/>\n");
    if (peak > 0) {
        p->svg.failed |=
            !(tr_buf_add_str(&text, name) && tr_buf_add_str(&text, " ") && tr__number_short(&text, peak, p->d.y.q));
        double x_text = tr__scale_at(&p->x, fmax(p->x.lo, fmin(knee, p->x.hi))) - 6;
        double w = tr__text_px(tr_buf_text(&text), text.len, TR__TICK_PX, false);
        /* before the flat part, where nothing can be measured */
        tr__svg_text(&p->svg, fmax(x_text, plot->x0 + w), tr__scale_at(&p->y, peak) - (x_text < plot->x0 + w ? 5 : -4),
                     "e sm hl", tr_buf_text(&text), text.len);
    }
    tr_buf_free(&text);
}

static void draw_roofs(struct tr__drawing *p, const struct tr__box *plot, const struct roofs *r)
{
    double best = 0;
    for (unsigned c = 0; c < p->n_classes; c++)
        best = fmax(best, r->peak[c]);
    double last = -1e9;
    for (unsigned c = 0; c < p->n_classes; c++) {
        struct tr_buf name = { 0 };
        double y = r->peak[c] > 0 ? tr__scale_at(&p->y, r->peak[c]) : 0;
        tr__class_name(p, c, &name);
        if (r->peak[c] > 0)
            draw_roof(p, plot, r->slope, r->peak[c],
                      fabs(y - last) < 14                          ? ""
                      : p->svg.failed || !tr_buf_add(&name, "", 1) ? ""
                                                                   : tr_buf_text(&name));
        last = r->peak[c] > 0 ? y : last;
        tr_buf_free(&name);
    }
    if (best == 0 && r->slope > 0)
        draw_roof(p, plot, r->slope, 0, "");
}

static bool has_roof(const struct tr__drawing *p, const struct roofs *r)
{
    bool any = r->slope > 0;
    for (unsigned c = 0; c < p->n_classes; c++)
        any |= r->peak[c] > 0;
    return any;
}

/* ---- scales ---- */

static void set_scales(struct tr__drawing *p)
{
    double x_lo = INFINITY, x_hi = -INFINITY, y_lo = INFINITY, y_hi = -INFINITY;
    bool log_x = p->d.chart.log_x, log_y = p->d.chart.log_y;
    size_t lost = 0;
    for (unsigned panel = 0; panel < p->n_panels; panel++)
        for (size_t i = p->first[panel]; i < p->first[panel + 1]; i++) {
            const struct tr__point *at = &p->d.points[i];
            if (isnan(at->x) || isnan(at->y))
                continue;
            if ((log_x && at->x <= 0) || (log_y && at->y <= 0)) {
                lost++;
                continue;
            }
            tr__range(at->x, &x_lo, &x_hi);
            tr__range(at->y, &y_lo, &y_hi);
            if (is_roofline(p))
                tr__range(roof_above(p, at), &y_lo, &y_hi);
        }
    if (lost)
        tr__note(p, "%zu not above 0 left out", lost);
    if (!isfinite(x_lo))
        x_lo = y_lo = 1, x_hi = y_hi = 10;
    unsigned x_ticks = p->n_panels > 3 ? 4 : 8, y_ticks = p->n_panels > 3 ? 4 : 6;
    if (p->d.x.moments)
        tr__scale_exact(&p->x, p->d.x.q, x_lo, x_hi, x_ticks);
    else
        tr__scale_set(&p->x, p->d.x.q, x_lo, x_hi, log_x, !log_x, x_ticks);
    tr__scale_set(&p->y, p->d.y.q, y_lo, y_hi, log_y, !log_y, y_ticks);
}

/* ---- points ---- */

static void hover_of(struct tr__drawing *p, const struct tr__point *at, struct tr_buf *out)
{
    const struct tr__chart_data *d = &p->d;
    struct tr_str series = tr__chart_name(d->series, at->series);
    struct tr_buf name = { 0 };
    bool ok = d->text_column == SIZE_MAX || tr__chart_cell(d, at->row, d->text_column, false, &name);
    out->len = 0;
    ok = ok && (!name.len || tr_buf_add(out, name.data, name.len < 200 ? name.len : 200)) &&
         (!series.len || ((!name.len || tr_buf_add_str(out, ", ")) && tr_buf_add(out, series.s, series.len))) &&
         (!out->len || tr_buf_add_str(out, ": ")) && tr__chart_cell(d, at->row, d->y_columns[at->column], true, out) &&
         tr_buf_add_str(out, " at ") && tr__chart_cell(d, at->row, d->x.column, true, out);
    p->svg.failed |= !ok;
    tr_buf_free(&name);
}

static double radius(const struct tr__drawing *p, const struct tr__point *at)
{
    double pct = is_roofline(p) ? cell(p, at->row, "pct") : (double)NAN;
    return isnan(pct) ? 3.5 : fmax(3, 2.4 * sqrt(fmax(pct, 0)));
}

static void draw_points(struct tr__drawing *p, unsigned panel)
{
    struct tr_buf hover = { 0 };
    for (size_t i = p->first[panel]; i < p->first[panel + 1]; i++) {
        const struct tr__point *at = &p->d.points[i];
        if (!drawn(p, at))
            continue;
        enum tr__colour c = p->colours[at->cls];
        p->svg.colours |= 1u << c;
        hover_of(p, at, &hover);
        tr__svg_at(&p->svg, "<circle cx=\"", tr__scale_at(&p->x, at->x));
        tr__svg_at(&p->svg, "\" cy=\"", tr__scale_at(&p->y, at->y));
        tr__svg_at(&p->svg, "\" r=\"", radius(p, at));
        tr__svg_raw(&p->svg, "\" class=\"pt f-");
        tr__svg_raw(&p->svg, tr__colour_name(c));
        tr__svg_raw(&p->svg, "\"><title>");
        tr__svg_escaped(&p->svg, tr_buf_text(&hover), hover.len);
        tr__svg_raw(&p->svg, "</title></circle>\n");
    }
    tr_buf_free(&hover);
}

/* Cells of a few pixels, in a colour for the number of their points. */
struct grid {
    size_t columns, rows;
    uint32_t *n;
};

static bool count_cells(struct tr__drawing *p, unsigned panel, const struct tr__box *plot, struct grid *g)
{
    g->columns = (size_t)((plot->x1 - plot->x0) / CELL_PX) + 1;
    g->rows = (size_t)((plot->y1 - plot->y0) / CELL_PX) + 1;
    g->n = calloc(g->columns * g->rows, sizeof *g->n);
    for (size_t i = p->first[panel]; g->n && i < p->first[panel + 1]; i++) {
        const struct tr__point *at = &p->d.points[i];
        if (!drawn(p, at))
            continue;
        double x = (tr__scale_at(&p->x, at->x) - plot->x0) / CELL_PX,
               y = (tr__scale_at(&p->y, at->y) - plot->y0) / CELL_PX;
        size_t column = x < 0 ? 0 : (size_t)x, row = y < 0 ? 0 : (size_t)y;
        column = column < g->columns ? column : g->columns - 1;
        row = row < g->rows ? row : g->rows - 1;
        g->n[row * g->columns + column]++;
    }
    return g->n != NULL;
}

static unsigned level_of(double n, double most)
{
    return most <= 1 ? 5 : 2 + (unsigned)(log(n) / log(most) * (TR__LEVELS - 2.01));
}

static void draw_density(struct tr__drawing *p, unsigned panel, const struct tr__box *plot)
{
    struct grid g;
    if (!count_cells(p, panel, plot, &g)) {
        p->svg.failed = true;
        return;
    }
    for (size_t i = 0; i < g.columns * g.rows; i++)
        p->top = fmax(p->top, g.n[i]);
    for (unsigned level = 0; level < TR__LEVELS; level++) {
        bool open = false;
        for (size_t i = 0; i < g.columns * g.rows; i++) {
            if (!g.n[i] || level_of(g.n[i], p->top) != level)
                continue;
            if (!open) {
                char text[32];
                snprintf(text, sizeof text, "<path class=\"h%u\" d=\"", level);
                tr__svg_raw(&p->svg, text);
                open = true;
            }
            tr__svg_at(&p->svg, "M", plot->x0 + (double)(i % g.columns) * CELL_PX);
            tr__svg_at(&p->svg, " ", plot->y0 + (double)(i / g.columns) * CELL_PX);
            tr__svg_raw(&p->svg, "h5v5h-5z");
        }
        if (open)
            tr__svg_raw(&p->svg, "\"/>\n");
    }
    p->svg.levels = p->ramp = true;
    p->ramp_q = (struct tr__quantity){ TR__NUMBER, "" };
    free(g.n);
}

/* ---- names of the largest points, where there is room ---- */

static void name_largest(struct tr__drawing *p, unsigned panel, const struct tr__box *plot)
{
    size_t named[NAMED], n = 0;
    struct tr__box taken[NAMED];
    for (size_t round = 0; round < NAMED; round++) {
        size_t best = SIZE_MAX;
        for (size_t i = p->first[panel]; i < p->first[panel + 1]; i++) {
            bool has = false;
            for (size_t k = 0; k < n; k++)
                has |= named[k] == i;
            if (drawn(p, &p->d.points[i]) && !has &&
                (best == SIZE_MAX || radius(p, &p->d.points[i]) > radius(p, &p->d.points[best])))
                best = i;
        }
        if (best == SIZE_MAX)
            return;
        struct tr_buf full = { 0 }, brief = { 0 }, name = { 0 };
        const struct tr__point *at = &p->d.points[best];
        double x = tr__scale_at(&p->x, at->x), y = tr__scale_at(&p->y, at->y), r = radius(p, at);
        p->svg.failed |= !(tr__chart_cell(&p->d, at->row, p->d.text_column, false, &full) &&
                           tr__text_brief(&brief, tr_buf_text(&full), full.len) &&
                           tr__text_cut_middle(&name, tr_buf_text(&brief), brief.len, TR__TICK_PX, 190, 0));
        double w = tr__text_px(tr_buf_text(&name), name.len, TR__TICK_PX, false);
        bool left = x + r + 4 + w > plot->x1;
        struct tr__box b = { left ? x - r - 4 - w : x + r + 4, y - 6, 0, y + 7 };
        b.x1 = b.x0 + w;
        bool is_free = b.x0 >= plot->x0 && b.y0 > plot->y0;
        for (size_t k = 0; k < n; k++)
            is_free &= b.x1 < taken[k].x0 || b.x0 > taken[k].x1 || b.y1 < taken[k].y0 || b.y0 > taken[k].y1;
        if (is_free)
            tr__svg_text(&p->svg, left ? b.x1 : b.x0, y + 4, left ? "e sm hl" : "sm hl", tr_buf_text(&name), name.len);
        else
            b = (struct tr__box){ -1, -1, -1, -1 };
        taken[n] = b;
        named[n++] = best;
        tr_buf_free(&full);
        tr_buf_free(&brief);
        tr_buf_free(&name);
    }
}

void tr__draw_scatter(struct tr__drawing *p)
{
    bool density = p->first[p->n_panels] > MANY, any_roof = false;
    if (is_roofline(p))
        p->d.chart.log_x = p->d.chart.log_y = true;
    p->legend = !density;
    set_scales(p);
    for (unsigned i = 0; i < p->n_panels; i++) {
        struct roofs roofs;
        const struct tr__box box = tr__panel(p, i, !p->d.x.moments), plot = tr__plot(p, &box, 10);
        tr__axis_x(p, &plot);
        tr__axis_y(p, &plot);
        tr__svg_line(&p->svg, plot.x0, plot.y1, plot.x1, plot.y1, "ba");
        if (is_roofline(p)) {
            find_roofs(p, i, &roofs);
            draw_roofs(p, &plot, &roofs);
            any_roof |= has_roof(p, &roofs);
        }
        if (density)
            draw_density(p, i, &plot);
        else
            draw_points(p, i);
        if (is_roofline(p) && !density && p->d.text_column != SIZE_MAX)
            name_largest(p, i, &plot);
    }
    if (density) {
        struct tr_buf n = { 0 };
        p->svg.failed |= !(tr__number_add(&n, (double)p->first[p->n_panels], 0) && tr_buf_add(&n, "", 1));
        tr__note(p, "%s points", tr_buf_text(&n));
        tr_buf_free(&n);
    }
    if (is_roofline(p) && !any_roof)
        tr__note(p, "no peaks are known, so there are no roofs");
    if (is_roofline(p) && tr_table_find(p->d.t, "pct") != SIZE_MAX)
        tr__note(p, "area: share of the time");
    tr__axis_titles(p, p->d.x.column, true, p->d.y.column, true);
}
