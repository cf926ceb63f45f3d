/* tr-launch: how long launches took, and their work to start.  Manual: tr-launch(1). */
#include "analysis/tr_analyses.h"
#include "cli/cli_view.h"

struct launch {
    struct cli_analysis a;
    bool each;
    struct tr_launch_options options;
};

static const struct cli_opt launch_opts[] = {
    { 0, "each", NULL, CLI_FLAG, offsetof(struct launch, each),
      .help = "a row for each piece of device work that was launched" },
    { 0, "cpu-cutoff", "TIME", CLI_TIME, offsetof(struct launch, options.cpu_cutoff), .hi = INT64_MAX,
      .help = "calls longer than this are slow [50us]" },
    { 0, "delay-cutoff", "TIME", CLI_TIME, offsetof(struct launch, options.delay_cutoff), .hi = INT64_MAX,
      .help = "work that starts later than this after its call is late [100us]" },
    CLI_ANALYSIS_OPTS(struct launch, a),
    { 0 },
};

static const struct cli_tool launch_tool = {
    .name = "tr-launch",
    .brief = "say how long launches took, and their work to start",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE,
    .max_operands = CLI_ANY,
    .opts = launch_opts,
};

static enum tr_status launch_run(struct cli *cli, void *arg, struct tr_error *err)
{
    static const struct cli_view calls = { &tr_analysis_api, .options = offsetof(struct launch, options) };
    static const struct cli_view each = { &tr_analysis_launch, .options = offsetof(struct launch, options) };
    struct launch *o = arg;
    if (o->each && (cli_given(cli, "cpu-cutoff") || cli_given(cli, "delay-cutoff")))
        return tr_fail(err, TR_USAGE,
                       "--each counts nothing slow or late: --cpu-cutoff and --delay-cutoff are for the sums");
    return cli_view_run(cli, &o->a, o->each ? &each : &calls, o, err);
}

int main(int argc, char **argv)
{
    struct launch o = { .a = CLI_ANALYSIS_INIT, .options = TR_LAUNCH_DEFAULTS };
    return cli_main(argc, argv, &launch_tool, &o, launch_run);
}
