/* SPDX-License-Identifier: MIT */
/*
 * Inside of the analysis of memory.  Internal to libcore.
 *
 *   tr_memory.c         the state of pools, while events pass
 *   tr_memory_event.c   what an event says, and what was open when it happened
 *   tr_memory_rows.c    rows of the result
 */
#ifndef TR_MEMORY_INT_H
#define TR_MEMORY_INT_H

#include "analysis/tr_memory.h"

#include "base/tr_freelist.h"
#include "base/tr_mem.h"
#include "base/tr_strtab.h"
#include "model/tr_eventmap.h"
#include "model/tr_open_spans.h"
#include "model/tr_steps.h"
#include "stream/tr_args.h"

/* What an allocation event says. */
struct tr__alloc {
    int64_t bytes, addr, total, reserved, device_type, device_id; /* TR_MEMORY_NONE: does not say */
    uint32_t category;
};

/* Args that tell of allocations. */
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
/* Turn to a batch; *any: it has allocation events.  False: out of memory. */
bool tr__alloc_reader_batch(struct tr__alloc_reader *r, const struct tr_batch *b, bool *any);
/* Have a span remembered while it is open, if categories are such.  False: out of memory. */
bool tr__alloc_reader_open(struct tr__alloc_reader *r, const struct tr_batch *b, size_t i);
/* Read an allocation event, when all before it have been passed, and pass it.  False: out of memory. */
bool tr__alloc_reader_take(struct tr__alloc_reader *r, const struct tr_batch *b, size_t i,
                           struct tr__alloc *alloc);

/* Moments of a pool that are asked for afterwards: its peak so far, its last selected event so far. */
enum tr__moment { TR__PEAK, TR__END, TR__N_MOMENTS };

struct tr__moment_of_pool {
    int64_t ts, total, reserved;
    uint64_t n; /* how often it has come, each time later; 0: never */
};

struct tr__pool {
    struct tr_memory_pool who;
    int64_t total, explained; /* explained: by accounts with a category */
    int64_t reserved;
    struct tr__moment_of_pool moments[TR__N_MOMENTS];
    uint32_t rest; /* the account without category */
};

/*
 * What a category of a pool holds.  What it held at a moment is put aside when it changes for the first time
 * after it: so a moment that comes again and again costs nothing for the categories that stand still.
 */
struct tr__account {
    uint32_t pool, category;
    int64_t bytes;
    uint64_t n;
    struct {
        uint64_t
            of; /* the n of the moment that this belongs to; another one: nothing has changed since */
        int64_t bytes;
        uint64_t n;
    } aside[TR__N_MOMENTS];
    bool changed; /* at the present time; stands in the list of those */
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
    struct tr_eventmap addresses; /* (pool, address) to a place in live */
    struct tr__live *live;
    struct tr_freelist places; /* in live */
    uint32_t *changed; /* accounts, at time now */
    size_t n_changed, cap_changed;
    int64_t now;
    struct tr_memory_row *rows;
    struct tr_memory_sum *sorted;
};

/* a + b, within the bounds of int64 and above TR_MEMORY_NONE. */
static inline int64_t tr__memory_add(int64_t a, int64_t b)
{
    if (b > 0 && a > INT64_MAX - b)
        return INT64_MAX;
    if (b < 0 && a < INT64_MIN + 1 - b)
        return INT64_MIN + 1;
    return a + b;
}

#endif
