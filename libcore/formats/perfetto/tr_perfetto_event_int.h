/* SPDX-License-Identifier: MIT */
/* A track event, while it becomes events of the builder.  Internal to libcore/formats/perfetto. */
#ifndef TR_PERFETTO_EVENT_INT_H
#define TR_PERFETTO_EVENT_INT_H

#include "formats/perfetto/tr_perfetto_read_int.h"

/* Fields of a TrackEvent that nearly all have, and its types. */
enum { TR__EVENT_TYPE = 9, TR__EVENT_TRACK = 11 };
enum { TR__TYPE_BEGIN = 1, TR__TYPE_END = 2, TR__TYPE_INSTANT = 3, TR__TYPE_COUNTER = 4 };

struct tr__track_event {
    uint64_t type, track, offset;
    bool has_track, has_count, has_real, has_time, is_delta, has_category;
    char scope; /* of an instant: p, g; 0: its thread */
    int64_t count, time_us;
    double real;
    uint32_t name, category; /* texts; category: the first one */
    struct tr__legacy legacy;
    uint64_t n_categories;
    int64_t ts;
    int64_t thread[2];  /* time of the thread in us, its instructions; TR_I64_NONE: not given */
    enum tr_phase phase;
    enum tr_activity activity; /* of its category */
    struct tr_ingest_track at;
    uint32_t nest;      /* for tr_ingest_nested */
    uint32_t source;    /* text: the source of its correlation numbers; TR_NO_STR: the file */
    uint64_t work, api; /* the id of the work that it launched; its API */
};

/*
 * Read its fields; lists go to the reader.  False: out of memory.  *whole: its fields are those of a message.
 */
bool tr__perfetto_read_event(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__span body,
                             struct tr__track_event *e, bool *whole);

/* One sample of the counter of a track. */
enum tr_status tr__perfetto_emit_sample(struct tr__perfetto_reader *r, uint64_t uuid, int64_t ts, bool is_real,
                                        int64_t whole, double real);
/* The counter values that the event has besides. */
enum tr_status tr__perfetto_emit_extra(struct tr__perfetto_reader *r, const struct tr__sequence *s, int64_t ts);

/* Keep what depends on earlier events, until these are passed on. */
enum tr_status tr__perfetto_keep_later(struct tr__perfetto_reader *r, const struct tr__later *what);
/* Pass on the ids of flows as flow events at the slice.  correlated: its correlation links it, too. */
enum tr_status tr__perfetto_emit_flows(struct tr__perfetto_reader *r, const struct tr__track_event *e,
                                       bool correlated);

/*
 * May the event be like an earlier one?  Then its first annotations can be taken before all else, because all its other
 * texts are known.
 */
bool tr__perfetto_may_be_like(struct tr__perfetto_reader *r, const struct tr__track_event *e);
/* Pass on such an event, whose annotations are all in w.  False: none was like it, and nothing was done. */
bool tr__perfetto_from_template(struct tr__perfetto_reader *r, struct tr__track_event *e, struct tr__walk *w,
                                enum tr_status *st);
/* The event that was just passed on, which may be like others, becomes a template for them. */
void tr__perfetto_keep_template(struct tr__perfetto_reader *r, const struct tr__track_event *e,
                                const struct tr__walk *w);

/* Where it happened; false: out of memory. */
bool tr__perfetto_event_track(struct tr__perfetto_reader *r, const struct tr__sequence *s, struct tr__track_event *e);
/* Device and stream from the args, else from the numbers of process and thread.  False: out of memory. */
bool tr__perfetto_event_track_on_device(struct tr__perfetto_reader *r, struct tr__track_event *e,
                                        const struct tr__known_args *known_args);
/* Does its device depend on the agents of earlier events? */
bool tr__perfetto_needs_agents(const struct tr__track_event *e, const struct tr__known_args *known_args);

#endif
