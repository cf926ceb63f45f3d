/* SPDX-License-Identifier: MIT */
/* What targets share that read a text as a trace: the text as a file, and the trace as a stream of bytes. */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include "formats/tr_open.h"
#include "stream/format/tr_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void must_be(bool good, int line)
{
    if (good)
        return;
    fprintf(stderr, "what must hold does not: line %d\n", line);
    abort();
}
#define must(good) must_be(good, __LINE__)

#define BATCH 64 /* events: large batches take time and show nothing more */

static char text_name[200]; /* of the file that text_file uses */

static inline void remove_text(void)
{
    unlink(text_name);
}

/* The name of a file that holds the text; always the same file, removed when the program ends. */
static inline const char *text_file(const uint8_t *data, size_t size)
{
    static FILE *f;
    if (!f) {
        const char *dir = getenv("TMPDIR");
        snprintf(text_name, sizeof text_name, "%s/tr-fuzz.XXXXXX", dir && *dir ? dir : "/tmp");
        int fd = mkstemp(text_name);
        must(fd >= 0 && (f = fdopen(fd, "w")) != NULL && atexit(remove_text) == 0);
    }
    rewind(f);
    must(ftruncate(fileno(f), 0) == 0);
    must(fwrite(data, 1, size, f) == size && fflush(f) == 0);
    return text_name;
}

static inline enum tr_status add_to_buf(void *ctx, const void *p, size_t n, struct tr_error *err)
{
    (void)err;
    must(tr_buf_add(ctx, p, n));
    return TR_OK;
}

/* Write what an input gives; the stream's bytes say all that there is to know of it. */
static inline enum tr_status stream_of(struct tr_input *in, struct tr_buf *out,
                                       struct tr_error *err)
{
    const struct tr_sink sink = { add_to_buf, out };
    const struct tr_batch *b;
    struct tr_writer *w;
    must(tr_writer_new(&w, &sink, NULL, err) == TR_OK);
    tr_writer_tables(w, in->tables);
    enum tr_status st = tr_writer_start(w, in->dict, in->summary, NULL, in->sorted, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK)
        st = tr_writer_batch(w, b, err);
    if (st == TR_END)
        return tr_writer_finish(w, err);
    tr_writer_abandon(w);
    return st;
}

/* Read the file with these options into out; TR_OK, or why not. */
static inline enum tr_status read_trace(const char *path, const struct tr_open_opts *o, struct tr_buf *out,
                                        bool *fixed)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in;
    out->len = 0;
    enum tr_status st = tr_open(&in, path, o, &err);
    if (st == TR_OK) {
        st = stream_of(in, out, &err);
        for (size_t i = 0; i < in->summary->n; i++)
            *fixed |= in->summary->sources[i].n_damage > 0;
        tr_input_close(in);
    }
    must(st == TR_OK || (st == TR_DAMAGED && err.what[0]));
    return st;
}

/*
 * The stream is whole, and reading it changes nothing.  The first copy may differ from it: batches of BATCH events end
 * blocks where a reader of the stream does not.  The copy of the copy is equal.
 */
static inline void read_back(struct tr_buf *stream, struct tr_buf *other)
{
    const struct tr_open_opts o = TR_OPEN_OPTS_INIT;
    bool ignored = false;
    must(read_trace(text_file(stream->data, stream->len), &o, other, &ignored) == TR_OK);
    must(read_trace(text_file(other->data, other->len), &o, stream, &ignored) == TR_OK);
    must(other->len == stream->len && !memcmp(other->data, stream->data, other->len));
}

#endif
