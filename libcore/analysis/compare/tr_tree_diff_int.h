/* SPDX-License-Identifier: MIT */
/* Declarations that the files of tr_tree_diff share: the trees of both runs, the match of two lists, the walk. */
#ifndef TR_TREE_DIFF_INT_H
#define TR_TREE_DIFF_INT_H

#include "analysis/compare/tr_tree_diff.h"
#include "base/tr_hash.h"
#include "base/tr_strtab.h"
#include "model/calls/tr_call_path.h"
#include "model/tr_eventmap.h"
#include "stream/tr_args.h"

#define TR__NO_NODE UINT32_MAX

enum tr__tree_kind {
    TR__TREE_OPERATOR,
    TR__TREE_CALL,
    TR__TREE_GRAPH, /* launch of a graph whose capture is known: captured calls are below it, and no work itself */
    TR__TREE_WORK
};

struct tr__tree_node {
    uint64_t hash; /* of the names of the tree below it, with its own; while a run is read: of work the record of its
                      launch, of the launch of a graph the tokens of its step */
    int64_t ts;
    int64_t dur; /* ns; work: its duration; others: the sum over the work below */
    uint64_t record;
    uint32_t name;                /* in texts */
    uint32_t parent, first, next; /* node; TR__NO_NODE: none.  first: its first child, next: its next sibling */
    uint32_t track;
    uint32_t args;  /* operator: number of its arguments + 1; 0: unknown */
    uint32_t works; /* device work below it; work: 1 */
    uint8_t kind;   /* enum tr__tree_kind */
    uint8_t activity; /* of work */
    bool launches;  /* a child is device work */
    bool unselected; /* a call that is no part of the tree unless selected work is below it */
};

/* Where a track belongs. */
struct tr__tree_track {
    int64_t rank;
    uint32_t capture;
};

static inline int tr__tree_compare_ranks(const struct tr__tree_track *a, const struct tr__tree_track *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->capture > b->capture) - (a->capture < b->capture);
}

struct tr__tree_root {
    struct tr__tree_track of;
    uint32_t thread; /* threads in the order of their first root */
    uint32_t node;
};

/* The trees of a run. */
struct tr__tree_side {
    struct tr__tree_node *nodes;
    size_t n, cap;
    struct tr__tree_track *tracks;
    size_t n_tracks;
    struct tr__tree_root *roots; /* by rank, thread, time */
    size_t n_roots, cap_roots;
};

/* The arguments of an operator, as numbers of texts; TR_NO_STR: absent. */
enum { TR__TREE_DIMS, TR__TREE_TYPES, TR__TREE_STRIDES, TR__TREE_ARGS, TR__TREE_N_ARGS };
struct tr__tree_args {
    uint32_t text[TR__TREE_N_ARGS];
};

struct tr_tree_diff {
    enum tr_tree_diff_view view;
    size_t max_bytes;
    bool full;    /* max_bytes is reached */
    bool suspect; /* impossible durations count */
    struct tr_strtab *texts;
    uint32_t *normal; /* by text: the text that it is compared as */
    uint32_t n_normal;
    size_t cap_normal;
    struct tr__tree_side sides[2];
    struct tr__tree_args *args;
    size_t n_args, cap_args;
    struct tr_hash_index args_index;

    struct tr_graph_calls *graphs[2]; /* captures of the graphs of a run; NULL: none */
    struct tr_graph_counts graph_counts[2];

    /* While a run is read. */
    int run;
    const struct tr_dict *dict;
    struct tr_call_path *path;
    struct tr_call_path *steps; /* annotations around launches of graphs; NULL: there are no captures */
    struct tr_eventmap launches; /* nodes of calls that have device work */
    uint32_t *of_string;         /* by string of the stream: its text + 1 */
    size_t n_strings, cap_strings;
    int64_t *launch_record, *launch_track;
    size_t cap_record, cap_track;
    struct tr_arg arg[TR__TREE_N_ARGS];

    /* While trees are compared: marks of names, by text. */
    uint64_t *marks[2], mark;
    size_t n_marks;
};

static inline bool tr__tree_is_operator(unsigned activity)
{
    return activity == TR_ACT_CPU_OP || activity == TR_ACT_COMM_RECORD;
}
/* Does a host span take part? */
static inline bool tr__tree_takes_part(unsigned activity)
{
    return tr__tree_is_operator(activity) || activity == TR_ACT_RUNTIME_API || activity == TR_ACT_DRIVER_API;
}
/* May it be replaced by its children? */
static inline bool tr__tree_opens(const struct tr__tree_node *n)
{
    return n->kind == TR__TREE_OPERATOR || n->kind == TR__TREE_GRAPH;
}

/* Add a text to those of names, with the one that it is compared as.  TR_NO_STR: out of memory. */
uint32_t tr__tree_add_name(struct tr_tree_diff *d, struct tr_str name);
/* *number: of these arguments + 1; 0: there are none.  False: out of memory. */
bool tr__tree_add_args(struct tr_tree_diff *d, const struct tr__tree_args *args, uint32_t *number);
/* Do both runs fit in max_bytes? */
bool tr__tree_fits(struct tr_tree_diff *d);

/* ---- tr_tree_diff_graft.c: after work was linked to its launch.  False: out of memory. ---- */

bool tr__tree_graft(struct tr_tree_diff *d);

/* TR_SYSTEM, with the reason. */
enum tr_status tr__tree_fail(const struct tr_tree_diff *d, struct tr_error *err);

/* The hash of a list, from that of its start and the next element. */
static inline uint64_t tr__tree_mix(uint64_t hash, uint64_t next)
{
    const uint64_t both[2] = { hash, next };
    return tr_hash(both, sizeof both);
}

static inline const struct tr__tree_node *tr__tree_node(const struct tr_tree_diff *d, int side, uint32_t node)
{
    return &d->sides[side].nodes[node];
}
static inline bool tr__tree_has_work(const struct tr__tree_node *n)
{
    return n->works != 0;
}
/* The text that a node is compared by. */
static inline uint32_t tr__tree_name(const struct tr_tree_diff *d, const struct tr__tree_node *n)
{
    return d->normal[n->name];
}

/* ---- tr_tree_diff_align.c: the match of two lists ---- */

/* An element of a list: a node, and what it is compared by. */
#define TR__TREE_LEVELS 4u
struct tr__tree_item {
    uint64_t key;  /* only elements with equal keys are matched */
    uint64_t hash; /* of the whole tree */
    uint32_t node, name;
    uint32_t level[TR__TREE_LEVELS]; /* hashes of the names of each level below; only if lists differ */
};
struct tr__tree_list {
    struct tr__tree_item *items;
    size_t n, cap;
};

/*
 * Match two lists, in order: match[i] is the place in b of element i of a, or SIZE_MAX.  False: out of memory.
 */
bool tr__tree_align(struct tr_tree_diff *d, const struct tr__tree_list *a, const struct tr__tree_list *b,
                    size_t *match);
/* An order of elements that does not depend on the run that they are of. */
int tr__tree_by_text(const struct tr_tree_diff *d, const struct tr__tree_item *a, const struct tr__tree_item *b);
bool tr__tree_push(struct tr_tree_diff *d, struct tr__tree_list *list, int side, uint32_t node);

/* ---- tr_tree_diff_merge.c: the merged tree ---- */

/* A node of each run that stand opposite each other; TR__NO_NODE: a run has none. */
struct tr__tree_pair {
    uint32_t node[2];
};
struct tr__tree_pairs {
    struct tr__tree_pair *pairs;
    size_t n, cap;
};

/* A node of the merged tree, on the way from its root to the current one. */
struct tr__tree_frame {
    struct tr__tree_pair is; /* both TR__NO_NODE: above the roots of a rank */
    struct tr__tree_pairs children;
    size_t next;
    uint64_t id;   /* in the order in which nodes are visited, children matched first, then those of the base */
    size_t point;  /* depth of the frame that is its point of difference; 0: there is none */
    bool differs;  /* it is matched, and a child is on one side only */
    uint64_t busy[2]; /* for the caller */
};

struct tr__tree_walk {
    struct tr_tree_diff *d;
    struct tr__tree_frame *frames;
    size_t depth, cap; /* depth: the current frame; frame 0 is above the roots */
    int64_t rank;
    uint64_t n_nodes;
    void *self;
    /* Called for frame 0 of each rank and for each node, parents first. */
    enum tr_status (*visit)(struct tr__tree_walk *w, struct tr_error *err);
};
enum tr_status tr__tree_walk(struct tr__tree_walk *w, struct tr_error *err);

/* Is this frame a matched pair of different names? */
bool tr__tree_renamed(const struct tr_tree_diff *d, const struct tr__tree_pair *p);

#endif
