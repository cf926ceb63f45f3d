/* SPDX-License-Identifier: MIT */
/*
 * The verdict on a job that hangs, from what each of its ranks called last: which call is not complete, and whose fault
 * it is.
 *
 *     struct tr_verdicts v = { .dict = dict };
 *     tr_verdicts_dump(&v, rank);                             a rank, number 0, 1, ...
 *     tr_verdicts_call(&v, &call); ... tr_verdicts_status(&v, &status);
 *     st = tr_verdicts_find(&v, &err);
 *     ...v.found[i]...
 *     tr_verdicts_free(&v);
 *
 * Calls of a process group are compared by their number in the group, never by their place in a dump: a dump has the
 * last calls only, and each rank has other groups.  Numbers below the largest first one that a member still has are not
 * compared.  The lowest number that a member has not completed decides, by the first of these that holds:
 *
 *     missing_rank    a member never called it, although others wait in it
 *     type_mismatch   members call different operations; size_mismatch, dtype_mismatch: of different sizes or types
 *     undecided       the dump of a member is missing, or has only calls that are not complete
 *     stuck           all called the same: the network, or a device
 *
 * A send and its receive are compared in the order of their two ranks.  If each rank that is at fault in a group waits
 * in another group, the first one only follows that one; groups that follow each other in a circle are a deadlock.  Of
 * several calls that one rank lacks, the first that others waited in is the cause.
 */
#ifndef TR_VERDICT_H
#define TR_VERDICT_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "stream/tr_dict.h"

enum tr_verdict_kind {
    TR_VERDICT_MISSING, TR_VERDICT_TYPE, TR_VERDICT_SIZE, TR_VERDICT_DTYPE, TR_VERDICT_UNDECIDED, TR_VERDICT_STUCK,
    TR_VERDICT_FOLLOWER, TR_VERDICT_DEADLOCK, TR_VERDICT_NONE
};
/* Its name in tables. */
const char *tr_verdict_name(enum tr_verdict_kind kind);

enum tr_verdict_state { TR_CALL_SCHEDULED, TR_CALL_STARTED, TR_CALL_COMPLETED };

/* A process group: numbers of texts; ranks: "[0, 1, 2]", TR_NO_STR: unknown. */
struct tr_verdict_group {
    uint32_t name, desc, ranks;
};

/* A call of a rank.  Texts are numbers of the dictionary, TR_NO_STR: absent. */
struct tr_verdict_call {
    uint32_t group, dump;
    bool p2p;
    uint8_t state;  /* enum tr_verdict_state */
    int64_t number; /* in its group */
    int64_t ts;
    uint32_t name;  /* "nccl:all_reduce", "nccl:send 0->1" */
    uint32_t in_sizes, out_sizes, in_types, out_types; /* "[[4,8],[2]]", "[\"Float\"]" */
    uint32_t where; /* in the program */
};

/* What a rank says of a group itself; TR_I64_NONE: nothing. */
struct tr_verdict_status {
    uint32_t group, dump;
    bool before; /* the rank has completed a call of some group */
    int64_t enqueued, completed;
};

struct tr_verdict_ranks {
    int64_t *v;
    size_t n, cap;
};

/* What was found of a group. */
struct tr_verdict {
    enum tr_verdict_kind kind, own; /* own: before it became a follower or a deadlock */
    uint32_t group;
    int64_t number;      /* of the call; TR_I64_NONE: it has none */
    bool p2p;
    uint32_t call;       /* the text of the call as most ranks have it */
    struct tr_verdict_ranks culprits, waiting;
    uint32_t follows;    /* number of a verdict; UINT32_MAX: none */
    struct tr_buf expected, seen, where; /* texts; empty: unknown */
    int64_t since;       /* the first call of those that wait; TR_TIME_NONE: unknown */
};

struct tr_verdicts {
    const struct tr_dict *dict;
    struct tr_verdict_group *groups;
    struct tr_verdict_call *calls;
    struct tr_verdict_status *statuses;
    int64_t *ranks; /* by dump */
    bool *active;   /* by dump: it has only calls that are not complete; by tr_verdicts_find */
    size_t *last;   /* by dump: its last call, SIZE_MAX: none; by tr_verdicts_find */
    size_t n_groups, cap_groups, n_calls, cap_calls, n_statuses, cap_statuses, n_dumps, cap_dumps;
    struct tr_verdict *found; /* groups with a fault, in the order of the groups; by tr_verdicts_find */
    size_t n_found, cap_found;
};

/* Add a rank, a group, a call, a status.  False: out of memory. */
bool tr_verdicts_dump(struct tr_verdicts *v, int64_t rank);
bool tr_verdicts_group(struct tr_verdicts *v, const struct tr_verdict_group *g, uint32_t *number);
bool tr_verdicts_call(struct tr_verdicts *v, const struct tr_verdict_call *c);
bool tr_verdicts_status(struct tr_verdicts *v, const struct tr_verdict_status *s);

/* Compare all of them; once.  TR_OK or TR_SYSTEM. */
enum tr_status tr_verdicts_find(struct tr_verdicts *v, struct tr_error *err);
void tr_verdicts_free(struct tr_verdicts *v);

/* Append ranks as "0-3 7".  False: out of memory. */
bool tr_verdict_ranks_text(const struct tr_verdict_ranks *r, struct tr_buf *out);

#endif
