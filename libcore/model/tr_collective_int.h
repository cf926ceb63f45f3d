/* SPDX-License-Identifier: MIT */
/*
 * What the files of the matching of collectives share.
 *
 *   tr_collective.c        from batches to members: args, calls, groups, parties
 *   tr_collective_type.c   what is known of types of collectives
 *   tr_collective_party.c  members completed from host records, and their parties in order
 *   tr_collective_match.c  from members to collectives
 *   tr_collective_order.c  the same where members have no numbers
 *   tr_collective_align.c  sequences of several ranks side by side, by what they are
 *   tr_collective_vote.c   the same by when they end
 *   tr_collective_burst.c  the same where they end in bursts
 *   tr_collective_check.c  collectives in order of time, and what is wrong with them
 */
#ifndef TR_COLLECTIVE_INT_H
#define TR_COLLECTIVE_INT_H

#include "base/tr_hash.h"
#include "model/tr_collective.h"
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
    TR__COLL_INPUT_TYPE, /* the last text */
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
};

struct tr__coll_rows { /* members or host records */
    struct tr_coll_member *v;
    size_t n, cap;
};

#define TR__COLL_NOTE     "nccl:" /* how names of such annotations begin */
#define TR__COLL_NOTE_LEN 5

bool tr__coll_is_note(struct tr_str name);

/* An annotation of the host, such as "nccl:all_reduce", around the launches of a collective. */
struct tr__coll_note {
    int64_t start, end;
    uint64_t record;
    uint32_t track, name;
    uint32_t dims, dtype; /* texts, of lists, or TR_NO_STR */
};

/* What is no part of a group's identity. */
struct tr__coll_desc {
    uint32_t desc;                        /* its first description */
    struct tr_order_key first, described; /* the event that it first came with, and the description */
};

struct tr_coll_finder {
    const struct tr_dict *dict;
    const struct tr_select *select;
    struct tr_args args; /* of tr_coll_keys */
    uint32_t *track_party; /* UINT32_MAX: not known yet */
    size_t n_tracks, cap_tracks;
    uint8_t *name_type; /* by string number: type + 1, 0: not looked at */
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
    struct tr_hash_index call_index, group_index;
    struct tr__coll_rows kernels, records;
    struct tr__coll_note *notes;
    size_t n_notes, cap_notes;
    bool put; /* rows came by tr_coll_put: groups are numbered as they came */
};

/* What the matching sorts by, one per member. */
struct tr__coll_key {
    int64_t src, dst; /* partners of a send or receive, else -1 */
    int64_t seq;      /* by seq: the number; by id: the id; by order: first the stream, then the lane */
    int64_t id;       /* by seq: the id, TR_I64_NONE: none */
    uint64_t sig;     /* equal for members that may be of one collective */
    uint32_t member;
    uint32_t group, party;
    uint32_t coll;
    uint8_t how;
    bool apart; /* nothing tells what it belongs to */
};

/* Collectives in which the same parties should take part. */
struct tr__coll_line {
    size_t first, n; /* in expect */
};

struct tr__coll_expect {
    uint32_t party;
    int64_t first, last; /* numbers of its first and last collective; first > last: it has none */
    bool apart;          /* has members that nothing tells the place of: it cannot be missed anywhere */
};

struct tr__coll_matcher {
    const struct tr_coll_finder *f;
    struct tr_colls *c;
    struct tr__coll_key *keys;
    size_t n_keys;
    size_t cap_colls;
    struct tr__coll_line *lines; /* of a collective that is apart: one line further than it was made in */
    size_t n_lines, cap_lines;
    struct tr__coll_expect *expect;
    size_t n_expect, cap_expect;
    struct tr__coll_expect *seen; /* by party, of the line in hand */
};

static inline int tr__coll_cmp(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* The number of a call, new if need be; all bytes of it count, padding, too.  UINT32_MAX: out of memory. */
uint32_t tr__coll_call(struct tr_coll_finder *f, const struct tr_coll_call *call);

/* Elements of all tensors of a list of their dimensions, such as "[[1024, 16], []]"; -1: none, or too many. */
int64_t tr__coll_dims_elems(struct tr_str dims);

/* Complete kernels from host records, else from annotations, and make one of those that one record launched. */
bool tr__coll_join(struct tr_coll_finder *f);

/* Number groups by their first events, as a stream of all would have. */
bool tr__coll_order_groups(struct tr_coll_finder *f);

/* Number parties by rank; each rank that was looked at has one, also without members. */
bool tr__coll_order_parties(const struct tr_coll_finder *f, struct tr_colls *c);

/* What kind of collective a member is, as a number: by type, else by name. */
int64_t tr__coll_kind(const struct tr_colls *c, const struct tr_coll_member *m);

/* Elements that all members of a collective must agree on; -1: nothing that must be equal. */
int64_t tr__coll_common_elems(const struct tr_coll_call *call, unsigned type);

/* Sort collectives by first start, and members by collective. */
bool tr__coll_order(struct tr__coll_matcher *w);

/* Say what is wrong with each. */
bool tr__coll_check(struct tr__coll_matcher *w);

/* n more collectives like a key; false: out of memory. */
bool tr__coll_add(struct tr__coll_matcher *w, size_t n, const struct tr__coll_key *like, int64_t seq);

/* Members with one number, by party: the k-th of each belong together.  False: out of memory. */
bool tr__coll_match_seq(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n);

/*
 * Members of a line without numbers, by party, whose host records are complete: the same on all ranks.  Those of one
 * place among these belong together.  *counted: so it was done, and keys stand in the order of places.  False: out of
 * memory.
 */
bool tr__coll_match_counted(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n, bool *counted);

/* Replace streams by lanes, which mean the same on all parties (tr_collective.h).  False: out of memory. */
bool tr__coll_set_lanes(const struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n);

/*
 * Members of one lane, by party: the longest sequence first, then the others in their order.  Where most agree with
 * it on no clock, others take its place: if none is better, it is the first again.  False: out of memory.
 */
bool tr__coll_match_lane(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n);

/*
 * Put a sequence beside another: at[j] becomes the place in a that b[j] stands beside, or SIZE_MAX
 * if none.  Places grow.  Equal elements stand side by side, as many as possible (as long as few
 * differ); where as many of a as of b are left between two such, these are put side by side, too.
 * False: out of memory.
 */
bool tr__coll_align(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b, size_t *at);

/* What the matching by ends looks at. */
struct tr__coll_mark {
    int64_t end;        /* ns; TR_TIME_NONE: not usable */
    uint64_t sig, kind; /* equal for those that may be of one collective; the same without sizes */
    bool noted;         /* its size is that of an annotation */
    bool vague;         /* nothing is known of its size */
    bool sync;          /* ends on all ranks at one moment */
};

/* How a clock stands to another: a + (t - b) + offset + slope * ((t - b) - centre), ns. */
struct tr__coll_clock {
    enum { TR__COLL_NOTHING, TR__COLL_DISAGREE, TR__COLL_ORDER, TR__COLL_BURSTS, TR__COLL_AGREE } said;
    int64_t a, b;
    double offset, slope, centre;
    double gap; /* the middle one between ends, ns */
    bool sure;  /* no other clock fits half as well */
};

/*
 * Put a sequence beside another, at as above, by the intervals between ends: on the clock on which most of
 * them agree, one to one and in order; what does not end at one moment, by tr__coll_align in between.
 * clock->said: NOTHING: one of them has no end that tells anything; DISAGREE: on no clock do half of
 * the ends agree, or as many do on two; ORDER: they are too few or too close to tell, but as many on both sides, and
 * the n-th of one fits the n-th of the other on this clock.  Only with AGREE is at set.  False: out of memory.
 */
bool tr__coll_vote(const struct tr__coll_mark *a, size_t n_a, const struct tr__coll_mark *b, size_t n_b,
                   struct tr__coll_clock *clock, size_t *at);

/*
 * The same by bursts, where ends of a burst are closer than they jitter and some are lost.  clock->said: BURSTS, and
 * at is set: what stands beside nothing may belong to anything; else the clock is as it was.  False: out of memory.
 */
bool tr__coll_vote_bursts(const struct tr__coll_mark *a, size_t n_a, const struct tr__coll_mark *b, size_t n_b,
                          struct tr__coll_clock *clock, size_t *at);

/* May two be of one collective? */
bool tr__coll_alike(const struct tr__coll_mark *a, const struct tr__coll_mark *b);

/* A moment of b on a's clock; TR_TIME_NONE: out of range, or it is that. */
int64_t tr__coll_clock_apply(const struct tr__coll_clock *c, int64_t t);

#endif
