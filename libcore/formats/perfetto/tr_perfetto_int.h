/*
 * Inside of the writer for Perfetto.  Internal to libcore.
 *
 *   tr_perfetto_write.c  events: slices, instants, counters, flows, and their args
 *   tr_perfetto_track.c  tracks: processes, threads, streams, counters, and which slices are open on them
 */
#ifndef TR_PERFETTO_INT_H
#define TR_PERFETTO_INT_H

#include "formats/perfetto/tr_proto_int.h"
#include "formats/tr_viewer.h"
#include "stream/tr_dict.h"

/* Fields of TracePacket, and of the file around it. */
enum {
    TR__TRACE_PACKET = 1,
    TR__PACKET_TIMESTAMP = 8,
    TR__PACKET_SEQUENCE = 10,
    TR__PACKET_EVENT = 11,
    TR__PACKET_INTERNED = 12,
    TR__PACKET_FLAGS = 13,
    TR__PACKET_TRACK = 60,
};

/* Fields of TrackEvent, and its types. */
enum {
    TR__EVENT_CATEGORY = 3,
    TR__EVENT_ANNOTATION = 4,
    TR__EVENT_TYPE = 9,
    TR__EVENT_NAME = 10,
    TR__EVENT_TRACK = 11,
    TR__EVENT_COUNT = 30,
    TR__EVENT_DOUBLE_COUNT = 44,
    TR__EVENT_FLOW = 47,
    TR__EVENT_LAST_FLOW = 48,
};
enum { TR__SLICE_BEGIN = 1, TR__SLICE_END = 2, TR__INSTANT_EVENT = 3, TR__COUNTER_EVENT = 4 };

/* A track of the viewer, and the ends of the slices that are open on it, outermost first. */
struct tr__perfetto_lane {
    uint64_t uuid;
    int64_t *ends;
    size_t n, cap;
};

/* The lanes of a track of the stream: as many as it takes to have slices nested in each. */
struct tr__perfetto_lanes {
    struct tr__perfetto_lane *lanes;
    size_t n, cap;
};

struct tr__perfetto_tracks {
    const struct tr_dict *dict;
    struct tr_viewer *viewer;
    bool several; /* sources */
    struct tr_strtab *known; /* what a viewer's track is for; its number + 1 is the uuid */
    struct tr__perfetto_lanes *of; /* by track of the stream */
    size_t n, cap;
    struct tr_buf row, inner, name, clean;
};

bool tr__perfetto_tracks_init(struct tr__perfetto_tracks *t, const struct tr_dict *dict, bool several);
void tr__perfetto_tracks_free(struct tr__perfetto_tracks *t);

/* A string as a field of a message, valid UTF-8; nothing for TR_NO_STR. */
bool tr__perfetto_text(struct tr__perfetto_tracks *t, struct tr_buf *message, unsigned field, uint32_t string);

/* A packet of nothing but the end of a slice.  ts: of the file. */
bool tr__perfetto_end_slice(struct tr__perfetto_tracks *t, uint64_t uuid, int64_t ts, struct tr_buf *out);

/*
 * The track for a slice from ts to end (INT64_MAX: it has no end) on a track of the stream, which counts as
 * open from now on; 0: out of memory.  Slices that end up to ts are ended first.  Times are of the file.
 */
uint64_t tr__perfetto_slice(struct tr__perfetto_tracks *t, uint32_t track, int64_t ts, int64_t end,
                            struct tr_buf *out);

/* The same for an event without duration, which may stand in any slice. */
uint64_t tr__perfetto_instant(struct tr__perfetto_tracks *t, uint32_t track, int64_t ts, struct tr_buf *out);

/* The counter track of a process for a name and a member (TR_NO_STR: none). */
uint64_t tr__perfetto_counter(struct tr__perfetto_tracks *t, uint32_t track, uint32_t name, uint32_t key,
                              struct tr_buf *out);

/* The track of async events with one category and id in a process; it gets the name of the first. */
uint64_t tr__perfetto_async(struct tr__perfetto_tracks *t, uint32_t track, uint32_t cat, uint32_t name,
                            const void *id, size_t id_len, struct tr_buf *out);

/* End what is open, but for slices without end. */
bool tr__perfetto_tracks_end(struct tr__perfetto_tracks *t, struct tr_buf *out);

#endif
