/* SPDX-License-Identifier: MIT */
/* tr-diff: conditions, and the data that they need. */
#include "cli/cli_expr.h"
#include "diff/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum var {
    NAME,
    SHAPES, /* the arguments of the operator, in rows that have them */
    SIDE = SHAPES + TR_DIFF_MORE,
    CHANGE,
    ROW,                /* numbers of the row */
    MEAN_DIFF = DIFF_N_ROW - 3,
    TOTAL = DIFF_N_ROW, /* of the totals: of the host, then of the device */
    N_TOTAL = 10,
    STEP = TOTAL + 2 * N_TOTAL,
    STEP_MEAN = STEP + 2, /* statistics: base, test, diff, pct */
    STEP_STD = STEP_MEAN + 4 * 2,
    STEP_NOISE = STEP_STD + 4,
    STEP_SIGMA,
    HEADLINE, /* base, test, diff, pct, sigma of each metric */
    N_FIGURES = 5,
    N_VARS = HEADLINE + N_FIGURES * TR_N_RUN_SUMMARY
};

#define FIGURES(name)                                                                                            \
    { name ".base_us", TR_COND_TIME }, { name ".test_us", TR_COND_TIME }, { name ".diff_us", TR_COND_TIME },     \
        { name ".diff_pct", TR_COND_PCT }, { name ".sigma", TR_COND_NUMBER }

static const struct tr_cond_var vars[N_VARS] = {
    { "name", TR_COND_TEXT },
    { "shapes", TR_COND_TEXT },
    { "dtypes", TR_COND_TEXT },
    { "strides", TR_COND_TEXT },
    { "args", TR_COND_TEXT },
    { "side", TR_COND_TEXT },
    { "change", TR_COND_TEXT },
    { "base_count", TR_COND_NUMBER },
    { "test_count", TR_COND_NUMBER },
    { "diff_count", TR_COND_NUMBER },
    { "base_us", TR_COND_TIME },
    { "test_us", TR_COND_TIME },
    { "diff_us", TR_COND_TIME },
    { "base_self_us", TR_COND_TIME },
    { "test_self_us", TR_COND_TIME },
    { "diff_self_us", TR_COND_TIME },
    { "diff_pct", TR_COND_PCT },
    { "base_mean_us", TR_COND_TIME },
    { "test_mean_us", TR_COND_TIME },
    { "mean_diff_us", TR_COND_TIME },
    { "noise_us", TR_COND_TIME },
    { "sigma", TR_COND_NUMBER },
    { "host.base_count", TR_COND_NUMBER },
    { "host.test_count", TR_COND_NUMBER },
    { "host.diff_count", TR_COND_NUMBER },
    { "host.base_us", TR_COND_TIME },
    { "host.test_us", TR_COND_TIME },
    { "host.diff_us", TR_COND_TIME },
    { "host.base_self_us", TR_COND_TIME },
    { "host.test_self_us", TR_COND_TIME },
    { "host.diff_self_us", TR_COND_TIME },
    { "host.diff_pct", TR_COND_PCT },
    { "device.base_count", TR_COND_NUMBER },
    { "device.test_count", TR_COND_NUMBER },
    { "device.diff_count", TR_COND_NUMBER },
    { "device.base_us", TR_COND_TIME },
    { "device.test_us", TR_COND_TIME },
    { "device.diff_us", TR_COND_TIME },
    { "device.base_self_us", TR_COND_TIME },
    { "device.test_self_us", TR_COND_TIME },
    { "device.diff_self_us", TR_COND_TIME },
    { "device.diff_pct", TR_COND_PCT },
    { "step.base_count", TR_COND_NUMBER },
    { "step.test_count", TR_COND_NUMBER },
    { "step.base_mean_us", TR_COND_TIME },
    { "step.test_mean_us", TR_COND_TIME },
    { "step.diff_us", TR_COND_TIME },
    { "step.diff_pct", TR_COND_PCT },
    { "step.base_p50_us", TR_COND_TIME },
    { "step.test_p50_us", TR_COND_TIME },
    { "step.p50_diff_us", TR_COND_TIME },
    { "step.p50_diff_pct", TR_COND_PCT },
    { "step.base_std_us", TR_COND_TIME },
    { "step.test_std_us", TR_COND_TIME },
    { "step.std_diff_us", TR_COND_TIME },
    { "step.std_diff_pct", TR_COND_PCT },
    { "step.noise_us", TR_COND_TIME },
    { "step.sigma", TR_COND_NUMBER },
    FIGURES("step_time"),
    FIGURES("busy"),
    FIGURES("compute"),
    FIGURES("exposed_comm"),
    FIGURES("idle"),
    { "launches.base", TR_COND_NUMBER },
    { "launches.test", TR_COND_NUMBER },
    { "launches.diff", TR_COND_NUMBER },
    { "launches.diff_pct", TR_COND_PCT },
    { "launches.sigma", TR_COND_NUMBER },
};

/* A condition on arguments of operators needs rows that have them. */
static enum tr_status check_arguments(const struct diff_opts *o, const struct diff_result *r, struct tr_error *err)
{
    size_t known = o->refined & TR_DIFF_ARGS ? TR_DIFF_MORE : o->refined ? TR_DIFF_MORE - 1 : 0;
    for (size_t i = known; i < TR_DIFF_MORE; i++)
        if (tr_cond_uses(r->cond, SHAPES + i))
            return tr_fail(err, TR_USAGE, "'%.100s' is about arguments: add --by operator,%s", r->text,
                           SHAPES + i + 1 == SIDE ? "args" : "shape");
    return TR_OK;
}

enum tr_status diff_gate_compile(struct cli *cli, const struct diff_opts *o, struct diff *x,
                                 struct tr_error *err)
{
    struct tr_buf shown = { 0 };
    enum tr_status st = TR_OK;
    size_t n = N_VARS;
    const struct tr_cond_var *known = x->of_table ? diff_vars_list(x->of_table, &n) : vars;
    x->results = calloc(o->fail_if.n + 1, sizeof *x->results);
    if (!x->results)
        return tr_fail_memory(err);
    for (size_t i = 0; i < o->fail_if.n && st == TR_OK; i++) {
        struct diff_result *r = &x->results[i];
        r->text = o->fail_if.items[i];
        st = tr_cond_compile(&r->cond, r->text, known, n, err);
        x->n_results += st == TR_OK;
    }
    for (size_t i = 0; i < x->n_results && st == TR_OK && !x->of_table; i++) {
        st = check_arguments(o, &x->results[i], err);
        if (st != TR_OK)
            return st;
    }
    if (st != TR_USAGE)
        return st;
    tr_error_input(err, "condition of --fail-if");
    if (!tr_expr_caret(o->fail_if.items[x->n_results], err, &shown))
        shown.len = 0;
    cli_show_below(cli, &shown);
    return st;
}

void diff_gate_free(struct diff *x)
{
    for (size_t i = 0; i < x->n_results; i++)
        tr_cond_free(x->results[i].cond);
    free(x->results);
    diff_vars_free(x->of_table);
}

/* ---- values ---- */

/* The columns of the table of rows, with their names in conditions: without the unit of the table. */
static void find_columns(struct diff *x)
{
    for (size_t i = 0; i < DIFF_N_ROW; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s", vars[i].name);
        size_t len = strlen(name);
        if (vars[i].type == TR_COND_TIME)
            name[len - 3] = '\0'; /* "_us" */
        x->columns[i] = tr_table_find(x->tables[DIFF_ROWS], name);
    }
}

static double number(const struct diff *x, size_t row, size_t var)
{
    return tr_table_number(x->tables[DIFF_ROWS], row, x->columns[var]);
}

/* The names that total and row share, in their order. */
static void fill_numbers(struct tr_cond_value *v, const struct diff *x, size_t row)
{
    for (size_t i = 0; i < N_TOTAL; i++)
        v[i].number = number(x, row, ROW + i);
    if (isnan(v[N_TOTAL - 1].number))
        v[N_TOTAL - 1].number = 0; /* nothing became nothing */
}

static void fill_row(struct tr_cond_value *v, const struct diff *x, size_t row)
{
    for (size_t i = NAME; i < ROW; i++)
        v[i].text = x->columns[i] == SIZE_MAX ? tr_str_of(NULL)
                                              : tr_table_get(x->tables[DIFF_ROWS], row, x->columns[i]);
    fill_numbers(v + ROW, x, row);
    for (size_t i = ROW + N_TOTAL; i < DIFF_N_ROW; i++)
        v[i].number = i == MEAN_DIFF ? v[MEAN_DIFF - 1].number - v[MEAN_DIFF - 2].number : number(x, row, i);
}

/* A side without events has nothing to compare. */
static void fill_total(struct tr_cond_value *v, const struct diff *x, size_t row)
{
    if (row != SIZE_MAX)
        fill_numbers(v, x, row);
    for (size_t i = 0; row == SIZE_MAX && i < N_TOTAL; i++)
        v[i].number = NAN;
}

static void fill_figures(struct tr_cond_value *v, const struct diff *x)
{
    struct tr_run_summary_difference figures[TR_N_RUN_SUMMARY];
    diff_figures(x, figures);
    for (int m = 0; m < TR_N_RUN_SUMMARY; m++, v += N_FIGURES) {
        const struct tr_run_summary_difference *f = &figures[m];
        v[0].number = f->base;
        v[1].number = f->test;
        v[2].number = f->diff;
        v[3].number = f->base == 0 ? f->diff > 0 ? INFINITY : 0 : f->pct;
        v[4].number = f->sigma;
    }
}

static void fill_whole(struct tr_cond_value *v, const struct diff *x)
{
    static const char *const names[] = { "base", "test", "diff", "diff_pct", "noise", "sigma" };
    const struct tr_table *steps = x->tables[DIFF_STEPS];
    for (size_t side = 0; side < 2; side++)
        fill_total(v + TOTAL + N_TOTAL * side, x, x->totals[side]);
    v[STEP].number = (double)x->sides[TR_DIFF_BASE].steps.n;
    v[STEP + 1].number = (double)x->sides[TR_DIFF_TEST].steps.n;
    for (size_t i = 0; i < 4; i++)
        for (size_t row = 0; row < 3; row++)
            v[STEP_MEAN + 4 * row + i].number = tr_table_number(steps, row, tr_table_find(steps, names[i]));
    v[STEP_NOISE].number = tr_table_number(steps, 0, tr_table_find(steps, names[4]));
    v[STEP_SIGMA].number = tr_table_number(steps, 0, tr_table_find(steps, names[5]));
    fill_figures(v + HEADLINE, x);
}

/* ---- missing data ---- */

static bool uses(const struct diff_result *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (tr_cond_uses(r->cond, i))
            return true;
    return false;
}

static bool missing_steps(struct diff_result *r, const struct diff *x)
{
    bool spread = tr_cond_uses(r->cond, STEP_NOISE) || tr_cond_uses(r->cond, STEP_SIGMA) ||
                  uses(r, STEP_STD, STEP_STD + 4);
    for (int run = 0; run < 2; run++) {
        const struct diff_side *side = &x->sides[run];
        if (side->steps.n == 0)
            snprintf(r->why, sizeof r->why, "the %s has no steps", side->what);
        else if (spread && side->steps.n == 1)
            snprintf(r->why, sizeof r->why,
                     "the %s has one step: noise needs at least two", side->what);
        else
            continue;
        return true;
    }
    return false;
}

static const char *const side_names[] = { "host", "device" };

/* Events of a side in a run. */
static double events(const struct diff *x, size_t side, int run)
{
    return x->totals[side] == SIZE_MAX ? 0 : number(x, x->totals[side], ROW + (size_t)run);
}

/* A run in which one side was not recorded is not a faster run. */
static bool missing_events(struct diff_result *r, const struct diff *x)
{
    for (int run = 0; run < 2; run++) {
        if (events(x, 0, run) + events(x, 1, run) > 0)
            continue;
        snprintf(r->why, sizeof r->why, "the %s has no events to compare", x->sides[run].what);
        return true;
    }
    for (size_t i = 0; i < 2; i++) {
        bool base = events(x, i, TR_DIFF_BASE) > 0, test = events(x, i, TR_DIFF_TEST) > 0;
        bool asked = uses(r, TOTAL + N_TOTAL * i, TOTAL + N_TOTAL * (i + 1));
        if (base && test)
            continue;
        if (base != test)
            snprintf(r->why, sizeof r->why, "the %s has no %s events, the %s has", x->sides[base ? 1 : 0].what,
                     side_names[i], x->sides[base ? 0 : 1].what);
        else if (asked)
            snprintf(r->why, sizeof r->why, "neither run has %s events", side_names[i]);
        if (base != test || asked)
            return true;
    }
    return false;
}

/* A name in a condition must be in both runs. */
static bool missing_name(struct diff_result *r, size_t leaf, const struct diff *x,
                         struct tr_cond_value *v)
{
    bool found[2] = { false, false };
    for (size_t i = 0; i < x->n_rows; i++) {
        fill_row(v, x, i);
        if (!tr_cond_leaf_eval(r->cond, leaf, v))
            continue;
        for (int run = 0; run < 2; run++)
            found[run] |= v[ROW + run].number > 0;
    }
    for (int run = 0; run < 2; run++) {
        if (found[run])
            continue;
        snprintf(r->why, sizeof r->why, "the %s has no such name", x->sides[run].what);
        return true;
    }
    return false;
}

/* A metric without data does not pass. */
static bool missing_figure(struct diff_result *r, enum tr_run_summary_metric metric, const struct diff *x)
{
    size_t first = HEADLINE + N_FIGURES * (size_t)metric;
    if (!uses(r, first, first + N_FIGURES))
        return false;
    bool spread = tr_cond_uses(r->cond, first + N_FIGURES - 1);
    for (int run = 0; run < 2; run++) {
        const struct diff_side *side = &x->sides[run];
        struct tr_run_summary_figure f[TR_N_RUN_SUMMARY];
        tr_run_summary_figures(&side->headline, &side->steps, f);
        bool nothing = !side->headline.whole[TR_RUN_SUMMARY_BUSY]; /* idle is unknown, too */
        if (metric == TR_RUN_SUMMARY_STEP_TIME ? !side->steps.n : nothing)
            snprintf(r->why, sizeof r->why, "the %s has no %s", side->what,
                     metric == TR_RUN_SUMMARY_STEP_TIME ? "steps" : "device work");
        else if (isnan(f[metric].value))
            snprintf(r->why, sizeof r->why, "%s of the %s is not known", tr_run_summary_names[metric], side->what);
        else if (spread && isnan(f[metric].variance))
            snprintf(r->why, sizeof r->why, "the %s has fewer than two steps: noise needs at least two", side->what);
        else
            continue;
        return true;
    }
    return false;
}

static bool is_missing(struct diff_result *r, const struct diff *x, struct tr_cond_value *v)
{
    for (int run = 0; run < 2; run++) {
        if (!x->sides[run].partial)
            continue;
        snprintf(r->why, sizeof r->why, "the %s is cut short", x->sides[run].what);
        return true;
    }
    if (uses(r, STEP, HEADLINE) && missing_steps(r, x))
        return true;
    for (int m = 0; m < TR_N_RUN_SUMMARY; m++)
        if (missing_figure(r, (enum tr_run_summary_metric)m, x))
            return true;
    if (uses(r, NAME, STEP) && missing_events(r, x))
        return true;
    /* a condition on added or removed rows is for names that are not in both runs */
    bool presence = uses(r, CHANGE, ROW + 3);
    for (size_t k = 0; k < tr_cond_leaves(r->cond) && !presence; k++)
        if (tr_cond_leaf_var(r->cond, k) < SIDE && tr_cond_leaf_like(r->cond, k) &&
            missing_name(r, k, x, v))
            return true;
    return false;
}

/* ---- the values of what a condition is about ---- */

/* Numbers of a row or a total, from a first one on. */
struct quantity {
    const char *label;
    size_t base, from, to; /* the test follows; names from FROM to TO are about it */
    size_t sigma;          /* SIZE_MAX: there is none */
    bool time;
};

static void add_used(struct diff_result *r, const struct tr_cond_value *v, const char *group, size_t first,
                     const struct quantity *q)
{
    char label[64];
    snprintf(label, sizeof label, "%s%s", group, q->label);
    diff_values_add(r->values, sizeof r->values, label, v[first + q->base].number, v[first + q->base + 1].number,
                    q->sigma == SIZE_MAX ? NAN : v[first + q->sigma].number, q->time);
}

/* The part that a condition uses.  Percent, noise and sigma of rows are about their durations. */
static void add_values(struct diff_result *r, const struct tr_cond_value *v)
{
    static const struct quantity rows[] = { { "count", 0, 0, 3, SIZE_MAX, false },
                                            { "us", 3, 3, 6, 14, true },
                                            { "self_us", 6, 6, 9, SIZE_MAX, true },
                                            { "mean_us", 10, 10, 13, SIZE_MAX, true } };
    static const struct quantity totals[] = { { "count", 0, 0, 3, SIZE_MAX, false },
                                              { "us", 3, 3, 6, SIZE_MAX, true },
                                              { "self_us", 6, 6, 9, SIZE_MAX, true } };
    static const struct quantity steps[] = {
        { "steps", STEP - STEP, 0, 2, SIZE_MAX, false },
        { "step_time_us", STEP_MEAN - STEP, STEP_MEAN - STEP, STEP_MEAN + 4 - STEP, STEP_SIGMA - STEP, true },
        { "step_p50_us", STEP_MEAN + 4 - STEP, STEP_MEAN + 4 - STEP, STEP_MEAN + 8 - STEP, SIZE_MAX, true },
        { "step_std_us", STEP_MEAN + 8 - STEP, STEP_MEAN + 8 - STEP, STEP_MEAN + 12 - STEP, SIZE_MAX, true },
    };
    static const char *const groups[] = { "host.", "device." };
    r->values[0] = '\0';
    for (size_t i = 0; i < sizeof rows / sizeof *rows && r->n_rows; i++)
        if (uses(r, ROW + rows[i].from, ROW + rows[i].to) ||
            (i == 1 && (uses(r, ROW + N_TOTAL - 1, ROW + N_TOTAL) || uses(r, MEAN_DIFF + 1, MEAN_DIFF + 3))))
            add_used(r, v, "", ROW, &rows[i]);
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0, first = TOTAL + N_TOTAL * side; i < sizeof totals / sizeof *totals; i++)
            if (uses(r, first + totals[i].from, first + totals[i].to) ||
                (i == 1 && uses(r, first + N_TOTAL - 1, first + N_TOTAL)))
                add_used(r, v, groups[side], first, &totals[i]);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (uses(r, STEP + steps[i].from, STEP + steps[i].to) || (i == 1 && uses(r, STEP_NOISE, STEP_SIGMA + 1)))
            add_used(r, v, "", STEP, &steps[i]);
    for (int m = 0; m < TR_N_RUN_SUMMARY; m++) {
        size_t first = HEADLINE + N_FIGURES * (size_t)m;
        bool time = tr_run_summary_is_time((enum tr_run_summary_metric)m);
        char label[40];
        snprintf(label, sizeof label, "%s%s", tr_run_summary_names[m], time ? "_us" : "");
        const struct quantity q = { label, 0, 0, N_FIGURES, 4, time };
        if (uses(r, first, first + N_FIGURES))
            add_used(r, v, "", first, &q);
    }
}

/* ---- the verdict ---- */

static void judge(struct diff_result *r, const struct diff *x)
{
    struct tr_cond_value v[N_VARS] = { { 0 } };
    bool about_rows = uses(r, NAME, TOTAL);
    fill_whole(v, x);
    if (is_missing(r, x, v)) {
        r->verdict = DIFF_MISSING;
        return;
    }
    if (!about_rows && tr_cond_eval(r->cond, v))
        r->verdict = DIFF_FAIL;
    for (size_t i = 0; about_rows && i < x->n_rows; i++) {
        fill_row(v, x, i);
        if (!tr_cond_eval(r->cond, v))
            continue;
        r->verdict = DIFF_FAIL;
        if (!r->n_rows++ || tr_table_before(x->tables[DIFF_ROWS], i, r->row))
            r->row = i;
    }
    if (r->verdict != DIFF_FAIL)
        return;
    if (r->n_rows)
        fill_row(v, x, r->row);
    add_values(r, v);
}

enum tr_status diff_gate_judge(struct diff *x, struct tr_error *err)
{
    find_columns(x);
    for (size_t i = 0; i < x->n_results; i++) {
        judge(&x->results[i], x);
        if (tr_cond_no_memory(x->results[i].cond))
            return tr_fail_memory(err);
    }
    return TR_OK;
}

static const struct diff_result *first(const struct diff *x, int verdict)
{
    for (size_t i = 0; i < x->n_results; i++)
        if ((int)x->results[i].verdict == verdict)
            return &x->results[i];
    return NULL;
}

void diff_gate_remark(struct cli *cli, const struct diff *x)
{
    if (!x->o->fail_if.n && !cli_arrange(cli)->help_columns)
        cli_remark(cli, "nothing to show: no condition was given with --fail-if");
}

enum tr_status diff_gate_status(const struct diff *x, struct tr_error *err)
{
    const struct diff_result *r = first(x, DIFF_MISSING);
    if (r)
        return tr_fail(err, TR_MISSING, "cannot check '%.200s': %s", r->text, r->why);
    for (int run = 0; run < 2; run++)
        if (x->sides[run].coverage < x->o->min_coverage)
            return tr_fail(err, TR_COVERAGE, "the %s has a coverage of %.4f, %.4f is needed",
                           x->sides[run].what, x->sides[run].coverage, x->o->min_coverage);
    r = first(x, DIFF_FAIL);
    if (!r)
        return TR_OK;
    const char *colon = r->values[0] ? ": " : "";
    if (r->n_rows == 0)
        return tr_fail(err, TR_NO, "'%.200s' is true%s%s", r->text, colon, r->values);
    struct tr_str name = diff_name(x, r->row), where = diff_where(x, r->row);
    return tr_fail(err, TR_NO, "'%.200s' is true of %" PRIu64 " row%s: %.*s '%.*s'%s%s%s", r->text, r->n_rows,
                   r->n_rows == 1 ? "" : "s", (int)where.len, where.s, (int)(name.len < 150 ? name.len : 150), name.s,
                   colon, r->values, r->n_rows == 1 ? "" : ", and others");
}
