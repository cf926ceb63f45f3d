/* SPDX-License-Identifier: MIT */
/* tr-diff --by table: tables that were printed before, as described tables. */
#include "diff/diff.h"

#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "analysis/tr_registry.h"
#include "base/tr_num.h"
#include "formats/tr_printed_table.h"
#include "io/tr_io.h"
#include "field/tr_event_field.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What becomes of a column of the base. */
enum kind { KEY, TEXT, NUMBER };
struct column {
    struct tr_str name;
    enum kind kind;
    bool number; /* all its cells are numbers or empty */
    size_t in[TR_COMPARED_MAX]; /* the column of each table; SIZE_MAX: it has none */
};

struct printed {
    struct tr_printed_table tables[TR_COMPARED_MAX];
    const char *names[TR_COMPARED_MAX];
    size_t n_tables;
    struct column *columns;
};

/* ---- reading ---- */

/* The next of n tables. */
static enum tr_status read_table(struct cli *cli, struct printed *s, int fd, const char *name, size_t n,
                                 struct tr_error *err)
{
    struct tr_buf text = { 0 };
    s->names[s->n_tables] = name;
    enum tr_status st = cli_read_text(fd, name, diff_max_bytes(cli) / n, &text, err);
    if (st == TR_OK)
        st = tr_printed_table_read(&s->tables[s->n_tables++], &text, diff_max_bytes(cli) / n, err);
    tr_buf_free(&text);
    if (st != TR_OK)
        tr_error_input(err, name);
    return st;
}

static enum tr_status read_tables(struct cli *cli, struct printed *s, const struct diff_paths *paths,
                                  struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < paths->n && st == TR_OK; i++) {
        const char *path = paths->v[i];
        int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : tr_open_fd(path, O_RDONLY, 0);
        st = fd < 0 ? tr_fail_sys(err, errno, "cannot open") : read_table(cli, s, fd, path, paths->n, err);
        if (fd < 0)
            tr_error_input(err, path);
    }
    return st;
}

/* ---- columns ---- */

/* The first table that has columns: an empty table in JSON has none. */
static const struct tr_printed_table *model_of(const struct printed *s)
{
    size_t i = 0;
    while (i + 1 < s->n_tables && !s->tables[i].n_cols)
        i++;
    return &s->tables[i];
}

static size_t find(const struct tr_printed_table *t, struct tr_str name)
{
    for (size_t c = 0; c < t->n_cols; c++)
        if (tr_str_cmp(t->names[c], name) == 0)
            return c;
    return SIZE_MAX;
}

/* *decimals: those of the number; 18: it has an exponent. */
static bool number_of(struct tr_str cell, double *value, unsigned *decimals)
{
    char text[64];
    if (!cell.s || cell.len >= sizeof text)
        return false;
    memcpy(text, cell.s, cell.len);
    text[cell.len] = '\0';
    if (!tr_num_decimal(text, value) || strlen(text) != cell.len)
        return false;
    const char *point = strchr(text, '.');
    *decimals = strpbrk(text, "eE") ? 18 : point ? (unsigned)strlen(point + 1) : 0;
    return true;
}

/* Are all cells of a column numbers or empty, and is there a number? */
static bool is_number(const struct printed *s, const struct column *c)
{
    bool any = false;
    double value;
    unsigned decimals;
    for (size_t i = 0; i < s->n_tables; i++)
        for (size_t row = 0; c->in[i] != SIZE_MAX && row < s->tables[i].n_rows; row++) {
            struct tr_str cell = tr_printed_table_cell(&s->tables[i], row, c->in[i]);
            if (cell.s && !number_of(cell, &value, &decimals))
                return false;
            any = any || cell.s;
        }
    return any;
}

static bool is_empty(const struct printed *s, const struct column *c)
{
    for (size_t i = 0; i < s->n_tables; i++)
        for (size_t row = 0; c->in[i] != SIZE_MAX && row < s->tables[i].n_rows; row++)
            if (tr_printed_table_cell(&s->tables[i], row, c->in[i]).s)
                return false;
    return true;
}

static bool is_listed(const char *list, struct tr_str name)
{
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",") == name.len && memcmp(list, name.s, name.len) == 0)
            return true;
    return false;
}

/*
 * Roles of the columns of a view, if it has all columns of the base.  roles: one byte per column, enum kind.  *err:
 * whether memory ran out.
 */
static bool roles_of_view(const struct tr_analysis *a, const void *options, const struct tr_printed_table *base,
                          unsigned char *roles, struct tr_error *err)
{
    const struct tr_analysis_in in = { .work.per = a->group };
    struct tr_table *t = tr_table_new(TR_UNIT_US), *described = tr_table_new(TR_UNIT_US);
    bool ok = t && described;
    if (!ok)
        tr_fail_memory(err);
    if (ok) {
        if (a->groups)
            tr_group_columns(t, a->group);
        tr_analysis_columns(a, &in, options, t);
        tr_table_describe(t, NULL, described);
        ok = tr_table_status(t, err) == TR_OK && tr_table_status(described, err) == TR_OK;
    }
    for (size_t c = 0; ok && c < base->n_cols; c++) {
        size_t row = 0, n = tr_table_rows(described);
        while (row < n && tr_str_cmp(tr_table_get(described, row, 0), base->names[c]) != 0)
            row++;
        ok = row < n;
        struct tr_str role = ok ? tr_table_get(described, row, tr_table_find(described, "role")) : tr_str_of("");
        bool key = tr_str_is(role, "key") || tr_str_is(role, "group");
        bool text = tr_str_is(role, "text") || tr_str_is(role, "time") || tr_str_is(role, "rank");
        roles[c] = key ? KEY : text ? TEXT : NUMBER;
    }
    tr_table_free(t);
    tr_table_free(described);
    return ok;
}

/* The same for the first view that has all columns; views whose options add keys are asked with all of them. */
static bool known_roles(const struct tr_printed_table *base, unsigned char *roles, struct tr_error *err)
{
    static const struct tr_operator_options operators = { .by = TR_OPERATOR_ALL };
    static const struct tr_roofline_options by_shape = { .by = TR_ROOFLINE_SHAPE | TR_ROOFLINE_THREAD |
                                                               TR_ROOFLINE_RECOMPUTE },
                                            by_params = { .by = TR_ROOFLINE_PARAMS | TR_ROOFLINE_THREAD |
                                                                TR_ROOFLINE_RECOMPUTE };
    bool known = false;
    const struct tr_analysis *a;
    for (size_t k = 0; !known && (a = tr_registry_analysis(k)) != NULL; k++)
        if (a->defaults || !a->columns)
            known = roles_of_view(a, a->defaults, base, roles, err);
    return known || roles_of_view(&tr_analysis_operator, &operators, base, roles, err) ||
           roles_of_view(&tr_analysis_roofline, &by_shape, base, roles, err) ||
           roles_of_view(&tr_analysis_roofline, &by_params, base, roles, err);
}

static bool is_one_of(struct tr_str name, const char *const *names)
{
    for (; *names; names++)
        if (tr_str_is(name, *names))
            return true;
    return false;
}

static bool ends_with_one(struct tr_str name, const char *const *ends)
{
    for (; *ends; ends++)
        if (name.len >= strlen(*ends) && !memcmp(name.s + name.len - strlen(*ends), *ends, strlen(*ends)))
            return true;
    return false;
}

/* Columns that say where a row belongs, though they hold numbers. */
static bool is_place(struct tr_str name)
{
    static const char *const names[] = { "rank", "capture", "device", "stream", "step", "bin", "record", "seq", NULL };
    return is_one_of(name, names);
}

static bool is_time(struct tr_str name)
{
    static const char *const units[] = { "_ns", "_us", "_ms", "_s", NULL };
    return ends_with_one(name, units);
}

/* Does a column hold figures of rows, by its name?  The keys of tr-sum stand to the left of these. */
static bool is_figure(struct tr_str name)
{
    static const char *const names[] = { "count", "calls", "launches", "sum", "mean",
                                         "std",   "min",   "max",      "pct", NULL };
    static const char *const ends[] = { "_pct", "_bytes", "_GBps", "_count", NULL };
    return is_time(name) || is_one_of(name, names) || ends_with_one(name, ends);
}

/* A field of events, by which tr-sum may have grouped. */
static bool is_field(struct tr_str name)
{
    static const char args[] = "args.";
    return (name.len >= sizeof args && !memcmp(name.s, args, sizeof args - 1)) ||
           tr_event_field_find(name.s, name.len, TR_FIELD_TO_FILTER | TR_FIELD_TO_LIST) != TR_N_FIELDS;
}

/* What a column is in a table of an unknown view.  left: no figure stands before it. */
static enum kind guess(struct tr_str name, bool number, bool empty, bool left)
{
    static const char *const rank[] = { "_rank", NULL };
    if (ends_with_one(name, rank) || (empty && !(left && is_field(name))))
        return TEXT;
    return !number || is_place(name) || (left && is_field(name)) ? KEY : NUMBER;
}

/* Which columns are keys: --keys; or those of the view that prints such a table; or texts, places and fields. */
static enum tr_status choose_kinds(struct printed *s, const char *keys, struct column *all, bool *view,
                                   struct tr_error *err)
{
    const struct tr_printed_table *base = model_of(s);
    unsigned char *roles = calloc(base->n_cols + 1, 1);
    if (!roles)
        return tr_fail_memory(err);
    struct tr_error failed = TR_ERROR_INIT;
    bool known = *view = !keys && known_roles(base, roles, &failed);
    if (failed.status == TR_SYSTEM)
        *err = failed;
    bool left = true;
    for (size_t c = 0; c < base->n_cols && failed.status != TR_SYSTEM; c++) {
        struct tr_str name = base->names[c];
        bool number = all[c].number = is_number(s, &all[c]);
        left = left && !is_figure(name);
        if (keys)
            all[c].kind = is_listed(keys, name) ? KEY : number ? NUMBER : TEXT;
        else if (known)
            all[c].kind = !number && roles[c] == NUMBER ? TEXT : (enum kind)roles[c];
        else
            all[c].kind = guess(name, number, is_empty(s, &all[c]), left);
    }
    free(roles);
    return failed.status == TR_SYSTEM ? TR_SYSTEM : TR_OK;
}

static enum tr_status check_keys(const struct printed *s, const char *keys, struct tr_error *err)
{
    for (const char *k = keys ? keys : ""; *k; k += strcspn(k, ","), k += *k == ',') {
        struct tr_str name = { k, strcspn(k, ",") };
        for (size_t i = 0; i < s->n_tables; i++)
            if (s->tables[i].n_cols && find(&s->tables[i], name) == SIZE_MAX)
                return tr_fail(err, TR_USAGE, "%.200s has no column '%.*s' (--keys)", s->names[i],
                               (int)(name.len < 80 ? name.len : 80), name.s);
    }
    return TR_OK;
}

/* Times stand before other figures. */
static void order_columns(const struct column *all, size_t n, struct column *to)
{
    for (int times = 1; times >= 0; times--)
        for (size_t c = 0; c < n; c++)
            if (times == (all[c].kind != NUMBER || is_time(all[c].name)))
                *to++ = all[c];
}

/* What columns are, and that keys are there. */
static enum tr_status choose_columns(struct printed *s, const char *keys, struct tr_error *err)
{
    const struct tr_printed_table *base = model_of(s);
    struct column *all = calloc(base->n_cols + 1, sizeof *all);
    bool view = false, any = false;
    s->columns = calloc(base->n_cols + 1, sizeof *s->columns);
    enum tr_status st = all && s->columns ? check_keys(s, keys, err) : tr_fail_memory(err);
    for (size_t c = 0; st == TR_OK && c < base->n_cols; c++) {
        all[c].name = base->names[c];
        for (size_t i = 0; i < s->n_tables; i++)
            all[c].in[i] = find(&s->tables[i], base->names[c]);
    }
    if (st == TR_OK)
        st = choose_kinds(s, keys, all, &view, err);
    for (size_t c = 0; st == TR_OK && c < base->n_cols; c++)
        any = any || all[c].kind == KEY;
    if (st == TR_OK)
        order_columns(all, base->n_cols, s->columns);
    free(all);
    if (st == TR_OK && base->n_cols && !any && !view) /* rows of a view without keys are matched in order */
        st = tr_fail(err, TR_USAGE, "all columns are numbers: --keys names those by which rows are known");
    return st;
}

/* ---- as described tables ---- */

static void describe(const struct printed *s, size_t table, struct tr_table *t)
{
    static const char *const percent[] = { "_pct", NULL };
    static const enum tr_column_role roles[] = { [KEY] = TR_ROLE_KEY, [TEXT] = TR_ROLE_TEXT,
                                                 [NUMBER] = TR_ROLE_QUANTILE };
    bool labelled = false;
    for (size_t c = 0; c < model_of(s)->n_cols; c++) {
        const struct column *from = &s->columns[c];
        bool number = from->number && from->kind != TEXT;
        bool pct = tr_str_is(from->name, "pct") || ends_with_one(from->name, percent);
        char *name = from->in[table] == SIZE_MAX ? NULL : strndup(from->name.s, from->name.len);
        bool label = from->kind == KEY && !number && !labelled;
        if (from->in[table] == SIZE_MAX)
            continue;
        labelled = labelled || label;
        if (!name)
            tr_table_no_memory(t);
        else
            tr_table_columns(t, &(struct tr_table_column){ name, number ? TR_CELL_DOUBLE : TR_CELL_STRING,
                                                           roles[from->kind], .unit = number && pct ? "%" : NULL,
                                                           .label = label, .meaning = "as in the table" }, 1);
        free(name);
    }
}

static enum tr_status make_table(const struct printed *s, size_t table, struct tr_table *t, struct tr_error *err)
{
    const struct tr_printed_table *from = &s->tables[table];
    describe(s, table, t);
    enum tr_status st = tr_table_status(t, err);
    for (size_t row = 0; row < from->n_rows && st == TR_OK; row++) {
        for (size_t c = 0; c < model_of(s)->n_cols; c++) {
            const struct column *is = &s->columns[c];
            double value = NAN;
            unsigned decimals = 0;
            struct tr_str cell = is->in[table] == SIZE_MAX ? tr_str_of(NULL)
                                                           : tr_printed_table_cell(from, row, is->in[table]);
            if (is->in[table] == SIZE_MAX)
                continue;
            if (!is->number || is->kind == TEXT)
                tr_table_text(t, cell);
            else if (!number_of(cell, &value, &decimals) || decimals > 17)
                tr_table_ratio(t, value); /* absent, or the fewest digits that give it back */
            else
                tr_table_decimal(t, value, decimals);
        }
        st = tr_table_status(t, err);
    }
    return st;
}

enum tr_status diff_printed(struct cli *cli, const struct diff_paths *paths, const char *keys, struct tr_table **tables,
                            struct tr_error *err)
{
    struct printed s = { .n_tables = 0 };
    enum tr_status st = paths->n > TR_COMPARED_MAX
                            ? tr_fail(err, TR_USAGE, "at most %u tables can be compared", TR_COMPARED_MAX)
                            : read_tables(cli, &s, paths, err);
    if (st == TR_OK && s.n_tables)
        st = choose_columns(&s, keys, err);
    for (size_t i = 0; i < s.n_tables && st == TR_OK; i++)
        st = (tables[i] = cli_table_held(cli)) ? make_table(&s, i, tables[i], err) : tr_fail_memory(err);
    for (size_t i = 0; i < s.n_tables; i++)
        tr_printed_table_free(&s.tables[i]);
    free(s.columns);
    return st;
}
