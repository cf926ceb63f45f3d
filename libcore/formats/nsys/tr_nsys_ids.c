/* SPDX-License-Identifier: MIT */
/* Reader of Nsight Systems' databases: processes, threads, streams and texts; events. */
#include "formats/nsys/tr_nsys_int.h"

#include "base/tr_escape.h"
#include "base/tr_time.h"
#include "stream/tr_dict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PROCESSES (1u << 24)

void tr__nsys_bad_value(struct tr__nsys *r)
{
    static const struct tr_ingest_cause cause = { "bad_value", "value of another type than its column, left out",
                                                  false };
    tr_ingest_damaged_by(r->g, &cause, TR_NO_OFFSET);
}

/* ---- texts ---- */

uint32_t tr__nsys_number(struct tr__nsys *r, struct tr_str text)
{
    if (!tr_utf8_valid(text.s, text.len)) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_UTF8, TR_NO_OFFSET);
        r->clean.len = 0;
        if (!tr_utf8_add(&r->clean, text.s, text.len))
            return TR_NO_STR;
        text = (struct tr_str){ (const char *)r->clean.data, r->clean.len };
    }
    return tr_ingest_text(r->g, text.len ? text.s : "", text.len);
}

enum tr_status tr__nsys_text_of(struct tr__nsys *r, int64_t id, uint32_t *number)
{
    struct tr_str text;
    *number = TR_NO_STR;
    if (id == TR_I64_NONE)
        return TR_OK;
    *number = tr__numbers_get(&r->strings, (uint64_t)id);
    if (*number != UINT32_MAX || !r->lookup.row)
        return TR_OK;
    enum tr_status st = tr__lookup(&r->lookup, id, &text, r->err);
    if (st == TR_END) {
        tr__nsys_bad_value(r);
        return TR_OK;
    }
    if (st == TR_OK)
        *number = tr__nsys_number(r, text);
    if (st == TR_OK && *number != TR_NO_STR && !tr__numbers_set(&r->strings, (uint64_t)id, *number))
        return tr_fail_memory(r->err);
    return st;
}

enum tr_status tr__nsys_text_at(struct tr__nsys *r, size_t column, uint32_t *number)
{
    return tr__nsys_text_of(r, tr__scan_int(&r->scan, column), number);
}

/* ---- processes ---- */

/* The pid is the process's own, unless another process of the file, on another machine, has the same. */
static struct tr__nsys_process *new_process(struct tr__nsys *r, uint64_t key)
{
    size_t n = r->n_processes;
    int64_t pid = (int64_t)(key & 0xffffff);
    if (tr__numbers_get(&r->pids, (uint64_t)pid) != UINT32_MAX)
        pid = (int64_t)key;
    if (n == MAX_PROCESSES || !tr_grow(&r->processes, &r->cap_processes, n + 1, sizeof *r->processes) ||
        !tr__numbers_set(&r->process_of, key, (uint32_t)n) || !tr__numbers_set(&r->pids, (uint64_t)pid, (uint32_t)n))
        return NULL;
    r->processes[n] = (struct tr__nsys_process){ key, pid, TR_I64_NONE, false };
    r->n_processes++;
    return &r->processes[n];
}

struct tr__nsys_process *tr__nsys_process(struct tr__nsys *r, int64_t global)
{
    uint64_t key = (uint64_t)global >> 24;
    uint32_t n = tr__numbers_get(&r->process_of, key);
    struct tr__nsys_process *p = n == UINT32_MAX ? new_process(r, key) : &r->processes[n];
    if (!p)
        tr_fail_memory(r->err);
    return p;
}

/* ---- tracks ---- */

enum tr_status tr__nsys_on_thread(struct tr__nsys *r, int64_t global)
{
    struct tr_ingest_track at = TR_INGEST_TRACK_INIT;
    if (global != TR_I64_NONE) {
        const struct tr__nsys_process *p = tr__nsys_process(r, global);
        if (!p)
            return TR_SYSTEM;
        at.pid = p->pid;
        at.tid = tr__nsys_tid(global) ? tr__nsys_tid(global) : TR_I64_NONE; /* a globalPid */
    }
    tr_ingest_track(r->g, &at);
    return TR_OK;
}

static bool name_stream(struct tr__nsys *r, struct tr__nsys_stream *s)
{
    char text[96];
    int n = 0;
    if (s->device != TR_I64_NONE)
        n = snprintf(text, sizeof text, "GPU %" PRId64 " ", s->device);
    n += s->stream != TR_I64_NONE ? snprintf(text + n, sizeof text - (size_t)n, "stream %" PRId64, s->stream)
                                  : snprintf(text + n, sizeof text - (size_t)n, "all streams");
    uint32_t number = tr_ingest_text(r->g, text, (size_t)n);
    s->tid = number + 1;
    return number != TR_NO_STR;
}

static struct tr__nsys_stream *find_stream(struct tr__nsys *r, uint32_t process, int64_t device, int64_t context,
                                           int64_t stream)
{
    const int64_t key[] = { process, device, context, stream };
    const struct tr__nsys_stream *last = r->streams ? &r->streams[r->stream] : NULL;
    if (last && last->process == process && last->device == device && last->context == context &&
        last->stream == stream)
        return &r->streams[r->stream];
    uint32_t n = tr_strtab_count(r->stream_keys), at = tr_strtab_add(r->stream_keys, key, sizeof key);
    if (at == TR_NO_STR || !tr_grow(&r->streams, &r->cap_streams, at + (size_t)1, sizeof *r->streams))
        return NULL;
    if (at == n) {
        r->streams[at] = (struct tr__nsys_stream){ process, device, context, stream, 0 };
        if (!name_stream(r, &r->streams[at]))
            return NULL;
    }
    r->stream = at;
    return &r->streams[at];
}

enum tr_status tr__nsys_on_stream(struct tr__nsys *r, const struct tr__nsys_process *p, int64_t device,
                                  int64_t context, int64_t stream)
{
    struct tr_ingest_track at = TR_INGEST_TRACK_INIT;
    const struct tr__nsys_stream *s = find_stream(r, tr__nsys_process_number(r, p), device, context,
                                                  stream);
    if (!s)
        return tr_fail_memory(r->err);
    at.side = TR_SIDE_DEVICE;
    at.pid = p->pid;
    at.device = device;
    at.context = context;
    at.stream = s->stream;
    at.tid_text = "";
    at.tid_number = s->tid;
    tr_ingest_track(r->g, &at);
    return TR_OK;
}

int64_t tr__nsys_device_of(const struct tr__nsys *r, uint32_t process, int64_t context, int64_t otherwise)
{
    for (uint32_t i = 0; i < tr_strtab_count(r->stream_keys) && i < 4096; i++)
        if (r->streams[i].process == process && r->streams[i].context == context &&
            r->streams[i].device != TR_I64_NONE)
            return r->streams[i].device;
    return otherwise;
}

/* Numbers of calls repeat in other processes, so the link is that of both. */
void tr__nsys_correlate(struct tr__nsys *r, const struct tr__nsys_process *p, int64_t correlation)
{
    if (correlation > 0 && correlation <= UINT32_MAX)
        tr_ingest_correlate(r->g, TR_LINK_SOURCE, (int64_t)tr__nsys_process_number(r, p) << 32 | correlation);
    else if (correlation != TR_I64_NONE && correlation != 0)
        tr_ingest_correlate(r->g, TR_LINK_PROCESS, correlation);
}

/* ---- events ---- */

enum tr_status tr__nsys_begin(struct tr__nsys *r, enum tr_phase phase, size_t start, size_t end)
{
    int64_t from = tr__scan_int(&r->scan, start), to = tr__scan_int(&r->scan, end);
    if (from == TR_I64_NONE)
        return TR_END;
    r->n_args = 0;
    tr_ingest_begin(r->g, phase, from, phase == TR_SPAN ? tr_time_diff(to, from) : TR_TIME_NONE);
    tr_ingest_record(r->g, r->record);
    return TR_OK;
}

enum tr_status tr__nsys_end(struct tr__nsys *r)
{
    struct tr__nsys_like *l = &r->likes[r->table];
    bool same = l->n == r->n_args && l->like.shape != UINT32_MAX;
    for (size_t i = 0; same && i < r->n_args; i++)
        same = l->keys[i] == r->args[i].key && l->types[i] == r->args[i].type;
    if (same)
        tr__ingest_args_like(r->g, r->args, r->n_args, &l->like);
    else
        tr__ingest_args(r->g, r->args, r->n_args);
    enum tr_status st = tr_ingest_end(r->g, r->err);
    for (size_t i = 0; !same && i < r->n_args; i++) {
        l->keys[i] = r->args[i].key;
        l->types[i] = r->args[i].type;
    }
    l->n = r->n_args;
    l->like = tr__ingest_like(r->g);
    return st;
}

static void add_arg(struct tr__nsys *r, enum tr__nsys_key key, enum tr_type type, int64_t bits)
{
    if (r->n_args < TR__NSYS_ARGS)
        r->args[r->n_args++] = (struct tr__arg){ r->keys[key], (uint8_t)type, bits };
}

void tr__nsys_arg_int(struct tr__nsys *r, enum tr__nsys_key key, int64_t value)
{
    if (value != TR_I64_NONE)
        add_arg(r, key, TR_T_INT, value);
}

void tr__nsys_arg_column(struct tr__nsys *r, enum tr__nsys_key key, size_t column)
{
    tr__nsys_arg_int(r, key, tr__scan_int(&r->scan, column));
}

void tr__nsys_arg_text(struct tr__nsys *r, enum tr__nsys_key key, uint32_t number)
{
    if (number != TR_NO_STR)
        add_arg(r, key, TR_T_STRING, number);
}

void tr__nsys_arg_json(struct tr__nsys *r, enum tr__nsys_key key, uint32_t number)
{
    if (number != TR_NO_STR)
        add_arg(r, key, TR_T_JSON, number);
}

/* Infinities and NaN have no form in JSON. */
void tr__nsys_arg_real(struct tr__nsys *r, enum tr__nsys_key key, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value - value == 0)
        add_arg(r, key, TR_T_DOUBLE, bits);
}

void tr__nsys_arg_dims(struct tr__nsys *r, enum tr__nsys_key key, size_t column)
{
    int64_t x = tr__scan_int(&r->scan, column), y = tr__scan_int(&r->scan, column + 1),
            z = tr__scan_int(&r->scan, column + 2);
    char text[80];
    if (x == TR_I64_NONE || y == TR_I64_NONE || z == TR_I64_NONE)
        return;
    size_t at = (size_t)((uint64_t)x * 31 + (uint64_t)y * 7 + (uint64_t)z) % (sizeof r->dims / sizeof *r->dims);
    if (r->dims[at].number == TR_NO_STR || r->dims[at].x != x || r->dims[at].y != y || r->dims[at].z != z) {
        int n = snprintf(text, sizeof text, "[%" PRId64 ",%" PRId64 ",%" PRId64 "]", x, y, z);
        r->dims[at].x = x;
        r->dims[at].y = y;
        r->dims[at].z = z;
        r->dims[at].number = tr_ingest_json(r->g, text, (size_t)n);
    }
    tr__nsys_arg_json(r, key, r->dims[at].number);
}
