/* SPDX-License-Identifier: MIT */
/* Rows in blocks of memory that never move. */
#include "stream/sort/tr_row_arena_int.h"

#include <pthread.h>
#include <stdlib.h>

#define MIN_REST (TR_ROW_BLOCK_BYTES / 32) /* smaller rests of blocks are left unused */
#define TRIED_RESTS 8u
#define ROOMY ((size_t)40 << 20)

/* Memory from the system.  Several blocks share it: one that ended, and those that got the rest. */
struct tr_row_memory {
    struct tr_row_memory *next;
    unsigned char *data;
    size_t size;
    unsigned n_blocks;
};

struct tr_block_pool {
    pthread_mutex_t lock;
    struct tr_row_memory *spare;
    struct tr_row_block *rests;
    bool roomy;
};

struct tr_block_pool *tr_block_pool_new(size_t max_bytes)
{
    struct tr_block_pool *p = calloc(1, sizeof *p);
    if (p && pthread_mutex_init(&p->lock, NULL)) {
        free(p);
        p = NULL;
    }
    if (p)
        p->roomy = max_bytes >= ROOMY;
    return p;
}

bool tr_block_pool_roomy(const struct tr_block_pool *p)
{
    return p->roomy;
}

static void free_memory(struct tr_row_memory *m)
{
    while (m) {
        struct tr_row_memory *next = m->next;
        free(m->data);
        free(m);
        m = next;
    }
}

/* Free blocks; memory that has no other block is put in front of one of the lists. */
static void free_blocks(struct tr_row_block *b, struct tr_row_memory **spare, struct tr_row_memory **others)
{
    while (b) {
        struct tr_row_block *next = b->next;
        if (--b->memory->n_blocks == 0) {
            struct tr_row_memory **to = b->memory->size == TR_ROW_BLOCK_BYTES ? spare : others;
            b->memory->next = *to;
            *to = b->memory;
        }
        free(b);
        b = next;
    }
}

void tr_block_pool_free(struct tr_block_pool *p)
{
    if (!p)
        return;
    free_blocks(p->rests, &p->spare, &p->spare);
    free_memory(p->spare);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static struct tr_row_memory *new_memory(size_t size)
{
    struct tr_row_memory *m = calloc(1, sizeof *m);
    void *data = NULL;
    if (!m || posix_memalign(&data, TR_ROW_BLOCK_BYTES, size)) {
        free(m);
        return NULL;
    }
    m->data = data;
    m->size = size;
    return m;
}

/* One of the newest rests, if it has n bytes. */
static struct tr_row_block *take_rest(struct tr_block_pool *p, size_t n)
{
    struct tr_row_block **at = &p->rests, *b;
    for (unsigned k = 0; k < TRIED_RESTS && (b = *at) != NULL; k++, at = &b->next)
        if (b->size >= n) {
            *at = b->next;
            b->next = NULL;
            return b;
        }
    return NULL;
}

/* A block of at least n bytes: a rest if one is large enough. */
static struct tr_row_block *take_block(struct tr_block_pool *p, size_t n)
{
    size_t size =
        n <= TR_ROW_BLOCK_BYTES ? TR_ROW_BLOCK_BYTES : (n + TR_ROW_BLOCK_BYTES - 1) & ~(size_t)(TR_ROW_BLOCK_BYTES - 1);
    struct tr_row_memory *m = NULL;
    pthread_mutex_lock(&p->lock);
    struct tr_row_block *b = take_rest(p, n);
    if (!b && size == TR_ROW_BLOCK_BYTES && (m = p->spare) != NULL)
        p->spare = m->next;
    pthread_mutex_unlock(&p->lock);
    if (b)
        return b;
    if (!m && !(m = new_memory(size)))
        return NULL;
    if (!(b = calloc(1, sizeof *b))) {
        m->next = NULL;
        free_memory(m);
        return NULL;
    }
    m->n_blocks = 1;
    *b = (struct tr_row_block){ .memory = m, .data = m->data, .size = m->size };
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

void tr_row_arena_finish(struct tr_row_arena *r)
{
    struct tr_row_block *b = r->head, *rest;
    if (!b || b->size - b->used < MIN_REST || !(rest = calloc(1, sizeof *rest)))
        return;
    *rest = (struct tr_row_block){ .memory = b->memory, .data = b->data + b->used, .size = b->size - b->used };
    r->bytes -= rest->size;
    b->size = b->used;
    pthread_mutex_lock(&r->pool->lock);
    rest->memory->n_blocks++;
    rest->next = r->pool->rests;
    r->pool->rests = rest;
    pthread_mutex_unlock(&r->pool->lock);
}

void tr_row_arena_release(struct tr_row_arena *r)
{
    struct tr_row_memory *others = NULL;
    pthread_mutex_lock(&r->pool->lock);
    free_blocks(r->head, &r->pool->spare, &others);
    pthread_mutex_unlock(&r->pool->lock);
    r->head = NULL;
    free_memory(others);
    r->bytes = 0;
}
