/* SPDX-License-Identifier: MIT */
/*
 * The step of a moment, of training or of inference.
 *
 * Steps are those of the summary: annotations (ProfilerStep#n, or those of an inference engine), as half-open
 * intervals.  They belong to the process of their thread.  A thread with steps of its own uses these; every other
 * thread of the process, such as that of the backward pass, uses all steps of the process.  A process without steps
 * uses those of its source if only one process has steps.  If several steps cover a moment, the one that started last
 * counts.  tr_steps does not change after tr_steps_new, so threads may share it.
 *
 * Steps are of the host, and its time decides.  A track of a device is of no process: its events, unless the host
 * launched them, use all steps of the source.  Steps of a TPU are of the device, and nothing launches its work: they
 * are valid for all threads of a source that have none in their process.
 */
#ifndef TR_STEPS_H
#define TR_STEPS_H

#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_steps;

/* What decides the step of an event. */
struct tr_step_moment {
    int64_t ts; /* ns of the stream; TR_TIME_NONE: the event has no step */
    uint32_t source;
    uint32_t track; /* the thread; TR_STEPS_ANY_TRACK: not known, so all steps of the source are used */
};
#define TR_STEPS_ANY_TRACK UINT32_MAX

/* The steps of all sources.  The summary is not needed after the call.  NULL: out of memory. */
struct tr_steps *tr_steps_new(const struct tr_summary *summary);
void tr_steps_free(struct tr_steps *s);

/* The number of the step that covers a moment; false: no step covers it. */
bool tr_steps_find(const struct tr_steps *s, const struct tr_dict *dict, struct tr_step_moment at, int64_t *number);

/* The place of that step among those of its source in the summary; SIZE_MAX: no step covers the moment. */
size_t tr_steps_place(const struct tr_steps *s, const struct tr_dict *dict, struct tr_step_moment at);

/* The phase of that step, enum tr_step_phase; TR_STEP_NO_PHASE also if no step covers the moment. */
unsigned tr_steps_phase(const struct tr_steps *s, const struct tr_dict *dict, struct tr_step_moment at);

/*
 * The host time of an event: its own start, or, for device work and waits on the device, the start of the call that
 * launched it.
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
 * The moment that decides the step of an event: its host time on its thread, or on that of its launch.  For device work
 * without a launch, its start if the steps of its source are of a device.  s may be NULL.
 *
 * launch_track  the event's entry of column TR_COL_LAUNCH_TRACK; TR_I64_NONE: it has none, or the column is not read
 */
struct tr_step_moment tr_steps_moment(const struct tr_steps *s, const struct tr_batch *b, size_t i, int64_t launch_ts,
                                      int64_t launch_track);

/* The two columns of a batch.  Memory: 16 bytes for each of its events. */
struct tr_step_columns {
    int64_t *launch_ts, *launch_track;
    size_t cap_ts, cap_track;
};
bool tr_step_columns_read(struct tr_step_columns *c, const struct tr_batch *b); /* false: out of memory */
void tr_step_columns_free(struct tr_step_columns *c);

static inline struct tr_step_moment tr_step_columns_moment(const struct tr_step_columns *c, const struct tr_steps *s,
                                                           const struct tr_batch *b, size_t i)
{
    return tr_steps_moment(s, b, i, c->launch_ts[i], c->launch_track[i]);
}

/* The columns that decide the step of an event, as bits of a projection. */
#define TR_STEPS_DERIVED (1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_TRACK)

#ifdef __cplusplus
}
#endif
#endif
