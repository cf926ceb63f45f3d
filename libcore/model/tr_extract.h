/* SPDX-License-Identifier: MIT */
/*
 * An extract: what a stream looks like that holds only some events of another one.
 *
 * The summary of a filtered stream is still that of its sources, and its dictionary still lists all of them.  An
 * extract tells of nothing that is not in it: it has only sources, tracks and clocks of its own events, which get new
 * numbers in their old order, only steps in which one of its events lies, and a summary that counts its own events.
 *
 *     tr_extract_new(&x, in->dict, in->summary, &err);
 *     for each batch b of chosen events:
 *         tr_extract_add(x, b, &err);
 *     tr_extract_end(x, &err);
 *     tr_extract_summary(x), tr_extract_source(x, 3), ...
 *
 * A track stays if one of its events does, or the launch of one.  A step stays if it covers the start of an event or,
 * for device work, of its launch (tr_steps.h).  Of the summary, what was wrong with an input stays as it was; the
 * rest is counted anew: a launch call is an event that says how much device work it has.  Of an unsorted stream no step
 * stays, since its steps come after its events.
 *
 * Memory: a few bytes for each track, source and step.  One thread at a time.
 */
#ifndef TR_EXTRACT_H
#define TR_EXTRACT_H

#include "stream/tr_batch.h"
#include "stream/tr_side_table.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_EXTRACT_GONE UINT32_MAX /* the number of what is not in the extract */

struct tr_extract;

/*
 * Dictionary and summary are those of the stream from which events are chosen; both may grow until the end, and must
 * outlive the extract.  TR_OK; TR_SYSTEM when memory ran out.
 */
enum tr_status tr_extract_new(struct tr_extract **out, const struct tr_dict *dict, const struct tr_summary *summary,
                              struct tr_error *err);
void tr_extract_free(struct tr_extract *x);

/* Events that are in the extract, with column TR_COL_LAUNCH_TRACK and the other derived ones.  TR_OK; TR_SYSTEM. */
enum tr_status tr_extract_add(struct tr_extract *x, const struct tr_batch *b, struct tr_error *err);

/* All have been added: gives numbers.  TR_OK; TR_SYSTEM. */
enum tr_status tr_extract_end(struct tr_extract *x, struct tr_error *err);

/* ---- after the end ---- */

/* By the new numbers of sources; owned by x. */
const struct tr_summary *tr_extract_summary(const struct tr_extract *x);

/* The new number of a source or a track, TR_EXTRACT_GONE if it is not in the extract. */
uint32_t tr_extract_source(const struct tr_extract *x, uint32_t source);
uint32_t tr_extract_track(const struct tr_extract *x, uint32_t track);

/* Give a track that stays the numbers that its source and its clock have in the extract. */
void tr_extract_renumber(const struct tr_extract *x, struct tr_track *track);

/* The clocks, with all numbers new; owned by x. */
const struct tr_clock *tr_extract_clocks(const struct tr_extract *x, size_t *n);

/*
 * A copy of a table with new numbers, without rows about tracks and sources that are gone.  NULL: its own source is
 * gone (TR_OK), or memory ran out (TR_SYSTEM).  The caller frees it.
 */
enum tr_status tr_extract_table(const struct tr_extract *x, const struct tr_side_table *from,
                                struct tr_side_table **out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
