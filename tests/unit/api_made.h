/* SPDX-License-Identifier: MIT */
/* A small trace that the tests of the public interface make themselves, by its header alone. */
#ifndef API_MADE_H
#define API_MADE_H

#include "tracepipe.h"

#include "harness/tap.h"

/* Two steps on the host, and in each a launch with its kernel. */
struct made {
    int at;
    bool closed;
};

static inline void emit_event(struct tr_ingest *g, int step, int what)
{
    int64_t ts = 1000 * step + 100 * what;
    tr_ingest_begin(g, TR_SPAN, ts, what == 0 ? 900 : 50 * step);
    tr_ingest_record(g, (uint64_t)(3 * step + what));
    tr_ingest_on_thread(g, 7, 8);
    if (what == 0) {
        tr_ingest_name(g, "ProfilerStep", 12);
        tr_ingest_activity(g, TR_ACT_ANNOTATION);
        tr_ingest_step(g, step);
    } else if (what == 1) {
        tr_ingest_name(g, "launch", 6);
        tr_ingest_activity(g, TR_ACT_RUNTIME_API);
        tr_ingest_correlate(g, TR_LINK_SOURCE, step);
    } else {
        tr_ingest_name(g, step == 1 ? "first" : "second", step == 1 ? 5 : 6);
        tr_ingest_activity(g, TR_ACT_KERNEL);
        tr_ingest_on_stream(g, 7, 2, 1, 5);
        tr_ingest_correlate(g, TR_LINK_SOURCE, step);
        tr_ingest_arg_int(g, "grid", 64 * step);
        tr_ingest_arg_real(g, "share", 0.5);
        tr_ingest_arg_text(g, "kind", "tile", 4);
    }
}

static inline enum tr_status read_made(void *state, struct tr_ingest *g, struct tr_error *err)
{
    struct made *m = state;
    if (m->at == 0) {
        tr_ingest_rank(g, 4);
        tr_ingest_host(g, "node", 4);
        tr_ingest_thread(g, 7, 8, "main", 4, TR_TIME_NONE);
        tr_ingest_damage(g, "odd_thing", "something odd, kept as it is", false, 12);
    }
    if (m->at == 6)
        return TR_END;
    emit_event(g, 1 + m->at / 3, m->at % 3);
    m->at++;
    return tr_ingest_end(g, err);
}

static inline void close_made(void *state)
{
    struct made *m = state;
    m->closed = true;
}

static inline struct tr_trace *make_unread(struct made *m, const struct tr_trace_options *options)
{
    const struct tr_format_def format = { .size = sizeof format, .name = "made", .read = read_made,
                                          .close = close_made, .ctx = m };
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    char text[1400];
    *m = (struct made){ 0, false };
    enum tr_status st = tr_trace_make(&t, "made here", &format, options, err);
    CHECK_STR(tr_error_text(err, text, sizeof text), "");
    CHECK(st == TR_OK && t);
    tr_error_free(err);
    return t;
}

static inline struct tr_trace *make(struct made *m, const struct tr_trace_options *options)
{
    struct tr_trace *t = make_unread(m, options);
    CHECK(m->at == 6); /* sorting needs them all */
    return t;
}

/* Records of what is left, as a text. */
static inline const char *chosen(struct tr_trace *t)
{
    static char text[200];
    struct tr_error *err = tr_error_new();
    const struct tr_batch *b;
    size_t at = 0;
    enum tr_status st;
    text[0] = '\0';
    while ((st = tr_trace_next(t, &b, err)) == TR_OK)
        for (size_t i = 0; i < tr_batch_count(b); i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%d", at ? " " : "", (int)tr_batch_record(b)[i]);
    CHECK(st == TR_END);
    tr_error_free(err);
    return text;
}

static inline void put_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static inline struct tr_trace *open_one(const char *path, const struct tr_trace_options *options)
{
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    char text[1400];
    CHECK(tr_trace_open(&t, &path, 1, options, err) == TR_OK);
    CHECK_STR(tr_error_text(err, text, sizeof text), "");
    tr_error_free(err);
    return t;
}

#endif
