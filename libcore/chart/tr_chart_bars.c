/* SPDX-License-Identifier: MIT */
/*
 * Bars: beside each other or stacked, as rows or as columns, with whiskers.
 *
 * Few categories are rows, with their names beside the bars or, if they are long, above them; of many names, those
 * with the largest bars are drawn.  Many numbers, and steps, are columns.
 */
#include "chart/tr_chart_draw_int.h"
#include "base/tr_sort.h"
#include "chart/tr_chart_text_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS  12u   /* numbered categories that are rows */
#define NAME_PX   110.0 /* the widest name beside a bar */
#define MIN_WIDTH 1.5   /* of a column with its gap */

/* The points [from, to) of a category. */
struct item {
    size_t from, to;
    double size; /* the largest value, or the sum of a stack, without sign */
    double y;    /* of the first bar */
    struct tr_buf label;
};

struct items {
    struct item *list;
    size_t n, cap, max_slots;
};

static bool is_stacked(const struct tr__drawing *p)
{
    return p->d.chart.kind == TR_CHART_STACKED;
}

static double y_of(const struct tr__drawing *p, size_t i)
{
    return p->d.points[i].y;
}

/* The categories of a panel. */
static void find_items(struct tr__drawing *p, unsigned panel, struct items *it)
{
    *it = (struct items){ .n = 0 };
    for (size_t i = p->first[panel], to; i < p->first[panel + 1]; i = to) {
        double size = 0;
        bool any = false;
        for (to = i; to < p->first[panel + 1] && p->d.points[to].cat == p->d.points[i].cat;
             to++, any |= !isnan(y_of(p, to - 1)))
            if (!isnan(y_of(p, to)))
                size = is_stacked(p) ? size + fabs(y_of(p, to)) : fmax(size, fabs(y_of(p, to)));
        if (p->d.x.text && (!any || (p->figure && size == 0)))
            continue; /* a name without a figure, or in a page without one to be seen; among numbers, it is a gap */
        if (!tr_grow(&it->list, &it->cap, it->n + 1, sizeof *it->list)) {
            p->svg.failed = true;
            return;
        }
        it->list[it->n++] = (struct item){ .from = i, .to = to, .size = size, .y = y_of(p, i) };
        if (to - i > it->max_slots)
            it->max_slots = to - i;
    }
}

static void free_items(struct items *it)
{
    for (size_t i = 0; i < it->n; i++)
        tr_buf_free(&it->list[i].label);
    free(it->list);
}

TR_ORDER(by_size, struct item, TR_DOWN(size), TR_UP(from))

TR_ORDER(by_place, struct item, TR_UP(from))

static int by_change(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->y != y->y ? (x->y < y->y ? 1 : -1) : by_place(a, b);
}

/* Keep the largest, in their order. */
static void keep_largest(struct items *it, size_t n)
{
    if (n >= it->n)
        return;
    qsort(it->list, it->n, sizeof *it->list, by_size);
    it->n = n;
    qsort(it->list, it->n, sizeof *it->list, by_place);
}

/* ---- scale ---- */

/* The values of the bars of all panels. */
static void value_range(struct tr__drawing *p, double *lo, double *hi)
{
    *lo = *hi = 0;
    for (size_t i = 0, to; i < p->first[p->n_panels]; i = to) {
        double plus = 0, minus = 0;
        const struct tr__point *at = &p->d.points[i];
        for (to = i; to < p->first[p->n_panels] && p->d.points[to].cat == at->cat && p->d.points[to].facet == at->facet;
             to++) {
            double y = y_of(p, to);
            if (isnan(y))
                continue;
            plus += y > 0 ? y : 0;
            minus += y < 0 ? y : 0;
            if (is_stacked(p))
                continue;
            tr__range(y, lo, hi);
            tr__range(p->d.points[to].low, lo, hi);
            tr__range(p->d.points[to].high, lo, hi);
        }
        if (is_stacked(p)) {
            tr__range(plus, lo, hi);
            tr__range(minus, lo, hi);
        }
    }
}

/* ---- labels ---- */

static bool is_others(const struct tr__drawing *p, const struct item *it)
{
    return tr_str_is(tr__chart_name(p->d.cats, p->d.points[it->from].cat), "others");
}

/* The name of a category of rows: "rank 0"; names of functions in their brief form. */
static void item_name(struct tr__drawing *p, const struct item *it, bool brief, struct tr_buf *out)
{
    struct tr_str s = tr__chart_name(p->d.cats, p->d.points[it->from].cat);
    const struct tr_table_column *is = tr_table_column_at(p->d.t, p->d.x.column);
    bool numbered = s.len != 0;
    for (size_t i = 0; i < s.len; i++)
        numbered &= s.s[i] >= '0' && s.s[i] <= '9';
    bool ok = !numbered || (tr__chart_title(&p->d, p->d.x.column, out) && tr_buf_add_str(out, " "));
    if (!(ok && (is->names && brief ? tr__text_brief(out, s.s, s.len) : tr_buf_add(out, s.s, s.len))))
        p->svg.failed = true;
}

/* Names in at most a width, no two of them equal. */
static void label_items(struct tr__drawing *p, struct items *it, double width)
{
    struct tr_buf full = { 0 };
    for (size_t i = 0; i < it->n; i++) {
        full.len = it->list[i].label.len = 0;
        item_name(p, &it->list[i], true, &full);
        p->svg.failed |= !tr__text_cut_middle(&it->list[i].label, tr_buf_text(&full), full.len, TR__TEXT_PX, width, 0);
    }
    for (size_t i = 0; i < it->n; i++)
        for (size_t k = 0; k < i; k++) {
            struct tr_buf *a = &it->list[i].label, *b = &it->list[k].label;
            if (a->len != b->len || memcmp(tr_buf_text(a), tr_buf_text(b), a->len) != 0)
                continue;
            struct tr_str x = tr__chart_name(p->d.cats, p->d.points[it->list[i].from].cat);
            struct tr_str y = tr__chart_name(p->d.cats, p->d.points[it->list[k].from].cat);
            size_t common = 0;
            while (common < x.len && common < y.len && x.s[common] == y.s[common])
                common++;
            a->len = b->len = 0;
            p->svg.failed |= !tr__text_cut_middle(a, x.s, x.len, TR__TEXT_PX, width, common) ||
                             !tr__text_cut_middle(b, y.s, y.len, TR__TEXT_PX, width, common);
        }
    tr_buf_free(&full);
}

static bool has_whisker(const struct tr__point *at)
{
    return at->low < at->high; /* not NaN */
}

/* The text beside a bar: "46.8 ms", with its share or its whiskers. */
static void value_text(struct tr__drawing *p, const struct tr__point *at, struct tr_buf *out)
{
    struct tr__quantity q = p->d.y.q;
    bool ok = tr__number_short(out, at->y, q);
    if (has_whisker(at)) {
        struct tr__scaled unit = tr__mark_unit(q, at->y);
        ok = ok && tr_buf_add_str(out, " (") && tr__number_in(out, at->low, unit, false) &&
             tr_buf_add_str(out, " to ") && tr__number_in(out, at->high, unit, false) && tr_buf_add_str(out, ")");
    } else if (p->d.share != SIZE_MAX && at->column == 0) {
        double pct = tr_table_number(p->d.t, at->row, p->d.share);
        if (!isnan(pct))
            ok = ok && tr_buf_add_str(out, " \xc2\xb7 ") && tr__number_add(out, pct, 1) && tr_buf_add_str(out, " %");
    }
    if (!ok)
        p->svg.failed = true;
}

/* ---- rows ---- */

static enum tr__colour colour_of(const struct tr__drawing *p, const struct item *it, const struct tr__point *at)
{
    enum tr__colour own = TR__N_COLOURS;
    if (p->d.chart.change)
        return at->y < 0 ? TR__COMPUTE : TR__COMM;
    if (!is_stacked(p) && p->n_classes == 1 && p->d.x.text)
        own = tr__colour_of(tr__chart_name(p->d.cats, at->cat));
    return is_others(p, it) && !is_stacked(p) ? TR__IDLE : own != TR__N_COLOURS ? own : p->colours[at->cls];
}

/* The text in a segment: value over share, or one of them, as there is room. */
static void segment_text(struct tr__drawing *p, double sum, enum tr__colour c, double x, double w, double y, double h,
                         double whole)
{
    struct tr_buf value = { 0 }, pct = { 0 };
    char classes[32];
    bool ok = tr__number_short(&value, sum, p->d.y.q) &&
              (whole <= 0 || (tr__number_add(&pct, sum / whole * 100, 0) && tr_buf_add_str(&pct, " %")));
    double value_w = tr__text_px(tr_buf_text(&value), value.len, TR__TEXT_PX, false);
    double pct_w = tr__text_px(tr_buf_text(&pct), pct.len, TR__TICK_PX, false);
    bool both = h >= 36 && pct.len && pct_w + 8 <= w;
    snprintf(classes, sizeof classes, "m n t-%s", tr__colour_name(c));
    if (ok && value_w + 8 <= w && h >= 14) {
        tr__svg_text(&p->svg, x + w / 2, y + h / 2 + (both ? -3 : 4), classes, tr_buf_text(&value), value.len);
        snprintf(classes, sizeof classes, "m n sm t-%s", tr__colour_name(c));
        if (both)
            tr__svg_text(&p->svg, x + w / 2, y + h / 2 + 13, classes, tr_buf_text(&pct), pct.len);
    } else if (ok && pct.len && pct_w + 6 <= w && h >= 14) {
        snprintf(classes, sizeof classes, "m n sm t-%s", tr__colour_name(c));
        tr__svg_text(&p->svg, x + w / 2, y + h / 2 + 4, classes, tr_buf_text(&pct), pct.len);
    }
    p->svg.failed |= !ok;
    tr_buf_free(&value);
    tr_buf_free(&pct);
}

/* What a segment says: its names and the sum of its points; a single one has the printed value. */
static void hover_segment(struct tr__drawing *p, const struct tr__point *at, size_t n, double sum, double whole,
                          struct tr_buf *out)
{
    bool ok = true;
    tr__hover(p, at, out);
    if (n > 1) {
        struct tr_str name = tr__chart_name(p->d.cats, at->cat);
        struct tr_buf cls = { 0 };
        tr__class_name(p, at->cls, &cls);
        out->len = 0;
        ok = (p->d.x.text || (tr__chart_title(&p->d, p->d.x.column, out) && tr_buf_add_str(out, " "))) &&
             tr_buf_add(out, name.s, name.len) && tr_buf_add_str(out, ": ") &&
             tr_buf_add_text(out, (struct tr_str){ tr_buf_text(&cls), cls.len }) && tr_buf_add_str(out, " ") &&
             tr__chart_value(&p->d, p->d.y.column, sum, out);
        tr_buf_free(&cls);
    }
    if (whole > 0 && sum > 0)
        ok = ok && tr_buf_add_str(out, " (") && tr__number_add(out, sum / whole * 100, 1) && tr_buf_add_str(out, " %)");
    p->svg.failed |= !ok;
}

/* A stack from zero to the right, negative values to the left; vertical: upwards.  A segment for each class. */
static void draw_stack(struct tr__drawing *p, const struct item *it, const struct tr__scale *s, double at, double thick,
                       bool vertical)
{
    double plus = 0, minus = 0, whole = 0;
    struct tr_buf hover = { 0 };
    for (size_t i = it->from; i < it->to; i++)
        whole += y_of(p, i) > 0 ? y_of(p, i) : 0;
    for (size_t i = it->from, to; i < it->to; i = to) {
        const struct tr__point *point = &p->d.points[i];
        double y = 0;
        for (to = i; to < it->to && p->d.points[to].cls == point->cls; to++)
            y += isnan(y_of(p, to)) ? 0 : y_of(p, to);
        if (y == 0)
            continue;
        double *sum = y > 0 ? &plus : &minus;
        double a = tr__scale_at(s, *sum), b = tr__scale_at(s, *sum + y);
        *sum += y;
        enum tr__colour c = colour_of(p, it, point);
        hover_segment(p, point, to - i, y, whole, &hover);
        if (vertical)
            tr__svg_bar(&p->svg, at, fmin(a, b), thick, fabs(b - a), c, thick > 5, &hover);
        else
            tr__svg_bar(&p->svg, fmin(a, b), at, fabs(b - a), thick, c, true, &hover);
        if (!vertical)
            segment_text(p, y, c, fmin(a, b), fabs(b - a), at, thick, whole);
        else if (thick >= 34)
            segment_text(p, y, c, at, thick, fmin(a, b), fabs(b - a), 0);
    }
    tr_buf_free(&hover);
}

static void draw_whisker(struct tr__drawing *p, const struct tr__point *at, double y, double size)
{
    if (!has_whisker(at))
        return;
    double a = tr__scale_at(&p->x, at->low), b = tr__scale_at(&p->x, at->high), cap = fmin(5, size / 2);
    tr__svg_at(&p->svg, "<path d=\"M", a);
    tr__svg_at(&p->svg, " ", y - cap);
    tr__svg_at(&p->svg, "v", 2 * cap);
    tr__svg_at(&p->svg, "M", a);
    tr__svg_at(&p->svg, " ", y);
    tr__svg_at(&p->svg, "H", b);
    tr__svg_at(&p->svg, "M", b);
    tr__svg_at(&p->svg, " ", y - cap);
    tr__svg_at(&p->svg, "v", 2 * cap);
    tr__svg_raw(&p->svg, "\" class=\"wh\"/>\n");
}

/* A bar and the text beside it. */
static void draw_bar(struct tr__drawing *p, const struct item *it, const struct tr__point *at, double y, double thick,
                     bool with_text)
{
    struct tr_buf text = { 0 }, hover = { 0 };
    if (isnan(at->y))
        return;
    double zero = tr__scale_at(&p->x, 0), end = tr__scale_at(&p->x, at->y);
    tr__hover(p, at, &hover);
    tr__svg_bar(&p->svg, fmin(zero, end), y, fabs(end - zero), thick, colour_of(p, it, at), false, &hover);
    draw_whisker(p, at, y + thick / 2, thick);
    value_text(p, at, &text);
    double right = fmax(end, isnan(at->high) ? end : tr__scale_at(&p->x, at->high));
    if (with_text && at->y < 0)
        tr__svg_text(&p->svg, end - 6, y + thick / 2 + 4, "e n sm hl", tr_buf_text(&text), text.len);
    else if (with_text)
        tr__svg_text(&p->svg, right + 6, y + thick / 2 + 4, "n sm hl", tr_buf_text(&text), text.len);
    tr_buf_free(&text);
    tr_buf_free(&hover);
}

/* The room that a value needs beside its bar, to the right and to the left. */
static void text_room(struct tr__drawing *p, const struct items *it, double *plot_w, double lo, double hi)
{
    struct tr_buf text = { 0 };
    double room = *plot_w, span = hi - lo;
    for (size_t k = 0; k < it->n && span > 0 && !is_stacked(p); k++)
        for (size_t i = it->list[k].from; i < it->list[k].to; i++) {
            const struct tr__point *at = &p->d.points[i];
            if (isnan(at->y) || at->y < 0)
                continue;
            text.len = 0;
            value_text(p, at, &text);
            double end = fmax(at->y, isnan(at->high) ? at->y : at->high) - lo;
            double label = tr__text_px(tr_buf_text(&text), text.len, TR__TICK_PX, false) + 10;
            if (end > 0)
                room = fmin(room, (*plot_w - label) * span / end);
        }
    *plot_w = fmax(room, *plot_w * 0.4);
    tr_buf_free(&text);
}

struct rows_layout {
    bool above; /* names are above their bars */
    double label, bar, gap;
};

static struct rows_layout layout_for(const struct tr__drawing *p, const struct items *it, double widest)
{
    double slots = is_stacked(p) ? 1 : (double)it->max_slots;
    struct rows_layout l = { .above = widest > NAME_PX, .gap = 8 };
    l.label = l.above ? 16 : 0;
    l.bar = (slots <= 1 ? 13 : slots <= 3 ? 11 : 7) * slots;
    return l;
}

static double widest_name(struct tr__drawing *p, struct items *it)
{
    struct tr_buf name = { 0 };
    double widest = 0;
    for (size_t i = 0; i < it->n && widest <= NAME_PX; i++) {
        name.len = 0;
        item_name(p, &it->list[i], true, &name);
        widest = fmax(widest, tr__text_px(tr_buf_text(&name), name.len, TR__TEXT_PX, false));
    }
    tr_buf_free(&name);
    return widest;
}

static void draw_row(struct tr__drawing *p, const struct item *it, const struct rows_layout *l,
                     const struct tr__box *plot, double outer_x0, double y, double thick)
{
    size_t slots = is_stacked(p) ? 1 : it->to - it->from;
    double bars_y = y + l->label, each = thick / (double)slots;
    if (l->above) {
        double w = tr__text_px(tr_buf_text(&it->label), it->label.len, TR__TEXT_PX, false);
        tr__svg_rect(&p->svg, outer_x0 - 1, y, w + 4, 15, "bg", NULL);
        tr__svg_text(&p->svg, outer_x0, y + 11.5, "", tr_buf_text(&it->label), it->label.len);
    } else {
        tr__svg_text(&p->svg, plot->x0 - 8, bars_y + thick / 2 + 4, "e n", tr_buf_text(&it->label), it->label.len);
    }
    if (is_stacked(p)) {
        draw_stack(p, it, &p->x, bars_y, thick, false);
        return;
    }
    for (size_t i = it->from; i < it->to; i++)
        draw_bar(p, it, &p->d.points[i], bars_y + each * (double)(i - it->from), each - (slots > 1 ? 1 : 0),
                 each >= 11);
}

static void draw_rows(struct tr__drawing *p, struct items *it, const struct tr__box *box, size_t *hidden)
{
    struct rows_layout l = layout_for(p, it, widest_name(p, it));
    double height = box->y1 - 20 - box->y0, each = l.label + l.bar + l.gap;
    size_t fit = height > each ? (size_t)(height / each) : 1, all = it->n;
    if (fit < it->n) {
        keep_largest(it, fit);
        *hidden += all - it->n;
        l = layout_for(p, it, widest_name(p, it));
    }
    if (p->d.chart.change)
        qsort(it->list, it->n, sizeof *it->list, by_change);
    label_items(p, it, l.above ? box->x1 - box->x0 - 4 : NAME_PX);
    struct tr__box plot = { box->x0, box->y0, box->x1, box->y1 - 20 };
    double names = 0, slot = height / (double)it->n;
    for (size_t i = 0; i < it->n && !l.above; i++)
        names = fmax(names, tr__text_px(tr_buf_text(&it->list[i].label), it->list[i].label.len, TR__TEXT_PX, false));
    plot.x0 += l.above ? 0 : names + 8;
    double left = 0, lo = p->x.lo, hi = p->x.hi, w = plot.x1 - plot.x0;
    if (lo < 0 && !is_stacked(p))
        left = 64;
    w -= left;
    text_room(p, it, &w, lo, hi);
    p->x.from = plot.x0 + left;
    p->x.to = p->x.from + w;
    plot.x1 = plot.x0 + left + w;
    tr__axis_x(p, &plot);
    if (lo < 0)
        tr__svg_line(&p->svg, tr__scale_at(&p->x, 0), plot.y0, tr__scale_at(&p->x, 0), plot.y1, "ba");
    double thick =
        fmin(is_stacked(p) || it->max_slots > 1 || !l.above ? 96 : 26, (slot - l.label) * (l.above ? 0.72 : 0.6));
    thick = fmax(thick, fmin(l.bar, slot - l.label - 2));
    for (size_t i = 0; i < it->n; i++)
        draw_row(p, &it->list[i], &l, &plot, box->x0, plot.y0 + slot * (double)i + (slot - l.label - thick) / 2, thick);
}

/* ---- columns ---- */

/* The number of columns from one label to the next. */
static size_t label_every(size_t n, double slot, double widest)
{
    static const size_t of[] = { 1, 2, 5 };
    for (size_t power = 1;; power *= 10)
        for (size_t i = 0; i < 3; i++)
            if (slot * (double)(of[i] * power) >= widest + 6 || of[i] * power >= n)
                return of[i] * power;
}

static void draw_column(struct tr__drawing *p, const struct item *it, double x, double w)
{
    size_t slots = it->to - it->from;
    struct tr_buf text = { 0 }, hover = { 0 };
    double each = w / (double)slots, zero = tr__scale_at(&p->y, 0);
    for (size_t i = it->from; i < it->to; i++) {
        const struct tr__point *at = &p->d.points[i];
        double left = x + each * (double)(i - it->from), end = tr__scale_at(&p->y, at->y);
        if (isnan(at->y))
            continue;
        tr__hover(p, at, &hover);
        tr__svg_bar(&p->svg, left, fmin(zero, end), each - (slots > 1 && each > 4 ? 1 : 0), fabs(end - zero),
                    colour_of(p, it, at), false, &hover);
        if (has_whisker(at) && each >= 4) {
            double mid = left + each / 2, cap = fmin(5, each / 3);
            tr__svg_line(&p->svg, mid, tr__scale_at(&p->y, at->low), mid, tr__scale_at(&p->y, at->high), "wh");
            tr__svg_line(&p->svg, mid - cap, tr__scale_at(&p->y, at->low), mid + cap, tr__scale_at(&p->y, at->low),
                         "wh");
            tr__svg_line(&p->svg, mid - cap, tr__scale_at(&p->y, at->high), mid + cap, tr__scale_at(&p->y, at->high),
                         "wh");
            continue;
        }
        text.len = 0;
        p->svg.failed |= !tr__number_in(&text, at->y, p->y.unit, false);
        if (at->y >= 0 && tr__text_px(tr_buf_text(&text), text.len, TR__TICK_PX, false) + 4 <= each)
            tr__svg_text(&p->svg, left + each / 2, end - 5, "m n sm", tr_buf_text(&text), text.len);
    }
    tr_buf_free(&text);
    tr_buf_free(&hover);
}

/* More columns than pixels: of each run of them the largest is drawn. */
static void thin_out(struct tr__drawing *p, struct items *it, double width)
{
    size_t most = (size_t)(width / MIN_WIDTH), all = it->n;
    if (it->n <= most || most == 0)
        return;
    size_t each = (it->n + most - 1) / most, kept = 0;
    for (size_t i = 0; i < it->n; i += each) {
        size_t best = i;
        for (size_t k = i; k < it->n && k < i + each; k++)
            if (it->list[k].size > it->list[best].size)
                best = k;
        it->list[kept++] = it->list[best];
    }
    it->n = kept;
    tr__note(p, "the largest of every %zu of %zu", each, all);
}

static void draw_columns(struct tr__drawing *p, struct items *it, const struct tr__box *box)
{
    struct tr__box plot = { box->x0 + tr__ticks_width(&p->y) + 8, box->y0, box->x1, box->y1 - 20 };
    p->y.from = plot.y1;
    p->y.to = plot.y0;
    p->x.from = plot.x0;
    p->x.to = plot.x1;
    p->columns = true;
    thin_out(p, it, plot.x1 - plot.x0);
    tr__axis_y(p, &plot);
    double slot = (plot.x1 - plot.x0) / (double)it->n, gap = slot > 8 ? fmin(slot * 0.28, 32) : slot > 3 ? 1 : 0.2;
    double w = fmin(slot - gap, 96 * (double)(is_stacked(p) ? 1 : it->max_slots)), widest = 0;
    struct tr_buf cut = { 0 };
    for (size_t i = 0; i < it->n; i++) {
        struct tr_str s = tr__chart_name(p->d.cats, p->d.points[it->list[i].from].cat);
        widest = fmax(widest, tr__text_px(s.s, s.len, TR__TICK_PX, false));
    }
    size_t every = label_every(it->n, slot, fmin(widest, 120));
    for (size_t i = 0; i < it->n; i++) {
        double x = plot.x0 + slot * (double)i + (slot - w) / 2;
        if (is_stacked(p))
            draw_stack(p, &it->list[i], &p->y, x, w, true);
        else
            draw_column(p, &it->list[i], x, w);
        if (i % every)
            continue;
        struct tr_str s = tr__chart_name(p->d.cats, p->d.points[it->list[i].from].cat);
        cut.len = 0;
        p->svg.failed |= !tr__text_cut_middle(&cut, s.s, s.len, TR__TICK_PX, fmax(slot * (double)every - 6, 14), 0);
        tr__svg_text(&p->svg, x + w / 2, plot.y1 + 16, "tk m n", tr_buf_text(&cut), cut.len);
    }
    tr__svg_line(&p->svg, plot.x0, tr__scale_at(&p->y, 0), plot.x1, tr__scale_at(&p->y, 0), "ba");
    tr_buf_free(&cut);
}

/* ---- all panels ---- */

static bool any_whisker(const struct tr__drawing *p)
{
    for (size_t i = 0; i < p->first[p->n_panels]; i++)
        if (has_whisker(&p->d.points[i]))
            return true;
    return false;
}

/* Are categories rows?  Names are; of numbers, a few that say who, not when. */
static bool as_rows(const struct tr__drawing *p)
{
    static const char *const who[] = { "rank", "device", "stream", "group" };
    const char *name = tr_table_column_at(p->d.t, p->d.x.column)->name;
    if (p->d.x.text)
        return true;
    for (size_t i = 0; i < sizeof who / sizeof *who; i++)
        if (strcmp(name, who[i]) == 0)
            return tr_strtab_count(p->d.cats) <= MAX_ROWS;
    return false;
}

#define MAX_BARS 16u /* of a panel whose height is not given */

double tr__bars_height(struct tr__drawing *p)
{
    unsigned columns = tr__panel_columns(p, true);
    double height = 0;
    for (unsigned i = 0; i < p->n_panels && as_rows(p); i += columns) {
        double most = 0;
        for (unsigned k = i; k < p->n_panels && k < i + columns; k++) {
            struct items it;
            find_items(p, k, &it);
            struct rows_layout l = layout_for(p, &it, widest_name(p, &it));
            double each = l.label + fmax(l.bar, is_stacked(p) ? 22 : 15) + l.gap + (l.above ? 0 : 4);
            most = fmax(most, each * (double)(it.n < MAX_BARS ? it.n : MAX_BARS) + 1);
            free_items(&it);
        }
        height += most + 20 + (p->n_panels > 1 ? 26 : 0);
    }
    return height > 0 ? height + 96 + 36 : 0;
}

void tr__draw_bars(struct tr__drawing *p)
{
    bool rows = as_rows(p);
    double lo, hi;
    size_t hidden = 0;
    value_range(p, &lo, &hi);
    struct tr__scale *value = rows ? &p->x : &p->y;
    unsigned ticks = p->n_panels > 3 ? 4 : p->n_panels > 1 ? 5 : rows ? 8 : 6;
    tr__scale_set(value, p->d.y.q, lo, hi, false, true, ticks);
    for (unsigned i = 0; i < p->n_panels; i++) {
        struct items it;
        struct tr__box box = tr__panel(p, i, true);
        find_items(p, i, &it);
        size_t n = it.n;
        if (it.n && rows)
            draw_rows(p, &it, &box, &hidden);
        else if (it.n)
            draw_columns(p, &it, &box);
        if (p->n_panels == 1 && it.n < n && rows)
            tr__note(p, "the %zu largest of %zu", it.n, n);
        it.n = n < it.cap ? n : it.cap; /* all labels are freed */
        free_items(&it);
    }
    if (any_whisker(p))
        tr__note(p, "whiskers: %s, %s", p->d.chart.low, p->d.chart.high);
    if (hidden && p->n_panels > 1)
        tr__note(p, "the largest of each");
    if (rows)
        tr__axis_titles(p, p->d.y.column, true, SIZE_MAX, false);
    else
        tr__axis_titles(p, p->d.x.column, false, p->d.y.column, true);
}
