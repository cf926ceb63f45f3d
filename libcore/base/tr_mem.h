/* SPDX-License-Identifier: MIT */
/*
 * Memory: growing arrays, a byte buffer, and an arena, whose allocations are freed together.
 *
 * All sizes are in bytes unless a name says otherwise.  Nothing here aborts: NULL or false means that memory ran out,
 * or that a size overflowed.  The old contents are then still valid.
 * Not shared between threads without a lock of the caller.
 */
#ifndef TR_MEM_H
#define TR_MEM_H

#include "base/tr_spill.h"
#include "base/tr_str.h"
#include "tracepipe.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Make room for n_needed elements of size elem in the array *array, whose capacity (in elements) is *cap.  The capacity
 * grows by at least half.  False: out of memory, and the array does not change.
 */
bool tr_grow_now(void *array, size_t *cap, size_t n_needed, size_t elem); /* for tr_grow: if there is no room */
static inline bool tr_grow(void *array, size_t *cap, size_t n_needed, size_t elem)
{
    return n_needed <= *cap || tr_grow_now(array, cap, n_needed, elem);
}

/* A growing byte buffer; zero-initialise it.  data is owned and released by tr_buf_free. */
struct tr_buf {
    unsigned char *data;
    size_t len, cap;
};
bool tr_buf_reserve(struct tr_buf *b, size_t more); /* room for more bytes after len */
bool tr_buf_add(struct tr_buf *b, const void *bytes, size_t n);
bool tr_buf_add_str(struct tr_buf *b, const char *s);
static inline bool tr_buf_add_text(struct tr_buf *b, struct tr_str text)
{
    return text.len == 0 || tr_buf_add(b, text.s, text.len);
}
/* As printf, however long the text is.  A zero, which is not counted, follows: see tr_buf_text. */
bool tr_buf_print(struct tr_buf *b, const char *fmt, ...) TR_PRINTF(2, 3);
bool tr_buf_print_list(struct tr_buf *b, const char *fmt, va_list args);
/* What was printed, as text; "" if nothing was. */
static inline const char *tr_buf_text(const struct tr_buf *b)
{
    return b->len ? (const char *)b->data : "";
}
void tr_buf_free(struct tr_buf *b);

/*
 * An arena: allocations live until the arena is reset or freed.  Memory stays valid and never moves.
 */
struct tr_arena;
struct tr_arena *tr_arena_new(size_t chunk_bytes); /* size of the pieces taken from the system */
/* The same, but pieces go to a file when memory is short. */
struct tr_arena *tr_arena_new_in(size_t chunk_bytes, struct tr_spill *spill);
void *tr_arena_alloc(struct tr_arena *a, size_t n); /* 16-byte aligned; NULL: out of memory */
void *tr_arena_copy(struct tr_arena *a, const void *bytes, size_t n);
size_t tr_arena_bytes(const struct tr_arena *a);   /* taken from the system so far */
void tr_arena_free(struct tr_arena *a);

#ifdef __cplusplus
}
#endif
#endif
