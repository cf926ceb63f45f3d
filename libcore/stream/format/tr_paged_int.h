/* SPDX-License-Identifier: MIT */
/*
 * A growing array of records that is paged to a temporary file when it gets large.
 *
 * For tables that grow with the number of events, and not with the number of distinct things.  Below a threshold, they
 * are ordinary memory.  Above it, their pages belong to an unlinked file, and tr_paged_trim releases the memory of
 * these pages.  Records are addressed by number.
 *
 * One thread adds and trims; others may read in between.
 */
#ifndef TR_PAGED_INT_H
#define TR_PAGED_INT_H

#include "base/tr_status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_mmap_array;

struct tr_paged {
    unsigned char *data;
    size_t n, cap, record_bytes; /* records */
    size_t max_bytes;            /* in memory */
    const char *dir;
    struct tr_mmap_array *map; /* NULL: in memory */
    size_t trimmed_at;        /* records, when it was trimmed last */
};

/* An empty array.  dir: folder of the temporary file; kept, not copied. */
void tr_paged_init(struct tr_paged *p, size_t record_bytes, size_t max_bytes, const char *dir);
void tr_paged_free(struct tr_paged *p);

/* Append n records, all zero or as given (records NULL: zero). */
enum tr_status tr_paged_add(struct tr_paged *p, const void *records, size_t n, struct tr_error *err);

static inline void *tr_paged_at(const struct tr_paged *p, size_t i)
{
    return p->data + i * p->record_bytes;
}

/* In a copy of the process (io/tr_copy.h): what is in the file becomes its own.  False: out of memory. */
bool tr_paged_own(struct tr_paged *p);

/* Release memory if the array is in the file. */
void tr_paged_trim(struct tr_paged *p);

/* As tr_paged_at, for a walk over all records in their order: memory is released on the way. */
void *tr_paged_walk(const struct tr_paged *p, size_t i);

#ifdef __cplusplus
}
#endif
#endif
