/* SPDX-License-Identifier: MIT */
/*
 * The training step of a moment.
 *
 * Steps are the numbered host annotations of the summary (ProfilerStep#n), half-open, per source
 * and for all threads.  If several cover a moment, the one that started last counts.
 * Read-only once made: may be shared between threads.
 */
#ifndef TR_STEPS_H
#define TR_STEPS_H

#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_steps;

/* The steps of all sources; the summary may go away afterwards.  NULL: out of memory. */
struct tr_steps *tr_steps_new(const struct tr_summary *summary);
void tr_steps_free(struct tr_steps *s);

/* The number of the step that covers ts (ns of the stream) in a source; false: none does. */
bool tr_steps_find(const struct tr_steps *s, uint32_t source, int64_t ts, int64_t *number);

/*
 * The moment that decides the step of an event, and its window of host time: its own start, or,
 * for device work and waits on the device, the start of the call that launched it.
 * TR_TIME_NONE: an event without ts, or without a known launch.
 *
 * launch_ts  the event's entry of column TR_COL_LAUNCH_TS, TR_TIME_NONE if it has none
 */
static inline int64_t tr_event_host_time(const struct tr_batch *b, size_t i, int64_t launch_ts)
{
    if (launch_ts != TR_TIME_NONE)
        return launch_ts;
    unsigned act = b->activity[i];
    return tr_is_device_work(act) || act == TR_ACT_SYNC ? TR_TIME_NONE : b->ts[i];
}

#ifdef __cplusplus
}
#endif
#endif
