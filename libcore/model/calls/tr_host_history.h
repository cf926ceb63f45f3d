/* SPDX-License-Identifier: MIT */
/*
 * The history of host threads: the innermost span of a thread at each moment, while a stream is read in canonical
 * order.  It answers later questions, such as what ran before device work started.
 *
 *     tr_host_history_enter(h, b, i);                       for each host span (tr_is_call)
 *     tr_host_history_walk(h, track, from, to, see, self);  the history of this time
 *     tr_host_history_forget(h, track, to);                 earlier history is not needed any more
 *
 * The innermost span of a moment is the last one in canonical order that is open: it has started and not ended
 * (half-open intervals).  Steps and Python frames are separate, because they contain everything: `name` is
 * the innermost of all other spans, `frame` the innermost of these.
 *
 * The innermost span with a role (vendor/tr_roles.h) or activity shows what the thread did: it waits for the device, it
 * loads data, or it takes part in a collective of the host.  Otherwise it is busy.
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

/* The state from a moment on. */
struct tr_host_moment {
    int64_t at;
    uint32_t name, frame; /* string numbers, TR_NO_STR: there is none */
    enum tr_host_doing doing;
};

struct tr_host_history;

struct tr_host_history *tr_host_history_new(const struct tr_dict *dict); /* NULL: out of memory */
void tr_host_history_free(struct tr_host_history *h);

/* Enter host span i; a span without length changes nothing.  False: out of memory. */
bool tr_host_history_enter(struct tr_host_history *h, const struct tr_batch *b, size_t i);

/*
 * Call see for each interval of a thread from `from` to `to`, with its state m and its length; later spans must not
 * start before `to`.  False: out of memory, or see returned false.
 */
typedef bool tr_host_see(void *self, const struct tr_host_moment *m, int64_t ns);
bool tr_host_history_walk(struct tr_host_history *h, uint32_t track, int64_t from, int64_t to, tr_host_see *see,
                          void *self);

/* Forget the history of a thread before a time. */
void tr_host_history_forget(struct tr_host_history *h, uint32_t track, int64_t before);

#ifdef __cplusplus
}
#endif
#endif
