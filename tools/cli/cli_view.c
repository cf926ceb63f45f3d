/* SPDX-License-Identifier: MIT */
/* From an input to the table of an analysis. */
#include "cli/cli_view.h"

#include "cli/cli_priv.h"

enum tr_status cli_table_describe(struct cli *cli, const struct tr_table *t, const struct tr_row_sink *sink,
                                  struct tr_error *err)
{
    struct tr_table *help = cli_table_as(cli, sink, TR_UNIT_US, false); /* it has no times */
    if (!help)
        return tr_fail_memory(err);
    tr_table_describe(t, help);
    enum tr_status st = tr_table_end(help, err);
    tr_table_free(help);
    return st;
}

/* The columns of the table of an analysis, from its options only. */
static enum tr_status help_columns(struct cli *cli, struct tr_table *t, const struct tr_analysis *analysis,
                                   const void *options, struct tr_error *err)
{
    const struct tr_analysis_in in = { .work.per = analysis->group };
    if (analysis->late) {
        tr_analysis_columns(analysis, &in, options ? options : analysis->defaults, t);
        cli_remark(cli, "the data has more columns");
    }
    return cli_table_describe(cli, t, cli_report_sink(cli), err);
}

static void remark(void *self, enum tr_remark_kind how, const char *place, const char *text)
{
    const struct cli_listener *l = self;
    if (how == TR_REMARK_WARN)
        cli_warn(l->cli, l->a->in->name, place, text);
    else if (how == TR_REMARK_DETAIL)
        cli_note(l->cli, "%s", text);
    else if (!cli_quiet(l->cli))
        cli_remark(l->cli, "%s", text);
}

struct tr_analysis_in cli_view_in(struct cli_listener *l)
{
    return (struct tr_analysis_in){ .dict = l->a->in->dict,
                                    .summary = l->a->in->summary,
                                    .tables = l->a->in->tables,
                                    .sorted = l->a->in->sorted,
                                    .select = l->a->select.selected,
                                    .work.suspect = l->a->suspect,
                                    .relative = cli_relative(l->cli),
                                    .max_memory = cli_max_memory(l->cli) / 2,
                                    .temp_dir = cli_temp_dir(l->cli),
                                    .threads = cli_threads(l->cli),
                                    .remark = remark,
                                    .remark_self = l };
}

/* Every batch of the open input through the runner. */
static enum tr_status run(struct cli *cli, struct cli_analysis *a, struct tr_runner *r,
                          struct tr_error *err)
{
    struct cli_listener listener = { cli, a };
    const struct tr_analysis_in in = cli_view_in(&listener);
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st = tr_runner_start(r, &in, err);
    while (st == TR_OK && (st = cli_analysis_next(a, &b, &keep, err)) == TR_OK)
        st = tr_runner_feed(r, b, keep, err);
    if (st == TR_END)
        st = tr_runner_finish(r, err);
    if (st == TR_ABSENT)
        tr_error_input(err, a->in->name);
    return st;
}

/* Open the inputs, and run all analyses of a runner. */
static enum tr_status open_and_run(struct cli *cli, struct cli_analysis *a, struct tr_runner *r, struct tr_error *err)
{
    a->want = (struct tr_projection){ .fixed = 0 };
    enum tr_status st = tr_runner_needs(r, &a->want, &a->host, err);
    if (st == TR_OK)
        st = cli_analysis_open(cli, a, 0, err);
    return st == TR_OK ? run(cli, a, r, err) : st;
}

/* shown: the table is printed. */
static enum tr_status run_analysis(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                   const void *options, bool shown, struct tr_error *err)
{
    struct tr_table *t = shown ? cli_table_new(cli) : cli_table_held(cli);
    struct tr_runner *r = tr_runner_new();
    enum tr_status st = t && r ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_runner_add(r, analysis, options, a->per, t, err);
    if (st == TR_OK && shown && cli_arrange(cli)->help_columns) {
        st = help_columns(cli, t, analysis, options, err);
    } else if (st == TR_OK) {
        st = open_and_run(cli, a, r, err);
        if (st == TR_OK && shown)
            st = cli_analysis_write(cli, a, t, tr_runner_why(r, 0), err);
    }
    tr_runner_free(r);
    cli_analysis_close(a);
    tr_table_free(t);
    return st;
}

enum tr_status cli_analysis_run(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                const void *options, struct tr_error *err)
{
    return run_analysis(cli, a, analysis, options, true, err);
}

enum tr_status cli_view_run(struct cli *cli, struct cli_analysis *a, struct tr_error *err)
{
    enum tr_status st = cli_view_choose(cli, err);
    const struct tr_view_use *use = &cli->views.use;
    return st == TR_OK ? run_analysis(cli, a, use->analysis, use->options, true, err) : st;
}

enum tr_status cli_view_feed(struct cli *cli, struct cli_analysis *a, struct tr_error *err)
{
    enum tr_status st = cli_view_choose(cli, err);
    const struct tr_view_use *use = &cli->views.use;
    return st == TR_OK ? run_analysis(cli, a, use->analysis, use->options, false, err) : st;
}

/* ---- tables that are no analyses ---- */

enum tr_status cli_table_run(struct cli *cli, const struct cli_table *table, void *o, struct tr_error *err)
{
    struct tr_table *t = cli_table_new(cli);
    if (!t)
        return tr_fail_memory(err);
    table->columns(o, t);
    enum tr_status st = tr_table_ready(t, err);
    if (st == TR_OK && cli_arrange(cli)->help_columns) {
        st = cli_table_describe(cli, t, cli_report_sink(cli), err);
    } else if (st == TR_OK) {
        st = table->fill(cli, o, t, err);
        if (st == TR_OK)
            st = tr_table_end(t, err);
    }
    tr_table_free(t);
    return st;
}

static enum tr_status about_tables(const char *given, const char *tables, struct tr_error *err)
{
    return given ? tr_fail(err, TR_USAGE, "%s is about tables: it goes with %s", given, tables) : TR_OK;
}

enum tr_status cli_arrange_columns(const struct cli *cli, const char *tables, struct tr_error *err)
{
    const struct cli_arrange *a = cli_arrange(cli);
    return about_tables(a->sort               ? "--sort"
                        : a->top              ? "--top"
                        : a->short_names      ? "--short-names"
                        : a->human            ? "--human"
                        : a->csv_safe         ? "--csv-safe"
                        : a->help_columns     ? "--help-columns"
                        : cli_unit_given(cli) ? "--unit"
                                              : NULL,
                        tables, err);
}

enum tr_status cli_arrange_none(const struct cli *cli, const char *tables, struct tr_error *err)
{
    enum tr_status st = about_tables(cli_arrange(cli)->columns ? "--columns"
                                     : cli_relative(cli)       ? "--relative"
                                                               : NULL,
                                     tables, err);
    return st == TR_OK ? cli_arrange_columns(cli, tables, err) : st;
}

enum tr_status cli_table_none(const struct cli *cli, const char *tables, struct tr_error *err)
{
    enum tr_status st = about_tables(cli_format_given(cli) ? "--output-format" : NULL, tables, err);
    return st == TR_OK ? cli_arrange_none(cli, tables, err) : st;
}
