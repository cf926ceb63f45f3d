/* SPDX-License-Identifier: MIT */
/* From an input to the table of an analysis. */
#include "cli/cli_view.h"

#include "base/tr_sort.h"
#include "cli/cli_book.h"
#include "cli/cli_every.h"
#include "cli/cli_partial.h"
#include "cli/cli_picture.h"
#include "cli/cli_priv.h"
#include "cli/cli_several.h"
#include "cli/cli_spread.h"
#include "engine/tr_partial.h"

#include <stdlib.h>

/* several: the description is one of several; name: of the table. */
static enum tr_status describe(struct cli *cli, const struct tr_table *t, const struct tr_chart *chart,
                               const struct tr_row_sink *sink, struct cli_several *several, const char *name,
                               struct tr_error *err)
{
    struct tr_table *help = cli_table_as(cli, sink, TR_UNIT_US, false); /* it has no times */
    if (!help)
        return tr_fail_memory(err);
    if (several)
        tr_table_hold(help);
    tr_table_describe(t, chart, help);
    enum tr_status st = several ? cli_several_add(several, name, help, NULL, err) : tr_table_end(help, err);
    tr_table_free(help);
    return st;
}

enum tr_status cli_table_describe(struct cli *cli, const struct tr_table *t, const struct tr_chart *chart,
                                  const struct tr_row_sink *sink, struct tr_error *err)
{
    return describe(cli, t, chart, sink, NULL, NULL, err);
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
                                    .answer = l->a->answer,
                                    .max_memory = cli_max_memory(l->cli) / 2,
                                    .temp_dir = cli_temp_dir(l->cli),
                                    .threads = cli_threads(l->cli),
                                    .remark = remark,
                                    .remark_self = l };
}

/* A run of views in one pass, perhaps with partial results among its inputs. */
struct run {
    struct cli *cli;
    struct cli_analysis *a;
    struct part {
        const struct tr_analysis *analysis;
        const void *options;
        const char *name;           /* of the view; NULL: see cli_name_table */
        char table[CLI_TABLE_NAME]; /* its name in outputs of several */
        struct tr_arrange how; /* the options for the form of the table that it has */
        int per;
        int spread; /* TR_PER_SPREAD or later: its rows are of ranks, and their spread is printed; 0: rows are */
        struct tr_table *t;
    } parts[CLI_MAX_VIEWS];
    size_t n;
    const char *const *paths; /* the inputs */
    size_t n_paths;
    bool shown;   /* the tables are printed, not only held */
    bool in_text; /* they are several, in one text */
    bool events;  /* beside partial results, there are events */
    struct tr_runner *r;
    struct tr_buf selection;
    struct tr_analysis_in in;
    struct cli_listener listener;
};

/* The table that is printed. */
static struct tr_table *shown_table(const struct run *x, const struct part *p)
{
    if (p->name)
        cli_name_table(x->cli, p->table);
    struct tr_table *t = cli_table_arranged(x->cli, &p->how);
    if (t && (x->in_text || cli_every_given(x->cli)))
        tr_table_hold(t);
    return t;
}

/* The table that an analysis makes. */
static struct tr_table *make_table(const struct run *x, const struct part *p)
{
    return x->shown && !p->spread ? shown_table(x, p) : cli_table_held(x->cli);
}

/* In place of the rows of ranks, how they spread; dict: of the ranks; NULL: only the columns. */
static enum tr_status spread(const struct run *x, struct part *p, const struct tr_dict *dict, struct tr_error *err)
{
    struct cli_spread s = { .per = p->spread };
    const char *figure = cli_spread_figure(p->t, p->how.sort);
    p->how.sort = figure ? NULL : p->how.sort;
    struct tr_table *t = shown_table(x, p);
    enum tr_status st = !t ? tr_fail_memory(err) : dict ? cli_spread_start(&s, dict, err) : TR_OK;
    if (st == TR_OK)
        st = cli_spread_fill(&s, p->t, figure, dict, t, err);
    cli_spread_free(&s);
    tr_table_free(p->t);
    p->t = t;
    return st;
}

/* Make the tables, and add the analyses to a runner. */
static enum tr_status add_parts(struct run *x, struct tr_runner *r, struct tr_table **tables, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < x->n; i++) {
        const struct part *p = &x->parts[i];
        tables[i] = make_table(x, p);
        st = tables[i] ? tr_runner_add(r, p->analysis, p->options, p->per, tables[i], err) : tr_fail_memory(err);
    }
    return st;
}

static const struct tr_saving *saving_of(const struct part *p)
{
    return tr_saving_of(p->analysis, p->per < 0 ? p->analysis->group : (enum tr_per)p->per);
}

/* The input of the analysis; what partial results say holds unless other options are given. */
static enum tr_status prepare(struct run *x, struct tr_error *err)
{
    const struct cli_partial *p = cli_partial(x->cli);
    struct tr_partial_about about = { 0 };
    x->listener = (struct cli_listener){ x->cli, x->a };
    x->in = cli_view_in(&x->listener);
    x->in.max_memory /= x->n;
    for (size_t i = 0; i < x->n; i++)
        if (saving_of(&x->parts[i]) && !about.distinct && !about.selection.len)
            tr_partial_describe(x->a->in->tables, saving_of(&x->parts[i]), x->parts[i].analysis->name, &about);
    uint64_t distinct = p->distinct      ? p->distinct
                        : about.distinct ? about.distinct
                                         : (p->save ? TR_PARTIAL_DISTINCT : 0);
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

/* ---- many ranks ---- */

#define MANY_RANKS 32u /* text shows the spread of more, unless something is said about rows or columns */

static bool may_spread(const struct run *x, const struct part *p)
{
    const struct cli_arrange *a = cli_arrange(x->cli);
    const struct tr_analysis *is = p->analysis;
    bool asked = x->a->per >= 0 || a->columns || a->sort || a->top_per || a->short_names || cli_partial(x->cli)->save;
    return x->shown && !asked && !is->late && is->group == TR_PER_RANK && (is->groups & TR_PER_BIT(TR_PER_RANK)) &&
           cli_report_sink(x->cli) == &tr_row_sink_text && tr_table_spread_figure(p->t, NULL) != SIZE_MAX;
}

/* Choose the views that are shown as a spread.  False: none is. */
static bool choose_spread(struct run *x, size_t n_ranks)
{
    bool any = false;
    for (size_t i = 0; n_ranks > MANY_RANKS && i < x->n; i++) {
        struct part *p = &x->parts[i];
        if (p->spread || !may_spread(x, p))
            continue;
        any = true;
        p->spread = TR_PER_SPREAD;
        p->per = TR_PER_RANK;
    }
    if (any && !cli_quiet(x->cli))
        cli_remark(x->cli, "%zu ranks: their spread is shown; --per rank shows each", n_ranks);
    return any;
}

/* Without memory to count them, there are none. */
static size_t selected_ranks(const struct run *x)
{
    const struct tr_dict *d = x->a->in->dict;
    int64_t *ranks = calloc(d->n_sources + 1, sizeof *ranks);
    size_t n = 0, kept = 0;
    for (uint32_t i = 0; ranks && i < d->n_sources; i++)
        if (tr_select_source(x->a->select.selected, i))
            ranks[n++] = d->sources[i].rank;
    if (ranks)
        qsort(ranks, n, sizeof *ranks, tr_by_i64);
    for (size_t i = 0; i < n; i++)
        kept += !i || ranks[i] != ranks[i - 1];
    free(ranks);
    return kept;
}

/* The tables and the runner anew, before anything is read. */
static enum tr_status start_again(struct run *x, struct tr_error *err)
{
    struct tr_table *tables[CLI_MAX_VIEWS] = { NULL };
    tr_runner_free(x->r);
    x->r = tr_runner_new();
    enum tr_status st = x->r ? add_parts(x, x->r, tables, err) : tr_fail_memory(err);
    for (size_t i = 0; i < x->n; i++) {
        tr_table_free(x->parts[i].t);
        x->parts[i].t = tables[i];
    }
    return st;
}

/* Go on with a runner that has the partial results among the inputs, and what was read of events. */
static enum tr_status add_partials(struct run *x, struct tr_error *err)
{
    struct tr_table *tables[CLI_MAX_VIEWS] = { NULL };
    struct tr_runner *all = tr_runner_new();
    enum tr_status st = all ? add_parts(x, all, tables, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_runner_start_partials(all, &x->in, err);
    for (size_t i = 0; st == TR_OK && i < x->n; i++)
        st = tr_runner_merge(all, i, x->a->in->tables, x->events ? x->r : NULL, i, err);
    if (st != TR_OK) {
        tr_error_input(err, x->a->in->name);
        tr_runner_free(all);
        for (size_t i = 0; i < x->n; i++)
            tr_table_free(tables[i]);
        return st;
    }
    size_t n_ranks = 0;
    uint64_t world_size;
    tr_runner_ranks(all, 0, &n_ranks, &world_size);
    const bool again = !x->events && choose_spread(x, n_ranks);
    tr_runner_free(again ? all : x->r);
    x->r = again ? x->r : all;
    for (size_t i = 0; i < x->n; i++) {
        tr_table_free(again ? tables[i] : x->parts[i].t);
        x->parts[i].t = again ? x->parts[i].t : tables[i];
    }
    return again ? add_partials(x, err) : TR_OK;
}

/* Print the tables, each with what is around it. */
static enum tr_status print(struct run *x, struct tr_error *err)
{
    struct cli_several several = { .cli = x->cli };
    enum tr_status st = cli_every_next(x->cli, err);
    for (size_t i = 0; st == TR_OK && i < x->n; i++) {
        const struct part *p = &x->parts[i];
        const char *why = tr_runner_why(x->r, i);
        if (p->spread)
            st = spread(x, &x->parts[i], x->a->in->dict, err);
        if (st == TR_OK)
            st = cli_picture(x->cli, p->t, p->spread ? NULL : p->analysis->chart, p->analysis->question,
                             &x->a->select, why, err);
        if (st != TR_OK)
            break;
        cli_analysis_empty(x->cli, x->a, p->t, why);
        st = x->in_text ? cli_several_add(&several, p->name, p->t, &x->cli->picture.is, err) : tr_table_end(p->t, err);
    }
    return x->in_text ? cli_several_end(&several, st, err) : st;
}

/* What the run prints if it ends now. */
static enum tr_status print_so_far(void *run, struct tr_error *err)
{
    struct run *x = run;
    enum tr_status st = tr_partial_any(x->a->in->tables) ? add_partials(x, err) : TR_OK;
    if (st == TR_OK)
        st = tr_runner_finish(x->r, err);
    return st == TR_OK ? print(x, err) : st;
}

/* Every batch of the open input through the runner. */
static enum tr_status read_events(struct run *x, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st = tr_runner_start(x->r, &x->in, err);
    while (st == TR_OK && (st = cli_analysis_next(x->a, &b, &keep, err)) == TR_OK)
        if ((st = tr_runner_feed(x->r, b, keep, err)) == TR_OK && x->shown)
            st = cli_every(x->cli, x->a->in->name, print_so_far, x, err);
    return st == TR_END ? TR_OK : st;
}

/* Are all required ranks there?  With partial results, all ranks are among those that were loaded. */
static enum tr_status check_ranks(const struct run *x, bool partials, struct tr_error *err)
{
    struct cli_ranks ranks = { .run = x->a->run };
    if (partials)
        ranks.loaded = tr_runner_ranks(x->r, 0, &ranks.n_loaded, &ranks.world_size);
    else
        ranks.dict = x->a->in->dict;
    ranks.selected = x->a->select.selected;
    if (cli_partial(x->cli)->save)
        ranks.world_size = 0;
    return cli_ranks_there(x->cli, &ranks, err);
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

/* The name of its partial results. */
static const char *saved_name(const struct part *p)
{
    const struct tr_saving *s = saving_of(p);
    return s && s->name ? s->name : p->analysis->name;
}

/* Open the inputs and read them.  With partial results among them, the runner is that of all. */
static enum tr_status read_inputs(struct run *x, bool save, bool *partials, struct tr_error *err)
{
    struct cli_analysis *a = x->a;
    a->want = (struct tr_projection){ .fixed = 0 };
    a->partials = true;
    enum tr_status st = tr_runner_needs(x->r, &a->want, &a->host, err);
    if (st == TR_OK)
        st = cli_analysis_open_paths(x->cli, a, x->paths, x->n_paths, err);
    if (st == TR_OK && !tr_partial_any(a->in->tables) && choose_spread(x, selected_ranks(x)))
        st = start_again(x, err);
    if (st == TR_OK)
        st = prepare(x, err);
    *partials = st == TR_OK && tr_partial_any(a->in->tables);
    x->in.saved = save || *partials;
    for (size_t i = 0; st == TR_OK && x->in.saved && i < x->n; i++)
        st = tr_runner_saves(x->r, i, err); /* before a listing prints its first row */
    if (st == TR_OK && *partials && x->n == 1) /* with several views, each finds its own */
        st = cli_partial_only(x->cli, a->in, x->paths, x->n_paths, saved_name(&x->parts[0]), err);
    if (st == TR_OK && *partials)
        st = find_events(x, err);
    if (st == TR_OK)
        st = read_events(x, err);
    if (st == TR_OK && *partials)
        st = add_partials(x, err);
    if (st == TR_OK && *partials && !x->events)
        tr_input_drop_rows(a->in, TR_PARTIAL_TABLES); /* they are loaded; of many ranks, there are many */
    return st;
}

/* Read the inputs, and print or save the result. */
static enum tr_status run(struct run *x, struct tr_error *err)
{
    struct cli_analysis *a = x->a;
    const char *save = cli_partial(x->cli)->save;
    bool partials = false, shown = x->shown && !save;
    enum tr_status st = read_inputs(x, save, &partials, err);
    if (st == TR_OK && save)
        st = cli_partial_write(x->cli, a->in, save, x->r, x->n, err);
    else if (st == TR_OK)
        st = tr_runner_finish(x->r, err);
    if (st == TR_ABSENT)
        tr_error_input(err, a->in->name);
    if (st == TR_OK && shown)
        st = print(x, err);
    return st == TR_OK ? check_ranks(x, partials, err) : st;
}

/* The columns of the tables, from options only. */
static enum tr_status help_columns(struct run *x, struct tr_error *err)
{
    struct cli_several several = { .cli = x->cli };
    enum tr_status st = TR_OK;
    bool late = false;
    for (size_t i = 0; st == TR_OK && i < x->n; i++) {
        const struct part *p = &x->parts[i];
        const struct tr_analysis_in in = { .work.per = p->analysis->group };
        if (p->analysis->late)
            tr_analysis_columns(p->analysis, &in, p->options ? p->options : p->analysis->defaults, p->t);
        late |= p->analysis->late;
        if (p->spread && (st = spread(x, &x->parts[i], NULL, err)) != TR_OK)
            break;
        st = describe(x->cli, p->t, p->spread ? NULL : p->analysis->chart, help_sink(x->cli),
                      x->in_text ? &several : NULL, p->name, err);
    }
    if (late)
        cli_remark(x->cli, "the data has more columns");
    return x->in_text ? cli_several_end(&several, st, err) : st;
}

/* ---- which options for the form of tables a view has, if there are several ---- */

enum { FIT_COLUMNS, FIT_SORT, FIT_TOP_PER, FIT_UNIT, FIT_SHORT, FIT_HUMAN, N_FITS };

/* One of the options alone.  False: it was not given. */
static bool only(const struct tr_arrange *all, int which, struct tr_arrange *one)
{
    *one = (struct tr_arrange){ .columns = which == FIT_COLUMNS ? all->columns : NULL,
                                .sort = which == FIT_SORT ? all->sort : NULL,
                                .top = which == FIT_TOP_PER ? all->top : 0,
                                .top_per = which == FIT_TOP_PER ? all->top_per : NULL,
                                .has_unit = which == FIT_UNIT && all->has_unit,
                                .human = which == FIT_HUMAN && all->human,
                                .shorten = which == FIT_SHORT ? all->shorten : NULL };
    return one->columns || one->sort || one->top_per || one->has_unit || one->human || one->shorten;
}

static void leave_out(struct tr_arrange *how, int which)
{
    switch (which) {
    case FIT_COLUMNS:
        how->columns = NULL;
        break;
    case FIT_SORT:
        how->sort = NULL;
        break;
    case FIT_TOP_PER:
        how->top_per = NULL;
        break;
    case FIT_UNIT:
        how->has_unit = false;
        break;
    case FIT_SHORT:
        how->shorten = NULL;
        break;
    default:
        how->human = false;
    }
}

static enum tr_status fits(const struct run *x, const struct part *p, const struct tr_arrange *one,
                           struct tr_error *err)
{
    struct tr_table *t = cli_table_held(x->cli), *of = cli_table_held(x->cli);
    const struct tr_analysis_in in = { .work.per = p->per < 0 ? p->analysis->group : (enum tr_per)p->per };
    struct tr_arrange how = *one;
    const char *figure = NULL;
    enum tr_status st = t && of ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        tr_analysis_columns(p->analysis, &in, p->options ? p->options : p->analysis->defaults, p->spread ? of : t);
    if (st == TR_OK && p->spread && (figure = cli_spread_figure(of, how.sort)) != NULL)
        how.sort = NULL;
    if (st == TR_OK)
        st = tr_table_arrange(t, &how, err);
    if (st == TR_OK)
        st = p->spread ? cli_spread_fill(&(struct cli_spread){ .per = p->spread }, of, figure, false, t, err)
                       : tr_table_ready(t, err);
    tr_table_free(of);
    tr_table_free(t);
    return st;
}

/* The same for --per. */
static enum tr_status fit_per(struct run *x, struct tr_error *err)
{
    struct tr_error why = TR_ERROR_INIT;
    size_t n = 0;
    for (size_t i = 0; x->a->per >= 0 && i < x->n; i++) {
        struct part *p = &x->parts[i];
        struct tr_table *t = cli_table_held(x->cli);
        struct tr_runner *r = tr_runner_new();
        enum tr_status st = t && r ? tr_runner_add(r, p->analysis, p->options, p->per, t, &why) : tr_fail_memory(&why);
        tr_runner_free(r);
        tr_table_free(t);
        if (st == TR_SYSTEM)
            return *err = why, st;
        n += st == TR_OK;
        p->per = st == TR_OK ? p->per : -1;
        p->spread = st == TR_OK ? p->spread : 0;
    }
    return x->a->per < 0 || n ? TR_OK : (*err = why, TR_USAGE);
}

/* Leave out what a view does not have.  TR_USAGE: none has it. */
static enum tr_status fit(struct run *x, struct tr_error *err)
{
    const struct tr_arrange all = x->parts[0].how;
    struct tr_arrange one;
    for (int which = 0; which < N_FITS; which++) {
        struct tr_error why = TR_ERROR_INIT;
        size_t n = 0;
        if (!only(&all, which, &one))
            continue;
        for (size_t i = 0; i < x->n; i++) {
            enum tr_status st = fits(x, &x->parts[i], &one, &why);
            if (st == TR_SYSTEM)
                return *err = why, st;
            n += st == TR_OK;
            if (st != TR_OK)
                leave_out(&x->parts[i].how, which);
        }
        if (!n)
            return *err = why, TR_USAGE;
    }
    return TR_OK;
}

/* ---- a run from start to end ---- */

/* Options for the form of a table have no effect on one that is saved; in a file, an analysis is saved once. */
static enum tr_status check_saving(const struct run *x, struct tr_error *err)
{
    const char *given = arranged(x->cli);
    for (size_t i = 0; i < x->n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(saved_name(&x->parts[i]), saved_name(&x->parts[k])) == 0)
                return tr_fail(err, TR_USAGE,
                               "--save-partial: %s and %s are one view with other keys: save one of them",
                               x->parts[k].name, x->parts[i].name);
    return given ? tr_fail(err, TR_USAGE, "%s is about tables: it goes with runs that print what was saved", given)
                 : TR_OK;
}

/* Do the options that are not about a view alone go with these views? */
static enum tr_status check(struct run *x, struct tr_error *err)
{
    struct cli *cli = x->cli;
    bool charts = true, cuts = false, spreads = false;
    for (size_t i = 0; i < x->n; i++) {
        charts &= x->parts[i].analysis->chart && !x->parts[i].spread;
        spreads |= x->parts[i].spread > 0;
        cuts |= x->parts[i].analysis->cut != NULL;
    }
    enum tr_status st = TR_OK;
    if (x->n > 1 && !cli_partial(cli)->save)
        st = cli_several_possible(cli, err);
    if (st == TR_OK)
        st = cli_picture_possible(cli, charts, err);
    if (st == TR_OK)
        st = cli_every_possible(cli, err);
    if (st == TR_OK && cli_arrange(cli)->top_per && !cli_arrange(cli)->top && !cuts)
        st = tr_fail(err, TR_USAGE, "--top-per goes with --top");
    if (st == TR_OK && spreads &&
        (cli_arrange(cli)->top_per || cli_arrange(cli)->short_names || cli_partial(cli)->save))
        st = tr_fail(err, TR_USAGE, "--per %s does not go with --top-per, --short-names and --save-partial",
                     cli_analysis_per[x->a->per]);
    if (st == TR_OK && cli_partial(cli)->save)
        st = check_saving(x, err);
    if (st == TR_OK && x->n > 1)
        st = fit_per(x, err);
    return st == TR_OK && x->n > 1 ? fit(x, err) : st;
}

static void add_part(struct run *x, const struct tr_analysis *analysis, const void *options, const char *name)
{
    const int per = x->a->per == CLI_PER_NODE ? TR_PER_HOST : x->a->per, spread = per >= TR_PER_SPREAD ? per : 0;
    struct part *p = &x->parts[x->n++];
    *p = (struct part){
        .analysis = analysis, .options = options, .name = name, .how = cli_arrangement(x->cli),
        .per = spread ? TR_PER_RANK : per, .spread = spread
    };
    if (name)
        cli_table_of_view(x->cli, name, p->table);
}

static enum tr_status run_parts(struct run *x, struct tr_error *err)
{
    struct tr_table *tables[CLI_MAX_VIEWS] = { NULL };
    x->in_text = x->n > 1 && !cli_book(x->cli);
    x->paths = cli_operands(x->cli, &x->n_paths);
    x->r = tr_runner_new();
    enum tr_status st = x->r ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK && x->n == 1 && x->parts[0].spread && !(x->parts[0].analysis->groups & TR_PER_BIT(TR_PER_RANK)))
        st = tr_fail(err, TR_USAGE, "the view %s has no rows of ranks, so --per %s has no effect",
                     x->parts[0].analysis->name, cli_analysis_per[x->a->per]);
    if (st == TR_OK && !x->shown && x->parts[0].spread)
        st = tr_fail(err, TR_USAGE, "--per %s is about tables", cli_analysis_per[x->a->per]);
    if (st == TR_OK && x->shown)
        st = check(x, err);
    if (st == TR_OK)
        st = add_parts(x, x->r, tables, err);
    for (size_t i = 0; i < x->n; i++)
        x->parts[i].t = tables[i];
    if (st == TR_OK && x->shown && cli_arrange(x->cli)->help_columns)
        st = help_columns(x, err);
    else if (st == TR_OK)
        st = run(x, err);
    tr_runner_free(x->r);
    cli_analysis_close(x->a);
    for (size_t i = 0; i < x->n; i++)
        tr_table_free(x->parts[i].t);
    tr_buf_free(&x->selection);
    return st;
}

/* shown: the table is printed. */
static enum tr_status run_analysis(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                   const void *options, bool shown, struct tr_error *err)
{
    struct run x = { .cli = cli, .a = a, .shown = shown };
    add_part(&x, analysis, options, NULL);
    return run_parts(&x, err);
}

enum tr_status cli_analysis_table(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                  const void *options, const char *const *paths, size_t n, struct tr_table **t,
                                  struct tr_buf *selection, struct tr_error *err)
{
    struct run x = { .cli = cli, .a = a, .paths = paths, .n_paths = n };
    bool partials = false;
    add_part(&x, analysis, options, NULL);
    x.r = tr_runner_new();
    enum tr_status st = x.r ? add_parts(&x, x.r, t, err) : tr_fail_memory(err);
    x.parts[0].t = *t;
    if (st == TR_OK && !paths && analysis->late)
        tr_analysis_columns(analysis, &(struct tr_analysis_in){ .work.per = analysis->group }, options, *t);
    else if (st == TR_OK && paths)
        st = read_inputs(&x, false, &partials, err);
    if (st == TR_OK && paths)
        st = tr_runner_finish(x.r, err);
    if (st == TR_OK)
        st = tr_table_status(x.parts[0].t, err);
    if (st == TR_ABSENT)
        tr_error_input(err, a->in->name);
    if (st == TR_OK && paths)
        st = check_ranks(&x, partials, err);
    tr_runner_free(x.r);
    cli_analysis_close(a);
    *t = x.parts[0].t;
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
    struct run x = { .cli = cli, .a = a, .shown = true };
    enum tr_status st = cli_view_choose(cli, err);
    for (size_t i = 0; st == TR_OK && i < cli->views.n_chosen; i++)
        add_part(&x, cli->views.chosen[i].use.analysis, cli->views.chosen[i].use.options, cli->views.chosen[i].name);
    return st == TR_OK ? run_parts(&x, err) : st;
}

enum tr_status cli_view_feed(struct cli *cli, struct cli_analysis *a, struct tr_error *err)
{
    enum tr_status st = cli_view_choose(cli, err);
    const struct tr_view_use *use = &cli->views.chosen[0].use;
    if (st == TR_OK && cli->views.n_chosen > 1)
        return tr_fail(err, TR_USAGE, "this output has one view: --by was given %zu times", cli->views.n_chosen);
    return st == TR_OK ? run_analysis(cli, a, use->analysis, use->options, false, err) : st;
}

/* ---- tables that are no analyses ---- */

enum tr_status cli_table_run(struct cli *cli, const struct cli_table *table, void *o, struct tr_error *err)
{
    enum tr_status st = cli_picture_possible(cli, table->chart != NULL, err);
    if (st != TR_OK)
        return st;
    struct tr_table *t = cli_table_new(cli);
    if (!t)
        return tr_fail_memory(err);
    tr_table_columns(t, table->list, table->n_list);
    if (table->columns)
        table->columns(o, t);
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
    return about_tables(given                    ? given
                        : cli_partial(cli)->save ? "--save-partial"
                        : cli_every_given(cli)   ? "--every"
                        : cli_follow_given(cli)  ? "--follow"
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
