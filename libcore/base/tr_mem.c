/* SPDX-License-Identifier: MIT */
/* Growing arrays, byte buffers and arenas. */
#include "base/tr_mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tr_grow_now(void *array, size_t *cap, size_t n_needed, size_t elem)
{
    size_t want = *cap + *cap / 2;
    if (want < n_needed)
        want = n_needed;
    if (want < 16)
        want = 16;
    if (want > SIZE_MAX / 2 / elem)
        return false;
    void *old, *p;
    memcpy(&old, array, sizeof old); /* array is the address of some typed pointer */
    p = realloc(old, want * elem);
    if (!p)
        return false;
    memcpy(array, &p, sizeof p);
    *cap = want;
    return true;
}

bool tr_buf_reserve(struct tr_buf *b, size_t more)
{
    if (more > SIZE_MAX / 2 - b->len)
        return false;
    return tr_grow(&b->data, &b->cap, b->len + more, 1);
}

bool tr_buf_add(struct tr_buf *b, const void *bytes, size_t n)
{
    if (!tr_buf_reserve(b, n))
        return false;
    if (n)
        memcpy(b->data + b->len, bytes, n);
    b->len += n;
    return true;
}

bool tr_buf_add_str(struct tr_buf *b, const char *s)
{
    return tr_buf_add(b, s, strlen(s));
}

bool tr_buf_print_list(struct tr_buf *b, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    bool ok = n >= 0 && tr_buf_reserve(b, (size_t)n + 1);
    if (ok) {
        vsnprintf((char *)b->data + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
    }
    va_end(again);
    return ok;
}

bool tr_buf_print(struct tr_buf *b, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    bool ok = tr_buf_print_list(b, fmt, args);
    va_end(args);
    return ok;
}

void tr_buf_free(struct tr_buf *b)
{
    free(b->data);
    memset(b, 0, sizeof *b);
}

struct piece {
    struct piece *next;
    size_t size, used; /* of the bytes after this header */
    bool in_file;
};

#define PIECE_HEADER 32u /* keeps what follows 16-byte aligned */

struct tr_arena {
    struct piece *head;      /* the piece being filled; older ones follow */
    struct piece *in_memory; /* the newest that is not in the file, all of which are newer */
    size_t chunk, total;
    struct tr_spill *spill; /* NULL: all pieces are memory */
    struct tr_spill_file *file; /* of the pieces that are not, the newest in front */
    uint64_t in_file, held;     /* bytes of them, and of memory taken of the spill */
};

struct tr_arena *tr_arena_new_in(size_t chunk_bytes, struct tr_spill *spill)
{
    struct tr_arena *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->chunk = chunk_bytes < 1024 ? 1024 : chunk_bytes;
    a->spill = spill;
    return a;
}

struct tr_arena *tr_arena_new(size_t chunk_bytes)
{
    return tr_arena_new_in(chunk_bytes, NULL);
}

/* Memory, or, after it has been short, bytes of the file. */
static void *new_bytes(struct tr_arena *a, size_t n)
{
    if (!a->spill)
        return malloc(n);
    if (!a->file && a->spill->take(a->spill, n)) {
        a->held += n;
        return malloc(n);
    }
    if (!a->file && !(a->file = a->spill->open(a->spill)))
        return NULL;
    n = (n + 15) & ~(size_t)15;
    uint64_t size = a->in_file + n;
    unsigned char *base = a->spill->grow(a->file, &size);
    if (!base)
        return NULL;
    a->in_file += n;
    return base + (a->in_file - n);
}

static struct piece *new_piece(struct tr_arena *a, size_t n)
{
    size_t size = n > a->chunk ? n : a->chunk;
    if (size > SIZE_MAX / 2)
        return NULL;
    struct piece *p = new_bytes(a, PIECE_HEADER + size);
    if (!p)
        return NULL;
    p->size = size;
    p->in_file = a->file != NULL;
    p->used = 0;
    a->total += PIECE_HEADER + size;
    return p;
}

void *tr_arena_alloc(struct tr_arena *a, size_t n)
{
    if (n > SIZE_MAX / 4)
        return NULL;
    n = (n + 15) & ~(size_t)15;
    struct piece *p = a->head;
    if (!p || p->size - p->used < n) {
        p = new_piece(a, n);
        if (!p)
            return NULL;
        p->next = a->head;
        a->head = p;
        if (!p->in_file)
            a->in_memory = p;
    }
    void *mem = (unsigned char *)p + PIECE_HEADER + p->used;
    p->used += n;
    return mem;
}

void *tr_arena_copy(struct tr_arena *a, const void *bytes, size_t n)
{
    void *mem = tr_arena_alloc(a, n);
    if (mem && n)
        memcpy(mem, bytes, n);
    return mem;
}

size_t tr_arena_bytes(const struct tr_arena *a)
{
    return a->total;
}

void tr_arena_free(struct tr_arena *a)
{
    if (!a)
        return;
    struct piece *p = a->in_memory; /* those of the file are not read again */
    while (p) {
        struct piece *next = p->next;
        free(p);
        p = next;
    }
    if (a->file)
        a->spill->close(a->file);
    if (a->spill)
        a->spill->give(a->spill, a->held);
    free(a);
}
