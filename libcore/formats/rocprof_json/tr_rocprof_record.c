/* SPDX-License-Identifier: MIT */
/* rocprofv3: dispatches, copies, API calls, markers and all other records with a start and an end become events. */
#include "formats/rocprof_json/tr_rocprof_int.h"

#include <stdio.h>
#include <string.h>

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* The device of an agent; TR_I64_NONE: a CPU, or not known. */
static int64_t device_of(struct tr__rocprof_tables *t, int64_t agent, bool *known)
{
    const struct tr__rocprof_entry *a = agent == TR_I64_NONE ? NULL : tr__rocprof_find(&t->agents, agent);
    *known = a != NULL;
    return a ? a->number : TR_I64_NONE;
}

static void add_int(struct tr_ingest *g, const char *key, int64_t v)
{
    if (v != TR_I64_NONE)
        tr_ingest_arg_int(g, key, v);
}

static void set_name(struct tr__rocprof_tables *t, uint32_t name, const char *else_what, int64_t number,
                     struct tr_ingest *g)
{
    char text[96];
    if (name != TR_NO_STR) {
        tr_ingest_name(g, tr_strtab_get(t->strings, name), tr_strtab_len(t->strings, name));
        return;
    }
    int n = number == TR_I64_NONE ? snprintf(text, sizeof text, "%.60s", else_what)
                                   : snprintf(text, sizeof text, "%.60s %lld", else_what, (long long)number);
    tr_ingest_name(g, text, (size_t)n);
}

/* The name of the operation of a record, or TR_NO_STR. */
static uint32_t operation_of(struct tr__rocprof_tables *t, struct tr__rocprof_object *o)
{
    int64_t kind = tr__rocprof_int(o, o->base, "kind"), op = tr__rocprof_int(o, o->base, "operation");
    const struct tr__rocprof_entry *e = NULL;
    if (kind >= 0 && op >= 0 && kind <= INT32_MAX && op <= INT32_MAX)
        e = tr__rocprof_find(&t->operations, kind << 32 | op);
    return e ? e->name : TR_NO_STR;
}

/* internal or external of correlation_id; in the short form it is the internal one itself. */
static int64_t correlation_of(struct tr__rocprof_object *o, const char *which)
{
    size_t id = tr__rocprof_at(o, o->base, "correlation_id");
    if (id && o->tokens.tok[id].kind == TR_JSON_OBJECT)
        return tr__rocprof_int(o, id, which);
    return is(which, "internal") ? tr__rocprof_int(o, o->base, "correlation_id") : TR_I64_NONE;
}

static void correlate(struct tr__rocprof_object *o, struct tr_ingest *g)
{
    int64_t internal = correlation_of(o, "internal"), external = correlation_of(o, "external");
    if (internal != TR_I64_NONE && internal != 0) {
        tr_ingest_correlate(g, TR_LINK_SOURCE, internal);
        tr_ingest_arg_int(g, "correlation", internal);
    }
    if (external != 0)
        add_int(g, "external_correlation", external);
}

/* ---- dispatches ---- */

static bool triple(struct tr__rocprof_object *o, size_t at, const char *key, int64_t v[3])
{
    size_t i = tr__rocprof_within(o, at, key, TR_JSON_OBJECT);
    v[0] = i ? tr__rocprof_int(o, i, "x") : TR_I64_NONE;
    v[1] = i ? tr__rocprof_int(o, i, "y") : TR_I64_NONE;
    v[2] = i ? tr__rocprof_int(o, i, "z") : TR_I64_NONE;
    bool found = v[0] >= 0 && v[1] >= 0 && v[2] >= 0;
    o->doubt |= i && !found;
    return found;
}

static void add_triple(struct tr_ingest *g, const char *key, const int64_t v[3])
{
    char text[80];
    int n = snprintf(text, sizeof text, "[%lld,%lld,%lld]", (long long)v[0], (long long)v[1], (long long)v[2]);
    tr_ingest_arg_json(g, key, text, (size_t)n);
}

/* Here, a grid counts work items.  The arg grid is the number of work groups, as in other formats. */
static void add_sizes(struct tr__rocprof_object *o, size_t info, struct tr_ingest *g)
{
    int64_t items[3], group[3], grid[3];
    bool has_items = triple(o, info, "grid_size", items), has_group = triple(o, info, "workgroup_size", group);
    if (has_items && has_group && group[0] && group[1] && group[2]) {
        for (size_t i = 0; i < 3; i++)
            grid[i] = items[i] / group[i] + (items[i] % group[i] != 0);
        add_triple(g, "grid", grid);
        add_triple(g, "block", group);
    }
    if (has_items)
        add_triple(g, "grid_size", items);
}

static void add_values(struct tr__rocprof_tables *t, int64_t dispatch, struct tr_ingest *g)
{
    size_t n;
    const struct tr__rocprof_value *v = tr__rocprof_values(t, dispatch, &n);
    for (size_t i = 0; i < n; i++) {
        const char *key = tr_strtab_get(t->strings, v[i].name);
        if (v[i].value > -9e15 && v[i].value < 9e15 && v[i].value == (double)(int64_t)v[i].value)
            tr_ingest_arg_int(g, key, (int64_t)v[i].value);
        else
            tr_ingest_arg_real(g, key, v[i].value);
    }
}

static void dispatch(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, size_t info, struct tr_ingest *g)
{
    int64_t agent = tr__rocprof_int(o, info, "agent_id"), queue = tr__rocprof_int(o, info, "queue_id"),
            kernel = tr__rocprof_int(o, info, "kernel_id"), number = tr__rocprof_int(o, info, "dispatch_id");
    const struct tr__rocprof_entry *symbol = kernel == TR_I64_NONE ? NULL : tr__rocprof_find(&t->kernels, kernel);
    bool known;
    int64_t device = device_of(t, agent, &known);
    if (!known)
        device = agent;
    set_name(t, symbol ? symbol->name : TR_NO_STR, "kernel", kernel, g);
    tr_ingest_category(g, "kernel_dispatch", 15);
    tr_ingest_track(g, &(struct tr_ingest_track){ .side = TR_SIDE_DEVICE, .pid = device, .tid = queue,
                                                  .device = device, .context = TR_I64_NONE, .stream = queue });
    add_int(g, "device", device);
    add_int(g, "stream", queue);
    correlate(o, g);
    add_sizes(o, info, g);
    add_int(g, "dispatch_id", number);
    add_int(g, "agent_id", agent);
    add_int(g, "stream_id", tr__rocprof_int(o, o->base, "stream_id"));
    add_int(g, "thread_id", tr__rocprof_int(o, o->base, "thread_id"));
    add_int(g, "private_segment_size", tr__rocprof_int(o, info, "private_segment_size"));
    add_int(g, "group_segment_size", tr__rocprof_int(o, info, "group_segment_size"));
    if (number != TR_I64_NONE)
        add_values(t, number, g);
}

/* ---- copies ---- */

/* The name of a copy from one side to another, as other vendors write it. */
static const char *copy_name(const char *operation)
{
    static const struct {
        const char *operation, *name;
    } names[] = {
        { "HOST_TO_DEVICE", "Memcpy HtoD" }, { "DEVICE_TO_HOST", "Memcpy DtoH" },
        { "DEVICE_TO_DEVICE", "Memcpy DtoD" }, { "HOST_TO_HOST", "Memcpy HtoH" },
    };
    for (size_t i = 0; operation && i < sizeof names / sizeof *names; i++)
        if (strstr(operation, names[i].operation))
            return names[i].name;
    return "Memcpy";
}

/*
 * Copies have no queue, and the engines of both directions work at the same time.  So there is a track for each
 * direction and, if it is known, stream.  Streams and queues have separate numbers, so the number of the stream is not
 * that of the track.
 */
static void copy_track(struct tr__rocprof_object *o, int64_t device, const char *name, struct tr_ingest *g)
{
    int64_t stream = tr__rocprof_int(o, o->base, "stream_id");
    char tid[64];
    int n = stream == TR_I64_NONE ? snprintf(tid, sizeof tid, "%s", name)
                                   : snprintf(tid, sizeof tid, "%s, stream %lld", name, (long long)stream);
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    track.side = TR_SIDE_DEVICE;
    track.pid = track.device = device;
    track.tid_text = tid;
    track.tid_len = (size_t)n;
    tr_ingest_track(g, &track);
}

static void copy(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, struct tr_ingest *g)
{
    int64_t from = tr__rocprof_int(o, o->base, "src_agent_id"), to = tr__rocprof_int(o, o->base, "dst_agent_id");
    uint32_t operation = operation_of(t, o);
    bool from_known, to_known;
    int64_t from_device = device_of(t, from, &from_known), device = device_of(t, to, &to_known);
    if (device == TR_I64_NONE)
        device = from_device;
    const char *text = operation == TR_NO_STR ? NULL : tr_strtab_get(t->strings, operation), *name = copy_name(text);
    tr_ingest_name(g, name, strlen(name));
    tr_ingest_category(g, "memory_copy", 11);
    copy_track(o, device, name, g);
    add_int(g, "device", device);
    correlate(o, g);
    add_int(g, "bytes", tr__rocprof_int(o, o->base, "bytes"));
    if (text)
        tr_ingest_arg_text(g, "operation", text, strlen(text));
    add_int(g, "src_agent_id", from);
    add_int(g, "dst_agent_id", to);
    add_int(g, "stream_id", tr__rocprof_int(o, o->base, "stream_id"));
    add_int(g, "thread_id", tr__rocprof_int(o, o->base, "thread_id"));
}

/* ---- events of the host ---- */

static void host_record(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, const char *list,
                        struct tr_ingest *g)
{
    size_t len = strlen(list);
    uint32_t operation = operation_of(t, o), name = operation;
    bool marker = is(list, "marker_api"), api = len > 4 && is(list + len - 4, "_api");
    if (marker) {
        int64_t id = correlation_of(o, "internal");
        const struct tr__rocprof_entry *m = id == TR_I64_NONE ? NULL : tr__rocprof_find(&t->markers, id);
        name = m ? m->name : operation;
    }
    set_name(t, name, list, TR_I64_NONE, g);
    tr_ingest_category(g, list, len);
    if (api && !marker && !is(list, "hsa_api"))
        tr_ingest_activity(g, TR_ACT_RUNTIME_API);
    tr_ingest_track(g, &(struct tr_ingest_track){ .side = TR_SIDE_HOST, .pid = t->pid,
                                                  .tid = tr__rocprof_int(o, o->base, "thread_id"),
                                                  .device = TR_I64_NONE, .context = TR_I64_NONE,
                                                  .stream = TR_I64_NONE });
    correlate(o, g);
    if (name != operation && operation != TR_NO_STR)
        tr_ingest_arg_text(g, "operation", tr_strtab_get(t->strings, operation), tr_strtab_len(t->strings, operation));
    add_int(g, "agent_id", tr__rocprof_int(o, o->base, "agent_id"));
    add_int(g, "bytes", tr__rocprof_int(o, o->base, "allocation_size"));
}

enum tr_status tr__rocprof_record(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, const char *list,
                                  uint64_t record, struct tr_ingest *g, struct tr_error *err)
{
    size_t info = tr__rocprof_within(o, o->base, "dispatch_info", TR_JSON_OBJECT);
    int64_t start = tr__rocprof_int(o, o->base, "start_timestamp"), end = tr__rocprof_int(o, o->base, "end_timestamp");
    bool is_dispatch = is(list, "kernel_dispatch");
    int64_t at = tr__rocprof_int(o, o->base, "timestamp");
    bool instant = start == TR_TIME_NONE && at >= 0 && !is_dispatch && !is(list, "memory_copy");
    if (instant)
        start = end = at;
    if (start < 0 || end < 0 || (is_dispatch && !info)) /* absent ones are also below 0 */
        return TR_END;
    /* both from 0 on: no overflow */
    tr_ingest_begin(g, instant ? TR_INSTANT : TR_SPAN, start, instant ? TR_TIME_NONE : end - start);
    tr_ingest_record(g, record);
    if (is_dispatch)
        dispatch(t, o, info, g);
    else if (is(list, "memory_copy"))
        copy(t, o, g);
    else
        host_record(t, o, list, g);
    return tr_ingest_end(g, err);
}
