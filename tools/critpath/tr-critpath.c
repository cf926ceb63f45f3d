/* SPDX-License-Identifier: MIT */
/* tr-critpath: the critical path of a step or of another window.  Manual: tr-critpath(1). */
#include "critpath/critpath.h"

#include "analysis/paths/tr_paths_analyses.h"
#include "analysis/nodes/tr_nodes_analyses.h"
#include "base/tr_num.h"
#include "cli/cli_stream.h"
#include "cli/cli_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAKRA = 10 };
static const char *const formats[] = { "text", "tsv",  "csv",    "json", "md",     "svg",
                                       "vega", "html", "sqlite", "xlsx", "chakra", NULL };

static const struct tr_option critpath_opts[] = {
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, offsetof(struct critpath, format), .choices = formats,
      .help = "format of the report, or the graph of a rank for simulators: chakra [$TR_FORMAT, else text on a "
              "terminal, else tsv]" },
    { 0, "mark", NULL, TR_OPTION_FLAG, offsetof(struct critpath, mark),
      .help = "pass the stream on, with the path marked" },
    { 0, "save-path", "FILE", TR_OPTION_FILE, offsetof(struct critpath, save_path),
      .help = "write the path to FILE, for --by member --base FILE in another run" },
    CLI_ANALYSIS_OPTS(struct critpath, a),
    { 0 },
};

static const struct cli_tool critpath_tool = {
    .name = "tr-critpath",
    .brief = "find the critical path of a step or of another window",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_TABLE | CLI_UNIT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = critpath_opts,
    .views = tr_critpath_views,
    .dict_copies = 1,
    .examples = { "tr-critpath --step 16 rank0.json.gz",
                  "tr-critpath --what-if 'kind == compute scale=0.5' job.trs" },
};

/* ---- the program ---- */

static enum tr_status check_options(struct cli *cli, const struct critpath *o, struct tr_error *err)
{
    struct tr_critpath_options *options = cli_view_options(cli);
    if (cli_view(cli)->analysis == &tr_analysis_node_chain)
        return TR_OK; /* which has options of its own */
    options->whole = !cli_select_any(&o->a.select);
    if (o->mark && cli_given(cli, "by"))
        return tr_fail(err, TR_USAGE, "--mark passes the stream on: --by is about tables");
    if (o->mark && options->rules)
        return tr_fail(err, TR_USAGE, "--mark passes the stream on: --what-if is for the view bound");
    if (o->a.per >= 0 && o->a.per != TR_PER_RANK && o->a.per != TR_PER_ALL)
        return tr_fail(err, TR_USAGE,
                       "paths are those of a rank or of all ranks: --per is rank or all, not %s",
                       cli_analysis_per[o->a.per]);
    if (!options->annotation && (options->first || options->last))
        return tr_fail(err, TR_USAGE, "option --instance needs --annotation");
    return TR_OK;
}

/* ---- the stream with the path ---- */

static enum tr_status read_all(struct critpath *o, void *graph, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st;
    while ((st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        if ((st = tr_critpath_service.feed(graph, b, keep, err)) != TR_OK)
            return st;
    if (st == TR_END)
        st = tr_critpath_service.finish(graph, err);
    if (st == TR_ABSENT)
        tr_error_input(err, o->a.in->name);
    return st;
}

static enum tr_status mark(struct cli *cli, struct critpath *o, struct tr_error *err)
{
    struct cli_listener listener = { cli, &o->a };
    struct tr_analysis_in in = cli_view_in(&listener);
    const struct tr_critpath_key key = { cli_view_options(cli), o->a.per < 0 ? TR_PER_RANK : (enum tr_per)o->a.per };
    void *graph = NULL;
    in.max_memory = cli_max_memory(cli); /* as the runner gives a graph */
    enum tr_status st = tr_critpath_service.start(&in, &key, &graph, err);
    if (st == TR_OK)
        tr_critpath_keep_whole(tr_critpath_of(graph));
    if (st == TR_OK)
        st = read_all(o, graph, err);
    if (st == TR_OK)
        st = critpath_mark(cli, o, tr_critpath_of(graph), err);
    if (graph)
        tr_critpath_service.free(graph);
    return st;
}

static enum tr_status pass_on(struct cli *cli, struct critpath *o, struct tr_error *err)
{
    struct cli_overlay twice = { .again.cli = cli };
    int fd;
    enum tr_status st = cli_output(cli, true, &fd, err);
    o->a.twice = &twice;
    o->a.host = true;
    if (st == TR_OK)
        st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK)
        st = mark(cli, o, err);
    cli_analysis_close(&o->a);
    cli_overlay_close(&twice);
    return st;
}

static enum tr_status write_chakra(struct cli *cli, struct critpath *o, struct tr_error *err)
{
    struct tr_critpath_options *options = cli_view_options(cli);
    options->gaps = options->order = options->launch_edges = true; /* a simulator has other times */
    if (cli_given(cli, "by") || options->rules)
        return tr_fail(err, TR_USAGE, "-O chakra writes the graph: --by and --what-if are about tables");
    if (o->a.per == TR_PER_ALL)
        return tr_fail(err, TR_USAGE, "-O chakra writes the graph of one rank: --per is not all");
    if (cli_partial(cli)->save)
        return tr_fail(err, TR_USAGE, "-O chakra writes the graph, --save-partial a table: give one of them");
    enum tr_status st = cli_arrange_none(cli, "tables", err);
    return st == TR_OK ? critpath_chakra(cli, o, err) : st;
}

/* As --by member with all columns. */
static enum tr_status save_path(struct cli *cli, const struct critpath *o, struct tr_error *err)
{
    static const char *const others[] = { "by", "output", "output-format", "unit", "mark", "base", "what-if",
                                          "save-partial" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cli_given(cli, others[i]))
            return tr_fail(err, TR_USAGE, "--save-path writes the path: it does not go with --%s", others[i]);
    enum tr_status st = cli_arrange_none(cli, "tables", err);
    if (st != TR_OK)
        return st;
    cli_view_default(cli, "member", NULL);
    cli_columns_default(cli, "rank,place,name,nth,side,edge,bound,weight,from_rank,from_name,from_nth,from_side");
    cli_unit_default(cli, CLI_NS);
    cli_report_as(cli, "tsv");
    return cli_output_to(cli, o->save_path, err);
}

static enum tr_status critpath_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct critpath *o = arg;
    enum tr_status st = o->save_path ? save_path(cli, o, err) : TR_OK;
    if (st == TR_OK)
        st = cli_view_choose(cli, err);
    if (st == TR_OK)
        st = check_options(cli, o, err);
    if (st == TR_OK && o->mark)
        st = cli_table_none(cli, "the tables, not with --mark", err);
    if (st == TR_OK && o->format == CHAKRA)
        return o->mark ? tr_fail(err, TR_USAGE, "--mark passes the stream on: -O is about tables")
                       : write_chakra(cli, o, err);
    if (st == TR_OK && o->format >= 0)
        cli_report_as(cli, formats[o->format]);
    if (st == TR_OK)
        st = o->mark ? pass_on(cli, o, err) : cli_view_run(cli, &o->a, err);
    return st;
}

int tr_critpath_main(int argc, char **argv)
{
    struct critpath o = { .a = CLI_ANALYSIS_INIT, .format = -1 };
    return cli_main(argc, argv, &critpath_tool, &o, critpath_run);
}
