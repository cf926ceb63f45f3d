/* SPDX-License-Identifier: MIT */
/*
 * Heat maps: a cell for each pair of categories, in a level of blue.  Times at equal distances, the starts of bins, are
 * no categories: they have an axis of time, on which bins without a row are empty.
 */
#include "chart/tr_chart_draw_int.h"
#include "chart/tr_chart_text_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_PX  220.0
#define MAX_SIDE 1000 /* categories */
#define MAX_ROW  120.0

/* One axis: the categories that are drawn, in order. */
struct side {
    uint32_t *list;  /* of categories */
    uint32_t *place; /* by category; TR_NO_STR: it is not drawn */
    size_t n, all;
    size_t each; /* categories in a row or column, of which the largest value is shown; 1 of texts */
    bool text;
    double from, step; /* columns are bins of time, the first of which starts at from; step 0: they are categories */
};

struct weight {
    double value; /* the order: largest first, or the number */
    uint32_t cat;
};

static int by_value(const void *a, const void *b)
{
    const struct weight *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value ? 1 : x->cat < y->cat ? -1 : x->cat > y->cat;
}

/*
 * The categories of an axis in the points [from, to): of texts the ones with the largest sums, at most so many; all
 * numbers in order, several in a place if there are more.
 */
static bool find_side(const struct tr__drawing *p, bool of_x, size_t most, size_t from, size_t to, struct side *s)
{
    size_t n = tr_strtab_count(of_x ? p->d.cats : p->d.series);
    struct weight *w = calloc(n + 1, sizeof *w);
    *s = (struct side){ .list = calloc(n + 1, sizeof *s->list),
                        .place = calloc(n + 1, sizeof *s->place),
                        .all = n,
                        .text = of_x ? p->d.x.text : p->d.y.text };
    bool ok = w && s->list && s->place;
    for (size_t i = 0; ok && i < n; i++) {
        w[i].cat = TR_NO_STR; /* not seen */
        s->place[i] = TR_NO_STR;
    }
    for (size_t i = from; ok && i < to; i++) {
        const struct tr__point *at = &p->d.points[i];
        uint32_t c = of_x ? at->cat : at->series;
        double number = of_x ? at->x : at->low;
        w[c].cat = c;
        if (!s->text)
            w[c].value = isnan(number) ? INFINITY : number;
        else if (!isnan(at->y))
            w[c].value -= fabs(at->y);
    }
    size_t seen = 0;
    for (size_t i = 0; ok && i < n; i++)
        if (w[i].cat != TR_NO_STR)
            w[seen++] = w[i];
    s->all = n = seen;
    if (ok)
        qsort(w, n, sizeof *w, by_value);
    s->each = s->text || n <= most ? 1 : (n + most - 1) / most;
    for (size_t i = 0; ok && i < n && i / s->each < most; i++) {
        s->n = i / s->each + 1;
        s->place[w[i].cat] = (uint32_t)(s->n - 1);
        if (i % s->each == 0)
            s->list[s->n - 1] = w[i].cat;
    }
    free(w);
    return ok;
}

/* Are the columns bins of time?  Then each has the place of its start. */
static void find_bins(const struct tr__drawing *p, struct side *x)
{
    double step = INFINITY, last = -INFINITY, first = NAN;
    if (p->d.x.q.measure != TR__TIME || x->text || x->each > 1)
        return;
    for (size_t i = 0; i < x->n; i++) {
        double at = p->d.cat_values[x->list[i]];
        if (isnan(at))
            return;
        first = i ? first : at;
        step = i ? fmin(step, at - last) : step;
        last = at;
    }
    double n = (last - first) / step;
    if (!isfinite(step) || step <= 0 || n >= MAX_SIDE)
        return;
    for (size_t i = 0; i < x->n; i++) {
        double place = (p->d.cat_values[x->list[i]] - first) / step;
        if (fabs(place - round(place)) > 1e-6)
            return;
    }
    for (size_t i = 0; i < x->n; i++)
        x->place[x->list[i]] = (uint32_t)llround((p->d.cat_values[x->list[i]] - first) / step);
    x->from = first;
    x->step = step;
    x->n = (size_t)llround(n) + 1;
}

static unsigned level_of(double v, double most)
{
    return v <= 0 || most <= 0 ? 0 : (unsigned)fmin(TR__LEVELS - 1, floor(v / most * (TR__LEVELS - 1) + 0.999));
}

/* The largest point of each cell of a panel, row by row; SIZE_MAX: it has none.  NULL: out of memory. */
static size_t *find_cells(const struct tr__drawing *p, unsigned panel, const struct side *x, const struct side *y)
{
    size_t *cells = malloc((x->n * y->n + 1) * sizeof *cells);
    for (size_t i = 0; cells && i < x->n * y->n; i++)
        cells[i] = SIZE_MAX;
    for (size_t i = p->first[panel]; cells && i < p->first[panel + 1]; i++) {
        const struct tr__point *at = &p->d.points[i];
        uint32_t column = x->place[at->cat], row = y->place[at->series];
        if (column == TR_NO_STR || row == TR_NO_STR || isnan(at->y))
            continue;
        size_t *cell = &cells[row * x->n + column];
        if (*cell == SIZE_MAX || p->d.points[*cell].y < at->y)
            *cell = i;
    }
    return cells;
}

/* The text in a cell, if there is room: white on dark blue in light; in dark, all but the last levels are dark. */
static void cell_text(struct tr__drawing *p, const struct tr__point *at, double x, double y, double w, double h)
{
    struct tr_buf text = { 0 };
    p->svg.failed |= !tr__number_short(&text, at->y, p->d.z.q);
    if (h >= 16 && tr__text_px(tr_buf_text(&text), text.len, TR__TICK_PX, false) + 6 <= w)
        tr__svg_text(&p->svg, x + w / 2 - 0.5, y + h / 2 + 3.5,
                     level_of(at->y, p->top) >= 7 ? "m n sm hi" : "m n sm lo", tr_buf_text(&text), text.len);
    tr_buf_free(&text);
}

/* Large cells have a gap between them; small ones reach below the next one, so that no seam is seen. */
static double beside(double length, double of_cell, bool last)
{
    return length + (of_cell > 6 ? -1 : last ? 0 : 1);
}

/* Cells of one level beside each other are one rectangle, if there are many. */
static void draw_cells(struct tr__drawing *p, unsigned panel, const struct tr__box *plot, const struct side *x,
                       const struct side *y)
{
    double w = (plot->x1 - plot->x0) / (double)x->n, h = (plot->y1 - plot->y0) / (double)y->n;
    bool few = x->n * y->n <= 2500;
    size_t *cells = find_cells(p, panel, x, y);
    struct tr_buf hover = { 0 };
    char classes[16];
    p->svg.failed |= !cells;
    for (size_t i = 0, to; cells && i < x->n * y->n; i = to) {
        to = i + 1;
        if (cells[i] == SIZE_MAX)
            continue;
        const struct tr__point *at = &p->d.points[cells[i]];
        unsigned level = level_of(at->y, p->top);
        while (!few && to % x->n && cells[to] != SIZE_MAX && level_of(p->d.points[cells[to]].y, p->top) == level)
            to++;
        struct tr_str a = tr__chart_name(p->d.cats, at->cat), b = tr__chart_name(p->d.series, at->series);
        double left = plot->x0 + w * (double)(i % x->n), up = plot->y0 + h * (double)(i / x->n);
        hover.len = 0;
        if (few)
            p->svg.failed |=
                !(tr_buf_add(&hover, a.s, a.len) && tr_buf_add_str(&hover, ", ") && tr_buf_add(&hover, b.s, b.len) &&
                  tr_buf_add_str(&hover, ": ") && tr__chart_cell(&p->d, at->row, p->d.z.column, true, &hover));
        snprintf(classes, sizeof classes, "h%u", level);
        double wide = beside(w * (double)(to - i), w, to % x->n == 0), high = beside(h, h, i / x->n + 1 == y->n);
        if (x->step > 0) { /* no seam between bins */
            double right = left + w * (double)(to - i);
            left = w < 2 ? left : round(left);
            wide = (w < 2 ? right : round(right)) - left;
        }
        tr__svg_rect(&p->svg, left, up, wide, high, classes, &hover);
        if (few && !(x->step > 0))
            cell_text(p, at, left, up, w, h);
    }
    free(cells);
    tr_buf_free(&hover);
}

static size_t every(double each, double needs)
{
    static const size_t of[] = { 1, 2, 5 };
    for (size_t power = 1;; power *= 10)
        for (size_t i = 0; i < 3; i++)
            if (each * (double)(of[i] * power) >= needs || of[i] * power > 1000000)
                return of[i] * power;
}

/* The name of a row or column; numbered: of texts, with a number, because columns of texts have only that. */
static void side_label(struct tr__drawing *p, const struct tr_strtab *names, const struct side *s, size_t i,
                       bool numbered, struct tr_buf *out)
{
    struct tr_str name = tr__chart_name(names, s->list[i]);
    struct tr_buf brief = { 0 };
    bool ok = tr__text_brief(&brief, name.s, name.len);
    if (s->text && numbered)
        ok = ok && tr_buf_print(out, "%zu  ", i + 1);
    ok = ok && (s->text ? tr_buf_add(out, brief.data, brief.len) : tr_buf_add(out, name.s, name.len));
    p->svg.failed |= !ok;
    tr_buf_free(&brief);
}

static void draw_labels(struct tr__drawing *p, const struct tr__box *plot, const struct side *x, const struct side *y,
                        double names)
{
    double w = (plot->x1 - plot->x0) / (double)x->n, h = (plot->y1 - plot->y0) / (double)y->n;
    struct tr_buf label = { 0 }, cut = { 0 };
    for (size_t i = 0; i < y->n; i += every(h, 13)) {
        label.len = cut.len = 0;
        side_label(p, p->d.series, y, i, x->text, &label);
        p->svg.failed |= !tr__text_cut_middle(&cut, tr_buf_text(&label), label.len, TR__TICK_PX, names, 0);
        tr__svg_text(&p->svg, plot->x0 - 8, plot->y0 + h * ((double)i + 0.5) + 4, "tk e n", tr_buf_text(&cut), cut.len);
    }
    double widest = 0;
    size_t n = x->step > 0 ? 0 : x->n; /* an axis of time is drawn before the cells */
    for (size_t i = 0; i < n && !x->text; i++) {
        struct tr_str name = tr__chart_name(p->d.cats, x->list[i]);
        widest = fmax(widest, tr__text_px(name.s, name.len, TR__TICK_PX, false));
    }
    for (size_t i = 0; i < n; i += every(w, (x->text ? 22 : fmin(widest, 90)) + 6)) {
        label.len = cut.len = 0;
        if (x->text)
            p->svg.failed |= !tr_buf_print(&cut, "%zu", i + 1);
        else {
            side_label(p, p->d.cats, x, i, false, &label);
            p->svg.failed |= !tr__text_cut_middle(&cut, tr_buf_text(&label), label.len, TR__TICK_PX, 90, 0);
        }
        tr__svg_text(&p->svg, plot->x0 + w * ((double)i + 0.5), plot->y1 + 16, "tk m n", tr_buf_text(&cut), cut.len);
    }
    tr_buf_free(&label);
    tr_buf_free(&cut);
}

static double names_width(struct tr__drawing *p, const struct side *y, bool numbered, double most)
{
    struct tr_buf label = { 0 };
    double widest = 0;
    for (size_t i = 0; i < y->n; i++) {
        label.len = 0;
        side_label(p, p->d.series, y, i, numbered, &label);
        widest = fmax(widest, tr__text_px(tr_buf_text(&label), label.len, TR__TICK_PX, false));
    }
    tr_buf_free(&label);
    return fmin(widest, most);
}

/* The row of a column with the same text; TR_NO_STR: there is none. */
static uint32_t row_of(const struct tr__drawing *p, const struct side *x, size_t column)
{
    struct tr_str name = tr__chart_name(p->d.cats, x->list[column]);
    return tr_strtab_find(p->d.series, name.s, name.len);
}

/*
 * Texts on both axes: is each column also a row?  Then rows have the order of columns, and a number names both.
 * Otherwise columns would have names that nothing says: the rows of the columns are added.
 */
static bool match_sides(const struct tr__drawing *p, const struct side *x, struct side *y)
{
    if (!x->text || !y->text)
        return false;
    for (size_t i = 0; i < x->n; i++)
        if (row_of(p, x, i) == TR_NO_STR)
            return false;
    for (uint32_t i = 0; i < tr_strtab_count(p->d.series); i++)
        y->place[i] = TR_NO_STR;
    for (size_t i = 0; i < x->n; i++) {
        y->list[i] = row_of(p, x, i);
        y->place[y->list[i]] = (uint32_t)i;
    }
    y->n = x->n;
    return true;
}

/* What is left out, or shares a place. */
static void add_note(struct tr__drawing *p, const struct side *x, const struct side *y)
{
    const struct side *cut = x->text && x->n < x->all ? x : y->text && y->n < y->all ? y : NULL;
    if (cut)
        tr__note(p, "the largest %zu of %zu", cut->n, cut->all);
    if (x->each > 1)
        tr__note(p, "the largest of every %zu of %zu columns", x->each, x->all);
    if (y->each > 1)
        tr__note(p, "the largest of every %zu of %zu rows", y->each, y->all);
}

/* The axis of bins of time, and no rows that are very high. */
static void draw_time(struct tr__drawing *p, const struct side *x, size_t n_rows, struct tr__box *plot)
{
    plot->y1 = fmin(plot->y1, plot->y0 + MAX_ROW * (double)n_rows);
    tr__scale_exact(&p->x, p->d.x.q, x->from, x->from + x->step * (double)x->n, p->n_panels > 1 ? 5 : 8);
    p->x.from = plot->x0;
    p->x.to = plot->x1;
    tr__axis_x(p, plot);
}

void tr__draw_heat(struct tr__drawing *p)
{
    struct side x = { .n = 0 }, y = { .n = 0 };
    struct tr__box box = tr__panel(p, 0, true);
    size_t rows = (size_t)((box.y1 - 20 - box.y0) / (p->n_panels > 1 ? 13 : 15));
    size_t most_x = p->d.x.text ? rows : p->d.x.q.measure == TR__TIME ? MAX_SIDE : (size_t)(box.x1 - box.x0);
    size_t most_y = p->d.y.text ? rows : (size_t)(box.y1 - 20 - box.y0), end = p->first[p->n_panels];
    bool ok = find_side(p, true, most_x, 0, end, &x) && find_side(p, false, most_y, 0, end, &y);
    bool same = ok && match_sides(p, &x, &y);
    if (ok)
        find_bins(p, &x);
    p->top = 0;
    for (size_t i = 0; i < p->first[p->n_panels]; i++)
        if (!isnan(p->d.points[i].y))
            p->top = fmax(p->top, p->d.points[i].y);
    if (p->d.z.q.measure == TR__PERCENT && p->top <= 100)
        p->top = 100;
    for (unsigned i = 0; ok && i < p->n_panels; i++) {
        if (i)
            box = tr__panel(p, i, true);
        if (p->n_panels > 1 && !same) { /* rows that it has */
            free(y.list);
            free(y.place);
            ok = find_side(p, false, most_y, p->first[i], p->first[i + 1], &y);
        }
        if (!ok)
            break;
        double names = names_width(p, &y, x.text, fmin(NAME_PX, (box.x1 - box.x0) * 0.4));
        struct tr__box plot = { box.x0 + names + 8, box.y0, box.x1, box.y1 - 20 };
        if (x.step > 0)
            draw_time(p, &x, y.n, &plot);
        draw_cells(p, i, &plot, &x, &y);
        draw_labels(p, &plot, &x, &y, names);
    }
    add_note(p, &x, &y);
    p->svg.failed |= !ok;
    p->svg.levels = p->ramp = true;
    p->ramp_q = p->d.z.q;
    if (x.step > 0) {
        struct tr_buf bin = { 0 };
        struct tr__scaled unit = tr__mark_unit(p->d.x.q, x.step);
        p->svg.failed |= !tr__coord_add(&bin, x.step / unit.scale);
        tr__note(p, "bins of %.*s %s", (int)bin.len, tr_buf_text(&bin), unit.name);
        tr_buf_free(&bin);
    }
    p->x.q = p->d.x.q;
    p->y.q = p->d.y.q;
    if (same) {
        static const char title[] = "columns have the numbers of the rows";
        tr__svg_text(&p->svg, p->width / 2, p->height - 18, "ax m", title, sizeof title - 1);
    } else {
        tr__axis_titles(p, p->d.x.column, x.step > 0, p->d.y.column, false);
    }
    free(x.list);
    free(x.place);
    free(y.list);
    free(y.place);
}
