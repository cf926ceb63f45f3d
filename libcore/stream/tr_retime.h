/*
 * Moving the times of events from one clock to another, and back: struct tr_clock, for whole batches.
 *
 * Forward, each source gets a new clock, and perhaps another one for its device's tracks; starts, ends
 * and the starts and ends of launches are moved.  Backward, the last clock of each source is taken out,
 * and what was before comes back bit for bit.  The order of events does not survive either: tr_resort.h.
 *
 *     tr_retime_new(&r, in->dict, &err);
 *     tr_retime_set(r, source, &host, NULL);            for each source; or once tr_retime_undo(r)
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK) {
 *         st = tr_retime_batch(r, b, &moved, &err);
 *         ...
 *     }
 *     tr_retime_end(r, in->summary, &dict, &summary, &err);
 */
#ifndef TR_RETIME_H
#define TR_RETIME_H

#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_retime;

/* dict: of the batches, whose sources and clocks are all there; borrowed.  TR_OK, TR_SYSTEM. */
enum tr_status tr_retime_new(struct tr_retime **out, const struct tr_dict *dict,
                             struct tr_error *err);
void tr_retime_free(struct tr_retime *r);

/*
 * Bring a source to a new clock.  Of the rows only frame, origin, offset and drift are read.
 * device: for its device tracks, of the same drift; NULL: as the host.
 */
void tr_retime_set(struct tr_retime *r, uint32_t source, const struct tr_clock *host,
                   const struct tr_clock *device);

/*
 * Take out the last clock of each source.  Returns TR_OK; TR_NO if no source has any; TR_SYSTEM.
 * tr_retime_set must not be called.
 */
enum tr_status tr_retime_undo(struct tr_retime *r, struct tr_error *err);

/*
 * The batch with its times moved; it shares all else with b, and is valid as long as b and until the
 * next call.  TR_DAMAGED: times leave the range of 64 bits; TR_SYSTEM.
 */
enum tr_status tr_retime_batch(struct tr_retime *r, const struct tr_batch *b,
                               const struct tr_batch **out, struct tr_error *err);

/*
 * Once all batches have been moved: the dictionary and the summary that belong to them.  Both are
 * owned by r; the dictionary shares everything but tracks and clocks with that of the batches.
 * summary: of the batches; NULL gives NULL.
 */
enum tr_status tr_retime_end(struct tr_retime *r, const struct tr_summary *summary,
                             const struct tr_dict **out_dict, const struct tr_summary **out_summary,
                             struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
