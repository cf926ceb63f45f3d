/* tr-metrics: hardware counters of kernels, operators and their stacks.  Manual: tr-metrics(1). */
#include <config.h>

#include "analysis/tr_metrics.h"
#include "cli/cli_analysis.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const by_names[] = { "range", "kernel", "operator", "stack", NULL };

struct metrics {
    struct cli_analysis a;
    int by;
    const char *category;
};

static const struct cli_opt metrics_opts[] = {
    { 0, "by", "VIEW", CLI_CHOICE, offsetof(struct metrics, by), .choices = by_names,
      .help = "range, or sums by kernel, operator or stack [range]" },
    { 0, "category", "CAT", CLI_STRING, offsetof(struct metrics, category),
      .help = "category of the ranges [" TR_METRICS_CATEGORY "]" },
    CLI_ANALYSIS_OPTS(struct metrics, a),
    { 0 },
};

static const struct cli_tool metrics_tool = {
    .name = "tr-metrics",
    .brief = "give hardware counters to the kernels and operators they belong to",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT,
    .max_operands = CLI_ANY,
    .opts = metrics_opts,
};

static void columns(struct tr_table *t, const struct tr_metrics *m, int by)
{
    const char *counter;
    bool real;
    tr_table_column(t, "rank", TR_CELL_INT, 0);
    if (by == TR_METRICS_RANGE) {
        tr_table_column(t, "record", TR_CELL_COUNT, 0);
        tr_table_column(t, "name", TR_CELL_STRING, 0);
        tr_table_column(t, "start", TR_CELL_TIME, 0);
        tr_table_column(t, "dur", TR_CELL_TIME, 0);
        tr_table_column(t, "launch_record", TR_CELL_COUNT, 0);
        tr_table_column(t, "op_stack", TR_CELL_STRING, 0);
        tr_table_column(t, "top_op", TR_CELL_STRING, 0);
        tr_table_column(t, "bottom_op", TR_CELL_STRING, 0);
    } else {
        tr_table_column(t, by == TR_METRICS_STACK ? "op_stack" : "name", TR_CELL_STRING, 0);
        tr_table_column(t, "count", TR_CELL_COUNT, 0);
    }
    for (size_t k = 0; (counter = tr_metrics_counter(m, k, &real)) != NULL; k++)
        tr_table_column(t, counter, real ? TR_CELL_DOUBLE : TR_CELL_INT, 0);
}

static bool stack_cell(struct tr_table *t, const struct tr_dict *d, const struct tr_metrics_row *r)
{
    struct tr_buf text = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < r->n_stack; i++)
        ok = tr_buf_add_str(&text, i ? "|" : "") &&
             tr_buf_add_str(&text, tr_dict_str(d, r->stack[i]));
    if (r->n_stack)
        tr_table_bytes(t, (const char *)text.data, text.len);
    else
        tr_table_absent(t);
    tr_buf_free(&text);
    return ok;
}

static void op_cell(struct tr_table *t, const struct tr_dict *d, const struct tr_metrics_row *r,
                    size_t number)
{
    tr_table_string(t, number < r->n_stack ? tr_dict_str(d, r->stack[number]) : NULL);
}

static bool range_cells(struct tr_table *t, const struct tr_dict *d, const struct tr_metrics_row *r)
{
    tr_table_count(t, r->record);
    tr_table_string(t, tr_dict_str(d, r->name));
    tr_table_time(t, tr_source_to_file(&d->sources[r->source], r->ts));
    tr_table_time(t, r->dur);
    if (r->launched)
        tr_table_count(t, r->launch);
    else
        tr_table_absent(t);
    bool ok = stack_cell(t, d, r);
    op_cell(t, d, r, 0);
    op_cell(t, d, r, r->n_stack - 1);
    return ok;
}

static bool sum_cells(struct tr_table *t, const struct tr_dict *d, int by,
                      const struct tr_metrics_row *r)
{
    bool ok = true;
    if (by == TR_METRICS_STACK)
        ok = stack_cell(t, d, r);
    else if (by == TR_METRICS_OPERATOR)
        op_cell(t, d, r, r->n_stack - 1);
    else
        tr_table_string(t, tr_dict_str(d, r->name));
    tr_table_count(t, r->count);
    return ok;
}

static bool add_row(struct tr_table *t, const struct tr_metrics *m, const struct tr_dict *d, int by,
                    const struct tr_metrics_row *r)
{
    bool real;
    if (r->rank < 0)
        tr_table_absent(t);
    else
        tr_table_int(t, r->rank);
    bool ok = by == TR_METRICS_RANGE ? range_cells(t, d, r) : sum_cells(t, d, by, r);
    for (size_t k = 0; tr_metrics_counter(m, k, &real); k++) {
        const struct tr_metric *v = &r->metrics[k];
        if (v->is == TR_METRIC_NONE)
            tr_table_absent(t);
        else if (real)
            tr_table_ratio(t, v->is == TR_METRIC_INT ? (double)v->v.i : v->v.d);
        else
            tr_table_int(t, v->v.i);
    }
    return ok;
}

/* Ranges that cannot be given to launches are no reason to fail, but to be told. */
static void warn_of_mismatch(struct cli *cli, struct metrics *o, const struct tr_metrics *m)
{
    const struct tr_dict *d = o->a.in->dict;
    uint64_t ranges, launches, all = 0;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        char what[160];
        tr_metrics_found(m, i, &ranges, &launches);
        all += ranges;
        if (!ranges || ranges == launches || !tr_select_source(o->a.selected, i))
            continue;
        snprintf(what, sizeof what,
                 "%" PRIu64 " counter ranges and %" PRIu64
                 " launches of kernels: which belong together is not known",
                 ranges, launches);
        cli_warn(cli, o->a.in->name, d->n_sources > 1 ? tr_dict_str(d, d->sources[i].name) : "",
                 what);
    }
    o->a.told = !all;
    if (!all)
        cli_warn(cli, o->a.in->name, "",
                 "no hardware counters: no event has the category of counter ranges");
}

static enum tr_status make_table(struct cli *cli, struct metrics *o, struct tr_metrics *m,
                                 struct tr_error *err)
{
    const struct tr_metrics_row *rows;
    size_t n;
    struct tr_table *t = cli_table_new(cli);
    enum tr_status st =
        t ? tr_metrics_finish(m, (enum tr_metrics_by)o->by, &rows, &n, err) : tr_fail_memory(err);
    if (st == TR_OK)
        columns(t, m, o->by);
    for (size_t i = 0; st == TR_OK && i < n; i++) {
        if (!add_row(t, m, o->a.in->dict, o->by, &rows[i]))
            st = tr_fail_memory(err);
        if (st == TR_OK)
            st = tr_table_status(t, err);
    }
    if (st == TR_OK)
        st = cli_analysis_write(cli, &o->a, t, "no counter range is selected", err);
    tr_table_free(t);
    return st;
}

static enum tr_status metrics_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct metrics *o = arg;
    struct tr_metrics *m = NULL;
    const struct tr_batch *b;
    const uint8_t *keep;
    o->a.host = true;
    enum tr_status st = cli_analysis_per_rank(&o->a, "tr-metrics", err);
    if (st == TR_OK)
        st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK && !(m = tr_metrics_new(o->a.in->dict, o->category)))
        st = tr_fail_memory(err);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        st = tr_metrics_feed(m, b, keep, err);
    if (st == TR_END) {
        warn_of_mismatch(cli, o, m);
        st = make_table(cli, o, m, err);
    }
    tr_metrics_free(m);
    cli_analysis_close(&o->a);
    return st;
}

int main(int argc, char **argv)
{
    struct metrics o = { .a = CLI_ANALYSIS_INIT, .category = TR_METRICS_CATEGORY };
    return cli_main(argc, argv, &metrics_tool, &o, metrics_run);
}
