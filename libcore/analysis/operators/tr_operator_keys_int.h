/* SPDX-License-Identifier: MIT */
/*
 * Keys of operator rows in addition to the name: arguments, the spans around a call, the module, the thread.  Internal
 * to this folder.
 */
#ifndef TR_OPERATOR_KEYS_INT_H
#define TR_OPERATOR_KEYS_INT_H

#include "analysis/operators/tr_operators.h"
#include "base/tr_hash.h"
#include "base/tr_strtab.h"
#include "model/calls/tr_call_path.h"
#include "model/calls/tr_stacks.h"
#include "model/tr_steps.h"
#include "stream/tr_args.h"
#include "stream/tr_number_map.h"

struct tr__operator_keys {
    const struct tr_dict *dict;
    unsigned by;
    struct tr_strtab *texts; /* modules and threads */
    uint32_t *thread_of, *module_of; /* by track, by name: number in texts + 1; 0: not looked up yet */
    size_t n_thread, cap_thread, n_module, cap_module;
    struct tr_number_map roles; /* by name */
    uint32_t recompute[2];      /* "no" and "yes" in texts + 1; 0: not added yet */
    struct tr_stacks stacks;
    struct tr_buf room; /* for a path of modules */
    struct tr_steps *steps; /* NULL: phases are no key */
    struct tr_arg hlo_op, hlo_module, hlo_operation, dims, types, strides, args; /* of the events of a batch */
    struct tr_arg program; /* that a span of the host runs */
    struct tr_arg fqn; /* the module that device work names */
    bool operators; /* there are operators */
    bool python; /* there are Python frames */
    bool programs; /* or programs of XLA, which are modules, too */
    bool shapes; /* a call of an operator has shapes */
};

/* False: out of memory. */
bool tr__operator_keys_init(struct tr__operator_keys *k, unsigned by, const struct tr_dict *dict,
                            const struct tr_summary *summary);
void tr__operator_keys_free(struct tr__operator_keys *k);
bool tr__operator_keys_batch(struct tr__operator_keys *k, const struct tr_batch *b);

/* Is a span of this activity a call of an operator? */
static inline bool tr__is_operator(unsigned activity)
{
    return activity == TR_ACT_CPU_OP || activity == TR_ACT_COMM_RECORD;
}

/* The key of call i, without its group.  A call that is not an operator's has the key of its XLA operation. */
bool tr__operator_key(struct tr__operator_keys *k, const struct tr_batch *b, size_t i, const struct tr_callpath *path,
                      struct tr_operator_key *key);

/* What the keys of calls inside launch i of a graph have in common: around them are the spans around it, and itself. */
bool tr__operator_key_around(struct tr__operator_keys *k, const struct tr_batch *b, size_t i,
                             const struct tr_callpath *path, struct tr_operator_key *key);
/* The same inside a span of a capture, given by its name and activity.  False: out of memory. */
bool tr__operator_key_inside(struct tr__operator_keys *k, uint32_t name, unsigned activity,
                             struct tr_operator_key *key);

/*
 * The path of modules around a call, outermost first: each the name of a Python frame with its number, or of an
 * annotation that has numbers of layers, as "layers.0.attention", which are layers.0 and attention.  Between them
 * stands this byte.
 */
#define TR__MODULE_IN '\x1f'
/* The modules around a span that is inside others, whose path is before; unchanged if it is no module.  False: out of
 * memory.  room: is changed. */
bool tr__module_path(struct tr_str name, unsigned activity, struct tr_str before, struct tr_buf *room);

/*
 * The module that device work i names in the arg module_fqn, as kernels of graphs do, + 1: with * for numbers, or the
 * path of modules.  0: it names none, or modules are no key.  False: out of memory.
 */
bool tr__operator_named_module(struct tr__operator_keys *k, size_t i, uint32_t *module);

/* The name that models know of call i; TR_NO_STR: that of its operator. */
uint32_t tr__operator_model(const struct tr__operator_keys *k, const struct tr_batch *b, size_t i);

/* The annotation of the step around a call; TR_NO_STR: none. */
uint32_t tr__operator_step(const struct tr__operator_keys *k, const struct tr_callpath *path);

#endif
