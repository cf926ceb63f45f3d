/* tr-overlap: which kinds of device work run at the same time.  Manual: tr-overlap(1). */
#include "analysis/tr_analyses.h"
#include "cli/cli_view.h"

struct overlap {
    struct cli_analysis a;
    struct tr_classes_options classes; /* list NULL: communication under compute */
};

static const struct cli_opt overlap_opts[] = {
    { 0, "classes", "LIST", CLI_STRING, offsetof(struct overlap, classes.list),
      .help = "time of every combination of these kinds or classes" },
    CLI_ANALYSIS_OPTS(struct overlap, a),
    { 0 },
};

static const struct cli_tool overlap_tool = {
    .name = "tr-overlap",
    .brief = "say which kinds of device work ran at the same time",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE,
    .max_operands = CLI_ANY,
    .opts = overlap_opts,
};

static enum tr_status overlap_run(struct cli *cli, void *arg, struct tr_error *err)
{
    static const struct cli_view comm_under_compute = { .analysis = &tr_analysis_overlap };
    static const struct cli_view combinations = { &tr_analysis_classes,
                                                  .options = offsetof(struct overlap, classes) };
    struct overlap *o = arg;
    return cli_view_run(cli, &o->a, o->classes.list ? &combinations : &comm_under_compute, o, err);
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &overlap_tool, &(struct overlap){ .a = CLI_ANALYSIS_INIT },
                    overlap_run);
}
