/* SPDX-License-Identifier: MIT */
/* The join of two finished tables, with differences by the roles of columns. */
#include "table/tr_table_join.h"

#include "table/tr_table_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { ALIKE, OF_BASE, OF_TEST, DIFF, CHANGE, PERCENT, NOISE, SIGMA };

/* A column of the joined table. */
struct joined {
    enum kind kind;
    size_t col; /* of base and test; ALIKE to DIFF: its column; CHANGE: the count; others: the main column */
    struct tr_table_column is;
};

struct join {
    const struct tr_table *side;
    struct tr_arena *texts;
    size_t main, variance, count; /* columns of base and test; SIZE_MAX: there is none */
    struct joined *all, *chosen;
    size_t n_all, n_chosen;
};

/* ---- columns ---- */

/* "base_sum", for the main column "base". */
static const char *figure(struct join *j, const char *side, const char *name, bool *ok)
{
    bool main = j->main != SIZE_MAX && strcmp(name, j->side->cols[j->main].is.name) == 0;
    size_t size = strlen(side) + strlen(name) + 2;
    char *text = tr_arena_alloc(j->texts, size);
    if (text)
        snprintf(text, size, "%s%s%s", side, main ? "" : "_", main ? "" : name);
    *ok = *ok && text;
    return text;
}

static const char *explained(struct join *j, const char *prefix, const char *meaning, bool *ok)
{
    size_t size = strlen(prefix) + (meaning ? strlen(meaning) : 0) + 1;
    char *text = tr_arena_alloc(j->texts, size);
    if (text)
        snprintf(text, size, "%s%s", prefix, meaning ? meaning : "");
    *ok = *ok && text;
    return text;
}

/* Add a figure of base or test.  The columns that its role refers to are those of the same table. */
static void add_side(struct join *j, enum kind kind, size_t col, bool *ok)
{
    const struct tr_table_column *from = &j->side->cols[col].is;
    const char *side = kind == OF_BASE ? "base" : "test";
    struct joined *x = &j->all[j->n_all++];
    *x = (struct joined){ kind, col, *from };
    x->is.name = figure(j, side, from->name, ok);
    x->is.of = from->of ? figure(j, side, from->of, ok) : NULL;
    x->is.per = from->per ? figure(j, side, from->per, ok) : NULL;
    x->is.with_next = kind == OF_BASE;
    x->is.meaning = explained(j, kind == OF_BASE ? "of the base: " : "of the test: ", from->meaning, ok);
}

static void add_diff(struct join *j, size_t col, bool *ok)
{
    const struct tr_table_column *from = &j->side->cols[col].is;
    struct joined *x = &j->all[j->n_all++];
    *x = (struct joined){ DIFF, col, *from };
    x->is.type = from->type == TR_CELL_COUNT ? TR_CELL_INT : from->type;
    x->is.role = TR_ROLE_DIFFERENCE;
    x->is.name = figure(j, "diff", from->name, ok);
    x->is.of = figure(j, "test", from->name, ok);
    x->is.per = figure(j, "base", from->name, ok);
    x->is.meaning = explained(j, "test less base: ", from->meaning, ok);
}

static void add_change(struct join *j, bool *ok)
{
    const char *count = j->side->cols[j->count].is.name;
    j->all[j->n_all++] = (struct joined){
        CHANGE, j->count,
        { "change", TR_CELL_STRING, TR_ROLE_CHANGE, .of = figure(j, "test", count, ok),
          .per = figure(j, "base", count, ok), .meaning = "by count: added, removed, more, fewer, same" }
    };
}

static void add_size(struct join *j)
{
    static const struct tr_table_column columns[] = {
        { "diff_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "diff", .per = "base",
          .meaning = "diff in percent of base" },
        { "noise", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "standard error of diff" },
        { "sigma", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .meaning = "diff divided by noise" },
    };
    const struct tr_table_column *main = &j->side->cols[j->main].is;
    for (unsigned i = 0; i < (j->variance == SIZE_MAX ? 1 : 3); i++)
        j->all[j->n_all++] = (struct joined){ (enum kind)(PERCENT + (int)i), j->main, columns[i] };
    if (j->variance != SIZE_MAX && main->type != TR_CELL_TIME) {
        j->all[j->n_all - 2].is.type = TR_CELL_DOUBLE;
        j->all[j->n_all - 2].is.unit = main->unit;
    }
}

/* The columns that the join is made from. */
static enum tr_status find_sides(struct join *j, const struct tr_table_join *how, struct tr_error *err)
{
    j->main = how->main ? tr__find_column(j->side, how->main, strlen(how->main)) : SIZE_MAX;
    j->variance = j->count = SIZE_MAX;
    if (how->main && j->main == SIZE_MAX)
        return tr_fail(err, TR_USAGE, "there is no column '%.80s' to compare", how->main);
    for (size_t c = 0; c < j->side->n_cols; c++) {
        const struct tr_table_column *is = &j->side->cols[c].is;
        if (is->role == TR_ROLE_COUNT && is->type == TR_CELL_COUNT && j->count == SIZE_MAX)
            j->count = c;
        if (is->role == TR_ROLE_VARIANCE && is->of && j->main != SIZE_MAX &&
            strcmp(is->of, j->side->cols[j->main].is.name) == 0)
            j->variance = c;
    }
    return TR_OK;
}

static bool list_all(struct join *j)
{
    bool ok = true;
    for (size_t c = 0; c < j->side->n_cols; c++) {
        const struct tr_table_column *is = &j->side->cols[c].is;
        bool alike = is->role == TR_ROLE_GROUP || is->role == TR_ROLE_KEY || is->role == TR_ROLE_TIME ||
                     is->role == TR_ROLE_RANK;
        if (is->type == TR_CELL_STRING || alike) {
            j->all[j->n_all++] = (struct joined){ ALIKE, c, *is };
        } else if (is->role != TR_ROLE_VARIANCE) {
            add_side(j, OF_BASE, c, &ok);
            add_side(j, OF_TEST, c, &ok);
            add_diff(j, c, &ok);
        }
    }
    if (j->count != SIZE_MAX)
        add_change(j, &ok);
    if (j->main != SIZE_MAX)
        add_size(j);
    return ok;
}

static enum tr_status choose(struct join *j, const char *list, struct tr_error *err)
{
    if (!list)
        memcpy(j->chosen, j->all, (j->n_chosen = j->n_all) * sizeof *j->all);
    while (list && *list) {
        size_t len = strcspn(list, ","), i = 0;
        while (i < j->n_all && (strlen(j->all[i].is.name) != len || memcmp(j->all[i].is.name, list, len) != 0))
            i++;
        if (i == j->n_all || j->n_chosen == j->n_all)
            return tr_fail(err, TR_USAGE, "a comparison has no column '%.*s'", (int)(len < 80 ? len : 80), list);
        j->chosen[j->n_chosen++] = j->all[i];
        list += len;
        list += *list == ',';
    }
    return TR_OK;
}

static void join_free(struct join *j)
{
    tr_arena_free(j->texts);
    free(j->all);
    free(j->chosen);
}

static enum tr_status join_new(struct join *j, const struct tr_table *side, const struct tr_table_join *how,
                               struct tr_error *err)
{
    size_t max = 3 * side->n_cols + 4;
    *j = (struct join){ .side = side, .texts = tr_arena_new(4096) };
    j->all = calloc(max, sizeof *j->all);
    j->chosen = calloc(max, sizeof *j->chosen);
    enum tr_status st = j->texts && j->all && j->chosen ? find_sides(j, how, err) : tr_fail_memory(err);
    if (st == TR_OK && !list_all(j))
        st = tr_fail_memory(err);
    return st == TR_OK ? choose(j, how->columns, err) : st;
}

/* Is a name in a list with commas between? */
static bool is_listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (; list && *list; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",") == n && memcmp(list, name, n) == 0)
            return true;
    return false;
}

void tr_table_join_columns(const struct tr_table_column *columns, size_t n, const struct tr_table_join *how,
                           struct tr_table *out)
{
    struct tr_table *side = tr_table_new(out->unit);
    struct join j = { .side = side };
    struct tr_error err = TR_ERROR_INIT;
    if (side)
        tr_table_columns(side, columns, n);
    enum tr_status st = side ? tr_table_status(side, &err) : tr_fail_memory(&err);
    if (st == TR_OK)
        st = join_new(&j, side, how, &err);
    for (size_t i = 0; st == TR_OK && i < j.n_chosen; i++) {
        struct tr_table_column *is = &j.chosen[i].is;
        is->extra = is->extra || is_listed(how->extra, is->name);
        tr_table_columns(out, is, 1);
    }
    if (st != TR_OK && out->err.status == TR_OK)
        out->err = err;
    join_free(&j);
    tr_table_free(side);
}

/* ---- rows ---- */

/* A row of each table; SIZE_MAX: that one does not have it. */
struct pair {
    const struct tr_table *t[2];
    size_t row[2];
};

/* The figure of base or test; 0 or absent if this table does not have the row. */
static struct tr__cell side_cell(const struct pair *p, int side, size_t col)
{
    const struct tr_table_column *is = &p->t[side]->cols[col].is;
    bool adds = is->role == TR_ROLE_SUM || is->role == TR_ROLE_COUNT || is->role == TR_ROLE_SHARE;
    struct tr__cell x;
    memset(&x, 0, sizeof x);
    if (p->row[side] != SIZE_MAX) {
        x = *tr__cell_of(p->t[side], p->row[side], col);
        x.lost = x.lost || (x.absent && adds);
    } else {
        x.absent = !adds && is->role != TR_ROLE_INCLUSIVE && is->role != TR_ROLE_VARIANCE;
        if (x.absent && (is->type == TR_CELL_RATIO || is->type == TR_CELL_DOUBLE))
            x.v.d = NAN;
    }
    return x;
}

/* The number in a column of a side. */
static double side_number(const struct pair *p, int side, size_t col)
{
    struct tr__cell x = side_cell(p, side, col);
    return tr__number(p->t[side]->cols[col].is.type, &x);
}

/* Add a cell of this type; its text is in table from. */
static void put(struct tr_table *out, enum tr_cell type, const struct tr_table *from, const struct tr__cell *x)
{
    if (x->absent) {
        tr_table_absent(out);
    } else if (type == TR_CELL_STRING) {
        tr_table_bytes(out, x->v.s.len ? (const char *)tr__cell_string(from, x) : "", x->v.s.len);
    } else if (type == TR_CELL_TIME && x->real) {
        tr_table_time_f(out, x->v.t.exact);
    } else if (type == TR_CELL_TIME) {
        tr_table_time(out, x->v.i);
    } else if (type == TR_CELL_COUNT) {
        tr_table_count(out, x->v.u);
    } else if (type == TR_CELL_INT) {
        tr_table_int(out, x->v.i);
    } else {
        tr_table_ratio(out, x->v.d);
    }
    if (out->err.status == TR_OK) {
        out->cells[out->n_cells - 1].lost = x->lost;
        if (x->absent && (type == TR_CELL_RATIO || type == TR_CELL_DOUBLE))
            out->cells[out->n_cells - 1].v.d = x->v.d;
    }
}

static void put_number(struct tr_table *out, enum tr_cell type, double value)
{
    if (type == TR_CELL_TIME)
        tr_table_time_f(out, value);
    else
        tr_table_ratio(out, value);
}

/* The figures of the main column: its difference, and the standard error of this difference (Welch). */
struct main_figures {
    double base, diff, noise;
};

static struct main_figures main_figures_of(const struct join *j, const struct pair *p)
{
    struct main_figures m = { NAN, NAN, NAN };
    if (j->main == SIZE_MAX)
        return m;
    struct tr__cell base = side_cell(p, 0, j->main), test = side_cell(p, 1, j->main);
    enum tr_cell type = j->side->cols[j->main].is.type;
    struct tr__cell diff = tr__minus(type, &test, &base);
    m.base = tr__number(type, &base);
    m.diff = tr__number(type == TR_CELL_COUNT ? TR_CELL_INT : type, &diff);
    if (j->variance != SIZE_MAX)
        m.noise = sqrt(side_number(p, 0, j->variance) + side_number(p, 1, j->variance));
    return m;
}

/* A difference in units of noise; infinite if there is no noise. */
static double in_noise(double diff, double noise)
{
    if (noise == 0)
        return diff == 0 ? 0 : diff > 0 ? INFINITY : -INFINITY;
    return diff / noise;
}

static void put_joined(struct tr_table *out, const struct joined *x, const struct pair *p,
                       const struct main_figures *m)
{
    struct tr__cell base, test;
    int side = x->kind == OF_BASE || (x->kind == ALIKE && p->row[1] == SIZE_MAX) ? 0 : 1;
    switch (x->kind) {
    case ALIKE:
    case OF_BASE:
    case OF_TEST:
        test = side_cell(p, side, x->col);
        put(out, x->is.type, p->t[side], &test);
        return;
    case DIFF:
        base = side_cell(p, 0, x->col);
        test = side_cell(p, 1, x->col);
        test = tr__minus(p->t[0]->cols[x->col].is.type, &test, &base);
        put(out, x->is.type, p->t[0], &test);
        return;
    case CHANGE:
        base = side_cell(p, 0, x->col);
        test = side_cell(p, 1, x->col);
        tr_table_string(out, tr__change(base.v.u, test.v.u));
        return;
    case PERCENT:
        put_number(out, x->is.type, tr__percent(m->diff, m->base));
        return;
    case NOISE:
        put_number(out, x->is.type, m->noise);
        return;
    case SIGMA:
        put_number(out, x->is.type, in_noise(m->diff, m->noise));
        return;
    }
}

/* Rows of a table by group and key.  NULL: out of memory. */
static size_t *sorted_rows(const struct tr_table *t)
{
    size_t n = tr_table_rows(t);
    size_t *rows = calloc(2 * n + 1, sizeof *rows);
    for (size_t i = 0; rows && i < n; i++)
        rows[i] = i;
    if (rows)
        tr__sort_by_key(t, rows, rows + n, n);
    return rows;
}

static void walk(const struct join *j, const struct tr_table *base, const size_t *b,
                 const struct tr_table *test, const size_t *t, struct tr_table *out)
{
    size_t n = tr_table_rows(base), m = tr_table_rows(test), i = 0, k = 0;
    while ((i < n || k < m) && out->err.status == TR_OK) {
        int order = i == n ? 1 : k == m ? -1 : tr__compare_keys(base, b[i], test, t[k], 0, base->n_keys);
        struct pair p = { { base, test }, { order > 0 ? SIZE_MAX : b[i], order < 0 ? SIZE_MAX : t[k] } };
        struct main_figures figures = main_figures_of(j, &p);
        for (size_t c = 0; c < j->n_chosen; c++)
            put_joined(out, &j->chosen[c], &p, &figures);
        i += order <= 0;
        k += order >= 0;
    }
}

static bool alike(const struct tr_table *a, const struct tr_table *b)
{
    bool same = a->n_cols == b->n_cols;
    for (size_t c = 0; same && c < a->n_cols; c++) {
        const struct tr_table_column *x = &a->cols[c].is, *y = &b->cols[c].is;
        same = x->type == y->type && x->role == y->role && strcmp(x->name, y->name) == 0;
    }
    return same;
}

enum tr_status tr_table_join(const struct tr_table *base, const struct tr_table *test,
                             const struct tr_table_join *how, struct tr_table *out, struct tr_error *err)
{
    struct join j;
    enum tr_status st = tr_table_status(base, err);
    if (st == TR_OK)
        st = tr_table_status(test, err);
    if (st != TR_OK)
        return st;
    if (!alike(base, test))
        return tr_fail(err, TR_USAGE, "the tables to compare have different columns");
    st = join_new(&j, base, how, err);
    size_t *b = sorted_rows(base), *t = sorted_rows(test);
    if (st == TR_OK && (!b || !t))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        walk(&j, base, b, test, t, out);
    free(b);
    free(t);
    join_free(&j);
    return st == TR_OK ? tr_table_status(out, err) : st;
}
