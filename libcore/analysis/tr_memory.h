/* SPDX-License-Identifier: MIT */
/*
 * Memory over time, from events about allocations.
 *
 * An event of activity memory_instant (Kineto's [memory]; entries of memory timelines) says that Bytes were
 * allocated, or freed if negative.  A *pool* is the memory of one device in one source: Device Type 0 is the
 * host, others are told apart by Device Id.  What is allocated in a pool is split by *category*:
 *
 *   TR_MEMORY_CATEGORY   what the event says (args Category: Activation, Gradient ...)
 *   TR_MEMORY_OPERATOR   the innermost operator that was open on the thread when the memory was allocated,
 *                        leaving out aten::empty and its variants, which others call to get memory
 *   TR_MEMORY_TOP        the outermost operator
 *   TR_MEMORY_ANNOTATION the innermost host annotation
 *   TR_MEMORY_ALL        one for all
 *
 * A free belongs to the category of its allocation, which is found by Addr; without Addr, to the category that
 * the event itself names.  If events carry Total Allocated, that is what is allocated in the pool; the part of
 * it that no allocation in the trace explains (most often it is older than the trace) has no category.
 * Without, it is the sum of all Bytes so far.  Reserved is args Total Reserved: what the allocator holds.
 *
 * All events change the state.  The selection decides the moments that are reported; suspect events are not reported.
 *
 * One pass in canonical order; memory: 40 to 70 bytes per live allocation, 100 per category of a pool, and what
 * is open at one time on each thread.  Sums end at the bounds of int64.
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

#define TR_MEMORY_NONE INT64_MIN /* a number of bytes, a device, a step that is not known */

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
    uint64_t n_allocations; /* live ones of the category that the trace has */
};

/* A pool, or a step of it, in sum. */
struct tr_memory_sum {
    struct tr_memory_pool pool;
    int64_t step; /* TR_MEMORY_NONE: none, or not per step */
    uint64_t n_allocs, n_frees;
    uint64_t n_unmatched;              /* frees of memory that was not allocated in the trace */
    int64_t allocated, freed, largest; /* bytes: sums of both, the largest allocation */
    int64_t start, end, growth; /* bytes allocated before the first event and after the last */
    int64_t peak, peak_ts;      /* the most, and when it was first reached */
    int64_t reserved,
        unused;      /* the most; unused: reserved - allocated; TR_MEMORY_NONE: not known */
    uint64_t n_live; /* allocations of this group that are not freed in the trace */
    int64_t live;    /* bytes, of those */
    bool addresses;  /* frees can be told: n_unmatched, n_live, live mean something */
};

/* Takes a row for each category that was allocated or freed at a time, when the time has passed. */
typedef enum tr_status tr_memory_change_fn(void *self, const struct tr_memory_row *row,
                                           struct tr_error *err);

struct tr_memory_opts {
    enum tr_memory_by by;
    bool per_step;               /* sums are those of steps */
    bool suspect;                /* also report suspect events */
    bool timed;                  /* the selection is about times: moments without a time are not reported */
    tr_memory_change_fn *change; /* NULL: changes are not needed */
    void *change_self;
};

struct tr_memory;

/* summary: for steps, looked at here only; NULL: out of memory. */
struct tr_memory *tr_memory_new(const struct tr_memory_opts *opts, const struct tr_dict *dict,
                                const struct tr_summary *summary);
void tr_memory_free(struct tr_memory *a);

/* The next batch; keep: one byte per event, NULL: all.  TR_OK, TR_SYSTEM, or what change returns. */
enum tr_status tr_memory_feed(struct tr_memory *a, const struct tr_batch *b, const uint8_t *keep,
                              struct tr_error *err);

/* After the last batch, once, before what follows. */
enum tr_status tr_memory_finish(struct tr_memory *a, struct tr_error *err);

/*
 * The memory of each pool at its peak (the first, of equal ones), or after the last selected event.  Pools are by
 * rank and device, the host last; the categories of a pool that are not empty are the largest first, then by name.
 * Owner: the analysis, until the next call.
 */
enum tr_status tr_memory_peak(struct tr_memory *a, const struct tr_memory_row **rows, size_t *n,
                              struct tr_error *err);
enum tr_status tr_memory_end(struct tr_memory *a, const struct tr_memory_row **rows, size_t *n,
                             struct tr_error *err);

/* Pools in the same order, there by step.  Owner: likewise. */
enum tr_status tr_memory_sums(struct tr_memory *a, const struct tr_memory_sum **rows, size_t *n,
                              struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
