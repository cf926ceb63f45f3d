/* SPDX-License-Identifier: MIT */
/*
 * Collectives: finds the events of several ranks that belong to one collective operation.
 *
 *     struct tr_coll_finder *f;
 *     struct tr_colls *c;
 *     tr_coll_finder_new(in->dict, selected, &f, &err);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         st = tr_coll_feed(f, b, keep, &err);
 *     st = tr_coll_match(f, &c, &err);
 *     for (size_t i = 0; i < c->n; i++)
 *         for (uint32_t k = 0; k < c->colls[i].n; k++)
 *             use(&c->members[c->colls[i].first + k]);
 *
 * A *member* is the part of one rank in a collective: a kernel of kind comm, or any kernel that
 * has a collective's name.  If no rank has such a kernel, the host's records of collectives (comm_record) are the
 * members, and so are calls of the host that carry out collectives (host_comm): of MPI, or tasks of oneCCL.  Of calls
 * inside each other, the outer one counts.  Several kernels that one host record launched, one directly after the
 * other, are one member.  So are the messages of a rank that name one collective in their arg CollGroup, which are
 * sends and receives of IBM's AIU: from the end of the kernel that made the data, or else from the first message, to
 * the last end of a message.
 *
 * A *party* is a participant: a rank (a source, if its rank is unknown) and one of its devices.
 *
 * The data of a member (its *call*) come from its args: Collective name, dtype, In and Out msg nelems, In and Out split
 * size, Group size, Process Group Name, Ranks and Description, Global rank start and stride, Src and Dst Rank, Seq,
 * Comms Id.  If the kernel lacks some of these, they come from the host record with the same External id in the same
 * source.  If there is none, they come from the record around its launch.  If there is none either, they come from an
 * annotation around it, such as "nccl:all_reduce": its name, Input Dims and Input type.
 *
 * A host_comm has the name of its collective, and what unitrace gives: count and dtype of oneCCL; ssize, dsize, src and
 * dst of MPI.
 *
 * A *group* is a process group: its name and the list of its ranks, because groups of different ranks may have one
 * name.  Members without a group share one group without a name.  XLA gives the groups of an instruction in one list,
 * in the arg Device groups; then the group is the one of them that has the device of the member.  Devices are counted
 * over all ranks: number d of rank r is r n + d, if Devices per rank is n, or what Global device says.
 *
 * Members of one group become one collective by
 *
 *   seq    The same sequence number, which is counted for each process group, equally on all its ranks.  If a number
 *          occurs several times on a rank (coalesced calls), the k-th member is matched with the k-th one of other
 *          ranks.  A Comms Id is the same on all ranks of one collective.  So if all members have one, members with
 *          different ids are different collectives.  This helps where two groups look alike, because their lists of
 *          ranks are abbreviated.
 *   id     If the members have no number, but a Comms Id: the same id.  The id of messages is their CollGroup.
 *   order  If they have neither: the order of the host's records.  This needs records for all members of the group that
 *          are the same on all ranks, and end times that do not clearly contradict it.  Otherwise, the order on each
 *          stream of each rank.
 *          Some collectives end on all ranks at nearly the same time (tr_coll_is_sync).  For two ranks, the offset and
 *          drift of the clocks are chosen for which most ends agree, one to one and in order.  Then ends that agree
 *          belong together.  So a collective that is lost on one rank does not shift the later ones.
 *          Bursts of collectives that are closer together than their ends jitter are matched by order.  This needs two
 *          ranks with the same number of them, and ends that agree on one clock.  If some are lost, bursts are matched
 *          as a whole, by the intervals between them.  Within a burst, members are matched by order only if both ranks
 *          have as many as the largest bursts.  The members of other bursts stay alone, because it is not known which
 *          one is missing.
 *          If fewer than half of the ends of a rank agree with the others, a member is matched only if its collective,
 *          type of element and size occur exactly once on both sides.  The other members stay alone.
 *          If no collectives end together, as many members as possible are matched with an equal one.
 *          Streams correspond by number.  If the ranks have different stream numbers, but the same count of streams,
 *          they correspond by position.  Otherwise, all streams of a named group are one sequence.
 *   alone  Not matched: a send or receive whose partner is unknown, or a member of a rank whose ends do not agree with
 *          those of other ranks.
 *
 * A send and a receive are matched by order if they name each other's ranks, because each rank counts its own numbers.
 *
 * Matching compares intervals, never times of different ranks, so it can be used to align their clocks.
 *
 * Memory: about 160 bytes per member, 80 per host record and 48 per collective, until the end.
 */
#ifndef TR_COLLECTIVE_H
#define TR_COLLECTIVE_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "model/selection/tr_select.h"
#include "stream/tr_batch.h"
#include "stream/tr_order.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_coll_type {
    TR_COLL_UNKNOWN, /* a kernel without metadata, whose name does not say which collective it is */
    TR_COLL_ALLREDUCE,
    TR_COLL_ALLGATHER,
    TR_COLL_REDUCESCATTER,
    TR_COLL_ALLTOALL,
    TR_COLL_BARRIER,
    TR_COLL_ALLTOALLV, /* sizes differ between ranks: by its name, or because it lists the sizes of its parts */
    TR_COLL_BROADCAST,
    TR_COLL_REDUCE,
    TR_COLL_GATHER,
    TR_COLL_SCATTER,
    TR_COLL_PERMUTE, /* each rank sends to at most one other, and receives from at most one */
    TR_COLL_SEND,
    TR_COLL_RECV,
    TR_COLL_SENDRECV, /* kernel of sends, receives or an all-to-all: the name is the same for all */
    TR_COLL_N_TYPES
};

enum tr_coll_how { TR_COLL_BY_SEQ, TR_COLL_BY_ORDER, TR_COLL_ALONE, TR_COLL_BY_ID };

/* Bits of mistakes of a collective. */
enum {
    TR_COLL_NAMES_DIFFER = 1, /* its members are different collectives */
    TR_COLL_SIZES_DIFFER = 2, /* sizes that must agree do not, or types of element */
    TR_COLL_INCOMPLETE = 4,   /* a party that should take part is missing */
};

struct tr_coll_group {
    uint32_t name, ranks, desc; /* string numbers as found, or TR_NO_STR */
    int64_t size;               /* ranks in it, -1: unknown */
    int64_t start, stride;      /* its ranks, where ranks is TR_NO_STR; -1: unknown */
    uint32_t sets;              /* a list of groups of devices, or TR_NO_STR */
    int64_t set;                /* which of them it is, from 0; -1: none of them */
};

struct tr_coll_call {
    uint32_t group;
    uint32_t name, dtype;         /* string numbers or TR_NO_STR */
    uint32_t in_split, out_split; /* text of a list, or TR_NO_STR */
    int64_t in_elems, out_elems;  /* -1: unknown */
    int64_t bytes; /* where messages say this, but no elements; -1: unknown */
    int64_t peer; /* rank that a send goes to or a receive comes from; -1: unknown */
    uint8_t type; /* enum tr_coll_type, by name */
};

struct tr_coll_party {
    int64_t rank;    /* -1: unknown */
    uint32_t source; /* its first */
    int64_t device;  /* TR_I64_NONE: unknown, or a host record */
};

struct tr_coll_member {
    int64_t start, end; /* ns of the stream, start <= end */
    uint64_t record;    /* of its event; of the first one if it consists of several */
    int64_t seq;        /* as found, TR_I64_NONE: none */
    int64_t id;         /* the 64 bits of its Comms Id, TR_I64_NONE: none */
    int64_t place;      /* among the host records of its group in its source, from 0; TR_I64_NONE: unknown */
    uint64_t order;     /* of all these records: a value that is equal if the sequences of records are equal */
    int64_t external;   /* External id, TR_I64_NONE: none */
    int64_t launch;     /* start of the call that launched it, TR_TIME_NONE: unknown */
    int64_t moved;      /* ns, by tr_colls_move */
    uint32_t source, track;
    uint32_t host_track; /* of that call, if it is known */
    uint32_t name;       /* of the event */
    uint32_t call;       /* index in calls */
    uint32_t party;      /* index in parties */
    uint8_t type;        /* enum tr_coll_type: of the call, else by the event's name */
    bool suspect; /* it has an impossible time: used only for matching; an unusable duration is 0 */
    bool picked;  /* passed the selection */
    bool doubt;   /* on no clock do its rank's ends agree with those of other ranks: matched by content, or alone */
};

struct tr_coll {
    size_t first; /* its members: n from here, by party, one for each */
    uint32_t n;
    uint32_t group;
    int64_t seq;   /* by seq: the number; by id: from 0 within group; else within group, stream and partners */
    int64_t at;    /* ns, the first start among its members */
    uint32_t line; /* collectives in which the same parties should take part, see flaws */
    uint8_t how, type, wrong;
};

/* A party that is missing in a collective. */
struct tr_coll_flaw {
    size_t coll;
    uint32_t party;
    bool outside; /* the collective is before the party's first one of this kind, or after its last one:
                     so it was probably not recorded */
};

/*
 * Collectives by first start, then group and number.  Parties by rank, unknown ranks last, then
 * source and device.  Flaws by collective, then party.
 */
struct tr_colls {
    struct tr_coll *colls;
    size_t n;
    struct tr_coll_member *members;
    size_t n_members;
    struct tr_coll_call *calls;
    size_t n_calls;
    struct tr_coll_group *groups;
    size_t n_groups;
    struct tr_coll_party *parties;
    size_t n_parties;
    struct tr_coll_flaw *flaws;
    size_t n_flaws;
    bool host; /* members are host records */
    bool aligned; /* members were moved to one clock */
    uint8_t *differ; /* by group, for tables: clocks of its ranks differ (tr_collective_find_differ); NULL: unknown */
};

/* TR_COLL_NAMES_DIFFER or TR_COLL_SIZES_DIFFER, if two members of one collective do; else 0. */
unsigned tr_coll_differs(const struct tr_colls *c, const struct tr_coll_member *a,
                         const struct tr_coll_member *b);

/* The name to print for a collective: its name, else its type, else the name of its first event. */
struct tr_str tr_coll_label(const struct tr_dict *dict, const struct tr_colls *c,
                          const struct tr_coll *coll);

/*
 * Keys of the args that are needed, for struct tr_projection.  Also needed are all fixed columns except cat, and
 * TR_COL_LAUNCH_TS and TR_COL_LAUNCH_TRACK.
 */
#define TR_COLL_N_KEYS 29u
extern const char *const tr_coll_keys[TR_COLL_N_KEYS];

struct tr_coll_finder;

/*
 * dict    of the stream; may grow while it is read, must outlive the finder and its result
 * select  sources that it leaves out by their rank have no members; NULL: all have
 * out     set on TR_OK, NULL otherwise
 */
enum tr_status tr_coll_finder_new(const struct tr_dict *dict, const struct tr_select *select,
                                  struct tr_coll_finder **out, struct tr_error *err);
void tr_coll_finder_free(struct tr_coll_finder *f);

/*
 * The next batch of a sorted stream.  keep: one byte per event, copied to picked; NULL: all 1.  Events that are not
 * picked also take part in the matching, because a selection must not change the order on a rank.
 */
enum tr_status tr_coll_feed(struct tr_coll_finder *f, const struct tr_batch *b, const uint8_t *keep,
                            struct tr_error *err);

/* After feed of this batch: is event i a member, or may it be a part of one? */
bool tr_coll_may_have(const struct tr_coll_finder *f, const struct tr_batch *b, size_t i);

/*
 * After the last batch.  The finder is then empty; free *out, which is NULL after a failure.
 */
enum tr_status tr_coll_match(struct tr_coll_finder *f, struct tr_colls **out, struct tr_error *err);
void tr_colls_free(struct tr_colls *c);

/*
 * Move the members of each source by so many ns: starts and ends, not launches.  The collectives are in order again.
 * All are on one clock then.  A member whose times would leave the range stays, and is suspect.  False: out of memory,
 * and nothing has moved.
 */
bool tr_colls_move(struct tr_colls *c, const int64_t *by_source);

/* ---- collected members, to be matched in another process ---- */

/* Members before they are matched; completed from host records. */
struct tr_coll_gathered {
    const struct tr_coll_member *kernels, *records; /* in the order that the matching takes them */
    size_t n_kernels, n_records;
    const struct tr_coll_call *calls;
    const struct tr_coll_group *groups; /* tr_coll_gathered_group has more of them */
    size_t n_groups;
};

/* A group, with the first event of the group and the first event that has its description. */
struct tr_coll_put_group {
    struct tr_coll_group group;
    struct tr_order_key first, described;
};

/*
 * The kernels that are members so far, completed from the records so far; tr_coll_feed may go on.  Ranks are not
 * matched as well after that.  *complete is false, and there are none, if collectives are made of messages: they may be
 * open.  False: out of memory.
 */
bool tr_coll_so_far(struct tr_coll_finder *f, struct tr_coll_gathered *g, bool *complete);

/* After the last batch, before tr_coll_match: the collected members.  The finder owns them.  TR_OK or TR_SYSTEM. */
enum tr_status tr_coll_gathered(struct tr_coll_finder *f, struct tr_coll_gathered *g, struct tr_error *err);
void tr_coll_gathered_group(const struct tr_coll_finder *f, size_t i, struct tr_coll_put_group *group);

/*
 * Add the members of another finder to one without batches: first groups, then members.  The members of a rank come in
 * their order, and from one finder.  Strings, sources and tracks are those of this finder's dictionary, which has every
 * source.  call, party, type and host_track of a member are ignored.  The result of tr_coll_match is the same as with
 * one finder for everything.  False: out of memory.
 */
bool tr_coll_put_group(struct tr_coll_finder *f, const struct tr_coll_put_group *group);
bool tr_coll_put(struct tr_coll_finder *f, bool host, const struct tr_coll_member *member,
                 const struct tr_coll_call *call, const struct tr_coll_group *group);

/* ---- types ---- */

/* Type by the name of a collective (Collective name) or of a kernel. */
enum tr_coll_type tr_coll_type_of(struct tr_str name);
const char *tr_coll_type_name(enum tr_coll_type type); /* "allreduce", ...; "" if unknown */

/*
 * Do all ranks wait for the last one?  True if every rank gets data of every rank: allreduce, allgather, reducescatter,
 * alltoall, barrier.  Not for alltoallv, whose parts may be empty.
 */
bool tr_coll_is_sync(enum tr_coll_type type);

/* Bytes of an element, by the name of its type in torch ("Float", "BFloat16") or XLA ("f32", "bf16"); 0: unknown. */
unsigned tr_coll_elem_size(struct tr_str dtype);

/*
 * Bytes of a call, by the convention of the NCCL tests: for allreduce, reducescatter, alltoall, reduce, permute,
 * send and scatter the input; for allgather, gather and recv the output; for broadcast the larger one.  -1: unknown,
 * or not the same on all ranks (alltoallv).
 */
int64_t tr_coll_call_bytes(const struct tr_dict *dict, const struct tr_coll_call *call,
                           enum tr_coll_type type);

/* Elements of the input (out: false) or output, times the size of an element, or the size of messages; -1: unknown. */
int64_t tr_coll_side_bytes(const struct tr_dict *dict, const struct tr_coll_call *call, bool out);

/*
 * The factor from bytes per time to bandwidth of the links, for n ranks
 * (NCCL tests, PERFORMANCE.md): allreduce 2(n-1)/n; allgather, reducescatter, alltoall,
 * gather, scatter (n-1)/n; broadcast, reduce, permute, send, recv 1.  0: not defined.
 */
double tr_coll_bus_factor(enum tr_coll_type type, int64_t n);

/* Ranks that take part: those of the group; of messages, which do not give it, those that were found.  -1: unknown. */
int64_t tr_coll_size(const struct tr_colls *c, const struct tr_coll *coll);

/*
 * The name of a group of devices: "devices 0..3,8".  Replaces out; empty if there is no such group.  False: out of
 * memory.
 */
bool tr_coll_set_name(struct tr_str sets, int64_t set, struct tr_buf *out);

/* Remove the next rank of a list such as "[0, 1, 2]".  Ranks that "..." replaces do not come.  False: no more. */
bool tr_coll_list_next(struct tr_str *list, int64_t *rank);

#ifdef __cplusplus
}
#endif
#endif
