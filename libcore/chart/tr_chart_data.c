/* SPDX-License-Identifier: MIT */
/* Rows of a table as the points of a picture. */
#include "chart/tr_chart_data_int.h"

#include "chart/tr_chart_text_int.h"
#include "table/tr_table_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

struct tr__quantity tr__chart_quantity(const struct tr_table *t, size_t column)
{
    const struct tr_table_column *is = &t->cols[column].is;
    if (is->type == TR_CELL_TIME)
        return (struct tr__quantity){ TR__TIME, "" };
    if (is->unit && strcmp(is->unit, "bytes") == 0)
        return (struct tr__quantity){ TR__BYTES, "B" };
    if (is->unit && strcmp(is->unit, "%") == 0)
        return (struct tr__quantity){ TR__PERCENT, "%" };
    return (struct tr__quantity){ TR__NUMBER, is->unit ? is->unit : "" };
}

static struct tr__chart_axis axis_of(const struct tr_table *t, size_t column)
{
    if (column == SIZE_MAX)
        return (struct tr__chart_axis){ .column = SIZE_MAX, .q.unit = "" };
    return (struct tr__chart_axis){ .column = column,
                                    .q = tr__chart_quantity(t, column),
                                    .text = t->cols[column].is.type == TR_CELL_STRING };
}

static size_t find(const struct tr_table *t, const char *name)
{
    return name ? tr_table_find(t, name) : SIZE_MAX;
}

/* Is a column among those that the user chose?  Without a choice, all are. */
static bool chosen(const struct tr_table *t, size_t column)
{
    if (!t->arrange.columns || strcmp(t->arrange.columns, "all") == 0)
        return true;
    for (size_t k = 0; k < t->n_shown; k++)
        if (t->shown[k] == column)
            return true;
    return false;
}

static bool is_part(const struct tr__chart_data *d, size_t column)
{
    for (unsigned k = 0; k < d->n_y; k++)
        if (d->y_columns[k] == column)
            return true;
    return column == d->x.column || column == d->series_column || column == d->facet_column;
}

/* With --columns, figures that the user chose take the place of those that the chart names. */
static void choose_y(struct tr__chart_data *d)
{
    const struct tr_table *t = d->t;
    bool fixed = d->chart.kind == TR_CHART_HEAT || d->chart.kind == TR_CHART_FLAME || d->chart.kind == TR_CHART_BAND;
    bool any = false;
    for (unsigned k = 0; k < d->n_y; k++)
        any |= chosen(t, d->y_columns[k]);
    if (fixed || (any && d->n_y == 1))
        return;
    size_t named[TR_CHART_Y];
    unsigned n_named = d->n_y, kept = 0;
    memcpy(named, d->y_columns, sizeof named);
    d->n_y = 0;
    for (unsigned k = 0; k < n_named && any; k++)
        if (chosen(t, named[k]))
            d->y_columns[kept++] = named[k];
    for (size_t k = 0; k < t->n_shown && !any && kept < TR_CHART_Y; k++)
        if (tr_cell_is_number(t->cols[t->shown[k]].is.type) && t->cols[t->shown[k]].is.role > TR_ROLE_KEY &&
            !is_part(d, t->shown[k]))
            d->y_columns[kept++] = t->shown[k];
    if (!kept)
        memcpy(d->y_columns, named, sizeof named);
    d->n_y = kept ? kept : n_named;
    if (!any)
        d->chart.low = d->chart.high = NULL;
}

/* The name of a point of a scatter: a key that is a text, and that the chart does not show. */
static void find_text(struct tr__chart_data *d)
{
    d->text_column = SIZE_MAX;
    for (size_t k = 0; k < d->t->n_cols; k++) {
        const struct tr_table_column *is = &d->t->cols[k].is;
        if (is->type != TR_CELL_STRING || is_part(d, k))
            continue;
        if (strcmp(is->name, "name") == 0)
            d->text_column = k;
        if (d->text_column == SIZE_MAX && (is->role == TR_ROLE_KEY || is->names))
            d->text_column = k;
    }
}

static enum tr_status find_columns(struct tr__chart_data *d, struct tr_error *err)
{
    const struct tr_table *t = d->t;
    const struct tr_chart *c = &d->chart;
    d->x = axis_of(t, find(t, c->x));
    d->series_column = find(t, c->series);
    d->facet_column = find(t, c->facet);
    for (unsigned k = 0; k < TR_CHART_Y && c->y[k]; k++) {
        size_t column = find(t, c->y[k]);
        bool text_axis = c->kind == TR_CHART_HEAT && k == 0;
        if (column != SIZE_MAX && (text_axis || tr_cell_is_number(t->cols[column].is.type)))
            d->y_columns[d->n_y++] = column;
    }
    bool needs_two = c->kind == TR_CHART_HEAT || c->kind == TR_CHART_FLAME;
    if (d->x.column == SIZE_MAX || d->n_y < 1u + needs_two)
        return tr_fail(err, TR_USAGE, "no picture: the table has no column %s",
                       d->x.column == SIZE_MAX ? c->x : c->y[0]);
    choose_y(d);
    d->y = axis_of(t, d->y_columns[0]);
    d->z = axis_of(t, needs_two ? d->y_columns[1] : SIZE_MAX);
    d->text_column = d->series_column;
    if (c->kind == TR_CHART_FLAME)
        d->series_column = find(t, "activity");
    else
        find_text(d);
    d->share = SIZE_MAX;
    for (size_t k = 0; k < t->n_cols && d->n_y == 1; k++)
        if (t->cols[k].is.role == TR_ROLE_SHARE && t->cols[k].is.of && find(t, t->cols[k].is.of) == d->y.column &&
            d->share == SIZE_MAX)
            d->share = k;
    return TR_OK;
}

bool tr__chart_title(const struct tr__chart_data *d, size_t column, struct tr_buf *out)
{
    const char *name = d->t->cols[column].is.name;
    return tr__text_words(out, name, strlen(name));
}

/* ---- cells as text ---- */

/* Commas between thousands of the printed number in text. */
static bool add_thousands(struct tr_buf *out, const char *s, size_t len)
{
    size_t at = len && s[0] == '-', digits = 0;
    bool ok = !at || tr_buf_add_str(out, "\xe2\x88\x92");
    while (at + digits < len && s[at + digits] >= '0' && s[at + digits] <= '9')
        digits++;
    bool whole = at + digits == len || s[at + digits] == '.';
    for (; ok && whole && digits; at++, digits--)
        ok = tr_buf_add(out, s + at, 1) && (digits % 3 != 1 || digits == 1 || tr_buf_add_str(out, ","));
    return ok && tr_buf_add(out, s + at, len - at);
}

/* Append the unit of a column.  False: out of memory. */
static bool add_unit(const struct tr__chart_data *d, size_t column, struct tr_buf *out)
{
    static const char *const units[] = { "ns", "\xc2\xb5s", "ms", "s" };
    const struct tr_table_column *is = &d->t->cols[column].is;
    const char *name = is->type == TR_CELL_TIME ? units[d->t->unit] : is->unit;
    return !name || (tr_buf_add_str(out, " ") && tr_buf_add_str(out, name));
}

/* Append a present cell of numbers. */
static bool add_number(const struct tr__chart_data *d, size_t column, const struct tr__cell *cell, struct tr_buf *out)
{
    struct tr_buf number = { 0 };
    bool ok = tr__cell_number(d->t, &d->t->cols[column], cell, &number) &&
              add_thousands(out, tr_buf_text(&number), number.len);
    tr_buf_free(&number);
    return ok;
}

bool tr__chart_cell(const struct tr__chart_data *d, size_t row, size_t column, bool unit, struct tr_buf *out)
{
    const struct tr__cell *cell = tr__cell_of(d->t, row, column);
    if (cell->absent)
        return tr_buf_add_str(out, "(none)");
    if (d->t->cols[column].is.type == TR_CELL_STRING)
        return tr__text_plain(out, tr__cell_string(d->t, cell), cell->v.s.len);
    return add_number(d, column, cell, out) && (!unit || add_unit(d, column, out));
}

bool tr__chart_value(const struct tr__chart_data *d, size_t column, double v, struct tr_buf *out)
{
    struct tr__cell cell = { .absent = false };
    enum tr_cell type = d->t->cols[column].is.type;
    if (!(fabs(v) < 9e18))
        return tr_buf_add_str(out, "(none)");
    if (type == TR_CELL_COUNT)
        cell.v.u = (uint64_t)llround(fabs(v));
    else if (type == TR_CELL_TIME || type == TR_CELL_INT)
        cell.v.i = llround(v);
    else
        cell.v.d = v;
    return add_number(d, column, &cell, out) && add_unit(d, column, out);
}

/* The name of a category, series or facet: a number with its column, as "rank 3"; a text as it is. */
static bool key_text(const struct tr__chart_data *d, size_t row, size_t column, bool alone, struct tr_buf *out)
{
    const struct tr_table_column *is = &d->t->cols[column].is;
    const struct tr__cell *cell = tr__cell_of(d->t, row, column);
    if (cell->absent)
        return tr_buf_add_str(out, "(none)");
    if (tr_cell_is_number(is->type) && !alone)
        return tr__chart_title(d, column, out) && tr_buf_add_str(out, " ") && tr__chart_cell(d, row, column, true, out);
    struct tr_str s = is->type == TR_CELL_STRING ? tr_table_get(d->t, row, column) : tr_str_of("");
    if (is->type == TR_CELL_STRING && s.len == 0)
        return tr_buf_add_str(out, "(none)");
    bool digits = true;
    for (size_t i = 0; i < s.len; i++)
        digits &= s.s[i] >= '0' && s.s[i] <= '9';
    if (is->type == TR_CELL_STRING && digits && !alone)
        return tr__chart_title(d, column, out) && tr_buf_add_str(out, " ") && tr_buf_add(out, s.s, s.len);
    if (is->word)
        return tr__text_words(out, s.s, s.len);
    return tr__chart_cell(d, row, column, true, out);
}

/* ---- further keys ---- */

/* The columns that distinguish rows, beside those of the chart. */
struct extra {
    size_t columns[8];
    unsigned n;
};

/* What distinguishes points so far, as text. */
static bool add_identity(const struct tr__chart_data *d, const struct extra *e, size_t row, struct tr_buf *out)
{
    const struct tr_chart *c = &d->chart;
    bool category = c->kind == TR_CHART_BAR || c->kind == TR_CHART_STACKED || c->kind == TR_CHART_HEAT ||
                    c->kind == TR_CHART_HISTOGRAM;
    size_t columns[4] = { d->facet_column,
                          c->kind == TR_CHART_FLAME || c->kind == TR_CHART_BAND ? SIZE_MAX : d->series_column,
                          category ? d->x.column : SIZE_MAX, c->kind == TR_CHART_HEAT ? d->y.column : SIZE_MAX };
    bool ok = true;
    for (unsigned i = 0; ok && i < 4 + e->n; i++) {
        size_t column = i < 4 ? columns[i] : e->columns[i - 4];
        if (column != SIZE_MAX)
            ok = tr__chart_cell(d, row, column, false, out) && tr_buf_add(out, "", 1);
    }
    return ok;
}

/* Does this column have several values among points that are equal otherwise?  *differ. */
static bool varies(const struct tr__chart_data *d, const struct extra *e, size_t column, bool *differ)
{
    struct tr_strtab *seen = tr_strtab_new(), *values = tr_strtab_new();
    uint32_t *of = NULL;
    size_t cap = 0;
    struct tr_buf text = { 0 };
    bool ok = seen && values;
    *differ = false;
    for (size_t r = 0; ok && !*differ && r < d->n_rows; r++) {
        size_t row = d->t->order ? d->t->order[r] : r;
        text.len = 0;
        ok = add_identity(d, e, row, &text);
        uint32_t n = tr_strtab_count(seen), id = ok ? tr_strtab_add(seen, text.data, text.len) : TR_NO_STR;
        text.len = 0;
        ok = ok && id != TR_NO_STR && tr__chart_cell(d, row, column, false, &text);
        uint32_t value = ok ? tr_strtab_add(values, text.data, text.len) : TR_NO_STR;
        ok = ok && value != TR_NO_STR && tr_grow(&of, &cap, (size_t)id + 1, sizeof *of);
        if (ok && id == n)
            of[id] = value;
        *differ = ok && of[id] != value;
    }
    tr_buf_free(&text);
    tr_strtab_free(seen);
    tr_strtab_free(values);
    free(of);
    return ok;
}

/* Find the keys that the names of categories, series or facets have to contain.  False: out of memory. */
static bool find_extra(const struct tr__chart_data *d, struct extra *e)
{
    const struct tr_table *t = d->t;
    enum tr_chart_kind kind = d->chart.kind;
    /* what a stack does not name is added up in its segments */
    bool keys = kind == TR_CHART_BAR || (kind == TR_CHART_STACKED && d->series_column == SIZE_MAX) ||
                kind == TR_CHART_LINE || kind == TR_CHART_STEP || kind == TR_CHART_HISTOGRAM;
    bool ok = true;
    e->n = 0;
    if (kind == TR_CHART_SCATTER || kind == TR_CHART_ROOFLINE)
        return true;
    for (size_t c = 0; ok && c < t->n_cols && e->n < sizeof e->columns / sizeof *e->columns; c++) {
        enum tr_column_role role = t->cols[c].is.role;
        bool key = role == TR_ROLE_GROUP || role == TR_ROLE_RANK || (keys && role == TR_ROLE_KEY);
        bool differ = false;
        if (key && !is_part(d, c))
            ok = varies(d, e, c, &differ);
        if (differ)
            e->columns[e->n++] = c;
    }
    return ok;
}

static bool add_extra(const struct tr__chart_data *d, const struct extra *e, size_t row, struct tr_buf *out)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < e->n; i++) {
        if (tr__cell_of(d->t, row, e->columns[i])->absent)
            continue;
        ok = (!out->len || tr_buf_add_str(out, " \xc2\xb7 ")) && key_text(d, row, e->columns[i], false, out);
    }
    return ok;
}

/* ---- points ---- */

static bool moments(const struct tr__chart_data *d)
{
    const char *name = d->t->cols[d->x.column].is.name;
    return d->x.q.measure == TR__TIME && d->t->cols[d->x.column].is.role != TR_ROLE_SUM &&
           (strcmp(name, "ts") == 0 || strcmp(name, "start") == 0 || strcmp(name, "end") == 0 ||
            strcmp(name, "bin") == 0);
}

/* The number of a name of a column and of further keys. */
static uint32_t name_of(struct tr__chart_data *d, struct tr_strtab *names, size_t column, bool alone, size_t row,
                        const struct extra *e, struct tr_buf *text)
{
    text->len = 0;
    bool ok = (column == SIZE_MAX || key_text(d, row, column, alone && !(e && e->n), text)) &&
              (!e || add_extra(d, e, row, text));
    return ok ? tr_strtab_add(names, text->data ? text->data : (const unsigned char *)"", text->len) : TR_NO_STR;
}

/* Is it the name of rows that sum up others? */
static bool sums_up(const struct tr_chart *c, struct tr_str name)
{
    for (const char *at = c->sums; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (name.s && strncmp(at, name.s, name.len) == 0 && (at[name.len] == ',' || !at[name.len]))
            return true;
    return false;
}

static double number_of(const struct tr__chart_data *d, size_t row, const char *name)
{
    size_t column = find(d->t, name);
    return column == SIZE_MAX || !tr_cell_is_number(d->t->cols[column].is.type) ? (double)NAN
                                                                                : tr_table_number(d->t, row, column);
}

static bool add_point(struct tr__chart_data *d, const struct tr__point *p)
{
    if (!tr_spilling_grow(&d->points_in, &d->points, &d->cap_points, d->n_points + 1, sizeof *d->points))
        return false;
    tr_spilling_touched(&d->points_in);
    d->points[d->n_points++] = *p;
    return true;
}

/* The number of a series: its name, and with several y theirs. */
static uint32_t series_of(struct tr__chart_data *d, size_t row, unsigned k, const struct extra *e, struct tr_buf *text)
{
    if (d->n_y == 1 || d->chart.kind == TR_CHART_HEAT || d->chart.kind == TR_CHART_FLAME ||
        d->chart.kind == TR_CHART_BAND)
        return name_of(d, d->series, d->series_column, false, row, e, text);
    text->len = 0;
    const char *name = d->t->cols[d->y_columns[k]].is.name;
    bool ok = d->series_column == SIZE_MAX ||
              (key_text(d, row, d->series_column, false, text) && tr_buf_add_str(text, " \xc2\xb7 "));
    ok = ok && tr_buf_add_str(text, name) && (!e || add_extra(d, e, row, text));
    return ok ? tr_strtab_add(d->series, text->data, text->len) : TR_NO_STR;
}

/* In steps, a value without a time holds from the start. */
static double x_of(const struct tr__chart_data *d, size_t row)
{
    const struct tr__cell *cell = tr__cell_of(d->t, row, d->x.column);
    if (d->x.moments && cell->absent && d->chart.kind == TR_CHART_STEP)
        return 0;
    return d->x.moments && !cell->absent ? (double)((uint64_t)cell->v.i - (uint64_t)d->x.start)
                                         : tr_table_number(d->t, row, d->x.column);
}

/* The points of a row.  False: out of memory. */
static bool read_row(struct tr__chart_data *d, size_t row, const struct extra *e, struct tr_buf *text)
{
    const struct tr_chart *c = &d->chart;
    bool lines = c->kind == TR_CHART_LINE || c->kind == TR_CHART_STEP || c->kind == TR_CHART_HISTOGRAM;
    bool category = c->kind == TR_CHART_BAR || c->kind == TR_CHART_STACKED || c->kind == TR_CHART_HEAT;
    bool by_facet = !lines && !category;
    struct tr__point p = { .row = row, .low = number_of(d, row, c->low), .high = number_of(d, row, c->high) };
    size_t kind = d->series_column != SIZE_MAX ? d->series_column : d->x.column;
    if (d->t->cols[kind].is.type == TR_CELL_STRING && sums_up(c, tr_table_get(d->t, row, kind)))
        return true;
    p.facet = name_of(d, d->facets, d->facet_column, false, row, by_facet ? e : NULL, text);
    p.x = d->x.text ? 0 : x_of(d, row);
    if (category || d->x.text) {
        p.cat = name_of(d, d->cats, d->x.column, true, row, category && c->kind != TR_CHART_HEAT ? e : NULL, text);
        if (p.cat == TR_NO_STR ||
            !tr_grow(&d->cat_values, &d->cap_cat_values, (size_t)p.cat + 1, sizeof *d->cat_values))
            return false;
        d->cat_values[p.cat] = p.x;
    }
    bool ok = p.facet != TR_NO_STR;
    if (c->kind == TR_CHART_HEAT) {
        p.series = name_of(d, d->series, d->y.column, true, row, NULL, text);
        p.y = tr_table_number(d->t, row, d->z.column);
        p.low = d->y.text ? (double)NAN : tr_table_number(d->t, row, d->y.column);
        return ok && p.series != TR_NO_STR && add_point(d, &p);
    }
    if (c->kind == TR_CHART_FLAME)
        p.low = tr_table_number(d->t, row, d->z.column);
    unsigned n_y = c->kind == TR_CHART_FLAME || c->kind == TR_CHART_BAND ? 1 : d->n_y;
    for (unsigned k = 0; ok && k < n_y; k++) {
        p.column = k;
        p.y = tr_table_number(d->t, row, d->y_columns[k]);
        p.series = series_of(d, row, k, lines ? e : NULL, text);
        ok = p.series != TR_NO_STR && add_point(d, &p);
        p.low = p.high = (double)NAN; /* they are of the first y */
    }
    return ok;
}

/* ---- order of categories ---- */

/* Indices of a list of numbers by their values, absent ones last; stable.  Merge sort, because qsort has no context. */
static void sort_by_value(uint32_t *list, uint32_t *scratch, size_t n, const double *values)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t lo = 0; lo < n; lo += 2 * width) {
            size_t mid = lo + width < n ? lo + width : n, hi = mid + width < n ? mid + width : n, a = lo, b = mid;
            for (size_t k = lo; k < hi; k++) {
                bool left = b == hi || (a < mid && !(values[list[b]] < values[list[a]] ||
                                                     (isnan(values[list[a]]) && !isnan(values[list[b]]))));
                scratch[k] = left ? list[a++] : list[b++];
            }
        }
        memcpy(list, scratch, n * sizeof *list);
    }
}

/* Categories that are numbers stand in their order, unless the user chose one. */
static bool order_categories(struct tr__chart_data *d)
{
    uint32_t n = tr_strtab_count(d->cats);
    d->cat_order = calloc((size_t)n + 1, sizeof *d->cat_order);
    uint32_t *scratch = calloc((size_t)n + 1, sizeof *scratch);
    bool ok = d->cat_order && scratch;
    for (uint32_t i = 0; ok && i < n; i++)
        d->cat_order[i] = i;
    if (ok && !d->x.text && n && !d->t->arrange.sort)
        sort_by_value(d->cat_order, scratch, n, d->cat_values);
    free(scratch);
    return ok;
}

/* Times of events count from the first: a double has too few digits for those of a calendar. */
static void find_start(struct tr__chart_data *d)
{
    int64_t first = INT64_MAX;
    for (size_t r = 0; r < d->n_rows; r++) {
        const struct tr__cell *cell = tr__cell_of(d->t, d->t->order ? d->t->order[r] : r, d->x.column);
        if (!cell->absent && cell->v.i < first)
            first = cell->v.i;
    }
    d->x.moments = first != INT64_MAX;
    d->x.start = first;
}

enum tr_status tr__chart_read(struct tr__chart_data *d, struct tr_table *t, const struct tr_chart *chart,
                              struct tr_error *err)
{
    struct extra e = { .n = 0 };
    struct tr_buf text = { 0 };
    *d = (struct tr__chart_data){ .t = t, .chart = *chart, .points_in.spill = t->cells_in.spill };
    enum tr_status st = find_columns(d, err);
    if (st != TR_OK)
        return st;
    d->n_rows = tr__rows(t) - t->n_totals;
    if (moments(d))
        find_start(d);
    d->cats = tr_strtab_new();
    d->series = tr_strtab_new();
    d->facets = tr_strtab_new();
    bool ok = d->cats && d->series && d->facets && find_extra(d, &e);
    for (size_t r = 0; ok && r < d->n_rows; r++)
        ok = read_row(d, t->order ? t->order[r] : r, &e, &text);
    ok = ok && order_categories(d);
    tr_buf_free(&text);
    return ok ? TR_OK : tr_fail_memory(err);
}

void tr__chart_data_free(struct tr__chart_data *d)
{
    tr_spilling_free(&d->points_in, d->points);
    tr_strtab_free(d->cats);
    tr_strtab_free(d->series);
    tr_strtab_free(d->facets);
    free(d->cat_values);
    free(d->cat_order);
}
