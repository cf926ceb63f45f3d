/* SPDX-License-Identifier: MIT */
/* The parts of tr-diff: options, the data of both runs, and the results. */
#ifndef DIFF_H
#define DIFF_H

#include "analysis/compare/tr_compared.h"
#include "analysis/compare/tr_diff.h"
#include "analysis/compare/tr_run_summary.h"
#include "analysis/compare/tr_tree_diff.h"
#include "analysis/time/tr_step_times.h"
#include "cli/cli_view.h"
#include "expr/tr_cond.h"

#define DIFF_BY_UNSET (-1)

enum diff_format {
    DIFF_TEXT, DIFF_TSV, DIFF_CSV, DIFF_JSON, DIFF_MD, DIFF_SVG, DIFF_VEGA, DIFF_JUNIT, DIFF_SQLITE, DIFF_XLSX
};
/* What --by asks for: one of the tables below, or the trees. */
enum diff_table { DIFF_HEADLINE, DIFF_STEPS, DIFF_GATE, DIFF_ROWS, DIFF_N_TABLES };

struct diff_opts {
    struct cli_analysis a;
    struct tr_option_by table_by;  /* as given: names of tables, then names of views of rows */
    int by;                  /* the view of rows: enum tr_diff_by, or DIFF_BY_UNSET */
    unsigned refined;        /* of rows by operator: enum tr_diff_refined */
    bool of_tables;          /* --by table: tables that were printed before are compared */
    const char *of_command;  /* or those of this view of each run; NULL: none */
    const char *of_part;     /* or those of the view that this file holds; NULL: none */
    const char *keys;        /* of such a table */
    bool of_trend;           /* --by trend: several runs */
    bool of_tree;            /* --by tree: the trees are compared, and there are no other tables */
    enum tr_tree_diff_view tree;
    struct tr_option_list base, test, fail_if;
    struct tr_option_list where[2]; /* further expressions for events of a run, by enum tr_diff_run */
    struct tr_option_list captures, own_captures[2]; /* of graphs: of both runs, and of one */
    const char *save; /* a partial result, which is written in place of a comparison */
    bool changed_only, profiler;
    double min_coverage; /* negative: not requested */
    int format;          /* enum diff_format; -1: depends on the output */
    enum diff_table table;
};

/* The number of values of a row that conditions can use. */
#define DIFF_N_ROW (18u + TR_DIFF_MORE)

/* The data of a run in addition to its sums. */
struct diff_side {
    const char *what; /* "base", "test" */
    struct tr_step_times steps;
    struct tr_run_summary headline;
    bool partial;    /* a trace of it is cut short */
    double coverage; /* the lowest one of its sources; 1 if it was not requested */
    char input[200]; /* the name of its first trace; "": it has partial results alone */
    int64_t *ranks;  /* of partial results */
    size_t n_ranks, cap_ranks;
};

/* One of the conditions of --fail-if. */
struct diff_result {
    struct tr_cond *cond;
    const char *text;
    enum { DIFF_PASS, DIFF_FAIL, DIFF_MISSING } verdict;
    uint64_t n_rows; /* for which it is true */
    size_t row;      /* the first of them, if there are any */
    char why[240];   /* DIFF_MISSING: the missing data */
    char values[300]; /* DIFF_FAIL: what the condition is about, of that row if it is about rows; "": nothing */
};

/* What conditions on a table of another form can use: names, and where they stand. */
struct diff_vars;

struct diff {
    struct diff_opts *o;
    struct diff_vars *of_table; /* of --by tree and --by table; NULL: the names of diff_gate.c */
    struct tr_diff *d;
    enum tr_diff_by by;
    struct diff_side sides[2];   /* by enum tr_diff_run */
    bool rows, headline;         /* are they needed? */
    struct tr_table *tables[DIFF_N_TABLES]; /* by enum diff_table; one of them may be the printed one */
    size_t n_rows;               /* of the table of rows, without its totals */
    size_t totals[2];            /* rows of that table: of the host, the device; SIZE_MAX: it has no events */
    size_t columns[DIFF_N_ROW];  /* of that table: those that conditions use */
    struct diff_result *results;
    size_t n_results;
};

/* The traces of a run. */
struct diff_paths {
    const char *const *v;
    size_t n;
};

/* ---- diff_read.c, diff_partial.c: the sources of runs ---- */

#define DIFF_PARTIAL "diff" /* the view of its partial results */

/* The memory for rows; the rest of -M is for reading. */
static inline size_t diff_max_bytes(const struct cli *cli)
{
    return cli_max_memory(cli) / 2;
}

/* The selection of a run: that of both, and the expressions of its own.  Free a->select.where.items afterwards. */
enum tr_status diff_select_run(const struct diff_opts *o, enum tr_diff_run run, struct cli_analysis *a,
                               struct tr_error *err);

/* Read traces and partial results as one run.  With --save-partial, it is written. */
enum tr_status diff_read(struct cli *cli, const struct diff_opts *o, struct diff *x,
                         enum tr_diff_run run, const char *const *paths, size_t n,
                         struct tr_error *err);

enum { DIFF_DISTINCT = 1 }; /* percentiles are not used */

/* The view of rows of the first partial result of a run; -1: there is none. */
int diff_partial_view(struct cli *cli, const struct diff_paths runs[2]);
/* The names of the partial results of the analyses of the headline. */
void diff_partial_names(struct tr_runner *headline);
/* Write the base; its events have been fed to the runner of the headline, which has not finished. */
enum tr_status diff_partial_save(struct cli *cli, struct diff *x, const struct cli_analysis *a,
                                 struct tr_runner *headline, struct tr_error *err);
/* Add the partial results of an input to a run; headline: from tr_runner_start_partials, NULL: it is not needed;
 * events: of the headline of the traces of the input. */
enum tr_status diff_partial_load(struct diff *x, enum tr_diff_run run, const struct cli_analysis *a,
                                 struct tr_runner *headline, struct tr_runner *events, struct tr_error *err);

/* ---- diff_gate.c: conditions ---- */

enum tr_status diff_gate_compile(struct cli *cli, const struct diff_opts *o, struct diff *x,
                                 struct tr_error *err);
enum tr_status diff_gate_judge(struct diff *x, struct tr_error *err);
void diff_gate_free(struct diff *x);
/* ---- diff_gate_table.c: the same on the rows of trees and tables, which stand in x->tables[DIFF_ROWS] ---- */

/* t: a table with its columns.  run: the column that says which tables have a row.  Free *out in any case. */
#define DIFF_POINTS SIZE_MAX /* it is the table of --by tree */
enum tr_status diff_vars_new(struct diff_vars **out, const struct tr_table *t, size_t run, struct tr_error *err);
/* Columns of texts that say which row it is. */
void diff_vars_row(const struct diff_vars *v, size_t *where, size_t *name);
void diff_vars_free(struct diff_vars *v);
const struct tr_cond_var *diff_vars_list(const struct diff_vars *v, size_t *n);
enum tr_status diff_judge_table(struct diff *x, struct tr_error *err);

/* ---- diff_trend.c: --by trend ---- */

enum tr_status diff_report_trend(struct cli *cli, struct diff *x, struct tr_error *err);

/* ---- diff_values.c: the values that a message has ---- */

/* Add "LABEL BASE -> TEST (PCT %, SIGMA sigma)" to a text; times in ns, sigma NaN: it is not known. */
void diff_values_add(char *out, size_t size, const char *label, double base, double test, double sigma, bool time);
/* Those of a table of any form, by the names of its columns. */
void diff_values_of_table(struct diff_result *r, const struct tr_cond_var *vars, size_t n,
                          const struct tr_cond_value *values);

/* A table of conditions is empty if there are none. */
void diff_gate_remark(struct cli *cli, const struct diff *x);
/* TR_OK, or the reason why the program does not end with 0. */
enum tr_status diff_gate_status(const struct diff *x, struct tr_error *err);

/* ---- diff_report.c: tables ---- */

/* Columns of a table, which do not depend on data. */
void diff_columns(const struct diff_opts *o, enum diff_table which, struct tr_table *t);
/* Fill the tables of rows, steps and the headline from the data of both runs. */
enum tr_status diff_fill(const struct cli *cli, struct diff *x, struct tr_error *err);
void diff_fill_gate(struct diff *x);
/* The parts above the table of rows in text and Markdown. */
enum tr_status diff_page(struct cli *cli, const struct diff *x, struct tr_error *err);

/* The headline of both runs, side by side. */
void diff_figures(const struct diff *x, struct tr_run_summary_difference figures[TR_N_RUN_SUMMARY]);

/* Of a row: its name, and "host" or "device", or what else says which row it is. */
struct tr_str diff_name(const struct diff *x, size_t row);
struct tr_str diff_where(const struct diff *x, size_t row);

/* ---- diff_tree.c ---- */

void diff_tree_columns(const struct diff_opts *o, struct tr_table *t);
enum tr_status diff_tree_fill(struct cli *cli, struct diff *x, const struct diff_paths runs[2], struct tr_table *t,
                              struct tr_error *err);

/* ---- described tables: diff_printed.c, diff_views.c ---- */

/*
 * Tables that were printed before, the base first.  keys: names of columns with commas between, NULL: those of the
 * view.  Free tables, which have room for TR_COMPARED_MAX, in any case.
 */
enum tr_status diff_printed(struct cli *cli, const struct diff_paths *paths, const char *keys, struct tr_table **tables,
                            struct tr_error *err);
/* The rows of the view of --of, or of o->of_part, of each run; of a run without files, only the columns. */
enum tr_status diff_view_tables(struct cli *cli, const struct diff_opts *o, const struct diff_paths *runs, size_t n,
                                struct tr_table **tables, struct tr_error *err);
/* Set o->of_part, if the first partial result among the files is one of a view. */
enum tr_status diff_find_part(struct cli *cli, struct diff_opts *o, struct tr_error *err);

/* ---- diff_judged.c: the programs --by tree and --by table ---- */

enum tr_status diff_report_trees(struct cli *cli, struct diff *x, const struct diff_paths runs[2],
                                 struct tr_error *err);
/* Of the operands, or of the view of --of or of a partial result. */
enum tr_status diff_report_tables(struct cli *cli, struct diff *x, const struct diff_paths runs[2],
                                  struct tr_error *err);

/* ---- diff_junit.c ---- */

enum tr_status diff_junit(struct cli *cli, const struct diff *x, struct tr_error *err);

#endif
