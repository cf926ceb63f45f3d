/* SPDX-License-Identifier: MIT */
/*
 * Memory over time, from events about allocations.
 *
 * An event of activity memory_instant (Kineto's [memory]; entries of memory timelines) says that Bytes were allocated,
 * or freed if the number is negative.  A *pool* is the memory of one device in one source.  Device Type 0 is the host;
 * other devices are identified by Device Id.  The allocated memory of a pool is split by *category*:
 *
 *   TR_MEMORY_CATEGORY   as in the event (args Category: Activation, Gradient ...)
 *   TR_MEMORY_OPERATOR   the innermost operator that was open on the thread when the memory was allocated,
 *                        leaving out aten::empty and its variants, which others call to get memory
 *   TR_MEMORY_TOP        the outermost operator
 *   TR_MEMORY_ANNOTATION the innermost host annotation
 *   TR_MEMORY_ALL        one category for everything
 *
 * A free belongs to the category of its allocation, which is found by Addr.  Without Addr, it belongs to the category
 * in the event itself.  If events have Total Allocated, this is the allocated memory of the pool.  The part of it that
 * no allocation in the trace explains has no category; most often, it is older than the trace.  Without Total
 * Allocated, the allocated memory is the sum of all Bytes so far.  Reserved is args Total Reserved: the memory that the
 * allocator has.
 *
 * All events change the state.  The selection decides the moments that are reported; suspect events are not reported.
 *
 * One pass in canonical order.  Memory: 40 to 70 bytes per live allocation, 100 per category of a pool, and the open
 * spans of each thread.  Sums stop at the bounds of int64.
 */
#ifndef TR_MEMORY_H
#define TR_MEMORY_H

#include "base/tr_status.h"
#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_memory_by {
    TR_MEMORY_CATEGORY,
    TR_MEMORY_OPERATOR,
    TR_MEMORY_TOP,
    TR_MEMORY_ANNOTATION,
    TR_MEMORY_ALL,
};

#define TR_MEMORY_NONE INT64_MIN /* an unknown number of bytes, device or step */

struct tr_memory_pool {
    uint32_t source;
    int64_t rank;   /* -1: unknown */
    int64_t device; /* TR_MEMORY_NONE: unknown, or the host */
    bool host;
};

/* The memory of a category of a pool at one time. */
struct tr_memory_row {
    struct tr_memory_pool pool;
    int64_t ts;             /* ns; TR_TIME_NONE: before the trace */
    uint32_t category;      /* string number; TR_NO_STR: none */
    int64_t allocated;      /* bytes, of the category */
    int64_t total;          /* bytes, of the pool */
    int64_t reserved;       /* bytes, of the pool, or TR_MEMORY_NONE */
    uint64_t n_allocations; /* live allocations of the category that are in the trace */
};

/* Sums of a pool, or of a step of a pool. */
struct tr_memory_sum {
    struct tr_memory_pool pool;
    int64_t step; /* TR_MEMORY_NONE: none, or not per step */
    uint64_t n_allocs, n_frees;
    uint64_t n_unmatched;              /* frees of memory that was not allocated in the trace */
    int64_t allocated, freed, largest; /* bytes: sums of both, the largest allocation */
    int64_t start, end, growth; /* bytes allocated before the first event and after the last */
    int64_t peak, peak_ts;      /* the maximum, and when it was first reached */
    int64_t reserved,
        unused;      /* the largest values; unused: reserved - allocated; TR_MEMORY_NONE: unknown */
    uint64_t n_live; /* allocations of this group that are not freed in the trace */
    int64_t live;    /* bytes, of those */
    bool addresses;  /* frees can be matched with allocations, so n_unmatched, n_live and live are valid */
};

/* Called with a row for each category that was allocated or freed at a time, after this time. */
typedef enum tr_status tr_memory_change_fn(void *self, const struct tr_memory_row *row,
                                           struct tr_error *err);

struct tr_memory_opts {
    enum tr_memory_by by;
    bool per_step;               /* sums are those of steps */
    bool suspect;                /* also report suspect events */
    bool timed;                  /* the selection tests times, so moments without a time are not reported */
    tr_memory_change_fn *change; /* NULL: changes are not needed */
    void *change_self;
};

struct tr_memory;

/* summary: for steps, used only during this call.  NULL: out of memory. */
struct tr_memory *tr_memory_new(const struct tr_memory_opts *opts, const struct tr_dict *dict,
                                const struct tr_summary *summary);
void tr_memory_free(struct tr_memory *a);

/* The next batch; keep: one byte per event, NULL: all.  TR_OK, TR_SYSTEM, or what change returns. */
enum tr_status tr_memory_feed(struct tr_memory *a, const struct tr_batch *b, const uint8_t *keep,
                              struct tr_error *err);

/* After the last batch, once, before the functions below. */
enum tr_status tr_memory_finish(struct tr_memory *a, struct tr_error *err);

/*
 * The memory of each pool at its peak (the first one of equal peaks), or after the last selected event.  Pools are in
 * the order of rank and device, the host last.  In a pool, the largest category comes first, then by name; empty ones
 * are left out.  Owner: the analysis, until the next call.
 */
enum tr_status tr_memory_peak(struct tr_memory *a, const struct tr_memory_row **rows, size_t *n,
                              struct tr_error *err);
enum tr_status tr_memory_end(struct tr_memory *a, const struct tr_memory_row **rows, size_t *n,
                             struct tr_error *err);

/* Sums of pools, in the same order; in a pool, by step.  Owner: as above. */
enum tr_status tr_memory_sums(struct tr_memory *a, const struct tr_memory_sum **rows, size_t *n,
                              struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
