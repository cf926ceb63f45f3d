/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the matching of collectives share.
 *
 *   tr_collective.c        finds members in batches: args, calls, groups, parties
 *   tr_collective_type.c   facts about the types of collectives
 *   tr_collective_set.c    groups of devices
 *   tr_collective_message.c  members that consist of messages
 *   tr_collective_party.c  completes members from host records, and orders their parties
 *   tr_collective_match.c  joins members to collectives
 *   tr_collective_order.c  the same for members without numbers
 *   tr_collective_align.c  aligns the sequences of several ranks, by content
 *   tr_collective_vote.c   the same, by end times
 *   tr_collective_burst.c  the same, if the members end in bursts
 *   tr_collective_check.c  orders collectives by time, and finds their mistakes
 */
#ifndef TR_COLLECTIVE_INT_H
#define TR_COLLECTIVE_INT_H

#include "base/tr_hash.h"
#include "model/collectives/tr_collective.h"
#include "stream/tr_args.h"
#include "stream/tr_order.h"

/* Args, in the order of tr_coll_keys. */
enum tr__coll_arg {
    TR__COLL_NAME,
    TR__COLL_DTYPE,
    TR__COLL_GROUP_NAME,
    TR__COLL_GROUP_RANKS,
    TR__COLL_GROUP_DESC,
    TR__COLL_IN_SPLIT,
    TR__COLL_OUT_SPLIT,
    TR__COLL_DIMS,
    TR__COLL_INPUT_TYPE,
    TR__COLL_SETS,
    TR__COLL_MESSAGES, /* the last text */
    TR__COLL_IN_ELEMS,
    TR__COLL_OUT_ELEMS,
    TR__COLL_SIZE,
    TR__COLL_START,
    TR__COLL_STRIDE,
    TR__COLL_SRC,
    TR__COLL_DST,
    TR__COLL_SEQ,
    TR__COLL_EXTERNAL,
    TR__COLL_ID,
    TR__COLL_BYTES,
    TR__COLL_PER_RANK,
    TR__COLL_DEVICE,
    TR__COLL_HOST_COUNT, /* these of calls of the host, as unitrace names them */
    TR__COLL_HOST_SSIZE,
    TR__COLL_HOST_DSIZE,
    TR__COLL_HOST_SRC,
    TR__COLL_HOST_DST,
};

struct tr__coll_rows { /* members or host records */
    struct tr_coll_member *v;
    size_t n, cap;
};

#define TR__COLL_NOTE     "nccl:" /* names of annotations of collectives start with this */
#define TR__COLL_NOTE_LEN 5

bool tr__coll_is_note(struct tr_str name);

/* Which group of a list has a device, and its size; -1: none. */
int64_t tr__coll_set_of(struct tr_str sets, int64_t device, int64_t *size);

/* An annotation of the host, such as "nccl:all_reduce", around the launches of a collective. */
struct tr__coll_note {
    int64_t start, end;
    uint64_t record;
    uint32_t track, name;
    uint32_t dims, dtype; /* texts, of lists, or TR_NO_STR */
};

/* The collective of a rank whose messages are still coming. */
struct tr__coll_open {
    uint32_t source, party, text; /* text: what all its messages name */
    size_t row;         /* in kernels, while n_seen is not 0 */
    int64_t first_end;  /* ns, of its first message */
    int64_t ready;      /* end of the kernel that made its data, TR_TIME_NONE: none yet */
    uint64_t *seen;     /* its messages: one that comes again starts the next collective of this name */
    size_t n_seen, cap_seen;
};

/* Facts about a group that do not identify it. */
struct tr__coll_desc {
    uint32_t desc;                        /* its first description */
    struct tr_order_key first, described; /* the first event of the group, and the first one with the description */
};

struct tr_coll_finder {
    const struct tr_dict *dict;
    const struct tr_select *select;
    struct tr_args args; /* of tr_coll_keys */
    uint32_t *track_party; /* UINT32_MAX: not known yet */
    size_t n_tracks, cap_tracks;
    uint8_t *name_type; /* by string number: type + 1; 0: not determined yet */
    size_t n_names, cap_names;
    struct tr_coll_call *calls;
    size_t n_calls, cap_calls;
    struct tr_coll_group *groups;
    size_t n_groups, cap_groups;
    struct tr__coll_desc *descs; /* by group */
    size_t n_descs, cap_descs;
    int64_t *launch, *launch_track; /* by event of the batch */
    size_t cap_launch, cap_launch_track;
    struct tr_coll_party *parties;
    size_t n_parties, cap_parties;
    struct tr_hash_index call_index, group_index, party_index;
    int64_t *host_end; /* by track: the end of its last call of the host that is a member */
    size_t n_host, cap_host;
    struct tr__coll_rows kernels, records;
    struct tr__coll_note *notes;
    size_t n_notes, cap_notes;
    struct tr__coll_open *open;
    size_t n_open, cap_open;
    struct tr_hash_index open_index;
    uint32_t *waiting; /* those that wait for the kernel that makes their data */
    size_t n_waiting, cap_waiting;
    bool put; /* rows were added with tr_coll_put: groups are numbered in the order of their arrival */
};

/* The keys of the matching, one for each member. */
struct tr__coll_key {
    int64_t src, dst; /* partners of a send or receive, else -1 */
    int64_t seq;      /* by seq: the number; by id: the id; by order: first the stream, then the lane */
    int64_t id;       /* by seq: the id, TR_I64_NONE: none */
    uint64_t sig;     /* equal for members that may belong to one collective */
    uint32_t member;
    uint32_t group, party;
    uint32_t coll;
    uint8_t how;
    bool apart; /* it is not known to which collective it belongs */
};

/* Collectives in which the same parties should take part. */
struct tr__coll_line {
    size_t first, n; /* in expect */
};

struct tr__coll_expect {
    uint32_t party;
    int64_t first, last; /* numbers of its first and last collective; first > last: it has none */
    bool apart;          /* it has members that are apart: so none of its members counts as missing */
};

struct tr__coll_matcher {
    const struct tr_coll_finder *f;
    struct tr_colls *c;
    struct tr__coll_key *keys;
    size_t n_keys;
    size_t cap_colls;
    struct tr__coll_line *lines; /* a collective that is apart has the line after the one in which it was made */
    size_t n_lines, cap_lines;
    struct tr__coll_expect *expect;
    size_t n_expect, cap_expect;
    struct tr__coll_expect *seen; /* by party, of the current line; between lines, none is seen */
    uint32_t *touched;            /* parties of the line */
    size_t n_touched, cap_touched;
};

static inline int tr__coll_cmp(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/*
 * The number of a row in an array without equal rows, new if need be; UINT32_MAX: out of memory.
 * All bytes of a row count, padding, too.
 */
uint32_t tr__coll_intern(struct tr_hash_index *index, void *array, size_t *n, size_t *cap, size_t size,
                         const void *row);

/* The number of a call; it is added if it is new.  All its bytes are compared, also padding.
 * UINT32_MAX: out of memory. */
uint32_t tr__coll_call(struct tr_coll_finder *f, const struct tr_coll_call *call);

/* The number of elements of all tensors in a list of dimensions, such as "[[1024, 16], []]"; -1: none, or too many. */
int64_t tr__coll_dims_elems(struct tr_str dims);

/*
 * A message: a send or receive of a rank that names, as text, the collective that it is a part of.  bytes: its size;
 * -1: unknown.  False: out of memory.
 */
bool tr__coll_message(struct tr_coll_finder *f, const struct tr_coll_member *message, uint32_t text, int64_t bytes);

/* A kernel that is no message, of a source that may have collectives that wait for it. */
void tr__coll_kernel(struct tr_coll_finder *f, uint32_t source, int64_t start, int64_t end);

/* After the last message. */
void tr__coll_end_messages(struct tr_coll_finder *f);

/* Complete kernels from host records, or else from annotations, and join kernels that one record launched. */
bool tr__coll_join(struct tr_coll_finder *f);

/* Number groups by their first events, as in one stream of all members. */
bool tr__coll_order_groups(struct tr_coll_finder *f);

/* Number parties by rank.  Each rank that was read has one, also without members. */
bool tr__coll_order_parties(const struct tr_coll_finder *f, struct tr_colls *c);

/* The kind of a member's collective, as a number: by type, else by name. */
int64_t tr__coll_kind(const struct tr_colls *c, const struct tr_coll_member *m);

/* The number of elements that must be equal in all members of a collective; -1: no such number. */
int64_t tr__coll_common_elems(const struct tr_coll_call *call, unsigned type);

/* Sort collectives by first start, and members by collective. */
bool tr__coll_order(struct tr__coll_matcher *w);

/* Find the mistakes of each collective. */
bool tr__coll_check(struct tr__coll_matcher *w);

/* Add n collectives with the properties of a key; false: out of memory. */
bool tr__coll_add(struct tr__coll_matcher *w, size_t n, const struct tr__coll_key *like, int64_t seq);

/* Match members with one number, by party: the k-th of each party belong together.  False: out of memory. */
bool tr__coll_match_seq(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n);

/*
 * Match members of a line without numbers, by party, with the order of the host's records.  This needs complete
 * records, the same on all ranks.  Members with the same place among the records belong together.  *counted: this was
 * done, and the keys are in the order of places.  False: out of memory.
 */
bool tr__coll_match_counted(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n, bool *counted);

/* Replace streams by lanes, which correspond between all parties (tr_collective.h).  False: out of memory. */
bool tr__coll_set_lanes(const struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n);

/*
 * Match members of one lane, by party: first the party with the longest sequence, then the others in their order.  If
 * most parties do not agree with the first on any clock, other parties are tried as the first one.  If none is better,
 * the longest sequence is the first again.  False: out of memory.
 */
bool tr__coll_match_lane(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n);

/*
 * Align two sequences: at[j] becomes the place in a that corresponds to b[j], or SIZE_MAX.  Places increase.  As many
 * equal elements as possible are aligned, if only few elements differ.  If two aligned pairs have the same number of
 * elements of a and of b between them, these are aligned, too.  False: out of memory.
 */
bool tr__coll_align(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b, size_t *at);

/* The properties of a member that the matching by ends uses. */
struct tr__coll_mark {
    int64_t end;        /* ns; TR_TIME_NONE: not usable */
    uint64_t sig, kind; /* equal for members that may belong to one collective; the same without sizes */
    bool noted;         /* its size comes from an annotation */
    bool vague;         /* its size is unknown */
    bool sync;          /* it ends on all ranks at the same time */
};

/* The conversion of a time t to another clock: a + (t - b) + offset + slope * ((t - b) - centre), ns. */
struct tr__coll_clock {
    enum { TR__COLL_NOTHING, TR__COLL_DISAGREE, TR__COLL_ORDER, TR__COLL_BURSTS, TR__COLL_AGREE } verdict;
    int64_t a, b;
    double offset, slope, centre;
    double gap; /* the median time between two ends, ns */
    bool sure;  /* no other clock fits half as well */
};

/*
 * Align two sequences, with at as above, by the intervals between ends: on the clock on which most ends agree, one to
 * one and in order.  Members that do not end at the same time on all ranks are aligned in between, by tr__coll_align.
 * clock->said: NOTHING: one sequence has no usable ends; DISAGREE: on no clock do half of the ends agree, or about as
 * many agree on a second clock; ORDER: the ends are too few or too close to decide, but both sequences have the same
 * number, and the n-th fits the n-th on this clock.  at is set only with AGREE.  False: out of memory.
 */
bool tr__coll_vote(const struct tr__coll_mark *a, size_t n_a, const struct tr__coll_mark *b, size_t n_b,
                   struct tr__coll_clock *clock, size_t *at);

/*
 * The same by bursts, for sequences in which the ends of a burst are closer together than they jitter, and some members
 * are lost.  With success, clock->said is BURSTS, and at is set; a member with SIZE_MAX may belong to any collective.
 * Otherwise, clock does not change.  False: out of memory.
 */
bool tr__coll_vote_bursts(const struct tr__coll_mark *a, size_t n_a, const struct tr__coll_mark *b, size_t n_b,
                          struct tr__coll_clock *clock, size_t *at);

/* May two members belong to one collective? */
bool tr__coll_alike(const struct tr__coll_mark *a, const struct tr__coll_mark *b);

/* A time of b on the clock of a; TR_TIME_NONE: t is that, or the result is out of range. */
int64_t tr__coll_clock_apply(const struct tr__coll_clock *c, int64_t t);

#endif
