/* tr-diff: tables of rows, of steps and of conditions. */
#include <config.h>

#include "diff.h"

#include <stdio.h>

/* ---- rows ---- */

static void row_columns(struct tr_table *t)
{
    tr_table_column(t, "name", TR_CELL_STRING, 0);
    tr_table_column(t, "side", TR_CELL_STRING, 0);
    tr_table_column(t, "base_count", TR_CELL_COUNT, 0);
    tr_table_column(t, "test_count", TR_CELL_COUNT, 0);
    tr_table_column(t, "base", TR_CELL_TIME, 0);
    tr_table_column(t, "test", TR_CELL_TIME, 0);
    tr_table_column(t, "diff_count", TR_CELL_INT, 0);
    tr_table_column(t, "diff", TR_CELL_TIME, 0);
    tr_table_column(t, "diff_self", TR_CELL_TIME, 0);
    tr_table_column(t, "change", TR_CELL_STRING, 0);
    tr_table_column(t, "diff_pct", TR_CELL_RATIO, 2);
    tr_table_column(t, "base_self", TR_CELL_TIME, 0);
    tr_table_column(t, "test_self", TR_CELL_TIME, 0);
    tr_table_column(t, "base_mean", TR_CELL_TIME, 0);
    tr_table_column(t, "test_mean", TR_CELL_TIME, 0);
    tr_table_column(t, "noise", TR_CELL_TIME, 0);
    tr_table_column(t, "sigma", TR_CELL_RATIO, 2);
}

/* A row; sum: one that stands for many, which has no side. */
static void add_row(struct tr_table *t, const struct tr_diff_row *r, bool sum)
{
    struct diff_numbers n = diff_numbers_of(r, sum);
    tr_table_bytes(t, r->name, r->len);
    if (sum)
        tr_table_absent(t);
    else
        tr_table_string(t, r->device ? "device" : "host");
    tr_table_count(t, n.count[TR_DIFF_BASE]);
    tr_table_count(t, n.count[TR_DIFF_TEST]);
    tr_table_time(t, n.us[TR_DIFF_BASE]);
    tr_table_time(t, n.us[TR_DIFF_TEST]);
    tr_table_int(t, (int64_t)(n.count[TR_DIFF_TEST] - n.count[TR_DIFF_BASE]));
    tr_table_time(t, n.diff);
    tr_table_time(t, n.self_diff);
    tr_table_string(t, diff_change(&n));
    tr_table_ratio(t, n.pct);
    tr_table_time(t, n.self[TR_DIFF_BASE]);
    tr_table_time(t, n.self[TR_DIFF_TEST]);
    tr_table_time_f(t, n.mean[TR_DIFF_BASE]);
    tr_table_time_f(t, n.mean[TR_DIFF_TEST]);
    tr_table_time_f(t, n.noise);
    tr_table_ratio(t, n.sigma);
}

static void add_to_sum(struct tr_diff_row *sum, const struct tr_diff_row *r)
{
    for (int run = 0; run < 2; run++) {
        sum->sums[run].dur.n += r->sums[run].dur.n;
        sum->sums[run].self = tr_u128_add(sum->sums[run].self, r->sums[run].self);
    }
}

static void rows_table(struct tr_table *t, const struct diff_opts *o, const struct diff *x)
{
    struct tr_diff_row others = { .name = "others", .len = 6 };
    size_t shown = 0, left = 0, changed = 0;
    row_columns(t);
    for (size_t i = 0; i < x->n_rows; i++) {
        const struct tr_diff_row *r = &x->rows[i];
        bool same = tr_diff_same(&r->sums[TR_DIFF_BASE], &r->sums[TR_DIFF_TEST]);
        changed += !same;
        if (same && o->changed_only)
            continue;
        if (!o->top || shown < o->top) {
            add_row(t, r, false);
            shown++;
        } else {
            add_to_sum(&others, r);
            left++;
        }
    }
    if (left)
        add_row(t, &others, true);
    if (!o->changed_only || changed)
        add_row(t, &x->total, true);
}

/* ---- steps ---- */

static void steps_table(struct tr_table *t, const struct diff *x)
{
    tr_table_column(t, "statistic", TR_CELL_STRING, 0);
    tr_table_column(t, "base_steps", TR_CELL_COUNT, 0);
    tr_table_column(t, "test_steps", TR_CELL_COUNT, 0);
    tr_table_column(t, "base", TR_CELL_TIME, 0);
    tr_table_column(t, "test", TR_CELL_TIME, 0);
    tr_table_column(t, "diff", TR_CELL_TIME, 0);
    tr_table_column(t, "diff_pct", TR_CELL_RATIO, 2);
    tr_table_column(t, "noise", TR_CELL_TIME, 0);
    tr_table_column(t, "sigma", TR_CELL_RATIO, 2);
    for (unsigned s = 0; s < DIFF_N_STEP; s++) {
        struct diff_step_numbers n = diff_step_numbers_of(x, (enum diff_step_statistic)s);
        tr_table_string(t, diff_step_names[s]);
        tr_table_count(t, x->sides[TR_DIFF_BASE].steps.n);
        tr_table_count(t, x->sides[TR_DIFF_TEST].steps.n);
        tr_table_time_f(t, n.value[TR_DIFF_BASE]);
        tr_table_time_f(t, n.value[TR_DIFF_TEST]);
        tr_table_time_f(t, n.diff);
        tr_table_ratio(t, n.pct);
        tr_table_time_f(t, n.noise);
        tr_table_ratio(t, n.sigma);
    }
}

/* ---- conditions ---- */

static void gate_table(struct tr_table *t, const struct diff *x)
{
    static const char *const verdicts[] = { "pass", "fail", "missing" };
    tr_table_column(t, "condition", TR_CELL_STRING, 0);
    tr_table_column(t, "result", TR_CELL_STRING, 0);
    tr_table_column(t, "rows", TR_CELL_COUNT, 0);
    tr_table_column(t, "side", TR_CELL_STRING, 0);
    tr_table_column(t, "name", TR_CELL_STRING, 0);
    tr_table_column(t, "missing", TR_CELL_STRING, 0);
    for (size_t i = 0; i < x->n_results; i++) {
        const struct diff_result *r = &x->results[i];
        tr_table_string(t, r->text);
        tr_table_string(t, verdicts[r->verdict]);
        tr_table_count(t, r->n_rows);
        tr_table_string(t, !r->row ? NULL : r->row->device ? "device" : "host");
        tr_table_text(t, r->row ? (struct tr_str){ r->row->name, r->row->len } : tr_str_of(NULL));
        tr_table_string(t, r->verdict == DIFF_MISSING ? r->why : NULL);
    }
}

/* ---- the report ---- */

static enum tr_status add_table(struct cli *cli, const struct diff_opts *o, const struct diff *x,
                                enum diff_table which, const struct tr_row_sink *sink,
                                struct tr_buf *out, struct tr_error *err)
{
    struct tr_table *t = cli_table_held(cli);
    if (!t)
        return tr_fail_memory(err);
    if (which == DIFF_ROWS)
        rows_table(t, o, x);
    else if (which == DIFF_STEPS)
        steps_table(t, x);
    else
        gate_table(t, x);
    enum tr_status st = tr_table_write(t, sink, out, err);
    tr_table_free(t);
    return st;
}

/* For people: what was asked, how long steps take, and the rows. */
static enum tr_status add_page(struct cli *cli, const struct diff_opts *o, const struct diff *x,
                               struct tr_buf *out, struct tr_error *err)
{
    bool steps = x->sides[TR_DIFF_BASE].steps.n || x->sides[TR_DIFF_TEST].steps.n, ok = true;
    enum tr_status st = TR_OK;
    if (x->n_results) {
        ok = tr_buf_add_str(out, "## Conditions\n\n");
        st = add_table(cli, o, x, DIFF_GATE, &tr_row_sink_md, out, err);
        ok = ok && tr_buf_add_str(out, "\n");
    }
    if (st == TR_OK && steps) {
        ok = ok && tr_buf_add_str(out, "## Steps\n\n");
        st = add_table(cli, o, x, DIFF_STEPS, &tr_row_sink_md, out, err);
        ok = ok && tr_buf_add_str(out, "\n");
    }
    if (st != TR_OK)
        return st;
    ok = ok && tr_buf_add_str(out, "## By ") && tr_buf_add_str(out, tr_diff_by_names[x->by]) &&
         tr_buf_add_str(out, "\n\n");
    return ok ? add_table(cli, o, x, DIFF_ROWS, &tr_row_sink_md, out, err) : tr_fail_memory(err);
}

static enum diff_format format_of(const struct cli *cli, const struct diff_opts *o)
{
    if (o->format >= 0)
        return (enum diff_format)o->format;
    return cli_report_format(cli) == CLI_TEXT ? DIFF_TEXT : DIFF_TSV;
}

enum tr_status diff_report(struct cli *cli, const struct diff_opts *o, const struct diff *x,
                           struct tr_error *err)
{
    static const struct tr_row_sink *const sinks[] = {
        [DIFF_TEXT] = &tr_row_sink_text,
        [DIFF_TSV] = &tr_row_sink_tsv,
        [DIFF_CSV] = &tr_row_sink_csv,
        [DIFF_JSON] = &tr_row_sink_json,
    };
    enum diff_format format = format_of(cli, o);
    struct tr_buf out = { 0 };
    enum tr_status st;
    if (format == DIFF_JUNIT)
        st = diff_junit(x, &out, err);
    else if (format == DIFF_MD)
        st = add_page(cli, o, x, &out, err);
    else
        st = add_table(cli, o, x, (enum diff_table)o->table, sinks[format], &out, err);
    if (st == TR_OK)
        st = cli_write_report(cli, &out, err);
    tr_buf_free(&out);
    return st;
}
