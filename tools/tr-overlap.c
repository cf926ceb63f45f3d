/* SPDX-License-Identifier: MIT */
/* tr-overlap: which kinds of device work run at the same time.  Manual: tr-overlap(1). */
#include "cli/cli_view.h"

static const struct cli_tool overlap_tool = {
    .name = "tr-overlap",
    .brief = "say which kinds of device work ran at the same time",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = cli_view_opts,
    .views = tr_overlap_views,
    .examples = { "tr-overlap --per step rank*.json.gz",
                  "tr-overlap --by state --classes gemm,attention,comm job.trs" },
};

int tr_overlap_main(int argc, char **argv)
{
    return cli_view_main(argc, argv, &overlap_tool);
}
