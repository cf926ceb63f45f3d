/* SPDX-License-Identifier: MIT */
/* tr-breakdown: where did the time of the devices go?  Manual: tr-breakdown(1). */
#include "analysis/graphs/tr_graphs_analyses.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "breakdown/breakdown_capture.h"
#include "cli/cli_graphs.h"
#include "cli/cli_view.h"

struct breakdown {
    struct cli_analysis a;
    struct tr_option_list captures;
};

static const struct tr_option breakdown_opts[] = {
    { 0, "attach-capture", "FILE", TR_OPTION_LIST, offsetof(struct breakdown, captures),
      .views = "operator,category,module,graph",
      .help =
          "work of launched graphs is that of the operators in this trace of their capture, or in a folder of such; "
          "may be repeated" },
    CLI_ANALYSIS_OPTS(struct breakdown, a),
    { 0 },
};

static const struct cli_tool breakdown_tool = {
    .name = "tr-breakdown",
    .brief = "say where the time of the devices went",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = breakdown_opts,
    .views = tr_breakdown_views,
    .examples = { "tr-breakdown --by step rank*.json.gz", "tr-breakdown --by operator,shape --top 10 job.trs" },
};

/* Read the captures, and give them to the analysis of the view. */
static enum tr_status use_captures(struct cli *cli, const struct tr_option_list *files, struct tr_graph_calls **graphs,
                                   struct tr_error *err)
{
    if (cli_given(cli, "attach"))
        return tr_fail(err, TR_USAGE, "--attach and --attach-capture both give columns: leave one out");
    enum tr_status st = cli_graphs_read(cli, files, graphs, err);
    if (cli_view(cli)->analysis != &tr_analysis_graph) {
        ((struct tr_operator_options *)cli_view_options(cli))->graphs = *graphs;
        return st;
    }
    struct tr_graph_options *o = cli_view_options(cli);
    o->captured = true;
    return st == TR_OK ? breakdown_capture(*graphs, &o->names, err) : st;
}

static enum tr_status breakdown_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct breakdown *o = arg;
    struct tr_graph_calls *graphs = NULL;
    enum tr_status st = cli_view_choose(cli, err);
    if (st == TR_OK && o->captures.n)
        st = use_captures(cli, &o->captures, &graphs, err);
    if (st == TR_OK)
        st = cli_view_run(cli, &o->a, err);
    tr_graph_calls_free(graphs); /* its memory is from the budget of the program */
    return st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &breakdown_tool, &(struct breakdown){ .a = CLI_ANALYSIS_INIT }, breakdown_run);
}
