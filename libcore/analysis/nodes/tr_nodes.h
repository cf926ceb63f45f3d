/* SPDX-License-Identifier: MIT */
/*
 * The nodes of execution traces: tables of a stream (tr-parse(1), pytorch-et) as a graph.
 *
 *     struct tr_nodes *n = tr_nodes_new();
 *     st = tr_nodes_add(n, in->dict, in->tables, &err);     of each input, after its end
 *     st = tr_nodes_index(n, &err);                          after the last one
 *     for (size_t i = 0; i < n->n; i++)
 *         for (size_t e = n->first[i]; e < n->first[i + 1]; e++)
 *             ...n->edges[e].on...
 *
 * Memory: 88 bytes for each node, 32 for each dependency, and the names, each once.
 */
#ifndef TR_NODES_H
#define TR_NODES_H

#include "base/tr_status.h"
#include "base/tr_strtab.h"
#include "model/tr_eventmap.h"
#include "stream/tr_side_table.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_NODE_NONE UINT32_MAX

struct tr_node {
    uint64_t id, rf_id;     /* rf_id 0: none */
    int64_t rank, dur, self; /* TR_I64_NONE: unknown; ns; self: without nodes inside it */
    uint64_t parent_id;
    uint32_t parent, depth; /* TR_NODE_NONE; the number of nodes around it */
    uint32_t trace;         /* number of the execution trace */
    uint32_t name, kind;    /* texts; TR_NO_STR: none */
    bool host, has_parent;
};

/* What a node depends on. */
enum tr_node_need {
    TR_NEED_DATA,   /* it made an input */
    TR_NEED_ORDER,  /* it has to end before, of another thread or of a device */
    TR_NEED_PARENT, /* it is around it */
    TR_N_NEEDS
};
const char *tr_node_need_name(unsigned need); /* "data" and so on */

struct tr_node_edge {
    uint64_t from, to; /* ids of what needs, and of what is needed */
    uint32_t trace;
    uint32_t on;       /* after tr_nodes_index: the node; TR_NODE_NONE: the trace does not have it */
    uint8_t need;
};

struct tr_nodes {
    struct tr_node *nodes; /* by trace and id */
    size_t n, cap;
    struct tr_node_edge *edges; /* by node, then by what it needs; each once */
    size_t n_edges, cap_edges;
    size_t *first;         /* by node: its first edge; n + 1 entries */
    uint32_t n_traces;
    uint64_t doubled;      /* nodes that were left out: another one has their id */
    struct tr_strtab *texts;
    struct tr_eventmap by_id; /* (trace, id) */
    size_t max_memory;
};

/* max_memory: bytes for the graph and the search for its longest chain.  NULL: out of memory. */
struct tr_nodes *tr_nodes_new(size_t max_memory);
void tr_nodes_free(struct tr_nodes *n);

/* Add the execution traces of an input, if it has any.  TR_OK; TR_SYSTEM: out of memory, or of what is allowed. */
enum tr_status tr_nodes_add(struct tr_nodes *n, const struct tr_dict *dict, const struct tr_side_tables *tables,
                            struct tr_error *err);
enum tr_status tr_nodes_index(struct tr_nodes *n, struct tr_error *err);

struct tr_str tr_nodes_text(const struct tr_nodes *n, uint32_t text); /* TR_NO_STR: no text */

/*
 * The chain of nodes of a trace that need each other's data, or each other's end, with the largest sum of weights, ns,
 * by node.  Of chains of equal sums, the one whose last node has the lowest id, and so on.
 *
 * *chain: nodes from first to last, *len of them; the caller frees it.  *circles: nodes that are in no chain, because
 * they need themselves by way of others.  False: out of memory.
 */
bool tr_nodes_chain(const struct tr_nodes *n, uint32_t trace, const int64_t *weights, uint32_t **chain, size_t *len,
                    uint64_t *circles);

#ifdef __cplusplus
}
#endif
#endif
