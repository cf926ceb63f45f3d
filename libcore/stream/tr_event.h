/* SPDX-License-Identifier: MIT */
/*
 * The event model, with the numbers of the stream format (tr-stream(5)).
 *
 * An event is one thing that happened on a track.  Times are signed 64-bit nanoseconds; ts counts from
 * the time base of the stream (struct tr_source).  An absent time is TR_TIME_NONE, never 0.  tracepipe.h has the
 * phases, activities, kinds, suspicions and sides, whose numbers are part of the format.
 *
 * The folder stream has events in memory, its inner folders their bytes (format), several streams as one (merge) and
 * other orders (sort).  Central: struct tr_batch, struct tr_dict with its tracks and sources, struct tr_summary,
 * struct tr_input.
 */
#ifndef TR_EVENT_H
#define TR_EVENT_H

#include "base/tr_time.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_MAX_DUR_NS (INT64_C(604800) * 1000000000) /* seven days: anything longer is suspect */

/* Bits of an event's flags.  Part of the format. */
enum {
    TR_HAS_LAUNCH = 1,  /* device event whose launch is known: the launch_* columns have an entry */
    TR_HAS_DEVICE = 2,  /* launch with device work: column n_device has an entry */
    TR_HAS_CLASS = 4,   /* column class has an entry */
    TR_OPEN = 8,        /* span whose end is missing */
    TR_FROM_BE = 16,    /* joined from a start and an end, as a span or an async start; record is that of the start, and
                           column end_record has an entry */
    TR_HAS_PS = 32,     /* columns ts_ps and dur_ps have an entry */
    TR_HAS_GRAPH = 64,  /* device event of a graph: columns graph_id and graph_node have an entry */
    TR_ALL_FLAGS = 127
};

/* Device work: kernels, copies, memsets.  Sync bars and annotations never count. */
static inline int tr_is_device_work(unsigned activity)
{
    return activity >= TR_ACT_KERNEL && activity <= TR_ACT_MEMSET;
}

/* The duration that analyses use: 0 when it is absent, negative or suspect. */
static inline int64_t tr_dur_used(int64_t dur, unsigned suspect)
{
    return dur < 0 || suspect != TR_SUSPECT_NO ? 0 : dur;
}

#ifdef __cplusplus
}
#endif
#endif
