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
 * Memory: some 100 bytes per stream, and a histogram of queue per name of a call.
 */
#ifndef TR_LAUNCHES_H
#define TR_LAUNCHES_H

#include "analysis/time/tr_queue_ends.h"
#include "base/tr_stats.h"
#include "engine/tr_partial.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_LAUNCHES_DISTINCT ((size_t)1 << 20)

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

/* ---- summary per group and name of call ---- */

struct tr_launches_opts {
    struct tr_group_by_opts work;
    int64_t cpu_cutoff, queue_cutoff; /* ns */
    size_t distinct; /* different times in queue of a row until percentiles are approximate; 0: TR_LAUNCHES_DISTINCT */
    bool means_only; /* there are no percentiles */
};

struct tr_launches_row {
    struct tr_group_key key;
    struct tr_str api;
    uint64_t calls;  /* selected calls that launched device work; 0 in groups by device or stream */
    uint64_t pairs, negative; /* all pairs; the negative ones among them */
    struct tr_stats cpu, gpu, total;      /* of pairs that have the value */
    struct tr_stats queue, start_latency; /* of the same pairs: those in which both values fit */
    const struct tr_hist *queues;         /* sealed; NULL: there are no percentiles */
    uint64_t short_kernels; /* pairs whose work is shorter than the call, and the call at most cpu_cutoff */
    uint64_t slow_calls;    /* pairs whose call is longer than cpu_cutoff */
    uint64_t late_starts;   /* pairs whose queue is longer than queue_cutoff */
};

struct tr_launches;

/* Parameters as for tr_group_by_init; *launches is set on TR_OK only. */
enum tr_status tr_launches_new(const struct tr_launches_opts *opts, const struct tr_dict *dict,
                               const struct tr_summary *summary, bool sorted,
                               struct tr_select *select, struct tr_launches **launches,
                               struct tr_error *err);
void tr_launches_free(struct tr_launches *a);

/* The next batch, with its launch columns; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_launches_feed(struct tr_launches *a, const struct tr_batch *b,
                                const uint8_t *keep, struct tr_error *err);

/*
 * The result, after the last batch, by group; in a group, the call with the most pairs comes first, then by name.
 * Owner: the analysis.  It may be called again, and gives the same.
 */
enum tr_status tr_launches_finish(struct tr_launches *a, const struct tr_launches_row **rows,
                                  size_t *n, struct tr_error *err);

/* Save, after the last batch, and load as table 0 of a partial result. */
extern const struct tr_saved_table tr_launches_saved;
void tr_launches_save(const struct tr_launches *a, struct tr_partial_out *out);
enum tr_status tr_launches_load(struct tr_launches *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
