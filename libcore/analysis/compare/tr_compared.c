/* SPDX-License-Identifier: MIT */
/* Described tables of one view, beside each other. */
#include "analysis/compare/tr_compared.h"

#include "base/tr_mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_ROW SIZE_MAX

/* What becomes of a column of the base. */
enum kind { KEY, TEXT, FIGURE };
struct column {
    struct tr_table_column is;
    enum kind kind;
    size_t in[TR_COMPARED_MAX]; /* the column of each table; SIZE_MAX: it has none */
};

struct tr_compared {
    struct tr_table *v[TR_COMPARED_MAX];
    size_t n;
    struct column *columns; /* keys first; of the figures, times first */
    size_t n_columns, n_keys;
    struct tr_arena *texts; /* names of joined columns */
};

/* ---- columns ---- */

/* The first table that has columns: an empty table in JSON has none. */
static const struct tr_table *model_of(const struct tr_compared *s)
{
    size_t i = 0;
    while (i + 1 < s->n && !tr_table_column_at(s->v[i], 0))
        i++;
    return s->v[i];
}

static size_t find(const struct tr_table *t, const char *name)
{
    const struct tr_table_column *is;
    for (size_t c = 0; (is = tr_table_column_at(t, c)) != NULL; c++)
        if (strcmp(is->name, name) == 0)
            return c;
    return SIZE_MAX;
}

/* The order of two cells, which are texts or numbers; absent ones come first. */
static int compare_cells(const struct tr_cell_value *a, const struct tr_cell_value *b)
{
    if (a->text.s && b->text.s)
        return tr_str_cmp(a->text, b->text);
    if (a->text.s || b->text.s)
        return a->text.s ? 1 : -1;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    if (isnan(a->d) || isnan(b->d))
        return !isnan(a->d) - !isnan(b->d);
    return (a->d > b->d) - (a->d < b->d);
}

/* Is each table about one rank, and not all about the same?  Then no row would match. */
static bool is_lone_rank(const struct tr_compared *s, const struct column *c)
{
    struct tr_cell_value first = { .i = TR_I64_NONE, .d = NAN };
    bool any = false, differ = false;
    for (size_t i = 0; i < s->n && strcmp(c->is.name, "rank") == 0; i++) {
        size_t rows = c->in[i] == SIZE_MAX ? 0 : tr_table_rows(s->v[i]);
        struct tr_cell_value own = rows ? tr_table_value(s->v[i], 0, c->in[i]) : first;
        for (size_t row = 1; row < rows; row++) {
            struct tr_cell_value cell = tr_table_value(s->v[i], row, c->in[i]);
            if (compare_cells(&cell, &own) != 0)
                return false;
        }
        first = any ? first : own;
        any = any || rows;
        differ = differ || (rows && compare_cells(&first, &own) != 0);
    }
    return differ;
}

/* Is a column, with or without its unit, a time of the trace?  Two runs have none in common. */
static bool is_moment(const char *name)
{
    static const char *const names[] = { "start", "ts", "end", "first", "launch_ts", NULL },
                             *const units[] = { "", "_ns", "_us", "_ms", "_s", NULL };
    for (size_t i = 0; names[i]; i++)
        for (size_t u = 0; strncmp(name, names[i], strlen(names[i])) == 0 && units[u]; u++)
            if (strcmp(name + strlen(names[i]), units[u]) == 0)
                return true;
    return false;
}

/* keys: those that the user names, NULL: those of the view. */
static enum kind kind_of(const struct tr_table *model, size_t column, const char *keys)
{
    const struct tr_table_column *is = tr_table_column_at(model, column);
    bool key = is->role == TR_ROLE_KEY || is->role == TR_ROLE_GROUP;
    char name[128];
    for (const char *k = keys; k && *k; k += strcspn(k, ","), k += *k == ',') {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(k, ","), k);
        if (tr_table_find(model, name) == column)
            return KEY;
    }
    if (key && (keys || !is_moment(is->name) || is->type == TR_CELL_STRING))
        return keys ? TEXT : KEY;
    bool text = is->type == TR_CELL_STRING || is->role == TR_ROLE_TEXT || is->role == TR_ROLE_TIME ||
                is->role == TR_ROLE_RANK || is_moment(is->name) || strcmp(is->name, "record") == 0;
    return text ? TEXT : FIGURE;
}

/* Keys, then texts, then figures: times before others. */
static unsigned place_of(const struct column *c)
{
    return 2 * c->kind - (c->kind == FIGURE && c->is.type == TR_CELL_TIME);
}

/* Does no table show it? */
static bool is_rare(const struct tr_compared *s, const struct column *c)
{
    bool rare = c->is.rare;
    for (size_t i = 0; i < s->n && rare; i++)
        rare = c->in[i] == SIZE_MAX || tr_table_column_at(s->v[i], c->in[i])->rare;
    return rare;
}

/* The columns that are compared, in the order of the base. */
static size_t list_columns(const struct tr_compared *s, const char *keys, struct column *all)
{
    const struct tr_table_column *is;
    size_t n = 0;
    for (size_t c = 0; (is = tr_table_column_at(model_of(s), c)) != NULL; c++) {
        if (is->role == TR_ROLE_VARIANCE)
            continue;
        struct column *to = &all[n];
        *to = (struct column){ .is = *is, .kind = kind_of(model_of(s), c, keys) };
        for (size_t i = 0; i < s->n; i++)
            to->in[i] = find(s->v[i], is->name);
        if (!keys && to->kind == KEY && is_lone_rank(s, to))
            to->kind = TEXT;
        n += !is_rare(s, to);
    }
    return n;
}

static enum tr_status check_keys(const struct tr_table *model, const char *keys, struct tr_error *err)
{
    char name[128];
    for (const char *k = keys; k && *k; k += strcspn(k, ","), k += *k == ',') {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(k, ","), k);
        if (tr_table_find(model, name) == SIZE_MAX)
            return tr_fail(err, TR_USAGE, "the view has no column '%.80s' (--keys)", name);
    }
    return TR_OK;
}

enum tr_status tr_compared_new(struct tr_table *const *tables, const char *const *names, size_t n, const char *keys,
                               struct tr_compared **out, struct tr_error *err)
{
    struct tr_compared *s = *out = calloc(1, sizeof *s);
    size_t max = 0, n_all;
    if (!s || !(s->texts = tr_arena_new(4096)))
        return tr_fail_memory(err);
    for (; s->n < n; s->n++)
        s->v[s->n] = tables[s->n];
    while (n && tr_table_column_at(model_of(s), max))
        max++;
    struct column *all = calloc(max + 1, sizeof *all);
    s->columns = calloc(max + 1, sizeof *s->columns);
    enum tr_status st = !all || !s->columns ? tr_fail_memory(err) : n ? check_keys(model_of(s), keys, err) : TR_OK;
    n_all = st == TR_OK && n ? list_columns(s, keys, all) : 0;
    for (unsigned place = 0; place <= 2 * FIGURE; place++)
        for (size_t c = 0; c < n_all; c++)
            if (place_of(&all[c]) == place)
                s->columns[s->n_columns++] = all[c];
    free(all);
    while (s->n_keys < s->n_columns && s->columns[s->n_keys].kind == KEY)
        s->n_keys++;
    for (size_t k = 0; k < s->n_keys && st == TR_OK; k++)
        for (size_t i = 0; i < n && st == TR_OK; i++)
            if (tr_table_column_at(s->v[i], 0) && s->columns[k].in[i] == SIZE_MAX)
                st = tr_fail(err, TR_DAMAGED, "%.200s has no column '%.80s', by which its rows are known", names[i],
                             s->columns[k].is.name);
    return st;
}

void tr_compared_free(struct tr_compared *s)
{
    if (!s)
        return;
    free(s->columns);
    tr_arena_free(s->texts);
    free(s);
}

/* "test_count", or "test2_count" if there are several tests. */
static const char *name_of(const struct tr_compared *s, const char *prefix, size_t number, const char *name, bool *ok)
{
    char digits[24] = "";
    if (s->n > 2 && number)
        snprintf(digits, sizeof digits, "%zu", number);
    size_t size = strlen(prefix) + strlen(digits) + strlen(name) + 2;
    char *text = tr_arena_alloc(s->texts, size);
    *ok = *ok && text;
    if (text)
        snprintf(text, size, "%s%s_%s", prefix, digits, name);
    return text;
}

static bool is_percent(const struct column *c)
{
    return c->is.unit && strcmp(c->is.unit, "%") == 0;
}

/* Figures that rows determine when they are summed up. */
static bool adds(const struct column *c)
{
    enum tr_column_role role = c->is.role;
    return role == TR_ROLE_SUM || role == TR_ROLE_COUNT || role == TR_ROLE_MIN || role == TR_ROLE_MAX;
}

/* The figure of a table. */
static void add_side(const struct tr_compared *s, struct tr_table *t, size_t i, const struct column *from, bool *ok)
{
    struct tr_table_column is = { name_of(s, i ? "test" : "base", i, from->is.name, ok), from->is.type,
                                  adds(from) ? from->is.role : TR_ROLE_QUANTILE, from->is.decimals,
                                  .unit = from->is.unit, .times = from->is.times, .with_next = !i,
                                  .meaning = i ? "of the test" : "of the base" };
    if (*ok)
        tr_table_columns(t, &is, 1);
}

/* Difference, and that in percent; the difference of two percentages is one already. */
static void add_difference(const struct tr_compared *s, struct tr_table *t, size_t i, const struct column *from,
                           bool *ok)
{
    const char *diff = name_of(s, "diff", i, from->is.name, ok), *base = name_of(s, "base", 0, from->is.name, ok),
               *test = name_of(s, "test", i, from->is.name, ok);
    char printed[200];
    const char *unit = from->is.type == TR_CELL_TIME ? tr_unit_name(tr_table_unit(t)) : NULL;
    snprintf(printed, sizeof printed, "%s%s%s", from->is.name, unit ? "_" : "", unit ? unit : "");
    struct tr_table_column is[] = {
        { diff, from->is.type == TR_CELL_COUNT ? TR_CELL_INT : from->is.type,
          adds(from) ? TR_ROLE_DIFFERENCE : TR_ROLE_QUANTILE, from->is.decimals, .unit = from->is.unit,
          .times = from->is.times, .of = adds(from) ? test : NULL, .per = adds(from) ? base : NULL,
          .meaning = "test less base" },
        { name_of(s, "pct", i, printed, ok), TR_CELL_RATIO, adds(from) ? TR_ROLE_RATIO : TR_ROLE_QUANTILE, 2,
          .unit = "%", .of = adds(from) ? diff : NULL, .per = adds(from) ? base : NULL,
          .meaning = "difference in percent of the base" },
    };
    if (*ok)
        tr_table_columns(t, is, is_percent(from) ? 1 : 2);
}

void tr_compared_columns(const struct tr_compared *s, struct tr_table *t)
{
    static const struct tr_table_column run = { "run", TR_CELL_STRING, TR_ROLE_TEXT,
                                                .meaning = "which tables have the row: both or all, base, test" };
    bool ok = true;
    for (size_t c = 0; ok && c < s->n_columns; c++) {
        const struct column *from = &s->columns[c];
        struct tr_table_column is = { from->is.name, from->is.type, from->kind == KEY ? TR_ROLE_KEY : TR_ROLE_TEXT,
                                      from->is.decimals, .names = from->is.names, .unit = from->is.unit,
                                      .wide = true, .meaning = "as in the tables" };
        if (c == s->n_keys)
            tr_table_columns(t, &run, 1);
        if (from->kind != FIGURE) {
            is.label = from->kind == KEY && from->is.label;
            tr_table_columns(t, &is, 1);
            continue;
        }
        add_side(s, t, 0, from, &ok);
        for (size_t i = 1; ok && i < s->n; i++) {
            add_side(s, t, i, from, &ok);
            add_difference(s, t, i, from, &ok);
        }
    }
    if (s->n_keys == s->n_columns)
        tr_table_columns(t, &run, 1);
    if (!ok)
        tr_table_no_memory(t);
}

size_t tr_compared_run(const struct tr_compared *s)
{
    return s->n_keys;
}

/* ---- rows ---- */

/* A row of each table; NO_ROW: a table does not have it. */
struct joined {
    size_t row[TR_COMPARED_MAX];
};

struct keyed {
    const struct tr_compared *s;
    size_t table, row;
};

static int compare_keys(const struct keyed *a, const struct keyed *b)
{
    for (size_t k = 0; k < a->s->n_keys; k++) {
        struct tr_cell_value x = tr_table_value(a->s->v[a->table], a->row, a->s->columns[k].in[a->table]),
                             y = tr_table_value(b->s->v[b->table], b->row, b->s->columns[k].in[b->table]);
        int c = compare_cells(&x, &y);
        if (c)
            return c;
    }
    return 0;
}

static int by_key(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;
    int c = compare_keys(a, b);
    return c ? c : (a->row > b->row) - (a->row < b->row);
}

/* The order of the base, then rows that only the tests have, in their order. */
static int by_row(const void *x, const void *y)
{
    const struct joined *a = x, *b = y;
    for (size_t i = 0; i < TR_COMPARED_MAX; i++)
        if (a->row[i] != b->row[i])
            return a->row[i] < b->row[i] ? -1 : 1;
    return 0;
}

/* Rows of equal keys; several in a table are joined in their order. */
static void join_rows(struct keyed *const sorted[], const struct tr_compared *s, struct joined *out, size_t *n_out)
{
    size_t at[TR_COMPARED_MAX] = { 0 };
    for (;;) {
        const struct keyed *min = NULL;
        for (size_t i = 0; i < s->n; i++)
            if (at[i] < tr_table_rows(s->v[i]) && (!min || compare_keys(&sorted[i][at[i]], min) < 0))
                min = &sorted[i][at[i]];
        if (!min)
            return;
        struct joined *j = &out[(*n_out)++];
        struct keyed key = *min;
        for (size_t i = 0; i < TR_COMPARED_MAX; i++) {
            j->row[i] = NO_ROW;
            if (i < s->n && at[i] < tr_table_rows(s->v[i]) && compare_keys(&sorted[i][at[i]], &key) == 0)
                j->row[i] = sorted[i][at[i]++].row;
        }
    }
}

/* A cell of a joined row.  False: the table does not have it, or it is absent. */
static bool cell_of(const struct tr_compared *s, const struct column *c, const struct joined *j, size_t i,
                    struct tr_cell_value *cell)
{
    *cell = (struct tr_cell_value){ .i = TR_I64_NONE, .d = NAN };
    if (j->row[i] != NO_ROW && c->in[i] != SIZE_MAX)
        *cell = tr_table_value(s->v[i], j->row[i], c->in[i]);
    return cell->text.s || cell->i != TR_I64_NONE || !isnan(cell->d);
}

static double number_of(const struct tr_cell_value *cell)
{
    return !isnan(cell->d) ? cell->d : cell->i == TR_I64_NONE ? NAN : (double)cell->i;
}

static struct tr_cell_value minus(const struct tr_cell_value *a, const struct tr_cell_value *b)
{
    struct tr_cell_value x = { .i = TR_I64_NONE, .d = NAN, .decimals = a->decimals };
    double d = number_of(a) - number_of(b);
    if (isnan(a->d) && isnan(b->d) && fabs(d) < 0x1p62)
        x.i = a->i - b->i;
    else
        x.d = d;
    if (!a->decimals || !b->decimals)
        x.decimals = 0;
    else if (b->decimals > x.decimals)
        x.decimals = b->decimals;
    return x;
}

static void put_figures(const struct tr_compared *s, const struct column *c, const struct joined *j, struct tr_table *t)
{
    struct tr_cell_value base, test;
    bool has_base = cell_of(s, c, j, 0, &base);
    tr_table_add_value(t, &base);
    for (size_t i = 1; i < s->n; i++) {
        bool both = cell_of(s, c, j, i, &test) && has_base;
        struct tr_cell_value diff = both ? minus(&test, &base) : (struct tr_cell_value){ .i = TR_I64_NONE, .d = NAN };
        double of = number_of(&base);
        tr_table_add_value(t, &test);
        tr_table_add_value(t, &diff);
        if (!is_percent(c))
            tr_table_ratio(t, both && of != 0 ? 100 * number_of(&diff) / of : NAN);
    }
}

static void put_text(const struct tr_compared *s, const struct column *c, const struct joined *j, struct tr_table *t)
{
    struct tr_cell_value cell = { .i = TR_I64_NONE, .d = NAN };
    for (size_t i = s->n; i-- > 0 && !cell_of(s, c, j, i, &cell);)
        ;
    tr_table_add_value(t, &cell);
}

static void put_run(const struct tr_compared *s, const struct joined *j, struct tr_table *t)
{
    char text[TR_COMPARED_MAX * 8] = "";
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t len = strlen(text);
        if (j->row[i] == NO_ROW)
            continue;
        n++;
        if (i == 0 || s->n == 2)
            snprintf(text + len, sizeof text - len, "%s%s", len ? "," : "", i ? "test" : "base");
        else
            snprintf(text + len, sizeof text - len, "%stest%zu", len ? "," : "", i);
    }
    tr_table_string(t, n < s->n ? text : n == 2 ? "both" : "all");
}

static enum tr_status put_rows(const struct tr_compared *s, struct joined *rows, size_t n, struct tr_table *t,
                               struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (n)
        qsort(rows, n, sizeof *rows, by_row);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        for (size_t c = 0; c < s->n_columns; c++) {
            if (c == s->n_keys)
                put_run(s, &rows[i], t);
            if (s->columns[c].kind == FIGURE)
                put_figures(s, &s->columns[c], &rows[i], t);
            else
                put_text(s, &s->columns[c], &rows[i], t);
        }
        if (s->n_keys == s->n_columns)
            put_run(s, &rows[i], t);
        st = tr_table_status(t, err);
    }
    return st;
}

enum tr_status tr_compared_fill(const struct tr_compared *s, struct tr_table *t, struct tr_error *err)
{
    struct keyed *sorted[TR_COMPARED_MAX] = { NULL };
    struct joined *rows = NULL;
    size_t max = 0, n = 0;
    bool ok = true;
    for (size_t i = 0; i < s->n && ok; i++) {
        size_t m = tr_table_rows(s->v[i]);
        max += m;
        ok = (sorted[i] = calloc(m + 1, sizeof *sorted[i])) != NULL;
        for (size_t row = 0; ok && row < m; row++)
            sorted[i][row] = (struct keyed){ s, i, row };
        if (ok && m)
            qsort(sorted[i], m, sizeof *sorted[i], by_key);
    }
    ok = ok && (rows = calloc(max + 1, sizeof *rows)) != NULL;
    if (ok)
        join_rows(sorted, s, rows, &n);
    enum tr_status st = ok ? put_rows(s, rows, n, t, err) : tr_fail_memory(err);
    for (size_t i = 0; i < s->n; i++)
        free(sorted[i]);
    free(rows);
    return st;
}
