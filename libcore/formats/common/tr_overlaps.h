/* SPDX-License-Identifier: MIT */
/*
 * Spans of one track that overlap in part, for viewers that can only draw nested ones.
 *
 * Spans of a thread (of one source, pid and tid) should be nested or apart.  Other spans come from times of another
 * clock, and from threads that share a number.  What happens to a span that starts inside another and ends after it?
 *
 *   lane   it belongs to the first further lane of its thread where it is nested or apart
 *   drop   it is left out
 *   shift  it starts when the other ends, if that is less than TR_OVERLAP_SHIFT_NS later; else it stays
 *   async  it becomes the start of an async event, whose end is given by its duration
 *
 * Events stay in their order.  Memory: by threads, and spans that are open at one time.
 */
#ifndef TR_OVERLAPS_H
#define TR_OVERLAPS_H

#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_OVERLAP_SHIFT_NS 5

enum tr_overlap { TR_OVERLAP_KEEP, TR_OVERLAP_LANE, TR_OVERLAP_DROP, TR_OVERLAP_SHIFT, TR_OVERLAP_ASYNC };

struct tr_overlaps;

/* how: not TR_OVERLAP_KEEP.  NULL: out of memory. */
struct tr_overlaps *tr_overlaps_new(enum tr_overlap how);
void tr_overlaps_free(struct tr_overlaps *o);

/*
 * The next batch, in canonical order; *out is the result, valid until the next call.  TR_OK; TR_DAMAGED as
 * tr_batch_select; TR_SYSTEM: out of memory.
 */
enum tr_status tr_overlaps_batch(struct tr_overlaps *o, const struct tr_batch *b, const struct tr_batch **out,
                                 struct tr_error *err);

#define TR_LANE_NONE UINT32_MAX
/*
 * By event of *out: its lane; 0: the thread's own; TR_LANE_NONE: it is not a span with a duration.  Valid as long as
 * *out.
 */
const uint32_t *tr_overlaps_lanes(const struct tr_overlaps *o);

/* The number of spans so far that overlapped others in part, and how many of them were shifted. */
uint64_t tr_overlaps_found(const struct tr_overlaps *o);
uint64_t tr_overlaps_shifted(const struct tr_overlaps *o);

#ifdef __cplusplus
}
#endif
#endif
