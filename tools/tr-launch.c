/* SPDX-License-Identifier: MIT */
/* tr-launch: how long launches took, and how long their work waited.  Manual: tr-launch(1). */
#include "cli/cli_view.h"

static const struct cli_tool launch_tool = {
    .name = "tr-launch",
    .brief = "say how long launches took, and their work to start",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = cli_view_opts,
    .views = tr_launch_views,
    .examples = { "tr-launch --per all rank*.json.gz",
                  "tr-launch --by launch --sort queue --top 10 job.trs" },
};

int tr_launch_main(int argc, char **argv)
{
    return cli_view_main(argc, argv, &launch_tool);
}
