/* SPDX-License-Identifier: MIT */
/*
 * The calls that were captured in graphs, from traces of captures.
 *
 * While a stream is captured, a launch adds a node to the graph instead of running.  So the launches between the calls
 * that start and end a capture, on their thread, are the nodes of a graph in their order.  The spans around a launch
 * say which operator made the node.
 *
 *     tr_graph_calls_start(g, in->dict);
 *     ...tr_graph_calls_batch(g, b, &err) with each batch of a trace of captures, in canonical order...
 *     tr_graph_calls_end(g);
 *     ...other traces...
 *     tr_graph_calls_match(g, &launch, &match);       the nodes of the kernels of a launched graph
 *
 * Memory: 48 bytes for each span around a node, 24 for each node, and the texts, each once.
 */
#ifndef TR_GRAPH_CALLS_H
#define TR_GRAPH_CALLS_H

#include "base/tr_budget.h"
#include "base/tr_mem.h"
#include "base/tr_regex.h"
#include "base/tr_strtab.h"
#include "model/calls/tr_call_path.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_GRAPH_NONE UINT32_MAX
/* Instead of the name of a kernel: a copy, a memset. */
#define TR_GRAPH_COPY (UINT32_MAX - 1)
#define TR_GRAPH_MEMSET (UINT32_MAX - 2)

/* A call around nodes; texts are numbers in strings, TR_NO_STR: none. */
struct tr_graph_span {
    uint32_t outer; /* span around it, of a lower number; TR_GRAPH_NONE: none */
    uint32_t name, dims, types, strides, args;
    uint8_t activity;
    bool inside; /* it started after the capture: it is part of what is replayed */
};

struct tr_graph_node {
    uint32_t capture;
    uint32_t span;   /* innermost call around the launch; TR_GRAPH_NONE: none */
    uint32_t kernel; /* name of the kernel, TR_GRAPH_COPY or TR_GRAPH_MEMSET; TR_NO_STR: the launch does not say it */
    uint32_t call;   /* name of the launch */
};

struct tr_graph_capture {
    uint32_t first, n;            /* nodes */
    uint32_t first_span, end_span; /* all spans inside it are among these */
    int64_t rank;                 /* -1: unknown */
    int64_t size;                 /* tokens of the batch that it was captured for; -1: unknown */
    uint64_t content;             /* a hash of the operators and shapes of its nodes */
};

struct tr_graph_calls {
    struct tr_strtab *strings;
    struct tr_graph_span *spans;
    struct tr_graph_node *nodes; /* after tr_graph_calls_end in the order of captures */
    struct tr_graph_capture *captures;
    size_t n_spans, n_nodes, n_captures;
    bool named; /* launches say which kernels they launch */
    struct tr_name_test also; /* operators that have spans although no node is inside; set before the first trace */
};

/* budget: for its memory; NULL: no limit.  NULL: out of memory. */
struct tr_graph_calls *tr_graph_calls_new(struct tr_budget *budget);
void tr_graph_calls_free(struct tr_graph_calls *g);

/* The next trace of captures.  False: out of memory. */
bool tr_graph_calls_start(struct tr_graph_calls *g, const struct tr_dict *dict);
/* TR_OK or TR_SYSTEM: out of memory, or the budget is used up. */
enum tr_status tr_graph_calls_batch(struct tr_graph_calls *g, const struct tr_batch *b, struct tr_error *err);
bool tr_graph_calls_end(struct tr_graph_calls *g);

/* A graph that was launched. */
struct tr_graph_launch {
    /* Names in the order of their start, numbers in strings; TR_NO_STR: not among them.  Or TR_GRAPH_COPY and _FILL. */
    const uint32_t *kernels;
    size_t n;
    int64_t rank;
    int64_t tokens; /* of its step; -1: unknown */
};

struct tr_graph_match {
    const uint32_t *nodes; /* by kernel; TR_GRAPH_NONE: it has none.  Valid until the next call */
    size_t n_found;
    uint32_t capture;      /* TR_GRAPH_NONE: no capture fits */
    bool several;          /* captures of other operators or shapes fit just as well */
};

/*
 * Find the capture that fits, and the node of each kernel.
 *
 * A capture fits if its nodes are these kernels in this order.  A node whose kernel is unknown, a copy or a memset fits
 * any kernel: copies may be done by kernels.  Of
 * several, one of the same rank is taken, then the smallest whose size is at least tokens, then the first.  If none
 * fits, the capture is taken that shares most kernels, and at least half of them: the n-th kernel of a name is the n-th
 * node of that name, because streams of a graph may run in another order.  False: out of memory.
 */
bool tr_graph_calls_match(struct tr_graph_calls *g, const struct tr_graph_launch *launch, struct tr_graph_match *match);

/* Tokens of the step around a launch; -1: no annotation around it says them. */
int64_t tr_graph_tokens_around(const struct tr_dict *dict, const struct tr_callpath *path);

/* Launches of graphs, when captures are known. */
struct tr_graph_counts {
    uint64_t launches, unknown;    /* all; those that no capture fits */
    uint64_t several;              /* that several captures fit, of other operators or shapes */
    uint64_t kernels, no_operator; /* pieces of their work; those without a node of the capture */
};

/* Count a launch and what was found for it. */
void tr_graph_count(struct tr_graph_counts *c, const struct tr_graph_launch *launch,
                    const struct tr_graph_match *match);
/* Say what the captures do not have.  place: as in tr_analysis_remark */
struct tr_analysis_in;
void tr_graph_counts_remark(const struct tr_graph_counts *c, const struct tr_analysis_in *in, const char *place);

#ifdef __cplusplus
}
#endif
#endif
