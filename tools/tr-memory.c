/* SPDX-License-Identifier: MIT */
/* tr-memory: device memory over time, from allocation events.  Manual: tr-memory(1). */
#include "cli/cli_view.h"

struct memory {
    struct cli_analysis a;
};

static const struct tr_option memory_opts[] = { CLI_ANALYSIS_OPTS(struct memory, a), { 0 } };

static const struct cli_tool memory_tool = {
    .name = "tr-memory",
    .brief = "say how much memory was allocated, when, and for what",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = memory_opts,
    .views = tr_memory_views,
    .examples = { "tr-memory --by summary rank*.json.gz",
                  "tr-memory --by peak,operator --top 10 job.trs" },
};

static enum tr_status memory_run(struct cli *cli, void *arg, struct tr_error *err)
{
    return cli_view_run(cli, &((struct memory *)arg)->a, err);
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &memory_tool, &(struct memory){ .a = CLI_ANALYSIS_INIT }, memory_run);
}
