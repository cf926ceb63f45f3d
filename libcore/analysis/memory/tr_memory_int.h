/* SPDX-License-Identifier: MIT */
/*
 * The internal state of the analysis of memory.  Internal to libcore.
 *
 *   tr_memory.c         the state of pools while events are read
 *   tr_memory_event.c   the data of an event, and the spans that were open at its time
 *   tr_memory_rows.c    rows of the result
 */
#ifndef TR_MEMORY_INT_H
#define TR_MEMORY_INT_H

#include "analysis/memory/tr_memory.h"

#include "base/tr_freelist.h"
#include "base/tr_mem.h"
#include "base/tr_strtab.h"
#include "model/tr_eventmap.h"
#include "model/tr_open_spans.h"
#include "model/tr_steps.h"
#include "stream/tr_args.h"

/* The data of an allocation event. */
struct tr__alloc {
    int64_t bytes, addr, total, reserved, device_type, device_id; /* TR_MEMORY_NONE: unknown */
    uint32_t category;
};

/* The args of allocation events. */
enum tr__memory_arg {
    TR__BYTES,
    TR__ADDR,
    TR__TOTAL,
    TR__RESERVED,
    TR__DEVICE_TYPE,
    TR__DEVICE_ID,
    TR__CATEGORY,
    TR__N_ARGS
};

struct tr__alloc_reader {
    const struct tr_dict *dict;
    enum tr_memory_by by;
    struct tr_args args;
    struct tr_open_spans *nest; /* tag: string number of the name */
};

bool tr__alloc_reader_init(struct tr__alloc_reader *r, const struct tr_dict *dict,
                           enum tr_memory_by by);
void tr__alloc_reader_free(struct tr__alloc_reader *r);
/* Start a new batch; *any: it has allocation events.  False: out of memory. */
bool tr__alloc_reader_batch(struct tr__alloc_reader *r, const struct tr_batch *b, bool *any);
/* Keep a span while it is open, if categories are names of such spans.  False: out of memory. */
bool tr__alloc_reader_open(struct tr__alloc_reader *r, const struct tr_batch *b, size_t i);
/* Are they? */
static inline bool tr__alloc_reader_opens(const struct tr__alloc_reader *r)
{
    return r->by == TR_MEMORY_ANNOTATION || r->by == TR_MEMORY_OPERATOR || r->by == TR_MEMORY_TOP;
}
/* Read an allocation event, and pass it.  All events before it must have been passed.  False: out of memory. */
bool tr__alloc_reader_take(struct tr__alloc_reader *r, const struct tr_batch *b, size_t i,
                           struct tr__alloc *alloc);

/* Moments of a pool for which there are results: its peak so far, and its last selected event so far. */
enum tr__moment { TR__PEAK, TR__END, TR__N_MOMENTS };

struct tr__moment_of_pool {
    int64_t ts, total, reserved;
    uint64_t n; /* how often it was moved to a later time; 0: there is none yet */
};

struct tr__pool {
    struct tr_memory_pool who;
    int64_t total, explained; /* explained: by accounts with a category */
    int64_t reserved;
    struct tr__moment_of_pool moments[TR__N_MOMENTS];
    uint32_t rest; /* the account without category */
};

/*
 * The memory of a category of a pool.  At its first change after a moment, its values at this moment are saved in
 * aside.  So a new moment costs nothing for categories that do not change.
 */
struct tr__account {
    uint32_t pool, category;
    int64_t bytes;
    uint64_t n;
    struct {
        uint64_t
            of; /* the n of the moment that this is for; if the present n differs, there was no change since */
        int64_t bytes;
        uint64_t n;
    } aside[TR__N_MOMENTS];
    bool changed; /* at the present time; if so, it is in the list of changed accounts */
};

struct tr__live {
    int64_t bytes;
    uint32_t account, sum; /* sum: UINT32_MAX: of an event that was not selected */
};

struct tr_memory {
    struct tr_memory_opts opts;
    const struct tr_dict *dict;
    struct tr__alloc_reader reader;
    struct tr_steps *steps;
    struct tr_strtab *pool_keys, *account_keys, *sum_keys;
    struct tr__pool *pools;
    struct tr__account *accounts;
    struct tr_memory_sum *sums;
    size_t n_pools, cap_pools, n_accounts, cap_accounts, n_sums, cap_sums;
    uint32_t last_pool; /* of the event before; there is none before the first pool */
    struct {
        uint32_t sum, pool;
        int64_t step;
    } last; /* of the last selected event, likewise */
    struct tr_eventmap addresses; /* (pool, address) to a place in live */
    struct tr__live *live;
    struct tr_freelist places; /* in live */
    uint32_t *changed; /* accounts, at time now */
    size_t n_changed, cap_changed;
    int64_t now;
    struct tr_memory_row *rows;
    struct tr_memory_sum *sorted;
};

/* a + b, limited to the range of int64 without TR_MEMORY_NONE. */
static inline int64_t tr__memory_add(int64_t a, int64_t b)
{
    if (b > 0 && a > INT64_MAX - b)
        return INT64_MAX;
    if (b < 0 && a < INT64_MIN + 1 - b)
        return INT64_MIN + 1;
    return a + b;
}

#endif
