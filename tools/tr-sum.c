/* SPDX-License-Identifier: MIT */
/* tr-sum: sums, means and spreads of a value by any keys.  Manual: tr-sum(1). */
#include "analysis/sums/tr_sum.h"
#include "cli/cli_view.h"

struct sum {
    struct cli_analysis a;
};

static const struct tr_option sum_opts[] = {
    CLI_SELECT_OPTS(struct sum, a),
    { 0 },
};

static const struct cli_tool sum_tool = {
    .name = "tr-sum",
    .brief = "sum up events by any keys",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = sum_opts,
    .views = tr_sum_views,
    .examples = { "tr-sum --by step,kind --where 'activity == kernel' job.trs",
                  "tr-sum --by operator --value self --stat count,sum,p99 --top 10 job.trs" },
};

static enum tr_status sum_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct sum *s = arg;
    enum tr_status st = cli_view_choose(cli, err);
    struct tr_sum_options *o = cli_view_options(cli);
    uint64_t top = st == TR_OK && o->hist != TR_SUM_NO_HIST ? cli_take_top(cli) : 0;
    if (top)
        o->hist_groups = top;
    return st == TR_OK ? cli_view_run(cli, &s->a, err) : st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &sum_tool, &(struct sum){ .a = CLI_ANALYSIS_INIT }, sum_run);
}
