/* SPDX-License-Identifier: MIT */
/* tr-comm: collectives across ranks.  Manual: tr-comm(1). */
#include "cli/cli_view.h"

struct comm {
    struct cli_analysis a;
};

static const struct tr_option comm_opts[] = { CLI_ANALYSIS_OPTS(struct comm, a), { 0 } };

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
    return cli_view_run(cli, &((struct comm *)arg)->a, err);
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &comm_tool, &(struct comm){ .a = CLI_ANALYSIS_INIT }, comm_run);
}
