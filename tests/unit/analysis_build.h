/* SPDX-License-Identifier: MIT */
/* Streams by hand for tests of analyses: what view_build.h makes, with work on devices, its launches and steps. */
#ifndef ANALYSIS_BUILD_H
#define ANALYSIS_BUILD_H

#include "harness/tap.h"
#include "unit/view_build.h"

/* A dictionary, a batch, and the one shape of their events. */
static inline uint32_t start_stream(struct build *t)
{
    build_start(t);
    usual(t, true, true);
    return shape(t, 'X');
}

/* Add a span of the first shape. */
static inline size_t span(struct build *t, uint32_t trk, enum tr_activity act, const char *name, int64_t ts,
                          int64_t dur)
{
    size_t i = event(t, 0, trk, name, ts, dur);
    t->batch->activity[i] = (uint8_t)act;
    return i;
}

static inline size_t kernel(struct build *t, uint32_t trk, const char *name, int64_t ts, int64_t dur)
{
    return span(t, trk, TR_ACT_KERNEL, name, ts, dur);
}

/* The last event was launched by a call of a name; of what record and on which track it was. */
static inline void launched(struct build *t, const char *api, int64_t ts, int64_t dur, uint64_t record, uint32_t trk)
{
    t->batch->flags[t->batch->n - 1] |= TR_HAS_LAUNCH;
    put(t, TR_COL_LAUNCH_TS, ts);
    put(t, TR_COL_LAUNCH_DUR, dur);
    put(t, TR_COL_LAUNCH_RECORD, (int64_t)record);
    put(t, TR_COL_LAUNCH_TRACK, trk);
    put(t, TR_COL_LAUNCH_NAME, str(t, api));
}

/* The last event is a call that owns n events of device work. */
static inline void owns(struct build *t, int64_t n)
{
    t->batch->flags[t->batch->n - 1] |= TR_HAS_DEVICE;
    put(t, TR_COL_N_DEVICE, n);
}

/* The last event is wrong in its times. */
static inline void suspect(struct build *t, enum tr_suspect why)
{
    t->batch->suspect[t->batch->n - 1] = (uint8_t)why;
}

static inline void step(struct tr_summary *s, uint32_t src, int64_t number, int64_t start, int64_t end)
{
    struct tr_step x = { .number = number, .start = start, .end = end };
    need(tr_summary_add_step(&s->sources[src], &x));
}

#endif
