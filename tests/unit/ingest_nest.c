/* SPDX-License-Identifier: MIT */
/* tr_ingest_nested: starts and ends that are joined as they come give the stream that sorting them first gives. */
#include "ingest_emit.h"

#include <limits.h>

#define N_PLACES 5u
#define N_ROUNDS 60000 /* some pieces of rows, so that starts stay open from one to the next */

static bool nested; /* are they emitted as nested? */

static uint64_t draw(uint64_t *state, uint64_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % n;
}

static struct tr_ingest_track place(unsigned k)
{
    return k == 0 ? host(1, 9) : k == 1 ? host_text("p", "t") : k == 2 ? host(1, 10) : k == 3 ? device(1, 0, 7) : host(2, 9);
}

/* Place 0 has picoseconds later on.  Of place 2 some ends have a name or an arg; place 4 has ends too many. */
static void emit_end(struct tr_ingest *g, uint64_t record, int64_t ts, unsigned k, uint64_t *state)
{
    struct tr_ingest_track at = place(k);
    tr_ingest_begin(g, TR_SPAN_END, ts, TR_TIME_NONE);
    tr_ingest_record(g, record);
    tr_ingest_track(g, &at);
    if (k == 2 && record > 2000 && draw(state, 10) == 0)
        tr_ingest_name(g, TEXT("span 3"));
    if (k == 2 && record > 1000 && draw(state, 10) == 0)
        tr_ingest_arg_int(g, "out", (int64_t)record);
}

static void emit_start(struct tr_ingest *g, uint64_t record, int64_t ts, unsigned k, uint64_t *state)
{
    char name[16], text[32];
    snprintf(name, sizeof name, "span %u", (unsigned)draw(state, 9));
    snprintf(text, sizeof text, "text %u", (unsigned)draw(state, 99));
    enum tr_activity activity = k == 3 ? TR_ACT_KERNEL : draw(state, 2) ? TR_ACT_RUNTIME_API : TR_ACT_CPU_OP;
    event(g, record, TR_BEGIN, activity, ts, TR_TIME_NONE, name, place(k));
    if (k != 2 && draw(state, 2))
        tr_ingest_correlate(g, TR_LINK_SOURCE, 1 + (int64_t)(record / 20));
    if (k == 0 && record > 30000 && draw(state, 2))
        tr_ingest_picoseconds(g, 500, 0);
    if (k == 3)
        tr_ingest_graph(g, 1, (int64_t)draw(state, 5));
    tr_ingest_arg_text(g, "text", TEXT(text));
    if (draw(state, 2))
        tr_ingest_arg_int(g, "number", (int64_t)record);
}

static enum tr_status emit_spans(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    uint64_t state = 7;
    unsigned depth[N_PLACES] = { 0 };
    int64_t ts = 1000;
    for (uint64_t i = 0; i < N_ROUNDS; i++) {
        unsigned k = (unsigned)draw(&state, N_PLACES);
        ts += (int64_t)draw(&state, 3); /* often at one time */
        bool starts = depth[k] == 0 ? k != 4 || draw(&state, 20) : depth[k] < 30 && draw(&state, 2);
        if (starts)
            emit_start(g, i, ts, k, &state);
        else
            emit_end(g, i, ts, k, &state);
        depth[k] += starts ? 1 : depth[k] ? UINT_MAX : 0;
        if (nested)
            tr_ingest_nested(g, k);
        end(g);
    }
    return TR_END;
}

static void stream_of(struct tr_buf *bytes, bool no_sort)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_sink sink = { sink_to_buf, bytes };
    const struct tr_batch *b;
    struct tr_writer *w;
    struct tr_input *in;
    enum tr_status st;
    opts.no_sort = no_sort;
    NEED(open_emitted(&in, emit_spans, &opts, &err) == TR_OK && tr_writer_new(&w, &sink, NULL, &err) == TR_OK);
    NEED(tr_writer_start(w, in->dict, in->summary, NULL, in->sorted, &err) == TR_OK);
    while ((st = tr_input_next(in, &b, &err)) == TR_OK)
        NEED(tr_writer_batch(w, b, &err) == TR_OK);
    NEED(st == TR_END && tr_writer_finish(w, &err) == TR_OK);
    tr_input_close(in);
}

static void test_same(struct tap *t, bool no_sort)
{
    struct tr_buf as_they_come = { 0 }, sorted_first = { 0 };
    nested = true;
    stream_of(&as_they_come, no_sort);
    nested = false;
    stream_of(&sorted_first, no_sort);
    tap_ok(t, as_they_come.len == sorted_first.len && as_they_come.len > 100000 &&
              !memcmp(as_they_come.data, sorted_first.data, as_they_come.len),
           "joined as they come: the same stream%s", no_sort ? ", unsorted" : "");
    tr_buf_free(&as_they_come);
    tr_buf_free(&sorted_first);
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_same(&t, false);
    test_same(&t, true);
    return tap_end(&t);
}
