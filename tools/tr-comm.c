/* tr-comm: collectives across ranks.  Manual: tr-comm(1). */
#include "analysis/tr_analyses.h"
#include "cli/cli_view.h"

struct comm {
    struct cli_analysis a;
    int by; /* index into by_names, -1: not given */
    bool members, stragglers, mismatches;
};

static const char *const by_names[] = { "name", "size", "group", NULL };

static const struct cli_opt comm_opts[] = {
    { 0, "by", "WHAT", CLI_CHOICE, offsetof(struct comm, by), .choices = by_names,
      .help = "sums by name, size or group" },
    { 0, "members", NULL, CLI_FLAG, offsetof(struct comm, members),
      .help = "a row for each rank in each collective" },
    { 0, "stragglers", NULL, CLI_FLAG, offsetof(struct comm, stragglers),
      .help = "which ranks the others waited for" },
    { 0, "mismatches", NULL, CLI_FLAG, offsetof(struct comm, mismatches),
      .help = "collectives that ranks lack, or in which they differ" },
    CLI_ANALYSIS_OPTS(struct comm, a),
    { 0 },
};

static const struct cli_tool comm_tool = {
    .name = "tr-comm",
    .brief = "say what collectives cost, and which rank the others waited for",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE,
    .max_operands = CLI_ANY,
    .opts = comm_opts,
};

static enum tr_status check_options(const struct comm *o, struct tr_error *err)
{
    if ((o->by >= 0) + o->members + o->stragglers + o->mismatches > 1)
        return tr_fail(err, TR_USAGE,
                       "of --by, --members, --stragglers and --mismatches only one can be used");
    if (o->a.per >= 0 && !(o->stragglers && (o->a.per == TR_PER_RANK || o->a.per == TR_PER_STEP)))
        return tr_fail(err, TR_USAGE, "--per works with --stragglers, as --per step or --per rank");
    return TR_OK;
}

static const struct tr_analysis *chosen(const struct comm *o)
{
    static const struct tr_analysis *const sums[] = { &tr_analysis_comm_name, &tr_analysis_comm_size,
                                                      &tr_analysis_comm_group };
    return o->by >= 0      ? sums[o->by]
           : o->stragglers ? &tr_analysis_straggler
           : o->mismatches ? &tr_analysis_mismatch
           : o->members    ? &tr_analysis_member
                           : &tr_analysis_collective;
}

static enum tr_status comm_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct comm *o = arg;
    const struct cli_view view = { .analysis = chosen(o) };
    enum tr_status st = check_options(o, err);
    return st == TR_OK ? cli_view_run(cli, &o->a, &view, o, err) : st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &comm_tool, &(struct comm){ .a = CLI_ANALYSIS_INIT, .by = -1 },
                    comm_run);
}
