/* SPDX-License-Identifier: MIT */
/*
 * Adds events to a stream: an input with the events of another input, the base, and further events, in canonical order.
 * The numbers of the base do not change.
 *
 * The added events usually depend on the base, so the base is read twice: once to find them, and then together with
 * them.  The dictionary of the result is that of the base at its end, followed by rows for the added events.  So
 * numbers mean the same in both.
 *
 *     struct tr_dict *d = tr_dict_copy(in->dict);       after the first reading
 *     track = tr_dict_add_track(d, &...);  shape = tr_inject_shape(d, 'X', members, n);
 *     tr_inject_open(&all, again, d, &records, next, ctx, &err);
 *
 * Added events belong to sources of the base; their records follow those of the base, so that no two
 * events of a source are the same.  Memory: two batches.
 */
#ifndef TR_INJECT_H
#define TR_INJECT_H

#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An event to be added.  Numbers are those of the overlay's dictionary. */
struct tr_inject_event {
    int64_t ts, dur; /* ns of the stream; dur TR_TIME_NONE: none */
    uint32_t track, shape, name, cat;
    uint8_t phase, activity;
    const int64_t *values; /* one for each slot of the shape that has a packed column, in their order;
                              string numbers for columns that hold them */
};

/* A member of added events: one whose role is TR_ROLE_COLUMN has a packed column of its type, others fixed ones. */
struct tr_inject_member {
    const char *key;
    uint8_t place, role, type;
};
#define TR_INJECT_TOP(key, role, type)          \
    {                                           \
        key, TR_PLACE_TOP, TR_ROLE_##role, type \
    }
#define TR_INJECT_ARG(key, type)                 \
    {                                            \
        key, TR_PLACE_ARGS, TR_ROLE_COLUMN, type \
    }

/*
 * The shape of added events: JSON objects with phase ph ("X", "C", ...) and these members, in this
 * order, args before its members.  Returns its number in d, which gets the rows for it; UINT32_MAX: out of memory.
 */
uint32_t tr_inject_shape(struct tr_dict *d, char ph, const struct tr_inject_member *members, size_t n);

/*
 * The next event to add, in canonical order; it and its values stay valid until the next call.
 * TR_OK, TR_END after the last, or a failure.
 */
typedef enum tr_status tr_inject_next(void *ctx, struct tr_inject_event *event, struct tr_error *err);

/* One more than the highest record of each source of the batches seen so far; zero-initialise. */
struct tr_inject_records {
    uint64_t *next; /* by source */
    size_t n, cap;
};
bool tr_inject_see(struct tr_inject_records *r, const struct tr_batch *b); /* false: memory */
void tr_inject_records_free(struct tr_inject_records *r);

/*
 * base     in canonical order, at its start; the caller still owns it, and closes it after *out
 * dict     as above; borrowed
 * records  from the first reading; borrowed, and increased
 * next     gives the added events; ctx is passed to it
 *
 * The summary of the result is that of the base.  TR_OK; TR_DAMAGED: the base is not sorted, or has changed since the
 * first reading (noticed when it is read); TR_SYSTEM.
 */
enum tr_status tr_inject_open(struct tr_input **out, struct tr_input *base, const struct tr_dict *dict,
                              struct tr_inject_records *records, tr_inject_next *next, void *ctx, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
