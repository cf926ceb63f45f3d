/* SPDX-License-Identifier: MIT */
/*
 * What tells rows of operators apart beside their names: arguments, the spans around a call, the module, the thread.
 * Internal to tr_operators.c and tr_operators_saved.c.
 */
#ifndef TR_OPERATOR_KEYS_INT_H
#define TR_OPERATOR_KEYS_INT_H

#include "analysis/tr_operators.h"
#include "base/tr_strtab.h"
#include "model/tr_call_path.h"
#include "model/tr_eventmap.h"
#include "stream/tr_args.h"

/* A span around a call, and those around it. */
struct tr__frame {
    uint32_t outer, name; /* outer UINT32_MAX: there is none */
    uint32_t level;       /* so many are around it */
    uint32_t top;         /* the innermost frame of it that is among the outermost TR__STACK_ENDS */
};

/* So many names of a stack are shown from either end; in between stands how many there are more. */
#define TR__STACK_ENDS 128u

struct tr__operator_keys {
    const struct tr_dict *dict;
    unsigned by;
    struct tr_strtab *texts; /* modules and threads */
    uint32_t *thread_of, *module_of; /* by track, by name: number in texts + 1; 0: not asked yet */
    size_t n_thread, cap_thread, n_module, cap_module;
    struct tr__frame *frames;
    size_t n_frames, cap_frames;
    struct tr_eventmap frame_of;
    struct tr_arg dims, types, strides, args; /* of the events of a batch */
};

/* False: out of memory. */
bool tr__operator_keys_init(struct tr__operator_keys *k, unsigned by, const struct tr_dict *dict);
void tr__operator_keys_free(struct tr__operator_keys *k);
bool tr__operator_keys_batch(struct tr__operator_keys *k, const struct tr_batch *b);

/* The key of call i, without its group. */
bool tr__operator_key(struct tr__operator_keys *k, const struct tr_batch *b, size_t i, const struct tr_callpath *path,
                      struct tr_operator_key *key);

bool tr__operator_stack(const struct tr__operator_keys *k, uint32_t stack, struct tr_buf *out);

/* All of it, as a list of tr_partial_list_add. */
bool tr__operator_stack_list(const struct tr__operator_keys *k, uint32_t stack, struct tr_buf *out);

/* The frame of a name inside of another, UINT32_MAX: of none. */
bool tr__operator_inner_frame(struct tr__operator_keys *k, uint32_t outer, uint32_t name, uint32_t *frame);

/* For loading: what rows are added to. */
struct tr__operator_keys *tr__operators_keys(struct tr_operators *a);
struct tr_group_by *tr__operators_groups(struct tr_operators *a);
struct tr_operator_row *tr__operators_row(struct tr_operators *a, const struct tr_operator_key *key);
void tr__operators_set_where(struct tr_operators *a, bool where);

#endif
