/* SPDX-License-Identifier: MIT */
/* Device work as render stages, which viewers of Perfetto show in a place of their own for GPUs. */
#include "formats/perfetto/tr_perfetto_int.h"

#include <inttypes.h>
#include <stdio.h>

/* GpuRenderStageEvent, its extra data, and the entries that name queues and stages. */
enum { WORK_ID = 1, WORK_DURATION = 2, WORK_EXTRA = 6, WORK_DEVICE = 11, WORK_QUEUE = 13, WORK_STAGE = 14,
       WORK_NAME_ID = 20 };
enum { EXTRA_NAME = 1, EXTRA_VALUE = 2 };
enum { ENTRY_ID = 1, ENTRY_NAME = 2, ENTRY_CATEGORY = 4 };
enum { CATEGORY_COMPUTE = 2 };
enum { STAGE_KERNEL = 1, STAGE_COPY, STAGE_MEMSET, FIRST_QUEUE }; /* numbers of stages and queues are of one table */

static bool intern(struct tr_perfetto_writer *w, uint64_t id, const void *name, size_t len, uint64_t category)
{
    w->entry.len = 0;
    return tr__proto_u64(&w->entry, ENTRY_ID, id) && tr__proto_bytes(&w->entry, ENTRY_NAME, name, len) &&
           (!category || tr__proto_u64(&w->entry, ENTRY_CATEGORY, category)) &&
           tr__perfetto_intern_entry(w, TR__INTERNED_STAGE);
}

/* The names of the stages, before the first one. */
static bool intern_stages(struct tr_perfetto_writer *w)
{
    return intern(w, STAGE_KERNEL, "Kernel", 6, CATEGORY_COMPUTE) && intern(w, STAGE_COPY, "Memcpy", 6, 0) &&
           intern(w, STAGE_MEMSET, "Memset", 6, 0);
}

/* The name of the queue of a stream, before its first work: "rank 3: device 0 stream 7". */
static bool intern_queue(struct tr_perfetto_writer *w, const struct tr_track *at, uint64_t id)
{
    struct tr_buf *name = &w->tracks.name;
    char text[64] = "device";
    name->len = 0;
    if (w->tracks.several &&
        (!tr_viewer_source_name(w->tracks.viewer, at->source, name) || !tr_buf_add_str(name, ": ")))
        return false;
    int n = at->device == TR_I64_NONE ? 6 : snprintf(text, sizeof text, "device %" PRId64, at->device);
    if (at->stream != TR_I64_NONE)
        snprintf(text + n, sizeof text - (size_t)n, " stream %" PRId64, at->stream);
    return tr_buf_add_str(name, text) && intern(w, id, name->data, name->len, 0);
}

static unsigned stage_of(enum tr_activity activity)
{
    return activity == TR_ACT_KERNEL ? STAGE_KERNEL : activity == TR_ACT_MEMSET ? STAGE_MEMSET : STAGE_COPY;
}

bool tr__perfetto_stage(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, struct tr_buf *out)
{
    uint32_t thread = tr__perfetto_thread(&w->tracks, e->track);
    if (thread == UINT32_MAX)
        return false;
    const struct tr_track *at = &w->dict->tracks[e->track];
    struct tr__perfetto_thread *th = &w->tracks.threads[thread];
    uint64_t queue = FIRST_QUEUE + (uint64_t)thread;
    if ((!w->n_stages && !intern_stages(w)) || (!th->is_queue && !intern_queue(w, at, queue)))
        return false;
    th->is_queue = true;
    w->event.len = w->annotation.len = 0;
    return tr__proto_u64(&w->event, WORK_ID, ++w->n_stages) &&
           tr__proto_u64(&w->event, WORK_DURATION, (uint64_t)e->b->dur[e->i]) &&
           (at->device < 0 || at->device > INT32_MAX || tr__proto_u64(&w->event, WORK_DEVICE, (uint64_t)at->device)) &&
           tr__proto_u64(&w->event, WORK_QUEUE, queue) &&
           tr__proto_u64(&w->event, WORK_STAGE, stage_of((enum tr_activity)e->b->activity[e->i])) &&
           tr__perfetto_interned(w, WORK_NAME_ID, TR__INTERNED_NAME, e->name) &&
           tr__proto_bytes(&w->annotation, EXTRA_NAME, TR_PERFETTO_COPY_NAME, strlen(TR_PERFETTO_COPY_NAME)) &&
           tr__proto_bytes(&w->annotation, EXTRA_VALUE, TR_PERFETTO_COPY_VALUE, strlen(TR_PERFETTO_COPY_VALUE)) &&
           tr__proto_message(&w->event, WORK_EXTRA, &w->annotation) &&
           tr__perfetto_put_as(w, TR__PACKET_STAGE, e->ts, out);
}
