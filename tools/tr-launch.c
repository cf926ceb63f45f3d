/* SPDX-License-Identifier: MIT */
/* tr-launch: how long launches took, and how long their work waited.  Manual: tr-launch(1). */
#include "analysis/calls/tr_calls_analyses.h"
#include "cli/cli_view.h"

struct launch {
    struct cli_analysis a;
    struct tr_option_by by;
    struct tr_launch_options options;
};

static const char *const by_names[] = { "api", "launch", NULL };

static const struct cli_view views[] = {
    { .analysis = &tr_analysis_api, .options = offsetof(struct launch, options),
      .takes = { "cpu-cutoff", "queue-cutoff" } },
    { .analysis = &tr_analysis_launch, .options = offsetof(struct launch, options) },
};

static const struct tr_option launch_opts[] = {
    { 0, "by", "TABLE", TR_OPTION_CHOICE, offsetof(struct launch, by), .choices = by_names,
      .help = "api: sums by the name of the call; launch: a row for each kernel, copy and memset [api]" },
    { 0, "cpu-cutoff", "TIME", TR_OPTION_TIME, offsetof(struct launch, options.cpu_cutoff), .hi = INT64_MAX,
      .help = "api: calls longer than this are slow [50us]" },
    { 0, "queue-cutoff", "TIME", TR_OPTION_TIME, offsetof(struct launch, options.queue_cutoff), .hi = INT64_MAX,
      .help = "api: work that starts later than this after its call is late [100us]" },
    CLI_ANALYSIS_OPTS(struct launch, a),
    { 0 },
};

static const struct cli_tool launch_tool = {
    .name = "tr-launch",
    .brief = "say how long launches took, and their work to start",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = launch_opts,
    .examples = { "tr-launch --per all rank*.json.gz",
                  "tr-launch --by launch --sort queue --top 10 job.trs" },
};

static enum tr_status launch_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct launch *o = arg;
    enum tr_status st = cli_view_check(cli, views, sizeof views / sizeof *views, o->by, NULL, err);
    return st == TR_OK ? cli_view_run(cli, &o->a, &views[o->by.choice], o, err) : st;
}

int main(int argc, char **argv)
{
    struct launch o = { .a = CLI_ANALYSIS_INIT, .options = TR_LAUNCH_DEFAULTS };
    return cli_main(argc, argv, &launch_tool, &o, launch_run);
}
