/* SPDX-License-Identifier: MIT */
/*
 * Rows as bars in a terminal: the name, a bar, the value.  Bars are of ASCII, so that output does not depend on the
 * locale: # for one series, and another character for each further one, which the first line names.
 */
#include "chart/tr_chart_draw_int.h"
#include "chart/tr_chart_guess.h"
#include "chart/tr_chart_sinks.h"
#include "chart/tr_chart_text_int.h"

#include "base/tr_elide.h"
#include "base/tr_width.h"
#include "table/tr_table_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char marks[TR__MAX_SERIES + 2] = "#=+:ox.";

static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    (void)t;
    (void)out;
    (void)err;
    return TR_OK; /* all are needed first */
}

struct widths {
    struct tr_elider *names; /* of categories: no two of them look alike */
    size_t name, series, bar, value;
    double lo, hi; /* of the values */
};

static bool is_stacked(const struct tr__drawing *p)
{
    return p->d.chart.kind == TR_CHART_STACKED;
}

/* The name of the category of a point; of bins, their lower limit. */
static bool add_name(const struct tr__drawing *p, const struct tr__point *at, struct tr_elider *names,
                     struct tr_buf *out)
{
    if (p->d.chart.kind == TR_CHART_HISTOGRAM)
        return tr__chart_cell(&p->d, at->row, p->d.x.column, true, out);
    struct tr_str s = tr__chart_name(p->d.cats, at->cat);
    bool ok = p->d.x.text || (s.len && (s.s[0] < '0' || s.s[0] > '9')) ||
              (tr__chart_title(&p->d, p->d.x.column, out) && tr_buf_add_str(out, " "));
    struct tr_str form;
    return ok && tr_elider_form(names, s.s, s.len, &form) && tr_buf_add_text(out, form);
}

static bool add_value(const struct tr__drawing *p, double y, struct tr_buf *out)
{
    /* the signs of a picture are U+2212 and the micro sign; both have one column */
    return tr__number_short(out, y, p->d.y.q);
}

static bool same_category(const struct tr__drawing *p, const struct tr__point *a, const struct tr__point *b)
{
    return p->d.chart.kind != TR_CHART_HISTOGRAM && a->cat == b->cat && a->facet == b->facet;
}

static bool measure(struct tr__drawing *p, size_t width, struct widths *w)
{
    struct tr_buf text = { 0 };
    size_t most = width / 2 > TR_ELIDE_MIN ? width / 2 : TR_ELIDE_MIN;
    *w = (struct widths){ .names = tr_elider_new(most) };
    bool ok = w->names != NULL;
    for (size_t i = 0, to; ok && i < p->first[p->n_panels]; i = to) {
        double sum = 0, minus = 0;
        for (to = i; to < p->first[p->n_panels] && (to == i || same_category(p, &p->d.points[to], &p->d.points[i]));
             to++) {
            double y = isnan(p->d.points[to].y) ? 0 : p->d.points[to].y;
            sum += y > 0 ? y : 0;
            minus += y < 0 ? y : 0;
            tr__range(y, &w->lo, &w->hi);
            text.len = 0;
            ok = ok && add_value(p, is_stacked(p) ? sum + minus : y, &text);
            size_t n = tr_width(tr_buf_text(&text), text.len);
            w->value = n > w->value ? n : w->value;
        }
        if (is_stacked(p))
            tr__range(sum, &w->lo, &w->hi);
        text.len = 0;
        ok = ok && add_name(p, &p->d.points[i], w->names, &text);
        size_t n = tr_width(tr_buf_text(&text), text.len);
        w->name = n > w->name ? n : w->name;
    }
    tr_buf_free(&text);
    size_t used = w->name + 2 + w->value + 2;
    w->bar = width > used + 10 ? width - used : 10;
    return ok;
}

static bool add_blanks(struct tr_buf *out, size_t n)
{
    bool ok = true;
    for (; ok && n; n--)
        ok = tr_buf_add(out, " ", 1);
    return ok;
}

static size_t cells(const struct widths *w, double v)
{
    double span = w->hi - w->lo;
    return span > 0 ? (size_t)floor(fabs(v) / span * (double)w->bar + 0.5) : 0;
}

/* A bar with zero at its left, or after the negative part of the scale. */
static bool add_bar(const struct tr__drawing *p, const struct widths *w, const struct tr__point *at, struct tr_buf *out)
{
    size_t zero = cells(w, w->lo), n = isnan(at->y) ? 0 : cells(w, at->y);
    char mark = p->n_classes > 1 ? marks[at->cls] : '#';
    bool ok = add_blanks(out, at->y < 0 ? zero - (n < zero ? n : zero) : zero);
    for (size_t i = 0; ok && i < n; i++)
        ok = tr_buf_add(out, &mark, 1);
    return ok;
}

/* A stack: where each segment ends is rounded, so that the whole has its length. */
static bool add_stack(const struct tr__drawing *p, const struct widths *w, size_t from, size_t to, struct tr_buf *out,
                      double *sum)
{
    size_t done = 0;
    bool ok = true;
    *sum = 0;
    for (size_t i = from; i < to; i++) {
        double y = p->d.points[i].y;
        if (isnan(y))
            continue;
        *sum += y;
        char mark = p->n_classes > 1 ? marks[p->d.points[i].cls] : '#';
        for (size_t end = *sum > 0 ? cells(w, *sum) : 0; ok && done < end; done++)
            ok = tr_buf_add(out, &mark, 1);
    }
    return ok;
}

static bool end_line(const struct tr__drawing *p, const struct widths *w, size_t start, double y, struct tr_buf *out)
{
    bool ok =
        isnan(y) ||
        (add_blanks(out, w->name + 2 + w->bar + 2 - tr_width((const char *)out->data + start, out->len - start)) &&
         add_value(p, y, out));
    while (ok && out->len > start && out->data[out->len - 1] == ' ')
        out->len--;
    return ok && tr_buf_add(out, "\n", 1);
}

static bool draw_category(const struct tr__drawing *p, const struct widths *w, size_t from, size_t to,
                          struct tr_buf *out)
{
    bool ok = true;
    for (size_t i = from; ok && i < to; i++) {
        size_t start = out->len;
        double y = p->d.points[i].y;
        if (i == from)
            ok = add_name(p, &p->d.points[i], w->names, out);
        ok = ok && add_blanks(out, w->name + 2 - tr_width((const char *)out->data + start, out->len - start));
        if (is_stacked(p)) {
            ok = ok && add_stack(p, w, from, to, out, &y) && end_line(p, w, start, y, out);
            break;
        }
        ok = ok && add_bar(p, w, &p->d.points[i], out) && end_line(p, w, start, y, out);
    }
    return ok;
}

static bool draw_panel(struct tr__drawing *p, const struct widths *w, unsigned panel, struct tr_buf *out)
{
    bool ok = true;
    if (p->n_panels > 1) {
        struct tr_str name = tr__chart_name(p->d.facets, p->d.points[p->first[panel]].facet);
        ok = (!panel || tr_buf_add(out, "\n", 1)) && tr_buf_add(out, name.s, name.len) && tr_buf_add(out, "\n", 1);
    }
    for (size_t i = p->first[panel], to; ok && i < p->first[panel + 1]; i = to) {
        for (to = i + 1; to < p->first[panel + 1] && same_category(p, &p->d.points[to], &p->d.points[i]); to++)
            ;
        ok = draw_category(p, w, i, to, out);
    }
    return ok;
}

static bool draw(struct tr__drawing *p, struct tr_buf *out)
{
    struct widths w = { .names = NULL };
    struct tr_buf name = { 0 };
    tr__arrange_points(p);
    bool ok = !p->svg.failed && measure(p, p->d.t->width ? p->d.t->width : 80, &w);
    for (unsigned c = 0; ok && p->n_classes > 1 && c < p->n_classes; c++) {
        name.len = 0;
        tr__class_name(p, c, &name);
        ok = tr_buf_print(out, "%s%c ", c ? "   " : "", marks[c]) && tr_buf_add(out, tr_buf_text(&name), name.len);
    }
    ok = ok && (p->n_classes <= 1 || tr_buf_add(out, "\n", 1));
    for (unsigned i = 0; ok && i < p->n_panels; i++)
        ok = draw_panel(p, &w, i, out);
    tr_buf_free(&name);
    tr_elider_free(w.names);
    return ok && !p->svg.failed;
}

static enum tr_status end(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    static const struct tr_picture none = { .width = 0 };
    struct tr__drawing p = { .about = t->picture ? t->picture : &none };
    struct tr_chart chart;
    enum tr_status st = tr_chart_choose(t, p.about->chart, &chart, NULL, err);
    if (st == TR_OK && chart.kind != TR_CHART_BAR && chart.kind != TR_CHART_STACKED && chart.kind != TR_CHART_HISTOGRAM)
        return tr_fail(err, TR_USAGE, "--bars draws charts of bars, and this one is a %s; see -O svg",
                       tr_chart_kind_name(chart.kind));
    if (st == TR_OK)
        st = tr__chart_read(&p.d, t, &chart, err);
    if (st == TR_OK)
        st = draw(&p, out) ? TR_END : tr_fail_memory(err);
    tr__chart_data_free(&p.d);
    tr_buf_free(&p.svg.out);
    tr_buf_free(&p.notes);
    return st;
}

const struct tr_row_sink tr_row_sink_bars = { .name = "bars", .draws = true, .rows = rows, .end = end };
