/* SPDX-License-Identifier: MIT */
/*
 * Finds anchors for tr_clockfit: events that several ranks have at the same moment, each with its own clock.
 *
 * Anchors are either the collectives of a stream (model/collectives/tr_collective.h) in which all ranks wait, because
 * their kernels end on all ranks together; they must be kernels, or calls of MPI that return when all is done.  Where
 * no such collectives lead from one rank to another, kernels of a send and its receive are anchors, too: the receive
 * cannot end before the send has started, and both end together if the message is too large to be kept on the way.  Or
 * anchors are starts of events that the caller marks: the n-th of each rank belongs to the n-th of the others.
 *
 * Memory: that of tr_coll_finder, or 9 bytes for each marked event.
 */
#ifndef TR_ANCHORS_H
#define TR_ANCHORS_H

#include "analysis/clocks/tr_clockfit.h"
#include "analysis/clocks/tr_rank_set.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_anchors;
struct tr_colls;

/* ranks, dict: borrowed.  marked: events that the caller marks, else collectives.  TR_OK, TR_SYSTEM. */
enum tr_status tr_anchors_new(struct tr_anchors **out, const struct tr_rank_set *ranks,
                              const struct tr_dict *dict, bool marked, struct tr_error *err);
/* Anchors are these collectives, which must outlive a.  TR_OK, TR_SYSTEM. */
enum tr_status tr_anchors_of(struct tr_anchors **out, const struct tr_rank_set *ranks, const struct tr_dict *dict,
                             const struct tr_colls *matched, struct tr_error *err);
void tr_anchors_free(struct tr_anchors *a);

/* The next batch.  marked: a byte for each event, 1 marks it; ignored for collectives. */
enum tr_status tr_anchors_feed(struct tr_anchors *a, const struct tr_batch *b,
                               const uint8_t *marked, struct tr_error *err);

/*
 * Give all anchors to a fit, whose clocks are the ranks.
 * device_shift: by rank, ns, added to times of device tracks; NULL: 0.  A time that does not fit is left out.
 */
enum tr_status tr_anchors_give(struct tr_anchors *a, const int64_t *device_shift,
                               struct tr_clockfit *fit, struct tr_error *err);

/* After that: the number of collectives of a rank that were not given, because on no clock do its ends agree with those
 * of other ranks. */
uint64_t tr_anchors_doubts(const struct tr_anchors *a, size_t rank);

/* Do all ranks have the same number of marked events?  If not, *few and *many are the extremes. */
bool tr_anchors_even(const struct tr_anchors *a, size_t *few, size_t *many);

#ifdef __cplusplus
}
#endif
#endif
