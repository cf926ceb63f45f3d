/* SPDX-License-Identifier: MIT */
/*
 * Selection with context: the events that belong to selected events, like -A -B -C of grep for lines.
 *
 *   within    of the chosen events, only those inside spans that match a second test; see below
 *   children  also everything that starts inside a chosen span on its track
 *   linked    also the launches of chosen device work, and the device work of chosen launches
 *   parents   also every span that encloses a chosen one on its track
 *   closure   also the events that the result needs to be complete: launches of chosen device work;
 *             annotations that enclose a chosen event on its track; flows whose ends are both
 *             bound to chosen spans; metadata of processes and threads with a chosen event.
 *             Spans that parents has added bring no launches and annotations
 *
 * They apply in this order, each to the events that the ones before have found: so linked and parents give a
 * kernel, its launch, and the operators around that launch.
 *
 * Within: an event is inside a span of its rank, on any thread, if its host time is (its own start;
 * for device work and waits the start of their launch, see tr_event_host_time).  If the matching
 * span is on a device, the events of devices of that rank are inside it by their own
 * start.  Each source of unknown rank counts as a separate rank.
 *
 * The stream is read several times in the same order: once per pass until tr_related_pass says
 * TR_RELATED_WRITE, and once more to write.  Memory: one bit per event, 24 bytes per launch that is
 * looked for, 48 per flow event in question, the open spans.
 *
 *     while (tr_related_pass(c) != TR_RELATED_WRITE) {
 *         for each batch b:
 *             mask = what the pass asks for
 *             tr_related_scan(c, b, mask, &err);
 *         tr_related_end(c, in->dict, &err);
 *     }
 *     for each batch b:
 *         tr_related_apply(c, b, keep, &err);
 *
 * Not shared between threads.
 */
#ifndef TR_RELATED_EVENTS_H
#define TR_RELATED_EVENTS_H

#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_related_opts {
    bool within, children, linked, parents, closure;
    uint64_t max; /* choose at most this number of events, without context; UINT64_MAX: no limit */
};

enum tr_related_pass {
    TR_RELATED_WINDOWS, /* find the spans of within: mask tells which events match its test */
    TR_RELATED_SELECT,  /* find what is chosen: mask tells which events the filter chooses */
    TR_RELATED_MARK,    /* find the events that belong to them; no mask */
    TR_RELATED_WRITE,   /* tr_related_apply; mask as for TR_RELATED_SELECT */
};

struct tr_related_marks;

/* TR_OK, or TR_SYSTEM when memory ran out. */
enum tr_status tr_related_new(struct tr_related_marks **out, const struct tr_related_opts *opts, struct tr_error *err);
void tr_related_free(struct tr_related_marks *c);

/* The next pass: first the first one that the options need, then the others. */
enum tr_related_pass tr_related_pass(const struct tr_related_marks *c);

/*
 * The next batch of a pass that is not the last one.
 *
 * mask  one byte per event, 1 or 0, as the pass asks for; NULL in TR_RELATED_MARK
 */
enum tr_status tr_related_scan(struct tr_related_marks *c, const struct tr_batch *b, const uint8_t *mask,
                               struct tr_error *err);

/* The end of the stream in such a pass: go on to the next one.  dict is the stream's, complete now.
 */
enum tr_status tr_related_end(struct tr_related_marks *c, const struct tr_dict *dict, struct tr_error *err);

/* Does the last pass need the choice of the filter, or is everything known before it? */
bool tr_related_apply_needs_mask(const struct tr_related_marks *c);

/* The next batch of the last pass: mask has the choice of the filter, and gets the events to write.
 */
enum tr_status tr_related_apply(struct tr_related_marks *c, const struct tr_batch *b, uint8_t *mask,
                                struct tr_error *err);

/* The number of events that have been chosen so far, without context. */
uint64_t tr_related_chosen(const struct tr_related_marks *c);

#ifdef __cplusplus
}
#endif
#endif
