/* SPDX-License-Identifier: MIT */
/* The tracks of a trace of Perfetto: their descriptors, their numbers and their order. */
#include "formats/perfetto/tr_perfetto_int.h"

#include "base/tr_escape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Fields of TrackDescriptor, ProcessDescriptor, ThreadDescriptor. */
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { TRACK_RANK = 12, TRACK_PROCESS_ORDERING = 19, TRACK_THREAD_ORDERING = 20 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, PROCESS_LABELS = 8 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { ORDERING_EXPLICIT = 1 };

/* The first number for processes and threads whose number is missing or used twice in the trace. */
#define OWN_NUMBERS 1000000000

/* The purpose of a track of the viewer; its key in the table starts with it. */
enum purpose { FOR_LANE, FOR_COUNTER, FOR_ASYNC, FOR_WHOLE, FOR_PROCESS };

bool tr__perfetto_tracks_init(struct tr__perfetto_tracks *t, const struct tr_dict *dict, bool several)
{
    t->dict = dict;
    t->several = several;
    t->next_pid = t->next_tid = OWN_NUMBERS;
    t->viewer = tr_viewer_new(dict);
    t->known = tr_strtab_new();
    t->taken = tr_strtab_new();
    t->process_keys = tr_strtab_new();
    t->thread_keys = tr_strtab_new();
    return t->viewer && t->known && t->taken && t->process_keys && t->thread_keys;
}

void tr__perfetto_tracks_free(struct tr__perfetto_tracks *t)
{
    tr__perfetto_threads_free(t);
    free(t->thread_of);
    free(t->processes);
    tr_viewer_free(t->viewer);
    tr_strtab_free(t->known);
    tr_strtab_free(t->taken);
    tr_strtab_free(t->process_keys);
    tr_strtab_free(t->thread_keys);
    tr_buf_free(&t->row);
    tr_buf_free(&t->inner);
    tr_buf_free(&t->name);
    tr_buf_free(&t->clean);
}

/* The uuid of a key; *is_new: it has no descriptor yet.  0: out of memory. */
static uint64_t uuid_of(struct tr__perfetto_tracks *t, const void *key, size_t len, bool *is_new)
{
    uint32_t before = tr_strtab_count(t->known), id = tr_strtab_add(t->known, key, len);
    *is_new = id == before;
    return id == TR_NO_STR ? 0 : (uint64_t)id + 1;
}

/* Write the descriptor in t->row as a packet. */
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

/* ---- numbers and order ---- */

/* Take a number for a process (of = 0) or for a thread of a process: the wanted one, else the next from *next on. */
static bool claim(struct tr__perfetto_tracks *t, int32_t of, uint8_t type, int64_t wanted, int32_t *next,
                  int32_t *number)
{
    bool fits = type == TR_T_INT && wanted >= 1 && wanted <= INT32_MAX;
    for (;;) {
        *number = fits ? (int32_t)wanted : *next;
        if (!fits)
            *next = *next == INT32_MAX ? 1 : *next + 1;
        const int32_t key[] = { of, *number };
        uint32_t before = tr_strtab_count(t->taken), id = tr_strtab_add(t->taken, key, sizeof key);
        if (id == TR_NO_STR)
            return false;
        if (id == before)
            return true;
        fits = false;
    }
}

static int64_t at_most(int64_t v, int64_t max)
{
    return v < 0 || v > max ? max : v;
}

/* Processes by rank, the host first, devices by number. */
static uint64_t process_order(const struct tr__perfetto_tracks *t, const struct tr_track *from)
{
    int64_t rank = from->source < t->dict->n_sources ? t->dict->sources[from->source].rank : -1;
    int64_t device = from->device != TR_I64_NONE ? from->device : from->pid_type == TR_T_INT ? from->pid : -1;
    int64_t inside = from->side == TR_SIDE_DEVICE ? 4096 + at_most(device, 4095)
                                                  : at_most((int64_t)t->n_processes, 4095);
    return (uint64_t)(at_most(rank, (1 << 18) - 1) * 8192 + inside);
}

/* Threads in order of appearance, then streams by number, each with its lanes. */
static uint64_t thread_order(struct tr__perfetto_process *p, const struct tr_track *from, size_t lane)
{
    int64_t stream = from->stream != TR_I64_NONE ? from->stream : from->tid_type == TR_T_INT ? from->tid : -1;
    int64_t place = from->side == TR_SIDE_DEVICE ? (1 << 23) + at_most(stream, (1 << 23) - 1)
                                                 : at_most(p->n_threads, (1 << 23) - 1);
    return (uint64_t)(place * 128 + at_most((int64_t)lane, 127));
}

/* ---- processes ---- */

/* "rank 3: python"; "rank 3"; "python"; the pid if it is a name. */
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

/* "pid 0", if a viewer cannot have that number. */
static bool label_process(struct tr__perfetto_tracks *t, const struct tr_track *from, int32_t pid)
{
    if (from->pid_type == TR_T_NULL || (from->pid_type == TR_T_INT && from->pid == pid))
        return true;
    char number[TR_TRACK_DIGITS];
    tr_track_digits(from->pid_type, from->pid, number);
    t->name.len = 0;
    return tr_buf_add_str(&t->name, "pid ") &&
           (from->pid_type != TR_T_STRING ? tr_buf_add_str(&t->name, number) : to_name(t, (uint32_t)from->pid)) &&
           tr__proto_message(&t->inner, PROCESS_LABELS, &t->name);
}

/* Write the root track, which says that processes and threads are ordered by rank.  It comes before them. */
static bool put_root(struct tr__perfetto_tracks *t, struct tr_buf *out)
{
    t->row.len = 0;
    t->started = true;
    return tr__proto_u64(&t->row, TRACK_UUID, 0) &&
           tr__proto_u64(&t->row, TRACK_PROCESS_ORDERING, ORDERING_EXPLICIT) &&
           tr__proto_u64(&t->row, TRACK_THREAD_ORDERING, ORDERING_EXPLICIT) && put_row(t, out);
}

static bool put_process(struct tr__perfetto_tracks *t, const struct tr_track *from,
                        const struct tr__perfetto_process *p, struct tr_buf *out)
{
    t->inner.len = t->row.len = 0;
    return name_process(t, from) && tr__proto_u64(&t->inner, PROCESS_PID, (uint64_t)p->pid) &&
           (!t->name.len || tr__proto_message(&t->inner, PROCESS_NAME, &t->name)) &&
           tr__perfetto_text(t, &t->inner, PROCESS_LABELS, from->labels) && label_process(t, from, p->pid) &&
           tr__proto_u64(&t->row, TRACK_UUID, p->uuid) && tr__proto_message(&t->row, TRACK_PROCESS, &t->inner) &&
           tr__proto_u64(&t->row, TRACK_RANK, process_order(t, from)) && put_row(t, out);
}

/* The process of a track of the stream; NULL: out of memory.  Valid until the next call. */
static struct tr__perfetto_process *process_of(struct tr__perfetto_tracks *t, uint32_t track, struct tr_buf *out)
{
    const struct tr_track *from = &t->dict->tracks[track];
    const int64_t key[] = { FOR_PROCESS, from->source, from->pid_type, from->pid_type == TR_T_NULL ? 0 : from->pid };
    uint32_t n = tr_strtab_add(t->process_keys, key, sizeof key);
    if (n == TR_NO_STR || (!t->started && !put_root(t, out)))
        return NULL;
    if (n < t->n_processes)
        return &t->processes[n];
    struct tr__perfetto_process p = { 0 };
    bool is_new;
    p.uuid = uuid_of(t, key, sizeof key, &is_new);
    if (!p.uuid || !claim(t, 0, from->pid_type, from->pid, &t->next_pid, &p.pid) ||
        !tr_grow(&t->processes, &t->cap_processes, t->n_processes + 1, sizeof p) || !put_process(t, from, &p, out))
        return NULL;
    t->processes[t->n_processes] = p;
    return &t->processes[t->n_processes++];
}

uint64_t tr__perfetto_process(struct tr__perfetto_tracks *t, uint32_t track, struct tr_buf *out)
{
    const struct tr__perfetto_process *p = process_of(t, track, out);
    return p ? p->uuid : 0;
}

/* ---- threads ---- */

/* A thread is identified by pid and tid; without a tid, also by the place on the device. */
static uint32_t new_thread(struct tr__perfetto_tracks *t, uint32_t track)
{
    const struct tr_track *from = &t->dict->tracks[track];
    bool none = from->tid_type == TR_T_NULL;
    const int64_t key[] = { from->source, from->pid_type, from->pid_type == TR_T_NULL ? 0 : from->pid,
                            from->tid_type, none ? 0 : from->tid, none ? from->side : 0,
                            none ? from->device : 0, none ? from->stream : 0 };
    uint32_t n = tr_strtab_add(t->thread_keys, key, sizeof key);
    if (n == TR_NO_STR || n < t->n_threads)
        return n == TR_NO_STR ? UINT32_MAX : n;
    if (!tr_grow(&t->threads, &t->cap_threads, t->n_threads + 1, sizeof *t->threads))
        return UINT32_MAX;
    t->threads[t->n_threads++] = (struct tr__perfetto_thread){ .track = track };
    return n;
}

uint32_t tr__perfetto_thread(struct tr__perfetto_tracks *t, uint32_t track)
{
    if (track >= t->n_thread_of) {
        if (!tr_grow(&t->thread_of, &t->cap_thread_of, track + (size_t)1, sizeof *t->thread_of))
            return UINT32_MAX;
        memset(t->thread_of + t->n_thread_of, 0xff, (t->cap_thread_of - t->n_thread_of) * sizeof *t->thread_of);
        t->n_thread_of = t->cap_thread_of;
    }
    if (t->thread_of[track] == UINT32_MAX)
        t->thread_of[track] = new_thread(t, track);
    return t->thread_of[track];
}

/* Does t->name contain this text? */
static bool name_has(const struct tr__perfetto_tracks *t, const char *text, size_t len)
{
    for (size_t i = 0; i + len <= t->name.len; i++)
        if (memcmp(t->name.data + i, text, len) == 0)
            return true;
    return false;
}

/* The name or kind of the thread; its number if a viewer cannot have that number; "(2)" after it for a second lane. */
static bool name_lane(struct tr__perfetto_tracks *t, const struct tr_track *from, int32_t tid, size_t lane)
{
    char text[64] = "", number[TR_TRACK_DIGITS];
    bool ok = true, is_number = from->tid_type == TR_T_INT || from->tid_type == TR_T_UINT;
    size_t len = tr_track_digits(from->tid_type, from->tid, number);
    t->name.len = 0;
    if (from->thread_name != TR_NO_STR)
        ok = to_name(t, from->thread_name);
    else if (from->side == TR_SIDE_DEVICE && from->stream != TR_I64_NONE)
        snprintf(text, sizeof text, "stream %" PRId64, from->stream);
    else if (from->tid_type == TR_T_STRING)
        ok = to_name(t, (uint32_t)from->tid);
    else if (is_number)
        snprintf(text, sizeof text, "thread %s", number);
    else
        snprintf(text, sizeof text, "no thread");
    ok = ok && tr_buf_add_str(&t->name, text);
    if (ok && !lane && is_number && from->tid != tid && !name_has(t, number, len)) {
        snprintf(text, sizeof text, " [tid %s]", number);
        ok = tr_buf_add_str(&t->name, text);
    }
    snprintf(text, sizeof text, " (%zu)", lane + 1);
    return ok && (!lane || tr_buf_add_str(&t->name, text));
}

uint64_t tr__perfetto_describe_lane(struct tr__perfetto_tracks *t, uint32_t track, size_t lane, struct tr_buf *out)
{
    const struct tr_track *from = &t->dict->tracks[track];
    const int64_t key[] = { FOR_LANE, track, (int64_t)lane };
    struct tr__perfetto_process *p = process_of(t, track, out);
    int32_t tid;
    bool is_new;
    uint64_t uuid = p ? uuid_of(t, key, sizeof key, &is_new) : 0;
    if (!uuid || !claim(t, p->pid, lane ? TR_T_NULL : from->tid_type, from->tid, &t->next_tid, &tid))
        return 0;
    t->inner.len = t->row.len = 0;
    bool ok = name_lane(t, from, tid, lane) && tr__proto_u64(&t->row, TRACK_UUID, uuid) &&
              tr__proto_u64(&t->row, TRACK_PARENT, p->uuid) &&
              tr__proto_u64(&t->inner, THREAD_PID, (uint64_t)p->pid) &&
              tr__proto_u64(&t->inner, THREAD_TID, (uint64_t)tid) &&
              tr__proto_message(&t->inner, THREAD_NAME, &t->name) &&
              tr__proto_message(&t->row, TRACK_THREAD, &t->inner) &&
              tr__proto_u64(&t->row, TRACK_RANK, thread_order(p, from, lane));
    p->n_threads++;
    return ok && put_row(t, out) ? uuid : 0;
}

/* ---- counters, async events, marks of a whole source ---- */

/* A track with t->name; at the top if it has no parent. */
static uint64_t named(struct tr__perfetto_tracks *t, uint64_t parent, const struct tr_buf *key, bool counter,
                      struct tr_buf *out)
{
    bool is_new;
    uint64_t uuid = uuid_of(t, key->data, key->len, &is_new);
    if (!uuid || !is_new)
        return uuid;
    t->row.len = 0;
    bool ok = tr__proto_u64(&t->row, TRACK_UUID, uuid) &&
              (!parent || tr__proto_u64(&t->row, TRACK_PARENT, parent)) &&
              tr__proto_message(&t->row, TRACK_NAME, &t->name) &&
              (!counter || tr__proto_bytes(&t->row, TRACK_COUNTER, "", 0)) &&
              tr__proto_u64(&t->row, TRACK_RANK, uuid & INT32_MAX);
    return ok && put_row(t, out) ? uuid : 0;
}

/* The id without its quotes. */
static bool add_id(struct tr_buf *to, const struct tr_buf *id)
{
    bool quoted = id->len >= 2 && id->data[0] == '"';
    return tr_buf_add(to, id->data + quoted, id->len - 2u * quoted);
}

uint64_t tr__perfetto_counter(struct tr__perfetto_tracks *t, uint32_t track, uint32_t name, const struct tr_buf *id,
                              uint32_t key, struct tr_buf *out)
{
    uint64_t parent = tr__perfetto_process(t, track, out);
    const int64_t parts[] = { FOR_COUNTER, (int64_t)parent, name, key };
    struct tr_buf content = { 0 };
    t->name.len = 0;
    bool ok = parent && to_name(t, name) && tr_buf_add(&content, parts, sizeof parts) &&
              (!id->len || tr_buf_add(&content, id->data, id->len));
    if (ok && id->len)
        ok = tr_buf_add_str(&t->name, " [") && add_id(&t->name, id) && tr_buf_add_str(&t->name, "]");
    struct tr_str member = tr_dict_text_if(t->dict, key);
    bool named_so = member.len && (member.len != 5 || memcmp(member.s, "value", 5)); /* "value" says nothing */
    ok = ok && (!named_so || (tr_buf_add_str(&t->name, ": ") && to_name(t, key)));
    uint64_t uuid = ok ? named(t, parent, &content, true, out) : 0;
    tr_buf_free(&content);
    return uuid;
}

uint64_t tr__perfetto_async(struct tr__perfetto_tracks *t, uint32_t track, uint32_t cat, uint32_t name,
                            const struct tr_buf *id, struct tr_buf *out)
{
    uint64_t parent = tr__perfetto_process(t, track, out);
    const int64_t parts[] = { FOR_ASYNC, (int64_t)parent, cat };
    struct tr_buf content = { 0 };
    t->name.len = 0;
    bool ok = parent && to_name(t, name) && tr_buf_add(&content, parts, sizeof parts) &&
              (!id->len || tr_buf_add(&content, id->data, id->len));
    uint64_t uuid = ok ? named(t, parent, &content, false, out) : 0;
    tr_buf_free(&content);
    return uuid;
}

uint64_t tr__perfetto_whole(struct tr__perfetto_tracks *t, uint32_t track, struct tr_buf *out)
{
    uint32_t source = t->dict->tracks[track].source;
    int64_t parts[] = { FOR_WHOLE, source };
    const struct tr_buf content = { (unsigned char *)parts, sizeof parts, 0 };
    t->name.len = 0;
    bool ok = (t->started || put_root(t, out)) &&
              (!t->several || (tr_viewer_source_name(t->viewer, source, &t->name) &&
                               tr_buf_add_str(&t->name, ": "))) &&
              tr_buf_add_str(&t->name, "whole trace");
    return ok ? named(t, 0, &content, false, out) : 0;
}

void tr__perfetto_threads_free(struct tr__perfetto_tracks *t)
{
    for (size_t i = 0; i < t->n_threads; i++) {
        for (size_t k = 0; k < t->threads[i].n; k++)
            free(t->threads[i].lanes[k].open);
        free(t->threads[i].lanes);
        free(t->threads[i].tree);
        free(t->threads[i].waiting);
        free(t->threads[i].at_instant);
    }
    free(t->threads);
}
