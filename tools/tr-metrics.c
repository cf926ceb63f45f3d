/* tr-metrics: hardware counters of kernels, operators and their stacks.  Manual: tr-metrics(1). */
#include "analysis/tr_analyses.h"
#include "cli/cli_view.h"

static const char *const by_names[] = { "range", "kernel", "operator", "stack", NULL };

struct metrics {
    struct cli_analysis a;
    int by;
    struct tr_metrics_options options;
};

static const struct cli_opt metrics_opts[] = {
    { 0, "by", "VIEW", CLI_CHOICE, offsetof(struct metrics, by), .choices = by_names,
      .help = "range, or sums by kernel, operator or stack [range]" },
    { 0, "category", "CAT", CLI_STRING, offsetof(struct metrics, options.category),
      .help = "category of the ranges [" TR_METRICS_CATEGORY "]" },
    CLI_ANALYSIS_OPTS(struct metrics, a),
    { 0 },
};

static const struct cli_tool metrics_tool = {
    .name = "tr-metrics",
    .brief = "give hardware counters to the kernels and operators they belong to",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE,
    .max_operands = CLI_ANY,
    .opts = metrics_opts,
};

static enum tr_status metrics_run(struct cli *cli, void *arg, struct tr_error *err)
{
    static const struct cli_view view = { &tr_analysis_metrics, .options = offsetof(struct metrics, options) };
    struct metrics *o = arg;
    if (o->a.suspect)
        return tr_fail(err, TR_USAGE, "--suspect means nothing here: a measurement counts whatever its times are");
    o->options.by = (enum tr_metrics_by)o->by;
    return cli_view_run(cli, &o->a, &view, o, err);
}

int main(int argc, char **argv)
{
    struct metrics o = { .a = CLI_ANALYSIS_INIT, .options.category = TR_METRICS_CATEGORY };
    return cli_main(argc, argv, &metrics_tool, &o, metrics_run);
}
