/* SPDX-License-Identifier: MIT */
/* tr-diff: tables of rows, of steps and of conditions. */
#include "diff/diff.h"

#include "analysis/compare/tr_run_summary_table.h"

#include <math.h>
#include <string.h>

/* ---- columns ---- */

#define ARRAY(array) (array), sizeof(array) / sizeof *(array)

/* How long steps take, in a run. */
static const struct tr_table_column step_columns[] = {
    { "statistic", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "mean, median or standard deviation" },
    { "steps", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "steps" },
    { "dur", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "the statistic of their durations" },
    { "variance", TR_CELL_DOUBLE, TR_ROLE_VARIANCE, .of = "dur" },
};
static const struct tr_table_join step_join = {
    .main = "dur",
    .columns = "statistic,base_steps,test_steps,base,test,diff,diff_pct,noise,sigma",
    .extra = "noise",
};

static const struct tr_table_column gate_columns[] = {
    { "condition", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "as it was given" },
    { "result", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "pass, fail or missing" },
    { "rows", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "for which it is true" },
    { "values", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true, .meaning = "of what a true condition is about" },
    { "side", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "host or device, of the first of them" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "of the first of them" },
    { "missing", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .meaning = "data that is missing" },
};

/* Are the names of rows those of events? */
static bool event_names(const struct diff_opts *o)
{
    return o->by == TR_DIFF_BY_NAME || o->by == TR_DIFF_BY_KERNEL || o->by == TR_DIFF_BY_OPERATOR ||
           o->by == DIFF_BY_UNSET;
}

void diff_columns(const struct diff_opts *o, enum diff_table which, struct tr_table *t)
{
    if (which == DIFF_ROWS) {
        tr_diff_differences_columns(event_names(o), o->refined, t);
    } else if (which == DIFF_STEPS) {
        tr_table_join_columns(ARRAY(step_columns), &step_join, t);
    } else if (which == DIFF_HEADLINE) {
        tr_table_columns(t, tr_run_summary_columns, TR_N_RUN_SUMMARY_COLUMNS);
    } else {
        tr_table_columns(t, ARRAY(gate_columns));
    }
}

/* ---- rows ---- */

static void fill_steps(const struct tr_step_times *s, struct tr_table *t)
{
    const struct {
        const char *name;
        double value, variance;
    } rows[] = { { "mean", s->mean, s->std * s->std / (double)s->n },
                 { "p50", s->p50, NAN },
                 { "std", s->std, NAN } };
    tr_table_columns(t, ARRAY(step_columns));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tr_table_string(t, rows[i].name);
        tr_table_count(t, s->n);
        tr_table_time_f(t, rows[i].value);
        tr_table_ratio(t, rows[i].variance);
    }
}

static enum tr_status join_steps(struct tr_table *const sides[2], struct diff *x, struct tr_error *err)
{
    for (int run = 0; run < 2; run++)
        fill_steps(&x->sides[run].steps, sides[run]);
    return tr_table_join(sides[TR_DIFF_BASE], sides[TR_DIFF_TEST], &step_join, x->tables[DIFF_STEPS], err);
}

static enum tr_status join(const struct cli *cli, struct diff *x, enum diff_table which, struct tr_error *err)
{
    struct tr_table *sides[2] = { cli_table_held(cli), cli_table_held(cli) };
    struct tr_diff_differences out = { 0, { SIZE_MAX, SIZE_MAX } };
    enum tr_status st = sides[0] && sides[1] ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK && which == DIFF_STEPS)
        st = join_steps(sides, x, err);
    else if (st == TR_OK)
        st = tr_diff_differences(x->d, x->o->refined, x->o->changed_only, sides, x->tables[which], &out, err);
    if (which == DIFF_ROWS) {
        x->n_rows = out.n_rows;
        memcpy(x->totals, out.totals, sizeof x->totals);
    }
    tr_table_free(sides[0]);
    tr_table_free(sides[1]);
    return st;
}

/* ---- headline ---- */

void diff_figures(const struct diff *x, struct tr_run_summary_difference figures[TR_N_RUN_SUMMARY])
{
    struct tr_run_summary_figure of[2][TR_N_RUN_SUMMARY];
    for (int run = 0; run < 2; run++)
        tr_run_summary_figures(&x->sides[run].headline, &x->sides[run].steps, of[run]);
    for (int m = 0; m < TR_N_RUN_SUMMARY; m++)
        figures[m] = tr_run_summary_compare(of[TR_DIFF_BASE][m], of[TR_DIFF_TEST][m]);
}

static void fill_headline(struct diff *x)
{
    struct tr_run_summary_difference figures[TR_N_RUN_SUMMARY];
    diff_figures(x, figures);
    for (int m = 0; m < TR_N_RUN_SUMMARY && x->headline; m++)
        tr_run_summary_row(x->tables[DIFF_HEADLINE], (enum tr_run_summary_metric)m, figures[m]);
}

enum tr_status diff_fill(const struct cli *cli, struct diff *x, struct tr_error *err)
{
    enum tr_status st = join(cli, x, DIFF_ROWS, err);
    if (st != TR_OK)
        return st;
    fill_headline(x);
    st = tr_table_status(x->tables[DIFF_HEADLINE], err);
    return st == TR_OK ? join(cli, x, DIFF_STEPS, err) : st;
}

/* Columns of the table of rows that say which row it is. */
static void find_labels(const struct diff *x, size_t *where, size_t *name)
{
    *where = tr_table_find(x->tables[DIFF_ROWS], "side");
    *name = tr_table_find(x->tables[DIFF_ROWS], "name");
    if (x->of_table)
        diff_vars_row(x->of_table, where, name);
}

struct tr_str diff_name(const struct diff *x, size_t row)
{
    size_t where, name;
    find_labels(x, &where, &name);
    return tr_table_get(x->tables[DIFF_ROWS], row, name);
}

struct tr_str diff_where(const struct diff *x, size_t row)
{
    size_t where, name;
    find_labels(x, &where, &name);
    return tr_table_get(x->tables[DIFF_ROWS], row, where);
}

void diff_fill_gate(struct diff *x)
{
    static const char *const verdicts[] = { "pass", "fail", "missing" };
    struct tr_table *t = x->tables[DIFF_GATE];
    for (size_t i = 0; i < x->n_results; i++) {
        const struct diff_result *r = &x->results[i];
        tr_table_string(t, r->text);
        tr_table_string(t, verdicts[r->verdict]);
        tr_table_count(t, r->n_rows);
        tr_table_string(t, r->verdict == DIFF_FAIL && r->values[0] ? r->values : NULL);
        tr_table_text(t, r->n_rows ? diff_where(x, r->row) : tr_str_of(NULL));
        tr_table_text(t, r->n_rows ? diff_name(x, r->row) : tr_str_of(NULL));
        tr_table_string(t, r->verdict == DIFF_MISSING ? r->why : NULL);
    }
}

/* ---- parts before the rows: in Markdown the options, the headline and steps; in text the headline ---- */

/* heading NULL: none. */
static enum tr_status add_section(struct tr_table *t, const struct tr_row_sink *sink, const char *heading,
                                  struct tr_buf *out, struct tr_error *err)
{
    bool ok = !heading || tr_buf_add_str(out, heading);
    enum tr_status st = tr_table_write(t, sink, out, err);
    ok = ok && tr_buf_add_str(out, "\n");
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

static enum tr_status add_markdown(const struct diff *x, struct tr_buf *out, struct tr_error *err)
{
    const struct tr_row_sink *md = &tr_row_sink_md;
    bool steps = x->sides[TR_DIFF_BASE].steps.n || x->sides[TR_DIFF_TEST].steps.n;
    enum tr_status st = TR_OK;
    if (x->n_results)
        st = add_section(x->tables[DIFF_GATE], md, "## Conditions\n\n", out, err);
    if (st == TR_OK)
        st = add_section(x->tables[DIFF_HEADLINE], md, "## Headline\n\n", out, err);
    if (st == TR_OK && steps)
        st = add_section(x->tables[DIFF_STEPS], md, "## Steps\n\n", out, err);
    bool ok = tr_buf_add_str(out, "## By ") && tr_buf_add_str(out, tr_diff_by_names[x->by]) &&
              tr_buf_add_str(out, "\n\n");
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

enum tr_status diff_page(struct cli *cli, const struct diff *x, struct tr_error *err)
{
    const struct tr_row_sink *sink = cli_report_sink(cli);
    struct tr_buf out = { 0 };
    enum tr_status st = TR_OK;
    if (sink == &tr_row_sink_md)
        st = add_markdown(x, &out, err);
    else if (sink == &tr_row_sink_text)
        st = add_section(x->tables[DIFF_HEADLINE], sink, NULL, &out, err);
    if (st == TR_OK && out.len)
        st = cli_write_report(cli, &out, err);
    tr_buf_free(&out);
    return st;
}
