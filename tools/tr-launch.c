/* SPDX-License-Identifier: MIT */
/* tr-launch: how long launches took, and how long their work waited.  Manual: tr-launch(1). */
#include "cli/cli_view.h"

struct launch {
    struct cli_analysis a;
};

static const struct tr_option launch_opts[] = { CLI_ANALYSIS_OPTS(struct launch, a), { 0 } };

static const struct cli_tool launch_tool = {
    .name = "tr-launch",
    .brief = "say how long launches took, and their work to start",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = launch_opts,
    .views = tr_launch_views,
    .examples = { "tr-launch --per all rank*.json.gz",
                  "tr-launch --by launch --sort queue --top 10 job.trs" },
};

static enum tr_status launch_run(struct cli *cli, void *arg, struct tr_error *err)
{
    return cli_view_run(cli, &((struct launch *)arg)->a, err);
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &launch_tool, &(struct launch){ .a = CLI_ANALYSIS_INIT }, launch_run);
}
