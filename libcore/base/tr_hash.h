/* SPDX-License-Identifier: MIT */
/*
 * A fast hash of bytes, and an index by hash of the entries of an array of the caller.
 *
 * The index maps hashes to numbers of entries, and does not see the entries.  To find an entry, walk the numbers that
 * share its hash and compare each entry.  To add one, put it into the array and its number into the index:
 *
 *     struct tr_hash_walk walk = tr_hash_index_walk(&t->index, hash);
 *     for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
 *         if (same(&t->entries[i], wanted))
 *             return i;
 *
 * Entries are never removed.  Each slot takes 8 bytes, each entry two to four slots.  Not shared between threads while
 * it grows.
 */
#ifndef TR_HASH_H
#define TR_HASH_H

#include "base/tr_spill.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- hashes: the same value on every machine; not for adversaries ---- */

static inline uint64_t tr_mix64(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 u128;
    u128 m = (u128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
#else
    uint64_t ah = a >> 32, al = (uint32_t)a, bh = b >> 32, bl = (uint32_t)b;
    uint64_t mid = ah * bl + ((al * bl) >> 32), mid2 = al * bh + (uint32_t)mid;
    return (a * b) ^ (ah * bh + (mid >> 32) + (mid2 >> 32));
#endif
}

static inline uint64_t tr_load64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

static inline uint64_t tr_hash(const void *data, size_t len)
{
    const unsigned char *p = (const unsigned char *)data;
    uint64_t h = 0x9e3779b97f4a7c15u ^ len;
    while (len > 16) {
        h = tr_mix64(tr_load64(p) ^ 0xa0761d6478bd642fu, tr_load64(p + 8) ^ h);
        p += 16;
        len -= 16;
    }
    uint64_t a = 0, b = 0;
    if (len >= 8) {
        a = tr_load64(p);
        b = tr_load64(p + len - 8);
    } else if (len >= 4) {
        uint32_t x, y;
        memcpy(&x, p, 4);
        memcpy(&y, p + len - 4, 4);
        a = x;
        b = y;
    } else if (len) {
        a = ((uint64_t)p[0] << 16) | ((uint64_t)p[len / 2] << 8) | p[len - 1];
    }
    return tr_mix64(a ^ 0xe7037ed1a0b428dbu, b ^ h ^ 0x8ebc6af09c88c6e3u);
}

/* ---- index ---- */

#define TR_HASH_NONE UINT32_MAX

struct tr_hash_slot {
    uint32_t number; /* of an entry, + 1; 0: empty */
    uint32_t tag;    /* upper half of its hash, which decides its slot */
};

struct tr_hash_index { /* zero-initialise; in.spill may be set before the first entry */
    struct tr_hash_slot *slots; /* NULL: empty */
    size_t n, mask;
    struct tr_spilling in;
};

struct tr_hash_walk {
    const struct tr_hash_index *index;
    uint32_t tag, at;
};

/* Start a walk over the entries whose hash may be this one.  It ends when an entry is added. */
static inline struct tr_hash_walk tr_hash_index_walk(const struct tr_hash_index *x, uint64_t hash)
{
    struct tr_hash_walk w = { x, (uint32_t)(hash >> 32), (uint32_t)(hash >> 32) };
    return w;
}

/* The number of the next entry, in the order in which they were added; TR_HASH_NONE: no more. */
static inline uint32_t tr_hash_index_next(struct tr_hash_walk *w)
{
    const struct tr_hash_index *x = w->index;
    if (!x->slots)
        return TR_HASH_NONE;
    for (;;) {
        struct tr_hash_slot s = x->slots[w->at++ & x->mask];
        if (!s.number)
            return TR_HASH_NONE;
        if (s.tag == w->tag)
            return s.number - 1;
    }
}

/* Add an entry; number is below UINT32_MAX.  False: out of memory, and nothing was added. */
bool tr_hash_index_add(struct tr_hash_index *x, uint64_t hash, uint32_t number);

size_t tr_hash_index_bytes(const struct tr_hash_index *x); /* memory held */
void tr_hash_index_free(struct tr_hash_index *x); /* empty afterwards */

#ifdef __cplusplus
}
#endif
#endif
