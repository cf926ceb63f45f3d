/* SPDX-License-Identifier: MIT */
/* tr-overlap: which kinds of device work run at the same time.  Manual: tr-overlap(1). */
#include "cli/cli_view.h"

struct overlap {
    struct cli_analysis a;
};

static const struct tr_option overlap_opts[] = { CLI_ANALYSIS_OPTS(struct overlap, a), { 0 } };

static const struct cli_tool overlap_tool = {
    .name = "tr-overlap",
    .brief = "say which kinds of device work ran at the same time",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = overlap_opts,
    .views = tr_overlap_views,
    .examples = { "tr-overlap --per step rank*.json.gz",
                  "tr-overlap --by state --classes gemm,attention,comm job.trs" },
};

static enum tr_status overlap_run(struct cli *cli, void *arg, struct tr_error *err)
{
    return cli_view_run(cli, &((struct overlap *)arg)->a, err);
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &overlap_tool, &(struct overlap){ .a = CLI_ANALYSIS_INIT }, overlap_run);
}
