/* SPDX-License-Identifier: MIT */
/* tr-diff --by table: tables that were printed before, row by row. */
#include "diff/diff.h"

#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "analysis/tr_registry.h"
#include "base/tr_num.h"
#include "base/tr_sort.h"
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

#define NO_ROW SIZE_MAX

/* What becomes of a column of the base. */
enum kind { KEY, TEXT, NUMBER };
struct column {
    struct tr_str name;
    enum kind kind;
    bool number; /* all its cells are numbers or empty */
    size_t in[DIFF_MAX_TABLES]; /* the column of each table; SIZE_MAX: it has none */
};

struct diff_saved {
    struct tr_printed_table tables[DIFF_MAX_TABLES];
    const char *names[DIFF_MAX_TABLES];
    size_t n_tables;
    struct column *columns; /* keys first; of the numbers, times first */
    size_t n_columns, n_keys;
    struct tr_arena *texts; /* names of printed columns */
};

/* ---- reading ---- */

/* The next of n tables. */
static enum tr_status read_table(struct cli *cli, struct diff_saved *s, int fd, const char *name, size_t n,
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

static enum tr_status read_tables(struct cli *cli, struct diff_saved *s, const struct diff_paths *paths,
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

/* What a command prints.  If it fails, its reason counts: it may have printed part of a table. */
static enum tr_status read_command(struct cli *cli, struct diff_saved *s, const char *command,
                                   const struct diff_paths *files, const char *name, struct tr_error *err)
{
    struct diff_command c;
    struct tr_error failed = TR_ERROR_INIT;
    enum tr_status st = diff_command_start(command, files, &c, err);
    if (st != TR_OK)
        return st;
    st = read_table(cli, s, c.fd, name, 2, err);
    enum tr_status ended = diff_command_end(&c, &failed);
    if (ended == TR_OK || st == TR_SYSTEM)
        return st;
    *err = failed;
    return ended;
}

/* ---- columns ---- */

/* The first table that has columns: an empty table in JSON has none. */
static const struct tr_printed_table *model_of(const struct diff_saved *s)
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
static bool is_number(const struct diff_saved *s, const struct column *c)
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

static bool is_empty(const struct diff_saved *s, const struct column *c)
{
    for (size_t i = 0; i < s->n_tables; i++)
        for (size_t row = 0; c->in[i] != SIZE_MAX && row < s->tables[i].n_rows; row++)
            if (tr_printed_table_cell(&s->tables[i], row, c->in[i]).s)
                return false;
    return true;
}

/* Is each table about one rank, and not all about the same?  Then no row would match. */
static bool is_lone_rank(const struct diff_saved *s, const struct column *c)
{
    bool differ = false;
    struct tr_str first = { NULL, 0 };
    if (!tr_str_is(c->name, "rank"))
        return false;
    for (size_t i = 0; i < s->n_tables; i++)
        for (size_t row = 0; row < s->tables[i].n_rows; row++) {
            struct tr_str own = c->in[i] == SIZE_MAX ? first : tr_printed_table_cell(&s->tables[i], 0, c->in[i]);
            if (c->in[i] == SIZE_MAX || tr_str_cmp(tr_printed_table_cell(&s->tables[i], row, c->in[i]), own) != 0)
                return false;
            first = first.s ? first : own;
            differ = differ || tr_str_cmp(first, own) != 0;
        }
    return differ;
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

/* A time of the trace, not a duration: two runs never have it in common. */
static bool is_moment(struct tr_str name)
{
    static const char *const names[] = { "start", "ts", "end", "first", "launch_ts", NULL };
    size_t unit = name.len;
    while (unit > 0 && name.s[unit - 1] != '_')
        unit--;
    return is_time(name) && is_one_of((struct tr_str){ name.s, unit - 1 }, names);
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
    if (is_moment(name) || ends_with_one(name, rank) || (empty && !(left && is_field(name))))
        return TEXT;
    return !number || is_place(name) || (left && is_field(name)) ? KEY : NUMBER;
}

/* Which columns are keys: --keys; or those of the view that prints such a table; or texts, places and fields. */
static enum tr_status choose_kinds(struct diff_saved *s, const char *keys, struct column *all, bool *view,
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
            all[c].kind = is_moment(name) || (!number && roles[c] == NUMBER) ? TEXT : (enum kind)roles[c];
        else
            all[c].kind = guess(name, number, is_empty(s, &all[c]), left);
        if (!keys && all[c].kind == KEY && is_lone_rank(s, &all[c]))
            all[c].kind = TEXT;
    }
    free(roles);
    return failed.status == TR_SYSTEM ? TR_SYSTEM : TR_OK;
}

static enum tr_status check_keys(const struct diff_saved *s, const char *keys, struct tr_error *err)
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

/* Keys, then texts, then figures: times before others. */
static unsigned place_of(const struct column *c)
{
    return 2 * c->kind - (c->kind == NUMBER && is_time(c->name));
}

static enum tr_status choose_columns(struct diff_saved *s, const char *keys, struct tr_error *err)
{
    const struct tr_printed_table *base = model_of(s);
    struct column *all = calloc(base->n_cols + 1, sizeof *all);
    s->columns = calloc(base->n_cols + 1, sizeof *s->columns);
    bool view = false;
    enum tr_status st = all && s->columns ? check_keys(s, keys, err) : tr_fail_memory(err);
    for (size_t c = 0; st == TR_OK && c < base->n_cols; c++) {
        all[c].name = base->names[c];
        for (size_t i = 0; i < s->n_tables; i++)
            all[c].in[i] = find(&s->tables[i], base->names[c]);
    }
    if (st == TR_OK)
        st = choose_kinds(s, keys, all, &view, err);
    for (unsigned place = 0; st == TR_OK && place <= 2 * NUMBER; place++)
        for (size_t c = 0; c < base->n_cols; c++)
            if (place_of(&all[c]) == place)
                s->columns[s->n_columns++] = all[c];
    while (st == TR_OK && s->n_keys < s->n_columns && s->columns[s->n_keys].kind == KEY)
        s->n_keys++;
    for (size_t k = 0; st == TR_OK && k < s->n_keys; k++)
        for (size_t i = 0; i < s->n_tables && st == TR_OK; i++)
            if (s->tables[i].n_cols && s->columns[k].in[i] == SIZE_MAX)
                st = tr_fail(err, TR_DAMAGED, "%.200s has no column '%.*s', by which its rows are known", s->names[i],
                             (int)(s->columns[k].name.len % 80), s->columns[k].name.s);
    if (st == TR_OK && base->n_cols && !s->n_keys && !view) /* rows of a view without keys are matched in order */
        st = tr_fail(err, TR_USAGE, "all columns are numbers: --keys names those by which rows are known");
    free(all);
    return st;
}

/* "test_count", or "test2_count" if there are several tests. */
static const char *name_of(const struct diff_saved *s, const char *prefix, size_t number, struct tr_str name, bool *ok)
{
    char digits[24] = "";
    if (s->n_tables > 2 && number)
        snprintf(digits, sizeof digits, "%zu", number);
    size_t size = strlen(prefix) + strlen(digits) + name.len + 2;
    char *text = tr_arena_alloc(s->texts, size);
    *ok = *ok && text;
    if (text)
        snprintf(text, size, "%s%s_%.*s", prefix, digits, (int)name.len, name.s);
    return text;
}

static void add_figure(struct diff_saved *s, struct tr_table *t, const char *prefix, size_t number, struct tr_str name,
                       const char *meaning, bool *ok)
{
    struct tr_table_column is = { name_of(s, prefix, number, name, ok), TR_CELL_DOUBLE, TR_ROLE_QUANTILE,
                                  .with_next = strcmp(prefix, "base") == 0, .meaning = meaning };
    if (strcmp(prefix, "pct") == 0) {
        is.type = TR_CELL_RATIO;
        is.decimals = 2;
        is.unit = "%";
    }
    if (*ok)
        tr_table_columns(t, &is, 1);
}

void diff_saved_columns(struct diff_saved *s, struct tr_table *t)
{
    static const struct tr_table_column run = { "run", TR_CELL_STRING, TR_ROLE_TEXT,
                                                .meaning = "which tables have the row: both or all, base, test" };
    bool ok = true, labelled = false;
    for (size_t c = 0; ok && c < s->n_columns; c++) {
        const struct column *from = &s->columns[c];
        char *name = tr_arena_alloc(s->texts, from->name.len + 1);
        struct tr_table_column is = { name, TR_CELL_STRING, from->kind == KEY ? TR_ROLE_KEY : TR_ROLE_TEXT,
                                      .wide = true, .meaning = "as in the tables" };
        if (!(ok = name != NULL))
            break;
        memcpy(name, from->name.s, from->name.len);
        name[from->name.len] = '\0';
        if (c == s->n_keys)
            tr_table_columns(t, &run, 1);
        if (from->kind != NUMBER) {
            is.type = from->kind == KEY && from->number ? TR_CELL_DOUBLE : TR_CELL_STRING;
            is.label = from->kind == KEY && !from->number && !labelled;
            labelled = labelled || is.label;
            tr_table_columns(t, &is, 1);
            continue;
        }
        add_figure(s, t, "base", 0, from->name, "of the base", &ok);
        for (size_t i = 1; ok && i < s->n_tables; i++) {
            add_figure(s, t, "test", i, from->name, "of the test", &ok);
            add_figure(s, t, "diff", i, from->name, "test less base", &ok);
            add_figure(s, t, "pct", i, from->name, "difference in percent of the base", &ok);
        }
    }
    if (s->n_keys == s->n_columns)
        tr_table_columns(t, &run, 1);
    if (!ok)
        tr_table_no_memory(t);
}

size_t diff_saved_run(const struct diff_saved *s)
{
    return s->n_keys;
}

/* ---- rows ---- */

/* A row of each table; NO_ROW: a table does not have it. */
struct joined {
    size_t row[DIFF_MAX_TABLES];
};

struct keyed {
    const struct diff_saved *s;
    size_t table, row;
};

static struct tr_str key_cell(const struct keyed *k, size_t key)
{
    return tr_printed_table_cell(&k->s->tables[k->table], k->row, k->s->columns[key].in[k->table]);
}

static int compare_keys(const struct keyed *a, const struct keyed *b)
{
    for (size_t k = 0; k < a->s->n_keys; k++) {
        struct tr_str x = key_cell(a, k), y = key_cell(b, k);
        int c = x.s && y.s ? tr_str_cmp(x, y) : (x.s != NULL) - (y.s != NULL);
        if (c)
            return c;
    }
    return 0;
}

TR_ORDER(by_key, struct keyed, compare_keys(a, b), TR_UP(row))

/* The order of the base, then rows that only the tests have, in their order. */
static int by_row(const void *x, const void *y)
{
    const struct joined *a = x, *b = y;
    for (size_t i = 0; i < DIFF_MAX_TABLES; i++)
        if (a->row[i] != b->row[i])
            return a->row[i] < b->row[i] ? -1 : 1;
    return 0;
}

/* Rows of equal keys; several in a table are joined in their order. */
static void join_rows(struct keyed *const sorted[], const struct diff_saved *s, struct joined *out, size_t *n_out)
{
    size_t at[DIFF_MAX_TABLES] = { 0 };
    for (;;) {
        const struct keyed *min = NULL;
        for (size_t i = 0; i < s->n_tables; i++)
            if (at[i] < s->tables[i].n_rows && (!min || compare_keys(&sorted[i][at[i]], min) < 0))
                min = &sorted[i][at[i]];
        if (!min)
            return;
        struct joined *j = &out[(*n_out)++];
        struct keyed key = *min;
        for (size_t i = 0; i < DIFF_MAX_TABLES; i++) {
            j->row[i] = NO_ROW;
            if (i < s->n_tables && at[i] < s->tables[i].n_rows && compare_keys(&sorted[i][at[i]], &key) == 0)
                j->row[i] = sorted[i][at[i]++].row;
        }
    }
}

/* A number with so many decimals; 18 or more: the fewest digits that give it back. */
static void put_number(struct tr_table *t, double value, unsigned decimals)
{
    if (decimals <= 17)
        tr_table_decimal(t, value, decimals);
    else
        tr_table_ratio(t, value);
}

static void put_figures(const struct diff_saved *s, const struct column *c, const struct joined *j, struct tr_table *t)
{
    double base = NAN;
    unsigned base_decimals = 0;
    for (size_t i = 0; i < s->n_tables; i++) {
        double value = NAN;
        unsigned decimals = 0;
        if (j->row[i] != NO_ROW && c->in[i] != SIZE_MAX &&
            !number_of(tr_printed_table_cell(&s->tables[i], j->row[i], c->in[i]), &value, &decimals))
            value = NAN;
        put_number(t, value, decimals);
        if (i == 0) {
            base = value;
            base_decimals = decimals;
            continue;
        }
        put_number(t, value - base, decimals > base_decimals ? decimals : base_decimals);
        tr_table_ratio(t, base != 0 ? 100 * (value - base) / base : NAN);
    }
}

static void put_text(const struct diff_saved *s, const struct column *c, const struct joined *j, struct tr_table *t)
{
    struct tr_str text = { NULL, 0 };
    double value = NAN;
    unsigned decimals = 0;
    for (size_t i = s->n_tables; i-- > 0 && !text.s;)
        if (j->row[i] != NO_ROW && c->in[i] != SIZE_MAX)
            text = tr_printed_table_cell(&s->tables[i], j->row[i], c->in[i]);
    if (c->kind == KEY && c->number) {
        number_of(text, &value, &decimals);
        put_number(t, value, decimals);
    } else {
        tr_table_text(t, text);
    }
}

static void put_run(const struct diff_saved *s, const struct joined *j, struct tr_table *t)
{
    char text[DIFF_MAX_TABLES * 8] = "";
    size_t n = 0;
    for (size_t i = 0; i < s->n_tables; i++) {
        size_t len = strlen(text);
        if (j->row[i] == NO_ROW)
            continue;
        n++;
        if (i == 0 || s->n_tables == 2)
            snprintf(text + len, sizeof text - len, "%s%s", len ? "," : "", i ? "test" : "base");
        else
            snprintf(text + len, sizeof text - len, "%stest%zu", len ? "," : "", i);
    }
    tr_table_string(t, n < s->n_tables ? text : n == 2 ? "both" : "all");
}

static enum tr_status put_rows(const struct diff_saved *s, struct joined *rows, size_t n, struct tr_table *t,
                               struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (n)
        qsort(rows, n, sizeof *rows, by_row);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        for (size_t c = 0; c < s->n_columns; c++) {
            if (c == s->n_keys)
                put_run(s, &rows[i], t);
            if (s->columns[c].kind == NUMBER)
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

enum tr_status diff_saved_fill(const struct diff_saved *s, struct tr_table *t, struct tr_error *err)
{
    struct keyed *sorted[DIFF_MAX_TABLES] = { NULL };
    struct joined *rows = NULL;
    size_t max = 0, n = 0;
    bool ok = true;
    for (size_t i = 0; i < s->n_tables && ok; i++) {
        size_t m = s->tables[i].n_rows;
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
    for (size_t i = 0; i < s->n_tables; i++)
        free(sorted[i]);
    free(rows);
    return st;
}

/* ---- */

static struct diff_saved *new_saved(void)
{
    struct diff_saved *s = calloc(1, sizeof *s);
    if (s && (s->texts = tr_arena_new(4096)))
        return s;
    free(s);
    return NULL;
}

enum tr_status diff_saved_open(struct cli *cli, const struct diff_paths *paths, const char *keys,
                               struct diff_saved **out, struct tr_error *err)
{
    struct diff_saved *s = *out = new_saved();
    if (!s)
        return tr_fail_memory(err);
    if (paths->n > DIFF_MAX_TABLES)
        return tr_fail(err, TR_USAGE, "at most %u tables can be compared", DIFF_MAX_TABLES);
    enum tr_status st = read_tables(cli, s, paths, err);
    return st == TR_OK && s->n_tables ? choose_columns(s, keys, err) : st;
}

enum tr_status diff_saved_run_command(struct cli *cli, const char *command, const struct diff_paths runs[2],
                                      const char *keys, struct diff_saved **out, struct tr_error *err)
{
    struct diff_saved *s = *out = new_saved();
    enum tr_status st = s ? TR_OK : tr_fail_memory(err);
    for (int run = 0; run < 2 && st == TR_OK; run++)
        st = read_command(cli, s, command, &runs[run], run == TR_DIFF_BASE ? "table of the base" : "table of the test",
                          err);
    return st == TR_OK ? choose_columns(s, keys, err) : st;
}

void diff_saved_free(struct diff_saved *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_tables; i++)
        tr_printed_table_free(&s->tables[i]);
    free(s->columns);
    tr_arena_free(s->texts);
    free(s);
}
