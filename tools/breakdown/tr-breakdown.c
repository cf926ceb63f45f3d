/* SPDX-License-Identifier: MIT */
/* tr-breakdown: where did the time of the devices go?  Manual: tr-breakdown(1). */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/graphs/tr_graphs_analyses.h"
#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "breakdown/breakdown_capture.h"
#include "cli/cli_graphs.h"
#include "cli/cli_view.h"
#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define MAX_ATTACHED (256u << 20) /* bytes */

enum view {
    VIEW_TIME,
    VIEW_TIMELINE,
    VIEW_TYPE,
    VIEW_IDLE,
    VIEW_CAUSE,
    VIEW_GAP,
    VIEW_STEP,
    VIEW_ITERATION,
    VIEW_INFERENCE,
    VIEW_PHASE,
    VIEW_WINDOW,
    VIEW_STREAM_IDLE,
    VIEW_KERNEL,
    VIEW_CLASS,
    VIEW_ANNOTATION,
    VIEW_SIZE,
    VIEW_GRAPH,
    VIEW_OPERATOR,
    VIEW_CATEGORY,
    VIEW_MODULE,
    VIEW_SEQUENCE,
    VIEW_TREE,
    VIEW_NESTING
};
static const char *const view_names[] = {
    "time",        "timeline", "type",  "idle",       "cause", "gap",  "step", "iteration",
    "inference",   "phase",    "window",
    "stream-idle", "kernel",   "class", "annotation",
    "size", "graph", "operator", "category", "module", "sequence", "tree",    "nesting", NULL,
};

/* Keys that refine views: numbers of bits in struct tr_option_by, and names. */
enum { KEY_SHAPE, KEY_ARGS, KEY_STACK, KEY_MODULE, KEY_CATEGORY, KEY_THREAD, KEY_RECOMPUTE, KEY_KERNEL, KEY_POSITION };
static const char *const key_names[] = { "shape",    "args",   "stack",     "module",
                                         "category", "thread", "recompute", "kernel", "position", NULL };
static const unsigned operator_keys[] = {
    [KEY_SHAPE] = TR_OPERATOR_SHAPE,         [KEY_ARGS] = TR_OPERATOR_SHAPE | TR_OPERATOR_ARGS,
    [KEY_STACK] = TR_OPERATOR_STACK,         [KEY_MODULE] = TR_OPERATOR_MODULE,
    [KEY_CATEGORY] = TR_OPERATOR_CATEGORY,   [KEY_THREAD] = TR_OPERATOR_THREAD,
    [KEY_RECOMPUTE] = TR_OPERATOR_RECOMPUTE, [KEY_KERNEL] = TR_OPERATOR_KERNEL,
    [KEY_POSITION] = TR_OPERATOR_KERNEL | TR_OPERATOR_POSITION,
};
#define OPERATOR_KEYS                                                                                       \
    (1u << KEY_SHAPE | 1u << KEY_ARGS | 1u << KEY_STACK | 1u << KEY_MODULE | 1u << KEY_CATEGORY | 1u << KEY_THREAD | \
     1u << KEY_RECOMPUTE | 1u << KEY_KERNEL | 1u << KEY_POSITION)

static const char *const side_names[] = { "host", "device", "work", NULL };

struct breakdown {
    struct cli_analysis a;
    struct tr_option_by by;
    int side;
    struct tr_idle_options idle;
    struct tr_timeline_options timeline;
    int fills;
    struct tr_window_options window;
    struct tr_name_stats_options names;
    struct tr_tree_options tree;
    struct tr_operator_options operators;
    struct tr_sequence_options sequence;
    struct tr_graph_options graph;
    const char *attach;
    struct tr_option_list captures;
    struct tr_graph_calls *graphs;
    struct tr_name_test op;
};

static const char *const fill_names[] = { "memory", "compute", NULL };

static const struct tr_option breakdown_opts[] = {
    { 0, "by", "TABLE[,KEY]...", TR_OPTION_CHOICE, offsetof(struct breakdown, by),
      .choices = view_names, .keys = key_names,
      .help = "time, timeline, type; why devices were idle: idle (by cause, and by what the host did), cause (by cause "
              "alone), gap (gap by gap), step (step by step), stream-idle (each stream for itself); steps of "
              "inference: inference (each), phase, window (typical ones); iteration, kernel, class, annotation, size, "
              "graph, operator, category, module, sequence, tree, nesting [time]; operator,KEY: shape, args, stack, "
              "module, category, thread, recompute, kernel, position" },
    { 0, "threshold", "TIME", TR_OPTION_TIME, offsetof(struct breakdown, idle.threshold), .lo = 0, .hi = INT64_MAX,
      .help = "idle, cause, gap, step, stream-idle: a shorter wait after the launch is overhead of the device [30us]" },
    { 0, "steps", "N", TR_OPTION_U64, offsetof(struct breakdown, window.steps), .lo = 1, .hi = INT64_MAX,
      .help = "window: number of steps in a row [32]" },
    { 0, "micro-idle", "TIME", TR_OPTION_TIME, offsetof(struct breakdown, timeline.micro_idle),
      .lo = 0, .hi = INT64_MAX,
      .help = "timeline: idle time in gaps shorter than TIME has a separate row" },
    { 0, "memset", "KIND", TR_OPTION_CHOICE, offsetof(struct breakdown, fills), .choices = fill_names,
      .help = "timeline: memsets count as memory or as compute [memory]" },
    { 0, "ratio", "R", TR_OPTION_DOUBLE, offsetof(struct breakdown, names.ratio),
      .help = "kernel, class, annotation: print the largest rows up to the share R of the sum, then others [1]" },
    { 0, "side", "SIDE", TR_OPTION_CHOICE, offsetof(struct breakdown, side), .choices = side_names,
      .help = "annotation: annotations of the host, of the device, or the device work inside them [host]" },
    { 0, "op", "REGEX", TR_OPTION_NAMES, offsetof(struct breakdown, op),
      .help = "operator, category, module: only operators whose names match; sequence: only kernels of such operators "
              "[all]" },
    { 0, "attach", "FILE", TR_OPTION_FILE, offsetof(struct breakdown, attach),
      .help = "graph: add columns of FILE to the nodes, such as their modules" },
    { 0, "attach-capture", "FILE", TR_OPTION_LIST, offsetof(struct breakdown, captures),
      .help =
          "operator, category, module, graph: work of launched graphs is that of the operators in this trace of their "
          "capture, or in a folder of such; may be repeated" },
    { 0, "join-backward", NULL, TR_OPTION_FLAG, offsetof(struct breakdown, tree.join_backward),
      .help = "tree: make the backward pass part of the steps of the main thread" },
    CLI_ANALYSIS_OPTS(struct breakdown, a),
    { 0 },
};

static const struct cli_tool breakdown_tool = {
    .name = "tr-breakdown",
    .brief = "say where the time of the devices went",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = breakdown_opts,
    .examples = { "tr-breakdown --by step rank*.json.gz",
                  "tr-breakdown --by operator,shape --top 10 job.trs" },
};

#define AT(member) offsetof(struct breakdown, member)

static const struct cli_view views[] = {
    [VIEW_TIME] = { .analysis = &tr_analysis_time },
    [VIEW_TIMELINE] = { .analysis = &tr_analysis_timeline, .options = AT(timeline),
                        .takes = { "micro-idle", "memset" } },
    [VIEW_TYPE] = { .analysis = &tr_analysis_type },
    [VIEW_IDLE] = { .analysis = &tr_analysis_idle, .options = AT(idle), .takes = { "threshold" } },
    [VIEW_CAUSE] = { .analysis = &tr_analysis_cause, .options = AT(idle), .takes = { "threshold" } },
    [VIEW_GAP] = { .analysis = &tr_analysis_gap, .options = AT(idle), .takes = { "threshold" } },
    [VIEW_STEP] = { .analysis = &tr_analysis_step, .options = AT(idle), .takes = { "threshold" } },
    [VIEW_ITERATION] = { .analysis = &tr_analysis_iteration },
    [VIEW_INFERENCE] = { .analysis = &tr_analysis_inference },
    [VIEW_PHASE] = { .analysis = &tr_analysis_phase },
    [VIEW_WINDOW] = { .analysis = &tr_analysis_window, .options = AT(window), .takes = { "steps" } },
    [VIEW_STREAM_IDLE] = { .analysis = &tr_analysis_stream_idle, .options = AT(idle), .takes = { "threshold" } },
    [VIEW_KERNEL] = { .analysis = &tr_analysis_kernel, .options = AT(names), .takes = { "ratio" } },
    [VIEW_CLASS] = { .analysis = &tr_analysis_class, .options = AT(names), .takes = { "ratio" } },
    [VIEW_ANNOTATION] = { .analysis = &tr_analysis_annotation, .options = AT(names), .takes = { "ratio", "side" } },
    [VIEW_SIZE] = { .analysis = &tr_analysis_size },
    [VIEW_GRAPH] = { .analysis = &tr_analysis_graph, .options = AT(graph), .takes = { "attach", "attach-capture" } },
    [VIEW_OPERATOR] = { .analysis = &tr_analysis_operator, .options = AT(operators),
                        .takes = { "op", "attach-capture" }, .keys = OPERATOR_KEYS },
    [VIEW_CATEGORY] = { .analysis = &tr_analysis_category, .options = AT(operators),
                        .takes = { "op", "attach-capture" } },
    [VIEW_MODULE] = { .analysis = &tr_analysis_module, .options = AT(operators),
                      .takes = { "op", "attach-capture" } },
    [VIEW_SEQUENCE] = { .analysis = &tr_analysis_sequence, .options = AT(sequence), .takes = { "op" } },
    [VIEW_TREE] = { .analysis = &tr_analysis_tree, .options = AT(tree), .takes = { "join-backward" },
                    .lacks = { "suspect" } },
    [VIEW_NESTING] = { .analysis = &tr_analysis_nesting, .lacks = { "suspect" } },
};

/* The table that --attach names. */
static enum tr_status read_names(const char *path, struct tr_graph_names **names, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    size_t got = 0;
    int fd = tr_open_fd(path, O_RDONLY, 0);
    enum tr_status st = fd < 0 ? tr_fail_sys(err, errno, "cannot open") : TR_OK;
    while (st == TR_OK) {
        st = text.len < MAX_ATTACHED && tr_buf_reserve(&text, 1 << 16) ? TR_OK : tr_fail_memory(err);
        if (st == TR_OK)
            st = tr_read_full(fd, text.data + text.len, 1 << 16, &got, err);
        text.len += got;
    }
    if (st == TR_END)
        st = tr_graph_names_new(names, (const char *)text.data, text.len, err);
    if (st != TR_OK)
        tr_error_input(err, path);
    if (fd >= 0)
        close(fd);
    tr_buf_free(&text);
    return st;
}

static enum tr_status breakdown_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct breakdown *o = arg;
    o->timeline.memsets_compute = o->fills == 1;
    o->names.side = (enum tr_annotation_side)o->side;
    o->sequence.op = o->op;
    o->operators.op = o->sequence.op;
    for (unsigned k = 0; k < sizeof operator_keys / sizeof *operator_keys; k++)
        o->operators.by |= o->by.keys >> k & 1 ? operator_keys[k] : 0;
    if (o->by.choice == VIEW_MODULE)
        o->operators.by = TR_OPERATOR_MODULE;
    enum tr_status st = cli_view_check(cli, views, sizeof views / sizeof *views, o->by, key_names, err);
    if (st == TR_OK && o->attach)
        st = read_names(o->attach, &o->graph.names, err);
    if (st == TR_OK && o->captures.n && o->attach)
        st = tr_fail(err, TR_USAGE, "--attach and --attach-capture both give columns: leave one out");
    if (st == TR_OK && o->captures.n)
        st = cli_graphs_read(cli, &o->captures, &o->graphs, err);
    o->operators.graphs = o->graphs;
    o->graph.captured = o->graphs != NULL;
    if (st == TR_OK && o->graphs && o->by.choice == VIEW_GRAPH)
        st = breakdown_capture(o->graphs, &o->graph.names, err);
    if (st == TR_OK)
        st = cli_view_run(cli, &o->a, &views[o->by.choice], o, err);
    tr_graph_calls_free(o->graphs); /* its memory is from the budget of the program */
    return st;
}

int main(int argc, char **argv)
{
    struct breakdown o = { .a = CLI_ANALYSIS_INIT, .idle = TR_IDLE_DEFAULTS, .names = TR_NAME_STATS_DEFAULTS,
                           .window = TR_WINDOW_DEFAULTS };
    int code = cli_main(argc, argv, &breakdown_tool, &o, breakdown_run);
    tr_graph_names_free(o.graph.names);
    return code;
}
