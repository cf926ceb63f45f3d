/* SPDX-License-Identifier: MIT */
/* tr-diff: conditions on the rows of any table: the points of --by tree, the rows of --by table. */
#include "diff/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of conditions that are no columns: of a row of points, and of all of them. */
enum { ROW_PCT, TOTAL_POINTS, TOTAL_BASE_WORK, TOTAL_TEST_WORK, TOTAL_BASE, TOTAL_TEST, TOTAL_DIFF, TOTAL_PCT, N_MADE };
static const struct tr_cond_var made[N_MADE] = {
    { "diff_pct", TR_COND_PCT },           { "total.points", TR_COND_NUMBER },  { "total.base_work", TR_COND_NUMBER },
    { "total.test_work", TR_COND_NUMBER }, { "total.base_us", TR_COND_TIME },   { "total.test_us", TR_COND_TIME },
    { "total.diff_us", TR_COND_TIME },     { "total.diff_pct", TR_COND_PCT },
};

struct diff_vars {
    struct tr_cond_var *vars;
    double *scale;   /* its numbers times this are ns */
    bool *is_key;
    struct tr_cond_value *values;
    size_t n, n_columns; /* all names, those that are columns; the others are made */
    size_t where, name;  /* columns that say which row it is */
    struct tr_arena *texts;
};

static bool ends_in(struct tr_str name, const char *end)
{
    size_t n = strlen(end);
    return name.len > n && memcmp(name.s + name.len - n, end, n) == 0;
}

/* Times of tables that were printed before are plain numbers, with the unit in the name of their column. */
static double scale_of(struct tr_str name)
{
    return ends_in(name, "_ns") ? 1 : ends_in(name, "_us") ? 1e3 : ends_in(name, "_ms") ? 1e6 : 0;
}

static bool add_column(struct diff_vars *v, const struct tr_table *described, size_t row)
{
    struct tr_str name = tr_table_get(described, row, 0), type = tr_table_get(described, row, 1),
                  unit = tr_table_get(described, row, 2), role = tr_table_get(described, row, 3);
    bool is_time = tr_str_is(type, "time");
    double scale = tr_str_is(unit, "%") || tr_str_is(type, "text") ? 0 : scale_of(name);
    char *text = tr_arena_alloc(v->texts, name.len + 4);
    if (!text)
        return false;
    snprintf(text, name.len + 4, "%.*s", (int)name.len, name.s);
    v->scale[v->n] = scale && !is_time ? scale : 1;
    v->is_key[v->n] = tr_str_is(role, "key");
    if (is_time) /* names in conditions do not follow --unit */
        snprintf(text + name.len - unit.len, unit.len + 4, "us");
    v->vars[v->n++] = (struct tr_cond_var){ text, tr_str_is(type, "text") ? TR_COND_TEXT
                                                  : is_time || scale      ? TR_COND_TIME
                                                  : tr_str_is(unit, "%")  ? TR_COND_PCT
                                                                          : TR_COND_NUMBER };
    return true;
}

/* The first text that is not the one that says who has the row. */
static size_t name_of(const struct diff_vars *v)
{
    for (size_t i = 0; i < v->n_columns; i++)
        if (i != v->where && v->vars[i].type == TR_COND_TEXT)
            return i;
    return v->where;
}

enum tr_status diff_vars_new(struct diff_vars **out, const struct tr_table *t, size_t run, struct tr_error *err)
{
    struct diff_vars *v = *out = calloc(1, sizeof *v);
    struct tr_table *described = tr_table_new(TR_UNIT_US);
    bool ok = v && described && tr_table_status(t, err) == TR_OK;
    if (ok)
        tr_table_describe(t, NULL, described);
    ok = ok && tr_table_status(described, err) == TR_OK;
    size_t n = ok ? tr_table_rows(described) : 0, max = n + N_MADE;
    ok = ok && (v->texts = tr_arena_new(1024)) && (v->vars = calloc(max, sizeof *v->vars)) &&
              (v->scale = calloc(max, sizeof *v->scale)) && (v->is_key = calloc(max, sizeof *v->is_key)) &&
              (v->values = calloc(max, sizeof *v->values));
    for (size_t row = 0; ok && row < n; row++)
        ok = add_column(v, described, row);
    if (ok) {
        v->n_columns = v->n;
        v->where = run == DIFF_POINTS ? 0 : run;
        v->name = run == DIFF_POINTS ? tr_table_find(t, "place") : name_of(v);
        for (size_t i = 0; i < (run == DIFF_POINTS ? N_MADE : 0); i++)
            v->vars[v->n++] = made[i];
    }
    tr_table_free(described);
    return ok ? TR_OK : tr_fail_memory(err);
}

const struct tr_cond_var *diff_vars_list(const struct diff_vars *v, size_t *n)
{
    *n = v->n;
    return v->vars;
}

void diff_vars_row(const struct diff_vars *v, size_t *where, size_t *name)
{
    *where = v->where;
    *name = v->name;
}

void diff_vars_free(struct diff_vars *v)
{
    if (!v)
        return;
    tr_arena_free(v->texts);
    free(v->vars);
    free(v->scale);
    free(v->is_key);
    free(v->values);
    free(v);
}

/* ---- values ---- */

/* Nothing that became nothing did not change; nothing that became something grew beyond any bound. */
static double percent(double base, double diff)
{
    return base > 0 ? 100 * diff / base : diff > 0 ? INFINITY : 0;
}

static void fill_row(struct diff_vars *v, const struct tr_table *t, size_t row)
{
    for (size_t i = 0; i < v->n_columns; i++) {
        if (v->vars[i].type == TR_COND_TEXT)
            v->values[i].text = tr_table_get(t, row, i);
        else
            v->values[i].number = tr_table_number(t, row, i) * v->scale[i];
    }
    if (v->n > v->n_columns)
        v->values[v->n_columns + ROW_PCT].number = percent(tr_table_number(t, row, tr_table_find(t, "base")),
                                                           tr_table_number(t, row, tr_table_find(t, "diff")));
}

static double total(const struct tr_table *t, const char *column, bool equal)
{
    size_t change = tr_table_find(t, "change"), c = tr_table_find(t, column);
    double sum = 0;
    for (size_t row = 0; row < tr_table_rows(t); row++)
        if (equal || !tr_str_is(tr_table_get(t, row, change), "equal"))
            sum += tr_table_number(t, row, c);
    return sum;
}

static void fill_total(struct diff_vars *v, const struct tr_table *t)
{
    struct tr_cond_value *to = v->values + v->n_columns;
    if (v->n == v->n_columns)
        return;
    to[TOTAL_POINTS].number = total(t, "points", false);
    to[TOTAL_BASE_WORK].number = total(t, "base_work", true);
    to[TOTAL_TEST_WORK].number = total(t, "test_work", true);
    to[TOTAL_BASE].number = total(t, "base", true);
    to[TOTAL_TEST].number = total(t, "test", true);
    to[TOTAL_DIFF].number = total(t, "diff", true);
    to[TOTAL_PCT].number = percent(to[TOTAL_BASE].number, to[TOTAL_DIFF].number);
}

/* ---- missing data ---- */

/* Does a table that is compared have the row? */
static bool all_have(const struct diff_vars *v, const struct tr_table *t, size_t row)
{
    struct tr_str run = tr_table_get(t, row, v->where);
    return tr_str_is(run, "both") || tr_str_is(run, "all");
}

/* A text that a condition compares a key with must be in all tables. */
static bool missing_key(struct diff_result *r, size_t leaf, struct diff_vars *v, const struct tr_table *t)
{
    size_t var = tr_cond_leaf_var(r->cond, leaf);
    for (size_t row = 0; row < tr_table_rows(t); row++) {
        fill_row(v, t, row);
        if (all_have(v, t, row) && tr_cond_leaf_eval(r->cond, leaf, v->values))
            return false;
    }
    snprintf(r->why, sizeof r->why, "not all tables have a row with such a %.60s", v->vars[var].name);
    return true;
}

static bool missing_in_tables(struct diff_result *r, struct diff_vars *v, const struct tr_table *t)
{
    bool any = false, presence = tr_cond_uses(r->cond, v->where);
    for (size_t row = 0; row < tr_table_rows(t) && !any; row++)
        any = all_have(v, t, row);
    if (!any && !presence)
        snprintf(r->why, sizeof r->why, "the tables have no row in common");
    for (size_t k = 0; k < tr_cond_leaves(r->cond) && any && !presence; k++)
        if (tr_cond_leaf_like(r->cond, k) && v->is_key[tr_cond_leaf_var(r->cond, k)] && missing_key(r, k, v, t))
            return true;
    return !any && !presence;
}

static bool missing_in_trees(struct diff_result *r, const struct diff *x, const struct diff_vars *v)
{
    for (size_t run = 0; run < 2; run++) {
        if (x->sides[run].partial)
            snprintf(r->why, sizeof r->why, "the %s is cut short", x->sides[run].what);
        else if (v->values[v->n_columns + TOTAL_BASE_WORK + run].number == 0)
            snprintf(r->why, sizeof r->why, "the %s has no device work that a call launched", x->sides[run].what);
        else
            continue;
        return true;
    }
    return false;
}

/* ---- the verdict ---- */

static void judge(struct diff_result *r, const struct diff *x, const struct tr_table *t)
{
    struct diff_vars *v = x->of_table;
    bool points = v->n > v->n_columns, about_rows = points && tr_cond_uses(r->cond, v->n_columns + ROW_PCT);
    for (size_t i = 0; i < v->n_columns && !about_rows; i++)
        about_rows = tr_cond_uses(r->cond, i);
    fill_total(v, t);
    if (points ? missing_in_trees(r, x, v) : missing_in_tables(r, v, t)) {
        r->verdict = DIFF_MISSING;
        return;
    }
    if (!about_rows && tr_cond_eval(r->cond, v->values))
        r->verdict = DIFF_FAIL;
    for (size_t row = 0; about_rows && row < tr_table_rows(t); row++) {
        fill_row(v, t, row);
        if (!tr_cond_eval(r->cond, v->values))
            continue;
        r->verdict = DIFF_FAIL;
        if (!r->n_rows++ || tr_table_before(t, row, r->row))
            r->row = row;
    }
    if (r->verdict == DIFF_FAIL && r->n_rows)
        fill_row(v, t, r->row);
    if (r->verdict == DIFF_FAIL)
        diff_values_of_table(r, v->vars, v->n, v->values);
}

enum tr_status diff_judge_table(struct diff *x, struct tr_error *err)
{
    for (size_t i = 0; i < x->n_results; i++) {
        judge(&x->results[i], x, x->tables[DIFF_ROWS]);
        if (tr_cond_no_memory(x->results[i].cond))
            return tr_fail_memory(err);
    }
    return TR_OK;
}
