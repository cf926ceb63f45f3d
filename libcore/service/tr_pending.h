/* SPDX-License-Identifier: MIT */
/*
 * Pending launches: launch calls of which not all device work has come yet, and those that have not come themselves
 * although work of theirs has, because clocks of hosts and devices differ.  What is known of each is the user's.
 *
 *     static const struct launch none = { .owner = NOBODY };
 *     tr_pending_init(&p, dict, &none, sizeof none);
 *     tr_pending_batch(&p, b);
 *     a launch call:   tr_pending_call(&p, b, i, true, &n);
 *                      if (n != TR_PENDING_NONE) {
 *                          struct launch *l = tr_pending_at(&p, n);     keep its owner, and settle the work in it
 *                          tr_pending_settle(&p, n);
 *                      }
 *     device work:     tr_pending_work(&p, b, i, &n);
 *                      if (n != TR_PENDING_NONE) {
 *                          use the owner, if tr_pending_has_come(&p, n), or else keep the work in it
 *                          tr_pending_settle(&p, n);
 *                      }
 *
 * Work without a known launch has no entry.  Nor has work whose call should have come before it, but has not: a filter
 * has left it out, or the user did not want it.
 *
 * Memory: 24 bytes for each entry, and what the user keeps; 32 bytes for each event of a batch.  One thread at a time.
 */
#ifndef TR_PENDING_H
#define TR_PENDING_H

#include "base/tr_freelist.h"
#include "model/tr_eventmap.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_PENDING_NONE UINT32_MAX

struct tr_pending_entry {
    uint64_t left; /* work that has not come yet; of a call that has not come: its work that has come */
    uint64_t record;
    uint32_t source;
    bool come, used;
};

struct tr_pending {
    bool keep_all; /* set by the user: a call may be missing, or come at any time */
    int64_t *launch_record, *launch_track, *n_device; /* of this batch, by event */
    int64_t *launch_ts; /* the same: see tr_pending_times */
    bool has_ts;
    uint64_t n_lost; /* work whose call should have come */

    const struct tr_dict *dict;
    const void *none;
    size_t size;
    struct tr_pending_entry *entries;
    unsigned char *of_user;
    struct tr_freelist places;
    struct tr_eventmap entry_of;
    size_t cap_user, cap_ts, cap_record, cap_track, cap_device;
};

/* The columns that it reads, as bits of a projection. */
#define TR_PENDING_DERIVED                                                                                      \
    (1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK | 1u << TR_COL_N_DEVICE)

/* p is zero; dict and none, size bytes that a new entry starts with, are borrowed. */
void tr_pending_init(struct tr_pending *p, const struct tr_dict *dict, const void *none, size_t size);
void tr_pending_free(struct tr_pending *p);

/* Read the columns of the next batch.  False, here and below: out of memory. */
bool tr_pending_batch(struct tr_pending *p, const struct tr_batch *b);

/* Read launch_ts of the batch, too: most work finds its call without. */
bool tr_pending_times(struct tr_pending *p, const struct tr_batch *b);

/*
 * Launch call i comes.  wanted: its work that is still to come matters.  *n: its entry; TR_PENDING_NONE: none of its
 * work has come, and none is expected or wanted.
 */
bool tr_pending_call(struct tr_pending *p, const struct tr_batch *b, size_t i, bool wanted, uint32_t *n);

/* Has work of launch call i come? */
bool tr_pending_is_early(const struct tr_pending *p, const struct tr_batch *b, size_t i);

/* Device work i comes.  *n: the entry of its launch; TR_PENDING_NONE: see above. */
bool tr_pending_work(struct tr_pending *p, const struct tr_batch *b, size_t i, uint32_t *n);

/* Is the launch of event i known? */
static inline bool tr_pending_is_linked(const struct tr_pending *p, size_t i)
{
    return p->launch_track[i] != TR_I64_NONE && (uint64_t)p->launch_track[i] < p->dict->n_tracks;
}

/* Has the call of an entry come, and has all its work? */
static inline bool tr_pending_has_come(const struct tr_pending *p, uint32_t n)
{
    return p->entries[n].come;
}
static inline bool tr_pending_is_whole(const struct tr_pending *p, uint32_t n)
{
    return p->entries[n].come && !p->entries[n].left;
}

/* What the user keeps of an entry.  Valid until the next entry is made; also for entries that were removed. */
static inline void *tr_pending_at(const struct tr_pending *p, uint32_t n)
{
    return p->of_user + n * p->size;
}

/* Remove an entry whose call and work have all come; otherwise, do nothing. */
void tr__pending_remove(struct tr_pending *p, uint32_t n);
static inline void tr_pending_settle(struct tr_pending *p, uint32_t n)
{
    if (tr_pending_is_whole(p, n))
        tr__pending_remove(p, n);
}

/* For all entries at the end: numbers from 0 to places.n - 1; others are not used. */
static inline bool tr_pending_is_used(const struct tr_pending *p, uint32_t n)
{
    return p->entries[n].used;
}

#ifdef __cplusplus
}
#endif
#endif
