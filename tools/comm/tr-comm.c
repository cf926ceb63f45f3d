/* SPDX-License-Identifier: MIT */
/* tr-comm: collectives across ranks.  Manual: tr-comm(1). */
#include "cli/cli_view.h"
#include "comm/comm.h"
#include "formats/tr_folder.h"

#include <inttypes.h>

struct comm {
    struct cli_analysis a;
    bool align;
    struct tr_one_clock clock;
};

static const struct tr_option comm_opts[] = {
    { 0, "align", NULL, TR_OPTION_FLAG, offsetof(struct comm, align),
      .help = "put the ranks on one clock first, by their collectives, as tr-align does" },
    CLI_ANALYSIS_OPTS(struct comm, a),
    { 0 }
};

static const struct cli_tool comm_tool = {
    .name = "tr-comm",
    .brief = "say what collectives cost, and which rank the others waited for",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = comm_opts,
    .views = tr_comm_views,
    .examples = { "tr-comm --by straggler rank*.json.gz", "tr-comm --by size --top 10 job.trs" },
};

/* --follow with a folder: logs are watched. */
static enum tr_status watch(struct cli *cli, const struct comm *o, const char *folder, struct tr_error *err)
{
    const struct cli_arrange *a = cli_arrange(cli);
    bool arranged = a->columns || a->sort || a->top || a->top_per || a->short_names || a->human || a->csv_safe ||
                    a->help_columns || cli_format_given(cli) || cli_unit_given(cli) || cli_partial(cli)->save;
    if (arranged || cli_given(cli, "by") || o->align || o->a.per >= 0 || cli_select_any(&o->a.select))
        return tr_fail(err, TR_USAGE, "--follow with a folder watches logs: it takes no options of tables and events");
    return comm_follow(cli, folder, err);
}

static enum tr_status comm_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct comm *o = arg;
    enum tr_status answer = TR_OK;
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    if (cli_follow_given(cli) && n == 1 && tr_folder_is(operands[0]))
        return watch(cli, o, operands[0], err);
    o->a.one_clock = o->align ? &o->clock : NULL;
    o->a.answer = &answer;
    enum tr_status st = cli_view_run(cli, &o->a, err);
    if (st == TR_OK && o->clock.aligned && !cli_quiet(cli))
        cli_remark(cli,
                   "clocks of the ranks aligned by at least %" PRIu64
                   " collectives of each: ends agree within %.3f us, the median, and %.3f us at most",
                   o->clock.anchors, o->clock.residual_p50 / 1e3, o->clock.residual_max / 1e3);
    else if (st == TR_OK && *o->clock.why)
        cli_warn(cli, o->a.in->name, "", o->clock.why);
    return st == TR_OK ? answer : st;
}

int tr_comm_main(int argc, char **argv)
{
    return cli_main(argc, argv, &comm_tool, &(struct comm){ .a = CLI_ANALYSIS_INIT }, comm_run);
}
