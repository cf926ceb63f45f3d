/* SPDX-License-Identifier: MIT */
/*
 * A list of free places in an array, for things that come and go while a trace is read, such as open calls.
 *
 *     struct tr_freelist places = { 0 };
 *     struct call *calls = NULL;
 *     uint32_t i = tr_freelist_take(&places, &calls, sizeof *calls);
 *     calls[i] = ...
 *     tr_freelist_give(&places, i);
 *
 * The array and its contents belong to the caller; the array may move when a place is taken.  The place that was freed
 * last is taken first.  Zero-initialise; not shared between threads.
 */
#ifndef TR_FREELIST_H
#define TR_FREELIST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_freelist {
    size_t n, cap; /* number of places, with the free ones, and capacity of the array */
    uint32_t *unused;
    size_t n_unused, cap_unused;
};

#define TR_FREELIST_NONE UINT32_MAX

/* A place in the array at *(T **)array, whose elements have elem bytes; TR_FREELIST_NONE: out of memory. */
uint32_t tr_freelist_take(struct tr_freelist *f, void *array, size_t elem);

/* Free a place.  This never fails. */
static inline void tr_freelist_give(struct tr_freelist *f, uint32_t place)
{
    f->unused[f->n_unused++] = place;
}

static inline size_t tr_freelist_used(const struct tr_freelist *f)
{
    return f->n - f->n_unused;
}

/* Release the list; the array is the caller's. */
void tr_freelist_free(struct tr_freelist *f);

#ifdef __cplusplus
}
#endif
#endif
