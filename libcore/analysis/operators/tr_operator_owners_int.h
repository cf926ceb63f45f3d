/* SPDX-License-Identifier: MIT */
/*
 * With which call of an operator does device work count, if each piece counts once?  With the call of the outermost
 * operator that has a model.  Internal to tr_operators.c, which reports when a call and all calls inside it are done.
 *
 *   a call with a model, not inside another such    all work below it
 *   a call without a model, but with one inside it  the work that it launched itself
 *   else                                            all work below the outermost call that launched some itself
 *
 * Does a call without a model have one inside it, and does it launch work itself?  This is known when it is done.
 * Until then, calls inside it that could have work of their own only claim it.
 *
 * With nested, each call with a model has all work below it, whatever is around it: work can then count twice.
 */
#ifndef TR_OPERATOR_OWNERS_INT_H
#define TR_OPERATOR_OWNERS_INT_H

#include "analysis/operators/tr_operators.h"
#include "base/tr_freelist.h"

#define TR__OWNERS_NONE UINT32_MAX

/* Of two first kernels the earlier one is the first. */
static inline void tr__opening_note(struct tr_operator_opening *o, struct tr_operator_opening other)
{
    if (other.start != TR_I64_NONE && (o->start == TR_I64_NONE || other.start < o->start))
        *o = other;
}

/* The state of a call until it is done. */
struct tr__owner_call {
    bool model;         /* it has a model */
    bool covered;       /* a call around it has one */
    bool model_below;   /* a call inside it has one */
    uint32_t first, last; /* claims inside it; TR__OWNERS_NONE: none */
};
#define TR__OWNER_CALL_INIT { .first = TR__OWNERS_NONE, .last = TR__OWNERS_NONE }

/* A call that is done: its key and its work. */
struct tr__owner_work {
    struct tr_operator_key key;
    int64_t own, all;        /* ns, lengths of unions */
    uint64_t n_own, n_all;   /* pieces */
    int64_t host, start;     /* its duration and its start */
    uint64_t record;
    uint32_t names;          /* of its own work, if names are requested */
    struct tr_operator_opening opening;
};

struct tr__claim {
    struct tr__owner_work work;
    uint32_t next;
};

struct tr__owners {
    struct tr_operator_models models;
    struct tr_rows *rows; /* struct tr_operator_owned */
    struct tr__claim *claims;
    struct tr_freelist places;
};

void tr__owners_free(struct tr__owners *o);

/* A call is done; around: the call around it, or NULL.  False: out of memory. */
bool tr__owners_done(struct tr__owners *o, struct tr__owner_call *c, struct tr__owner_call *around,
                     const struct tr__owner_work *work);

/* A call owns this much device work, with a length of ns.  False: out of memory. */
bool tr__owners_add(struct tr__owners *o, const struct tr__owner_work *work, int64_t ns, uint64_t pieces);

/* Work without a call; false: out of memory. */
bool tr__owners_nobody(struct tr__owners *o, const struct tr_operator_key *key, int64_t ns, uint64_t pieces);

#endif
