/* SPDX-License-Identifier: MIT */
/* The parts of tr-diff: options, the data of both runs, and the results. */
#ifndef DIFF_H
#define DIFF_H

#include "analysis/tr_diff.h"
#include "analysis/tr_headline.h"
#include "analysis/tr_step_times.h"
#include "analysis/tr_tree_diff.h"
#include "cli/cli_view.h"
#include "expr/tr_cond.h"

#define DIFF_BY_UNSET (-1)

enum diff_format { DIFF_TEXT, DIFF_TSV, DIFF_CSV, DIFF_JSON, DIFF_MD, DIFF_JUNIT };
/* What --by asks for: one of the tables below, or the trees. */
enum diff_table { DIFF_HEADLINE, DIFF_STEPS, DIFF_GATE, DIFF_ROWS, DIFF_N_TABLES };

struct diff_opts {
    struct cli_analysis a;
    struct cli_by table_by;  /* as given: names of tables, then names of views of rows */
    int by;                  /* the view of rows: enum tr_diff_by, or DIFF_BY_UNSET */
    unsigned refined;        /* of rows by operator: enum tr_diff_refined */
    bool of_saved;           /* --by table: tables that were printed before are compared */
    const char *keys;        /* of such a table */
    bool of_tree;            /* --by tree: the trees are compared, and there are no other tables */
    enum tr_tree_diff_view tree;
    struct cli_list base, test, fail_if;
    struct cli_list where[2]; /* further expressions for events of a run, by enum tr_diff_run */
    const char *baseline, *save;
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
    struct tr_headline headline;
    bool partial;    /* a trace of it is cut short */
    double coverage; /* the lowest one of its sources; 1 if it was not requested */
};

/* One of the conditions of --fail-if. */
struct diff_result {
    struct tr_cond *cond;
    const char *text;
    enum { DIFF_PASS, DIFF_FAIL, DIFF_MISSING } verdict;
    uint64_t n_rows; /* for which it is true */
    size_t row;      /* the first of them, if there are any */
    char why[240];   /* DIFF_MISSING: the missing data */
};

struct diff {
    struct diff_opts *o;
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

/* ---- diff_read.c, diff_baseline.c: the sources of runs ---- */

/* The memory for rows; the rest of -M is for reading. */
static inline size_t diff_max_bytes(const struct cli *cli)
{
    return cli_max_memory(cli) / 2;
}

/* The selection of a run: that of both, and the expressions of its own.  Free a->select.where.items afterwards. */
enum tr_status diff_select_run(const struct diff_opts *o, enum tr_diff_run run, struct cli_analysis *a,
                               struct tr_error *err);

/* Read traces as one run. */
enum tr_status diff_read(struct cli *cli, const struct diff_opts *o, struct diff *x,
                         enum tr_diff_run run, const char *const *paths, size_t n,
                         struct tr_error *err);

/* Read a baseline as the base; x gets its view. */
enum tr_status diff_baseline_read(const struct cli *cli, const struct diff_opts *o, struct diff *x,
                                  struct tr_error *err);
/* Write the base as a baseline to the output. */
enum tr_status diff_baseline_write(struct cli *cli, const struct diff_opts *o, struct diff *x,
                                   struct tr_error *err);

/* ---- diff_gate.c: conditions ---- */

enum tr_status diff_gate_compile(struct cli *cli, const struct diff_opts *o, struct diff *x,
                                 struct tr_error *err);
enum tr_status diff_gate_judge(struct diff *x, struct tr_error *err);
void diff_gate_free(struct diff *x);
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
void diff_figures(const struct diff *x, struct tr_headline_difference figures[TR_N_HEADLINE]);

/* Of a row: its name, and "host" or "device". */
struct tr_str diff_name(const struct diff *x, size_t row);
struct tr_str diff_where(const struct diff *x, size_t row);

/* ---- diff_tree.c ---- */

void diff_tree_columns(const struct diff_opts *o, struct tr_table *t);
enum tr_status diff_tree_fill(struct cli *cli, const struct diff_opts *o, const struct diff_paths runs[2],
                              struct tr_table *t, struct tr_error *err);

/* ---- diff_saved.c ---- */

#define DIFF_MAX_TABLES 8u
struct diff_saved;

/* Read the tables, the base first.  keys: names of columns with commas between, NULL: as the tables say.  Free *out. */
enum tr_status diff_saved_open(struct cli *cli, const struct diff_paths *paths, const char *keys,
                               struct diff_saved **out, struct tr_error *err);
void diff_saved_free(struct diff_saved *s);
void diff_saved_columns(struct diff_saved *s, struct tr_table *t);
enum tr_status diff_saved_fill(const struct diff_saved *s, struct tr_table *t, struct tr_error *err);

/* ---- diff_junit.c ---- */

enum tr_status diff_junit(struct cli *cli, const struct diff *x, struct tr_error *err);

#endif
