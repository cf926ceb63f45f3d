/* SPDX-License-Identifier: MIT */
/*
 * The length of the union of intervals, which may be added in any order.  Two unions can be joined.
 *
 *     struct tr_union_length u = { 0 };
 *     tr_union_length_add(&u, start, end);
 *     tr_union_length_join(&u, &other);          other is empty afterwards
 *     length = tr_union_length_ns(&u);
 *
 * A union has pieces: intervals that overlap or meet are one piece.  Adding an interval searches its place, and moves
 * the pieces before it or after it, whichever are fewer.  So intervals in order of time cost one step each.  A join
 * adds the pieces of the smaller union to the larger one.  So any number of joins of unions with N pieces in all adds
 * at most N log N pieces.
 *
 * Memory: 16 bytes per piece, up to three times that while it grows.  Not shared between threads.
 */
#ifndef TR_UNION_LENGTH_H
#define TR_UNION_LENGTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_union_length_piece {
    int64_t start, end; /* ns */
};

struct tr_union_length {
    struct tr_union_length_piece *room; /* pieces first to first + n, by start, neither overlapping nor meeting */
    size_t first, n, cap;
    uint64_t length_ns;
};

/* Add an interval; an empty one (start >= end) changes nothing.  False: out of memory, and nothing has changed. */
bool tr_union_length_add(struct tr_union_length *c, int64_t start, int64_t end);

/* Move all pieces of from to c.  False: out of memory; then each piece is still in one of the two. */
bool tr_union_length_join(struct tr_union_length *c, struct tr_union_length *from);

static inline uint64_t tr_union_length_ns(const struct tr_union_length *c)
{
    return c->length_ns;
}

/* Release its memory.  After this, it is empty. */
void tr_union_length_free(struct tr_union_length *c);

#ifdef __cplusplus
}
#endif
#endif
