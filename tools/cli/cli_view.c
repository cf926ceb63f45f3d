/* SPDX-License-Identifier: MIT */
/* From an input to the table of an analysis. */
#include "cli/cli_view.h"

#include "cli/cli_book.h"
#include "cli/cli_partial.h"
#include "cli/cli_picture.h"
#include "cli/cli_priv.h"

#include <stdlib.h>

enum tr_status cli_table_describe(struct cli *cli, const struct tr_table *t, const struct tr_chart *chart,
                                  const struct tr_row_sink *sink, struct tr_error *err)
{
    struct tr_table *help = cli_table_as(cli, sink, TR_UNIT_US, false); /* it has no times */
    if (!help)
        return tr_fail_memory(err);
    tr_table_describe(t, chart, help);
    enum tr_status st = tr_table_end(help, err);
    tr_table_free(help);
    return st;
}

/* The option for the form of a table that was given, by which the first is named; NULL: none. */
static const char *arranged(const struct cli *cli)
{
    const struct cli_arrange *a = cli_arrange(cli);
    return cli_bars(cli)         ? "--bars"
           : cli_sized(cli)      ? "--size"
           : a->sort             ? "--sort"
           : a->top              ? "--top"
           : a->top_per          ? "--top-per"
           : a->short_names      ? "--short-names"
           : a->human            ? "--human"
           : a->csv_safe         ? "--csv-safe"
           : a->help_columns     ? "--help-columns"
           : cli_unit_given(cli) ? "--unit"
                                 : NULL;
}

/* A description of columns is a table that is not drawn. */
static const struct tr_row_sink *help_sink(const struct cli *cli)
{
    const struct tr_row_sink *sink = cli_report_sink(cli);
    return sink->draws || sink->book ? &tr_row_sink_text : sink;
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
    return cli_table_describe(cli, t, analysis->chart, help_sink(cli), err);
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
    return (struct tr_analysis_in){ .input = l->a->in,
                                    .dict = l->a->in->dict,
                                    .summary = l->a->in->summary,
                                    .tables = l->a->in->tables,
                                    .sorted = l->a->in->sorted,
                                    .select = l->a->select.selected,
                                    .work.suspect = l->a->suspect,
                                    .relative = cli_relative(l->cli),
                                    .one_clock = l->a->one_clock,
                                    .max_memory = cli_max_memory(l->cli) / 2,
                                    .temp_dir = cli_temp_dir(l->cli),
                                    .threads = cli_threads(l->cli),
                                    .remark = remark,
                                    .remark_self = l };
}

/* A run of a view, perhaps with partial results among its inputs. */
struct run {
    struct cli *cli;
    struct cli_analysis *a;
    const struct tr_analysis *analysis;
    const void *options;
    const char *const *paths; /* the inputs */
    size_t n_paths;
    bool shown; /* the table is printed, not only held */
    bool events; /* beside partial results, there are events */
    struct tr_table *t;
    struct tr_runner *r;
    struct tr_buf selection;
    struct tr_analysis_in in;
    struct cli_listener listener;
};

static struct tr_table *make_table(const struct run *x)
{
    return x->shown ? cli_table_new(x->cli) : cli_table_held(x->cli);
}

/* The input of the analysis; what partial results say holds unless other options are given. */
static enum tr_status prepare(struct run *x, struct tr_error *err)
{
    const struct cli_partial *p = cli_partial(x->cli);
    struct tr_partial_about about = { 0 };
    const struct tr_saving *saving = x->analysis->saving;
    x->listener = (struct cli_listener){ x->cli, x->a };
    x->in = cli_view_in(&x->listener);
    if (saving)
        tr_partial_describe(x->a->in->tables, saving, x->analysis->name, &about);
    uint64_t distinct = p->distinct      ? p->distinct
                        : about.distinct ? about.distinct
                                         : (p->save ? CLI_PARTIAL_DISTINCT : 0);
    x->in.distinct = distinct < SIZE_MAX ? (size_t)distinct : SIZE_MAX; /* as many as fit an address */
    bool ok = cli_select_text(&x->a->select, &x->selection);
    if (ok && !x->selection.len)
        ok = tr_buf_add_text(&x->selection, about.selection);
    if (ok && x->selection.len)
        ok = tr_buf_add(&x->selection, "", 1);
    if (!ok)
        return tr_fail_memory(err);
    x->in.selection = x->selection.len ? (const char *)x->selection.data : NULL;
    return TR_OK;
}

/* Every batch of the open input through the runner. */
static enum tr_status read_events(struct run *x, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st = tr_runner_start(x->r, &x->in, err);
    while (st == TR_OK && (st = cli_analysis_next(x->a, &b, &keep, err)) == TR_OK)
        st = tr_runner_feed(x->r, b, keep, err);
    return st == TR_END ? TR_OK : st;
}

/* Go on with a runner that has the partial results among the inputs, and what was read of events. */
static enum tr_status add_partials(struct run *x, struct tr_error *err)
{
    struct tr_table *t = make_table(x);
    struct tr_runner *all = tr_runner_new();
    enum tr_status st = t && all ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_runner_add(all, x->analysis, x->options, x->a->per, t, err);
    if (st == TR_OK)
        st = tr_runner_start_partials(all, &x->in, err);
    if (st == TR_OK)
        st = tr_runner_merge(all, 0, x->a->in->tables, x->events ? x->r : NULL, 0, err);
    if (st != TR_OK) {
        tr_error_input(err, x->a->in->name);
        tr_runner_free(all);
        tr_table_free(t);
        return st;
    }
    tr_runner_free(x->r);
    tr_table_free(x->t);
    x->r = all;
    x->t = t;
    return TR_OK;
}

/* Are all required ranks there? */
static enum tr_status check_ranks(const struct run *x, bool partials, struct tr_error *err)
{
    const struct cli_partial *p = cli_partial(x->cli);
    const struct tr_dict *d = x->a->in->dict;
    size_t n_loaded = 0, n = 0;
    uint64_t world_size = 0;
    const int64_t *loaded = partials ? tr_runner_ranks(x->r, 0, &n_loaded, &world_size) : NULL;
    if (!p->expect && !p->min_ranks && (!world_size || p->save))
        return TR_OK;
    int64_t *ranks = malloc((n_loaded + d->n_sources + 1) * sizeof *ranks);
    if (!ranks)
        return tr_fail_memory(err);
    for (; n < n_loaded; n++)
        ranks[n] = loaded[n];
    for (uint32_t i = 0; i < d->n_sources && !partials; i++) /* with partial results, they are among those loaded */
        if (tr_select_source(x->a->select.selected, i))
            ranks[n++] = d->sources[i].rank;
    enum tr_status st = cli_partial_ranks(x->cli, p, ranks, n, p->save ? 0 : world_size, err);
    free(ranks);
    return st;
}

/* Sources of a saved page of tr-report have no events.  Do others have any? */
static enum tr_status find_events(struct run *x, struct tr_error *err)
{
    const struct tr_input *in = x->a->in;
    struct tr_select *select = x->a->select.selected;
    for (size_t i = 0; i < in->tables->n; i++)
        if (tr_partial_view(in->tables->v[i]).s && in->tables->v[i]->source < in->dict->n_sources &&
            !tr_select_hide(select, in->tables->v[i]->source, true))
            return tr_fail_memory(err);
    x->events = false;
    for (uint32_t i = 0; i < in->dict->n_sources; i++)
        x->events |= tr_select_source(select, i);
    return TR_OK;
}

/* Open the inputs and read them.  With partial results among them, the runner is that of all. */
static enum tr_status read_inputs(struct run *x, bool save, bool *partials, struct tr_error *err)
{
    struct cli_analysis *a = x->a;
    const struct tr_saving *saving = x->analysis->saving;
    a->want = (struct tr_projection){ .fixed = 0 };
    a->partials = true;
    enum tr_status st = tr_runner_needs(x->r, &a->want, &a->host, err);
    if (st == TR_OK)
        st = cli_analysis_open_paths(x->cli, a, x->paths, x->n_paths, err);
    if (st == TR_OK)
        st = prepare(x, err);
    *partials = st == TR_OK && tr_partial_any(a->in->tables);
    x->in.saved = save || *partials;
    if (st == TR_OK && x->in.saved)
        st = tr_runner_saves(x->r, 0, err); /* before a listing prints its first row */
    if (st == TR_OK && *partials)
        st = cli_partial_only(x->cli, a->in, x->paths, x->n_paths, saving->name ? saving->name : x->analysis->name,
                              err);
    if (st == TR_OK && *partials)
        st = find_events(x, err);
    if (st == TR_OK)
        st = read_events(x, err);
    return st == TR_OK && *partials ? add_partials(x, err) : st;
}

/* Read the inputs, and print or save the result. */
static enum tr_status run(struct run *x, struct tr_error *err)
{
    struct cli_analysis *a = x->a;
    const char *save = cli_partial(x->cli)->save;
    bool partials = false, shown = x->shown && !save;
    enum tr_status ranks = TR_OK, st = read_inputs(x, save, &partials, err);
    if (st == TR_OK && save)
        st = cli_partial_write(x->cli, a->in, save, x->r, err);
    else if (st == TR_OK)
        st = tr_runner_finish(x->r, err);
    if (st == TR_OK && shown)
        st = cli_picture(x->cli, x->t, x->analysis->chart, x->analysis->question, &a->select, tr_runner_why(x->r, 0),
                         err);
    if (st == TR_ABSENT)
        tr_error_input(err, a->in->name);
    if (st == TR_OK && shown)
        st = cli_analysis_write(x->cli, a, x->t, tr_runner_why(x->r, 0), err);
    if (st == TR_OK)
        ranks = check_ranks(x, partials, err);
    return st == TR_OK ? ranks : st;
}

/* Options for the form of a table have no effect on one that is saved. */
static enum tr_status check_saving(const struct cli *cli, struct tr_error *err)
{
    const char *given = arranged(cli);
    return given ? tr_fail(err, TR_USAGE, "%s is about tables: it goes with runs that print what was saved", given)
                 : TR_OK;
}

/* shown: the table is printed. */
static enum tr_status run_analysis(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                   const void *options, bool shown, struct tr_error *err)
{
    struct run x = { .cli = cli, .a = a, .analysis = analysis, .options = options, .shown = shown };
    x.paths = cli_operands(cli, &x.n_paths);
    x.t = make_table(&x);
    x.r = tr_runner_new();
    enum tr_status st = x.t && x.r ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK && shown)
        st = cli_picture_possible(cli, analysis->chart != NULL, err);
    if (st == TR_OK && cli_arrange(cli)->top_per && !cli_arrange(cli)->top && !analysis->cut)
        st = tr_fail(err, TR_USAGE, "--top-per goes with --top");
    if (st == TR_OK && cli_partial(cli)->save)
        st = check_saving(cli, err);
    if (st == TR_OK)
        st = tr_runner_add(x.r, analysis, options, a->per, x.t, err);
    if (st == TR_OK && shown && cli_arrange(cli)->help_columns)
        st = help_columns(cli, x.t, analysis, options, err);
    else if (st == TR_OK)
        st = run(&x, err);
    tr_runner_free(x.r);
    cli_analysis_close(a);
    tr_table_free(x.t);
    tr_buf_free(&x.selection);
    return st;
}

enum tr_status cli_analysis_table(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                  const void *options, const char *const *paths, size_t n, struct tr_table **t,
                                  struct tr_buf *selection, struct tr_error *err)
{
    struct run x = { .cli = cli, .a = a, .analysis = analysis, .options = options, .paths = paths, .n_paths = n };
    bool partials;
    x.t = make_table(&x);
    x.r = tr_runner_new();
    enum tr_status st = x.t && x.r ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_runner_add(x.r, analysis, options, a->per, x.t, err);
    if (st == TR_OK && !paths && analysis->late)
        tr_analysis_columns(analysis, &(struct tr_analysis_in){ .work.per = analysis->group }, options, x.t);
    else if (st == TR_OK && paths)
        st = read_inputs(&x, false, &partials, err);
    if (st == TR_OK && paths)
        st = tr_runner_finish(x.r, err);
    if (st == TR_OK)
        st = tr_table_status(x.t, err);
    if (st == TR_ABSENT)
        tr_error_input(err, a->in->name);
    tr_runner_free(x.r);
    cli_analysis_close(a);
    *t = x.t;
    *selection = x.selection;
    return st;
}

enum tr_status cli_analysis_run(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                const void *options, struct tr_error *err)
{
    return run_analysis(cli, a, analysis, options, true, err);
}

enum tr_status cli_analysis_feed(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                 const void *options, struct tr_error *err)
{
    return run_analysis(cli, a, analysis, options, false, err);
}

enum tr_status cli_view_run(struct cli *cli, struct cli_analysis *a, struct tr_error *err)
{
    enum tr_status st = cli_view_choose(cli, err);
    const struct cli_views *s = &cli->views;
    cli_name_of_view(cli_view(cli)->name, s->keys, s->by.keys, cli->views.table);
    cli_name_table(cli, s->table);
    return st == TR_OK ? run_analysis(cli, a, s->use.analysis, s->use.options, true, err) : st;
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
    tr_table_columns(t, table->list, table->n_list);
    if (table->columns)
        table->columns(o, t);
    enum tr_status st = cli_picture_possible(cli, table->chart != NULL, err);
    if (st == TR_OK)
        st = tr_table_ready(t, err);
    if (st == TR_OK && cli_arrange(cli)->help_columns) {
        st = cli_table_describe(cli, t, table->chart, help_sink(cli), err);
    } else if (st == TR_OK) {
        st = table->fill(cli, o, t, err);
        if (st == TR_OK)
            st = cli_picture(cli, t, table->chart, table->question, NULL, NULL, err);
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
    const char *given = arranged(cli);
    return about_tables(given ? given : cli_partial(cli)->save ? "--save-partial" : NULL, tables, err);
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

/* ---- programs of views alone ---- */

struct only {
    struct cli_analysis a;
};
const struct tr_option cli_view_opts[] = { CLI_ANALYSIS_OPTS(struct only, a), { 0 } };

static enum tr_status run_only(struct cli *cli, void *arg, struct tr_error *err)
{
    return cli_view_run(cli, &((struct only *)arg)->a, err);
}

int cli_view_main(int argc, char **argv, const struct cli_tool *tool)
{
    return cli_main(argc, argv, tool, &(struct only){ .a = CLI_ANALYSIS_INIT }, run_only);
}
