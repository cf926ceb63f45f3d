/* SPDX-License-Identifier: MIT */
/* tr-breakdown: where did the time of the devices go?  Manual: tr-breakdown(1). */
#include "cli/cli_view.h"

struct breakdown {
    struct cli_analysis a;
};

static const struct tr_option breakdown_opts[] = { CLI_ANALYSIS_OPTS(struct breakdown, a), { 0 } };

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

static enum tr_status breakdown_run(struct cli *cli, void *arg, struct tr_error *err)
{
    return cli_view_run(cli, &((struct breakdown *)arg)->a, err);
}

int tr_breakdown_main(int argc, char **argv)
{
    return cli_main(argc, argv, &breakdown_tool, &(struct breakdown){ .a = CLI_ANALYSIS_INIT }, breakdown_run);
}
