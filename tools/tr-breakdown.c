/* tr-breakdown: where the time of the devices went.  Manual: tr-breakdown(1). */
#include "analysis/tr_analyses.h"
#include "cli/cli_names.h"
#include "cli/cli_view.h"

enum view {
    VIEW_TIME,
    VIEW_TYPE,
    VIEW_IDLE,
    VIEW_GAP,
    VIEW_STREAM_IDLE,
    VIEW_KERNEL,
    VIEW_CLASS,
    VIEW_ANNOTATION,
    VIEW_SIZE,
    VIEW_SEQUENCE,
    VIEW_TREE,
    VIEW_NESTING
};
static const char *const view_names[] = { "time",  "type",       "idle", "gap",      "stream-idle", "kernel",
                                          "class", "annotation", "size", "sequence", "tree",        "nesting", NULL };

static const char *const side_names[] = { "host", "device", "work", NULL };

struct breakdown {
    struct cli_analysis a;
    int by, side;
    struct tr_idle_options idle;
    struct tr_name_stats_options names;
    struct tr_tree_options tree;
    struct tr_sequence_options sequence;
    struct cli_names op;
};

static const struct cli_opt breakdown_opts[] = {
    { 0, "by", "VIEW", CLI_CHOICE, offsetof(struct breakdown, by), .choices = view_names,
      .help = "time, type, idle, gap, stream-idle, kernel, class, annotation, size, sequence, tree, nesting [time]" },
    { 0, "threshold", "TIME", CLI_TIME, offsetof(struct breakdown, idle.threshold), .lo = 0, .hi = INT64_MAX,
      .help = "idle, gap, stream-idle: shorter waits after the launch are the device's own [30us]" },
    { 0, "ratio", "R", CLI_DOUBLE, offsetof(struct breakdown, names.ratio),
      .help = "kernel, class, annotation: names until they make R of the sum, then others [1]" },
    { 0, "side", "SIDE", CLI_CHOICE, offsetof(struct breakdown, side), .choices = side_names,
      .help = "annotation: those of the host, of the device, or device work under them [host]" },
    { 0, "op", "REGEX", CLI_CALL, offsetof(struct breakdown, op), .call = cli_names_parse,
      .help = "operator: only operators with such names own kernels [all]" },
    { 0, "join-backward", NULL, CLI_FLAG, offsetof(struct breakdown, tree.join_backward),
      .help = "tree: the thread of the backward pass belongs to the steps of the main one" },
    CLI_ANALYSIS_OPTS(struct breakdown, a),
    { 0 },
};

static const struct cli_tool breakdown_tool = {
    .name = "tr-breakdown",
    .brief = "say where the time of the devices went",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE,
    .max_operands = CLI_ANY,
    .opts = breakdown_opts,
};

static const struct cli_view views[] = {
    [VIEW_TIME] = { .analysis = &tr_analysis_time },
    [VIEW_TYPE] = { .analysis = &tr_analysis_type },
    [VIEW_IDLE] = { &tr_analysis_idle, .options = offsetof(struct breakdown, idle) },
    [VIEW_GAP] = { &tr_analysis_gap, .options = offsetof(struct breakdown, idle) },
    [VIEW_STREAM_IDLE] = { &tr_analysis_stream_idle, .options = offsetof(struct breakdown, idle) },
    [VIEW_KERNEL] = { &tr_analysis_kernel, .options = offsetof(struct breakdown, names) },
    [VIEW_CLASS] = { &tr_analysis_class, .options = offsetof(struct breakdown, names) },
    [VIEW_ANNOTATION] = { &tr_analysis_annotation, .options = offsetof(struct breakdown, names) },
    [VIEW_SIZE] = { .analysis = &tr_analysis_size },
    [VIEW_SEQUENCE] = { &tr_analysis_sequence, .options = offsetof(struct breakdown, sequence) },
    [VIEW_TREE] = { &tr_analysis_tree, .options = offsetof(struct breakdown, tree) },
    [VIEW_NESTING] = { .analysis = &tr_analysis_nesting },
};

static enum tr_status breakdown_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct breakdown *o = arg;
    o->names.side = (enum tr_annotation_side)o->side;
    o->sequence.op = cli_names_test(&o->op);
    return cli_view_run(cli, &o->a, &views[o->by], o, err);
}

int main(int argc, char **argv)
{
    struct breakdown o = { .a = CLI_ANALYSIS_INIT, .idle = TR_IDLE_DEFAULTS, .names = TR_NAME_STATS_DEFAULTS };
    int code = cli_main(argc, argv, &breakdown_tool, &o, breakdown_run);
    cli_names_free(&o.op);
    return code;
}
