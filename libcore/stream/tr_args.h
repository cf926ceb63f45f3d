/* SPDX-License-Identifier: MIT */
/*
 * Members of events by key: the one reader of args.
 *
 * A member has a packed column for each type of its values, and the shape of an event says which members it has.  Each
 * shape is examined once.  After that, the cost of an event is a look at its shape, and one for each requested member.
 *
 * Several keys, for some events of a batch:
 *
 *     struct tr_args a = { .place = TR_PLACE_ARGS, .keys = keys, .n_keys = n };
 *     struct tr_arg_value v[n];
 *     tr_args_start(&a, b);
 *     for (size_t i = 0; i < b->n; i++) {
 *         if (...event i is of interest...)
 *             tr_args_get(&a, b, i, v);
 *         tr_args_pass(&a, b, i);
 *     }
 *     tr_args_free(&a);
 *
 * One key, of all events of a batch:
 *
 *     struct tr_arg a = { 0 };
 *     tr_arg_read(&a, b, TR_PLACE_ARGS, "bytes");
 *     ...tr_arg_int(&a, i)...
 *     tr_arg_free(&a);
 *
 * Both work for any number of batches, one after another.  They keep facts about the shapes of one dictionary.  When a
 * batch has another dictionary, they forget these facts.  Not shared between threads.
 */
#ifndef TR_ARGS_H
#define TR_ARGS_H

#include "base/tr_time.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_ARGS_MAX 32u /* keys of one reader */

/* A value as its column holds it: a double as its bits, a text as the number of a string. */
struct tr_arg_value {
    int64_t v;
    uint8_t type; /* enum tr_type + 1; 0: the event has no such member */
};

struct tr_args_slot {
    uint32_t column;   /* index in tr_args.columns; UINT32_MAX: null, false and true have no column */
    uint8_t key, type; /* type: as in struct tr_arg_value */
    bool is_text;
};

struct tr_args_shape { /* slots: n from first */
    uint32_t first, n;
    uint32_t strings; /* bit k: it has key k with a value of type TR_T_STRING */
};

struct tr_args_column {
    uint32_t column;  /* in the batch */
    size_t at, n;     /* entries passed in this batch, and those that it has */
    const void *data; /* the entries: int64_t, of texts uint32_t */
};

struct tr_args {
    enum tr_place place;
    const char *const *keys; /* borrowed, at most TR_ARGS_MAX */
    size_t n_keys;
    /* the rest is zero at first */
    const struct tr_dict *dict;
    struct tr_args_shape *shapes; /* by shape number */
    struct tr_args_slot *slots;
    struct tr_args_column *columns; /* those of the keys */
    size_t n_shapes, n_slots, n_columns;
    size_t cap_shapes, cap_slots, cap_columns;
    bool bare; /* a shape has a key whose value has no column */
};

/* Turn to a batch, at its first event.  False: out of memory. */
bool tr_args_start(struct tr_args *a, const struct tr_batch *b);
void tr_args_free(struct tr_args *a);

/*
 * The values of event i by key, when all events before it have been passed.
 * values  room for n_keys
 * False: a column ends before its events do; values without an entry are then absent.
 *
 * tr_args_take also passes the event.
 */
bool tr_args_take(struct tr_args *a, const struct tr_batch *b, size_t i, struct tr_arg_value *values);
bool tr_args_get(const struct tr_args *a, const struct tr_batch *b, size_t i, struct tr_arg_value *values);

/* Has event i this key with a value of type TR_T_STRING? */
static inline bool tr_args_has_string(const struct tr_args *a, const struct tr_batch *b, size_t i, unsigned key)
{
    return (a->shapes[b->shape[i]].strings >> key & 1u) != 0;
}

/* Move past event i. */
static inline void tr_args_pass(struct tr_args *a, const struct tr_batch *b, size_t i)
{
    const struct tr_args_shape *s = &a->shapes[b->shape[i]];
    for (uint32_t k = s->first; k < s->first + s->n; k++)
        if (a->slots[k].column != UINT32_MAX)
            a->columns[a->slots[k].column].at++;
}

/* The value as a whole number; TR_I64_NONE: it is not one, or there is no entry. */
static inline int64_t tr_arg_value_int(struct tr_arg_value v)
{
    return v.type == TR_T_INT + 1 ? v.v : TR_I64_NONE;
}

/* The string number of a text, or of a JSON list or object; TR_NO_STR: it is neither. */
static inline uint32_t tr_arg_value_text(struct tr_arg_value v)
{
    return v.type == TR_T_STRING + 1 || v.type == TR_T_JSON + 1 ? (uint32_t)v.v : TR_NO_STR;
}

struct tr_arg {
    struct tr_args of;
    const char *key;
    bool any;      /* an event of this batch has such a member; otherwise type and value are not set */
    bool cut;      /* a column ends before its events do: the rest is taken as absent */
    uint8_t *type; /* by event, as in struct tr_arg_value */
    int64_t *value;
    size_t cap_type, cap_value;
};

/* Read key, which is borrowed and the same each time, of all events.  False: out of memory. */
bool tr_arg_read(struct tr_arg *a, const struct tr_batch *b, enum tr_place place, const char *key);
void tr_arg_free(struct tr_arg *a);

static inline struct tr_arg_value tr_arg_at(const struct tr_arg *a, size_t i)
{
    struct tr_arg_value v = { 0, 0 };
    if (a->any && a->type[i]) {
        v.v = a->value[i];
        v.type = a->type[i];
    }
    return v;
}

static inline int64_t tr_arg_int(const struct tr_arg *a, size_t i)
{
    return a->any && a->type[i] == TR_T_INT + 1 ? a->value[i] : TR_I64_NONE;
}

static inline uint32_t tr_arg_text(const struct tr_arg *a, size_t i)
{
    return a->any ? tr_arg_value_text(tr_arg_at(a, i)) : TR_NO_STR;
}

#ifdef __cplusplus
}
#endif
#endif
