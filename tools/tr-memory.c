/* SPDX-License-Identifier: MIT */
/* tr-memory: device memory over time, from allocation events.  Manual: tr-memory(1). */
#include "cli/cli_view.h"

static const struct cli_tool memory_tool = {
    .name = "tr-memory",
    .brief = "say how much memory was allocated, when, and for what",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = cli_view_opts,
    .views = tr_memory_views,
    .examples = { "tr-memory --by summary rank*.json.gz",
                  "tr-memory --by peak,operator --top 10 job.trs" },
};

int tr_memory_main(int argc, char **argv)
{
    return cli_view_main(argc, argv, &memory_tool);
}
