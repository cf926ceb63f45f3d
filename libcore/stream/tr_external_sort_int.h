/* SPDX-License-Identifier: MIT */
/*
 * External sort of rows: sorted runs, and their merge in canonical order.
 *
 * A run is what one piece of an input gave: rows and their order.  Runs stay in memory until together
 * they pass the limit; then they are merged into one run in a temporary file.  Merging looks only at runs
 * that overlap the moment it has come to, so traces that are nearly in order cost next to nothing.
 *
 *     tr_external_sort_add(runs, &rows, refs, n, &err);        any number of times
 *     tr_external_sort_merge(runs, order_of, &err);            once
 *     while ((st = tr_external_sort_next(runs, &row, &err)) == TR_OK) ...
 */
#ifndef TR_EXTERNAL_SORT_INT_H
#define TR_EXTERNAL_SORT_INT_H

#include "stream/tr_row_arena_int.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_external_sort;

/*
 * Sort references into canonical order.  tmp has room for n.  Result is in refs.  order_of[source]: place
 * of a source among the sources, equal for sources that the order cannot tell apart; NULL: one source only.
 */
void tr_refs_sort(struct tr_row_ref *refs, struct tr_row_ref *tmp, size_t n,
                  const uint32_t *order_of);

struct tr_external_sort *tr_external_sort_new(size_t max_memory_bytes, const char *temp_dir);
void tr_external_sort_free(struct tr_external_sort *r);

/* Runs that are added hold rows of several sources; to be called before the first.  Kept, not copied. */
void tr_external_sort_order(struct tr_external_sort *r, const uint32_t *order_of);

/* Take over rows and their sorted references; both are emptied, also on failure. */
enum tr_status tr_external_sort_add(struct tr_external_sort *r, struct tr_row_arena *rows, struct tr_row_ref **refs,
                                    size_t n, struct tr_error *err);

/* Start the merge.  order_of: as for tr_refs_sort.  Kept, not copied. */
enum tr_status tr_external_sort_merge(struct tr_external_sort *r, const uint32_t *order_of, struct tr_error *err);

/* The next row, valid until the next call.  TR_END after the last. */
enum tr_status tr_external_sort_next(struct tr_external_sort *r, const struct tr_row **row, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
