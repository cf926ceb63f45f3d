/* SPDX-License-Identifier: MIT */
/* tr-diff: reads traces and streams as one of the two runs. */
#include "analysis/calls/tr_coverage.h"
#include "diff/diff.h"

#include "cli/cli_partial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The smallest share of a source, defined as in tr-info(1). */
static double coverage_of(const struct tr_coverage *c, size_t n_sources)
{
    double min = n_sources ? 1 : 0;
    for (uint32_t i = 0; i < n_sources; i++) {
        struct tr_coverage_counts n = tr_coverage_of(c, i);
        double work = n.work ? (double)n.work_launched / (double)n.work : 0;
        double launches = n.launches ? (double)n.launches_used / (double)n.launches : 1;
        min = work < min ? work : min;
        min = launches < min ? launches : min;
    }
    return min;
}

static struct tr_projection columns_for(enum tr_diff_by by, unsigned refined, bool coverage)
{
    struct tr_projection want = tr_diff_needs(by, refined);
    want.fixed |= TR_COVERAGE_FIXED;
    if (coverage)
        want.derived |= 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_N_DEVICE;
    return want;
}

/* The consumers of the events of a run; NULL: not used. */
struct readers {
    struct tr_diff_feed *feed;
    struct tr_coverage *covered;
    struct tr_runner *runner;
    struct tr_steps_seen *seen;
    struct tr_step_ends *ends;
};

static enum tr_status feed_all(struct cli_analysis *a, const struct readers *r, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st;
    while ((st = cli_analysis_next(a, &b, &keep, err)) == TR_OK) {
        if (r->covered && (st = tr_coverage_add(r->covered, b, NULL, err)) != TR_OK)
            return st;
        if (!tr_step_ends_feed(r->ends, b, tr_select_where_alone(a->select.selected)))
            return tr_fail_memory(err);
        if (r->seen && !tr_steps_seen_feed(r->seen, b, keep))
            return tr_fail_memory(err);
        if (r->feed && (st = tr_diff_feed(r->feed, b, keep, err)) != TR_OK)
            return st;
        if (r->runner && (st = tr_runner_feed(r->runner, b, keep, err)) != TR_OK)
            return st;
    }
    st = st == TR_END ? TR_OK : st;
    return st == TR_OK && r->feed ? tr_diff_feed_end(r->feed, err) : st;
}

/* What a reader should know of the steps of a run, if the report shows their times. */
static void remark_on_steps(struct cli *cli, const struct diff *x, const struct diff_side *side,
                            const struct cli_analysis *a, const struct tr_step_ends *ends)
{
    char text[200];
    for (int which = 0; which < TR_N_STEP_REMARKS && x->headline && side->steps.n && !cli_quiet(cli); which++)
        if (tr_step_ends_remark(ends, a->select.selected, (enum tr_step_remark)which, text, sizeof text))
            cli_remark(cli, "%s: %s", side->what, text);
}

/* The runner of the headline, and the tables of its analyses. */
struct headline {
    struct tr_runner *runner;
    struct tr_run_summary_maker *maker;
    struct tr_buf selection; /* as text, for partial results */
};

static enum tr_status headline_new(struct headline *h, struct tr_error *err)
{
    h->runner = tr_runner_new();
    enum tr_status st = h->runner ? tr_run_summary_maker_new(h->runner, &h->maker, err) : tr_fail_memory(err);
    if (st == TR_OK)
        diff_partial_names(h->runner);
    return st;
}

static void headline_free(struct headline *h)
{
    tr_runner_free(h->runner);
    tr_run_summary_maker_free(h->maker);
    tr_buf_free(&h->selection);
}

/* Its input, for an open input. */
static enum tr_status headline_in(struct headline *h, struct cli_listener *listener, struct tr_analysis_in *in,
                                  struct tr_error *err)
{
    bool ok = cli_select_text(&listener->a->select, &h->selection);
    *in = cli_view_in(listener);
    in->distinct = DIFF_DISTINCT;
    if (!ok || (h->selection.len && !tr_buf_add(&h->selection, "", 1)))
        return tr_fail_memory(err);
    in->selection = h->selection.len ? (const char *)h->selection.data : NULL;
    return TR_OK;
}

static enum tr_status read_run(struct cli *cli, const struct diff_opts *o, struct cli_analysis *a, struct diff *x,
                               enum tr_diff_run run, struct headline *h, struct tr_error *err)
{
    struct diff_side *side = &x->sides[run];
    struct tr_diff_opts opts = { .suspect = o->a.suspect, .profiler = o->profiler };
    struct readers r = { .covered = o->min_coverage >= 0 ? tr_coverage_new(true) : NULL,
                         .runner = h ? h->runner : NULL };
    struct cli_listener listener = { cli, a };
    struct tr_analysis_in in;
    enum tr_status st = o->min_coverage >= 0 && !r.covered ? tr_fail_memory(err) : TR_OK;
    if (st == TR_OK && h)
        st = headline_in(h, &listener, &in, err);
    if (st == TR_OK && a->in->summary && a->select.where.n && !(r.seen = tr_steps_seen_new(a->in->summary)))
        st = tr_fail_memory(err);
    if (st == TR_OK && !(r.ends = tr_step_ends_new(a->in->dict, a->in->summary)))
        st = tr_fail_memory(err);
    if (st == TR_OK && x->rows)
        st = tr_diff_feed_new(x->d, run, &opts, a->in->dict, a->in->summary, a->select.selected, &r.feed, err);
    if (st == TR_OK && h)
        st = tr_runner_start(r.runner, &in, err);
    if (st == TR_OK)
        st = feed_all(a, &r, err);
    if (st == TR_OK && r.covered && a->in->dict->n_sources)
        side->coverage = coverage_of(r.covered, a->in->dict->n_sources);
    if (st == TR_OK && (!tr_step_ends_finish(r.ends) || !tr_step_times_gather(&side->steps, a->in->dict, r.ends,
                                                                              a->select.selected, r.seen)))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        remark_on_steps(cli, x, side, a, r.ends);
    if (st == TR_OK && a->in->dict->n_sources)
        snprintf(side->input, sizeof side->input, "%s", tr_dict_str(a->in->dict, a->in->dict->sources[0].name));
    for (uint32_t i = 0; st == TR_OK && i < a->in->dict->n_sources; i++)
        side->partial |= a->in->dict->sources[i].partial && tr_select_source(a->select.selected, i);
    tr_diff_feed_free(r.feed);
    tr_coverage_free(r.covered);
    tr_steps_seen_free(r.seen);
    tr_step_ends_free(r.ends);
    return st;
}

/* The further columns that it needs. */
static enum tr_status headline_needs(const struct headline *h, struct cli_analysis *a, struct tr_error *err)
{
    bool host = a->host;
    enum tr_status st = tr_runner_needs(h->runner, &a->want, &host, err);
    a->want.any_rank_order = false; /* rows depend on the order of all events */
    return st;
}

/* Go on with a runner that has the partial results, and what was read of events. */
static enum tr_status add_partials(struct cli *cli, const struct cli_analysis *a, struct diff *x, enum tr_diff_run run,
                                   struct headline *h, struct tr_error *err)
{
    struct cli_listener listener = { cli, a };
    struct tr_analysis_in in;
    struct headline all = { NULL, NULL, { 0 } };
    enum tr_status st = h->runner ? headline_new(&all, err) : TR_OK;
    if (st == TR_OK && h->runner)
        st = headline_in(&all, &listener, &in, err);
    if (st == TR_OK && h->runner)
        st = tr_runner_start_partials(all.runner, &in, err);
    if (st == TR_OK)
        st = diff_partial_load(x, run, a, all.runner, h->runner, err);
    if (h->runner) {
        headline_free(h);
        *h = all;
    }
    return st;
}

enum tr_status diff_select_run(const struct diff_opts *o, enum tr_diff_run run, struct cli_analysis *a,
                               struct tr_error *err)
{
    const struct tr_option_list *both = &o->a.select.where, *own = &o->where[run];
    *a = o->a;
    a->run = run == TR_DIFF_TEST ? "test" : "base";
    a->select.where = (struct tr_option_list){ .items = calloc(both->n + own->n + 1, sizeof *own->items) };
    if (!a->select.where.items)
        return tr_fail_memory(err);
    for (size_t i = 0; i < both->n + own->n; i++)
        a->select.where.items[a->select.where.n++] = i < both->n ? both->items[i] : own->items[i - both->n];
    return TR_OK;
}

static enum tr_status check_ranks(struct cli *cli, const struct cli_analysis *a, const struct diff_side *side,
                                  struct tr_error *err)
{
    const struct cli_ranks ranks = { .run = side->what, .dict = a->in->dict, .selected = a->select.selected,
                                     .loaded = side->ranks, .n_loaded = side->n_ranks };
    return cli_ranks_there(cli, &ranks, err);
}

/* The run is complete: it is saved, or has a headline. */
static enum tr_status end_run(struct cli *cli, const struct diff_opts *o, const struct cli_analysis *a, struct diff *x,
                              enum tr_diff_run run, const struct headline *h, struct tr_error *err)
{
    struct diff_side *side = &x->sides[run];
    if (!tr_step_times_seal(&side->steps))
        return tr_fail_memory(err);
    if (o->save) {
        enum tr_status st = diff_gate_status(x, err); /* one with too little coverage is not written */
        return st == TR_OK ? diff_partial_save(cli, x, a, h->runner, err) : st;
    }
    enum tr_status st = h->runner ? tr_runner_finish(h->runner, err) : TR_OK;
    return st == TR_OK && h->maker ? tr_run_summary_maker_end(h->maker, &side->steps, &side->headline, err) : st;
}

enum tr_status diff_read(struct cli *cli, const struct diff_opts *o, struct diff *x,
                         enum tr_diff_run run, const char *const *paths, size_t n,
                         struct tr_error *err)
{
    struct cli_analysis a;
    struct headline h = { NULL, NULL, { 0 } };
    enum tr_status st = diff_select_run(o, run, &a, err);
    a.want = columns_for(x->by, o->refined, o->min_coverage >= 0);
    a.host = x->by != TR_DIFF_BY_KERNEL || a.select.where.n > 0;
    if (st == TR_OK && x->headline)
        st = headline_new(&h, err);
    if (st == TR_OK && x->headline)
        st = headline_needs(&h, &a, err);
    a.partials = true;
    if (st == TR_OK)
        st = cli_analysis_open_paths(cli, &a, paths, n, err);
    if (st == TR_OK)
        st = cli_partial_only(cli, a.in, paths, n, DIFF_PARTIAL, err);
    if (st == TR_OK)
        st = read_run(cli, o, &a, x, run, x->headline ? &h : NULL, err);
    if (st == TR_OK && tr_partial_any(a.in->tables))
        st = add_partials(cli, &a, x, run, &h, err);
    if (st == TR_OK)
        st = check_ranks(cli, &a, &x->sides[run], err);
    if (st == TR_OK)
        st = end_run(cli, o, &a, x, run, &h, err);
    headline_free(&h);
    cli_analysis_close(&a);
    free(a.select.where.items);
    if (st == TR_OK)
        cli_input_close(cli, a.in);
    return st;
}
