/* SPDX-License-Identifier: MIT */
/* tr-metrics: hardware counters of kernels, operators and their stacks, and utilization by ideal cycles.  Manual:
 * tr-metrics(1). */
#include "analysis/counters/tr_counters_analyses.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "cli/cli_view.h"
#include "formats/tr_ideal_read.h"

static const char *const by_names[] = { "range",  "instance", "kernel",      "operator", "list",
                                        "series", "ideal",    "utilization", NULL };
static const enum tr_metrics_by by_of[] = { TR_METRICS_RANGE, TR_METRICS_INSTANCE, TR_METRICS_KERNEL,
                                            TR_METRICS_OPERATOR };
static const char *const key_names[] = { "stack", "category", "rank", NULL };
enum { KEY_STACK = 1, KEY_CATEGORY = 2, KEY_RANK = 4 };

struct metrics {
    struct cli_analysis a;
    struct tr_option_by by;
    struct tr_metrics_options options;
    struct tr_option_list attach;
    double core_mhz;
    struct tr_ideal tables;
    struct tr_ideal_options ideal;
};

#define VALUES(view)                                                                         \
    {                                                                                        \
        &tr_analysis_metrics, view, .options = offsetof(struct metrics, options), .takes = { \
            "throughput",                                                                    \
            "metrics",                                                                       \
            "category"                                                                       \
        }                                                                                    \
    }
static const struct cli_view views[] = {
    VALUES("range"),
    VALUES("instance"),
    VALUES("kernel"),
    { &tr_analysis_metrics, "operator", .options = offsetof(struct metrics, options),
      .takes = { "throughput", "metrics", "category" }, .keys = KEY_STACK },
    { &tr_analysis_metric_list, "list", .options = offsetof(struct metrics, options),
      .takes = { "metrics", "category" } },
    { &tr_analysis_metric_series, "series", .options = offsetof(struct metrics, options),
      .takes = { "throughput", "metrics", "category" } },
    { &tr_analysis_ideal, "ideal", .options = offsetof(struct metrics, ideal), .takes = { "attach" } },
    { &tr_analysis_utilization, "utilization", .options = offsetof(struct metrics, ideal),
      .takes = { "attach", "core-freq" }, .keys = KEY_CATEGORY | KEY_RANK },
};
static const struct cli_view by_category = { .analysis = &tr_analysis_utilization_category,
                                             .options = offsetof(struct metrics, ideal) };
static const struct cli_view by_rank = { .analysis = &tr_analysis_utilization_rank,
                                         .options = offsetof(struct metrics, ideal) };

static const struct tr_option metrics_opts[] = {
    { 0, "by", "TABLE[,KEY]", TR_OPTION_CHOICE, offsetof(struct metrics, by), .choices = by_names, .keys = key_names,
      .help = "range: each range; instance: each instance of a kernel; kernel, operator or operator,stack: sums; "
              "list: the metrics; series: values over time; ideal: tables of --attach; utilization, also by category "
              "or rank: how much of the device kernels used [range]" },
    { 0, "metrics", "LIST", TR_OPTION_TEXT, offsetof(struct metrics, options.metrics),
      .help = "only these metrics, in this order" },
    { 0, "throughput", NULL, TR_OPTION_FLAG, offsetof(struct metrics, options.throughput),
      .help = "divide counters by the time of their kernels: bytes become GB/s" },
    { 0, "category", "CAT", TR_OPTION_TEXT, offsetof(struct metrics, options.category),
      .help = "category of the ranges [" TR_METRICS_CATEGORY "]" },
    { 0, "attach", "FILE", TR_OPTION_LIST, offsetof(struct metrics, attach),
      .help = "ideal, utilization: a compiler's log or folder of ideal cycles; several: one for each rank" },
    { 0, "core-freq", "MHZ", TR_OPTION_DOUBLE, offsetof(struct metrics, core_mhz),
      .help = "utilization: frequency of the cores, of which ideal cycles are [1100]" },
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

/* The tables of --attach, and the frequency. */
static enum tr_status read_ideal(struct metrics *o, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!(o->core_mhz >= 1e-6 && o->core_mhz <= 1e6))
        return tr_fail(err, TR_USAGE, "option --core-freq: not above 0 and at most 1000000 MHz");
    for (size_t i = 0; i < o->attach.n && st == TR_OK; i++)
        st = tr_ideal_read(&o->tables, o->attach.items[i], err);
    o->ideal.tables = &o->tables;
    o->ideal.hz = (int64_t)(o->core_mhz * 1e6 + 0.5);
    return st;
}

static enum tr_status metrics_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct metrics *o = arg;
    if (o->a.suspect)
        return tr_fail(err, TR_USAGE, "--suspect has no effect here: a measurement counts with any times");
    if ((size_t)o->by.choice < sizeof by_of / sizeof *by_of)
        o->options.by = o->by.keys ? TR_METRICS_STACK : by_of[o->by.choice];
    const struct cli_view *view = &views[o->by.choice];
    enum tr_status st = cli_view_check(cli, views, sizeof views / sizeof *views, o->by, key_names, err);
    if (st == TR_OK && o->by.keys == (KEY_CATEGORY | KEY_RANK))
        st = tr_fail(err, TR_USAGE, "option --by: one of category and rank");
    if (view->analysis == &tr_analysis_utilization && o->by.keys)
        view = o->by.keys == KEY_RANK ? &by_rank : &by_category;
    if (st == TR_OK)
        st = read_ideal(o, err);
    return st == TR_OK ? cli_view_run(cli, &o->a, view, o, err) : st;
}

int main(int argc, char **argv)
{
    struct metrics o = { .a = CLI_ANALYSIS_INIT, .options = TR_METRICS_DEFAULTS, .core_mhz = 1100 };
    int code = cli_main(argc, argv, &metrics_tool, &o, metrics_run);
    tr_ideal_free(&o.tables);
    return code;
}
