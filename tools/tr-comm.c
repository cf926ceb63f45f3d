/* SPDX-License-Identifier: MIT */
/* tr-comm: collectives across ranks.  Manual: tr-comm(1). */
#include "analysis/comm/tr_comm_analyses.h"
#include "cli/cli_view.h"

struct comm {
    struct cli_analysis a;
    int by; /* index into views */
    struct tr_comm_options options;
};

static const char *const by_names[] = { "collective", "member",   "straggler", "mismatch", "name",
                                        "size",       "group",    "exchange",  "pair",     NULL };

#define OPTIONS .options = offsetof(struct comm, options)
#define NODES   OPTIONS, .takes = { "gpus-per-node" }

static const struct cli_view views[] = {
    { .analysis = &tr_analysis_collective, NODES }, { .analysis = &tr_analysis_member, NODES },
    { .analysis = &tr_analysis_straggler, OPTIONS }, { .analysis = &tr_analysis_mismatch, OPTIONS },
    { .analysis = &tr_analysis_comm_name, OPTIONS }, { .analysis = &tr_analysis_comm_size, OPTIONS },
    { .analysis = &tr_analysis_comm_group, NODES },  { .analysis = &tr_analysis_exchange, NODES },
    { .analysis = &tr_analysis_pair, NODES },
};

static const struct tr_option comm_opts[] = {
    { 0, "by", "TABLE", TR_OPTION_CHOICE, offsetof(struct comm, by), .choices = by_names,
      .help = "a row for each collective, member (a rank in a collective), straggler (rank that others waited for), "
              "mismatch (collective that ranks lack, or in which they differ), name, size, group, exchange (alltoallv) "
              "or pair (of ranks in these) [collective]" },
    { 0, "gpus-per-node", "N", TR_OPTION_U64, offsetof(struct comm, options.gpus_per_node), .lo = 1, .hi = 1 << 20,
      .help = "ranks on a node, for columns that say whether ranks are on one [unknown]" },
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
    enum tr_status st =
        cli_view_check(cli, views, sizeof views / sizeof *views, (struct tr_option_by){ .choice = o->by }, NULL, err);
    return st != TR_OK ? st : cli_view_run(cli, &o->a, &views[o->by], o, err);
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &comm_tool, &(struct comm){ .a = CLI_ANALYSIS_INIT }, comm_run);
}
