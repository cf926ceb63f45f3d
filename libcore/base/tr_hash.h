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
 *
 * With a spill (base/tr_spill.h), slots go to a file when memory is short.  New ones are gathered in memory.  When it
 * is full, they are written in the order of the file, each of its pages at most once.
 */
#ifndef TR_HASH_H
#define TR_HASH_H

#include "base/tr_int128.h"
#include "base/tr_spill.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- hashes: the same value in every run; not for adversaries ---- */

static inline uint64_t tr_mix64(uint64_t a, uint64_t b)
{
    struct tr_u128 m = tr_u128_mul(a, b);
    return m.lo ^ m.hi;
}

static inline uint64_t tr_load64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

/* Are n bytes the same?  For short texts, where a call of memcmp takes longer than the comparison. */
static inline bool tr_same_bytes(const void *a, const void *b, size_t n)
{
    const char *x = (const char *)a, *y = (const char *)b;
    if (n >= 8) {
        for (size_t i = 0; i + 8 <= n; i += 8)
            if (tr_load64(x + i) != tr_load64(y + i))
                return false;
        return tr_load64(x + n - 8) == tr_load64(y + n - 8);
    }
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return false;
    return true;
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
    uint32_t tag;    /* from its hash; its upper bits choose the slot, so slots are in the order of tags */
};

struct tr__hash_file; /* the slots that are not in memory */

struct tr_hash_index { /* zero-initialise; spill may be set before the first entry */
    struct tr_hash_slot *slots; /* NULL: none in memory */
    size_t n, mask;             /* entries in memory; slots, - 1 */
    unsigned shift;             /* right shift from a tag to its slot */
    struct tr_spill *spill;     /* NULL: memory only */
    uint64_t held;              /* bytes taken of its memory */
    struct tr__hash_file *file; /* NULL: all are in memory */
};

#define TR__HASH_READ 8u /* slots read from a file at a time, all within a page */

struct tr_hash_walk {
    const struct tr_hash_index *index;
    uint32_t tag, at;
    bool in_file; /* the walk is still in the file; its next slot there is file_at */
    uint32_t file_at, n_some;
    struct tr_hash_slot some[TR__HASH_READ]; /* the last n_some of these have not been compared yet */
};

static inline uint32_t tr__hash_tag(uint64_t hash)
{
    return (uint32_t)(hash >> 32) * 0x9e3779b1u; /* mixes the lower bits into the upper ones */
}

void tr__hash_file_walk(struct tr_hash_walk *w); /* internal: start in the file */
uint32_t tr__hash_file_next(struct tr_hash_walk *w);

/* Start a walk over the entries that may have this hash.  It is invalid after an entry is added. */
static inline struct tr_hash_walk tr_hash_index_walk(const struct tr_hash_index *x, uint64_t hash)
{
    struct tr_hash_walk w;
    w.index = x;
    w.tag = tr__hash_tag(hash);
    w.at = x->slots ? w.tag >> x->shift : 0;
    w.in_file = x->file != NULL;
    if (w.in_file)
        tr__hash_file_walk(&w);
    return w;
}

/* A walk with this hash will start soon: load its first slot into the cache. */
static inline void tr_hash_index_expect(const struct tr_hash_index *x, uint64_t hash)
{
#if defined(__GNUC__)
    if (x->slots)
        __builtin_prefetch(&x->slots[tr__hash_tag(hash) >> x->shift]);
#else
    (void)x;
    (void)hash;
#endif
}

/* The number of the next entry, in the order in which they were added; TR_HASH_NONE: no more. */
static inline uint32_t tr_hash_index_next(struct tr_hash_walk *w)
{
    const struct tr_hash_index *x = w->index;
    if (w->in_file) {
        uint32_t number = tr__hash_file_next(w);
        if (number != TR_HASH_NONE)
            return number;
    }
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

/* Add an entry; number is less than UINT32_MAX.  False: no memory or disk left, and nothing was added. */
bool tr_hash_index_add(struct tr_hash_index *x, uint64_t hash, uint32_t number);

size_t tr_hash_index_bytes(const struct tr_hash_index *x); /* memory held */
void tr_hash_index_free(struct tr_hash_index *x); /* empty afterwards */

#ifdef __cplusplus
}
#endif
#endif
