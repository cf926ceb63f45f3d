/* SPDX-License-Identifier: MIT */
/*
 * All analyses and their options.
 *
 * A member of an option struct is zero unless its defaults set it.  The description of an analysis (struct tr_analysis)
 * has its question and its columns.  The pages of the programs describe the options.
 */
#ifndef TR_ANALYSES_H
#define TR_ANALYSES_H

#include "analysis/tr_analysis.h"
#include "analysis/tr_class_sums.h"
#include "analysis/tr_graph_calls.h"
#include "analysis/tr_graph_names.h"
#include "analysis/tr_memory.h"
#include "analysis/tr_metrics.h"
#include "vendor/tr_ideal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where did the time of devices go?  tr_busy.h.  No options. */
extern const struct tr_analysis tr_analysis_time;
/* Communication that runs at the same time as compute: tr_busy.h.  No options. */
extern const struct tr_analysis tr_analysis_overlap;
/* The time of devices as rows that add up to the span: tr_busy.h. */
struct tr_timeline_options {
    int64_t micro_idle; /* ns: gaps shorter than this have a separate row; 0: none */
    bool fills_compute; /* fills count as compute, not as memory */
    bool quiet;         /* no remarks, because the rows are not shown; also for tr_analysis_time */
};
extern const struct tr_analysis tr_analysis_timeline;

/* Kinds of work that run at the same time: tr_concurrency.h.  No options.  Ranks are added up, unless grouped. */
extern const struct tr_analysis tr_analysis_type;

/* Any kinds or classes that run at the same time: tr_concurrency.h. */
struct tr_classes_options {
    const char *list; /* names with commas between */
};
#define TR_CLASSES_DEFAULT "compute,comm,memory"
extern const struct tr_analysis tr_analysis_classes;

/* Work that runs at the same time on other streams of its device, by the names of both: tr_by_beside.c.  No options. */
extern const struct tr_analysis tr_analysis_beside;

/*
 * Causes of idle time of devices, as sums and for each gap: tr_idle.h.  Causes of idle time of streams, as in Holistic
 * Trace Analysis: tr_stream_idle.h.
 */
struct tr_idle_options {
    int64_t threshold; /* ns; 0 or more */
    bool sums_only;    /* sums by cause: no percentiles */
};
#define TR_IDLE_THRESHOLD 30000
#define TR_IDLE_DEFAULTS { .threshold = TR_IDLE_THRESHOLD }
extern const struct tr_analysis tr_analysis_idle, tr_analysis_cause, tr_analysis_gap, tr_analysis_stream_idle;

/*
 * How long each step took on the host, how busy the devices of its rank were in that time, and the largest cause of the
 * idle gaps that end in it.  All device work counts, except what a test where leaves out.  A selection of steps or
 * times only selects rows.  Options as above.
 */
extern const struct tr_analysis tr_analysis_step;

/*
 * Steps of inference with the work that they launched: tr_step_work.h.  Each step; sums by phase; the runs of so many
 * steps that are typical of the trace, of decode, of prefill.  Times and conditions as for steps above.
 */
struct tr_window_options {
    uint64_t steps; /* in a window, at least 1 */
};
#define TR_WINDOW_DEFAULTS { .steps = 32 }
extern const struct tr_analysis tr_analysis_inference, tr_analysis_phase, tr_analysis_window;

/*
 * How long one iteration took, for traces without steps: an iteration is the sequence of kernels that is repeated.
 * Memory: up to 32768 kernels of each group, 32 bytes each.
 */
extern const struct tr_analysis tr_analysis_iteration;

/* Durations by name, by class, or of annotations: tr_name_stats.h. */
enum tr_annotation_side { TR_ANNOTATION_HOST, TR_ANNOTATION_DEVICE, TR_ANNOTATION_WORK };
struct tr_name_stats_options {
    double ratio;      /* the largest rows up to this share of the sum, then others; 1: all */
    enum tr_annotation_side side; /* annotations only: of the host, of the device, or work below those of the device */
    /* Kernels only, and not for partial results: */
    int64_t shorter; /* ns: only durations below this; 0: all */
    bool sums_only;  /* columns of percentiles are absent */
};
#define TR_NAME_STATS_DEFAULTS \
    {                          \
        .ratio = 1             \
    }
extern const struct tr_analysis tr_analysis_kernel, tr_analysis_class, tr_analysis_annotation;

/*
 * Classes by rules; the stream needs no classes: tr_class_sums.h.  Sums of classes; a statistic of these over ranks;
 * names without a class.  There are no defaults.
 */
struct tr_rules_options {
    struct tr_rules *rules;     /* borrowed */
    enum tr_rule_target target; /* device work, or operators of the host */
    enum tr_across across;      /* over ranks only */
    bool skip_absent;           /* there: a rank without the class does not count; else it counts as 0 */
};
extern const struct tr_analysis tr_analysis_rules, tr_analysis_rules_across, tr_analysis_unmatched;

/* Graphs that are launched many times, node by node. */
struct tr_graph_options {
    struct tr_graph_names *names; /* columns that are attached to the nodes; NULL: none */
    bool captured;                /* they are from captures: say how many nodes these do not have */
};
extern const struct tr_analysis tr_analysis_graph;

/* Copies by direction and size.  No options. */
extern const struct tr_analysis tr_analysis_size;

/* Launches by the name of the call, and each launch: tr_launches.h. */
struct tr_launch_options {
    int64_t cpu_cutoff, queue_cutoff; /* ns */
    bool means_only; /* columns of percentiles are absent; not for partial results */
};
#define TR_LAUNCH_DEFAULTS { .cpu_cutoff = 50000, .queue_cutoff = 100000 }
extern const struct tr_launch_options tr_launch_means; /* the defaults, with means only */
extern const struct tr_analysis tr_analysis_api, tr_analysis_launch;

/*
 * Collectives across ranks: tr_comm.h.  Each collective; each member; mismatches; sums by name, by size,
 * by process group; the ranks that others waited for, also by step.
 */
struct tr_comm_options {
    uint64_t gpus_per_node; /* ranks of a node; 0: unknown */
};
extern const struct tr_analysis tr_analysis_collective, tr_analysis_member, tr_analysis_mismatch;
extern const struct tr_analysis tr_analysis_comm_name, tr_analysis_comm_size, tr_analysis_comm_group;
extern const struct tr_analysis tr_analysis_straggler;
/* All-to-alls of different sizes (alltoallv), and what each rank sends to each other in them. */
extern const struct tr_analysis tr_analysis_exchange, tr_analysis_pair;

/* Sums of any groups of events: tr_sum.h, also for the options.  There are no defaults. */
extern const struct tr_analysis tr_analysis_sum;

/* Device memory from allocation events: tr_memory.h.  Over time, at the peak, at the end. */
struct tr_memory_options {
    enum tr_memory_by by; /* key of the allocations */
};
extern const struct tr_analysis tr_analysis_memory_series, tr_analysis_memory_peak, tr_analysis_memory_end;
/* Sums of the same.  No options. */
extern const struct tr_analysis tr_analysis_memory_summary;

/* Hardware counters and samples: tr_metrics.h.  Sums of metrics; the list of metrics; their values over time. */
struct tr_metrics_options {
    enum tr_metrics_by by;
    const char *category; /* of the ranges that have counters */
    const char *metrics;  /* names with commas between; NULL: all */
    bool throughput;      /* values divided by the time of their ranges; only for tr_analysis_metrics */
};
#define TR_METRICS_DEFAULTS { .by = TR_METRICS_RANGE, .category = TR_METRICS_CATEGORY }
extern const struct tr_analysis tr_analysis_metrics, tr_analysis_metric_list, tr_analysis_metric_series;

/*
 * Stalls of instructions, from metric files of unitrace: by kernel, by instruction, by cause; and the instructions that
 * are waited for.  load: append the dump of a kernel to text; TR_OK, TR_NO: there is none, or a failure; NULL: no
 * dumps.
 */
struct tr_stalls_options {
    enum tr_status (*load)(void *self, struct tr_str kernel, struct tr_buf *text, struct tr_error *err);
    void *self;
};
extern const struct tr_analysis tr_analysis_stall_kernel, tr_analysis_stall_instruction, tr_analysis_stall_cause;
extern const struct tr_analysis tr_analysis_stall_wait;

/*
 * Utilization of devices, from a compiler's tables of ideal kernel times: the tables; each kernel; by category; by
 * rank.  There are no defaults for the tables.
 */
struct tr_ideal_options {
    const struct tr_ideal *tables; /* borrowed */
    int64_t hz;                    /* of the cores, above 0 */
};
#define TR_IDEAL_DEFAULTS { .hz = 1100000000 }
extern const struct tr_analysis tr_analysis_ideal, tr_analysis_utilization;
extern const struct tr_analysis tr_analysis_utilization_category, tr_analysis_utilization_rank;

/* A test of names, such as a regular expression. */
struct tr_name_test {
    bool (*match)(void *self, struct tr_str name); /* NULL: every name */
    void *self;
    const char *text; /* the test as text, for partial results; NULL: none */
};

/*
 * Analyses of one run may compute operators together (tr_operators_shared.h): all of them are given the same keys, of
 * which each uses some.  Then columns of the work below operators, and percentiles, are absent, and so is a table whose
 * data the trace does not have.
 */
struct tr_operators_shared {
    unsigned by; /* TR_OPERATOR_SHAPE and so on */
};

/* What operators cost, and categories of them: tr_operators.h. */
struct tr_operator_options {
    const struct tr_operators_shared *shared; /* NULL: it is computed for this analysis alone */
    unsigned by;            /* keys in addition to the name: TR_OPERATOR_SHAPE and so on */
    struct tr_name_test op; /* operators that are shown */
    struct tr_graph_calls *graphs; /* captures: their operators own the work of launched graphs; NULL: none */
};
extern const struct tr_analysis tr_analysis_operator, tr_analysis_category, tr_analysis_module;

/* How close operators come to the peaks of their device: tr_roofline.h.  Keys of rows: */
enum tr_roofline_by {
    TR_ROOFLINE_SHAPE = 1 << 0,  /* shapes, types and values of arguments; */
    TR_ROOFLINE_PARAMS = 1 << 1, /* or the parameters that models compute from these; */
    TR_ROOFLINE_THREAD = 1 << 2, /* threads; */
    TR_ROOFLINE_RECOMPUTE = 1 << 3, /* whether they are a recomputation */
};
struct tr_models;
struct tr_peaks;
struct tr_roofline_options {
    const struct tr_operators_shared *shared; /* as in tr_operator_options; the keys are shapes and arguments */
    unsigned by;
    bool nested; /* operators inside other operators with a model have rows, too */
    bool backward; /* and so do backward passes that have a model */
    const struct tr_models *models; /* borrowed, like peaks */
    const struct tr_peaks *peaks;   /* NULL: no peaks */
    struct tr_name_test op;         /* operators that are shown */
    struct tr_graph_calls *graphs;  /* as in tr_operator_options */
};
extern const struct tr_analysis tr_analysis_roofline, tr_analysis_roofline_family;

/*
 * How close kernels come to these peaks, by hardware counters of metric files: each kernel; points and roofs of a
 * picture; sums by precision.
 */
struct tr_kernel_roofline_options {
    const struct tr_peaks *peaks; /* borrowed; NULL: no peaks */
    const char *spec; /* precision of points and roofs, "matrix_bf16"; NULL: that with the most operations */
};
extern const struct tr_analysis tr_analysis_roofline_kernel, tr_analysis_roofline_point, tr_analysis_roofline_roof;
extern const struct tr_analysis tr_analysis_roofline_precision;

/* Operators and the kernels that they launch: tr_sequences.h. */
struct tr_sequence_options {
    struct tr_name_test op; /* operators that count, also with other operators between them and the launch */
};
extern const struct tr_analysis tr_analysis_sequence;

/* The outermost host spans that count, and all work that they launch: tr_sequences.h. */
struct tr_pattern_options {
    struct tr_name_test op; /* spans that count, of any kind; match NULL: operators */
    uint64_t length;        /* shorter sequences are left out */
};
#define TR_PATTERN_DEFAULTS { .length = 3 }
extern const struct tr_analysis tr_analysis_pattern;

/* The options of tr_sequences.h for these options. */
struct tr_sequences_opts;
struct tr_sequences_opts tr_pattern_sequences(const struct tr_pattern_options *o, const struct tr_group_by_opts *work);

/* For options without op: a remark of one line that names the operators that were used.  False: out of memory. */
struct tr_sequences_row;
bool tr_pattern_chosen(const struct tr_sequences_row *rows, size_t n, char *text, size_t size);

/* Sums of counters: tr_counters.h.  Queues of streams, copies, and how long queues were full. */
struct tr_counter_options {
    uint64_t max_queue; /* number of pieces of work in a full queue */
};
#define TR_COUNTER_DEFAULTS { .max_queue = 1024 }
extern const struct tr_analysis tr_analysis_queue, tr_analysis_bandwidth, tr_analysis_full_queue;
/* Each change of a counter.  No options. */
extern const struct tr_analysis tr_analysis_queue_series, tr_analysis_bandwidth_series, tr_analysis_busy_series;
extern const struct tr_analysis tr_analysis_power_series, tr_analysis_waiting_series,
    tr_analysis_collective_series;
/* Power over time, with kernels and between them, and by kernel.  No options. */
extern const struct tr_analysis tr_analysis_power, tr_analysis_power_kernel;

/* Every span and the spans inside it: tr_call_tree.h. */
struct tr_tree_options {
    bool join_backward; /* the thread of the backward pass belongs to the steps of the main one */
};
extern const struct tr_analysis tr_analysis_tree;
/* Spans of one thread or stream that overlap: tr_nesting.h.  No options. */
extern const struct tr_analysis tr_analysis_nesting;

/* Critical paths: tr_critpath.h.  Graphs of ranks, or one whose ranks are joined by collectives (TR_PER_ALL). */
struct tr_critpath_options {
    const char *annotation;   /* as in struct tr_cp_opts, like the next four */
    uint64_t first, last;
    bool gaps, launch_edges;
    struct tr_name_test data; /* host spans that load data; match NULL: none */
    /* What-if: for each event, which of n_rules it satisfies; TR_CP_NO_RULE: none; NULL: there are no rules. */
    enum tr_status (*rules)(void *self, const struct tr_batch *b, const uint8_t **of_event, struct tr_error *err);
    void *rules_self;
    const double *scales;          /* by rule: the factor for the own time of its events */
    const char *const *rule_texts; /* for messages */
    size_t n_rules;
    const struct tr_projection *rules_want; /* columns that the rules read; NULL: none */
    bool whole; /* all events are selected, so the order between ranks does not matter: tr_critpath.h */
};
/* The time of the path by its bounds; its edges; all edges of the graph; counts of the graph. */
extern const struct tr_analysis tr_analysis_critpath, tr_analysis_critpath_path;
extern const struct tr_analysis tr_analysis_critpath_edges, tr_analysis_critpath_counts;

/* The graph, as a service with these options, and the graph from the state of the service. */
struct tr_critpath_key {
    const struct tr_critpath_options *options;
    enum tr_per per;
};
extern const struct tr_service tr_critpath_service;
struct tr_critpath;
struct tr_critpath *tr_critpath_of(const void *state);
void tr_critpath_needs(const struct tr_critpath_options *o, struct tr_needs *n);

#ifdef __cplusplus
}
#endif
#endif
