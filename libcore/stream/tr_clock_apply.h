/* SPDX-License-Identifier: MIT */
/*
 * Moves the times of events from one clock to another, and back: struct tr_clock, for whole batches.
 *
 * Forward, each source gets a new clock, and perhaps another one for the tracks of its device.  Starts and ends of
 * events and of launches are moved.  Backward, the last clock of each source is removed, and the old times are restored
 * exactly.  Both change the order of events: tr_resort.h sorts them again.
 *
 *     tr_clock_apply_new(&r, in->dict, &err);
 *     tr_clock_apply_set(r, source, &host, NULL);            for each source; or once tr_clock_apply_undo(r)
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK) {
 *         st = tr_clock_apply_batch(r, b, &moved, &err);
 *         ...
 *     }
 *     tr_clock_apply_end(r, in->summary, &dict, &summary, &err);
 */
#ifndef TR_CLOCK_APPLY_H
#define TR_CLOCK_APPLY_H

#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_clock_apply;

/* dict: of the batches, with all sources and clocks; borrowed.  TR_OK, TR_SYSTEM. */
enum tr_status tr_clock_apply_new(struct tr_clock_apply **out, const struct tr_dict *dict, struct tr_error *err);
void tr_clock_apply_free(struct tr_clock_apply *r);

/*
 * Bring a source to a new clock.  Of the rows only frame, origin, offset and drift are read.
 * device: for its device tracks, of the same drift; NULL: as the host.
 */
void tr_clock_apply_set(struct tr_clock_apply *r, uint32_t source, const struct tr_clock *host,
                        const struct tr_clock *device);

/*
 * Remove the last clock of each source.  Returns TR_OK; TR_NO if no source has a clock; TR_SYSTEM.
 * Do not call tr_clock_apply_set.
 */
enum tr_status tr_clock_apply_undo(struct tr_clock_apply *r, struct tr_error *err);

/*
 * The batch with its times moved.  It shares the other columns with b, and is valid as long as b and until the next
 * call.  TR_DAMAGED: times leave the range of 64 bits; TR_SYSTEM.
 */
enum tr_status tr_clock_apply_batch(struct tr_clock_apply *r, const struct tr_batch *b, const struct tr_batch **out,
                                    struct tr_error *err);

/*
 * After all batches have been moved: their dictionary and summary.  Both are owned by r; the dictionary shares
 * everything but tracks and clocks with that of the batches.
 * summary: of the batches; NULL gives NULL.
 */
enum tr_status tr_clock_apply_end(struct tr_clock_apply *r, const struct tr_summary *summary,
                                  const struct tr_dict **out_dict, const struct tr_summary **out_summary,
                                  struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
