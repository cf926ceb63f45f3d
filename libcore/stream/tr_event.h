/*
 * The event model: what an event is made of, as numbers that the stream format fixes (tr-stream(5)).
 *
 * An event is one thing that happened on a track.  Times are signed 64-bit nanoseconds; ts counts from
 * the time base of the stream (struct tr_source).  An absent time is TR_TIME_NONE, never 0.
 */
#ifndef TR_EVENT_H
#define TR_EVENT_H

#include "base/tr_time.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_MAX_DUR_NS (INT64_C(604800) * 1000000000) /* seven days: anything longer is suspect */

/* Phase: what kind of record the event is.  Values are part of the format. */
enum tr_phase {
    TR_SPAN = 0,     /* has a start and, unless it never ended, a duration */
    TR_INSTANT = 1,
    TR_COUNTER = 2,
    TR_FLOW_START = 3,
    TR_FLOW_STEP = 4,
    TR_FLOW_END = 5,
    TR_ASYNC_BEGIN = 6,
    TR_ASYNC_INSTANT = 7,
    TR_ASYNC_END = 8,
    TR_META = 9,
    TR_BEGIN = 10,   /* unpaired begin: unsorted streams, or a span whose end is missing */
    TR_SPAN_END = 11, /* unpaired end */
    TR_PHASE_UNKNOWN = 12,
    TR_N_PHASES
};

/* Activity: the same for every vendor.  Only readers (formats/) decide it.  Part of the format. */
enum tr_activity {
    TR_ACT_OTHER = 0,
    TR_ACT_CPU_OP = 1,
    TR_ACT_ANNOTATION = 2,        /* user range on the host */
    TR_ACT_PYTHON = 3,
    TR_ACT_RUNTIME_API = 4,
    TR_ACT_DRIVER_API = 5,
    TR_ACT_KERNEL = 6,
    TR_ACT_MEMCPY = 7,
    TR_ACT_MEMSET = 8,
    TR_ACT_SYNC = 9,              /* wait shown on the device side; never device work */
    TR_ACT_DEVICE_ANNOTATION = 10,
    TR_ACT_COMM_RECORD = 11,      /* host record that describes a collective */
    TR_ACT_MEMORY_INSTANT = 12,
    TR_ACT_OVERHEAD = 13,
    TR_ACT_OS_API = 14,           /* call of the operating system */
    TR_ACT_HOST_COMM = 15,        /* collective that the host carries out: gloo, MPI */
    TR_N_ACTIVITIES
};

/* Kind of device work; TR_KIND_NONE for everything else.  Part of the format. */
enum tr_kind {
    TR_KIND_NONE = 0,
    TR_KIND_COMPUTE = 1,
    TR_KIND_COMM = 2,
    TR_KIND_MEMORY = 3,
    TR_KIND_OTHER = 4,
    TR_N_KINDS
};

/* Why a value of the event cannot be true.  The value stays as found.  Part of the format. */
enum tr_suspect {
    TR_SUSPECT_NO = 0,
    TR_SUSPECT_NEGATIVE_DUR = 1,
    TR_SUSPECT_LONG_DUR = 2,   /* longer than TR_MAX_DUR_NS */
    TR_SUSPECT_BEFORE_BASE = 3, /* ts below 0 in a source that names a time base */
    TR_SUSPECT_OVERFLOW = 4,   /* ts or ts + dur is so far from 0 that differences need not fit (TR_TIME_FAR) */
    TR_N_SUSPECTS
};

/* Bits of an event's flags.  Part of the format. */
enum {
    TR_HAS_LAUNCH = 1,  /* device event whose launch is known: the launch_* columns have an entry */
    TR_HAS_DEVICE = 2,  /* launch that owns device work: column n_device has an entry */
    TR_HAS_CLASS = 4,   /* column class has an entry */
    TR_OPEN = 8,        /* span whose end is missing */
    TR_FROM_BE = 16,    /* span joined from a B and an E; record is the B's, column end_record has an entry */
    TR_HAS_PS = 32,     /* columns ts_ps and dur_ps have an entry */
    TR_HAS_GRAPH = 64,  /* device event of a graph: columns graph_id and graph_node have an entry */
    TR_ALL_FLAGS = 127
};

/* Side of a track. */
enum tr_side { TR_SIDE_HOST = 0, TR_SIDE_DEVICE = 1 };

/* Names as users write them ("kernel", "flow_start"); "?" for a number out of range. */
const char *tr_phase_name(unsigned phase);
const char *tr_activity_name(unsigned activity);
const char *tr_kind_name(unsigned kind);
const char *tr_suspect_name(unsigned suspect);

/* The number of a name, or -1. */
int tr_phase_by_name(const char *name);
int tr_activity_by_name(const char *name);
int tr_kind_by_name(const char *name);

/* Device work: kernels, copies, fills.  Sync bars and annotations never count. */
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
