/* SPDX-License-Identifier: MIT */
/*
 * Times of launches: of the call, of the wait until its work starts, and of the work.
 *
 * Device work and its launch, if it is known, are a pair (launch columns of the stream; a graph launch
 * has one pair for each kernel).  A pair has, in ns:
 *
 *   cpu            duration of the call
 *   gpu            duration of the work
 *   queue          start of the work - end of the call, not below 0
 *   start_latency  start of the work - the later of: end of the call, end of all earlier work on the
 *                  stream; not below 0: the wait of the work while its stream was free
 *   stream_wait    queue - start_latency: the wait for earlier work on its stream, not below 0
 *
 * If the work of a pair starts before its call, clocks disagree: the pair is negative.  It is counted, but left out of
 * means and percentiles.  A call without a duration ends where it starts.  HTA's launch statistics have five names of
 * calls; here every call of any vendor that launched device work counts.
 *
 * Memory: some 100 bytes per stream.
 */
#ifndef TR_LAUNCHES_H
#define TR_LAUNCHES_H

#include "analysis/time/tr_queue_ends.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_launch_pair {
    size_t event;          /* its place in the batch */
    uint32_t group;        /* in p->streams.groups */
    uint32_t api;          /* string number of the call's name */
    int64_t cpu, gpu;                          /* ns; TR_TIME_NONE: there is no duration */
    int64_t total; /* cpu + queue + gpu; TR_TIME_NONE: one of them is absent, or the sum does not fit */
    int64_t queue, stream_wait, start_latency; /* ns; TR_TIME_NONE: does not fit; queue absent: stream_wait, too */
    bool negative;
};

/* The pairs of one batch. */
struct tr_pairs {
    struct tr_queue_ends streams;
    int64_t *launch_ts, *launch_dur; /* of this batch, one entry per event */
    uint32_t *launch_name;
    size_t cap_ts, cap_dur, cap_name;
    struct tr_launch_pair *pairs;
    size_t n, cap;
};

/* As tr_group_by_init; call tr_pairs_free in any case. */
enum tr_status tr_pairs_init(struct tr_pairs *p, const struct tr_group_by_opts *opts, const struct tr_dict *dict,
                             const struct tr_summary *summary, bool sorted, struct tr_select *select,
                             struct tr_error *err);
void tr_pairs_free(struct tr_pairs *p);

/* The pairs of the next batch, in its order: p->pairs, p->n. */
enum tr_status tr_pairs_batch(struct tr_pairs *p, const struct tr_batch *b, const uint8_t *keep,
                              struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
