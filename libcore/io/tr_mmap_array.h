/* SPDX-License-Identifier: MIT */
/*
 * A growing array of bytes that moves to a temporary file when it gets large.
 *
 * Addresses stay valid while it grows.  Address space is reserved once, up to a limit.  It is filled with anonymous
 * memory first, and beyond a threshold with pages of an unlinked file.  New bytes are zero.  Disk space is allocated
 * before it is mapped, so a full disk is an error of these functions and not a SIGBUS later.  (A disk that fails while
 * pages are read still gives a SIGBUS.)
 *
 * While one thread grows or trims the array, no other thread may use it.  Between these calls, any thread may read and
 * write the contents.
 */
#ifndef TR_MMAP_ARRAY_H
#define TR_MMAP_ARRAY_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_mmap_array;

/*
 * An empty array.
 *
 * dir           folder of the temporary file, made when it is needed; copied
 * memory_bytes  up to this size the array stays in memory
 * limit_bytes   the largest size of the array; beyond it, TR_SYSTEM with ENOMEM.  Address space is
 *               reserved now, memory is not; if the system has not that much left, less, down to 64 MiB.  What
 *               is above 1 TiB, or 256 MiB where addresses have 32 bits, means that
 */
enum tr_status tr_mmap_array_open(struct tr_mmap_array **out, const char *dir, uint64_t memory_bytes,
                                  uint64_t limit_bytes, struct tr_error *err);
void tr_mmap_array_free(struct tr_mmap_array *m);

/* Make the array at least size_bytes large.  On failure it does not change. */
enum tr_status tr_mmap_array_grow(struct tr_mmap_array *m, uint64_t size_bytes, struct tr_error *err);

/* The start of the array, the same for its whole life; aligned to a page. */
void *tr_mmap_array_data(const struct tr_mmap_array *m);
/* Its size in bytes: at least the requested one. */
uint64_t tr_mmap_array_size(const struct tr_mmap_array *m);
/* The largest size it can get. */
uint64_t tr_mmap_array_limit(const struct tr_mmap_array *m);
bool tr_mmap_array_on_disk(const struct tr_mmap_array *m);

/*
 * Release the memory of pages that are in the file; they are read again when they are used.  Does nothing while the
 * array is in memory.
 */
void tr_mmap_array_trim(struct tr_mmap_array *m);

/*
 * In a copy of the process: changes from now on are not those of the other process.  They stay in memory.  False: out
 * of memory.
 */
bool tr_mmap_array_own(struct tr_mmap_array *m);

#ifdef __cplusplus
}
#endif
#endif
