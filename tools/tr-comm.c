/* SPDX-License-Identifier: MIT */
/* tr-comm: collectives across ranks.  Manual: tr-comm(1). */
#include "cli/cli_view.h"

#include <inttypes.h>

struct comm {
    struct cli_analysis a;
    bool align;
    struct tr_one_clock clock;
};

static const struct tr_option comm_opts[] = {
    { 0, "align", NULL, TR_OPTION_FLAG, offsetof(struct comm, align),
      .help = "put the ranks on one clock first, by their collectives, as tr-align does" },
    CLI_ANALYSIS_OPTS(struct comm, a),
    { 0 }
};

static const struct cli_tool comm_tool = {
    .name = "tr-comm",
    .brief = "say what collectives cost, and which rank the others waited for",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = comm_opts,
    .views = tr_comm_views,
    .examples = { "tr-comm --by straggler rank*.json.gz", "tr-comm --by size --top 10 job.trs" },
};

static enum tr_status comm_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct comm *o = arg;
    enum tr_status answer = TR_OK;
    o->a.one_clock = o->align ? &o->clock : NULL;
    o->a.answer = &answer;
    enum tr_status st = cli_view_run(cli, &o->a, err);
    if (st == TR_OK && o->clock.aligned && !cli_quiet(cli))
        cli_remark(cli,
                   "clocks of the ranks aligned by at least %" PRIu64
                   " collectives of each: ends agree within %.3f us, the median, and %.3f us at most",
                   o->clock.anchors, o->clock.residual_p50 / 1e3, o->clock.residual_max / 1e3);
    else if (st == TR_OK && *o->clock.why)
        cli_warn(cli, o->a.in->name, "", o->clock.why);
    return st == TR_OK ? answer : st;
}

int tr_comm_main(int argc, char **argv)
{
    return cli_main(argc, argv, &comm_tool, &(struct comm){ .a = CLI_ANALYSIS_INIT }, comm_run);
}
