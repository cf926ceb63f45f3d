/* SPDX-License-Identifier: MIT */
/* Shared by the tests of the builder: events in few words, and a source that consists of what is emitted. */
#ifndef INGEST_EMIT_H
#define INGEST_EMIT_H

#include "stream_make.h"

#include "ingest/tr_ingest.h"

#define TEXT(s) (s), strlen(s)

static inline struct tr_ingest_track host(int64_t pid, int64_t tid)
{
    struct tr_ingest_track t = TR_INGEST_TRACK_INIT;
    t.pid = pid;
    t.tid = tid;
    return t;
}

static inline struct tr_ingest_track host_text(const char *pid, const char *tid)
{
    struct tr_ingest_track t = TR_INGEST_TRACK_INIT;
    t.pid_text = pid;
    t.pid_len = strlen(pid);
    t.tid_text = tid;
    t.tid_len = strlen(tid);
    return t;
}

static inline struct tr_ingest_track device(int64_t pid, int64_t context, int64_t stream)
{
    struct tr_ingest_track t = host(pid, stream);
    t.side = TR_SIDE_DEVICE;
    t.device = 0;
    t.context = context;
    t.stream = stream;
    return t;
}

static inline void event(struct tr_ingest *g, uint64_t record, enum tr_phase phase, enum tr_activity activity, int64_t ts,
                         int64_t dur, const char *name, struct tr_ingest_track track)
{
    tr_ingest_begin(g, phase, ts, dur);
    tr_ingest_record(g, record);
    tr_ingest_name(g, name, strlen(name));
    tr_ingest_activity(g, activity);
    tr_ingest_track(g, &track);
}

static inline void end(struct tr_ingest *g)
{
    struct tr_error err = TR_ERROR_INIT;
    NEED(tr_ingest_end(g, &err) == TR_OK);
}

/* A launch at ts by this track, and a kernel 100 ns later, without the key that joins them. */
static inline void launch(struct tr_ingest *g, uint64_t record, int64_t ts, struct tr_ingest_track track)
{
    event(g, record, TR_SPAN, TR_ACT_RUNTIME_API, ts, 20, "launch", track);
}

static inline void kernel(struct tr_ingest *g, uint64_t record, int64_t ts, struct tr_ingest_track track)
{
    event(g, record, TR_SPAN, TR_ACT_KERNEL, ts, 30, "kernel", track);
}

static inline enum tr_status no_bytes(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    (void)ctx;
    (void)buf;
    (void)cap;
    (void)got;
    (void)err;
    return TR_END;
}

static inline enum tr_status open_emitted(struct tr_input **out,
                                          enum tr_status (*read)(void *, struct tr_ingest *, struct tr_error *),
                                          const struct tr_open_opts *opts, struct tr_error *err)
{
    static struct tr_ingest_reader reader = { .format = "told" };
    const struct tr_ingest_bytes bytes = { .read = no_bytes, .name = "told.trace" };
    reader.read = read;
    return tr_ingest_open(out, &reader, NULL, &bytes, opts, err);
}

#endif
