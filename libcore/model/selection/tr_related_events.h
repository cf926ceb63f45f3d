/* SPDX-License-Identifier: MIT */
/*
 * Selection with context: the events that belong to selected events, like -A -B -C of grep for lines.
 *
 *   within    of the chosen events, only those inside spans that match a further test, or outside of them; see below.
 *             There may be several such tests: all of them hold for an event
 *   children  also all events that start inside a chosen span on its track
 *   linked    also the launches of chosen device work, and the device work of chosen launches
 *   parents   also all spans that enclose a chosen event on its track
 *   closure   also the events that make the result complete: launches of chosen device work;
 *             annotations that enclose a chosen event on its track; flows whose ends are both
 *             bound to chosen spans; metadata of processes and threads with a chosen event.
 *             For spans that parents has added, no launches and annotations are added
 *
 * They apply in this order, and each applies to the events that the earlier ones have found.  So linked and parents
 * give a kernel, its launch, and the operators around that launch.
 *
 * Within: an event is inside a span of its rank, on any thread, if its host time is.  The host time is the start of the
 * event, or, for device work and waits, the start of its launch (tr_event_host_time).  If the matching span is on a
 * device, events on devices of that rank are inside it if their own start is.  Each source of unknown rank counts as a
 * separate rank.
 *
 * The stream is read several times in the same order: once for each pass until tr_related_pass returns
 * TR_RELATED_WRITE, and once more to write.  Memory: one bit per event, 24 bytes per launch to be found, 48 per flow
 * event that may be needed, and the open spans.
 *
 *     while (tr_related_pass(c) != TR_RELATED_WRITE) {
 *         for each batch b:
 *             mask = as described in enum tr_related_pass
 *             tr_related_scan(c, b, mask, &err);     TR_RELATED_WINDOWS: tr_related_window for each test
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
    size_t n_within, n_outside; /* tests whose spans hold the chosen events, and tests whose spans do not: see below */
    bool children, linked, parents, closure;
    uint64_t max; /* choose at most this number of events, without context; UINT64_MAX: no limit */
};

enum tr_related_pass {
    TR_RELATED_WINDOWS, /* find the spans of the tests: tr_related_window for each test */
    TR_RELATED_SELECT,  /* find the chosen events; mask: the events that the filter chooses */
    TR_RELATED_MARK,    /* find the events that belong to them; no mask */
    TR_RELATED_WRITE,   /* tr_related_apply; mask as for TR_RELATED_SELECT */
};

struct tr_related_marks;

/* TR_OK, or TR_SYSTEM when memory ran out. */
enum tr_status tr_related_new(struct tr_related_marks **out, const struct tr_related_opts *opts, struct tr_error *err);
void tr_related_free(struct tr_related_marks *c);

/* The present pass.  It starts with the first one that the options need. */
enum tr_related_pass tr_related_pass(const struct tr_related_marks *c);

/*
 * The next batch of the pass TR_RELATED_WINDOWS, for one test: those of n_within come first.
 *
 * mask  one byte per event, 1: it matches the test
 */
enum tr_status tr_related_window(struct tr_related_marks *c, size_t test, const struct tr_batch *b, const uint8_t *mask,
                                 struct tr_error *err);
/* After that pass: has a span matched the test? */
bool tr_related_window_found(const struct tr_related_marks *c, size_t test);

/*
 * The next batch of another pass that is not the last one.
 *
 * mask  one byte per event, 1 or 0, as described for the pass; NULL in TR_RELATED_MARK
 */
enum tr_status tr_related_scan(struct tr_related_marks *c, const struct tr_batch *b, const uint8_t *mask,
                               struct tr_error *err);

/* The end of the stream in such a pass: start the next pass.  dict: of the stream, complete now. */
enum tr_status tr_related_end(struct tr_related_marks *c, const struct tr_dict *dict, struct tr_error *err);

/* Does the last pass need the mask of the filter?  False: the events to write are already known. */
bool tr_related_apply_needs_mask(const struct tr_related_marks *c);

/* The next batch of the last pass.  mask: in, the events that the filter chooses; out, the events to write. */
enum tr_status tr_related_apply(struct tr_related_marks *c, const struct tr_batch *b, uint8_t *mask,
                                struct tr_error *err);

/* The number of events that have been chosen so far, without context. */
uint64_t tr_related_chosen(const struct tr_related_marks *c);

#ifdef __cplusplus
}
#endif
#endif
