/* SPDX-License-Identifier: MIT */
/*
 * Inside of the writer for Perfetto.  Internal to libcore.
 *
 *   tr_perfetto_write.c  events: slices, instants, counters
 *   tr_perfetto_args.c   packets of events; interned strings; args and their values
 *   tr_perfetto_flow.c   arrows: flow events, and links from launches to their work
 *   tr_perfetto_lane.c   threads of the viewer: the open slices on each of their lanes
 *   tr_perfetto_track.c  descriptors: processes, threads, counters, async events; their numbers and their order
 *   tr_perfetto_stage.c  device work as render stages
 *   tr_perfetto_budget.c which spans are left out
 */
#ifndef TR_PERFETTO_INT_H
#define TR_PERFETTO_INT_H

#include "formats/common/tr_members.h"
#include "formats/common/tr_viewer.h"
#include "formats/perfetto/tr_perfetto_write.h"
#include "io/tr_proto_int.h"
#include "stream/tr_dict.h"

/* Fields of TracePacket, and of the file around it. */
enum {
    TR__TRACE_PACKET = 1,
    TR__PACKET_TIMESTAMP = 8,
    TR__PACKET_SEQUENCE = 10,
    TR__PACKET_EVENT = 11,
    TR__PACKET_INTERNED = 12,
    TR__PACKET_FLAGS = 13,
    TR__PACKET_STAGE = 53,
    TR__PACKET_TRACK = 60,
};

/* Fields of TrackEvent, and its types. */
enum {
    TR__EVENT_CATEGORY = 3,
    TR__EVENT_ANNOTATION = 4,
    TR__EVENT_LEGACY = 6,
    TR__EVENT_TYPE = 9,
    TR__EVENT_NAME = 10,
    TR__EVENT_TRACK = 11,
    TR__EVENT_COUNT = 30,
    TR__EVENT_DOUBLE_COUNT = 44,
    TR__EVENT_FLOW = 47,
};
enum { TR__SLICE_BEGIN = 1, TR__SLICE_END = 2, TR__INSTANT_EVENT = 3, TR__COUNTER_EVENT = 4 };

/* Tables of InternedData. */
enum { TR__INTERNED_CATEGORY = 1, TR__INTERNED_NAME = 2, TR__INTERNED_KEY = 3, TR__INTERNED_STAGE = 24 };

/*
 * What the links of a stream say about a slice; whether its end may still come as an event; whether nothing of it is
 * written.
 */
enum { TR__LAUNCHES = 1, TR__LAUNCHED = 2, TR__UNPAIRED = 4, TR__LEFT_OUT = 8 };

/* ---- tracks ---- */

/* A slice that is open. */
struct tr__perfetto_open {
    int64_t start, end; /* end INT64_MAX: no end */
    uint64_t serial;    /* later slices have larger ones */
    uint8_t links;      /* TR__LAUNCHES and the like */
};

/* The most slices that importers keep open on a track; a deeper one is on the next lane. */
#define TR__MAX_NESTED 512u

/* A track of the viewer, and the slices that are open on it, outermost first. */
struct tr__perfetto_lane {
    uint64_t uuid;
    struct tr__perfetto_open *open;
    size_t n, cap;
};

/* A node of a binary tree over the lanes of a thread; the leaves are the lanes. */
struct tr__perfetto_node {
    int64_t fits;    /* a slice up to this end has room in one of them; INT64_MIN: in none */
    int64_t ends;    /* the first end of an innermost slice; INT64_MAX: none */
    uint64_t serial; /* the last innermost slice; 0: none */
};

/* A flow event that waits for a slice or an instant. */
struct tr__perfetto_flow {
    uint32_t thread, name, cat;
    uint8_t phase;
    bool launch;  /* profilers write it in addition to the link of a launch */
    uint64_t key; /* hash of the values that identify a flow */
};

/* A thread of the viewer, with as many lanes as needed, so that the slices of each lane are nested. */
struct tr__perfetto_thread {
    uint32_t track; /* of the stream: the first of the tracks shown here */
    bool named;     /* track is one that has slices */
    bool is_queue;  /* of render stages, and described as such */
    struct tr__perfetto_lane *lanes;
    size_t n, cap;
    struct tr__perfetto_node *tree; /* node 1 is the root, the leaves start at n_leaves */
    size_t n_leaves;
    int64_t ended; /* slices that end up to here have been ended */
    struct tr__perfetto_flow *waiting; /* for the next slice */
    size_t n_waiting, cap_waiting;
    struct tr__perfetto_flow *at_instant; /* for an instant of one moment */
    size_t n_at_instant, cap_at_instant;
    int64_t moment; /* of the file */
};

struct tr__perfetto_process {
    uint64_t uuid;
    int32_t pid;
    uint32_t n_threads;
};

struct tr__perfetto_tracks {
    const struct tr_dict *dict;
    struct tr_viewer *viewer;
    bool several; /* sources */
    bool started; /* the root is described */
    struct tr_strtab *known;  /* purposes of the tracks of the viewer; the number + 1 is the uuid */
    struct tr_strtab *taken;  /* numbers of processes, and of threads in them */
    struct tr_strtab *process_keys, *thread_keys; /* the values that identify a process, a thread */
    struct tr__perfetto_process *processes;
    size_t n_processes, cap_processes;
    struct tr__perfetto_thread *threads;
    size_t n_threads, cap_threads;
    uint32_t *thread_of; /* by track of the stream; UINT32_MAX: not asked yet */
    size_t n_thread_of, cap_thread_of;
    int32_t next_pid, next_tid;
    uint64_t serial;
    size_t ends; /* bytes of the ends of slices on lanes */
    struct tr_buf row, inner, name, clean;
};

bool tr__perfetto_tracks_init(struct tr__perfetto_tracks *t, const struct tr_dict *dict, bool several);
void tr__perfetto_tracks_free(struct tr__perfetto_tracks *t);

/* Append a string as a field of a message, as valid UTF-8; nothing for TR_NO_STR. */
bool tr__perfetto_text(struct tr__perfetto_tracks *t, struct tr_buf *message, unsigned field, uint32_t string);

/* The thread of a track of the stream; tracks with the same pid and tid are one thread.  UINT32_MAX: out of memory. */
uint32_t tr__perfetto_thread(struct tr__perfetto_tracks *t, uint32_t track);

/* Describe a lane of a thread; returns its uuid.  0: out of memory. */
uint64_t tr__perfetto_describe_lane(struct tr__perfetto_tracks *t, uint32_t track, size_t lane, struct tr_buf *out);

/* The track of a process itself, or of a whole source; 0: out of memory. */
uint64_t tr__perfetto_process(struct tr__perfetto_tracks *t, uint32_t track, struct tr_buf *out);
uint64_t tr__perfetto_whole(struct tr__perfetto_tracks *t, uint32_t track, struct tr_buf *out);

/* The counter track of a process for a name, an id (JSON, may be empty) and a member (TR_NO_STR: none). */
uint64_t tr__perfetto_counter(struct tr__perfetto_tracks *t, uint32_t track, uint32_t name, const struct tr_buf *id,
                              uint32_t key, struct tr_buf *out);

/* The track of async events with one category and id in a process; it gets the name of the first. */
uint64_t tr__perfetto_async(struct tr__perfetto_tracks *t, uint32_t track, uint32_t cat, uint32_t name,
                            const struct tr_buf *id, struct tr_buf *out);

/* ---- lanes ---- */

/* Write a packet with only the end of a slice.  ts: of the file. */
bool tr__perfetto_end_slice(struct tr__perfetto_tracks *t, uint64_t uuid, int64_t ts, struct tr_buf *out);

/*
 * The lane for a slice of a thread; the slice is open from now on.  0: out of memory.  Slices that end at or before its
 * start are ended first.  Times are of the file.
 */
uint64_t tr__perfetto_slice(struct tr__perfetto_tracks *t, uint32_t track, const struct tr__perfetto_open *slice,
                            struct tr_buf *out);

/* The same for an event without duration, which may be in any slice. */
uint64_t tr__perfetto_instant(struct tr__perfetto_tracks *t, uint32_t track, int64_t ts, struct tr_buf *out);

/*
 * The innermost slice of a thread that is open after ts or starts at ts, and the uuid of its lane; NULL: none.  Slices
 * that end before are ended first.  *ok becomes false if memory runs out.
 */
const struct tr__perfetto_open *tr__perfetto_around(struct tr__perfetto_tracks *t, uint32_t thread, int64_t ts,
                                                    uint64_t *uuid, struct tr_buf *out, bool *ok);

/* The innermost slice of a thread that ends at ts, and is still open; as tr__perfetto_around. */
const struct tr__perfetto_open *tr__perfetto_ending(struct tr__perfetto_tracks *t, uint32_t thread, int64_t ts,
                                                    uint64_t *uuid, struct tr_buf *out, bool *ok);

/* Close the innermost slice of a thread that is TR__UNPAIRED.  Returns its track; 0: there is none. */
uint64_t tr__perfetto_close(struct tr__perfetto_tracks *t, uint32_t track, int64_t ts, struct tr_buf *out, bool *ok);

/* End all open slices, except slices without an end. */
bool tr__perfetto_lanes_end(struct tr__perfetto_tracks *t, struct tr_buf *out);
void tr__perfetto_threads_free(struct tr__perfetto_tracks *t);

/* ---- the writer ---- */

/* Top-level members with a meaning for this writer. */
enum tr__perfetto_member {
    TR__MEMBER_OTHER,
    TR__MEMBER_ID,
    TR__MEMBER_ID2,
    TR__MEMBER_ID_SCOPE,
    TR__MEMBER_BIND_ID,
    TR__MEMBER_FLOW_IN,
    TR__MEMBER_FLOW_OUT,
    TR__MEMBER_SCOPE,
    TR__MEMBER_BIND_POINT,
    TR__MEMBER_TTS,
    TR__MEMBER_TDUR,
    TR__MEMBER_OF,
    TR__N_MEMBERS
};

struct tr__perfetto_flows {
    struct tr__perfetto_flow *now; /* of one moment */
    size_t n, cap;
    int64_t ts; /* that moment */
    struct tr_strtab *started; /* keys of flows that have started */
    uint64_t *ids;           /* and their numbers, by number of the key */
    size_t cap_ids;
    uint64_t n_ids;
    struct tr_strtab *launches; /* (source, record) of launches whose work is numbered */
    uint32_t *n_work;           /* how much device work has a number */
    size_t cap_work;
};

struct tr_perfetto_writer {
    struct tr_members members;
    struct tr__perfetto_tracks tracks;
    struct tr__perfetto_flows flows;
    const struct tr_dict *dict;
    int64_t shift;     /* added to times of the file so that none is below 0 */
    bool started;
    bool stages;       /* device work is written as render stages, too */
    uint64_t n_stages;
    struct tr_perfetto_budget *budget; /* borrowed; NULL: all spans are written */
    size_t n_entries, entry_bytes;     /* of interned data, so far */
    uint8_t *interned; /* by string: bit 1 << TR__INTERNED_* where it has been written */
    size_t n_interned, cap_interned;
    uint16_t *shapes;  /* bits 1 << TR__MEMBER_*; bit 0: known */
    size_t n_shapes, cap_shapes;
    struct tr_buf event, annotation, entry, json, interning, packet, id, legacy;
};

/* An event being written, and what was found in its members. */
struct tr__perfetto_event {
    const struct tr_batch *b;
    size_t i;
    int64_t ts; /* of the file */
    uint32_t track, name, cat;
    int64_t derived[TR_N_DERIVED]; /* TR_I64_NONE: it has none */
};

/* Start w->event; write it, with the interned data that it uses for the first time.  field: of the packet. */
bool tr__perfetto_start(struct tr_perfetto_writer *w, unsigned type, uint64_t track);
bool tr__perfetto_put(struct tr_perfetto_writer *w, int64_t ts, struct tr_buf *out);
bool tr__perfetto_put_as(struct tr_perfetto_writer *w, unsigned field, int64_t ts, struct tr_buf *out);
/* Add w->entry to a table of interned data, for the next packet. */
bool tr__perfetto_intern_entry(struct tr_perfetto_writer *w, unsigned table);

/* Append a name or category, by its number in a table of interned data; nothing for TR_NO_STR. */
bool tr__perfetto_interned(struct tr_perfetto_writer *w, unsigned field, unsigned table, uint32_t string);

/* One arg. */
bool tr__perfetto_annotation(struct tr_perfetto_writer *w, uint32_t key, unsigned type, int64_t v);

/*
 * Append the value of a counter as a field of the event.  False: it is not a number, or, with *ok false, out of memory.
 */
bool tr__perfetto_count(struct tr_perfetto_writer *w, unsigned type, int64_t v, bool *ok);

/* Write device work as a render stage, after its slice. */
bool tr__perfetto_stage(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, struct tr_buf *out);

/* ---- the budget ---- */

/* Is this the writing that measures?  Count a span of so many bytes; bytes of all, of ends, and interned strings. */
bool tr__perfetto_budget_measures(const struct tr_perfetto_budget *b);
bool tr__perfetto_budget_span(struct tr_perfetto_budget *b, uint32_t thread, int64_t dur, size_t bytes);
void tr__perfetto_budget_add(struct tr_perfetto_budget *b, size_t written, size_t ends, size_t interned);

/* In the writing after that: is the span written? */
bool tr__perfetto_budget_keeps(struct tr_perfetto_budget *b, uint32_t thread, int64_t dur);

/* ---- flows ---- */

bool tr__perfetto_flows_init(struct tr__perfetto_flows *f);
void tr__perfetto_flows_free(struct tr__perfetto_flows *f);

/* What a flow event belongs to: the slice around it, the next one, an instant of its moment, a slice that ends then. */
enum tr__flow_at { TR__FLOW_AROUND, TR__FLOW_NEXT, TR__FLOW_AT_INSTANT, TR__FLOW_AT_END };

/* A flow event; its id is in w->id. */
bool tr__perfetto_keep_flow(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, unsigned phase,
                            enum tr__flow_at at, struct tr_buf *out);

/* Do flow events wait for an instant of this moment on a thread?  And write them, at the slice that stands for it. */
bool tr__perfetto_flows_wait(struct tr_perfetto_writer *w, uint32_t track, int64_t ts);
bool tr__perfetto_instant_flows(struct tr_perfetto_writer *w, uint32_t track, uint64_t uuid, int64_t ts,
                                struct tr_buf *out);

/* What the links of the stream say about the event.  Adds the arrows between a launch and its work to w->event. */
unsigned tr__perfetto_links(const struct tr__perfetto_event *e);
bool tr__perfetto_add_links(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e);

/* Add an arrow by bind_id to w->event; its id is in w->id. */
bool tr__perfetto_add_bind(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, bool in, bool out);

/* Write the flow events that waited for the slice just written, and those of the moment that is over. */
bool tr__perfetto_next_flows(struct tr_perfetto_writer *w, uint32_t track, uint64_t uuid, int64_t ts, unsigned links,
                             struct tr_buf *out);
bool tr__perfetto_now_flows(struct tr_perfetto_writer *w, struct tr_buf *out);

#endif
