/* SPDX-License-Identifier: MIT */
/*
 * The graph of tr_critpath, inside libcore.
 *
 * Node 2 e is the start of event e, 2 e + 1 its end.  The nodes after these are the moments when all ranks are in a
 * collective.  Events are in canonical order.
 */
#ifndef TR_CRITPATH_INT_H
#define TR_CRITPATH_INT_H

#include "analysis/critpath/tr_critpath_contract.h"
#include "base/tr_mem.h"
#include "stream/tr_args.h"
#include "vendor/tr_roles.h"

#define CP_NONE       UINT32_MAX
/* A device does not need longer to start work that nothing holds. */
#define CP_FAR_NS     INT64_C(100000)
/* opts.gaps: work that starts so soon after what it is known to wait for has waited for nothing else. */
#define CP_NEAR_NS    INT64_C(10000)
#define CP_CUT        INT64_MIN
#define CP_MAX_EVENTS (UINT32_C(1) << 30)

/* Bits of an event. */
enum {
    CP_HOST = 1,
    CP_DATA = 2,    /* loads data */
    CP_LOCK = 4,    /* a call that holds the runtime's lock */
    CP_WAITS = 8,   /* a call that waits for a device, or a send or receive that waits for another rank */
    CP_JOINED = 16, /* a member of a collective */
    CP_DEAD = 32,   /* no nodes: its launch is not in the window */
    CP_RANGE = 64,  /* no nodes: an annotation; own time of operators directly inside it is charged to it */
    CP_SYNCS = 128, /* a call whose purpose, by its name, is to wait for a device */
};

/* Roles of a name, found once for each name. */
enum {
    CP_NAME_KNOWN = 1,
    CP_NAME_LOCK = 2,
    CP_NAME_WAITS = 4,
    CP_NAME_RECORD = 8, /* cudaEventRecord and its like */
    CP_NAME_AUTOGRAD = 16,
    CP_NAME_FORWARD = 32,
    CP_NAME_DATA = 64,
    CP_NAME_WINDOW = 128, /* contains opts.annotation */
    CP_NAME_STREAM_WAIT = 256,
    CP_NAME_QUERY = 512, /* asks whether work is done, and does not wait for it */
    CP_NAME_BLOCKS = 1024, /* a copy for which its call waits, or such a call */
};

struct cp_kernel {
    int64_t launch_ts, start; /* TR_TIME_NONE: no launch */
    uint64_t launch_record;
    uint64_t record;
    uint32_t event;  /* CP_NONE: outside the window, counts only for queues */
    uint32_t launch; /* event, or CP_NONE */
    uint32_t track, launch_track;
    uint32_t stream, thread; /* dense numbers */
    uint32_t waits_for;      /* a list of numbers of other work, as the number of its text; or TR_NO_STR */
    int64_t number;          /* by which such lists name this work; TR_I64_NONE: unknown */
    uint64_t ordinal;        /* among the launches of its stream, from 1 */
    bool lone;               /* the queue held no other work when it was launched and when it started */
    bool leads;              /* first on its stream of the work that its call launched */
    bool known;              /* in the part before */
    bool blocks;             /* a copy for which its call waits, by its name */
};

struct cp_wait {
    int64_t end, launch_ts;
    uint64_t launch_record;
    int64_t record_corr; /* of the cudaEventRecord that it waits for; TR_I64_NONE: unknown */
    int64_t on_stream;   /* the stream of that call; TR_I64_NONE or negative: unknown */
    uint32_t track, launch_track, stream, thread;
    uint8_t kind; /* enum tr_device_wait */
    bool pending; /* of a stream for an event: work that its thread launched there later is not yet known, or solved */
    bool counted; /* in the part before */
};

/* One end of an arrow of unitrace, from the start of work to the start of the call that waited for it. */
struct cp_arrow {
    int64_t work, rank; /* its number */
    int64_t ts;
    uint32_t track;  /* pid and tid are those of the work, or of the call */
    uint32_t thread; /* of that track */
    uint32_t event;  /* from whose start it comes, or to which it leads; CP_NONE: not in the window */
    bool from_work;
};

/* A call that records an event. */
struct cp_record {
    uint32_t source;
    int64_t corr, ts;
    uint32_t stream; /* known from the waits for it; CP_NONE: unknown */
    uint32_t track;  /* of that stream */
    bool asked;      /* a wait that does not name the stream has used it */
    bool past;       /* the work that was launched before it is freed */
};

/* A call that makes a stream wait for an event. */
struct cp_stream_wait {
    uint64_t record;
    int64_t ts;
    uint32_t source;
    bool shown; /* on the device: it is known what the stream waited for */
};

struct cp_window {
    uint64_t seen; /* instances of the annotation */
    int64_t from, to;
    bool open; /* from is known */
};

/* A call, found by its record. */
struct cp_call {
    uint64_t record;
    uint32_t source, event;
};

/* How far a source is solved. */
struct cp_part {
    bool host;         /* it has host spans with nodes */
    int64_t to;        /* nodes before it are solved, or will be in this part */
    int64_t from;      /* what ended before it is freed, but for what later nodes may come after */
    int64_t old_to, old_from; /* before this part */
    size_t n, at;             /* its events in memory */
    uint32_t back, forward;   /* tracks of threads that are one: join_backward; CP_NONE: none */
};

/* The result of the solved parts of a source. */
struct cp_solved {
    bool any;
    int64_t reach; /* the heaviest path so far, and its sums */
    struct cp_sums sums;
    struct tr_range window;
    struct tr_cp_counts counts;
};

/* An event that is kept from the part before; by event, for its start and end. */
struct cp_carried {
    int64_t reach[2];
    uint32_t before[2]; /* the node before it; CP_NONE: it is freed, and sums of the path to here are base */
    uint32_t base[2];   /* in c->bases */
    uint8_t type[2];    /* of the edge from there */
    bool solved[2];     /* all these are known */
};

struct tr_critpath {
    struct tr_cp_opts opts;
    size_t held; /* bytes of the arrays that grow with the trace */
    size_t temp; /* of these: those of the current stage only */
    size_t need; /* more than opts.max_memory; 0: there was room so far */
    const struct tr_dict *dict;
    struct tr_select *select;

    /* events */
    int64_t *ts, *end;
    uint64_t *record;
    uint32_t *track, *name, *parent;
    uint8_t *activity, *kind, *flags, *rule;
    size_t n, cap[10];

    struct cp_kernel *kernels;
    size_t n_kernels, cap_kernels;
    struct cp_kernel *early; /* by track: the last one before the window; event 0: none */
    size_t n_early, cap_early;
    struct cp_wait *waits;
    size_t n_waits, cap_waits;
    struct cp_record *records;
    size_t n_records, cap_records;
    struct cp_stream_wait *stream_waits; /* opts.gaps */
    size_t n_stream_waits, cap_stream_waits;
    struct cp_arrow *arrows;
    size_t n_arrows, cap_arrows;
    struct cp_window *windows; /* by source */
    size_t n_windows, cap_windows;
    uint64_t stream_wait_calls; /* in the window: calls that make one stream wait for another */
    size_t n_lists;             /* work with a list of what it waited for */
    uint64_t *lost_waits;       /* by source: entries of these lists that lead to no work; NULL: there are no lists */
    bool shows_waits;           /* a list has work of another call on another stream */
    uint16_t *names; /* CP_NAME_ bits by string number */
    size_t n_names, cap_names;
    uint8_t *thread_names; /* CP_NAME_AUTOGRAD, CP_NAME_FORWARD by track */
    size_t n_thread_names, cap_thread_names;
    uint32_t *annotations;
    size_t n_annotations, cap_annotations;
    int64_t *batch_i64[3]; /* by event: launch_ts, launch_record, launch_track */
    size_t cap_batch[3];
    struct tr_arg keys[TR_CP_N_KEYS];
    int64_t last_kept;  /* latest start or launch of device work in the window */
    int64_t first_kept; /* first host start in it */

    struct cp_call *calls; /* by source and record */
    size_t n_calls, cap_calls;
    uint32_t *thread_of, *stream_of; /* by track */
    uint32_t *stream_track;          /* by stream: one of its tracks */
    uint32_t n_threads, n_streams;

    /* parts */
    struct cp_part *parts; /* by source, like solved */
    size_t n_parts, cap_parts;
    struct cp_solved *solved; /* NULL: no part is solved */
    size_t n_solved, cap_solved;
    struct cp_carried *carried; /* of the first n_carried events */
    size_t n_carried;
    struct cp_sums *bases;
    size_t n_bases;
    /* By the first track of a stream, of solved work: the latest launch, and start of what was alone in its queue. */
    int64_t *last_launch, *last_lone;
    int64_t *last_record; /* the same: the latest record of an event that was inferred to be of this stream */
    size_t n_last, cap_last[3];
    uint8_t *keep; /* by event: it is needed after this part; NULL: this is no part */
    size_t retry;  /* how many events there are when the next part may be solved */
    bool ending;   /* all nodes will be solved */
    bool crossed;    /* something waits for what is freed */

    /* edges; tr__cp_graph_index sorts them by from, and releases from */
    uint32_t *from, *to;
    uint8_t *type;
    size_t n_edges, cap_edges[3];
    uint32_t *first; /* by node: its first edge; n_nodes + 1 entries */

    int64_t *hub_ts;
    uint32_t *hub_event; /* the member that came last */
    size_t n_hubs, cap_hubs[2];
    size_t n_peers; /* sends and receives whose other side is not in the graph */
    uint32_t *other; /* opts.contract, by event: of a joint that may wait for a peer, the other work of its device that
                        ended last while it ran, or CP_NONE */

    size_t n_nodes;
    uint32_t *order;       /* nodes, each after the nodes that lead to it */
    uint32_t *position;    /* of a node in order; while the order is made, the number of edges that lead to the node */
    int64_t *reach, *rest; /* weight of the heaviest path to a node, and from it to the end */
    uint32_t *before;      /* the node before it on the heaviest path to it */
    uint8_t *before_type;
    uint8_t *on_path; /* by node, made by tr_critpath_slacks */
    bool rules;       /* the what-if rules have changed the times */
    int64_t *step;    /* by event: the number of its step, TR_I64_NONE: it has none; NULL: there are no rules */
    int64_t *what_if; /* by edge: its weight by the rules, CP_CUT: nothing waits there; NULL: there are no rules */
    uint8_t *unasked; /* by event, with rules: work that no call has made wait, where that is known; NULL: nowhere */
    uint32_t *wait_calls; /* with rules: calls that make streams wait */
    size_t n_wait_calls, cap_wait_calls;

    uint32_t *group_of; /* by source; CP_NONE: none */
    int64_t *group_rank;
    uint32_t *group_first, *group_end; /* its first event, and the last node of its path */
    size_t n_groups;
};

/* ---- memory ---- */

/* Arrays that grow with the trace count against opts.max_memory.  False, NULL: out of memory, or too much. */
bool tr__cp_grow_now(struct tr_critpath *c, void *array, size_t *cap, size_t n_needed, size_t elem);
static inline bool cp_grow(struct tr_critpath *c, void *array, size_t *cap, size_t n_needed, size_t elem)
{
    return n_needed <= *cap || tr__cp_grow_now(c, array, cap, n_needed, elem);
}
void *tr__cp_alloc(struct tr_critpath *c, size_t n, size_t elem);
void *tr__cp_alloc_zero(struct tr_critpath *c, size_t n, size_t elem);
void *tr__cp_alloc_temp(struct tr_critpath *c, size_t n, size_t elem); /* until the end of the stage */
/* The arrays of a stage were freed. */
bool tr__cp_end_stage(struct tr_critpath *c, bool ok);
/* Free arrays, and let their pointers, whose addresses these are, be NULL. */
void tr__cp_free_arrays(void *const *arrays, size_t n);
#define CP_FREE(...) \
    tr__cp_free_arrays((void *const[]){ __VA_ARGS__ }, sizeof((void *const[]){ __VA_ARGS__ }) / sizeof(void *))
void tr__cp_free_graph(struct tr_critpath *c); /* all but events, and what they need to make a graph */
/* Of a call above that failed, or of calloc: the error. */
enum tr_status tr__cp_fail(const struct tr_critpath *c, struct tr_error *err);

/* ---- nodes and edges ---- */

static inline uint32_t cp_start(uint32_t event)
{
    return 2 * event;
}
static inline uint32_t cp_end(uint32_t event)
{
    return 2 * event + 1;
}
static inline bool cp_is_hub(const struct tr_critpath *c, uint32_t node)
{
    return node >= 2 * c->n;
}
static inline uint32_t cp_event(const struct tr_critpath *c, uint32_t node)
{
    return cp_is_hub(c, node) ? c->hub_event[node - 2 * c->n] : node / 2;
}
static inline int64_t cp_time(const struct tr_critpath *c, uint32_t node)
{
    if (cp_is_hub(c, node))
        return c->hub_ts[node - 2 * c->n];
    return node & 1 ? c->end[node / 2] : c->ts[node / 2];
}
static inline uint32_t cp_source(const struct tr_critpath *c, uint32_t event)
{
    return c->dict->tracks[c->track[event]].source;
}

/* Are all edges to a node known, so that it will be solved? */
static inline bool cp_is_final_at(const struct tr_critpath *c, uint32_t source, int64_t ts)
{
    return c->ending || (c->parts[source].host && ts < c->parts[source].to);
}
static inline bool cp_is_final(const struct tr_critpath *c, uint32_t node)
{
    return cp_is_final_at(c, cp_source(c, cp_event(c, node)), cp_time(c, node));
}

/* INT64_MAX: beyond 64 bits.  b is a weight, at least 0. */
static inline int64_t cp_plus(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static inline bool cp_has_nodes(const struct tr_critpath *c, uint32_t event)
{
    return !(c->flags[event] & (CP_DEAD | CP_RANGE));
}

bool tr__cp_add_edge(struct tr_critpath *c, uint32_t from, uint32_t to, enum tr_cp_edge type);
/* Of two nodes, does a come after b? */
bool tr__cp_later(const struct tr_critpath *c, uint32_t a, uint32_t b);
/* Does a group begin with event a, rather than with b? */
bool tr__cp_sooner(const struct tr_critpath *c, uint32_t a, uint32_t b);

/* The event to which the time of an edge is charged, or CP_NONE. */
uint32_t tr__cp_payer(const struct tr_critpath *c, uint32_t from, uint32_t to,
                      enum tr_cp_edge type);
/* Is its time that of the event that is charged? */
bool tr__cp_is_own_time(enum tr_cp_edge type);
/* ns, at least 0; with the what-if rules if they are active. */
int64_t tr__cp_weight(const struct tr_critpath *c, uint32_t from, uint32_t to,
                      enum tr_cp_edge type);
enum tr_cp_bound tr__cp_bound(const struct tr_critpath *c, uint32_t from, uint32_t to,
                              enum tr_cp_edge type);

/* ---- parts: tr_critpath_moment.c, tr_critpath_part.c ---- */

/* Work or a wait comes that a call at this time launched.  False: that part is freed. */
bool tr__cp_watch_launch(struct tr_critpath *c, uint32_t source, int64_t launch);
/* Up to which moment will the next part solve each source?  False: it would solve nothing. */
bool tr__cp_choose_moments(struct tr_critpath *c);
/* If a moment has become earlier than allowed, the source is left out of this part. */
void tr__cp_settle_moments(struct tr_critpath *c, uint32_t source);
/* A wait is kept as long as the call that waited. */
void tr__cp_keep_calls(struct tr_critpath *c);
/* Solve a part and free it, if there is enough. */
bool tr__cp_solve_part(struct tr_critpath *c);
/* Is a source that is in parts joined to another one? */
bool tr__cp_crosses(struct tr_critpath *c);
bool tr__cp_add_solved(struct tr_critpath *c); /* the edges of the paths to solved nodes */

static inline bool cp_is_solved(const struct tr_critpath *c, uint32_t node)
{
    return node < 2 * c->n_carried && c->carried[node / 2].solved[node & 1];
}

/* ---- results ---- */

struct tr_cp_event tr__cp_event(const struct tr_critpath *c, uint32_t e);
struct tr_cp_link tr__cp_link(const struct tr_critpath *c, uint32_t from, uint32_t to, enum tr_cp_edge type);
/*
 * How much later does each edge of the path reach its node than the next-latest edge?  place: by node, index in links +
 * 1.
 */
void tr__cp_find_leads(const struct tr_critpath *c, const uint32_t *place, struct tr_cp_link *links);

/* ---- results, for parts ---- */

/*
 * Add up the path to a node, back to a node that is marked with 2 (marks: by node, NULL: none) or to its first node,
 * which is returned.  rank: only of its parts on this rank, or TR_CP_ANY_RANK.
 */
uint32_t tr__cp_sum_up(const struct tr_critpath *c, uint32_t node, const uint8_t *marks, int64_t rank,
                       struct cp_sums *sums);
/* Mark the nodes with 2 from which paths to marked nodes part, as well; those between with 1. */
void tr__cp_mark_forks(const struct tr_critpath *c, uint8_t *marks);
void tr__cp_add_sums(struct cp_sums *to, const struct cp_sums *sums);

/* ---- stages of tr_critpath_finish, in this order; false: out of memory, or of opts.max_memory ---- */

/* All of those from tr__cp_end_reading to tr__cp_graph_index.  members: with opts.contract, in place of colls. */
enum tr_status tr__cp_make_graph(struct tr_critpath *c, const struct tr_colls *colls,
                                 const struct tr_coll_gathered *members, struct tr_error *err);

bool tr__cp_read(struct tr_critpath *c, const struct tr_batch *b, const uint8_t *keep, const uint8_t *rules);
bool tr__cp_end_reading(struct tr_critpath *c);   /* events in the window, names of threads */
bool tr__cp_number_tracks(struct tr_critpath *c); /* threads and streams */
bool tr__cp_find_launches(
    struct tr_critpath *c); /* calls, launches of kernels; work without a launch gets CP_DEAD */
bool tr__cp_find_groups(struct tr_critpath *c);
/* Collectives join ranks (opts.join); sends and receives whose other side is unknown get CP_WAITS. */
bool tr__cp_join_ranks(struct tr_critpath *c, const struct tr_colls *colls);
bool tr__cp_find_peers(struct tr_critpath *c, const struct tr_coll_member *members, size_t n);
/*
 * Does a collective join its ranks?  Of a member, by its type, its end and the start of the last one: has it waited for
 * that?  Does one whose other side is unknown spin until it comes?
 */
bool tr__cp_joins(const struct tr_coll *coll, const struct tr_coll_member *members);
bool tr__cp_waited(uint8_t type, int64_t end, int64_t last);
bool tr__cp_waits_for_peer(const struct tr_coll_member *m);
/* opts.contract: kernels that may be members of collectives get CP_JOINED, and CP_WAITS if they may wait for a peer. */
bool tr__cp_find_joints(struct tr_critpath *c, const struct tr_coll_member *members, size_t n);
/* The stages from tr__cp_number_tracks to tr__cp_device_edges; part: members so far, in place of colls. */
bool tr__cp_make_edges(struct tr_critpath *c, const struct tr_colls *colls, const struct tr_coll_gathered *part);
bool tr__cp_device_edges(struct tr_critpath *c); /* launch, queue, sync */
bool tr__cp_arrow_waits(struct tr_critpath *c); /* sync, by arrows; a part of tr__cp_device_edges */
/* The call has waited for the work. */
bool tr__cp_wait_for(struct tr_critpath *c, uint32_t work, uint32_t call);
bool tr__cp_host_edges(struct tr_critpath *c);   /* operators, threads, the lock */
bool tr__cp_graph_index(
    struct tr_critpath *c); /* edges by their first node, and an order of nodes */
bool tr__cp_find_steps(struct tr_critpath *c);  /* with rules, after tr__cp_find_launches: steps of events */
bool tr__cp_apply_rules(struct tr_critpath *c); /* with rules, after tr__cp_graph_index: weights of edges */

/* A stream by its numbers, or CP_NONE. */
uint32_t tr__cp_find_stream(const struct tr_critpath *c, uint32_t source, int64_t device,
                            int64_t stream);
/* Are two streams on one device? */
bool tr__cp_same_device(const struct tr_critpath *c, uint32_t stream_a, uint32_t stream_b);
/* The event of a host call that launched work or a wait, or CP_NONE. */
uint32_t tr__cp_call_of(const struct tr_critpath *c, uint32_t source, uint64_t record);

#endif
