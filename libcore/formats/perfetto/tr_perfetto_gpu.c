/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces: work of devices, which is not a track event but a separate packet.
 *
 * Args have PyTorch's names in JSON, so readers of args find them.
 */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include "base/tr_num.h"
#include "formats/perfetto/tr_perfetto_write.h"
#include "json/tr_json.h"
#include "json/tr_json_write.h"
#include "stream/tr_event.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* GpuRenderStageEvent. */
enum {
    WORK_ID = 1, WORK_DURATION = 2, WORK_OLD_QUEUE = 3, WORK_OLD_STAGE = 4, WORK_CONTEXT = 5, WORK_EXTRA = 6,
    WORK_OLD_NAMES = 7, WORK_SUBMISSION = 10, WORK_DEVICE = 11, WORK_QUEUE = 13, WORK_STAGE = 14, WORK_NAME = 17,
    WORK_WAITED_FOR = 18, WORK_KERNEL = 19, WORK_NAME_ID = 20, WORK_LAUNCH = 21,
};
enum { LAUNCH_GRID = 1, LAUNCH_GROUP = 2, LAUNCH_ARG = 3 };
enum { ARG_NAME_ID = 1, ARG_NAME = 2, ARG_INT = 3, ARG_UINT = 4, ARG_DOUBLE = 5, ARG_STRING = 6, ARG_STRING_ID = 7 };
enum { OLD_QUEUES = 2, OLD_STAGES = 3 };
enum { COUNTER_NAMES = 1 }; /* GpuCounterEvent */
/* Tables of InternedData. */
enum { INTERNED_CONTEXTS = 23, INTERNED_STAGES = 24, INTERNED_COUNTERS = 47, INTERNED_KERNELS = 1000 };
enum { COMPUTE = 2 }; /* category of a stage */
#define MAX_COPY 64   /* bytes of extra data that says that there is a slice, too */

struct work {
    uint64_t event, id, context; /* event: its own number; id: its correlation, the same number unless one is given */
    int64_t dur, device, queue, stream, graph, node;
    uint32_t queue_name, stage, kernel, arch; /* texts */
    bool is_copy, has_waits, has_arch, has_id, has_queue, has_context, is_compute;
    struct tr_str name;
    const char *category;
    enum tr_activity activity;
    struct tr__span launch;
};

/* ---- interned data ---- */

static uint32_t text_of(struct tr__perfetto_reader *r, const struct tr__proto *m)
{
    return tr__perfetto_string(r, m->data, m->len);
}

/* A kernel: its readable name, else the other one. */
static bool add_kernel(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__proto m)
{
    uint64_t id = 0;
    struct tr__span name = { NULL, 0 }, plain = { NULL, 0 }, arch = { NULL, 0 };
    while (tr__proto_next(&m)) {
        if (tr__proto_is(&m, 1, TR__WIRE_VARINT))
            id = m.v;
        else if (m.field == 4)
            arch = (struct tr__span){ m.data, m.len };
        else if (m.field == 2)
            plain = (struct tr__span){ m.data, m.len };
        else if (m.field == 3)
            name = (struct tr__span){ m.data, m.len };
    }
    if (!name.len)
        name = plain;
    uint32_t text = tr__perfetto_string(r, name.data, name.len), of = TR_NO_STR;
    if (text == TR_NO_STR || (arch.len && (of = tr__perfetto_string(r, arch.data, arch.len)) == TR_NO_STR))
        return false;
    return !id || (tr__perfetto_set(r, s, TR__TEXT_KERNEL, id, text) &&
                   (of == TR_NO_STR || tr__perfetto_set(r, s, TR__TEXT_ARCH, id, of)));
}

/* Entries of number, text or small number (field 2), and small number (field number). */
static bool add_entry(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__proto m, uint32_t number,
                      enum tr__interned table)
{
    uint64_t id = 0, value = UINT64_MAX;
    struct tr__span name = { NULL, 0 };
    while (tr__proto_next(&m)) {
        if (tr__proto_is(&m, 1, TR__WIRE_VARINT))
            id = m.v;
        else if (tr__proto_is(&m, 2, TR__WIRE_BYTES))
            name = (struct tr__span){ m.data, m.len };
        else if (tr__proto_is(&m, number, TR__WIRE_VARINT))
            value = m.v & INT32_MAX;
    }
    if (!id)
        return true;
    if (value != UINT64_MAX && !tr__perfetto_set(r, s, table, id, (uint32_t)value))
        return false;
    if (table != TR__OF_STAGE)
        return true;
    uint32_t text = tr__perfetto_string(r, name.data, name.len);
    return text != TR_NO_STR && tr__perfetto_set(r, s, TR__TEXT_STAGE, id, text);
}

bool tr__perfetto_gpu_entry(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__proto *entry)
{
    struct tr__proto m = tr__proto_inner(entry);
    switch (entry->field) {
    case INTERNED_CONTEXTS:
        return add_entry(r, s, m, 2, TR__OF_CONTEXT); /* pid */
    case INTERNED_STAGES:
        return add_entry(r, s, m, 4, TR__OF_STAGE); /* category */
    case INTERNED_COUNTERS:
        return tr__perfetto_gpu_counters(r, s, m);
    case INTERNED_KERNELS:
        return add_kernel(r, s, m);
    default:
        return true;
    }
}

/* Names in the old form, without interned data: their numbers are their positions. */
static bool add_old_names(struct tr__perfetto_reader *r, struct tr__proto m)
{
    uint64_t n[2] = { 0, 0 };
    bool ok = true;
    while (ok && tr__proto_next(&m)) {
        if (m.wire != TR__WIRE_BYTES || (m.field != OLD_QUEUES && m.field != OLD_STAGES))
            continue;
        unsigned which = m.field == OLD_STAGES;
        for (struct tr__proto k = tr__proto_inner(&m); ok && tr__proto_next(&k);) {
            uint32_t name = tr__proto_is(&k, 1, TR__WIRE_BYTES) ? text_of(r, &k) : TR_NO_STR;
            if (k.field == 1)
                ok = name != TR_NO_STR && (tr__numbers_set(&r->gpu_names[which], n[which], name) ||
                                           tr__perfetto_no_memory(r));
        }
        n[which]++;
    }
    return ok;
}

/* ---- args ---- */

/* Is a text a whole number?  Extra data has only texts. */
static bool is_whole(const unsigned char *p, size_t n, int64_t *v)
{
    return n && tr_num_plain((const char *)p, n, v);
}

static bool is(const unsigned char *p, size_t n, const char *word)
{
    return n == strlen(word) && !memcmp(p, word, n);
}

/* Names remain texts, although many are digits. */
static bool stays_text(struct tr__span name)
{
    static const char *const names[] = { "Process Group Name", "Process Group Description", "Collective name" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(name.data, name.len, names[i]))
            return true;
    return false;
}

/*
 * A text that is a JSON array or object, or true or false, becomes that value.  *done: it was one, and is in the event.
 * False: out of memory.
 */
static bool add_json(struct tr__perfetto_reader *r, const char *key, struct tr__span text, bool *done)
{
    bool is_bool = is(text.data, text.len, "true") || is(text.data, text.len, "false");
    struct tr_buf *out = &r->json;
    out->len = 0;
    *done = is_bool;
    if (is_bool) {
        tr_ingest_arg_bool(r->g, key, text.len == 4);
        return true;
    }
    if (!text.len || (*text.data != '[' && *text.data != '{'))
        return true;
    if (!tr_json_add_text(out, (const char *)text.data, text.len, true))
        return tr__perfetto_no_memory(r);
    *done = out->len && (*out->data == '[' || *out->data == '{'); /* else it is a text that starts so */
    if (*done)
        tr_ingest_arg_json(r->g, key, (const char *)out->data, out->len);
    return true;
}

/* Extra data: name and value.  What the event has in its own fields is not repeated. */
static bool add_extra(struct tr__perfetto_reader *r, struct work *w, struct tr__proto m)
{
    static const char *const known[] = { "device id", "stream id", "context id", "correlation" };
    struct tr__span name = { NULL, 0 }, value = { NULL, 0 };
    int64_t v;
    while (tr__proto_next(&m)) {
        if (m.field == 1)
            name = (struct tr__span){ m.data, m.len };
        else if (m.field == 2)
            value = (struct tr__span){ m.data, m.len };
    }
    bool whole = is_whole(value.data, value.len, &v) && !stays_text(name);
    for (size_t i = 0; whole && i < sizeof known / sizeof *known; i++) {
        if (!is(name.data, name.len, known[i]))
            continue;
        if (i == 0)
            w->device = v;
        else if (i == 1)
            w->stream = v;
        else if (!w->has_context && i == 2)
            w->context = (uint64_t)v;
        else if (i == 3)
            w->id = (uint64_t)v;
        return true;
    }
    w->has_arch |= is(name.data, name.len, "arch");
    if (whole && is(name.data, name.len, "graph id"))
        w->graph = v;
    if (whole && is(name.data, name.len, "graph node id"))
        w->node = v;
    struct tr_str key = tr__perfetto_str(r, tr__perfetto_string(r, name.data, name.len));
    bool done = false;
    if (key.s && !whole && !stays_text(name) && !add_json(r, key.s, value, &done))
        return false;
    if (done)
        return true;
    struct tr_str text = whole ? key : tr__perfetto_str(r, tr__perfetto_string(r, value.data, value.len));
    if (!key.s || !text.s)
        return false;
    if (whole)
        tr_ingest_arg_int(r->g, key.s, v);
    else
        tr_ingest_arg_text(r->g, key.s, text.s, text.len);
    return true;
}

static void add_triple(struct tr_ingest *g, const char *key, struct tr__proto m)
{
    uint32_t v[3] = { 1, 1, 1 };
    char text[48];
    while (tr__proto_next(&m))
        if (m.wire == TR__WIRE_VARINT && m.field >= 1 && m.field <= 3)
            v[m.field - 1] = (uint32_t)m.v;
    int n = snprintf(text, sizeof text, "[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", v[0], v[1], v[2]);
    tr_ingest_arg_json(g, key, text, (size_t)n);
}

/* The name of an arg: the name in JSON, if there is one. */
static const char *key_of(const char *name)
{
    static const char *const names[][2] = {
        { "registers_per_thread", "registers per thread" }, { "shared_mem", "shared memory" },
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i][0], name))
            return names[i][1];
    return name;
}

static bool add_launch_arg(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__proto m, uint64_t offset)
{
    struct tr__proto value = { 0 };
    uint32_t key = TR_NO_STR, text = TR_NO_STR;
    while (tr__proto_next(&m)) {
        if (tr__proto_is(&m, ARG_NAME_ID, TR__WIRE_VARINT))
            key = tr__perfetto_text_of(r, s, TR__TEXT_LAUNCH_ARG, m.v, offset);
        else if (m.field == ARG_NAME && (key = text_of(r, &m)) == TR_NO_STR)
            return false;
        else if (m.field >= ARG_INT)
            value = m;
    }
    if (key == TR_NO_STR)
        return true;
    const char *name = key_of(tr__perfetto_str(r, key).s);
    double real = tr__proto_real(&value);
    if (value.field == ARG_INT)
        tr_ingest_arg_int(r->g, name, tr__proto_int(&value));
    else if (value.field == ARG_UINT)
        tr_ingest_arg_uint(r->g, name, value.v);
    else if (value.field == ARG_DOUBLE && isfinite(real))
        tr_ingest_arg_real(r->g, name, real);
    else if (value.field == ARG_STRING && (text = text_of(r, &value)) == TR_NO_STR)
        return false;
    else if (value.field == ARG_STRING_ID)
        text = tr__perfetto_text_of(r, s, TR__TEXT_VALUE, value.v, offset);
    if (text != TR_NO_STR)
        tr_ingest_arg_text(r->g, name, tr__perfetto_str(r, text).s, tr__perfetto_str(r, text).len);
    return true;
}

static bool add_launch(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__span launch, uint64_t offset)
{
    struct tr__proto m = tr__proto_of(launch.data, launch.len);
    bool ok = true;
    while (ok && tr__proto_next(&m)) {
        if (tr__proto_is(&m, LAUNCH_GRID, TR__WIRE_BYTES))
            add_triple(r->g, "grid", tr__proto_inner(&m));
        else if (tr__proto_is(&m, LAUNCH_GROUP, TR__WIRE_BYTES))
            add_triple(r->g, "block", tr__proto_inner(&m));
        else if (tr__proto_is(&m, LAUNCH_ARG, TR__WIRE_BYTES))
            ok = add_launch_arg(r, s, tr__proto_inner(&m), offset);
    }
    return ok;
}

bool tr__perfetto_gpu_in_order(const struct tr__packet *packet)
{
    struct tr__proto m = tr__proto_of(packet->body.data, packet->body.len);
    bool counter = packet->kind == TR__FIELD_GPU_COUNTER;
    while (tr__proto_next(&m))
        if (counter ? m.field == COUNTER_NAMES
                    : m.field == WORK_OLD_QUEUE || m.field == WORK_OLD_STAGE || m.field == WORK_OLD_NAMES)
            return true;
    return false;
}

/* ---- device work ---- */

/* Set the activity by the stage. */
static void classify(struct tr__perfetto_reader *r, struct work *w)
{
    static const struct {
        const char *stage, *category;
        enum tr_activity activity;
    } stages[] = {
        { "Kernel", "kernel", TR_ACT_KERNEL },
        { "Memcpy", "gpu_memcpy", TR_ACT_MEMCPY },
        { "Memset", "gpu_memset", TR_ACT_MEMSET },
        { "Annotation", "gpu_user_annotation", TR_ACT_DEVICE_ANNOTATION },
        { "Sync", "cuda_sync", TR_ACT_SYNC },
        { "EventRecord", "graph_event_node", TR_ACT_OTHER },
        { "HostNode", "graph_host_node", TR_ACT_OTHER },
    };
    struct tr_str stage = tr__perfetto_str(r, w->stage);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        size_t n = strlen(stages[i].stage);
        if (stage.len >= n && !memcmp(stage.s, stages[i].stage, n)) {
            w->category = stages[i].category;
            w->activity = stages[i].activity;
            return;
        }
    }
    w->activity = TR_ACT_KERNEL; /* drawing also counts as a kernel */
    w->category = w->is_compute || !stage.len ? "kernel" : stage.s;
}

/* Take a field that is a number. */
static void take_number(struct tr__perfetto_reader *r, struct tr__sequence *s, uint64_t offset, struct work *w,
                        const struct tr__proto *m)
{
    switch (m->field) {
    case WORK_ID:
        w->event = w->id = m->v;
        break;
    case WORK_DURATION:
        w->dur = m->v < INT64_MAX / 2 ? (int64_t)m->v : TR_TIME_NONE;
        break;
    case WORK_CONTEXT:
        w->context = m->v;
        w->has_context = true;
        break;
    case WORK_DEVICE:
        w->device = (int32_t)(uint32_t)m->v;
        break;
    case WORK_QUEUE:
    case WORK_OLD_QUEUE:
        w->has_queue = true;
        w->queue = (int64_t)(m->v & INT64_MAX);
        w->queue_name = m->field == WORK_QUEUE ? tr__perfetto_text_of(r, s, TR__TEXT_STAGE, m->v, offset)
                                               : tr__numbers_get(&r->gpu_names[0], m->v);
        break;
    case WORK_STAGE:
        w->stage = tr__perfetto_text_of(r, s, TR__TEXT_STAGE, m->v, offset);
        w->is_compute = tr__numbers_get(&s->texts[TR__OF_STAGE], m->v) == COMPUTE;
        break;
    case WORK_OLD_STAGE:
        w->stage = tr__numbers_get(&r->gpu_names[1], m->v);
        break;
    case WORK_KERNEL:
        w->kernel = tr__perfetto_text_of(r, s, TR__TEXT_KERNEL, m->v, offset);
        w->arch = m->v ? tr__numbers_get(&s->texts[TR__TEXT_ARCH], m->v) : TR_NO_STR;
        break;
    case WORK_NAME_ID:
        w->name = tr__perfetto_str(r, tr__perfetto_text_of(r, s, TR__TEXT_NAME, m->v, offset));
        break;
    default:
        break;
    }
}

/* Does this extra data say that the work is a slice, too?  Then it is read from that. */
static bool says_copy(struct tr__proto m)
{
    static const char *const words[] = { "", TR_PERFETTO_COPY_NAME, TR_PERFETTO_COPY_VALUE };
    unsigned found = 0;
    while (tr__proto_next(&m))
        if (m.wire == TR__WIRE_BYTES && (m.field == 1 || m.field == 2) && is(m.data, m.len, words[m.field]))
            found |= m.field;
    return found == 3;
}

/* False: out of memory.  *whole: its fields are those of a message. */
static bool read_work(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__packet *packet,
                      struct work *w, bool *whole)
{
    struct tr__proto m = tr__proto_of(packet->body.data, packet->body.len);
    bool ok = true;
    *w = (struct work){ .dur = TR_TIME_NONE, .device = TR_I64_NONE, .stream = TR_I64_NONE, .graph = TR_I64_NONE,
                        .node = TR_I64_NONE, .queue_name = TR_NO_STR, .stage = TR_NO_STR, .kernel = TR_NO_STR,
                        .arch = TR_NO_STR };
    while (ok && tr__proto_next(&m)) {
        w->has_waits |= m.field == WORK_WAITED_FOR;
        if (m.wire == TR__WIRE_VARINT)
            take_number(r, s, packet->offset, w, &m);
        else if (tr__proto_is(&m, WORK_NAME, TR__WIRE_BYTES))
            ok = (w->name = tr__perfetto_str(r, text_of(r, &m))).s != NULL;
        else if (tr__proto_is(&m, WORK_EXTRA, TR__WIRE_BYTES) && m.len < MAX_COPY)
            w->is_copy |= says_copy(tr__proto_inner(&m));
        else if (m.field == WORK_LAUNCH)
            w->launch = (struct tr__span){ m.data, m.len };
        else if (m.field == WORK_OLD_NAMES)
            ok = add_old_names(r, tr__proto_inner(&m));
    }
    *whole = !m.bad;
    return ok;
}

/* The number in the name of the queue, else the number of the queue. */
static int64_t stream_of(struct tr__perfetto_reader *r, const struct work *w)
{
    struct tr_str name = tr__perfetto_str(r, w->queue_name);
    uint64_t v;
    size_t i = name.len;
    while (i > 0 && name.s[i - 1] >= '0' && name.s[i - 1] <= '9')
        i--;
    if (w->stream != TR_I64_NONE)
        return w->stream;
    if (i < name.len && tr_num_digits(name.s + i, name.len - i, INT64_MAX, &v, NULL))
        return (int64_t)v;
    return w->has_queue ? w->queue : TR_I64_NONE;
}

struct tr__queue *tr__perfetto_queue(struct tr__perfetto_reader *r, uint64_t key, bool *is_new)
{
    uint32_t at = tr__numbers_get(&r->queues, key);
    *is_new = at == UINT32_MAX;
    if (*is_new) {
        at = (uint32_t)r->n_queues;
        if (!tr_grow(&r->queue, &r->cap_queues, r->n_queues + 1, sizeof *r->queue) ||
            !tr__numbers_set(&r->queues, key, at)) {
            tr__perfetto_no_memory(r);
            return NULL;
        }
        r->queue[r->n_queues++] = (struct tr__queue){ .key = key, .name = TR_NO_STR, .first = TR_TIME_NONE,
                                                      .end = TR_TIME_NONE };
    }
    return &r->queue[at];
}

void tr__perfetto_name_queue(struct tr__perfetto_reader *r, const struct tr__queue *q)
{
    struct tr_str name = tr__perfetto_str(r, q->name);
    if (name.len)
        tr_ingest_thread_of(r->g, &q->at, name.s, name.len, TR_I64_NONE);
}

static struct tr_ingest_track place_of(const struct work *w)
{
    struct tr_ingest_track at = TR_INGEST_TRACK_INIT;
    at.side = TR_SIDE_DEVICE;
    at.pid = at.device = w->device;
    at.stream = at.tid = w->stream;
    at.context = w->context <= INT64_MAX && w->context ? (int64_t)w->context : TR_I64_NONE;
    return at;
}

/* Note its queue, and whether it starts at the end of the previous work of that queue.  False: out of memory. */
static bool note_queue(struct tr__perfetto_reader *r, const struct work *w, int64_t ts)
{
    bool is_new;
    struct tr__queue *q = tr__perfetto_queue(r, (uint64_t)w->device << 48 ^ (uint64_t)w->stream, &is_new);
    if (!q)
        return false;
    if (is_new) {
        q->at = place_of(w);
        q->name = w->stream == TR_I64_NONE ? TR_NO_STR : w->queue_name;
        if (r->role == TR__ALONE)
            tr__perfetto_name_queue(r, q);
    }
    if (w->dur <= 0 || !tr_is_device_work(w->activity))
        return true;
    r->n_work++;
    r->n_met_work += q->end == ts;
    q->first = q->first == TR_TIME_NONE ? ts : q->first;
    q->end = ts <= INT64_MAX - w->dur ? ts + w->dur : TR_TIME_NONE;
    return true;
}

/* Numbers of the events that it had to wait for. */
static bool add_waits(struct tr__perfetto_reader *r, struct tr__proto m)
{
    struct tr_json_doc doc = { .out = &r->json };
    r->json.len = 0;
    bool ok = tr_json_doc_open(&doc, '[');
    while (ok && tr__proto_next(&m)) {
        const unsigned char *p = NULL;
        if (m.field == WORK_WAITED_FOR)
            for (uint64_t v; ok && tr__proto_element(&m, &p, TR__WIRE_VARINT, &v);)
                ok = tr_json_doc_u64(&doc, v);
    }
    if (!ok || !tr_json_doc_close(&doc))
        return tr__perfetto_no_memory(r);
    tr_ingest_arg_json(r->g, "event wait ids", (const char *)r->json.data, r->json.len);
    return true;
}

static bool add_args(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__packet *packet,
                     struct work *w)
{
    struct tr__proto m = tr__proto_of(packet->body.data, packet->body.len);
    bool ok = true;
    while (ok && tr__proto_next(&m))
        if (tr__proto_is(&m, WORK_EXTRA, TR__WIRE_BYTES))
            ok = add_extra(r, w, tr__proto_inner(&m));
    if (w->device == TR_I64_NONE)
        w->device = 0;
    w->stream = stream_of(r, w);
    tr_ingest_arg_int(r->g, "device", w->device);
    if (w->has_context || w->context)
        tr_ingest_arg_uint(r->g, "context", w->context);
    if (w->stream != TR_I64_NONE)
        tr_ingest_arg_int(r->g, "stream", w->stream);
    if (w->id)
        tr_ingest_arg_uint(r->g, "correlation", w->id);
    if (w->event != w->id)
        tr_ingest_arg_uint(r->g, "event id", w->event);
    struct tr_str arch = tr__perfetto_str(r, w->arch);
    if (arch.len && !w->has_arch)
        tr_ingest_arg_text(r->g, "arch", arch.s, arch.len);
    if (w->has_waits && !add_waits(r, tr__proto_of(packet->body.data, packet->body.len)))
        return false;
    return ok && add_launch(r, s, w->launch, packet->offset);
}

enum tr_status tr__perfetto_gpu_work(struct tr__perfetto_reader *r, struct tr__sequence *s,
                                     const struct tr__packet *packet)
{
    struct work w;
    int64_t ts;
    bool whole;
    if (!read_work(r, s, packet, &w, &whole))
        return TR_SYSTEM;
    if (whole && !w.id && !w.has_queue && w.stage == TR_NO_STR)
        return TR_OK; /* only names */
    if (whole && w.is_copy)
        return TR_OK;
    if (!whole || !tr__perfetto_time(r, packet, &ts))
        return TR_END;
    classify(r, &w);
    if (!w.name.s)
        w.name = tr__perfetto_str(r, w.kernel == TR_NO_STR ? w.stage : w.kernel);
    tr_ingest_begin(r->g, w.dur == TR_TIME_NONE ? TR_INSTANT : TR_SPAN, ts, w.dur);
    tr_ingest_record(r->g, r->n_events++);
    if (w.name.s)
        tr_ingest_name(r->g, w.name.s, w.name.len);
    tr_ingest_category(r->g, w.category, strlen(w.category));
    tr_ingest_activity(r->g, w.dur == TR_TIME_NONE ? TR_ACT_OTHER : w.activity);
    if (!add_args(r, s, packet, &w) || !note_queue(r, &w, ts))
        return TR_SYSTEM;
    struct tr_ingest_track at = place_of(&w);
    tr_ingest_track(r->g, &at);
    if (w.graph != TR_I64_NONE || w.node != TR_I64_NONE)
        tr_ingest_graph(r->g, w.graph, w.node);
    if (w.id && w.id <= INT64_MAX)
        tr_ingest_correlate(r->g, TR_LINK_SOURCE, (int64_t)w.id);
    return tr_ingest_end(r->g, r->err);
}
