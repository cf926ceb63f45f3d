/* SPDX-License-Identifier: MIT */
/* What tr_graph_calls.c, which reads captures, and tr_graph_match.c, which looks for them, share. */
#ifndef TR_GRAPH_CALLS_INT_H
#define TR_GRAPH_CALLS_INT_H

#include "analysis/graphs/tr_graph_calls.h"
#include "stream/tr_args.h"

/* A span of a thread that is open, by its depth. */
struct tr__graph_open {
    uint32_t dims, types, strides, args; /* strings of the trace */
    bool inside;
};

struct tr__graph_thread {
    bool on;          /* it is capturing */
    uint32_t capture; /* the latest one */
    int64_t end;      /* of the last launch: calls inside it are part of it */
    struct tr__graph_open *open;
    size_t cap_open;
};

/* A name and its place: of the kernels of a launch, or of the nodes of a capture. */
struct tr__graph_name {
    uint32_t name, place;
};

/* A result of the search, for the next launch of the same graph. */
#define TR__GRAPH_KEPT 64u
struct tr__graph_found {
    uint64_t hash;
    uint32_t *kernels, *nodes; /* n of each; NULL: empty */
    size_t n, n_found;
    int64_t rank, tokens;
    uint32_t capture;
    bool several;
};

struct tr__graphs {
    struct tr_graph_calls calls; /* first, for the caller */
    struct tr_budget *budget;
    uint64_t taken; /* of the budget */
    size_t cap_spans, cap_nodes, cap_captures;
    struct tr__graph_name *order; /* nodes of each capture by name, then by place */
    /* of the trace that is being read */
    const struct tr_dict *dict;
    struct tr_call_path *path;
    struct tr_arg kernel, dims, types, strides, args;
    struct tr__graph_thread *threads; /* by track */
    size_t n_threads, cap_threads;
    /* for the search */
    struct tr__graph_found kept[TR__GRAPH_KEPT];
    struct tr__graph_name *names;
    size_t cap_names;
};

#endif
