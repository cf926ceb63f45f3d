/* SPDX-License-Identifier: MIT */
/*
 * Critical paths: the longest chain of host and device work in a window, which decides how long the window takes.
 *
 *     tr_critpath_new(&opts, in->dict, selected, &c, &err);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         st = tr_critpath_feed(c, b, keep, rules, &err);
 *     st = tr_critpath_finish(c, &err);
 *     for (size_t g = 0; g < tr_critpath_groups(c); g++)
 *         tr_critpath_path(c, g, &steps, &n, &err);
 *
 * A window gives a graph.  Operators, calls of runtimes and drivers, and the device work that they
 * launched have two nodes each, start and end.  An edge says that the second node could not come before the first; its
 * weight is the time between them:
 *
 *   operator    the own time of a span or kernel: between its start, the starts and ends of its
 *               direct children, and its end.  A call that waits for a device has weight 0
 *   dependency  one span of a thread comes after another one; weighs 0
 *   gap         the same, with the time between; or time before work that nothing explains (opts.gaps)
 *   launch      from the start of a call to the start of its work on a device
 *   queue       from the end of work on a stream to the start of the next work there
 *               with opts.rules and opts.gaps also from work that decided nothing, and may do so with other times
 *   after       a guess: from the end of work to the start of other work of the device that waited longer than
 *               for all that it is known to wait for (opts.gaps)
 *   inferred    from the end of work to the start of work that, as far as is known, can have waited for nothing else
 *               (opts.gaps): the trace has calls that make streams wait, and does not say for what
 *   sync        from the end of work to the end of a call, or the start of work, that waited for it
 *   peer        from the end of the other work of a device that ends last while a send or receive spins, whose other
 *               side is not in the graph, to the end of that send or receive; charged to it
 *   collective  from the start of each member to the moment when all ranks are in the collective, with weight 0; and
 *               from there to the end of each member, which is the time of the transfer (opts.join)
 *
 * tr-critpath(1) defines the edges, and the events that their time is charged to.  The definition is that
 * of lightweight critical path analysis in HTA, with the differences that the page lists.
 *
 * A path is the heaviest chain of edges of a rank, or of all ranks together.  Of equally heavy chains, the one with the
 * latest nodes is the path.  Times are ns, weights are never negative.
 *
 * Paths of ranks do not depend on the order between ranks (tr_projection.any_rank_order), with two exceptions: the
 * window is that of an annotation, or a selection leaves out device work.  Then the other work in a queue depends on
 * how far the stream was read.  Edges are listed in the order of events.
 *
 * Memory: 135 bytes per span of the window, 90 more per event of device work, 40 per end of an arrow of unitrace.  With
 * opts.part, what is solved is freed while the trace is read; then 40 bytes per call that records an event are left,
 * with opts.gaps also 32 per call that makes a stream wait, and what later events may wait for.
 * Not shared between threads.
 */
#ifndef TR_CRITPATH_H
#define TR_CRITPATH_H

#include "base/tr_go_on.h"
#include "base/tr_status.h"
#include "model/collectives/tr_collective.h"
#include "model/selection/tr_select.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_cp_edge {
    TR_CP_OPERATOR,
    TR_CP_OPERATOR_FREE, /* of a call that waits: weighs 0 */
    TR_CP_DEPENDENCY,
    TR_CP_GAP,
    TR_CP_LAUNCH,
    TR_CP_LAUNCH_FREE, /* work that did not wait for its launch: weighs 0 (opts.launch_edges) */
    TR_CP_QUEUE,
    TR_CP_AFTER, /* a guess, with opts.gaps: after other work of the device */
    TR_CP_INFERRED, /* a wait that the trace does not show, and for which one explanation is left (opts.gaps) */
    TR_CP_SYNC,
    TR_CP_PEER,     /* of a send or receive whose other side is unknown: after the other work of its device */
    TR_CP_ARRIVAL,  /* of a member of a collective */
    TR_CP_TRANSFER, /* after all ranks are in the collective */
    TR_CP_ORDER,    /* decided nothing in the trace, and may with other times; only with rules or opts.order */
    TR_CP_N_EDGES
};
const char *tr_cp_edge_name(unsigned edge); /* "operator" and so on, as above */

/* What bounds a part of a path. */
enum tr_cp_bound {
    TR_CP_BY_OPERATOR,
    TR_CP_BY_CPU, /* calls of runtimes and drivers */
    TR_CP_BY_DATA,
    TR_CP_BY_COMPUTE,
    TR_CP_BY_COMM,
    TR_CP_BY_MEMORY,
    TR_CP_BY_OTHER, /* device work of any other kind */
    TR_CP_BY_LAUNCH,
    TR_CP_BY_QUEUE,
    TR_CP_BY_GAP,
    TR_CP_BY_SYNC, /* edges that weigh 0 */
    TR_CP_N_BOUNDS
};
const char *tr_cp_bound_name(unsigned bound);

#define TR_CP_MAX_RULES 255u
#define TR_CP_NO_RULE   0xffu

/* What happens to the times of the events of a what-if rule. */
enum tr_cp_action {
    TR_CP_SCALE,     /* their own time is multiplied */
    TR_CP_BEST,      /* each takes the shortest time that it has on any rank, in any step */
    TR_CP_MEDIAN,    /* the same, the median */
    TR_CP_AS_OTHERS, /* each takes the median of the same step on the ranks without such a rule */
    TR_CP_OVERLAP,   /* only work of such rules waits for them */
    TR_CP_ONE_GRAPH  /* of the host: after the first launch of a step, they take no time, nor do launches */
};
struct tr_cp_rule {
    enum tr_cp_action action;
    double scale; /* TR_CP_SCALE */
};

struct tr_steps;

struct tr_cp_opts {
    const char
        *annotation; /* windows are host annotations whose names contain it; NULL: one window */
    uint64_t first, last; /* instances of it in each source, from 0, in order of time */
    bool join;            /* collectives join ranks: one path for all */
    bool launch_edges;    /* all device work has an edge from its launch */
    bool order;           /* edges of kind order, too, for tr_critpath_work */
    bool contract;        /* with join: for tr_cp_contract (tr_critpath_contract.h) */
    bool gaps;            /* time between the outermost spans of a thread has weight */
    bool suspect;         /* take spans with impossible times, too */
    size_t max_memory;    /* bytes for the graph; 0: no limit.  A graph that needs more is refused */
    bool (*data)(void *self, struct tr_str name); /* host spans that load data: they have nodes in any case */
    void *data_self;
    const struct tr_cp_rule *rules; /* what-if: by number */
    size_t n_rules;
    const struct tr_steps *steps; /* for rules; NULL: there are none */
    struct tr_go_on go_on;
    /* Without rules, join and annotation: bytes of spans from which on parts are solved and freed; 0: never. */
    size_t part;
    bool counts; /* tr_critpath_counts will be called */
    struct tr_coll_finder *finder; /* for parts: it knows sends and receives so far; NULL: there are none */
};

/* Columns that are read: all fixed ones, and these. */
#define TR_CP_DERIVED \
    (1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK)
#define TR_CP_N_KEYS 6u
extern const char *const tr_cp_keys[TR_CP_N_KEYS];

struct tr_critpath;

/*
 * opts    copied; strings and contexts are borrowed
 * dict    of the stream; may grow while it is read
 * select  the selection of the events; NULL: all.  Its window clips
 *
 * TR_OK, TR_SYSTEM; *out is NULL after a failure.
 */
enum tr_status tr_critpath_new(const struct tr_cp_opts *opts, const struct tr_dict *dict,
                               struct tr_select *select, struct tr_critpath **out,
                               struct tr_error *err);
void tr_critpath_free(struct tr_critpath *c);

/* Before the first batch: solve no parts.  tr_critpath_path, tr_critpath_slacks and tr_critpath_edge need all nodes. */
void tr_critpath_keep_whole(struct tr_critpath *c);
/* Before the first batch: count also what is solved in parts, as opts.counts. */
void tr_critpath_count(struct tr_critpath *c);

/*
 * The next batch of a sorted stream.  keep: one byte per event, NULL: all.  rules: for each event
 * the number of its what-if rule or TR_CP_NO_RULE; NULL: none.
 */
enum tr_status tr_critpath_feed(struct tr_critpath *c, const struct tr_batch *b,
                                const uint8_t *keep, const uint8_t *rules, struct tr_error *err);

/*
 * After the last batch: make the graph and find the heaviest distances, without what-if rules.
 * colls: needed for opts.join, and to know sends and receives; NULL: none.
 */
enum tr_status tr_critpath_finish(struct tr_critpath *c, const struct tr_colls *colls,
                                  struct tr_error *err);

/* Does this rule change any edge? */
bool tr_critpath_pays(const struct tr_critpath *c, uint8_t rule);

/* Compute the path again: with the what-if rules, or without them. */
void tr_critpath_retime(struct tr_critpath *c, bool rules);

/* ---- results ---- */

const struct tr_dict *tr_critpath_dict(const struct tr_critpath *c); /* of the stream that it has read */

/*
 * The time of steps in a group: from the end of one to the end of the next, on each source.  The end of a step is that
 * of its last event with nodes.  *n is the number of such times, *sum their sum in ns; with rules only.  False: out of
 * memory.
 */
bool tr_critpath_step_times(const struct tr_critpath *c, size_t group, uint64_t *n, int64_t *sum);

/* The number of occurrences of the annotation in the source that has most. */
uint64_t tr_critpath_instances(const struct tr_critpath *c);
/* Names of annotations of the stream, at most max of them; string numbers to out. */
size_t tr_critpath_annotations(const struct tr_critpath *c, uint32_t *out, size_t max);

/* Paths: one for each rank that has nodes, by rank, unknown ranks last; or one for all. */
size_t tr_critpath_groups(const struct tr_critpath *c);
int64_t tr_critpath_rank(const struct tr_critpath *c, size_t group);  /* -1: unknown, or all */
int64_t tr_critpath_total(const struct tr_critpath *c, size_t group); /* ns */
/*
 * The first and the last moment of each group in the window, annotations included; windows has room for all groups.
 * Without opts.gaps the path can be far shorter than that, because the time between spans is not on it.
 */
void tr_critpath_windows(const struct tr_critpath *c, struct tr_range *windows);

/* An event with nodes. */
struct tr_cp_event {
    int64_t ts, end; /* ns, as in the graph */
    uint64_t record;
    uint32_t track, name;
    uint8_t activity;
};

/* A node: start or end of an event; or the moment when all ranks are in a collective. */
enum tr_cp_side { TR_CP_START, TR_CP_END, TR_CP_ALL_CAME };

struct tr_cp_link {
    struct tr_cp_event from, to;
    uint8_t from_side, to_side; /* enum tr_cp_side; TR_CP_ALL_CAME: of the event that started last */
    uint8_t edge, bound;
    int64_t from_ts, to_ts; /* ns */
    int64_t weight;         /* ns */
    int64_t slack; /* ns: how much longer the edge can become without a longer path; on a
                      path: how much shorter it can become before another edge to the same node
                      decides, TR_TIME_NONE: there is no other */
    bool charged;  /* its time is charged to an event: */
    struct tr_cp_event payer;
    bool on_path;
};

/* The path of a group, in its order; the caller frees *links. */
enum tr_status tr_critpath_path(const struct tr_critpath *c, size_t group,
                                struct tr_cp_link **links, size_t *n, struct tr_error *err);
/*
 * Weight of the path by what bounds it, for its parts on one rank, or on all ranks; then the sums
 * add up to its total.
 */
#define TR_CP_ANY_RANK INT64_MIN
void tr_critpath_bounds(const struct tr_critpath *c, size_t group, int64_t rank,
                        int64_t sums[TR_CP_N_BOUNDS]);

/*
 * How many edges of a group's path lead back in time; their weight is 0, so the path is longer than its window.
 * overlap: of one stream or thread, whose work overlaps.  clocks: between a host and a device, or between ranks.
 */
struct tr_cp_back {
    uint64_t overlap, clocks;
};
struct tr_cp_back tr_critpath_back(const struct tr_critpath *c, size_t group);

/* The part of a group's path in edges of kind queue that are longer than a device needs to start work, ns. */
int64_t tr_critpath_long_queues(const struct tr_critpath *c, size_t group);

/* The part of a group's path that rests on inferred waits, ns: these, and the work waited for.  *n: their number. */
int64_t tr_critpath_inferred(const struct tr_critpath *c, size_t group, uint64_t *n);

/* The part of a group's path in sends and receives whose other side is not in the graph, ns. */
int64_t tr_critpath_spinning(const struct tr_critpath *c, size_t group);

/*
 * All edges, by their first nodes: call it until it returns false.  *at is 0 at first.  Call tr_critpath_slacks before.
 */
enum tr_status tr_critpath_slacks(struct tr_critpath *c, struct tr_error *err);
bool tr_critpath_edge(const struct tr_critpath *c, size_t *at, struct tr_cp_link *link);

/* Counts of the graph of a group. */
struct tr_cp_counts {
    uint64_t nodes;
    uint64_t edges[TR_CP_N_EDGES];
    int64_t weight[TR_CP_N_EDGES]; /* ns, TR_TIME_NONE: does not fit */
    uint64_t waits;        /* waits shown on the device, which are not nodes; of these */
    uint64_t stream_syncs; /* those of calls that are shown on a stream */
    uint64_t lost_waits;   /* waits that device work names, for no work of the window that started before it */
    uint64_t negative;     /* edges that lead back in time: weight 0 */
    uint64_t early_ends;   /* of these, ends of collectives before all ranks are in them */
    uint64_t cut;          /* edges left out because they closed a cycle */
    uint64_t unexplained;  /* device work without an edge that leads to it */
};
enum tr_status tr_critpath_counts(const struct tr_critpath *c, size_t group,
                                  struct tr_cp_counts *out, struct tr_error *err);

/*
 * The work of a group as a graph without a time line, as simulators read it: each kernel, copy and memset, and each
 * part of the own time of a host span.  It needs the work that has to end before, by all edges except those that are
 * cut.  Waits and gaps are no work.
 */
struct tr_cp_work {
    uint64_t id;         /* from 1, in an order in which what is needed comes first */
    struct tr_cp_event event;
    uint32_t part, parts; /* of the event: number from 0, and how many there are */
    int64_t start, dur;  /* ns */
    bool host;
    uint8_t kind;        /* enum tr_kind, of device work */
    const uint32_t *needs; /* ids, ascending */
    size_t n_needs;
};
typedef enum tr_status tr_cp_take_work(void *self, const struct tr_cp_work *work, struct tr_error *err);

/*
 * After tr_critpath_finish, without opts.join.  With opts.order and opts.launch_edges, it has all orders that hold with
 * other times, too.
 */
enum tr_status tr_critpath_work(struct tr_critpath *c, size_t group, tr_cp_take_work *take, void *self,
                                struct tr_error *err);

/*
 * How often a call of the window made a stream wait for another one (cudaStreamWaitEvent).  *shown: the trace shows
 * such a wait on the device, or work names work of another call that it waited for.  Without those records it is not
 * known which work waited for which.
 */
uint64_t tr_critpath_stream_waits(const struct tr_critpath *c, bool *shown);

#ifdef __cplusplus
}
#endif
#endif
