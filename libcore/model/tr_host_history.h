/* SPDX-License-Identifier: MIT */
/*
 * What host threads did: for each moment, the innermost span of a thread, while a stream passes in
 * canonical order.  For questions that come later, such as what ran before a piece of device work began.
 *
 *     tr_host_history_enter(h, b, i);                       for each host span (tr_is_call)
 *     tr_host_history_walk(h, track, from, to, see, self);  what was the case from then until then
 *     tr_host_history_forget(h, track, to);                 nobody asks for anything before
 *
 * The innermost span of a moment is the last one in canonical order that is open: it has begun and not ended
 * (half-open intervals).  Steps and Python frames are set apart, since they lie around everything: `name` is
 * the innermost of all other spans, `frame` the innermost of these.
 *
 * What the thread did is told by the innermost span whose name or activity says so (vendor/tr_roles.h): it waits
 * for the device, it loads data, it takes part in a collective of the host's; else it is busy.
 *
 * Memory: 24 bytes for each start and end of a span that was not forgotten, 40 for each open span.  Not shared
 * between threads.
 */
#ifndef TR_HOST_HISTORY_H
#define TR_HOST_HISTORY_H

#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_host_doing { TR_HOST_BUSY, TR_HOST_WAITS_FOR_DEVICE, TR_HOST_LOADS_DATA, TR_HOST_IN_COLLECTIVE };

/* What is the case from a moment on. */
struct tr_host_moment {
    int64_t at;
    uint32_t name, frame; /* string numbers, TR_NO_STR: there is none */
    enum tr_host_doing doing;
};

struct tr_host_history;

struct tr_host_history *tr_host_history_new(const struct tr_dict *dict); /* NULL: out of memory */
void tr_host_history_free(struct tr_host_history *h);

/* Host span i comes; one without a length changes nothing.  False: out of memory. */
bool tr_host_history_enter(struct tr_host_history *h, const struct tr_batch *b, size_t i);

/*
 * See each stretch of a thread from `from` to `to`, which no later span starts before: m says what was the
 * case for so many ns, of which all are seen.  False: out of memory, or see said so.
 */
typedef bool tr_host_see(void *self, const struct tr_host_moment *m, int64_t ns);
bool tr_host_history_walk(struct tr_host_history *h, uint32_t track, int64_t from, int64_t to, tr_host_see *see,
                          void *self);

/* Nobody asks for what a thread did before a time. */
void tr_host_history_forget(struct tr_host_history *h, uint32_t track, int64_t before);

#ifdef __cplusplus
}
#endif
#endif
