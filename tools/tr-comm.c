/* SPDX-License-Identifier: MIT */
/* tr-comm: collectives across ranks.  Manual: tr-comm(1). */
#include "analysis/tr_analyses.h"
#include "cli/cli_view.h"

struct comm {
    struct cli_analysis a;
    int by; /* index into views */
};

static const char *const by_names[] = { "collective", "member", "straggler", "mismatch", "name", "size", "group", NULL };

static const struct cli_view views[] = {
    { .analysis = &tr_analysis_collective }, { .analysis = &tr_analysis_member },
    { .analysis = &tr_analysis_straggler },  { .analysis = &tr_analysis_mismatch },
    { .analysis = &tr_analysis_comm_name },  { .analysis = &tr_analysis_comm_size },
    { .analysis = &tr_analysis_comm_group },
};

static const struct cli_opt comm_opts[] = {
    { 0, "by", "TABLE", CLI_CHOICE, offsetof(struct comm, by), .choices = by_names,
      .help = "a row for each collective, member (a rank in a collective), straggler (rank that others waited for), "
              "mismatch (collective that ranks lack, or in which they differ), name, size or group [collective]" },
    CLI_ANALYSIS_OPTS(struct comm, a),
    { 0 },
};

static const struct cli_tool comm_tool = {
    .name = "tr-comm",
    .brief = "say what collectives cost, and which rank the others waited for",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = comm_opts,
    .examples = { "tr-comm --by straggler rank*.json.gz", "tr-comm --by size --top 10 job.trs" },
};

static enum tr_status comm_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct comm *o = arg;
    return cli_view_run(cli, &o->a, &views[o->by], o, err);
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &comm_tool, &(struct comm){ .a = CLI_ANALYSIS_INIT }, comm_run);
}
