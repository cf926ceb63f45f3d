/* SPDX-License-Identifier: MIT */
/*
 * What the hosts did before device work started, for the gaps of tr_idle.h: the history of their threads, and the
 * launch calls of a batch.  Analyses of one run share it, so that each span of a host is entered once.
 *
 *     st = tr_idle_share(idle, in, &err);
 *
 * It gets each batch before the gaps of the batch are read.  Spans are kept while their source still has device work,
 * by the counts of activities in the summary, and until no reader needs them any more.
 */
#ifndef TR_IDLE_HOSTS_H
#define TR_IDLE_HOSTS_H

#include "engine/tr_analysis.h"
#include "model/calls/tr_host_history.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who reads the history. */
struct tr_idle_reader {
    const void *self;
    const struct tr_select *select; /* the sources that it needs; NULL: all */
    size_t (*n_groups)(const void *self);
    /* The earliest time that later device work of a source can make it ask for; now: the start of the last event. */
    int64_t (*oldest)(const void *self, uint32_t source, int64_t now);
};

struct tr_idle_hosts {
    const struct tr_dict *dict;
    const struct tr_summary *summary;
    struct tr_host_history *history;
    int64_t *launch_ts, *launch_dur, *launch_track; /* of this batch, by event; absent: TR_TIME_NONE */
    size_t cap_ts, cap_dur, cap_track;
    struct tr_idle_reader *readers;
    size_t n_readers, cap_readers;
    uint64_t *left; /* by source: device work still to come */
    size_t n_left, cap_left;
    uint64_t entered; /* host spans since the history was last shortened */
    int64_t now;      /* the start of the last event */
};

/* Borrows both; NULL: out of memory. */
struct tr_idle_hosts *tr_idle_hosts_new(const struct tr_dict *dict, const struct tr_summary *summary);
void tr_idle_hosts_free(struct tr_idle_hosts *h);

/* Those that the analyses of a run share, which own them; call it in start. */
enum tr_status tr_idle_hosts_shared(const struct tr_analysis_in *in, struct tr_idle_hosts **hosts,
                                    struct tr_error *err);

/* A reader comes, before the first batch; it goes.  False: out of memory. */
bool tr_idle_hosts_join(struct tr_idle_hosts *h, const struct tr_idle_reader *reader);
void tr_idle_hosts_leave(struct tr_idle_hosts *h, const void *self);

/* The next batch.  False: out of memory. */
bool tr_idle_hosts_feed(struct tr_idle_hosts *h, const struct tr_batch *b);

#ifdef __cplusplus
}
#endif
#endif
