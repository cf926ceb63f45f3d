/* SPDX-License-Identifier: MIT */
/*
 * An external sort of records: sorted runs in a temporary file, and their merge.
 *
 * A record is a string of bytes.  Only the caller knows its meaning, and compares two records.
 *
 *     tr_record_sort_new(&s, max_memory, temp_dir, compare, self, &err);
 *     tr_record_sort_put(s, bytes, n, &err);      any number of records, in order
 *     tr_record_sort_cut(s, &err);                end the run; the next record may have any place
 *     tr_record_sort_add(s, bytes, n, &err);      or records in any order; runs are made automatically
 *     tr_record_sort_merge(s, &err);              once
 *     while ((st = tr_record_sort_next(s, &bytes, &n, &err)) == TR_OK) ...
 *
 * Records that compare as equal come in the order of their runs.  If all added records fit in memory, no file is
 * written.  Memory: max_memory and the longest record for added records, and as much during the merge.  Not shared
 * between threads.
 *
 * The folder stream/sort orders events and records with temporary files.  Central: struct tr_record_sort (here),
 * struct tr_resort, struct tr_spool.
 */
#ifndef TR_RECORD_SORT_H
#define TR_RECORD_SORT_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* <0: a comes before b; 0: they are equal; >0: a comes after b. */
typedef int tr_record_compare(void *self, const void *a, const void *b);

struct tr_record_sort;

/* max_memory in bytes; temp_dir is borrowed.  TR_OK; TR_SYSTEM: out of memory. */
enum tr_status tr_record_sort_new(struct tr_record_sort **out, size_t max_memory, const char *temp_dir,
                                  tr_record_compare *compare, void *self, struct tr_error *err);
void tr_record_sort_free(struct tr_record_sort *s);

/*
 * Write the next record of a run; it must not come before the last one.  And end the run.  TR_SYSTEM: out of memory, or
 * the file cannot be written.
 */
enum tr_status tr_record_sort_put(struct tr_record_sort *s, const void *bytes, size_t n, struct tr_error *err);
enum tr_status tr_record_sort_cut(struct tr_record_sort *s, struct tr_error *err);

/* Add a record in any order.  It is copied. */
enum tr_status tr_record_sort_add(struct tr_record_sort *s, const void *bytes, size_t n, struct tr_error *err);

/* All records are added: prepare the merge.  After this, nothing may be added. */
enum tr_status tr_record_sort_merge(struct tr_record_sort *s, struct tr_error *err);

/* The next record, 16-byte aligned and valid until the next call.  TR_END after the last; TR_SYSTEM. */
enum tr_status tr_record_sort_next(struct tr_record_sort *s, const void **bytes, size_t *n, struct tr_error *err);

/* Sort n pointers to records, stably; tmp has room for as many. */
void tr_records_order(const void **records, const void **tmp, size_t n, tr_record_compare *compare, void *self);

#ifdef __cplusplus
}
#endif
#endif
