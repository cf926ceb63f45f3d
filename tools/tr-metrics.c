/* SPDX-License-Identifier: MIT */
/* tr-metrics: hardware counters of kernels, operators and their stacks.  Manual: tr-metrics(1). */
#include "analysis/tr_analyses.h"
#include "cli/cli_view.h"

static const char *const by_names[] = { "range", "kernel", "operator", NULL };
static const char *const key_names[] = { "stack", NULL };

struct metrics {
    struct cli_analysis a;
    struct cli_by by;
    struct tr_metrics_options options;
};

static const struct cli_opt metrics_opts[] = {
    { 0, "by", "TABLE[,KEY]", CLI_CHOICE, offsetof(struct metrics, by), .choices = by_names, .keys = key_names,
      .help = "each range, or sums by kernel or operator [range]; operator,stack: by all operators around it" },
    { 0, "category", "CAT", CLI_STRING, offsetof(struct metrics, options.category),
      .help = "category of the ranges [" TR_METRICS_CATEGORY "]" },
    CLI_ANALYSIS_OPTS(struct metrics, a),
    { 0 },
};

static const struct cli_tool metrics_tool = {
    .name = "tr-metrics",
    .brief = "give hardware counters to the kernels and operators they belong to",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = metrics_opts,
    .examples = { "tr-metrics --by kernel counters.json.gz",
                  "tr-metrics --by operator,stack counters.json.gz" },
};

static enum tr_status metrics_run(struct cli *cli, void *arg, struct tr_error *err)
{
    static const struct cli_view view = { &tr_analysis_metrics, .options = offsetof(struct metrics, options) };
    struct metrics *o = arg;
    if (o->a.suspect)
        return tr_fail(err, TR_USAGE, "--suspect means nothing here: a measurement counts whatever its times are");
    if (o->by.keys && o->by.choice != TR_METRICS_OPERATOR)
        return tr_fail(err, TR_USAGE, "the view %s cannot be refined by stack", by_names[o->by.choice]);
    o->options.by = o->by.keys ? TR_METRICS_STACK : (enum tr_metrics_by)o->by.choice;
    return cli_view_run(cli, &o->a, &view, o, err);
}

int main(int argc, char **argv)
{
    struct metrics o = { .a = CLI_ANALYSIS_INIT, .options.category = TR_METRICS_CATEGORY };
    return cli_main(argc, argv, &metrics_tool, &o, metrics_run);
}
