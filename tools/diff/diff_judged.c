/* SPDX-License-Identifier: MIT */
/* tr-diff --by tree and --by table: a table of rows, and conditions on it. */
#include "diff/diff.h"

#include <stdlib.h>

struct judged;

/* How to make such a table. */
struct rows {
    void (*columns)(const struct judged *c, struct tr_table *t);
    enum tr_status (*fill)(struct cli *cli, struct judged *c, struct tr_table *t, struct tr_error *err);
};

/* The state of a comparison. */
struct judged {
    struct diff *x;
    struct diff_paths runs[2];
    const struct rows *rows;
    struct tr_compared *tables;
    enum diff_table which;
    enum tr_status status; /* of conditions */
    struct tr_error why;
};

static void tree_columns(const struct judged *c, struct tr_table *t)
{
    diff_tree_columns(c->x->o, t);
}

static enum tr_status tree_fill(struct cli *cli, struct judged *c, struct tr_table *t, struct tr_error *err)
{
    return diff_tree_fill(cli, c->x, c->runs, t, err);
}

static void joined_columns(const struct judged *c, struct tr_table *t)
{
    tr_compared_columns(c->tables, t);
}

static enum tr_status joined_fill(struct cli *cli, struct judged *c, struct tr_table *t, struct tr_error *err)
{
    (void)cli;
    return tr_compared_fill(c->tables, t, err);
}

static const struct rows of_trees = { tree_columns, tree_fill }, of_tables = { joined_columns, joined_fill };

/* Conditions look at all rows before one is printed. */
static void judged_columns(const void *arg, struct tr_table *t)
{
    const struct judged *c = arg;
    if (c->which == DIFF_GATE) {
        diff_columns(c->x->o, DIFF_GATE, t);
        return;
    }
    c->rows->columns(c, t);
    if (c->x->n_results)
        tr_table_hold(t);
}

/* t: the table that is printed, NULL: none is. */
static enum tr_status judged_fill(struct cli *cli, void *arg, struct tr_table *t, struct tr_error *err)
{
    struct judged *c = arg;
    struct diff *x = c->x;
    bool hold = !t || c->which == DIFF_GATE;
    struct tr_table *held = hold ? cli_table_held(cli) : NULL, *rows = hold ? held : t;
    enum tr_status st = rows ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK && held)
        c->rows->columns(c, held);
    if (st == TR_OK)
        st = c->rows->fill(cli, c, rows, err);
    x->tables[DIFF_ROWS] = rows;
    x->tables[DIFF_GATE] = t;
    if (st == TR_OK)
        st = diff_judge_table(x, err);
    if (st == TR_OK && c->which == DIFF_GATE)
        diff_fill_gate(x);
    if (st == TR_OK)
        c->status = diff_gate_status(x, &c->why); /* while there are rows */
    if (st == TR_OK && x->o->format == DIFF_JUNIT)
        st = diff_junit(cli, x, err);
    tr_table_free(held);
    return st;
}

/* The names that conditions can use are those of the columns. */
static enum tr_status compile_judged(struct cli *cli, struct judged *c, struct tr_error *err)
{
    struct diff *x = c->x;
    struct tr_table *t = x->o->fail_if.n ? cli_table_held(cli) : NULL;
    enum tr_status st = x->o->fail_if.n && !t ? tr_fail_memory(err) : TR_OK;
    if (st == TR_OK && t) {
        c->rows->columns(c, t);
        st = diff_vars_new(&x->of_table, t, x->o->of_tree ? DIFF_POINTS : tr_compared_run(c->tables), err);
    }
    if (st == TR_OK)
        st = diff_gate_compile(cli, x->o, x, err);
    tr_table_free(t);
    return st;
}

static enum tr_status report_judged(struct cli *cli, struct judged *c, struct tr_error *err)
{
    static const struct cli_table table = { .columns = judged_columns, .fill = judged_fill };
    const struct diff_opts *o = c->x->o;
    enum tr_status st = compile_judged(cli, c, err);
    if (st == TR_OK)
        st = o->format == DIFF_JUNIT ? judged_fill(cli, c, NULL, err) : cli_table_run(cli, &table, c, err);
    if (st == TR_OK && c->which == DIFF_GATE)
        diff_gate_remark(cli, c->x);
    if (st == TR_OK && c->status != TR_OK)
        *err = c->why;
    return st == TR_OK ? c->status : st;
}

/* Tables: at least two, in the order of the operands, or those of --base before those of --test. */
static enum tr_status share_tables(const struct cli *cli, const struct diff_opts *o, struct diff_paths *tables,
                                   const char ***both, struct tr_error *err)
{
    struct diff_paths all;
    size_t n = o->base.n + o->test.n;
    all.v = cli_operands(cli, &all.n);
    if (n && all.n)
        return tr_fail(err, TR_USAGE, "extra operand '%.200s' beside --base and --test", all.v[0]);
    if (n ? o->base.n != 1 || !o->test.n : all.n < 2)
        return tr_fail(err, TR_USAGE, "two or more tables are needed, the base first");
    *tables = all;
    if (!n)
        return TR_OK;
    if (!(*both = calloc(n, sizeof **both)))
        return tr_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        (*both)[i] = i < o->base.n ? o->base.items[i] : o->test.items[i - o->base.n];
    *tables = (struct diff_paths){ *both, n };
    return TR_OK;
}

/* The runs of a view: base and test, or each operand. */
static size_t share_runs(const struct cli *cli, const struct diff_opts *o, const struct diff_paths two[2],
                         struct diff_paths *runs)
{
    struct diff_paths all;
    all.v = cli_operands(cli, &all.n);
    bool each = !o->base.n && !o->test.n && all.n > 2 && !cli_arrange(cli)->help_columns;
    size_t n = each ? all.n : 2;
    for (size_t i = 0; i < n && i < TR_COMPARED_MAX; i++)
        runs[i] = each ? (struct diff_paths){ all.v + i, 1 } : two[i];
    return n;
}

/* The tables that are compared, and their names. */
static enum tr_status get_tables(struct cli *cli, const struct diff_opts *o, const struct diff_paths two[2],
                                 struct tr_table **tables, const char **names, size_t *n, struct tr_error *err)
{
    struct diff_paths runs[TR_COMPARED_MAX] = { { NULL, 0 } }, paths = { NULL, 0 };
    const char **both = NULL;
    if (o->of_command || o->of_part) {
        *n = share_runs(cli, o, two, runs);
        for (size_t i = 0; i < *n && i < TR_COMPARED_MAX; i++)
            names[i] = i ? "the test" : "the base";
        return diff_view_tables(cli, o, runs, *n, tables, err);
    }
    enum tr_status st = cli_arrange(cli)->help_columns ? TR_OK : share_tables(cli, o, &paths, &both, err);
    if (st == TR_OK)
        st = diff_printed(cli, &paths, o->keys, tables, err);
    *n = paths.n;
    for (size_t i = 0; i < *n && i < TR_COMPARED_MAX; i++)
        names[i] = paths.v[i];
    free(both);
    return st;
}

enum tr_status diff_report_tables(struct cli *cli, struct diff *x, const struct diff_paths runs[2],
                                  struct tr_error *err)
{
    struct judged c = { .x = x, .rows = &of_tables, .which = x->o->table, .why = TR_ERROR_INIT };
    struct tr_table *tables[TR_COMPARED_MAX] = { NULL };
    const char *names[TR_COMPARED_MAX] = { NULL };
    size_t n = 0;
    enum tr_status st = get_tables(cli, x->o, runs, tables, names, &n, err);
    if (st == TR_OK)
        st = tr_compared_new(tables, names, n, x->o->of_command || x->o->of_part ? x->o->keys : NULL, &c.tables, err);
    if (st == TR_OK && !n && c.which == DIFF_ROWS)
        cli_remark(cli, "the data has more columns");
    if (st == TR_OK)
        st = report_judged(cli, &c, err);
    tr_compared_free(c.tables);
    for (size_t i = 0; i < TR_COMPARED_MAX; i++)
        tr_table_free(tables[i]);
    return st;
}

enum tr_status diff_report_trees(struct cli *cli, struct diff *x, const struct diff_paths runs[2],
                                 struct tr_error *err)
{
    struct judged c = {
        .x = x, .runs = { runs[0], runs[1] }, .rows = &of_trees, .which = x->o->table, .why = TR_ERROR_INIT
    };
    return report_judged(cli, &c, err);
}
