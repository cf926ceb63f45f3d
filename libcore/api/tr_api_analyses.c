/* SPDX-License-Identifier: MIT */
/* The public interface: the analyses by name, and their options as text. */
#include "api/tr_api_int.h"

#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/counters/tr_counters_analyses.h"
#include "analysis/critpath/tr_critpath_analyses.h"
#include "analysis/memory/tr_memory_analyses.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "base/tr_num.h"

#include <string.h>

#define AT(type, member) offsetof(struct type, member)

static const struct tr__option idle[] = { { "threshold", TR__OPTION_TIME, AT(tr_idle_options, threshold), { NULL } },
                                          { .key = NULL } };
static const struct tr__option names[] = { { "ratio", TR__OPTION_DOUBLE, AT(tr_name_stats_options, ratio), { NULL } },
                                           { .key = NULL } };
static const struct tr__option annotation[] = {
    { "ratio", TR__OPTION_DOUBLE, AT(tr_name_stats_options, ratio), { NULL } },
    { "side", TR__OPTION_CHOICE, AT(tr_name_stats_options, side), { "host", "device", "work", NULL } },
    { .key = NULL },
};
static const struct tr__option tree[] = {
    { "join-backward", TR__OPTION_FLAG, AT(tr_tree_options, join_backward), { NULL } },
    { .key = NULL },
};
static const struct tr__option classes[] = { { "classes", TR__OPTION_TEXT, AT(tr_classes_options, list), { NULL } },
                                             { .key = NULL } };
static const struct tr__option launch[] = {
    { "cpu-cutoff", TR__OPTION_TIME, AT(tr_launch_options, cpu_cutoff), { NULL } },
    { "queue-cutoff", TR__OPTION_TIME, AT(tr_launch_options, queue_cutoff), { NULL } },
    { .key = NULL },
};
static const struct tr__option memory[] = {
    { "by", TR__OPTION_CHOICE, AT(tr_memory_options, by),
      { "category", "operator", "top-operator", "annotation", "all", NULL } },
    { .key = NULL },
};
static const struct tr__option metrics[] = {
    { "by",
      TR__OPTION_CHOICE,
      AT(tr_metrics_options, by),
      { "range", "kernel", "operator", "stack", "instance", NULL } },
    { "category", TR__OPTION_TEXT, AT(tr_metrics_options, category), { NULL } },
    { "metrics", TR__OPTION_TEXT, AT(tr_metrics_options, metrics), { NULL } },
    { "throughput", TR__OPTION_FLAG, AT(tr_metrics_options, throughput), { NULL } },
    { .key = NULL },
};
static const struct tr__option patterns[] = { { "length", TR__OPTION_U64, AT(tr_pattern_options, length), { NULL } },
                                              { .key = NULL } };
static const struct tr__option counters[] = {
    { "max-queue", TR__OPTION_U64, AT(tr_counter_options, max_queue), { NULL } },
    { .key = NULL },
};
static const struct tr__option critpath[] = {
    { "annotation", TR__OPTION_TEXT, AT(tr_critpath_options, annotation), { NULL } },
    { "gaps", TR__OPTION_FLAG, AT(tr_critpath_options, gaps), { NULL } },
    { "launch-edges", TR__OPTION_FLAG, AT(tr_critpath_options, launch_edges), { NULL } },
    { .key = NULL },
};

#define PLAIN(analysis) &tr_analysis_##analysis, 0, NULL
#define WITH(analysis, type, list) &tr_analysis_##analysis, sizeof(struct type), list

/* The names are PROGRAM.VIEW, as in the manual pages of the programs. */
static const struct tr__named_analysis analyses[] = {
    { "breakdown.time", PLAIN(time) },
    { "breakdown.type", PLAIN(type) },
    { "breakdown.idle", WITH(idle, tr_idle_options, idle) },
    { "breakdown.cause", WITH(cause, tr_idle_options, idle) },
    { "breakdown.kernel", WITH(kernel, tr_name_stats_options, names) },
    { "breakdown.class", WITH(class, tr_name_stats_options, names) },
    { "breakdown.annotation", WITH(annotation, tr_name_stats_options, annotation) },
    { "breakdown.size", PLAIN(size) },
    { "breakdown.operator", WITH(operator, tr_operator_options, NULL) },
    { "breakdown.tree", WITH(tree, tr_tree_options, tree) },
    { "breakdown.nesting", PLAIN(nesting) },
    { "overlap", PLAIN(overlap) },
    { "overlap.classes", WITH(classes, tr_classes_options, classes) },
    { "launch", WITH(api, tr_launch_options, launch) },
    { "launch.each", WITH(launch, tr_launch_options, launch) },
    { "comm.collective", PLAIN(collective) },
    { "comm.member", PLAIN(member) },
    { "comm.mismatch", PLAIN(mismatch) },
    { "comm.name", PLAIN(comm_name) },
    { "comm.size", PLAIN(comm_size) },
    { "comm.group", PLAIN(comm_group) },
    { "comm.straggler", PLAIN(straggler) },
    { "memory", WITH(memory_series, tr_memory_options, memory) },
    { "memory.peak", WITH(memory_peak, tr_memory_options, memory) },
    { "memory.end", WITH(memory_end, tr_memory_options, memory) },
    { "memory.summary", PLAIN(memory_summary) },
    { "metrics", WITH(metrics, tr_metrics_options, metrics) },
    { "metrics.list", WITH(metric_list, tr_metrics_options, metrics) },
    { "metrics.series", WITH(metric_series, tr_metrics_options, metrics) },
    { "patterns", WITH(pattern, tr_pattern_options, patterns) },
    { "counters.queue", WITH(queue, tr_counter_options, counters) },
    { "counters.bandwidth", WITH(bandwidth, tr_counter_options, counters) },
    { "counters.full", WITH(full_queue, tr_counter_options, counters) },
    { "critpath", WITH(critpath, tr_critpath_options, critpath) },
    { "critpath.path", WITH(critpath_path, tr_critpath_options, critpath) },
    { "critpath.edges", WITH(critpath_edges, tr_critpath_options, critpath) },
    { "critpath.counts", WITH(critpath_counts, tr_critpath_options, critpath) },
};
#define N_ANALYSES (sizeof analyses / sizeof *analyses)

const char *tr_analysis_name(size_t number)
{
    return number < N_ANALYSES ? analyses[number].name : NULL;
}

const char *tr_analysis_question(size_t number)
{
    return number < N_ANALYSES ? analyses[number].analysis->question : NULL;
}

const struct tr__named_analysis *tr__analysis_by_name(const char *name)
{
    for (size_t i = 0; i < N_ANALYSES; i++)
        if (strcmp(name, analyses[i].name) == 0)
            return &analyses[i];
    return NULL;
}

/* ---- options ---- */

static enum tr_status set_choice(const struct tr__option *o, int *to, const char *value, struct tr_error *err)
{
    for (int i = 0; o->choices[i]; i++)
        if (strcmp(value, o->choices[i]) == 0) {
            *to = i;
            return TR_OK;
        }
    return tr_fail(err, TR_USAGE, "%s cannot be '%.80s'", o->key, value);
}

static enum tr_status set(const struct tr__option *o, void *to, const char *value, struct tr_error *err)
{
    uint64_t flag;
    enum tr_status st = TR_OK;
    switch (o->type) {
    case TR__OPTION_TIME:
        return tr_num_time(value, 0, INT64_MAX, to, err);
    case TR__OPTION_U64:
        return tr_num_u64(value, 1, UINT64_MAX, to, err);
    case TR__OPTION_DOUBLE:
        return tr_num_double(value, 0, 1, to, err);
    case TR__OPTION_FLAG:
        if ((st = tr_num_u64(value, 0, 1, &flag, err)) == TR_OK)
            *(bool *)to = flag;
        return st;
    case TR__OPTION_TEXT:
        *(const char **)to = value;
        return TR_OK;
    case TR__OPTION_CHOICE:
        return set_choice(o, to, value, err);
    }
    return tr_fail(err, TR_USAGE, "unknown type of option '%s'", o->key);
}

enum tr_status tr__option_set(const struct tr__named_analysis *a, void *options, const char *key, const char *value,
                              struct tr_error *err)
{
    for (const struct tr__option *o = a->options; o && o->key; o++)
        if (strcmp(key, o->key) == 0)
            return set(o, (char *)options + o->at, value, err);
    return tr_fail(err, TR_USAGE, "%s has no option '%.80s'", a->name, key);
}
