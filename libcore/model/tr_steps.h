/* SPDX-License-Identifier: MIT */
/*
 * The step of a moment, of training or of inference.
 *
 * Steps are those of the summary: annotations (ProfilerStep#n, or those of an inference engine), as half-open
 * intervals. A step is valid for all threads of its source.  If several steps cover a moment, the one that started
 * last counts. tr_steps does not change after tr_steps_new, so threads may share it.
 *
 * Steps are of the host, and its time decides.  Those of a TPU are of the device, and nothing launches its work.
 */
#ifndef TR_STEPS_H
#define TR_STEPS_H

#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_steps;

/* The steps of all sources.  The summary is not needed after the call.  NULL: out of memory. */
struct tr_steps *tr_steps_new(const struct tr_summary *summary);
void tr_steps_free(struct tr_steps *s);

/* The number of the step that covers ts (ns of the stream) in a source; false: no step covers it. */
bool tr_steps_find(const struct tr_steps *s, uint32_t source, int64_t ts, int64_t *number);

/* The place of that step among those of its source in the summary; SIZE_MAX: no step covers ts. */
size_t tr_steps_place(const struct tr_steps *s, uint32_t source, int64_t ts);

/* The phase of that step, enum tr_step_phase; TR_STEP_NO_PHASE also if no step covers ts. */
unsigned tr_steps_phase(const struct tr_steps *s, uint32_t source, int64_t ts);

/*
 * The host time of an event, which decides its step: its own start, or, for device work and waits on the device, the
 * start of the call that launched it.
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

/*
 * The time of an event that decides its step: as above, but the start of device work without a launch if the steps of
 * its source are of a device.  s may be NULL.
 */
int64_t tr_steps_time(const struct tr_steps *s, const struct tr_batch *b, size_t i, int64_t launch_ts);

#ifdef __cplusplus
}
#endif
#endif
