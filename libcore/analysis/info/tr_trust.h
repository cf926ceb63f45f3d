/* SPDX-License-Identifier: MIT */
/*
 * What cannot be true of a source, counted: why results may mislead.
 *
 *   pairs      device work and its launch.  Work cannot start before its launch; if it does, clocks disagree, or a time
 *              was not recorded
 *   swallowed  device work that starts and ends while earlier work on its stream runs.  A stream is a queue, so a
 *              span that contains several others has a wrong end
 *   lone       device work at the first or the last moment of work, so far from all other work that the device span
 *              is at least ten times as long as without it.  It counts only beside several others.  Long gaps between
 *              other work are no doubt
 *   frames     Python functions.  If all of them end at the stop of the profiler, it did not see them return
 *
 *   in_ns      events whose times are beyond the year 2100; or all kernels and the calls that launched them, if none of
 *              them lasts less than a millisecond, or if each kernel lasts ten seconds.  Such times are nanoseconds, in
 *              a field of microseconds: a kernel and a launch call last microseconds
 *
 * Suspect events are left out; they are counted by themselves.
 *
 * One pass over events in canonical order.  Memory: some 100 bytes for each source and each track.  Not shared between
 * threads.
 */
#ifndef TR_TRUST_H
#define TR_TRUST_H

#include "base/tr_status.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_trust_counts {
    uint64_t pairs, pairs_causal; /* causal: the work does not start before its launch */
    uint64_t swallowing, swallowed; /* spans that contain several others, and those others */
    uint64_t lone;                  /* events of lone work */
    int64_t span, span_rest;        /* of device work, and without the lone work, ns; 0: there is no lone work */
    uint64_t in_ns;
    uint64_t frames, frames_at_stop; /* at_stop: their end is the last one of all, or is missing */
};

struct tr_trust;
struct tr_trust *tr_trust_new(void); /* NULL: out of memory */
void tr_trust_free(struct tr_trust *t);

/* The next batch, with column TR_COL_LAUNCH_TS.  TR_OK, or TR_SYSTEM: out of memory. */
enum tr_status tr_trust_add(struct tr_trust *t, const struct tr_batch *b, struct tr_error *err);

/* After the last batch, once; then the counts of a source: all 0 if it had no events. */
void tr_trust_finish(struct tr_trust *t);
struct tr_trust_counts tr_trust_of(const struct tr_trust *t, uint32_t source);

#ifdef __cplusplus
}
#endif
#endif
