/* SPDX-License-Identifier: MIT */
/*
 * External sort of rows: sorted runs, and their merge in canonical order.
 *
 * A run has the rows of one piece of an input, and their order.  Runs stay in memory until together they exceed the
 * limit.  Then they are merged into one run in a temporary file.  At each moment, the merge compares only runs that
 * overlap this moment, so a trace that is nearly in order costs very little.
 *
 *     tr_external_sort_add(runs, &rows, refs, n, &err);        any number of times
 *     tr_external_sort_merge(runs, order_of, &err);            once
 *     while ((st = tr_external_sort_next(runs, &row, &err)) == TR_OK) ...
 */
#ifndef TR_EXTERNAL_SORT_INT_H
#define TR_EXTERNAL_SORT_INT_H

#include "stream/sort/tr_row_arena_int.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_external_sort;

/*
 * Sort references into canonical order.  tmp has room for n.  The result is in refs.  order_of[source]: position of a
 * source among the sources, equal for sources that the order cannot distinguish; NULL: there is only one source.
 */
void tr_refs_sort(struct tr_row_ref *refs, struct tr_row_ref *tmp, size_t n,
                  const uint32_t *order_of);

struct tr_external_sort *tr_external_sort_new(size_t max_memory_bytes, const char *temp_dir);
void tr_external_sort_free(struct tr_external_sort *r);

/* Say, before the first run, that runs have rows of several sources.  Kept, not copied. */
void tr_external_sort_order(struct tr_external_sort *r, const uint32_t *order_of);

/* Add rows, which are taken from the store also on failure, and their sorted references, which are copied. */
enum tr_status tr_external_sort_add(struct tr_external_sort *r, struct tr_row_arena *rows,
                                    const struct tr_row_ref *refs, size_t n, struct tr_error *err);

/* Start the merge.  order_of: as for tr_refs_sort.  Kept, not copied. */
enum tr_status tr_external_sort_merge(struct tr_external_sort *r, const uint32_t *order_of, struct tr_error *err);

/* The next row, valid until the next call.  TR_END after the last. */
enum tr_status tr_external_sort_next(struct tr_external_sort *r, const struct tr_row **row, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
