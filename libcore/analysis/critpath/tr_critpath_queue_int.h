/* SPDX-License-Identifier: MIT */
/* Order of work on streams, for the device's edges of tr_critpath.  first: by stream, the index of its first work in
 * the sorted c->kernels. */
#ifndef TR_CRITPATH_QUEUE_INT_H
#define TR_CRITPATH_QUEUE_INT_H

#include "analysis/critpath/tr_critpath_int.h"

/* Sort work by stream and launch; find work that was alone in its queue.  first: n_streams + 1 entries. */
bool tr__cp_order_launches(struct tr_critpath *c, size_t *first);

/* Sort the calls that record events.  The waits for these events show on which streams they are recorded. */
void tr__cp_order_records(struct tr_critpath *c);

/* The work for which a wait for a recorded event waits: an event, or CP_NONE. */
uint32_t tr__cp_recorded(struct tr_critpath *c, const size_t *first, const struct cp_wait *w);

/*
 * After a part: which of its work, as numbers in the sorted c->kernels, may waits of the next part wait for?  keep: by
 * work.  That before the last records of each source is kept; the other records are past.  False: out of memory.
 */
bool tr__cp_keep_recorded(struct tr_critpath *c, uint8_t *keep);

/* Work that must not start before other work has ended, by event. */
struct cp_held {
    uint32_t event, until;
};
bool tr__cp_held_work(struct tr_critpath *c, const size_t *first, struct cp_held **held, size_t *n);

/*
 * By work in c->kernels: when its thread had made a stream wait before it launched this work next; TR_TIME_NONE: it had
 * not, or the trace shows what streams waited for.
 */
bool tr__cp_find_asked(struct tr_critpath *c, int64_t **asked);

/* Waits that the trace does not show, for opts.gaps: tr_critpath_infer.c.  After tr__cp_order_launches. */
struct cp_infer;
bool tr__cp_infer_new(struct tr_critpath *c, const size_t *first, struct cp_infer **out); /* false: out of memory */
void tr__cp_infer_free(struct cp_infer *in);
/* When its source last made a stream wait, since the launch before on the stream of this work; TR_TIME_NONE: never. */
int64_t tr__cp_asked_at(const struct cp_infer *in, const struct cp_kernel *k);
/* When, before that, an event may have been recorded after this work and before the next on its stream; or the same. */
int64_t tr__cp_recorded_at(const struct cp_infer *in, const struct cp_kernel *k, int64_t asked);

/* The last work that was launched on a stream before a time: an event, or CP_NONE. */
uint32_t tr__cp_launched_before(const struct tr_critpath *c, const size_t *first, uint32_t stream, int64_t ts);

#endif
