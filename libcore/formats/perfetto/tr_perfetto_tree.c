/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: tracks, and their processes and threads. */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5, TRACK_COUNTER = 8,
    TRACK_STATIC_NAME = 10, TRACK_RANK = 12, TRACK_SYSTEM_NAME = 13,
};
enum { PROCESS_PID = 1, PROCESS_COMMAND = 2, PROCESS_RANK = 3, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_RANK = 3, THREAD_NAME = 5, THREAD_TIME_US = 6 };
enum { COUNTER_TYPE = 1, COUNTER_UNIT = 3, COUNTER_MULTIPLIER = 4, COUNTER_INCREMENTAL = 5, COUNTER_UNIT_NAME = 6 };

#define MAX_PARENTS 64 /* a track with more parents has no process */

/* A signed 32-bit number, in any encoding that writers use. */
static int64_t number_of(const struct tr__proto *m)
{
    return (int64_t)(int32_t)(uint32_t)m->v;
}

static uint32_t text_of(struct tr__perfetto_reader *r, const struct tr__proto *m)
{
    return tr__perfetto_string(r, m->data, m->len);
}

struct tr__tree_track *tr__tree_track(struct tr__perfetto_reader *r, uint64_t uuid)
{
    uint32_t at = tr__tree_find(r, uuid);
    if (at != UINT32_MAX)
        return &r->tracks[at];
    if (r->role != TR__ALONE) { /* it was not there in the first walk */
        tr_fail(r->err, TR_DAMAGED, "it changes while it is read");
        return NULL;
    }
    if (!tr_grow(&r->tracks, &r->cap_tracks, r->n_tracks + 1, sizeof *r->tracks) ||
        !tr__numbers_set(&r->track_of, uuid, (uint32_t)r->n_tracks)) {
        tr__perfetto_no_memory(r);
        return NULL;
    }
    struct tr__tree_track *t = &r->tracks[r->n_tracks++];
    *t = (struct tr__tree_track){ .pid = TR_I64_NONE, .tid = TR_I64_NONE, .rank = TR_I64_NONE, .name = TR_NO_STR,
                                  .command = TR_NO_STR, .unit = TR_NO_STR, .tid_text = TR_NO_STR,
                                  .pid_text = TR_NO_STR, .scope = TR_NO_STR, .multiplier = 1,
                                  .nest = UINT32_MAX, .clock = UINT32_MAX, .writer = UINT32_MAX };
    return t;
}

/* ---- descriptors ---- */

static bool describe_process(struct tr__perfetto_reader *r, struct tr__tree_track *t, struct tr__proto m)
{
    bool ok = true;
    t->kind = TR__TREE_PROCESS;
    while (ok && tr__proto_next(&m)) {
        if (tr__proto_is(&m, PROCESS_PID, TR__WIRE_VARINT))
            t->pid = number_of(&m);
        else if (tr__proto_is(&m, PROCESS_NAME, TR__WIRE_BYTES))
            ok = (t->name = text_of(r, &m)) != TR_NO_STR;
        else if (tr__proto_is(&m, PROCESS_COMMAND, TR__WIRE_BYTES) && t->command == TR_NO_STR)
            ok = (t->command = text_of(r, &m)) != TR_NO_STR;
        else if (tr__proto_is(&m, PROCESS_RANK, TR__WIRE_VARINT))
            t->rank = number_of(&m);
    }
    return ok;
}

static bool describe_thread(struct tr__perfetto_reader *r, struct tr__tree_track *t, struct tr__proto m, int64_t *time)
{
    bool ok = true;
    t->kind = TR__TREE_THREAD;
    while (ok && tr__proto_next(&m)) {
        if (tr__proto_is(&m, THREAD_PID, TR__WIRE_VARINT))
            t->pid = number_of(&m);
        else if (tr__proto_is(&m, THREAD_TID, TR__WIRE_VARINT))
            t->tid = number_of(&m);
        else if (tr__proto_is(&m, THREAD_NAME, TR__WIRE_BYTES))
            ok = (t->name = text_of(r, &m)) != TR_NO_STR;
        else if (tr__proto_is(&m, THREAD_RANK, TR__WIRE_VARINT))
            t->rank = number_of(&m);
        else if (tr__proto_is(&m, THREAD_TIME_US, TR__WIRE_VARINT))
            *time = tr__proto_int(&m);
    }
    return ok;
}

static bool describe_counter(struct tr__perfetto_reader *r, struct tr__tree_track *t, struct tr__proto m)
{
    static const char *const units[] = { "", "ns", "count", "bytes" };
    uint64_t unit = 0;
    bool ok = true;
    t->kind = TR__TREE_COUNTER;
    while (ok && tr__proto_next(&m)) {
        if (tr__proto_is(&m, COUNTER_TYPE, TR__WIRE_VARINT) && !unit)
            unit = m.v; /* time of a thread, in ns; instructions, a count */
        else if (tr__proto_is(&m, COUNTER_UNIT, TR__WIRE_VARINT))
            unit = m.v;
        else if (m.field == COUNTER_UNIT_NAME && m.len)
            ok = (t->unit = text_of(r, &m)) != TR_NO_STR;
        else if (tr__proto_is(&m, COUNTER_MULTIPLIER, TR__WIRE_VARINT))
            t->multiplier = tr__proto_int(&m);
        else if (tr__proto_is(&m, COUNTER_INCREMENTAL, TR__WIRE_VARINT))
            r->in_order |= t->incremental = m.v != 0;
    }
    if (ok && t->unit == TR_NO_STR && unit > 0 && unit < sizeof units / sizeof *units)
        ok = (t->unit = tr__perfetto_string(r, (const unsigned char *)units[unit], strlen(units[unit]))) != TR_NO_STR;
    return ok;
}

/* The uuid usually comes first, but not always. */
static uint64_t uuid_of(struct tr__span d)
{
    struct tr__proto m = tr__proto_of(d.data, d.len);
    uint64_t uuid = 0;
    while (tr__proto_next(&m))
        if (tr__proto_is(&m, TRACK_UUID, TR__WIRE_VARINT))
            uuid = m.v;
    return uuid;
}

bool tr__tree_describe(struct tr__perfetto_reader *r, const struct tr__sequence *s, struct tr__span d)
{
    struct tr__proto m = tr__proto_of(d.data, d.len);
    struct tr__tree_track *t = tr__tree_track(r, uuid_of(d));
    uint32_t name = TR_NO_STR;
    int64_t time;
    bool ok = t != NULL;
    while (ok && tr__proto_next(&m)) {
        if (m.field == TRACK_NAME || m.field == TRACK_STATIC_NAME || m.field == TRACK_SYSTEM_NAME) {
            ok = m.wire != TR__WIRE_BYTES || (name = text_of(r, &m)) != TR_NO_STR;
        } else if (tr__proto_is(&m, TRACK_PARENT, TR__WIRE_VARINT)) {
            t->parent = m.v;
            t->has_parent = true;
        } else if (tr__proto_is(&m, TRACK_RANK, TR__WIRE_VARINT)) {
            t->rank = number_of(&m);
        } else if (tr__proto_is(&m, TRACK_PROCESS, TR__WIRE_BYTES) && t->kind != TR__TREE_THREAD) {
            ok = describe_process(r, t, tr__proto_inner(&m));
        } else if (tr__proto_is(&m, TRACK_THREAD, TR__WIRE_BYTES)) {
            ok = describe_thread(r, t, tr__proto_inner(&m), &time);
        } else if (tr__proto_is(&m, TRACK_COUNTER, TR__WIRE_BYTES)) {
            ok = describe_counter(r, t, tr__proto_inner(&m));
        }
    }
    if (ok) {
        t->described = true;
        t->writer = (uint32_t)(s - r->sequences);
        t->name = t->name == TR_NO_STR ? name : t->name;
    }
    return ok;
}

bool tr__tree_describe_thread(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__span d)
{
    struct tr__tree_track t = { .pid = TR_I64_NONE, .tid = TR_I64_NONE, .name = TR_NO_STR };
    if (!describe_thread(r, &t, tr__proto_of(d.data, d.len), &s->time_us))
        return false;
    /* a number outside those of writers, by process and thread */
    uint64_t uuid = UINT64_C(0xfeed) << 48 ^ (uint64_t)t.pid << 32 ^ (uint64_t)t.tid;
    struct tr__tree_track *to = tr__tree_track(r, uuid);
    if (!to)
        return false;
    to->kind = TR__TREE_THREAD;
    to->described = true;
    to->pid = t.pid;
    to->tid = t.tid;
    to->name = t.name == TR_NO_STR ? to->name : t.name;
    s->thread = (uint32_t)(to - r->tracks);
    return true;
}

/* ---- places ---- */

/* The process that a track belongs to, through its parents; NULL: none. */
static const struct tr__tree_track *process_of(const struct tr__perfetto_reader *r, const struct tr__tree_track *t)
{
    for (unsigned i = 0; i < MAX_PARENTS; i++) {
        if (t->kind == TR__TREE_PROCESS || t->kind == TR__TREE_THREAD)
            return t;
        uint32_t at = t->has_parent ? tr__numbers_get(&r->track_of, t->parent) : UINT32_MAX;
        if (at == UINT32_MAX)
            return NULL;
        t = &r->tracks[at];
    }
    return NULL;
}

/* The name of a track that is not a thread; with a number if another track of its process has the same name. */
static bool name_place(struct tr__perfetto_reader *r, struct tr__tree_track *t, const struct tr__tree_track *process)
{
    char text[40];
    struct tr_str name = tr__perfetto_str(r, t->name);
    int64_t of = process ? process - r->tracks : -1;
    int len = 0;
    bool ok = true;
    if (!name.len) {
        len = snprintf(text, sizeof text, "track %zu", (size_t)(t - r->tracks));
        name = (struct tr_str){ text, (size_t)len };
    }
    for (unsigned k = 1; ok; k++) {
        uint32_t before = tr_strtab_count(r->places);
        r->clean.len = 0;
        ok = tr_buf_add(&r->clean, &of, sizeof of) && tr_buf_add(&r->clean, name.s, name.len);
        if (ok && k > 1) {
            len = snprintf(text, sizeof text, " (%zu)", k == 2 ? 2 : (size_t)(t - r->tracks));
            ok = tr_buf_add(&r->clean, text, (size_t)len);
        }
        uint32_t at = ok ? tr_strtab_add(r->places, r->clean.data, r->clean.len) : TR_NO_STR;
        ok = at != TR_NO_STR;
        if (at == before || k == 3)
            break;
    }
    if (!ok)
        return tr__perfetto_no_memory(r);
    t->tid_text = tr_strtab_add(r->strings, r->clean.data + sizeof of, r->clean.len - sizeof of);
    return t->tid_text != TR_NO_STR || tr__perfetto_no_memory(r);
}

/* In a file of several sources, as tr-view writes it, each source has its own correlation numbers: "rank 3: ...". */
static bool find_scope(struct tr__perfetto_reader *r, struct tr__tree_track *t, const struct tr__tree_track *process)
{
    uint32_t at = process->kind == TR__TREE_THREAD && process->has_parent
                      ? tr__numbers_get(&r->track_of, process->parent) : UINT32_MAX;
    struct tr_str name = tr__perfetto_str(r, at == UINT32_MAX ? process->name : r->tracks[at].name);
    const char *end = name.len > 5 && !memcmp(name.s, "rank ", 5) ? memchr(name.s, ':', name.len) : NULL;
    if (end)
        t->scope = tr_strtab_add(r->strings, name.s, (size_t)(end - name.s));
    return !end || t->scope != TR_NO_STR || tr__perfetto_no_memory(r);
}

static bool place(struct tr__perfetto_reader *r, struct tr__tree_track *t)
{
    const struct tr__tree_track *process = process_of(r, t);
    t->placed = true;
    if (process) {
        t->pid = process->pid;
        t->pid_text = process->pid == TR_I64_NONE ? process->name : TR_NO_STR;
        if (!find_scope(r, t, process))
            return false;
    }
    bool named = t->kind == TR__TREE_OTHER && t->described && (t->name != TR_NO_STR || t->has_parent);
    return !named || name_place(r, t, process);
}

/* The number of the text in the builder; false: out of memory. */
static bool number_text(struct tr__perfetto_reader *r, uint32_t id, uint32_t *number)
{
    const struct tr__known_text *k = tr__perfetto_known(r, id);
    *number = k ? k->number + 1 : 0; /* TR_NO_STR, too long: 0 */
    return k != NULL;
}

bool tr__tree_place(struct tr__perfetto_reader *r, struct tr__tree_track *t, struct tr_ingest_track *at)
{
    if (!t->placed && !place(r, t))
        return false;
    struct tr_str pid = tr__perfetto_str(r, t->pid_text), tid = tr__perfetto_str(r, t->tid_text);
    *at = (struct tr_ingest_track)TR_INGEST_TRACK_INIT;
    at->pid = t->pid;
    at->tid = t->tid;
    at->pid_text = pid.s;
    at->pid_len = pid.len;
    at->tid_text = tid.s;
    at->tid_len = tid.len;
    return (!pid.s || number_text(r, t->pid_text, &at->pid_number)) &&
           (!tid.s || number_text(r, t->tid_text, &at->tid_number));
}

bool tr__tree_place_all(struct tr__perfetto_reader *r)
{
    bool ok = true;
    for (size_t i = 0; ok && i < r->n_tracks; i++)
        ok = !r->tracks[i].used || r->tracks[i].placed || place(r, &r->tracks[i]);
    return ok;
}

bool tr__tree_emit_names(struct tr__perfetto_reader *r)
{
    for (size_t i = 0; i < r->n_tracks; i++) {
        struct tr__tree_track *t = &r->tracks[i];
        struct tr_ingest_track at;
        if (t->kind != TR__TREE_PROCESS && t->kind != TR__TREE_THREAD)
            continue;
        struct tr_str name = tr__perfetto_str(r, t->name == TR_NO_STR ? t->command : t->name);
        if (!tr__tree_place(r, t, &at))
            return false;
        if (name.len && t->kind == TR__TREE_PROCESS)
            tr_ingest_process_of(r->g, &at, name.s, name.len, t->rank);
        else if (name.len && t->tid != TR_I64_NONE)
            tr_ingest_thread_of(r->g, &at, name.s, name.len, t->rank);
    }
    return true;
}
