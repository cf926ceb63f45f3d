/* SPDX-License-Identifier: MIT */
/*
 * Sorts events again: batches in any order become an input in canonical order.
 *
 * For programs that change times.  Memory is bounded; more events go to a temporary file.  The result is available
 * after the last batch.  Its strings, shapes and tracks are numbered by first use, as in the output of tr-parse and of
 * merges.  So the result does not depend on the order in which the events arrived.
 *
 *     tr_resort_new(&s, dict, max_memory, temp_dir, &err);
 *     tr_resort_add(s, batch, &err);                        any number of times
 *     tr_resort_input(s, dict, summary, provenance, tables, name, &in, &err);  s belongs to the input now
 */
#ifndef TR_RESORT_H
#define TR_RESORT_H

#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_resort;

/*
 * dict              of all batches; it may grow, but it has all its sources now; borrowed
 * max_memory_bytes  for rows; two batches need some more
 * temp_dir          kept, not copied
 */
enum tr_status tr_resort_new(struct tr_resort **out, const struct tr_dict *dict,
                             size_t max_memory_bytes, const char *temp_dir, struct tr_error *err);
void tr_resort_free(struct tr_resort *s);

/* Add all events of a batch.  The batch must have all its columns, and is not needed after the call. */
enum tr_status tr_resort_add(struct tr_resort *s, const struct tr_batch *b, struct tr_error *err);

/*
 * The events in order.  s belongs to the input from now on, also on failure.
 *
 * dict        that of the batches, or one that differs from it only in rows of sources, tracks and clocks
 * summary     may be NULL, like provenance and tables; all of them are borrowed until the input is closed
 * name        for messages
 */
enum tr_status tr_resort_input(struct tr_resort *s, const struct tr_dict *dict,
                               const struct tr_summary *summary,
                               const struct tr_provenance *provenance,
                               const struct tr_side_tables *tables, const char *name,
                               struct tr_input **in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
