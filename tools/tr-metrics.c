/* SPDX-License-Identifier: MIT */
/* tr-metrics: hardware counters of kernels, operators and their stacks, and utilization by ideal cycles.  Manual:
 * tr-metrics(1). */
#include "cli/cli_view.h"

struct metrics {
    struct cli_analysis a;
};

static const struct tr_option metrics_opts[] = { CLI_ANALYSIS_OPTS(struct metrics, a), { 0 } };

static const struct cli_tool metrics_tool = {
    .name = "tr-metrics",
    .brief = "give hardware counters to the kernels and operators they belong to",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = metrics_opts,
    .views = tr_metrics_views,
    .examples = { "tr-metrics --by kernel --throughput counters.json.gz",
                  "tr-metrics --by operator,stack counters.json.gz" },
};

static enum tr_status metrics_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct metrics *o = arg;
    if (o->a.suspect)
        return tr_fail(err, TR_USAGE, "--suspect has no effect here: a measurement counts with any times");
    return cli_view_run(cli, &o->a, err);
}

int tr_metrics_main(int argc, char **argv)
{
    return cli_main(argc, argv, &metrics_tool, &(struct metrics){ .a = CLI_ANALYSIS_INIT }, metrics_run);
}
