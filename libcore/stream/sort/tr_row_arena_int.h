/* SPDX-License-Identifier: MIT */
/*
 * A store of rows: rows are written one after the other into blocks of memory, and never move.
 *
 * Blocks come from a pool that several threads share, and return to it for reuse.  On virtual machines, the first
 * access to a page costs more than writing the rows.  So blocks are large, aligned for huge pages, and used again.
 * They do not ask for huge pages: a host that takes free memory back would have to give all of it at once.  The rest
 * of a block that a finished store does not need goes to another store.
 */
#ifndef TR_ROW_ARENA_INT_H
#define TR_ROW_ARENA_INT_H

#include "stream/sort/tr_row_int.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_ROW_BLOCK_BYTES (1u << 21)

struct tr_block_pool;
struct tr_block_pool *tr_block_pool_new(size_t max_bytes); /* of all rows */
bool tr_block_pool_roomy(const struct tr_block_pool *p); /* is that enough for some megabytes more or less? */
void tr_block_pool_free(struct tr_block_pool *p);

struct tr_row_memory;
struct tr_row_block {
    struct tr_row_block *next;
    struct tr_row_memory *memory; /* that it is a part of */
    unsigned char *data;
    size_t size, used;
};

/* Zero-initialise, then set pool. */
struct tr_row_arena {
    struct tr_block_pool *pool;
    struct tr_row_block *head;
    size_t bytes;
};

/* At least n contiguous bytes, 8-byte aligned; NULL: out of memory.  They belong to the store only after a commit. */
unsigned char *tr_row_arena_reserve(struct tr_row_arena *r, size_t n);
/* Add the first n of these bytes, a multiple of 8, to the store. */
static inline void tr_row_arena_commit(struct tr_row_arena *r, size_t n)
{
    r->head->used += n;
}
void tr_row_arena_finish(struct tr_row_arena *r); /* no more rows come: others may have the rest of the last block */
void tr_row_arena_release(struct tr_row_arena *r); /* give the blocks back to the pool */

#ifdef __cplusplus
}
#endif
#endif
