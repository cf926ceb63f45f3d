/* SPDX-License-Identifier: MIT */
/*
 * Call trees of host spans, while a stream is read in canonical order.
 *
 * The spans of one host track form trees.  The parent of a span is the innermost open span of its track that does not
 * end before it.  The innermost span is the last one in canonical order.  So if two spans have the same start, the
 * longer one is outside; if they also have the same end, the one with the lower record is outside.  A child may end
 * 1 ns after its parent, because times are rounded to nanoseconds.  If a span starts inside another one and ends after
 * it, the two are siblings.  A span without length belongs to the span that covers its time, including both ends, and
 * is never a parent.  Parents come before their children, so the ancestors of a span are known when it arrives.
 *
 *     st = tr_call_path_enter(tree, b, i, &path);
 *     for (size_t k = 0; k < path.depth; k++)
 *         path.open[k] ...                  the ancestors, outermost first
 *     path.open[path.depth].tag = my_number; itself
 *
 * Host spans are all spans except those of devices: kernels, copies, memsets, waits and annotations on the device.  The
 * activity decides, and never the number of a process or thread.  Impossible durations count as 0; a span whose end is
 * missing lasts for ever.
 *
 * If spans overlap without nesting, the cause is reported and counted:
 *
 *   rounding    by at most 1 ns; this is not an error
 *   overrun     host: the span ends after the span that it started in, such as a range that one call
 *               opens and another one closes
 *   concurrent  device: work that starts before earlier work on its stream has ended, and
 *               ends later: streams are queues, but a kernel may start early
 *   swallowed   device: work that starts and ends while earlier work on its stream runs:
 *               the duration of the earlier work is probably wrong
 *
 * Memory: 64 bytes per open span, 40 per track.  Not shared between threads.
 */
#ifndef TR_CALL_PATH_H
#define TR_CALL_PATH_H

#include "base/tr_time.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_CALLTREE_SLACK_NS 1

enum tr_nesting {
    TR_NESTING_FINE,
    TR_NESTING_ROUNDING,
    TR_NESTING_OVERRUN,
    TR_NESTING_CONCURRENT,
    TR_NESTING_SWALLOWED,
    TR_N_NESTINGS
};
const char *tr_nesting_name(enum tr_nesting nesting); /* "rounding" and so on */

struct tr_call {
    int64_t start, end; /* ns; the end cut to that of its parent; INT64_MAX: never ends */
    int64_t dur; /* as in the trace, 0 if impossible; INT64_MAX as end */
    uint64_t record;
    uint64_t tag; /* for the caller, 0 at first */
    uint32_t notes[5]; /* also for the caller, 0 at first: results for this span and the spans around it */
    uint32_t name;
    uint8_t activity;
};

struct tr_callpath {
    struct tr_call *open; /* the ancestors, outermost first, and at [depth] the span itself */
    size_t depth;         /* number of ancestors: 0 for a root */
    enum tr_nesting nesting;
    /*
     * ns; 0 if the span is nested.  Host: the time to cut off so that the span is inside the span that it started in,
     * or follows it.  Device: the time for which earlier work still runs.
     */
    int64_t overlap;
};

struct tr_call_path;

struct tr_call_path *tr_call_path_new(void); /* NULL: out of memory */
void tr_call_path_free(struct tr_call_path *c);

/* Is event i a host span, for tr_call_path_enter? */
static inline bool tr_is_call(const struct tr_batch *b, size_t i)
{
    unsigned act = b->activity[i];
    return b->phase[i] == TR_SPAN && b->ts[i] != TR_TIME_NONE && !tr_is_device_work(act) &&
           act != TR_ACT_SYNC && act != TR_ACT_DEVICE_ANNOTATION;
}

/*
 * Enter host span i.  path is valid until the next call.
 *
 * TR_OK, or TR_SYSTEM: out of memory.
 */
enum tr_status tr_call_path_enter(struct tr_call_path *c, const struct tr_batch *b, size_t i, struct tr_callpath *path,
                                  struct tr_error *err);

/*
 * Self time: the part of a child of a span that no child before it covers, in ns, is not self time of the span.
 * Children come by their starts.  *covered: up to here, they cover the span, at first its start.  What lies beyond
 * end_of_span does not count, nor what does not fit in 64 bits: such a span has no end, and no self time.
 */
static inline int64_t tr_call_cover(int64_t *covered, int64_t end_of_span, int64_t start, int64_t end)
{
    int64_t from = start > *covered ? start : *covered;
    int64_t to = end < end_of_span ? end : end_of_span;
    int64_t ns = to > from ? tr_time_diff(to, from) : 0;
    *covered = to > *covered ? to : *covered;
    return ns == TR_TIME_NONE ? 0 : ns;
}

/* The *depth open spans of a track after the last tr_call_path_enter. */
const struct tr_call *tr_call_path_open(const struct tr_call_path *c, uint32_t track, size_t *depth);

/*
 * Enter device work i.  Only nesting and overlap of path are set.
 */
enum tr_status tr_call_path_device(struct tr_call_path *c, const struct tr_batch *b, size_t i, struct tr_callpath *path,
                                   struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
