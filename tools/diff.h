/* SPDX-License-Identifier: MIT */
/* The parts of tr-diff: options, what is known of both runs, and what is made of it. */
#ifndef DIFF_H
#define DIFF_H

#include "analysis/tr_diff.h"
#include "analysis/tr_headline.h"
#include "analysis/tr_step_times.h"
#include "cli/cli_view.h"
#include "expr/tr_cond.h"

#define DIFF_BY_UNSET (-1)

enum diff_format { DIFF_TEXT, DIFF_TSV, DIFF_CSV, DIFF_JSON, DIFF_MD, DIFF_JUNIT };
enum diff_table { DIFF_HEADLINE, DIFF_STEPS, DIFF_GATE, DIFF_ROWS, DIFF_N_TABLES };

struct diff_opts {
    struct cli_analysis a;
    struct cli_by table_by;  /* as it was given: names of tables, then of what rows are made by */
    int by;                  /* what rows are made by: enum tr_diff_by, or DIFF_BY_UNSET */
    struct cli_list base, test, fail_if;
    const char *baseline, *save;
    bool changed_only, profiler;
    double min_coverage; /* below 0: not asked for */
    int format;          /* enum diff_format, -1: by what the output is */
    enum diff_table table;
};

/* Values of a row that conditions know. */
#define DIFF_N_ROW 18u

/* What is known of a run beside its sums. */
struct diff_side {
    const char *what; /* "base", "test" */
    struct tr_step_times steps;
    struct tr_headline headline;
    bool partial;    /* a trace of it is cut short */
    double coverage; /* the least of its sources; 1 unless it was asked for */
};

/* One of the conditions of --fail-if. */
struct diff_result {
    struct tr_cond *cond;
    const char *text;
    enum { DIFF_PASS, DIFF_FAIL, DIFF_MISSING } verdict;
    uint64_t n_rows; /* for which it is true */
    size_t row;      /* the first of them, if there are any */
    char why[240];   /* DIFF_MISSING: what there is not */
};

struct diff {
    struct diff_opts *o;
    struct tr_diff *d;
    enum tr_diff_by by;
    struct diff_side sides[2];   /* by enum tr_diff_run */
    bool rows, headline;         /* are they needed? */
    struct tr_table *tables[DIFF_N_TABLES]; /* by enum diff_table; one of them may be that which is printed */
    size_t n_rows;               /* of the table of rows, without its totals */
    size_t totals[2];            /* rows of that table: of the host, the device; SIZE_MAX: it has no events */
    size_t columns[DIFF_N_ROW];  /* of that table: what conditions ask for */
    struct diff_result *results;
    size_t n_results;
};

/* ---- diff_read.c, diff_baseline.c: where runs come from ---- */

/* How much memory rows may take; the rest of -M is for reading. */
static inline size_t diff_max_bytes(const struct cli *cli)
{
    return cli_max_memory(cli) / 2;
}

/* Read traces as one run. */
enum tr_status diff_read(struct cli *cli, const struct diff_opts *o, struct diff *x,
                         enum tr_diff_run run, const char *const *paths, size_t n,
                         struct tr_error *err);

/* Take a baseline for the base; its view becomes that of x. */
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
/* TR_OK, or why the program does not end with 0. */
enum tr_status diff_gate_status(const struct diff *x, struct tr_error *err);

/* ---- diff_report.c: tables ---- */

/* Columns of a table, which do not depend on data. */
void diff_columns(const struct diff_opts *o, enum diff_table which, struct tr_table *t);
/* The tables of rows, steps and the headline, from what is known of both runs. */
enum tr_status diff_fill(const struct cli *cli, struct diff *x, struct tr_error *err);
void diff_fill_gate(struct diff *x);
/* What stands above the table of rows in text and Markdown. */
enum tr_status diff_page(struct cli *cli, const struct diff *x, struct tr_error *err);

/* The headline of both runs, side by side. */
void diff_figures(const struct diff *x, struct tr_headline_difference figures[TR_N_HEADLINE]);

/* Of a row: its name, and "host" or "device". */
struct tr_str diff_name(const struct diff *x, size_t row);
struct tr_str diff_where(const struct diff *x, size_t row);

/* ---- diff_junit.c ---- */

enum tr_status diff_junit(struct cli *cli, const struct diff *x, struct tr_error *err);

#endif
