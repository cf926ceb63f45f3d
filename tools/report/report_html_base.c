/* SPDX-License-Identifier: MIT */
/*
 * tr-report: pictures of two runs, that of --base and this one, in one frame and with one scale.
 *
 * Figures of runs with different numbers of ranks compare only as means per rank.
 */
#include "report/report_html.h"

#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct tr_table_column run_column = { .name = "run", .type = TR_CELL_STRING, .role = TR_ROLE_KEY };
static const char *const run_names[] = { "base", "this run" };

/* The run: 0 that of --base, 1 this one. */
static const struct report *run_of(const struct report *r, int run)
{
    return run ? r : r->other;
}

static const struct tr_table_column *find_column(const struct tr_table_column *c, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && strcmp(c[i].name, name) != 0)
        i++;
    return i < n ? &c[i] : NULL;
}

/* Draw a table that is complete, and release it.  NULL: out of memory. */
static enum tr_status finish(struct tr_table *t, const struct tr_chart *chart, enum report_id id, struct tr_buf *out,
                             struct tr_error *err)
{
    enum tr_status st = t ? tr_table_status(t, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = report_html_draw(t, chart, report_sections[id].title, out, err);
    tr_table_free(t);
    return st;
}

/* ---- one figure for each part ---- */

/* The time of devices, as means over its rows. */
static enum tr_status draw_parts(const struct report *r, enum report_id id, struct tr_buf *out, struct tr_error *err)
{
    struct tr_chart chart = *report_sections[id].analysis->chart;
    struct tr_table *t = cli_table_held(r->cli);
    chart.x = "run";
    if (!t)
        return tr_fail_memory(err);
    tr_table_columns(t, &run_column, 1);
    for (size_t k = 0; k < TR_CHART_Y && chart.y[k]; k++)
        tr_table_columns(t, &(const struct tr_table_column){ .name = chart.y[k], .type = TR_CELL_TIME }, 1);
    for (int run = 0; run < 2; run++) {
        const struct tr_table *of = run_of(r, run)->tables[id];
        tr_table_string(t, run_names[run]);
        for (size_t k = 0; k < TR_CHART_Y && chart.y[k]; k++)
            tr_table_time_f(t, report_html_sum(of, chart.y[k]) / (double)tr_table_rows(of));
    }
    return finish(t, &chart, id, out, err);
}

/* What was done in each step: a panel for each run. */
static enum tr_status draw_steps(const struct report *r, struct tr_buf *out, struct tr_error *err)
{
    static const char *const parts[REPORT_STEP_PARTS] = { "compute", "exposed_comm", "exposed_memory", "other",
                                                          "idle" };
    static const struct tr_table_column step = { .name = "step", .type = TR_CELL_INT, .role = TR_ROLE_KEY };
    struct tr_chart chart = { TR_CHART_STACKED, .x = "step", .facet = "run" };
    struct tr_table *t = cli_table_held(r->cli);
    bool ok = t != NULL;
    if (ok) {
        tr_table_columns(t, &run_column, 1);
        tr_table_columns(t, &step, 1);
    }
    for (size_t k = 0; ok && parts[k]; k++) {
        chart.y[k] = parts[k];
        tr_table_columns(t, &(const struct tr_table_column){ .name = parts[k], .type = TR_CELL_TIME }, 1);
    }
    for (int run = 0; ok && run < 2; run++) {
        struct report_step_mean *v = NULL;
        size_t n;
        ok = report_step_means(run_of(r, run), TR_I64_NONE, parts, &v, &n);
        for (size_t i = 0; ok && i < n; i++) {
            tr_table_string(t, run_names[run]);
            tr_table_int(t, v[i].step);
            for (size_t k = 0; parts[k]; k++)
                tr_table_time_f(t, v[i].parts[k]);
        }
        free(v);
    }
    if (!ok) {
        tr_table_free(t);
        return tr_fail_memory(err);
    }
    return finish(t, &chart, REPORT_STEPS, out, err);
}

/* The highest peak of a device. */
static double peak_of(const struct tr_table *t)
{
    double peak = NAN;
    for (size_t row = 0; t && row < tr_table_rows(t); row++)
        if (!tr_str_is(tr_table_get(t, row, tr_table_find(t, "device")), "host"))
            peak = fmax(peak, report_cell(t, row, "peak_bytes"));
    return peak;
}

static enum tr_status draw_peaks(const struct report *r, struct tr_buf *out, struct tr_error *err)
{
    static const struct tr_table_column peak = { .name = "peak_bytes", .type = TR_CELL_DOUBLE, .unit = "bytes" };
    static const struct tr_chart chart = { TR_CHART_BAR, .x = "run", .y = { "peak_bytes" } };
    struct tr_table *t = cli_table_held(r->cli);
    if (!t)
        return tr_fail_memory(err);
    tr_table_columns(t, &run_column, 1);
    tr_table_columns(t, &peak, 1);
    for (int run = 0; run < 2; run++) {
        tr_table_string(t, run_names[run]);
        report_number(t, &peak, peak_of(run_of(r, run)->tables[REPORT_MEMORY]));
    }
    return finish(t, &chart, REPORT_MEMORY, out, err);
}

/* ---- rows that are matched by their names ---- */

struct pair {
    struct tr_str name;
    double of[2]; /* per rank; by run */
};

TR_ORDER(by_name, struct pair, tr_str_cmp(a->name, b->name))
TR_ORDER(by_size, struct pair, TR_CMP(fmax(b->of[0], b->of[1]), fmax(a->of[0], a->of[1])), tr_str_cmp(a->name, b->name))

static size_t add_pairs(const struct report *r, int run, enum report_id id, const char *label, const char *figure,
                        struct pair *v)
{
    const struct tr_table *t = run_of(r, run)->tables[id];
    size_t column = tr_table_find(t, label), n = tr_table_rows(t);
    for (size_t row = 0; row < n; row++) {
        double x = report_cell(t, row, figure);
        v[row] = (struct pair){ .name = tr_table_get(t, row, column) };
        v[row].of[run] = isnan(x) ? 0 : x / (double)run_of(r, run)->n_ranks;
    }
    return n;
}

/* The rows of one name as one. */
static size_t join_pairs(struct pair *v, size_t n)
{
    size_t to = 0;
    qsort(v, n, sizeof *v, by_name);
    for (size_t i = 0; i < n; i++) {
        if (!to || tr_str_cmp(v[to - 1].name, v[i].name) != 0) {
            v[to++] = v[i];
            continue;
        }
        v[to - 1].of[0] += v[i].of[0];
        v[to - 1].of[1] += v[i].of[1];
    }
    qsort(v, to, sizeof *v, by_size);
    return to;
}

static void add_pair_row(struct tr_table *t, struct tr_str name, const struct tr_table_column *figure, const double *of)
{
    tr_table_text(t, name);
    report_number(t, figure, of[0]);
    report_number(t, figure, of[1]);
}

static void add_pair_rows(struct tr_table *t, const struct pair *v, size_t n, size_t top,
                          const struct tr_table_column *figure)
{
    double rest[2] = { 0, 0 };
    for (size_t i = 0; i < n; i++) {
        if (!top || i < top)
            add_pair_row(t, v[i].name.len ? v[i].name : tr_str_of("(none)"), figure, v[i].of);
        else
            for (int run = 0; run < 2; run++)
                rest[run] += v[i].of[run];
    }
    if (top && n > top)
        add_pair_row(t, tr_str_of("others"), figure, rest);
}

/* The figures of a section that add up, of both runs beside each other. */
static enum tr_status draw_pairs(const struct report *r, enum report_id id, const struct tr_table_column *label,
                                 const struct tr_table_column *figure, struct tr_buf *out, struct tr_error *err)
{
    static const struct tr_chart chart = { TR_CHART_BAR, .x = "name", .y = { "base", "this_run" } };
    const struct tr_table_column mean = { .type = figure->type == TR_CELL_COUNT ? TR_CELL_DOUBLE : figure->type,
                                          .unit = figure->unit };
    struct tr_table_column columns[] = { { .name = "name", .type = TR_CELL_STRING, .role = TR_ROLE_KEY,
                                           .names = label->names }, mean, mean };
    size_t n = tr_table_rows(r->tables[id]) + tr_table_rows(r->other->tables[id]);
    struct pair *v = calloc(n + 1, sizeof *v);
    struct tr_table *t = v ? cli_table_held(r->cli) : NULL;
    columns[1].name = "base";
    columns[2].name = "this_run";
    if (t) {
        tr_table_columns(t, columns, 3);
        n = add_pairs(r, 0, id, label->name, figure->name, v);
        n += add_pairs(r, 1, id, label->name, figure->name, v + n);
        n = join_pairs(v, n);
        add_pair_rows(t, v, n, (size_t)r->o->top, &mean);
    }
    enum tr_status st = finish(t, &chart, id, out, err);
    free(v);
    return st;
}

/* ---- which ---- */

/* The column whose sums say most of a section; NULL: its figures do not add up, or its rows have no names. */
static const struct tr_table_column *figure_of(const struct report *r, enum report_id id)
{
    const struct report_section *s = &report_sections[id];
    const struct tr_table_column *c = s->main && s->n_keys
                                          ? find_column(report_columns(r, s), report_n_columns(r, s), s->main)
                                          : NULL;
    bool adds = c && (c->role == TR_ROLE_SUM || c->role == TR_ROLE_COUNT);
    return adds && report_html_label(r, id)->type == TR_CELL_STRING ? c : NULL;
}

bool report_html_compares(const struct report *r, enum report_id id)
{
    if (!r->other || r->n_captures > 1 || r->other->n_captures > 1)
        return false;
    if (id == REPORT_STEPS)
        return r->findings && r->other->findings;
    const struct tr_table *a = r->tables[id], *b = r->other->tables[id];
    if (!a || !b || tr_table_empty(a) || tr_table_empty(b))
        return false;
    return id == REPORT_BREAKDOWN || id == REPORT_MEMORY || (id != REPORT_TYPICAL && figure_of(r, id));
}

enum tr_status report_html_compared(const struct report *r, enum report_id id, struct tr_buf *out, struct tr_error *err)
{
    switch (id) {
    case REPORT_STEPS:
        return draw_steps(r, out, err);
    case REPORT_BREAKDOWN:
        return draw_parts(r, id, out, err);
    case REPORT_MEMORY:
        return draw_peaks(r, out, err);
    default:
        return draw_pairs(r, id, report_html_label(r, id), figure_of(r, id), out, err);
    }
}
