/* SPDX-License-Identifier: MIT */
/*
 * The pairs of neighbouring bytes in a text, as a set of 256 bits: a quick test before a slow one.
 *
 * A text that lacks a pair of another text does not contain that text, in whatever case its letters are.  A pair is
 * known by a hash, so a text that has all pairs may still not contain it.
 */
#ifndef TR_BYTE_PAIRS_H
#define TR_BYTE_PAIRS_H

#include "base/tr_str.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_byte_pairs {
    uint64_t bits[4];
};

static inline void tr_byte_pairs_add(struct tr_byte_pairs *p, unsigned char first, unsigned char second)
{
    unsigned h = ((first | 32u) * 31u + (second | 32u) * 7u) & 255u;
    p->bits[h >> 6] |= UINT64_C(1) << (h & 63);
}

static inline struct tr_byte_pairs tr_byte_pairs_of(struct tr_str s)
{
    struct tr_byte_pairs p = { { 0 } };
    for (size_t i = 0; i + 1 < s.len; i++)
        tr_byte_pairs_add(&p, (unsigned char)s.s[i], (unsigned char)s.s[i + 1]);
    return p;
}

/* Are all pairs of part among those of a text? */
static inline bool tr_byte_pairs_has(const struct tr_byte_pairs *text, const struct tr_byte_pairs *part)
{
    return !((part->bits[0] & ~text->bits[0]) | (part->bits[1] & ~text->bits[1]) | (part->bits[2] & ~text->bits[2]) |
             (part->bits[3] & ~text->bits[3]));
}

#ifdef __cplusplus
}
#endif
#endif
