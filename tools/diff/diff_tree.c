/* SPDX-License-Identifier: MIT */
/* tr-diff --by tree: the call trees of both runs, laid on each other. */
#include "cli/cli_graphs.h"
#include "cli/cli_partial.h"
#include "cli/cli_view.h"
#include "diff/diff.h"

#include <stdlib.h>

/* The captures of the graphs of a run; NULL: none are given. */
static enum tr_status read_captures(struct cli *cli, const struct diff_opts *o, int run, struct tr_graph_calls **out,
                                    struct tr_error *err)
{
    const struct tr_option_list *both = &o->captures, *own = &o->own_captures[run];
    size_t n = both->n + own->n;
    struct tr_option_list all = { .items = n ? calloc(n, sizeof *all.items) : NULL };
    if (n && !all.items)
        return tr_fail_memory(err);
    while (all.n < n) {
        all.items[all.n] = all.n < both->n ? both->items[all.n] : own->items[all.n - both->n];
        all.n++;
    }
    enum tr_status st = n ? cli_graphs_read(cli, &all, out, err) : TR_OK;
    free(all.items);
    return st;
}

/* Messages name the files, because only one of the runs may launch graphs. */
static void remark(void *self, enum tr_remark_kind how, const char *place, const char *text)
{
    const struct cli_listener *l = self;
    if (how == TR_REMARK_WARN)
        cli_warn(l->cli, l->a->in->name, place, text);
    else if (!cli_quiet(l->cli))
        cli_remark(l->cli, "%s: %s", l->a->in->name, text);
}

static void remark_graphs(struct cli *cli, const struct cli_analysis *a, const struct tr_graph_counts *counts)
{
    struct cli_listener listener = { cli, a };
    struct tr_analysis_in in = cli_view_in(&listener);
    in.remark = remark;
    tr_graph_counts_remark(counts, &in, NULL);
}

static enum tr_status read_run(struct cli *cli, struct diff *x, struct tr_tree_diff *d, int run,
                               const char *const *paths, size_t n, struct tr_error *err)
{
    const struct diff_opts *o = x->o;
    struct cli_analysis a;
    const struct tr_batch *b;
    const uint8_t *keep;
    struct tr_graph_calls *graphs = NULL;
    enum tr_status st = diff_select_run(o, (enum tr_diff_run)run, &a, err);
    a.want = tr_tree_diff_wants(o->tree);
    a.host = true;
    if (st == TR_OK)
        st = read_captures(cli, o, run, &graphs, err);
    tr_tree_diff_graphs(d, run, graphs);
    if (st == TR_OK)
        st = cli_analysis_open_paths(cli, &a, paths, n, err);
    if (st == TR_OK)
        st = tr_tree_diff_start(d, run, a.in->dict, err);
    while (st == TR_OK && (st = cli_analysis_next(&a, &b, &keep, err)) == TR_OK)
        st = tr_tree_diff_feed(d, b, keep, err);
    if (st == TR_END)
        st = tr_tree_diff_end(d, err);
    if (st == TR_OK && graphs)
        remark_graphs(cli, &a, tr_tree_diff_graph_counts(d, run));
    for (uint32_t i = 0; st == TR_OK && i < a.in->dict->n_sources; i++)
        x->sides[run].partial |= a.in->dict->sources[i].partial && tr_select_source(a.select.selected, i);
    if (st == TR_OK)
        st = cli_ranks_there(cli, &(struct cli_ranks){ .run = a.run, .dict = a.in->dict,
                                                       .selected = a.select.selected }, err);
    cli_analysis_close(&a);
    free(a.select.where.items);
    tr_graph_calls_free(graphs);
    if (st == TR_OK)
        cli_input_close(cli, a.in);
    return st;
}

void diff_tree_columns(const struct diff_opts *o, struct tr_table *t)
{
    tr_tree_diff_columns(o->tree, t);
}

enum tr_status diff_tree_fill(struct cli *cli, struct diff *x, const struct diff_paths runs[2], struct tr_table *t,
                              struct tr_error *err)
{
    const struct diff_opts *o = x->o;
    struct tr_tree_diff *d = tr_tree_diff_new(o->tree, o->a.suspect, diff_max_bytes(cli));
    enum tr_status st = d ? TR_OK : tr_fail_memory(err);
    for (int run = 0; run < 2 && st == TR_OK; run++)
        st = read_run(cli, x, d, run, runs[run].v, runs[run].n, err);
    if (st == TR_OK)
        st = tr_tree_diff_table(d, t, err);
    if (st == TR_OK && tr_table_empty(t) && !cli_quiet(cli))
        cli_remark(cli, "nothing to show: no call of the host launched device work that is selected");
    tr_tree_diff_free(d);
    return st;
}
