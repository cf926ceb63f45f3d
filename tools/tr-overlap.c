/* SPDX-License-Identifier: MIT */
/* tr-overlap: which kinds of device work run at the same time.  Manual: tr-overlap(1). */
#include "analysis/time/tr_time_analyses.h"
#include "cli/cli_view.h"

struct overlap {
    struct cli_analysis a;
    struct tr_option_by by;
    struct tr_classes_options classes;
};

static const char *const by_names[] = { "overlap", "state", "kernel", NULL };

static const struct cli_view views[] = {
    { .analysis = &tr_analysis_overlap },
    { .analysis = &tr_analysis_classes, .name = "state", .options = offsetof(struct overlap, classes),
      .takes = { "classes" } },
    { .analysis = &tr_analysis_beside },
};

static const struct tr_option overlap_opts[] = {
    { 0, "by", "TABLE", TR_OPTION_CHOICE, offsetof(struct overlap, by), .choices = by_names,
      .help = "overlap: of communication and compute; state: time of each set of kinds that ran at the same time; "
              "kernel: kernels that ran at the same time on other streams [overlap]" },
    { 0, "classes", "LIST", TR_OPTION_TEXT, offsetof(struct overlap, classes.list),
      .help = "state: these kinds or classes [compute,comm,memory]" },
    CLI_ANALYSIS_OPTS(struct overlap, a),
    { 0 },
};

static const struct cli_tool overlap_tool = {
    .name = "tr-overlap",
    .brief = "say which kinds of device work ran at the same time",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = overlap_opts,
    .examples = { "tr-overlap --per step rank*.json.gz",
                  "tr-overlap --by state --classes gemm,attention,comm job.trs" },
};

static enum tr_status overlap_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct overlap *o = arg;
    enum tr_status st = cli_view_check(cli, views, sizeof views / sizeof *views, o->by, NULL, err);
    return st == TR_OK ? cli_view_run(cli, &o->a, &views[o->by.choice], o, err) : st;
}

int main(int argc, char **argv)
{
    struct overlap o = { .a = CLI_ANALYSIS_INIT, .classes.list = TR_CLASSES_DEFAULT };
    return cli_main(argc, argv, &overlap_tool, &o, overlap_run);
}
