/* SPDX-License-Identifier: MIT */
/*
 * Calls of operators that can be made again: one for each set of arguments, bound to a schema (vendor/tr_schemas.h).
 *
 * Operators are those of tr_operators.h.  If the selection has device work, only calls that have some below them count;
 * else all calls count.  The longest device time comes first, then the longest host time.
 *
 * Memory: the rows of tr_operators.h, and one call at a time.
 */
#ifndef TR_REPLAY_H
#define TR_REPLAY_H

#include "engine/tr_analysis.h"
#include "vendor/tr_schemas.h"

struct tr_replay_call {
    struct tr_str name, dims, types, strides, args; /* as in the trace; no text: absent */
    uint64_t calls;
    int64_t device, device_self, host; /* ns; TR_TIME_NONE: does not fit */
    struct tr_bound bound;
};

struct tr_replay_options {
    struct tr_schemas *schemas;      /* borrowed */
    struct tr_name_test op;           /* operators that are shown */
    uint64_t limit;                   /* stop after so many calls that are not refused; 0: never */
    /* Takes the calls; then there are no rows.  NULL: calls are rows. */
    enum tr_status (*take)(void *self, const struct tr_replay_call *call, struct tr_error *err);
    void *self;
};
extern const struct tr_analysis tr_analysis_replay;

/*
 * Append arguments as JSON: only those with keywords, or only the others.  As one list for each, as in
 * [["self","Tensor",{...}]], or as objects with the members arg_name, arg_type and value.  False: out of memory.
 */
bool tr_replay_args(const struct tr_bound *b, bool keywords, bool objects, struct tr_buf *out);

#endif
