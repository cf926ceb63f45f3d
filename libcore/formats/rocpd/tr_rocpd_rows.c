/* SPDX-License-Identifier: MIT */
/* Reader of rocpd: rows that become events. */
#include "formats/rocpd/tr_rocpd_int.h"

#include "base/tr_mem.h"
#include "json/tr_json.h"
#include "stream/tr_dict.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))

/* ---- what rows have in common ---- */

/* The columns of the place of a row; from version 4 on, they are those of its track. */
#define PLACE "pid", "tid", "agent_id", "queue_id", "stream_id", "track_id", "event_id"
enum { PID, TID, AGENT, QUEUE, STREAM, TRACK, EVENT, OWN };

struct place {
    int64_t pid, tid, agent, queue, stream, name;
};

static enum tr_status place_of(struct tr__rocpd *r, struct place *at)
{
    struct tr__scan *s = &r->t->scan;
    int64_t track = tr__scan_int(s, TRACK);
    *at = (struct place){ tr__scan_int(s, PID), tr__scan_int(s, TID), tr__scan_int(s, AGENT), tr__scan_int(s, QUEUE),
                          tr__scan_int(s, STREAM), TR_I64_NONE };
    if (track == TR_I64_NONE)
        return TR_OK;
    s = &r->tracks;
    enum tr_status st = tr__find(s, track, r->t->err);
    if (st == TR_OK)
        *at = (struct place){ tr__scan_int(s, 0), tr__scan_int(s, 1), tr__scan_int(s, 2), tr__scan_int(s, 3),
                              tr__scan_int(s, 4), tr__scan_int(s, 5) };
    return st == TR_END ? TR_OK : st;
}

/* What the row of rocpd_event says. */
struct about {
    struct tr__rocpd_category category;
    int64_t event, stack, external;
    struct tr_str extra; /* valid until another event is looked for */
};

static enum tr_status about_event(struct tr__rocpd *r, struct about *a)
{
    struct tr__scan *s = &r->events;
    int64_t category = TR_I64_NONE;
    *a = (struct about){ .event = tr__scan_int(&r->t->scan, EVENT), .stack = TR_I64_NONE, .external = TR_I64_NONE };
    enum tr_status st = a->event == TR_I64_NONE ? TR_END : tr__find(s, a->event, r->t->err);
    if (st == TR_OK) {
        category = tr__scan_int(s, 0);
        a->stack = tr__scan_int(s, 1);
        a->external = tr__scan_int(s, 2);
        a->extra = tr__scan_empty(s, 3) ? (struct tr_str){ NULL, 0 } : tr__scan_text(s, 3);
    }
    return st == TR_SYSTEM ? st : tr__rocpd_category(r, category, &a->category);
}

/* Link the row to the others of its call: both have the same stack. */
static void correlate(struct tr__rocpd *r, const struct tr__tables_process *p, const struct about *a)
{
    if (a->stack == TR_I64_NONE || a->stack == 0)
        return;
    tr__tables_correlate(r->t, p, a->stack);
    tr__tables_arg_int(r->t, TR__ROCPD_CORRELATION, a->stack);
    tr__tables_arg_int(r->t, TR__ROCPD_EXTERNAL, a->external == 0 ? TR_I64_NONE : a->external);
}

/* The GPU of an agent; TR_I64_NONE: a CPU, or not known. */
static int64_t device_of(const struct tr__rocpd *r, int64_t agent)
{
    uint32_t gpu = agent == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->agents, (uint64_t)agent);
    return gpu >= TR__ROCPD_CPU ? TR_I64_NONE : gpu;
}

static enum tr_status on_thread(struct tr__rocpd *r, const struct place *at, const struct tr__tables_process **p)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    uint32_t tid = at->tid == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->threads, (uint64_t)at->tid);
    *p = tr__rocpd_process(r, at->pid);
    if (!*p)
        return TR_SYSTEM;
    track.pid = (*p)->pid;
    track.tid = tid == UINT32_MAX ? at->tid : tid;
    tr_ingest_track(r->t->g, &track);
    return TR_OK;
}

/* ---- calls and markers ---- */

/* The text of the member "message" of an object. */
static uint32_t message_of(struct tr__rocpd *r, struct tr_str json, bool *op)
{
    static const char key[] = "\"message\":";
    struct tr__tables *t = r->t;
    const char *at = json.s ? memmem(json.s, json.len, key, sizeof key - 1) : NULL, *to;
    unsigned defects = 0;
    if (!at)
        return TR_NO_STR;
    const char *end = json.s + json.len;
    for (at += sizeof key - 1; at < end && *at == ' '; at++)
        continue;
    if (at == end || *at++ != '"')
        return TR_NO_STR;
    for (to = at; to < end && *to != '"'; to++)
        to += *to == '\\' && to + 1 < end;
    t->text.len = 0;
    if (to == at || !tr_json_unescape(at, (size_t)(to - at), &t->text, &defects))
        return TR_NO_STR;
    return tr__tables_range(t, (struct tr_str){ (const char *)t->text.data, t->text.len }, op);
}

static enum tr_status describe(struct tr__rocpd *r, const struct about *a, uint32_t function)
{
    struct tr__tables *t = r->t;
    bool op = false, marker = a->category.kind == TR__ROCPD_MARKER;
    uint32_t message = marker ? message_of(r, a->extra, &op) : TR_NO_STR;
    tr_ingest_name_number(t->g, message == TR_NO_STR ? function : message);
    if (op)
        tr_ingest_category(t->g, "nvtx_op", 7);
    else if (a->category.name != TR_NO_STR)
        tr_ingest_category_number(t->g, a->category.name);
    if (marker || op)
        tr_ingest_activity(t->g, op ? TR_ACT_CPU_OP : TR_ACT_ANNOTATION);
    else if (a->category.kind == TR__ROCPD_CALL)
        tr_ingest_activity(t->g, TR_ACT_RUNTIME_API);
    if (message != TR_NO_STR)
        tr__tables_arg_text(t, TR__ROCPD_OPERATION, function);
    return TR_OK;
}

/* A span or an instant of a thread, whose name has a number. */
static enum tr_status add_call(struct tr__rocpd *r, struct about *a, const struct place *at, int64_t name)
{
    const struct tr__tables_process *p;
    uint32_t function;
    enum tr_status st = tr__tables_text_of(r->t, name, &function);
    if (st == TR_OK)
        st = on_thread(r, at, &p);
    if (st != TR_OK)
        return st;
    correlate(r, p, a);
    st = describe(r, a, function);
    return st == TR_OK ? tr__tables_end(r->t) : st;
}

enum { R_START = OWN, R_END, R_NAME };
static const char *const region_columns[] = { PLACE, "start", "end", "name_id" };

static enum tr_status take_region(void *own)
{
    struct tr__rocpd *r = own;
    struct place at;
    struct about a;
    enum tr_status st = tr__tables_begin(r->t, TR_SPAN, R_START, R_END);
    if (st == TR_OK)
        st = place_of(r, &at);
    if (st == TR_OK)
        st = about_event(r, &a);
    return st == TR_OK ? add_call(r, &a, &at, tr__scan_int(&r->t->scan, R_NAME)) : st;
}

const struct tr__tables_table tr__rocpd_region = { "rocpd_region", region_columns, N(region_columns), take_region,
                                                   NULL };

enum { S_TIME = OWN, S_NAME };
static const char *const sample_columns[] = { PLACE, "timestamp", "name_id" };

/* A call of no length; one without an event is the time of a counter. */
static enum tr_status take_sample(void *own)
{
    struct tr__rocpd *r = own;
    struct place at;
    struct about a;
    int64_t name = tr__scan_int(&r->t->scan, S_NAME);
    if (tr__scan_int(&r->t->scan, EVENT) == TR_I64_NONE)
        return TR_OK;
    enum tr_status st = tr__tables_begin(r->t, TR_INSTANT, S_TIME, S_TIME);
    if (st == TR_OK)
        st = place_of(r, &at);
    if (st == TR_OK)
        st = about_event(r, &a);
    return st == TR_OK ? add_call(r, &a, &at, name == TR_I64_NONE ? at.name : name) : st;
}

const struct tr__tables_table tr__rocpd_sample = { "rocpd_sample", sample_columns, N(sample_columns), take_sample,
                                                   NULL };

/* ---- kernels ---- */

enum { D_START = OWN, D_END, D_KERNEL, D_DISPATCH, D_PRIVATE, D_GROUP, D_SIZE, D_GRID = D_SIZE + 3,
       D_RENAMED = D_GRID + 3, D_GRAPH, D_NODE };
static const char *const dispatch_columns[] = { PLACE, "start", "end", "kernel_id", "dispatch_id",
                                                "private_segment_size", "group_segment_size", "workgroup_size_x",
                                                "workgroup_size_y", "workgroup_size_z", "grid_size_x", "grid_size_y",
                                                "grid_size_z", "region_name_id", "graph_exec_id", "graph_node_id" };

static void name_kernel(struct tr__rocpd *r)
{
    int64_t id = tr__scan_int(&r->t->scan, D_KERNEL);
    uint32_t name = id == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->kernels, (uint64_t)id);
    char text[40];
    if (name != UINT32_MAX) {
        tr_ingest_name_number(r->t->g, name);
        return;
    }
    int n = id == TR_I64_NONE ? snprintf(text, sizeof text, "kernel")
                              : snprintf(text, sizeof text, "kernel %" PRId64, id);
    tr_ingest_name(r->t->g, text, (size_t)n);
}

static enum tr_status add_sizes(struct tr__rocpd *r)
{
    struct tr__scan *s = &r->t->scan;
    int64_t items[3], group[3], graph = tr__scan_int(s, D_GRAPH), node = tr__scan_int(s, D_NODE);
    uint32_t renamed;
    for (size_t i = 0; i < 3; i++) {
        items[i] = tr__scan_int(s, D_GRID + i);
        group[i] = tr__scan_int(s, D_SIZE + i);
    }
    tr__tables_arg_groups(r->t, TR__ROCPD_GRID, TR__ROCPD_BLOCK, TR__ROCPD_GRID_SIZE, items, group);
    if (graph != TR_I64_NONE && graph != 0)
        tr_ingest_graph(r->t->g, graph, node == 0 ? TR_I64_NONE : node);
    enum tr_status st = tr__tables_text_at(r->t, D_RENAMED, &renamed);
    if (st == TR_OK && renamed != tr_ingest_text(r->t->g, "", 0))
        tr__tables_arg_text(r->t, TR__ROCPD_RENAMED, renamed);
    return st;
}

static void add_counters(struct tr__rocpd *r, int64_t event)
{
    size_t n;
    const struct tr__rocpd_value *v = tr__rocpd_values(r, event, &n);
    for (size_t i = 0; i < n; i++)
        tr__tables_arg_value(r->t, v[i].name, v[i].value);
}

static enum tr_status take_dispatch(void *own)
{
    struct tr__rocpd *r = own;
    struct tr__tables *t = r->t;
    struct place at;
    struct about a;
    enum tr_status st = tr__tables_begin(t, TR_SPAN, D_START, D_END);
    if (st == TR_OK)
        st = place_of(r, &at);
    if (st == TR_OK)
        st = about_event(r, &a);
    struct tr__tables_process *p = st == TR_OK ? tr__rocpd_process(r, at.pid) : NULL;
    if (!p)
        return st == TR_OK ? TR_SYSTEM : st;
    p->has_work = true;
    int64_t device = device_of(r, at.agent);
    device = device == TR_I64_NONE ? at.agent : device;
    name_kernel(r);
    tr_ingest_category(t->g, "kernel_dispatch", 15);
    tr_ingest_activity(t->g, TR_ACT_KERNEL);
    tr__tables_arg_int(t, TR__ROCPD_DEVICE, device);
    tr__tables_arg_int(t, TR__ROCPD_STREAM, at.queue);
    correlate(r, p, &a);
    st = add_sizes(r);
    tr__tables_arg_column(t, TR__ROCPD_DISPATCH, D_DISPATCH);
    tr__tables_arg_int(t, TR__ROCPD_AGENT, at.agent);
    tr__tables_arg_int(t, TR__ROCPD_STREAM_ID, at.stream);
    tr__tables_arg_int(t, TR__ROCPD_THREAD, at.tid);
    tr__tables_arg_column(t, TR__ROCPD_PRIVATE, D_PRIVATE);
    tr__tables_arg_column(t, TR__ROCPD_GROUP, D_GROUP);
    add_counters(r, a.event);
    if (st == TR_OK)
        st = tr__tables_on_stream(t, p, device, TR_I64_NONE, at.queue);
    return st == TR_OK ? tr__tables_end(t) : st;
}

const struct tr__tables_table tr__rocpd_dispatch = { "rocpd_kernel_dispatch", dispatch_columns, N(dispatch_columns),
                                                     take_dispatch, NULL };

/* ---- copies ---- */

enum { C_START = OWN, C_END, C_NAME, C_SRC, C_DST, C_BYTES, C_GRAPH, C_NODE };
static const char *const copy_columns[] = { PLACE, "start", "end", "name_id", "src_agent_id", "dst_agent_id", "size",
                                            "graph_exec_id", "graph_node_id" };

/* The name of a copy as other vendors write it.  TR_OK, or a failure. */
static enum tr_status name_copy(struct tr__rocpd *r, const char **name, uint32_t *operation)
{
    static const struct {
        const char *operation, *name;
    } names[] = {
        { "HOST_TO_DEVICE", "Memcpy HtoD" }, { "DEVICE_TO_HOST", "Memcpy DtoH" },
        { "DEVICE_TO_DEVICE", "Memcpy DtoD" }, { "HOST_TO_HOST", "Memcpy HtoH" },
    };
    struct tr_str text = { NULL, 0 };
    int64_t id = tr__scan_int(&r->t->scan, C_NAME);
    enum tr_status st = id == TR_I64_NONE ? TR_END : tr__tables_text(r->t, id, &text);
    *name = "Memcpy";
    for (size_t i = 0; i < N(names) && text.len; i++)
        if (memmem(text.s, text.len, names[i].operation, strlen(names[i].operation)))
            *name = names[i].name;
    return st == TR_SYSTEM ? st : tr__tables_text_of(r->t, id, operation);
}

/* Copies have no queue, and the engines of both directions work at the same time: a track for each, and stream. */
static void copy_track(struct tr__rocpd *r, const struct tr__tables_process *p, int64_t device, const char *name,
                       int64_t stream)
{
    char text[96], on[32] = "";
    if (device != TR_I64_NONE)
        snprintf(on, sizeof on, "GPU %" PRId64 " ", device);
    int n = stream == TR_I64_NONE ? snprintf(text, sizeof text, "%s%s", on, name)
                                  : snprintf(text, sizeof text, "%s%s, stream %" PRId64, on, name, stream);
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    track.side = TR_SIDE_DEVICE;
    track.pid = p->pid;
    track.device = device;
    track.tid_text = text;
    track.tid_len = (size_t)n;
    tr_ingest_track(r->t->g, &track);
}

static enum tr_status take_copy(void *own)
{
    struct tr__rocpd *r = own;
    struct tr__tables *t = r->t;
    struct place at;
    struct about a;
    const char *name;
    uint32_t operation;
    int64_t from = tr__scan_int(&t->scan, C_SRC), to = tr__scan_int(&t->scan, C_DST), device = device_of(r, to),
            graph = tr__scan_int(&t->scan, C_GRAPH), node = tr__scan_int(&t->scan, C_NODE);
    enum tr_status st = tr__tables_begin(t, TR_SPAN, C_START, C_END);
    if (st == TR_OK)
        st = place_of(r, &at);
    if (st == TR_OK)
        st = about_event(r, &a);
    if (st == TR_OK)
        st = name_copy(r, &name, &operation);
    struct tr__tables_process *p = st == TR_OK ? tr__rocpd_process(r, at.pid) : NULL;
    if (!p)
        return st == TR_OK ? TR_SYSTEM : st;
    p->has_work = true;
    device = device == TR_I64_NONE ? device_of(r, from) : device;
    tr_ingest_name(t->g, name, strlen(name));
    tr_ingest_category(t->g, "memory_copy", 11);
    tr_ingest_activity(t->g, TR_ACT_MEMCPY);
    if (graph != TR_I64_NONE && graph != 0)
        tr_ingest_graph(t->g, graph, node == 0 ? TR_I64_NONE : node);
    tr__tables_arg_int(t, TR__ROCPD_DEVICE, device);
    correlate(r, p, &a);
    tr__tables_arg_column(t, TR__ROCPD_BYTES, C_BYTES);
    tr__tables_arg_text(t, TR__ROCPD_OPERATION, operation);
    tr__tables_arg_int(t, TR__ROCPD_SRC, from);
    tr__tables_arg_int(t, TR__ROCPD_DST, to);
    tr__tables_arg_int(t, TR__ROCPD_STREAM_ID, at.stream);
    tr__tables_arg_int(t, TR__ROCPD_THREAD, at.tid);
    copy_track(r, p, device, name, at.stream);
    return tr__tables_end(t);
}

const struct tr__tables_table tr__rocpd_copy = { "rocpd_memory_copy", copy_columns, N(copy_columns), take_copy, NULL };

/* ---- memory ---- */

enum { M_START = OWN, M_TYPE, M_LEVEL, M_ADDRESS, M_SIZE };
static const char *const memory_columns[] = { PLACE, "start", "type", "level", "address", "size" };

/* What is freed has no size, so that of the allocation at this address counts.  TR_OK, or a failure. */
static enum tr_status allocated(struct tr__rocpd *r, bool alloc, int64_t address, int64_t *bytes, int64_t *agent)
{
    uint32_t at = tr__numbers_get(&r->memory_of, (uint64_t)address);
    bool known = at != UINT32_MAX;
    if (!alloc) {
        if (known && *bytes <= 0)
            *bytes = r->memory[at].bytes;
        if (known && *agent == TR_I64_NONE)
            *agent = r->memory[at].agent;
        return TR_OK;
    }
    at = known ? at : (uint32_t)r->n_memory;
    if (r->n_memory >= r->t->max_memory / sizeof *r->memory)
        return tr_fail(r->t->err, TR_SYSTEM, "its allocations need more memory than -M allows");
    if (!tr_grow(&r->memory, &r->cap_memory, r->n_memory + 1, sizeof *r->memory) ||
        !tr__numbers_set(&r->memory_of, (uint64_t)address, at))
        return tr_fail_memory(r->t->err);
    r->n_memory += !known;
    r->memory[at] = (struct tr__rocpd_memory){ *bytes, *agent };
    return TR_OK;
}

/* As Kineto's events of memory: negative bytes are freed.  Virtual memory and scratch memory are not counted. */
static enum tr_status take_memory(void *own)
{
    struct tr__rocpd *r = own;
    struct tr__tables *t = r->t;
    struct place at;
    const struct tr__tables_process *p;
    struct tr_str type = tr__scan_text(&t->scan, M_TYPE), level = tr__scan_text(&t->scan, M_LEVEL);
    int64_t address = tr__scan_int(&t->scan, M_ADDRESS), bytes = tr__scan_int(&t->scan, M_SIZE);
    bool alloc = tr__tables_equals(type, "ALLOC");
    if (!tr__tables_equals(level, "REAL") || !(alloc || tr__tables_equals(type, "FREE")))
        return TR_OK;
    enum tr_status st = address == TR_I64_NONE || bytes < 0 ? TR_END : place_of(r, &at);
    if (st == TR_OK)
        st = allocated(r, alloc, address, &bytes, &at.agent);
    if (st == TR_OK)
        st = tr__tables_begin(t, TR_INSTANT, M_START, M_START);
    if (st == TR_OK)
        st = on_thread(r, &at, &p);
    if (st != TR_OK)
        return st;
    int64_t device = device_of(r, at.agent);
    tr_ingest_name(t->g, "[memory]", 8);
    tr_ingest_category(t->g, "cpu_instant_event", 17);
    tr_ingest_activity(t->g, TR_ACT_MEMORY_INSTANT);
    tr__tables_arg_int(t, TR__ROCPD_MEMORY, alloc ? bytes : -bytes);
    tr__tables_arg_int(t, TR__ROCPD_ADDR, address);
    tr__tables_arg_int(t, TR__ROCPD_DEVICE_TYPE, device != TR_I64_NONE);
    tr__tables_arg_int(t, TR__ROCPD_DEVICE_ID, device == TR_I64_NONE ? -1 : device);
    return tr__tables_end(t);
}

const struct tr__tables_table tr__rocpd_allocate = { "rocpd_memory_allocate", memory_columns, N(memory_columns),
                                                     take_memory, NULL };

/* ---- events of streams ---- */

enum { E_START = OWN, E_END, E_TYPE };
static const char *const event_columns[] = { PLACE, "start", "end", "type" };

/* The record of an event on a stream, or a wait for one. */
static enum tr_status take_event(void *own)
{
    struct tr__rocpd *r = own;
    struct tr__tables *t = r->t;
    struct place at;
    struct about a;
    bool waits = tr__tables_equals(tr__scan_text(&t->scan, E_TYPE), "WAIT");
    enum tr_status st = tr__tables_begin(t, TR_SPAN, E_START, E_END);
    if (st == TR_OK)
        st = place_of(r, &at);
    if (st == TR_OK)
        st = about_event(r, &a);
    const struct tr__tables_process *p = st == TR_OK ? tr__rocpd_process(r, at.pid) : NULL;
    if (!p)
        return st == TR_OK ? TR_SYSTEM : st;
    int64_t device = device_of(r, at.agent);
    tr_ingest_name(t->g, waits ? "Stream Wait Event" : "Event Record", waits ? 17 : 12);
    tr_ingest_category(t->g, "hip_event", 9);
    tr_ingest_activity(t->g, TR_ACT_SYNC);
    tr__tables_arg_int(t, TR__ROCPD_DEVICE, device);
    tr__tables_arg_int(t, TR__ROCPD_STREAM, at.queue);
    correlate(r, p, &a);
    tr__tables_arg_int(t, TR__ROCPD_STREAM_ID, at.stream);
    st = tr__tables_on_stream(t, p, device, TR_I64_NONE, at.queue);
    return st == TR_OK ? tr__tables_end(t) : st;
}

#define EVENTS(name) { name, event_columns, N(event_columns), take_event, NULL }
const struct tr__tables_table tr__rocpd_hip_event = EVENTS("rocpd_hip_event");
const struct tr__tables_table tr__rocpd_operation = EVENTS("rocpd_event_operation");

/* ---- counters with times of their own ---- */

enum { P_COUNTER, P_VALUE, P_SAMPLE };
static const char *const counter_columns[] = { "pmc_id", "value", "sample_id" };

static enum tr_status take_counter(void *own)
{
    struct tr__rocpd *r = own;
    struct tr__tables *t = r->t;
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    int64_t id = tr__scan_int(&t->scan, P_COUNTER), sample = tr__scan_int(&t->scan, P_SAMPLE);
    uint32_t name = id == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->counters, (uint64_t)id);
    double value;
    char text[40];
    if (sample == TR_I64_NONE) /* of a dispatch */
        return TR_OK;
    enum tr_status st = tr__find(&r->samples, sample, t->err);
    if (st == TR_OK && (name == UINT32_MAX || !tr__scan_real(&t->scan, P_VALUE, &value)))
        st = TR_END;
    if (st == TR_OK) {
        int64_t at = tr__scan_int(&r->samples, 0);
        st = tr__tables_begin_at(t, TR_COUNTER, at, at);
    }
    if (st != TR_OK)
        return st;
    int64_t device = device_of(r, (int64_t)tr__numbers_get(&r->counted_on, (uint64_t)id));
    int n = device == TR_I64_NONE ? snprintf(text, sizeof text, "counters")
                                  : snprintf(text, sizeof text, "GPU %" PRId64, device);
    track.pid_text = text;
    track.pid_len = (size_t)n;
    tr_ingest_track(t->g, &track);
    tr_ingest_name_number(t->g, name);
    tr_ingest_activity(t->g, TR_ACT_OTHER);
    tr__tables_arg_value(t, t->keys[TR__ROCPD_VALUE], value);
    return tr__tables_end(t);
}

/* All values are of dispatches if there are no samples that they could have. */
static bool has_samples(void *own)
{
    const struct tr__rocpd *r = own;
    return r->samples.rows != NULL;
}

const struct tr__tables_table tr__rocpd_counter = { "rocpd_pmc_event", counter_columns, N(counter_columns),
                                                    take_counter, has_samples };
