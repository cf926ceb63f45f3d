/* SPDX-License-Identifier: MIT */
/* tr-metrics: hardware counters of kernels, operators and their stacks.  Manual: tr-metrics(1). */
#include "analysis/tr_analyses.h"
#include "cli/cli_view.h"

static const char *const by_names[] = { "range", "instance", "kernel", "operator", "list", "series", NULL };
static const enum tr_metrics_by by_of[] = { TR_METRICS_RANGE, TR_METRICS_INSTANCE, TR_METRICS_KERNEL, TR_METRICS_OPERATOR };
static const char *const key_names[] = { "stack", NULL };

struct metrics {
    struct cli_analysis a;
    struct cli_by by;
    struct tr_metrics_options options;
};

#define VALUES(view) { &tr_analysis_metrics, view, .options = offsetof(struct metrics, options), .takes = { "throughput" } }
static const struct cli_view views[] = {
    VALUES("range"),
    VALUES("instance"),
    VALUES("kernel"),
    { &tr_analysis_metrics, "operator", .options = offsetof(struct metrics, options), .takes = { "throughput" }, .keys = 1 },
    { &tr_analysis_metric_list, "list", .options = offsetof(struct metrics, options) },
    { &tr_analysis_metric_series, "series", .options = offsetof(struct metrics, options) },
};

static const struct cli_opt metrics_opts[] = {
    { 0, "by", "TABLE[,KEY]", CLI_CHOICE, offsetof(struct metrics, by), .choices = by_names, .keys = key_names,
      .help = "range: each range; instance: each instance of a kernel; kernel, operator or operator,stack: sums; "
              "list: the metrics; series: values over time [range]" },
    { 0, "metrics", "LIST", CLI_STRING, offsetof(struct metrics, options.metrics),
      .help = "only these metrics, in this order" },
    { 0, "throughput", NULL, CLI_FLAG, offsetof(struct metrics, options.throughput),
      .help = "divide counters by the time of their kernels: bytes become GB/s" },
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
    .examples = { "tr-metrics --by kernel --throughput counters.json.gz",
                  "tr-metrics --by operator,stack counters.json.gz" },
};

static enum tr_status metrics_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct metrics *o = arg;
    if (o->a.suspect)
        return tr_fail(err, TR_USAGE, "--suspect has no effect here: a measurement counts with any times");
    if ((size_t)o->by.choice < sizeof by_of / sizeof *by_of)
        o->options.by = o->by.keys ? TR_METRICS_STACK : by_of[o->by.choice];
    enum tr_status st = cli_view_check(cli, views, sizeof views / sizeof *views, o->by, key_names, err);
    return st == TR_OK ? cli_view_run(cli, &o->a, &views[o->by.choice], o, err) : st;
}

int main(int argc, char **argv)
{
    struct metrics o = { .a = CLI_ANALYSIS_INIT, .options = TR_METRICS_DEFAULTS };
    return cli_main(argc, argv, &metrics_tool, &o, metrics_run);
}
