/* The parts of tr-diff: options, what is known of both runs, and what is made of it. */
#ifndef DIFF_H
#define DIFF_H

#include "analysis/tr_diff.h"
#include "analysis/tr_step_times.h"
#include "cli/cli_analysis.h"
#include "expr/tr_cond.h"

#define DIFF_BY_UNSET (-1)

enum diff_format { DIFF_TEXT, DIFF_TSV, DIFF_CSV, DIFF_JSON, DIFF_MD, DIFF_JUNIT };
enum diff_table { DIFF_ROWS, DIFF_STEPS, DIFF_GATE };

struct diff_opts {
    struct cli_analysis a;
    int by; /* enum tr_diff_by, or DIFF_BY_UNSET */
    struct cli_list base, test, fail_if;
    const char *baseline, *save;
    uint64_t top; /* 0: all */
    bool changed_only;
    double min_coverage; /* below 0: not asked for */
    int format;          /* enum diff_format, -1: by what the output is */
    int table;           /* enum diff_table */
};

/* What is known of a run beside its sums. */
struct diff_side {
    const char *what; /* "base", "test" */
    struct tr_step_times steps;
    bool partial;    /* a trace of it is cut short */
    double coverage; /* the least of its sources; 1 unless it was asked for */
};

/* One of the conditions of --fail-if. */
struct diff_result {
    struct tr_cond *cond;
    const char *text;
    enum { DIFF_PASS, DIFF_FAIL, DIFF_MISSING } verdict;
    uint64_t n_rows;               /* for which it is true */
    const struct tr_diff_row *row; /* the first of them; NULL: it is not about rows */
    char why[240];                 /* DIFF_MISSING: what there is not */
};

struct diff {
    struct tr_diff *d;
    enum tr_diff_by by;
    struct diff_side sides[2]; /* by enum tr_diff_run */
    const struct tr_diff_row *rows;
    size_t n_rows;
    struct tr_diff_row total;
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
enum tr_status diff_gate_status(const struct diff_opts *o, const struct diff *x,
                                struct tr_error *err);

/* ---- diff_numbers.c: numbers of rows and steps, in ns ---- */

struct diff_numbers {
    uint64_t count[2];
    int64_t us[2], self[2], diff, self_diff; /* a total has nothing but self */
    double mean[2];                          /* NaN: no event */
    double pct;   /* infinite where the base has none, NaN where neither run has */
    double noise; /* NaN: not known */
    double sigma;
};
struct diff_numbers diff_numbers_of(const struct tr_diff_row *r, bool sum);
const char *diff_change(const struct diff_numbers *n);

/* Statistics of steps, by run; the difference, its percentage and size in units of noise. */
struct diff_step_numbers {
    double value[2], diff, pct, noise, sigma; /* NaN: not known */
};
enum diff_step_statistic { DIFF_STEP_MEAN, DIFF_STEP_P50, DIFF_STEP_STD, DIFF_N_STEP };
extern const char *const diff_step_names[];
struct diff_step_numbers diff_step_numbers_of(const struct diff *x, enum diff_step_statistic s);

/* ---- diff_report.c, diff_junit.c ---- */

enum tr_status diff_report(struct cli *cli, const struct diff_opts *o, const struct diff *x,
                           struct tr_error *err);
enum tr_status diff_junit(const struct diff *x, struct tr_buf *out, struct tr_error *err);

#endif
