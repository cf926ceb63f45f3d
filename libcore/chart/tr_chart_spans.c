/* SPDX-License-Identifier: MIT */
/*
 * Spans along a time axis: bands, with a lane for each facet, and flames, with a row for each depth.  Spans too narrow
 * to be seen are drawn together with their neighbours.
 */
#include "chart/tr_chart_draw_int.h"
#include "chart/tr_chart_text_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NARROW  0.4 /* pixels of the narrowest span */
#define NAME_PX 110.0
#define MANY    3000u /* spans of a row; more are drawn as pixels */
#define MIN_ROW 4.0
#define MAX_ROW 28.0

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

/* room: for its text, up to where another one begins. */
static void draw_run(struct tr__drawing *p, const struct run *r, double y, double h, double room)
{
    struct tr_buf hover = { 0 }, name = { 0 }, cut = { 0 };
    const struct tr__point *at = &p->d.points[r->first];
    char classes[32];
    double w = fmax(r->to - r->from, NARROW);
    if (r->n > 1) {
        p->svg.failed |= !tr_buf_print(&hover, "%zu spans", r->n);
    } else {
        if (p->d.text_column != SIZE_MAX)
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
    if (name.len && room >= 30 && h >= 13) {
        p->svg.failed |= !tr__text_cut_end(&cut, tr_buf_text(&name), name.len, TR__TICK_PX, room - 8);
        snprintf(classes, sizeof classes, "sm t-%s", tr__colour_name(p->colours[r->cls]));
        tr__svg_text(&p->svg, r->from + 4, y + h / 2 + 4, classes, tr_buf_text(&cut), cut.len);
    }
    tr_buf_free(&hover);
    tr_buf_free(&name);
    tr_buf_free(&cut);
}

/* The time of each class in each pixel of a row: what is in whole pixels as differences, the rest directly. */
struct density {
    double *part, *whole; /* by class and pixel */
    size_t n;
};

static void add_density(struct density *d, uint32_t cls, double a, double b)
{
    double *part = d->part + cls * (d->n + 1), *whole = d->whole + cls * (d->n + 1);
    a = fmax(a, 0);
    b = fmin(b, (double)d->n);
    if (!(b > a))
        return;
    size_t first = (size_t)a, last = (size_t)b;
    if (first == last) {
        part[first] += b - a;
        return;
    }
    part[first] += (double)(first + 1) - a;
    part[last] += b - (double)last;
    whole[first + 1] += 1;
    whole[last] -= 1;
}

/* More spans than can be seen: each pixel has the colour of the class with the most time in it. */
static void draw_dense(struct tr__drawing *p, size_t from, size_t to, double y, double h)
{
    struct density d = { .n = (size_t)(p->x.to - p->x.from) };
    size_t size = (TR__MAX_SERIES + 1) * (d.n + 1);
    d.part = calloc(size, sizeof *d.part);
    d.whole = calloc(size, sizeof *d.whole);
    p->svg.failed |= !d.part || !d.whole;
    for (size_t i = from; !p->svg.failed && i < to; i++) {
        const struct tr__point *at = &p->d.points[i];
        if (!isnan(at->y) && !isnan(at->x) && at->y >= 0)
            add_density(&d, at->cls, tr__scale_at(&p->x, at->x) - p->x.from,
                        tr__scale_at(&p->x, at->x + at->y) - p->x.from);
    }
    double open[TR__MAX_SERIES + 1] = { 0 };
    size_t start = 0;
    unsigned now = p->n_classes; /* none */
    for (size_t k = 0; !p->svg.failed && k <= d.n; k++) {
        unsigned best = p->n_classes;
        double most = 1e-9;
        for (unsigned c = 0; c < p->n_classes && k < d.n; c++) {
            open[c] += d.whole[c * (d.n + 1) + k];
            double time = open[c] + d.part[c * (d.n + 1) + k];
            if (time > most) {
                most = time;
                best = c;
            }
        }
        if (best == now)
            continue;
        if (now < p->n_classes) {
            struct tr_buf name = { 0 };
            tr__class_name(p, now, &name);
            tr__svg_bar(&p->svg, p->x.from + (double)start, y, (double)(k - start), h, p->colours[now], false, &name);
            tr_buf_free(&name);
        }
        now = best;
        start = k;
    }
    free(d.part);
    free(d.whole);
}

/* The points [from, to), in order of time, in one row. */
static void draw_spans(struct tr__drawing *p, size_t from, size_t to, double y, double h)
{
    if (to - from > MANY) {
        draw_dense(p, from, to, y, h);
        return;
    }
    struct run r = { .n = 0 };
    double covered = -INFINITY; /* up to here, spans were drawn before */
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
        if (r.n) {
            draw_run(p, &r, y, h, r.from < covered - 0.01 ? 0 : fmin(r.to, a) - r.from);
            covered = fmax(covered, r.to);
        }
        r = (struct run){ a, b, i, 1, at->cls };
    }
    if (r.n)
        draw_run(p, &r, y, h, r.from < covered - 0.01 ? 0 : r.to - r.from);
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
        draw_spans(p, i, to, mid - h / 2, h);
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

#define MAX_DEPTH 256u
#define MAX_LANES 64u
#define LOOSE     0x10000u /* places of rows of spans that no other is around, such as device work after its launch */

/* A stack of open spans, as of a thread: a span is in the lane in which its parent is open. */
struct lane {
    double ends[MAX_DEPTH];
    unsigned open, deepest;
};

struct lanes {
    struct lane *list;
    unsigned n;
    double loose[MAX_LANES]; /* where the last span of a row ends */
    unsigned n_loose;
};

/* The lane of a span; NULL: none fits. */
static struct lane *lane_for(struct lanes *l, const struct tr__point *at)
{
    if (isnan(at->low) || at->low >= MAX_DEPTH)
        return NULL;
    unsigned depth = (unsigned)at->low;
    for (unsigned i = 0; i < l->n; i++) {
        struct lane *lane = &l->list[i];
        while (lane->open && lane->ends[lane->open - 1] <= at->x)
            lane->open--;
        if (lane->open == depth && (!depth || at->x + at->y <= lane->ends[depth - 1]))
            return lane;
    }
    return depth == 0 && l->n < MAX_LANES ? &l->list[l->n++] : NULL;
}

/* Give each span of a panel its lane and depth, or a row below all lanes. */
static void place_spans(struct tr__drawing *p, unsigned panel, struct lanes *l)
{
    for (size_t i = p->first[panel]; i < p->first[panel + 1]; i++) {
        struct tr__point *at = &p->d.points[i];
        if (isnan(at->x) || isnan(at->y))
            continue;
        struct lane *lane = lane_for(l, at);
        if (lane) {
            at->place = (uint32_t)(lane - l->list) * MAX_DEPTH + lane->open;
            lane->ends[lane->open++] = at->x + at->y;
            lane->deepest = lane->open > lane->deepest ? lane->open : lane->deepest;
            continue;
        }
        unsigned row = 0;
        while (row < l->n_loose && l->loose[row] > at->x && row + 1 < MAX_LANES)
            row++;
        l->n_loose = row >= l->n_loose ? row + 1 : l->n_loose;
        l->loose[row] = at->x + at->y;
        at->place = LOOSE + row;
    }
}

/* Places in the order of rows: lanes below each other, then loose rows.  Returns the number of rows. */
static unsigned number_rows(struct tr__drawing *p, unsigned panel, const struct lanes *l)
{
    unsigned before[MAX_LANES + 1] = { 0 };
    for (unsigned i = 0; i < l->n; i++)
        before[i + 1] = before[i] + l->list[i].deepest;
    for (size_t i = p->first[panel]; i < p->first[panel + 1]; i++) {
        uint32_t *place = &p->d.points[i].place;
        *place = *place >= LOOSE ? before[l->n] + (*place - LOOSE) : before[*place / MAX_DEPTH] + *place % MAX_DEPTH;
    }
    return before[l->n] + l->n_loose;
}

static void draw_flame(struct tr__drawing *p, unsigned panel, const struct tr__box *plot, unsigned rows)
{
    double h = fmin(MAX_ROW, (plot->y1 - plot->y0) / (rows ? rows : 1));
    if (h < MIN_ROW) {
        h = MIN_ROW;
        unsigned fit = (unsigned)((plot->y1 - plot->y0) / h);
        tr__note(p, "the first %u of %u rows", fit, rows);
        rows = fit;
    }
    p->x.from = plot->x0;
    p->x.to = plot->x1;
    tr__axis_x(p, plot);
    for (size_t i = p->first[panel], to; i < p->first[panel + 1]; i = to) {
        uint32_t row = p->d.points[i].place;
        for (to = i; to < p->first[panel + 1] && p->d.points[to].place == row; to++)
            ;
        if (row < rows)
            draw_spans(p, i, to, plot->y0 + h * row, h - (h > 6 ? 1 : 0));
    }
}

void tr__draw_flame(struct tr__drawing *p)
{
    struct lanes l = { .list = calloc(MAX_LANES, sizeof *l.list) };
    if (!l.list) {
        p->svg.failed = true;
        return;
    }
    time_scale(p);
    for (unsigned k = 0; k < p->n_panels; k++) {
        struct tr__box box = tr__panel(p, k, false);
        struct tr__box plot = { box.x0, box.y0, box.x1 - 8, box.y1 - 20 };
        memset(l.list, 0, MAX_LANES * sizeof *l.list);
        l.n = l.n_loose = 0;
        place_spans(p, k, &l);
        unsigned rows = number_rows(p, k, &l);
        tr__sort_rows(p, k);
        draw_flame(p, k, &plot, rows);
    }
    free(l.list);
    tr__axis_titles(p, p->d.x.column, true, SIZE_MAX, false);
}
