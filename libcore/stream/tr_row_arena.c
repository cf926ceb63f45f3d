/* SPDX-License-Identifier: MIT */
/* Rows in blocks of memory that never move. */
#include "stream/tr_row_arena_int.h"

#include <pthread.h>
#include <stdlib.h>

struct tr_block_pool {
    pthread_mutex_t lock;
    struct tr_row_block *spare;
};

struct tr_block_pool *tr_block_pool_new(void)
{
    struct tr_block_pool *p = calloc(1, sizeof *p);
    if (p && pthread_mutex_init(&p->lock, NULL)) {
        free(p);
        p = NULL;
    }
    return p;
}

static void free_blocks(struct tr_row_block *b)
{
    while (b) {
        struct tr_row_block *next = b->next;
        free(b->data);
        free(b);
        b = next;
    }
}

void tr_block_pool_free(struct tr_block_pool *p)
{
    if (!p)
        return;
    free_blocks(p->spare);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static struct tr_row_block *new_block(size_t size)
{
    struct tr_row_block *b = calloc(1, sizeof *b);
    void *data = NULL;
    if (!b || posix_memalign(&data, TR_ROW_BLOCK_BYTES, size)) {
        free(b);
        return NULL;
    }
    b->data = data;
    b->size = size;
    return b;
}

static struct tr_row_block *take_block(struct tr_block_pool *p, size_t n)
{
    size_t size =
        n <= TR_ROW_BLOCK_BYTES ? TR_ROW_BLOCK_BYTES : (n + TR_ROW_BLOCK_BYTES - 1) & ~(size_t)(TR_ROW_BLOCK_BYTES - 1);
    struct tr_row_block *b = NULL;
    pthread_mutex_lock(&p->lock);
    if (size == TR_ROW_BLOCK_BYTES && p->spare) {
        b = p->spare;
        p->spare = b->next;
    }
    pthread_mutex_unlock(&p->lock);
    if (!b)
        b = new_block(size);
    if (b)
        b->used = 0;
    return b;
}

unsigned char *tr_row_arena_reserve(struct tr_row_arena *r, size_t n)
{
    if (!r->head || r->head->size - r->head->used < n) {
        struct tr_row_block *b = take_block(r->pool, n);
        if (!b)
            return NULL;
        b->next = r->head;
        r->head = b;
        r->bytes += b->size;
    }
    return r->head->data + r->head->used;
}

void tr_row_arena_release(struct tr_row_arena *r)
{
    struct tr_row_block *big = NULL;
    pthread_mutex_lock(&r->pool->lock);
    while (r->head) {
        struct tr_row_block *b = r->head;
        r->head = b->next;
        struct tr_row_block **to = b->size == TR_ROW_BLOCK_BYTES ? &r->pool->spare : &big;
        b->next = *to;
        *to = b;
    }
    pthread_mutex_unlock(&r->pool->lock);
    free_blocks(big);
    r->bytes = 0;
}
