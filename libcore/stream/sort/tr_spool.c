/* SPDX-License-Identifier: MIT */
/* A temporary copy of an input, for reading it again. */
#include "stream/sort/tr_spool.h"

#include "io/tr_temp.h"
#include "stream/format/tr_reader.h"
#include "stream/format/tr_writer.h"

#include <stdlib.h>
#include <string.h>

/* Fewer events are not packed: that takes longer than writing and reading them. */
#define PLAIN_EVENTS ((uint64_t)1 << 20)

struct tr_spool {
    struct tr_temp *temp;
    struct tr_writer *writer; /* NULL after the end */
    uint64_t at;              /* of the reading in progress */
    struct tr_spill *spill;   /* of the input's strings, and then of the copy's */
    char name[sizeof((struct tr_input *)0)->name];
};

static enum tr_status append(void *ctx, const void *buf, size_t len, struct tr_error *err)
{
    struct tr_spool *s = ctx;
    return tr_temp_write(s->temp, buf, len, err);
}

static enum tr_status fetch(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    struct tr_spool *s = ctx;
    uint64_t left = tr_temp_size(s->temp) - s->at;
    *got = left < cap ? (size_t)left : cap;
    enum tr_status st = *got ? tr_temp_read_at(s->temp, buf, *got, s->at, err) : TR_OK;
    s->at += *got;
    return st;
}

enum tr_status tr_spool_new(struct tr_spool **out, const struct tr_input *in, const char *dir,
                            unsigned n_threads, struct tr_error *err)
{
    uint64_t events = in->sorted ? tr_summary_events(in->summary) : 0;
    const struct tr_writer_opts opts = { .codec = events && events <= PLAIN_EVENTS ? TR_CODEC_NONE : TR_CODEC_LZ4,
                                         .n_threads = n_threads };
    struct tr_spool *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return tr_fail_memory(err);
    memcpy(s->name, in->name, sizeof s->name);
    s->spill = tr_strtab_spill(in->dict->strings);
    const struct tr_sink sink = { append, s };
    enum tr_status st = tr_temp_open(&s->temp, dir, err);
    if (st == TR_OK)
        st = tr_writer_new(&s->writer, &sink, &opts, err);
    if (st == TR_OK) {
        tr_writer_tables(s->writer, in->tables);
        st = tr_writer_start(s->writer, in->dict, in->summary, in->provenance, in->sorted, err);
    }
    if (st != TR_OK) {
        tr_spool_free(s);
        return st;
    }
    *out = s;
    return TR_OK;
}

void tr_spool_free(struct tr_spool *s)
{
    if (!s)
        return;
    tr_writer_abandon(s->writer);
    tr_temp_free(s->temp);
    free(s);
}

enum tr_status tr_spool_add(struct tr_spool *s, const struct tr_batch *b, struct tr_error *err)
{
    return tr_writer_batch(s->writer, b, err);
}

enum tr_status tr_spool_end(struct tr_spool *s, struct tr_error *err)
{
    enum tr_status st = tr_writer_finish(s->writer, err);
    s->writer = NULL;
    return st == TR_OK ? tr_temp_flush(s->temp, err) : st;
}

enum tr_status tr_spool_input(struct tr_spool *s, struct tr_input **in, struct tr_error *err)
{
    const struct tr_stream_bytes from = { fetch, NULL, s, NULL };
    const struct tr_reader_room room = { .spill = s->spill };
    s->at = 0;
    return tr_reader_open_within(in, &from, s->name, &room, err);
}
