/* SPDX-License-Identifier: MIT */
/* The list of analyses. */
#include "analysis/tr_registry.h"

#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/counters/tr_counters_analyses.h"
#include "analysis/paths/tr_paths_analyses.h"
#include "analysis/findings/tr_findings.h"
#include "analysis/graphs/tr_graphs_analyses.h"
#include "analysis/memory/tr_memory_analyses.h"
#include "analysis/nodes/tr_nodes_analyses.h"
#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/operators/tr_replay.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "analysis/stacks/tr_stacks_analyses.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "analysis/tr_view_files.h"
#include "analysis/util/tr_util_analyses.h"

#include <string.h>

#define VIEW(shown_as, which, says) \
    .name = (shown_as), .full = PROGRAM "." shown_as, .analysis = &tr_analysis_##which, .brief = (says)
#define KEYS(type, list) .keys = (list), .by_at = offsetof(struct type, by)

/* ---- tr-breakdown ---- */

static const struct tr_view_key operator_keys[] = {
    { .name = "shape", .by = TR_OPERATOR_SHAPE },
    { .name = "args", .by = TR_OPERATOR_SHAPE | TR_OPERATOR_ARGS },
    { .name = "stack", .by = TR_OPERATOR_STACK },
    { .name = "module", .by = TR_OPERATOR_MODULE },
    { .name = "category", .by = TR_OPERATOR_CATEGORY },
    { .name = "thread", .by = TR_OPERATOR_THREAD },
    { .name = "recompute", .by = TR_OPERATOR_RECOMPUTE },
    { .name = "step_phase", .by = TR_OPERATOR_PHASE },
    { .name = "kernel", .by = TR_OPERATOR_KERNEL },
    { .name = "position", .by = TR_OPERATOR_KERNEL | TR_OPERATOR_POSITION },
    { .name = NULL },
};

static const struct tr_view_key tree_key[] = {
    { .name = "tree", .by = TR_OPERATOR_TREE, .analysis = &tr_analysis_module_tree },
    { .name = NULL },
};

#define CAPTURES \
    .files = tr_view_operator_files, .ready = tr_view_operator_ready, .release = tr_view_operator_release

#define NODES .files = tr_view_node_files, .ready = tr_view_node_ready, .release = tr_view_node_release

#define PROGRAM "breakdown"
const struct tr_view tr_breakdown_views[] = {
    { VIEW("time", time, "busy, idle, exposed") },
    { VIEW("timeline", timeline, "what ran at the same time") },
    { VIEW("type", type, "kinds of work") },
    { VIEW("idle", idle, "causes of idle time, and what the host did") },
    { VIEW("cause", cause, "causes alone") },
    { VIEW("gap", gap, "gap by gap") },
    { VIEW("step", step, "step by step") },
    { VIEW("typical", typical, "what ran when in a typical step") },
    { VIEW("iteration", iteration, "iterations of a loop") },
    { VIEW("inference", inference, "each step of inference") },
    { VIEW("phase", phase, "prefill and decode") },
    { VIEW("window", window, "typical steps of inference") },
    { VIEW("stream-idle", stream_idle, "each stream for itself") },
    { VIEW("kernel", kernel, "names of kernels") },
    { VIEW("class", class, "classes by rules") },
    { VIEW("annotation", annotation, "annotated ranges") },
    { VIEW("size", size, "kernels by length") },
    { VIEW("chain", chain, "kernels in a row that one could replace") },
    { VIEW("overhead", overhead, "of the profiler") },
    { VIEW("graph", graph, "launched graphs"), .files = tr_view_graph_files, .ready = tr_view_graph_ready,
      .release = tr_view_graph_release },
    { VIEW("operator", operator, "operators that caused the work"), KEYS(tr_operator_options, operator_keys),
      CAPTURES },
    { VIEW("category", category, "categories of operators"), CAPTURES },
    { VIEW("module", module, "modules of the model"), .keys = tree_key, .one_key = true,
      .by_at = offsetof(struct tr_operator_options, by), .by = TR_OPERATOR_MODULE, CAPTURES },
    { VIEW("sequence", sequence, "kernels of an operator in a row") },
    { VIEW("node", node, "nodes of an execution trace"), NODES },
    { VIEW("tree", tree, "calls inside of calls"), .lacks = { "suspect" } },
    { VIEW("nesting", nesting, "spans that do not nest"), .lacks = { "suspect" } },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-categorize ---- */

#define RULES .files = tr_view_rules_files, .ready = tr_view_rules_ready, .release = tr_view_rules_release

#define PROGRAM "categorize"
const struct tr_view tr_categorize_views[] = {
    { VIEW("class", rules, "time of classes"), RULES },
    { VIEW("across", rules_across, "a statistic over ranks"), RULES },
    { VIEW("unmatched", unmatched, "names without a rule"), RULES },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-comm ---- */

static const struct tr_view_key log_keys[] = {
    { .name = "group", .analysis = &tr_analysis_log_group },
    { .name = "name", .analysis = &tr_analysis_log_name },
    { .name = "size", .analysis = &tr_analysis_log_size },
    { .name = "rank", .analysis = &tr_analysis_log_rank },
    { .name = NULL },
};

#define PROGRAM "comm"
const struct tr_view tr_comm_views[] = {
    { VIEW("collective", collective, "each collective") },
    { VIEW("member", member, "a rank in a collective") },
    { VIEW("straggler", straggler, "the rank that others waited for") },
    { VIEW("stage", stage, "stages of each step, without clocks"), .lacks = { "suspect" } },
    { VIEW("bubble", bubble, "waits between stages of a pipeline"), .lacks = { "suspect" } },
    { VIEW("mismatch", mismatch, "collectives that ranks lack, or in which they differ") },
    { VIEW("name", comm_name, "sums by name") },
    { VIEW("size", comm_size, "by message size") },
    { VIEW("group", comm_group, "by process group") },
    { VIEW("exchange", exchange, "alltoallv") },
    { VIEW("pair", pair, "pairs of ranks in these") },
    { VIEW("log", log, "collectives of NCCL's inspector"), .keys = log_keys, .one_key = true },
    { VIEW("verdict", verdict, "why a job hangs, by its flight recorders") },
    { VIEW("joined", joined, "traces beside flight recorders") },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-counters ---- */

static const struct tr_view_key power_keys[] = { { .name = "kernel", .analysis = &tr_analysis_power_kernel },
                                                 { .name = NULL } };

#define PROGRAM "counters"
const struct tr_view tr_counters_views[] = {
    { VIEW("queue", queue, "work launched and not yet started") },
    { VIEW("bandwidth", bandwidth, "of copies") },
    { VIEW("full", full_queue, "full queues") },
    { VIEW("power", power, "energy of devices"), .keys = power_keys, .lacks = { "suspect" } },
    { VIEW("queue-series", queue_series, "samples over time") },
    { VIEW("bandwidth-series", bandwidth_series, NULL) },
    { VIEW("busy-series", busy_series, NULL) },
    { VIEW("power-series", power_series, NULL), .lacks = { "suspect" } },
    { VIEW("waiting-series", waiting_series, NULL), .lacks = { "suspect" } },
    { VIEW("collective-series", collective_series, NULL), .lacks = { "suspect" } },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-critpath ---- */

#define PROGRAM "critpath"
const struct tr_view tr_critpath_views[] = {
    { VIEW("bound", critpath, "what the path is bound by, in sum"), .ready = tr_view_what_if_ready,
      .release = tr_view_what_if_release },
    { VIEW("leg", critpath_legs, "ranks that the path of all leads through") },
    { VIEW("path", critpath_path, "each span of it") },
    { VIEW("member", critpath_member, "its parts by names, to be saved, or found again in another run"),
      .files = tr_view_path_files, .release = tr_view_path_release },
    { VIEW("edge", critpath_edges, "each edge of the graph") },
    { VIEW("count", critpath_counts, "what is in the graph, and what could not be explained") },
    { VIEW("chain", node_chain, "longest chain of an execution trace"), NODES },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-flame ---- */

static const struct tr_view_key frame_keys[] = { { .name = "kernel", .by = TR_STACK_KERNELS }, { .name = NULL } };
#define FRAMES(which) .keys = frame_keys, .by_at = offsetof(struct tr_stack_options, by), .by = (which)

#define PROGRAM "flame"
const struct tr_view tr_flame_views[] = {
    { VIEW("stack", stack, "all spans of the host"), FRAMES(TR_STACK_SPANS) },
    { VIEW("operator", stack, "operators"), FRAMES(TR_STACK_OPERATORS) },
    { VIEW("module", stack, "modules of the model"), FRAMES(TR_STACK_MODULES) },
    { VIEW("python", stack, "Python functions"), FRAMES(TR_STACK_PYTHON) },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-launch ---- */

#define PROGRAM "launch"
const struct tr_view tr_launch_views[] = {
    { VIEW("api", api, "sums by the name of the call") },
    { VIEW("launch", launch, "a row for each kernel, copy and memset") },
    { VIEW("shape", launch_shape, "kernels by grid and block") },
    { VIEW("kernel", launch_kernel, "kernels by call and name") },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-memory ---- */

static const struct tr_view_key memory_keys[] = {
    { .name = "operator", .by = TR_MEMORY_OPERATOR },
    { .name = "top-operator", .by = TR_MEMORY_TOP },
    { .name = "annotation", .by = TR_MEMORY_ANNOTATION },
    { .name = "all", .by = TR_MEMORY_ALL },
    { .name = NULL },
};
#define ALLOCATIONS KEYS(tr_memory_options, memory_keys), .one_key = true

#define PROGRAM "memory"
const struct tr_view tr_memory_views[] = {
    { VIEW("series", memory_series, "memory over time"), ALLOCATIONS },
    { VIEW("peak", memory_peak, "allocations at the peak"), ALLOCATIONS },
    { VIEW("end", memory_end, "those at the end"), ALLOCATIONS },
    { VIEW("summary", memory_summary, "totals of each device") },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-metrics ---- */

static const struct tr_view_key stack_key[] = { { .name = "stack", .by = TR_METRICS_STACK }, { .name = NULL } };
static const struct tr_view_key utilization_keys[] = {
    { .name = "category", .analysis = &tr_analysis_utilization_category },
    { .name = "rank", .analysis = &tr_analysis_utilization_rank },
    { .name = NULL },
};
#define METRICS(which) .by_at = offsetof(struct tr_metrics_options, by), .by = (which)
#define IDEAL          .files = tr_view_ideal_files, .ready = tr_view_ideal_ready, .release = tr_view_ideal_release

#define PROGRAM "metrics"
const struct tr_view tr_metrics_views[] = {
    { VIEW("range", metrics, "each range"), METRICS(TR_METRICS_RANGE) },
    { VIEW("instance", metrics, "each instance of a kernel"), METRICS(TR_METRICS_INSTANCE) },
    { VIEW("kernel", metrics, "sums"), METRICS(TR_METRICS_KERNEL) },
    { VIEW("operator", metrics, "sums"), METRICS(TR_METRICS_OPERATOR), .keys = stack_key, .one_key = true },
    { VIEW("list", metric_list, "the metrics") },
    { VIEW("series", metric_series, "values over time") },
    { VIEW("ideal", ideal, "tables of --attach"), IDEAL },
    { VIEW("utilization", utilization, "how much of the device kernels used"), .keys = utilization_keys,
      .one_key = true, IDEAL },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-overlap ---- */

#define PROGRAM "overlap"
const struct tr_view tr_overlap_views[] = {
    { VIEW("overlap", overlap, "of communication and compute") },
    { VIEW("state", classes, "time of each set of kinds that ran at the same time") },
    { VIEW("kernel", beside, "kernels that ran at the same time on other streams") },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-patterns, tr-replay, tr-sum ---- */

#define PROGRAM "patterns"
const struct tr_view tr_patterns_views[] = {
    { VIEW("pattern", pattern, NULL) },
    { .name = NULL },
};
#undef PROGRAM

#define PROGRAM "replay"
const struct tr_view tr_replay_views[] = {
    { VIEW("replay", replay, NULL), .files = tr_view_replay_files, .ready = tr_view_replay_ready,
      .release = tr_view_replay_release },
    { .name = NULL },
};
#undef PROGRAM

#define PROGRAM "sum"
const struct tr_view tr_sum_views[] = {
    { VIEW("sum", sum, NULL), .ready = tr_view_sum_ready },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-report ---- */

#define PROGRAM "report"
static const struct tr_view report_views[] = {
    { VIEW("findings", findings, "what makes the job slow"), .files = tr_view_findings_files,
      .ready = tr_view_findings_ready, .release = tr_view_findings_release },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-roofline ---- */

static const struct tr_view_key roofline_keys[] = {
    { .name = "shape", .by = TR_ROOFLINE_SHAPE },
    { .name = "params", .by = TR_ROOFLINE_PARAMS },
    { .name = "thread", .by = TR_ROOFLINE_THREAD },
    { .name = "recompute", .by = TR_ROOFLINE_RECOMPUTE },
    { .name = "api", .by = TR_ROOFLINE_API },
    { .name = "kernel", .by = TR_ROOFLINE_KERNEL },
    { .name = "node", .by = TR_ROOFLINE_NODE },
    { .name = "fused", .by = TR_ROOFLINE_FUSED },
    { .name = NULL },
};
#define MODELLED(first) \
    .files = &tr_view_roofline_files[first], .ready = tr_view_roofline_ready, .release = tr_view_roofline_release
#define MEASURED \
    .files = tr_view_peaks_files, .release = tr_view_peaks_release, .lacks = { "suspect", "drop-last-step" }

#define PROGRAM "roofline"
const struct tr_view tr_roofline_views[] = {
    { VIEW("operator", roofline, "operators"), KEYS(tr_roofline_options, roofline_keys), MODELLED(0) },
    { VIEW("family", roofline_family, "families of models"), MODELLED(1) },
    { VIEW("kernel", roofline_kernel, "of metric files: kernels"), MEASURED },
    { VIEW("point", roofline_point, "of metric files: points"), MEASURED },
    { VIEW("roof", roofline_roof, "of metric files: roofs"), MEASURED },
    { VIEW("precision", roofline_precision, "of metric files: operations by precision"), MEASURED },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-stalls ---- */

#define DUMPS .files = tr_view_stalls_files, .release = tr_view_stalls_release

#define PROGRAM "stalls"
const struct tr_view tr_stalls_views[] = {
    { VIEW("kernel", stall_kernel, "sums") },
    { VIEW("instruction", stall_instruction, "each address"), DUMPS },
    { VIEW("cause", stall_cause, "addresses by cause, most stalls first"), DUMPS },
    { VIEW("wait", stall_wait, "for which earlier instructions"), DUMPS },
    { .name = NULL },
};
#undef PROGRAM

/* ---- tr-util ---- */

#define PROGRAM "util"
const struct tr_view tr_util_views[] = {
    { VIEW("rank", util_rank, "bins of time, of each rank") },
    { VIEW("device", util_device, "of each device") },
    { VIEW("stream", util_stream, "of each stream") },
    { VIEW("region", util_region, "stretches of low use, and why") },
    { VIEW("pace", util_pace, "annotations and kernels step by step") },
    { VIEW("annotation", util_annotation, "annotations on the device") },
    { .name = NULL },
};
#undef PROGRAM

/* ---- all of them ---- */

const struct tr_program tr_programs[] = {
    { "breakdown", tr_breakdown_views },
    { "overlap", tr_overlap_views },
    { "flame", tr_flame_views },
    { "launch", tr_launch_views },
    { "comm", tr_comm_views },
    { "memory", tr_memory_views },
    { "metrics", tr_metrics_views },
    { "patterns", tr_patterns_views },
    { "counters", tr_counters_views },
    { "critpath", tr_critpath_views },
    { "roofline", tr_roofline_views },
    { "stalls", tr_stalls_views },
    { "replay", tr_replay_views },
    { "sum", tr_sum_views },
    { "categorize", tr_categorize_views },
    { "report", report_views },
    { "util", tr_util_views },
    { NULL, NULL },
};

const struct tr_view *tr_view_at(size_t i)
{
    for (const struct tr_program *p = tr_programs; p->name; p++)
        for (const struct tr_view *v = p->views; v->analysis; v++)
            if (i-- == 0)
                return v;
    return NULL;
}

const struct tr_view *tr_view_find(const char *name)
{
    size_t len = strcspn(name, ".");
    for (const struct tr_program *p = tr_programs; p->name; p++) {
        if (strlen(p->name) != len || memcmp(p->name, name, len) != 0)
            continue;
        for (const struct tr_view *v = p->views; v->analysis; v++)
            if (!name[len] || strcmp(v->name, name + len + 1) == 0)
                return v;
    }
    return NULL;
}

/* Analysis k of a view: its own, then those of its keys.  NULL: there are no more. */
static const struct tr_analysis *of_view(const struct tr_view *v, size_t k)
{
    if (k == 0)
        return v->analysis;
    for (const struct tr_view_key *key = v->keys; key && key->name; key++)
        if (key->analysis && --k == 0)
            return key->analysis;
    return NULL;
}

const struct tr_analysis *tr_registry_analysis(size_t i)
{
    const struct tr_analysis *seen[256];
    size_t n = 0;
    for (size_t v = 0; tr_view_at(v); v++) {
        const struct tr_analysis *a;
        for (size_t k = 0; (a = of_view(tr_view_at(v), k)) != NULL; k++) {
            size_t at = 0;
            while (at < n && seen[at] != a)
                at++;
            if (at < n)
                continue;
            if (n == i || n == sizeof seen / sizeof *seen)
                return n == i ? a : NULL;
            seen[n++] = a;
        }
    }
    return NULL;
}
