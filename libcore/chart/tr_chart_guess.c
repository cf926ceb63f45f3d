/* SPDX-License-Identifier: MIT */
/*
 * The chart that columns suggest.
 *
 *   limits and counts of bins        a histogram
 *   a moment and a duration          spans
 *   a moment and a figure            a line
 *   texts                            bars, the largest; with a second text as colours
 *   numbers that say which, figures  columns; with a text as colours, stacked if they add up
 *   only figures                     lines over the first if it rises, otherwise points
 */
#include "chart/tr_chart_guess.h"

#include "base/tr_strtab.h"
#include "table/tr_table_int.h"

#include <string.h>

#define FEW 12u /* values of a column that are colours */

static bool is_named(const struct tr_table *t, size_t c, const char *name)
{
    return strcmp(t->cols[c].is.name, name) == 0;
}

static bool is_text(const struct tr_table *t, size_t c)
{
    return t->cols[c].is.type == TR_CELL_STRING;
}

/* Does a column say which, not how much? */
static bool is_key(const struct tr_table *t, size_t c)
{
    enum tr_column_role role = t->cols[c].is.role;
    return role == TR_ROLE_KEY || role == TR_ROLE_GROUP || role == TR_ROLE_RANK;
}

static bool is_moment(const struct tr_table *t, size_t c)
{
    return t->cols[c].is.type == TR_CELL_TIME && (is_named(t, c, "ts") || is_named(t, c, "start"));
}

/* The number of different values of a column, at most a limit. */
static size_t distinct(const struct tr_table *t, size_t c, size_t limit)
{
    struct tr_strtab *seen = tr_strtab_new();
    size_t n = 0, n_rows = tr__rows(t) - t->n_totals;
    struct tr_buf text = { 0 };
    for (size_t r = 0; seen && r < n_rows && n < limit; r++) {
        const struct tr__cell *cell = tr__cell_of(t, t->order ? t->order[r] : r, c);
        text.len = 0;
        bool ok = cell->absent || (is_text(t, c) ? tr_buf_add(&text, tr__cell_string(t, cell), cell->v.s.len)
                                                 : tr__cell_number(t, &t->cols[c], cell, &text));
        if (!ok || tr_strtab_add(seen, text.data ? text.data : (const unsigned char *)"", text.len) == TR_NO_STR)
            break;
        n = tr_strtab_count(seen);
    }
    tr_strtab_free(seen);
    tr_buf_free(&text);
    return n;
}

static size_t find(const struct tr_table *t, const char *name)
{
    return tr_table_find(t, name);
}

/* The figure that matters: a main one, a sum, else the first. */
static size_t find_figure(const struct tr_table *t, size_t but)
{
    size_t best = SIZE_MAX;
    int rank = 0;
    for (size_t c = 0; c < t->n_cols; c++) {
        const struct tr_table_column *is = &t->cols[c].is;
        if (is_text(t, c) || is_key(t, c) || is_moment(t, c) || c == but || is->rare)
            continue;
        int own = is->main                                                 ? 4
                  : is->role == TR_ROLE_SUM                                ? 3
                  : is->role == TR_ROLE_SHARE || is->role == TR_ROLE_COUNT ? 1
                                                                           : 2;
        if (own > rank) {
            rank = own;
            best = c;
        }
    }
    return best;
}

static const char *name_at(const struct tr_table *t, size_t c)
{
    return c == SIZE_MAX ? NULL : t->cols[c].printed;
}

/* The text with the most values, and another one with few. */
static void find_texts(const struct tr_table *t, size_t *most, size_t *few)
{
    size_t n_most = 0;
    *most = *few = SIZE_MAX;
    for (size_t c = 0; c < t->n_cols; c++) {
        size_t n = is_text(t, c) && is_key(t, c) ? 1 + distinct(t, c, 100000) : 0; /* also without rows */
        if (n > n_most) {
            n_most = n;
            *most = c;
        }
    }
    for (size_t c = 0; c < t->n_cols && *few == SIZE_MAX; c++) {
        size_t n = c != *most && is_text(t, c) && is_key(t, c) ? distinct(t, c, FEW + 1) : 0;
        if (n > 1 && n <= FEW)
            *few = c;
    }
}

/* The number that says which, with the most values; not the rank if there is another. */
static size_t find_number(const struct tr_table *t)
{
    size_t best = SIZE_MAX, n_best = 0;
    for (size_t c = 0; c < t->n_cols; c++) {
        size_t n = !is_text(t, c) && is_key(t, c) && !is_moment(t, c) ? 1 + distinct(t, c, 100000) : 0;
        if (n > n_best) {
            n_best = n;
            best = c;
        }
    }
    return best;
}

static const char *facet_of(const struct tr_table *t, size_t but)
{
    size_t rank = find(t, "rank");
    return rank != SIZE_MAX && rank != but && is_key(t, rank) ? name_at(t, rank) : NULL;
}

static void guess_keyed(const struct tr_table *t, size_t figure, struct tr_chart *c)
{
    size_t text, few, number = find_number(t), low = find(t, "min"), high = find(t, "max");
    find_texts(t, &text, &few);
    bool by_number = number != SIZE_MAX && !is_named(t, number, "rank") && distinct(t, number, 2) > 1;
    size_t x = by_number || text == SIZE_MAX ? number : text;
    size_t series = x == text ? few : text != SIZE_MAX && distinct(t, text, 2) > 1 ? text : SIZE_MAX;
    bool adds = t->cols[figure].is.role == TR_ROLE_SUM || t->cols[figure].is.role == TR_ROLE_COUNT;
    c->kind = series != SIZE_MAX && x != text && adds ? TR_CHART_STACKED : TR_CHART_BAR;
    c->x = name_at(t, x);
    c->y[0] = name_at(t, figure);
    c->series = name_at(t, series);
    c->facet = facet_of(t, x);
    if (is_named(t, figure, "mean") && low != SIZE_MAX && high != SIZE_MAX) {
        c->low = name_at(t, low);
        c->high = name_at(t, high);
    }
}

static bool same_unit(const struct tr_table *t, size_t a, size_t b)
{
    const struct tr_table_column *x = &t->cols[a].is, *y = &t->cols[b].is;
    return (x->type == TR_CELL_TIME) == (y->type == TR_CELL_TIME) &&
           strcmp(x->unit ? x->unit : "", y->unit ? y->unit : "") == 0;
}

/* Does a column never fall, from the first row to the last? */
static bool rises(const struct tr_table *t, size_t c)
{
    size_t n_rows = tr__rows(t) - t->n_totals;
    for (size_t r = 1; r < n_rows; r++) {
        size_t a = t->order ? t->order[r - 1] : r - 1, b = t->order ? t->order[r] : r;
        if (!(tr_table_number(t, a, c) <= tr_table_number(t, b, c)))
            return false;
    }
    return n_rows > 1;
}

/* Only figures: lines over the first if it rises, otherwise points of the first two. */
static enum tr_status suggest_numbers(const struct tr_table *t, struct tr_chart *c, struct tr_error *err)
{
    size_t figures[TR_CHART_Y + 1], n = 0;
    for (size_t k = 0; k < t->n_cols && n <= TR_CHART_Y; k++)
        if (!is_text(t, k) && !t->cols[k].is.rare)
            figures[n++] = k;
    if (n < 2)
        return tr_fail(err, TR_USAGE, "no picture: the table has one column, and a picture needs two");
    c->kind = rises(t, figures[0]) ? TR_CHART_LINE : TR_CHART_SCATTER;
    c->x = name_at(t, figures[0]);
    for (size_t k = 1; k < n && (k == 1 || (c->kind == TR_CHART_LINE && same_unit(t, figures[1], figures[k]))); k++)
        c->y[k - 1] = name_at(t, figures[k]);
    return TR_OK;
}

enum tr_status tr_chart_suggest(const struct tr_table *t, struct tr_chart *c, struct tr_error *err)
{
    size_t from = find(t, "from"), count = find(t, "count"), moment = SIZE_MAX, keys = 0, dur = find(t, "dur");
    size_t text, few, figure = find_figure(t, SIZE_MAX);
    for (size_t k = 0; k < t->n_cols; k++) {
        keys += is_key(t, k);
        if (is_moment(t, k) && moment == SIZE_MAX)
            moment = k;
    }
    *c = (struct tr_chart){ .kind = TR_CHART_BAR };
    if (figure == SIZE_MAX)
        return tr_fail(err, TR_USAGE, "no picture: the table has no column of figures");
    find_texts(t, &text, &few);
    if (from != SIZE_MAX && count != SIZE_MAX && !is_text(t, from) && !is_text(t, count)) {
        size_t key = SIZE_MAX;
        for (size_t k = 0; k < t->n_cols && key == SIZE_MAX; k++)
            if (is_key(t, k) && k != from && distinct(t, k, 2) > 1)
                key = k;
        *c = (struct tr_chart){ TR_CHART_HISTOGRAM, .x = name_at(t, from), .y = { name_at(t, count) },
                                .high = name_at(t, find(t, "to")), .facet = name_at(t, key) };
    } else if (moment != SIZE_MAX && dur != SIZE_MAX && t->cols[dur].is.type == TR_CELL_TIME) {
        *c = (struct tr_chart){ TR_CHART_BAND, .x = name_at(t, moment), .y = { name_at(t, dur) },
                                .facet = facet_of(t, SIZE_MAX), .series = name_at(t, few != SIZE_MAX ? few : text) };
    } else if (moment != SIZE_MAX) {
        *c = (struct tr_chart){ TR_CHART_LINE, .x = name_at(t, moment), .y = { name_at(t, figure) },
                                .facet = facet_of(t, SIZE_MAX), .series = name_at(t, text) };
    } else if (keys) {
        guess_keyed(t, figure, c);
    } else {
        return suggest_numbers(t, c, err);
    }
    return TR_OK;
}

enum tr_status tr_chart_choose(const struct tr_table *t, const struct tr_chart *declared, struct tr_chart *chart,
                               bool *as_declared, struct tr_error *err)
{
    bool y = false;
    if (as_declared)
        *as_declared = false;
    for (size_t i = 0; declared && i < TR_CHART_Y && declared->y[i]; i++)
        y |= find(t, declared->y[i]) != SIZE_MAX;
    if (!y || !declared->x || find(t, declared->x) == SIZE_MAX)
        return tr_chart_suggest(t, chart, err);
    *chart = *declared;
    if (as_declared)
        *as_declared = true;
    return TR_OK;
}
