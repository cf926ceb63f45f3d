/* SPDX-License-Identifier: MIT */
/* tr-patterns: sequences of device work that operators launch.  Manual: tr-patterns(1). */
#include "patterns/patterns.h"

#include "cli/cli_view.h"

static const struct tr_option patterns_opts[] = {
    { 0, "mark", NULL, TR_OPTION_FLAG, offsetof(struct patterns, mark),
      .help = "pass the stream on with an annotation for each occurrence" },
    CLI_ANALYSIS_OPTS(struct patterns, a),
    { 0 },
};

static const struct cli_tool patterns_tool = {
    .name = "tr-patterns",
    .brief = "find the sequences of kernels that operators launch",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_FORMAT | CLI_TABLE | CLI_UNIT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = patterns_opts,
    .views = tr_patterns_views,
    .dict_copies = 1,
    .examples = { "tr-patterns --top 5 rank0.json.gz",
                  "tr-patterns --op '^aten::' --mark job.trs | tr-view -O chrome >marked.json" },
};

static enum tr_status patterns_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct patterns *o = arg;
    const struct cli_arrange *a = cli_arrange(cli);
    if (o->mark && (a->columns || a->sort || a->short_names || a->human || a->csv_safe || a->help_columns ||
                    cli_unit_given(cli) || cli_relative(cli) || cli_format_given(cli) || cli_sized(cli) ||
                    cli_bars(cli) || cli_partial(cli)->save || cli_every_given(cli) || cli_follow_given(cli)))
        return tr_fail(err, TR_USAGE, "of the options for tables, --mark allows only --top");
    enum tr_status st = cli_view_choose(cli, err);
    if (st != TR_OK)
        return st;
    return o->mark ? patterns_mark(cli, o, err) : cli_view_run(cli, &o->a, err);
}

int tr_patterns_main(int argc, char **argv)
{
    return cli_main(argc, argv, &patterns_tool, &(struct patterns){ .a = CLI_ANALYSIS_INIT }, patterns_run);
}
