/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the selection with context share.
 *
 *   tr_related_events.c   passes, children, links, parents
 *   tr_related_window.c   within, outside
 *   tr_related_closure.c  flows and metadata
 */
#ifndef TR_RELATED_EVENTS_INT_H
#define TR_RELATED_EVENTS_INT_H

#include "model/selection/tr_related_events.h"
#include "model/tr_open_spans.h"
#include "stream/tr_args.h"

struct tr__window {
    int64_t start, end;
};

/* Disjoint windows, by start. */
struct tr__windows {
    struct tr__window *w;
    size_t n, cap;
};

/* The windows of one rank, by the side of the span's track. */
struct tr__window_group {
    int64_t rank;
    struct tr__windows side[2];
};

struct tr__within {
    struct tr__window_group *groups;
    size_t n_groups, cap_groups;
    uint32_t *group_of; /* by source: index + 1; 0: not known yet */
    size_t cap_sources;
    int64_t *launch_ts; /* of the current batch */
    size_t cap_launch;
};

bool tr__within_add(struct tr__within *w, const struct tr_batch *b, const uint8_t *mask);
/* Clear the mask for events that are not inside a window; outside: for those that are. */
bool tr__within_narrow(struct tr__within *w, const struct tr_batch *b, bool outside, uint8_t *mask);
void tr__within_free(struct tr__within *w);

/* One bit per event, by its position in the stream. */
struct tr__bits {
    uint64_t *words;
    size_t cap;
};

static inline bool tr__bits_get(const struct tr__bits *b, uint64_t at)
{
    return b->words[at >> 6] >> (at & 63) & 1;
}

static inline void tr__bits_set(struct tr__bits *b, uint64_t at)
{
    b->words[at >> 6] |= UINT64_C(1) << (at & 63);
}

#define TR__NOWHERE UINT64_MAX
#define TR__UNDECIDED                                                          \
    (UINT64_C(1) << 63) /* added to a span's position: a later event may add the span \
                         */

/* A flow event and the span it is bound to. */
struct tr__flow {
    int64_t id; /* number, or string number */
    uint32_t source, cat, name;
    uint8_t id_type, phase;
    bool to_next;      /* bound to the next span that starts on its track */
    uint64_t at, span; /* positions in the stream */
};

/* A track in the closure: flow events that wait for the spans at their ts. */
struct tr__flow_track {
    int64_t ts;
    struct tr__flow *waiting;
    size_t n, cap;
    int64_t last_start; /* of the last span that started */
    uint64_t last_span;
};

struct tr__closure {
    struct tr__flow_track *tracks;
    size_t n_tracks, cap_tracks;
    struct tr__flow *flows; /* bound ones */
    size_t n_flows, cap_flows;
    bool *works; /* by track: it has work of the device */
    size_t n_works;
    uint32_t *flow_tracks; /* by track of a flow event: the track whose spans it is for */
    size_t n_flow_tracks;
    struct tr_arg id, bp; /* members of the events of the current batch */
    uint8_t *track_kept; /* by track: one of its events is kept */
    size_t cap_kept;
    uint8_t *track_wants; /* by track, at the end: TR__WANTS_* */
    size_t n_wants;
};

enum { TR__WANTS_PROCESS = 1, TR__WANTS_THREAD = 2 }; /* the metadata of its process or thread belongs to the result */

/* Look for work of the device; of each batch, before tr__closure_start. */
bool tr__closure_note_work(struct tr__closure *c, const struct tr_batch *b);
/* Prepare; once, when all tracks are known. */
bool tr__closure_start(struct tr__closure *c, const struct tr_dict *d);
/* The track whose spans a flow event is for: that with the device work of its process and thread, else its own. */
uint32_t tr__closure_flow_track(const struct tr__closure *c, uint32_t track);
/* Read the members of the flow events of a batch.  Call it before its first event. */
bool tr__closure_batch(struct tr__closure *c, const struct tr_batch *b);
/*
 * Move a track on to ts: bind the flow events that wait at an earlier time.  open: the open spans of that time.  So
 * call this before the spans that end by ts are closed.
 */
bool tr__closure_move(struct tr__closure *c, uint32_t track, int64_t ts, const struct tr__bits *keep,
                      const struct tr_open_spans_track *open);
/*
 * Enter flow event i of the batch, at this position in the stream, after its track was moved to its ts; enter a span,
 * by its position.
 */
bool tr__closure_flow(struct tr__closure *c, const struct tr_batch *b, size_t i, uint64_t at);
bool tr__closure_span(struct tr__closure *c, uint32_t track, uint64_t span,
                      const struct tr__bits *keep);
bool tr__closure_keep_track(struct tr__closure *c, uint32_t track);
/* Set the bits of the flows that belong to kept spans, and find the metadata that is needed. */
bool tr__closure_end(struct tr__closure *c, const struct tr_dict *dict, struct tr_open_spans *nest,
                     struct tr__bits *keep);
bool tr__closure_wants_meta(const struct tr__closure *c, const struct tr_batch *b, size_t i);
void tr__closure_free(struct tr__closure *c);

#endif
