/* SPDX-License-Identifier: MIT */
/* Points in the order of drawing: which series have a colour of their own, and which points are in which panel. */
#include "chart/tr_chart_draw_int.h"
#include "base/tr_sort.h"
#include "chart/tr_chart_text_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- classes ---- */

struct weight {
    double value;
    uint32_t series;
};

TR_ORDER(by_weight, struct weight, TR_DOWN(value), TR_UP(series))

TR_ORDER(by_series, struct weight, TR_UP(series))

/* The sum of each series, for lines its maximum: which of them are worth a colour. */
static void weigh(const struct tr__chart_data *d, struct weight *w)
{
    bool lines = d->chart.kind == TR_CHART_LINE || d->chart.kind == TR_CHART_STEP;
    for (size_t i = 0; i < d->n_points; i++) {
        const struct tr__point *at = &d->points[i];
        double y = d->chart.kind == TR_CHART_SCATTER || d->chart.kind == TR_CHART_ROOFLINE ? 1 : fabs(at->y);
        if (isnan(at->y) || isnan(at->x))
            continue;
        w[at->series].value = fmax(w[at->series].value, 0); /* it has a value */
        w[at->series].value = lines ? fmax(w[at->series].value, y) : w[at->series].value + y;
    }
}

/* Move series without any value to the end; how many have one.  Without any, all stay. */
static uint32_t with_value(struct weight *w, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (w[i].value >= 0) {
            struct weight moved = w[i];
            w[i] = w[kept];
            w[kept++] = moved;
        }
    return kept ? kept : n;
}

/* Number the classes, and give each point its own. */
static void find_classes(struct tr__drawing *p)
{
    uint32_t n = tr_strtab_count(p->d.series);
    struct weight *w = calloc((size_t)n + 1, sizeof *w);
    uint32_t *class_of = calloc((size_t)n + 1, sizeof *class_of);
    struct tr_str names[TR__MAX_SERIES + 1];
    bool lines = p->d.chart.kind == TR_CHART_LINE || (p->d.chart.kind == TR_CHART_STEP && !p->d.chart.stacked);
    if (!w || !class_of) {
        p->svg.failed = true;
        free(w);
        free(class_of);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        w[i] = (struct weight){ -1, i };
    weigh(&p->d, w);
    uint32_t without = n;
    n = with_value(w, n);
    bool others = n > TR__MAX_SERIES;
    unsigned named = others ? (lines ? TR__MAX_SERIES : TR__MAX_SERIES - 1) : n;
    qsort(w, n, sizeof *w, by_weight);
    qsort(w, named, sizeof *w, by_series);
    for (uint32_t i = 0; i < without; i++)
        class_of[w[i].series] = i < named ? i : i < n ? named : 0;
    for (unsigned i = 0; i < named; i++)
        p->class_series[i] = w[i].series;
    p->n_classes = named + others;
    if (others)
        p->class_series[named] = TR_NO_STR;
    for (unsigned i = 0; i < p->n_classes; i++)
        names[i] = i < named ? tr__chart_name(p->d.series, w[i].series) : tr_str_of("others");
    tr__colours_for(names, p->n_classes, p->colours);
    for (size_t i = 0; i < p->d.n_points; i++)
        p->d.points[i].cls = class_of[p->d.points[i].series];
    if (others && lines) {
        tr__note(p, "the %u largest of %u lines", named, n);
        p->n_classes = named; /* the others have none */
    }
    free(w);
    free(class_of);
}

/* ---- order of points, and panels ---- */

#define COMPARE(a, b)                  \
    do {                               \
        if ((a) != (b))                \
            return (a) < (b) ? -1 : 1; \
    } while (0)

TR_ORDER(by_category, struct tr__point, TR_UP(facet), TR_UP(place), TR_UP(cls), TR_UP(series), TR_UP(row),
         TR_UP(column))

/* By place, lines by series before. */
static int by_x(const void *a, const void *b)
{
    const struct tr__point *x = a, *y = b;
    COMPARE(x->facet, y->facet);
    COMPARE(x->series, y->series);
    COMPARE(isnan(x->x), isnan(y->x));
    if (!isnan(x->x))
        COMPARE(x->x, y->x);
    return x->row < y->row ? -1 : x->row > y->row;
}

static int by_start(const void *a, const void *b)
{
    const struct tr__point *x = a, *y = b;
    COMPARE(x->facet, y->facet);
    COMPARE(isnan(x->x), isnan(y->x));
    if (!isnan(x->x))
        COMPARE(x->x, y->x);
    return x->row < y->row ? -1 : x->row > y->row;
}

/* What is around others comes first. */
static int by_nesting(const void *a, const void *b)
{
    const struct tr__point *x = a, *y = b;
    COMPARE(x->facet, y->facet);
    COMPARE(isnan(x->x), isnan(y->x));
    if (!isnan(x->x))
        COMPARE(x->x, y->x);
    if (!isnan(x->y) && !isnan(y->y))
        COMPARE(y->y, x->y);
    if (!isnan(x->low) && !isnan(y->low))
        COMPARE(x->low, y->low);
    return x->row < y->row ? -1 : x->row > y->row;
}

TR_ORDER(by_row, struct tr__point, TR_UP(facet), TR_UP(place), by_nesting(a, b))

void tr__sort_rows(struct tr__drawing *p, unsigned panel)
{
    size_t n = p->first[panel + 1] - p->first[panel];
    if (n)
        qsort(&p->d.points[p->first[panel]], n, sizeof *p->d.points, by_row);
}

static void sort_points(struct tr__drawing *p)
{
    static int (*const orders[TR_N_CHART_KINDS])(const void *, const void *) = {
        [TR_CHART_BAR] = by_category, [TR_CHART_STACKED] = by_category, [TR_CHART_HISTOGRAM] = by_x,
        [TR_CHART_LINE] = by_x,       [TR_CHART_STEP] = by_x,           [TR_CHART_SCATTER] = by_start,
        [TR_CHART_HEAT] = by_start,   [TR_CHART_ROOFLINE] = by_start,   [TR_CHART_FLAME] = by_nesting,
        [TR_CHART_BAND] = by_start,
    };
    uint32_t n = tr_strtab_count(p->d.cats);
    uint32_t *place = calloc((size_t)n + 1, sizeof *place);
    if (!place) {
        p->svg.failed = true;
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        place[p->d.cat_order[i]] = i;
    for (size_t i = 0; i < p->d.n_points && n; i++)
        p->d.points[i].place = place[p->d.points[i].cat];
    if (p->d.n_points)
        qsort(p->d.points, p->d.n_points, sizeof *p->d.points, orders[p->d.chart.kind]);
    free(place);
}

/* Divide the points into panels; a band has lanes instead. */
static void find_panels(struct tr__drawing *p)
{
    uint32_t n = tr_strtab_count(p->d.facets), most = p->d.chart.kind == TR_CHART_BAND ? 100 : TR__MAX_PANELS;
    size_t i = 0;
    struct tr_str name = n ? tr__chart_name(p->d.facets, 0) : tr_str_of("");
    if (n == 1 && name.len && !tr_str_is(name, "(none)")) {
        struct tr_buf cut = { 0 };
        p->svg.failed |= !(tr__text_cut_middle(&cut, name.s, name.len, TR__TEXT_PX, 300, 0) && tr_buf_add(&cut, "", 1));
        tr__note(p, "%s", tr_buf_text(&cut));
        tr_buf_free(&cut);
    }
    if (n > most)
        tr__note(p, "the first %u of %u", most, n);
    p->first[0] = 0;
    p->n_panels = 0;
    for (uint32_t facet = 0; facet < n && facet < most; facet++) {
        size_t from = i;
        while (i < p->d.n_points && p->d.points[i].facet == facet)
            i++;
        if (p->d.chart.kind != TR_CHART_BAND && i > from)
            p->first[++p->n_panels] = i;
    }
    if (p->d.chart.kind == TR_CHART_BAND)
        p->first[p->n_panels = 1] = i;
}

void tr__arrange_points(struct tr__drawing *p)
{
    find_classes(p);
    sort_points(p);
    find_panels(p);
}
