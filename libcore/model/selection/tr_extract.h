/* SPDX-License-Identifier: MIT */
/*
 * An extract: a stream with only some events of another one, which reveals nothing about the others.
 *
 * A filtered stream still has the summary of its whole sources, and a dictionary of all of them.  An extract has only
 * the sources, tracks and clocks of its own events, with new numbers in the old order.  It has only steps in which one
 * of its events lies, and its summary counts only its own events.  So it is not filtered, unless the
 * other one is.
 *
 *     tr_extract_new(&x, in->dict, in->summary, &err);
 *     for each batch b of chosen events:
 *         tr_extract_add(x, b, &err);
 *     tr_extract_end(x, &err);
 *     tr_extract_summary(x), tr_extract_source(x, 3), ...
 *
 * A track is kept if it has one of the events, or the launch of one.  A step is kept if it covers the start of an event
 * or, for device work, of its launch (tr_steps.h).  The damage in the summary does not change.  Everything else is
 * counted again; an event with a number of device events counts as a launch.  Steps of an unsorted stream are not kept,
 * because they come after its events.
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

#define TR_EXTRACT_GONE UINT32_MAX /* not in the extract */

struct tr_extract;

/*
 * Dictionary and summary are those of the original stream; both may grow until the end, and must outlive the extract.
 * TR_OK; TR_SYSTEM when memory ran out.
 */
enum tr_status tr_extract_new(struct tr_extract **out, const struct tr_dict *dict, const struct tr_summary *summary,
                              struct tr_error *err);
void tr_extract_free(struct tr_extract *x);

/* Events that are in the extract, with column TR_COL_LAUNCH_TRACK and the other derived ones.  TR_OK; TR_SYSTEM. */
enum tr_status tr_extract_add(struct tr_extract *x, const struct tr_batch *b, struct tr_error *err);

/* After the last event: assign the new numbers.  TR_OK; TR_SYSTEM. */
enum tr_status tr_extract_end(struct tr_extract *x, struct tr_error *err);

/* ---- after the end ---- */

/* By the new numbers of sources; owned by x. */
const struct tr_summary *tr_extract_summary(const struct tr_extract *x);

/* The new number of a source or a track, TR_EXTRACT_GONE if it is not in the extract. */
uint32_t tr_extract_source(const struct tr_extract *x, uint32_t source);
uint32_t tr_extract_track(const struct tr_extract *x, uint32_t track);

/* The identity of the whole of a source in the extract (tr_parts.h), by its old number; 0: it is the whole. */
uint64_t tr_extract_whole(const struct tr_extract *x, uint32_t source);

/* Give a kept track the new numbers of its source and its clock. */
void tr_extract_renumber(const struct tr_extract *x, struct tr_track *track);

/* The clocks, with all numbers new; owned by x. */
const struct tr_clock *tr_extract_clocks(const struct tr_extract *x, size_t *n);

/*
 * A copy of a table with new numbers, without rows of tracks and sources that are not in the extract.  NULL: its own
 * source is not in the extract (TR_OK), or memory ran out (TR_SYSTEM).  The caller frees it.
 */
enum tr_status tr_extract_table(const struct tr_extract *x, const struct tr_side_table *from,
                                struct tr_side_table **out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
