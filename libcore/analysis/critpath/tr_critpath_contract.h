/* SPDX-License-Identifier: MIT */
/*
 * Critical paths across ranks, without the graphs of all ranks in one place.
 *
 *     tr_cp_contract(c, &members, &k, &err);      where a rank is: its graph shrinks to what others can change
 *     tr_cp_join(&all, colls, dict, &path, &err);  elsewhere: graphs of all ranks are joined, and have one path
 *
 * The result is the path of tr_critpath.h with opts.join: the same nodes, sums and ranks.  How that can be:
 *
 * Only two things come into the graph of a rank from outside.  The end of a member of a collective follows the moment
 * when all ranks have come; and what nothing leads to follows the first event of all ranks.  So a node has one of these
 * origins, or several:
 *
 *   joint end   the end of a communication kernel that may be a member of a collective.  Nothing inside the rank leads
 *               to it.  Whether it is a member, only all ranks together know; if not, its start leads to it, and
 *               perhaps the end of the other work of its device (edge peer)
 *   first       the start of the first event of all ranks: point 0 of each graph stands for it.  As it is not known
 *               which moment that is, an edge from there has the time at which it begins inside the rank
 *   root        a start to which nothing leads at the first moment of the rank, which may be the first of all
 *
 * Most nodes have one edge that leads to them.  Then the path to the node is that to the node before it and this edge,
 * whatever the other ranks do.  So are several edges that come from one origin: the heaviest counts, of equal ones that
 * from the latest node, as always.  A node is kept, and called a point, if edges lead to it from several origins; then
 * it is an origin itself.  Starts of joints are kept, too, and the nodes from which peer edges come.  The other nodes
 * are not, but their edges are added up, by bound, to one edge from point to point.
 *
 * Edges to a point are listed from the latest node before the point to the earliest.  Of equal ones, the first counts.
 * With this order, ties are decided as in the whole graph, though the nodes are gone.
 *
 * A path can end at any node.  For each origin, that is the node with the heaviest path from it; of equal ones the
 * earliest.  It is kept as a point, unless a path from the origin to another end is heavier in any case.
 *
 * What is lost: if edges close a cycle, the whole graph is cut at the first of all events that are in it or behind it,
 * which a rank does not know.  Then the cuts may differ; they are counted.
 *
 * Memory: as for the graph of a rank.  Joined: about 120 bytes per point.
 */
#ifndef TR_CRITPATH_CONTRACT_H
#define TR_CRITPATH_CONTRACT_H

#include "analysis/critpath/tr_critpath.h"
#include "base/tr_mem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What paths are made of: sums and counts of their edges. */
struct cp_sums {
    int64_t bounds[TR_CP_N_BOUNDS];
    int64_t long_queues, spinning;
    int64_t inferred; /* inferred waits, and the work that was waited for */
    uint64_t n_inferred;
    struct tr_cp_back back;
};

/* Bits of a point. */
enum {
    CP_POINT_END = 1,   /* of its event; else the start */
    CP_POINT_ROOT = 2,  /* nothing leads to it but the first event of all, if that is earlier */
    CP_POINT_FIRST = 4, /* the start of the first event of the graph */
    CP_POINT_LAST = 8,  /* a path may end here */
};

struct cp_point {
    int64_t ts;      /* ns */
    int64_t dur;     /* of its event */
    uint64_t record; /* of its event */
    uint8_t bits;
};

/* An edge to a point. */
struct cp_contracted {
    uint32_t from, to; /* numbers of points of the graph from 1; from 0: the first event of all ranks */
    int64_t start;     /* from 0: a moment; from the first event of all to there is a gap, and the rest weighs */
    int64_t weight;    /* the sum of its bounds */
    size_t sums;       /* where its sums are */
};

/* A communication kernel that may be in a collective. */
struct cp_joint {
    uint32_t start, end; /* points */
    uint32_t other;      /* the end of the other work of its device, if it is one that spins for a peer; 0: none */
};

/* The graph of a source.  Its points, edges and joints follow those of the graph before it. */
struct cp_contraction {
    uint32_t source;
    size_t n_points, n_edges, n_joints;
    struct tr_range window; /* of all its events */
    uint64_t cut;           /* edges that close a cycle */
};

/* The last edge of those that are one. */
struct cp_last {
    uint32_t before; /* the node that it comes from; CP_NONE: there is none */
    uint8_t type;
};

/* Graphs, of one source each. */
struct cp_contractions {
    struct cp_contraction *graphs;
    size_t n_graphs, cap_graphs;
    struct cp_point *points;
    size_t n_points, cap_points;
    struct cp_contracted *edges; /* by the point that they lead to; those to one point from the latest node before */
    size_t n_edges, cap_edges;
    struct cp_joint *joints;
    size_t n_joints, cap_joints;
    struct tr_buf sums; /* packed: most are 0 */
    /* Where the graph is: the nodes of points, the last edges of edges, the origins of nodes as points; else NULL. */
    uint32_t *nodes;
    struct cp_last *lasts;
    size_t cap_nodes, cap_lasts;
    uint32_t *origins; /* numbers in points; CP_FIRST: the first event of all ranks */
};
#define CP_FIRST (UINT32_MAX - 1)
void tr_cp_contractions_free(struct cp_contractions *k);

/* Add an edge to a graph, after those of all graphs before it.  False: out of memory. */
bool tr_cp_add_edge(struct cp_contractions *k, struct cp_contraction *graph, uint32_t from, uint32_t to, int64_t start,
                    const struct cp_sums *sums);
struct cp_sums tr_cp_edge_sums(const struct cp_contractions *k, const struct cp_contracted *edge);

/* After the last batch of a graph with opts.contract, in place of tr_critpath_finish.  members: of collectives. */
enum tr_status tr_cp_contract(struct tr_critpath *c, const struct tr_coll_gathered *members,
                              struct cp_contractions *out, struct tr_error *err);

/* How the path comes to a node. */
enum cp_way {
    CP_BY_NOTHING,
    CP_BY_EDGE,     /* of a graph */
    CP_BY_GAP,      /* from the first event of all to a root */
    CP_BY_OWN,      /* from the start of a joint to its end, its time */
    CP_BY_FREE,     /* the same, which weighs nothing, because it waits for a peer */
    CP_BY_PEER,     /* from the other work of its device to the end of a joint */
    CP_BY_TRANSFER, /* from the moment when all ranks have come to the end of a joint */
    CP_BY_ARRIVAL   /* from the start of a joint to that moment */
};

/* A part of the path of all ranks, in its order. */
struct cp_step {
    enum cp_way way;
    uint32_t source;   /* whose time it is */
    uint32_t graph;    /* of that source */
    size_t edge;       /* by edge */
    uint32_t joint;    /* by a joint; on arrival, the one that came last; else CP_NONE */
    uint32_t point;    /* by gap: to this point */
    size_t member;     /* of a collective: of that joint; SIZE_MAX: it is in none */
    int64_t from, to;  /* moments, ns */
    int64_t slack;     /* as that of a path, but by edge; TR_TIME_NONE: nothing else leads there */
    struct cp_sums sums;
};

struct cp_joined {
    struct cp_step *steps;
    size_t n;
    int64_t total;             /* ns */
    struct tr_range window;    /* of all events */
    uint64_t transfers, early; /* ends of collectives; those that come before the last rank does */
    uint64_t cut;              /* edges that close a cycle */
    int64_t *reach;            /* by point: the weight of the heaviest path to it */
    int64_t first_ts, first_reach; /* of the first event of all */
};
/* Its contents. */
void tr_cp_joined_free(struct cp_joined *j);

/* The path of all ranks.  The collectives are those of the same sources, on the same clock.  TR_OK, TR_SYSTEM. */
enum tr_status tr_cp_join(const struct cp_contractions *k, const struct tr_colls *colls, const struct tr_dict *dict,
                          struct cp_joined *out, struct tr_error *err);

/*
 * Expand the path again in a rank whose graph is here.  First each of its graphs gets the weights of the heaviest paths
 * to its points; moved: from times here to those of first_ts.  Then edges can be expanded, all at once.
 */
void tr_cp_take_reach(struct tr_critpath *c, const struct cp_contractions *k, size_t graph, const int64_t *reach,
                      const struct cp_joined *joined, int64_t moved);
struct cp_expanded {
    struct tr_cp_link *links;
    uint32_t *to; /* the nodes that they lead to */
    size_t n, cap, cap_to;
};
enum tr_status tr_cp_expand(struct tr_critpath *c, const struct cp_contractions *k, size_t edge,
                            struct cp_expanded *out, struct tr_error *err);
/* After the last one: set the slacks of all links. */
enum tr_status tr_cp_expand_end(const struct tr_critpath *c, struct cp_expanded *out, struct tr_error *err);
void tr_cp_expanded_free(struct cp_expanded *e);
/* The event of a point. */
struct tr_cp_event tr_cp_point_event(const struct tr_critpath *c, const struct cp_contractions *k, size_t point);

#ifdef __cplusplus
}
#endif
#endif
