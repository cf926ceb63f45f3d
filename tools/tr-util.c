/* SPDX-License-Identifier: MIT */
/* tr-util: how well devices were used over time.  Manual: tr-util(1). */
#include "cli/cli_view.h"

struct util {
    struct cli_analysis a;
};

static const struct tr_option util_opts[] = { CLI_ANALYSIS_OPTS(struct util, a), { 0 } };

static const struct cli_tool util_tool = {
    .name = "tr-util",
    .brief = "say how well devices were used over time",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = util_opts,
    .views = tr_util_views,
    .examples = { "tr-util --by stream --bin 1ms rank*.json.gz",
                  "tr-util --by region --below 20 job.trs" },
};

static enum tr_status util_run(struct cli *cli, void *arg, struct tr_error *err)
{
    return cli_view_run(cli, &((struct util *)arg)->a, err);
}

int tr_util_main(int argc, char **argv)
{
    return cli_main(argc, argv, &util_tool, &(struct util){ .a = CLI_ANALYSIS_INIT }, util_run);
}
