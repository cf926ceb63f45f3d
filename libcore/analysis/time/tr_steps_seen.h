/* SPDX-License-Identifier: MIT */
/*
 * Which steps have a selected event?
 *
 * The step of an event is that of its host time (tr_steps.h).  The annotation of a step is an event of it, too.
 *
 *     tr_steps_seen_new(&seen, in->summary)
 *     for each batch: tr_steps_seen_feed(seen, b, keep)
 *     ... tr_steps_seen_has(seen, source, place)
 *     tr_steps_seen_free(seen)
 */
#ifndef TR_STEPS_SEEN_H
#define TR_STEPS_SEEN_H

#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_steps_seen;

/* For the steps of a summary, which is not NULL, and not needed after the call.  NULL: out of memory. */
struct tr_steps_seen *tr_steps_seen_new(const struct tr_summary *summary);
void tr_steps_seen_free(struct tr_steps_seen *s);

/*
 * Count the events of a batch with the columns TR_STEPS_DERIVED.  keep: as from tr_select, by event; NULL: all.
 * False: out of memory.
 */
bool tr_steps_seen_feed(struct tr_steps_seen *s, const struct tr_batch *b, const uint8_t *keep);

/* Was an event of this step fed?  place: of the step among those of its source in the summary. */
bool tr_steps_seen_has(const struct tr_steps_seen *s, uint32_t source, size_t place);

#ifdef __cplusplus
}
#endif
#endif
