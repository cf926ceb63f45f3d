/* The tracks of a trace of Perfetto, and their descriptors. */
#include "formats/perfetto/tr_perfetto_int.h"

#include "base/tr_escape.h"
#include "json/tr_json.h"
#include "json/tr_json_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Fields of TrackDescriptor, ProcessDescriptor, ThreadDescriptor. */
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, PROCESS_LABELS = 8 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };

/* What a track of the viewer is for: its key in the table begins with one of these. */
enum purpose { FOR_PROCESS, FOR_LANE, FOR_COUNTER, FOR_ASYNC };

bool tr__perfetto_tracks_init(struct tr__perfetto_tracks *t, const struct tr_dict *dict, bool several)
{
    t->dict = dict;
    t->several = several;
    t->viewer = tr_viewer_new(dict);
    t->known = tr_strtab_new();
    return t->viewer && t->known;
}

void tr__perfetto_tracks_free(struct tr__perfetto_tracks *t)
{
    for (size_t i = 0; i < t->n; i++) {
        for (size_t k = 0; k < t->of[i].n; k++)
            free(t->of[i].lanes[k].ends);
        free(t->of[i].lanes);
    }
    free(t->of);
    tr_viewer_free(t->viewer);
    tr_strtab_free(t->known);
    tr_buf_free(&t->row);
    tr_buf_free(&t->inner);
    tr_buf_free(&t->name);
    tr_buf_free(&t->clean);
}

/* The uuid of what the key says; *is_new: it has no descriptor yet.  0: out of memory. */
static uint64_t uuid_of(struct tr__perfetto_tracks *t, const void *key, size_t len, bool *is_new)
{
    uint32_t before = tr_strtab_count(t->known), id = tr_strtab_add(t->known, key, len);
    *is_new = id == before;
    return id == TR_NO_STR ? 0 : (uint64_t)id + 1;
}

/* The descriptor in t->row as a packet. */
static bool put_row(struct tr__perfetto_tracks *t, struct tr_buf *out)
{
    t->inner.len = 0;
    return tr__proto_message(&t->inner, TR__PACKET_TRACK, &t->row) &&
           tr__proto_u64(&t->inner, TR__PACKET_SEQUENCE, 1) &&
           tr__proto_message(out, TR__TRACE_PACKET, &t->inner);
}

bool tr__perfetto_text(struct tr__perfetto_tracks *t, struct tr_buf *message, unsigned field, uint32_t string)
{
    if (string == TR_NO_STR)
        return true;
    const char *s = tr_strtab_get(t->dict->strings, string);
    size_t len = tr_strtab_len(t->dict->strings, string);
    if (tr_utf8_valid(s, len))
        return tr__proto_bytes(message, field, s, len);
    t->clean.len = 0;
    return tr_utf8_add(&t->clean, s, len) && tr__proto_message(message, field, &t->clean);
}

/* Append a string to t->name. */
static bool to_name(struct tr__perfetto_tracks *t, uint32_t string)
{
    return string == TR_NO_STR || tr_utf8_add(&t->name, tr_strtab_get(t->dict->strings, string),
                                                   tr_strtab_len(t->dict->strings, string));
}

/* A viewer keeps pids in 32 bits. */
static bool plain_number(uint8_t type, int64_t v)
{
    return type == TR_T_INT && v >= 0 && v <= INT32_MAX;
}

static bool pid_of(struct tr__perfetto_tracks *t, uint32_t track, int32_t *pid)
{
    const struct tr_track *from = &t->dict->tracks[track];
    uint64_t v = (uint64_t)from->pid;
    bool ok = (!t->several && plain_number(from->pid_type, from->pid)) || tr_viewer_pid(t->viewer, track, &v);
    *pid = (int32_t)(uint32_t)v;
    return ok;
}

/* "rank 3: python"; "rank 3"; "python"; the pid where it is a name. */
static bool name_process(struct tr__perfetto_tracks *t, const struct tr_track *from)
{
    uint32_t name = from->process_name != TR_NO_STR ? from->process_name
                    : from->pid_type == TR_T_STRING ? (uint32_t)from->pid
                                                    : TR_NO_STR;
    t->name.len = 0;
    if (t->several && (!tr_viewer_source_name(t->viewer, from->source, &t->name) ||
                       (name != TR_NO_STR && !tr_buf_add_str(&t->name, ": "))))
        return false;
    return to_name(t, name);
}

static uint64_t process(struct tr__perfetto_tracks *t, uint32_t track, struct tr_buf *out)
{
    const struct tr_track *from = &t->dict->tracks[track];
    const int64_t key[] = { FOR_PROCESS, from->source, from->pid_type, from->pid };
    bool is_new;
    uint64_t uuid = uuid_of(t, key, sizeof key, &is_new);
    int32_t pid;
    if (!uuid || !is_new)
        return uuid;
    t->inner.len = t->row.len = 0;
    bool ok = pid_of(t, track, &pid) && name_process(t, from) &&
              tr__proto_u64(&t->inner, PROCESS_PID, (uint64_t)(int64_t)pid) &&
              (!t->name.len || tr__proto_message(&t->inner, PROCESS_NAME, &t->name)) &&
              tr__perfetto_text(t, &t->inner, PROCESS_LABELS, from->labels) &&
              tr__proto_u64(&t->row, TRACK_UUID, uuid) &&
              tr__proto_message(&t->row, TRACK_PROCESS, &t->inner) && put_row(t, out);
    return ok ? uuid : 0;
}

/* The name of the thread, or what it is; "(2)" after it for a second lane. */
static bool name_lane(struct tr__perfetto_tracks *t, const struct tr_track *from, size_t lane)
{
    char text[64] = "";
    t->name.len = 0;
    bool ok = true;
    if (from->thread_name != TR_NO_STR)
        ok = to_name(t, from->thread_name);
    else if (from->side == TR_SIDE_DEVICE && from->stream != TR_I64_NONE)
        snprintf(text, sizeof text, "stream %" PRId64, from->stream);
    else if (from->tid_type == TR_T_STRING)
        ok = to_name(t, (uint32_t)from->tid);
    else if (from->tid_type == TR_T_INT)
        snprintf(text, sizeof text, "thread %" PRId64, from->tid);
    else
        snprintf(text, sizeof text, "no thread");
    ok = ok && tr_buf_add_str(&t->name, text);
    snprintf(text, sizeof text, " (%zu)", lane + 1);
    return ok && (!lane || tr_buf_add_str(&t->name, text));
}

/* A viewer knows one track per thread: other tracks have just a name. */
static bool is_thread(const struct tr__perfetto_tracks *t, const struct tr_track *from, size_t lane)
{
    return !lane && from->side == TR_SIDE_HOST && plain_number(from->tid_type, from->tid) &&
           (t->several || plain_number(from->pid_type, from->pid));
}

static uint64_t lane_uuid(struct tr__perfetto_tracks *t, uint32_t track, size_t lane, struct tr_buf *out)
{
    const struct tr_track *from = &t->dict->tracks[track];
    const int64_t key[] = { FOR_LANE, track, (int64_t)lane };
    bool is_new;
    int32_t pid;
    uint64_t parent = process(t, track, out), uuid = parent ? uuid_of(t, key, sizeof key, &is_new) : 0;
    if (!uuid || !is_new)
        return uuid;
    t->inner.len = t->row.len = 0;
    bool ok = name_lane(t, from, lane) && tr__proto_u64(&t->row, TRACK_UUID, uuid) &&
              tr__proto_u64(&t->row, TRACK_PARENT, parent);
    if (ok && is_thread(t, from, lane))
        ok = pid_of(t, track, &pid) && tr__proto_u64(&t->inner, THREAD_PID, (uint64_t)(int64_t)pid) &&
             tr__proto_u64(&t->inner, THREAD_TID, (uint64_t)from->tid) &&
             tr__proto_message(&t->inner, THREAD_NAME, &t->name) &&
             tr__proto_message(&t->row, TRACK_THREAD, &t->inner);
    else
        ok = ok && tr__proto_message(&t->row, TRACK_NAME, &t->name);
    return ok && put_row(t, out) ? uuid : 0;
}

bool tr__perfetto_end_slice(struct tr__perfetto_tracks *t, uint64_t uuid, int64_t ts, struct tr_buf *out)
{
    struct tr_buf *event = &t->inner, *packet = &t->row;
    event->len = packet->len = 0;
    return tr__proto_u64(event, TR__EVENT_TYPE, TR__SLICE_END) && tr__proto_u64(event, TR__EVENT_TRACK, uuid) &&
           tr__proto_u64(packet, TR__PACKET_TIMESTAMP, (uint64_t)ts) &&
           tr__proto_u64(packet, TR__PACKET_SEQUENCE, 1) &&
           tr__proto_message(packet, TR__PACKET_EVENT, event) && tr__proto_message(out, TR__TRACE_PACKET, packet);
}

/* ---- slices ---- */

/* The lanes of a track; NULL: out of memory. */
static struct tr__perfetto_lanes *lanes_of(struct tr__perfetto_tracks *t, uint32_t track)
{
    if (track >= t->n) {
        if (!tr_grow(&t->of, &t->cap, track + (size_t)1, sizeof *t->of))
            return NULL;
        memset(t->of + t->n, 0, (t->cap - t->n) * sizeof *t->of);
        t->n = t->cap;
    }
    return &t->of[track];
}

static bool end_slices(struct tr__perfetto_tracks *t, struct tr__perfetto_lane *l, int64_t ts,
                       struct tr_buf *out)
{
    bool ok = true;
    while (ok && l->n && l->ends[l->n - 1] <= ts) {
        ok = l->ends[l->n - 1] == INT64_MAX || tr__perfetto_end_slice(t, l->uuid, l->ends[l->n - 1], out);
        l->n--;
    }
    return ok;
}

static struct tr__perfetto_lane *lane_add(struct tr__perfetto_tracks *t, struct tr__perfetto_lanes *of,
                                          uint32_t track, struct tr_buf *out)
{
    if (!tr_grow(&of->lanes, &of->cap, of->n + 1, sizeof *of->lanes))
        return NULL;
    struct tr__perfetto_lane lane = { .uuid = lane_uuid(t, track, of->n, out) };
    if (!lane.uuid)
        return NULL;
    of->lanes[of->n] = lane;
    return &of->lanes[of->n++];
}

uint64_t tr__perfetto_slice(struct tr__perfetto_tracks *t, uint32_t track, int64_t ts, int64_t end,
                            struct tr_buf *out)
{
    struct tr__perfetto_lanes *of = lanes_of(t, track);
    struct tr__perfetto_lane *lane = NULL;
    if (!of)
        return 0;
    for (size_t k = 0; k < of->n && !lane; k++) {
        struct tr__perfetto_lane *l = &of->lanes[k];
        if (!end_slices(t, l, ts, out))
            return 0;
        if (!l->n || l->ends[l->n - 1] >= end)
            lane = l;
    }
    if (!lane)
        lane = lane_add(t, of, track, out);
    if (!lane || !tr_grow(&lane->ends, &lane->cap, lane->n + 1, sizeof *lane->ends))
        return 0;
    lane->ends[lane->n++] = end;
    return lane->uuid;
}

uint64_t tr__perfetto_instant(struct tr__perfetto_tracks *t, uint32_t track, int64_t ts, struct tr_buf *out)
{
    struct tr__perfetto_lanes *of = lanes_of(t, track);
    if (!of || (!of->n && !lane_add(t, of, track, out)) || !end_slices(t, &of->lanes[0], ts, out))
        return 0;
    return of->lanes[0].uuid;
}

bool tr__perfetto_tracks_end(struct tr__perfetto_tracks *t, struct tr_buf *out)
{
    bool ok = true;
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < t->of[i].n && ok; k++)
            ok = end_slices(t, &t->of[i].lanes[k], INT64_MAX, out);
    return ok;
}

/* ---- counters, async events ---- */

static uint64_t named(struct tr__perfetto_tracks *t, uint64_t parent, const struct tr_buf *key, bool counter,
                      struct tr_buf *out)
{
    bool is_new;
    uint64_t uuid = uuid_of(t, key->data, key->len, &is_new);
    if (!uuid || !is_new)
        return uuid;
    t->row.len = 0;
    bool ok = tr__proto_u64(&t->row, TRACK_UUID, uuid) && tr__proto_u64(&t->row, TRACK_PARENT, parent) &&
              tr__proto_message(&t->row, TRACK_NAME, &t->name) &&
              (!counter || tr__proto_bytes(&t->row, TRACK_COUNTER, "", 0));
    return ok && put_row(t, out) ? uuid : 0;
}

uint64_t tr__perfetto_counter(struct tr__perfetto_tracks *t, uint32_t track, uint32_t name, uint32_t key,
                              struct tr_buf *out)
{
    uint64_t parent = process(t, track, out);
    int64_t parts[] = { FOR_COUNTER, (int64_t)parent, name, key };
    const struct tr_buf content = { (unsigned char *)parts, sizeof parts, 0 };
    t->name.len = 0;
    bool ok = parent && to_name(t, name) &&
              (tr_dict_text_if(t->dict, key).len == 0 || (tr_buf_add_str(&t->name, ": ") &&
                                    to_name(t, key)));
    return ok ? named(t, parent, &content, true, out) : 0;
}

uint64_t tr__perfetto_async(struct tr__perfetto_tracks *t, uint32_t track, uint32_t cat, uint32_t name,
                            const void *id, size_t id_len, struct tr_buf *out)
{
    uint64_t parent = process(t, track, out);
    int64_t parts[] = { FOR_ASYNC, (int64_t)parent, cat };
    struct tr_buf content = { 0 };
    t->name.len = 0;
    bool ok = parent && to_name(t, name) &&
              tr_buf_add(&content, parts, sizeof parts) && tr_buf_add(&content, id, id_len);
    uint64_t uuid = ok ? named(t, parent, &content, false, out) : 0;
    tr_buf_free(&content);
    return uuid;
}
