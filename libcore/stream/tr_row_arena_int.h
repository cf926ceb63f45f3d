/* SPDX-License-Identifier: MIT */
/*
 * A store of rows: blocks of memory that rows are written into one after the other and never move in.
 *
 * Blocks come from a pool that several threads share and that keeps them for reuse: on virtual machines
 * the first touch of a page costs more than what is written there, so blocks are large, aligned for huge
 * pages and handed round.
 */
#ifndef TR_ROW_ARENA_INT_H
#define TR_ROW_ARENA_INT_H

#include "stream/tr_row_int.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_ROW_BLOCK_BYTES (1u << 21)

struct tr_block_pool;
struct tr_block_pool *tr_block_pool_new(void);
void tr_block_pool_free(struct tr_block_pool *p);

struct tr_row_block {
    struct tr_row_block *next;
    unsigned char *data;
    size_t size, used;
};

/* Zero-initialise, then set pool. */
struct tr_row_arena {
    struct tr_block_pool *pool;
    struct tr_row_block *head;
    size_t bytes;
};

/* At least n bytes in one piece, 8-byte aligned; NULL: out of memory.  Not yet part of the store ... */
unsigned char *tr_row_arena_reserve(struct tr_row_arena *r, size_t n);
/* ... until this takes the first n of them (a multiple of 8). */
static inline void tr_row_arena_commit(struct tr_row_arena *r, size_t n)
{
    r->head->used += n;
}
void tr_row_arena_release(struct tr_row_arena *r); /* give the blocks back to the pool */

#ifdef __cplusplus
}
#endif
#endif
