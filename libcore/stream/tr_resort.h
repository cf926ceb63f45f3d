/* SPDX-License-Identifier: MIT */
/*
 * Sorting events anew: batches in any order become an input in canonical order.
 *
 * For programs that change times.  Memory is bounded; what passes the bound goes to a temporary file.
 * The result comes after the last batch, and its strings, shapes and tracks are numbered by first use,
 * as in what tr-parse and merges write, so that it does not show what order the events came in.
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
 * dict              of all batches; it may grow, but its sources are all there.  Borrowed
 * max_memory_bytes  of rows held; some more is needed for two batches
 * temp_dir          kept, not copied
 */
enum tr_status tr_resort_new(struct tr_resort **out, const struct tr_dict *dict,
                             size_t max_memory_bytes, const char *temp_dir, struct tr_error *err);
void tr_resort_free(struct tr_resort *s);

/* Take in all events of a batch, which is not needed after the call and has all its columns. */
enum tr_status tr_resort_add(struct tr_resort *s, const struct tr_batch *b, struct tr_error *err);

/*
 * The events in order.  s belongs to the input from now on, also on failure.
 *
 * dict        the one of the batches, or one that differs from it in rows of sources, tracks and clocks
 * summary     may be NULL; so may provenance and tables.  All of them borrowed until the input is closed
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
