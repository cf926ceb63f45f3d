/* SPDX-License-Identifier: MIT */
/*
 * Covers: the length of the union of intervals, which may be added in any order.  Covers can be joined.
 *
 *     struct tr_cover c = { 0 };
 *     tr_cover_add(&c, start, end);
 *     tr_cover_join(&c, &other);                 other is empty afterwards
 *     length = tr_cover_length(&c);
 *
 * A cover has pieces: intervals that overlap or meet are one piece.  Adding an interval searches its place, and moves
 * the pieces before it or after it, whichever are fewer.  So intervals in order of time cost one step each.  A join
 * adds the pieces of the smaller cover to the larger one.  So any number of joins of covers with N pieces in all adds
 * at most N log N pieces.
 *
 * Memory: 16 bytes per piece, up to three times that while it grows.  Not shared between threads.
 */
#ifndef TR_COVER_H
#define TR_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_cover_piece {
    int64_t start, end; /* ns */
};

struct tr_cover {
    struct tr_cover_piece *room; /* pieces first to first + n, by start, neither overlapping nor meeting */
    size_t first, n, cap;
    uint64_t length_ns;
};

/* Add an interval; an empty one (start >= end) changes nothing.  False: out of memory, and the cover does not change.
 * */
bool tr_cover_add(struct tr_cover *c, int64_t start, int64_t end);

/* Move all pieces of from to c.  False: out of memory; then each piece is still in one of the two. */
bool tr_cover_join(struct tr_cover *c, struct tr_cover *from);

static inline uint64_t tr_cover_length(const struct tr_cover *c)
{
    return c->length_ns;
}

/* Release its memory.  After this, it is empty. */
void tr_cover_free(struct tr_cover *c);

#ifdef __cplusplus
}
#endif
#endif
