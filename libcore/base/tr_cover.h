/* SPDX-License-Identifier: MIT */
/*
 * The time that intervals cover together, while intervals come in any order and covers are joined.
 *
 *     struct tr_cover c = { 0 };
 *     tr_cover_add(&c, start, end);
 *     tr_cover_join(&c, &other);                 other is empty afterwards
 *     length = tr_cover_length(&c);
 *
 * Kept are the pieces that the intervals make where they overlap or meet.  To add one takes a search among the pieces
 * and moves those before or after it, whichever are fewer: what comes in order of time costs one step.  A join takes
 * the smaller cover apart, so that to join any number of covers step by step takes N log N pieces at most.
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

/* Nothing happens unless start is before end.  False: out of memory, cover unchanged. */
bool tr_cover_add(struct tr_cover *c, int64_t start, int64_t end);

/* What from covers goes to c.  False: out of memory; no piece is lost then. */
bool tr_cover_join(struct tr_cover *c, struct tr_cover *from);

static inline uint64_t tr_cover_length(const struct tr_cover *c)
{
    return c->length_ns;
}

/* Release what it has; it is empty afterwards. */
void tr_cover_free(struct tr_cover *c);

#ifdef __cplusplus
}
#endif
#endif
