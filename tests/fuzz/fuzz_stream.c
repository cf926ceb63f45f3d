/* SPDX-License-Identifier: MIT */
/*
 * Decode anything, and write again what decodes: the reader must not crash, hang or take memory out
 * of proportion, and a stream that it calls whole must come back equal from a writer.
 *
 * With -DTR_FUZZER this is a target for libFuzzer (clang -fsanitize=fuzzer).  Without, a program
 * that replays files:
 *
 *     fuzz_stream [FILE...]
 *
 * and, without files, the samples of the format with some thousand random changes, the same at
 * every run.
 */
#include "../spec/spec_make.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static enum tr_status text_of(const void *data, size_t len, struct tr_buf *text)
{
    struct memory_source source = { .data = data, .len = len };
    struct tr_error err = TR_ERROR_INIT;
    enum tr_status st = read_text(&source, text, &err);
    NEED(st == TR_END || st == TR_DAMAGED);
    return st;
}

/* Read a stream and write it, batch by batch. */
static enum tr_status copy_stream(const void *data, size_t len, const struct tr_writer_opts *o,
                                  struct tr_buf *out)
{
    struct memory_source source = { .data = data, .len = len };
    struct tr_stream_bytes from = { read_memory, NULL, &source };
    struct tr_sink sink = { sink_to_buf, out };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in;
    struct tr_writer *w;
    const struct tr_batch *b;
    NEED(tr_writer_new(&w, &sink, o, &err) == TR_OK);
    enum tr_status st = tr_reader_open(&in, &from, "fuzz", &err);
    if (st != TR_OK) {
        tr_writer_abandon(w);
        return st;
    }
    tr_writer_tables(w, in->tables);
    st = tr_writer_begin(w, in->dict, in->summary, in->provenance, in->sorted, &err);
    NEED(st == TR_OK);
    while ((st = tr_input_next(in, &b, &err)) == TR_OK)
        NEED(tr_writer_batch(w, b, &err) == TR_OK);
    if (st == TR_END)
        NEED(tr_writer_finish(w, &err) == TR_OK);
    else
        tr_writer_abandon(w);
    tr_input_close(in);
    return st;
}

static void one(const void *data, size_t len)
{
    static const struct tr_writer_opts opts[] = { { TR_CODEC_NONE, 0, 1, 7 },
                                                  { TR_CODEC_LZ4, 0, 1, 0 } };
    struct tr_buf before = { NULL, 0, 0 };
    if (text_of(data, len, &before) == TR_END)
        for (size_t i = 0; i < 2; i++) {
            struct tr_buf copy = { NULL, 0, 0 }, after = { NULL, 0, 0 };
            NEED(copy_stream(data, len, &opts[i], &copy) == TR_END);
            NEED(text_of(copy.data, copy.len, &after) == TR_END);
            NEED(same_bytes(&before, &after));
            tr_buf_free(&copy);
            tr_buf_free(&after);
        }
    tr_buf_free(&before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    unsigned char *copy = calloc(len + 1, 1);
    NEED(copy);
    if (len)
        memcpy(copy, data, len);
    one(copy, len);
    repair(copy, len); /* else nothing but checksums would ever be tested */
    one(copy, len);
    free(copy);
    return 0;
}

#ifndef TR_FUZZER
static void replay(const char *path)
{
    struct tr_buf b = { NULL, 0, 0 };
    unsigned char piece[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    NEED(f);
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        NEED(tr_buf_add(&b, piece, n));
    fclose(f);
    LLVMFuzzerTestOneInput(b.data, b.len);
    tr_buf_free(&b);
}

static void mutate(struct tr_buf *b, struct rng *r)
{
    for (uint64_t k = rng_below(r, 4); k > 0 && b->len; k--) {
        size_t at = rng_below(r, b->len), n = rng_below(r, 9), from = rng_below(r, b->len);
        switch (rng_below(r, 4)) {
        case 0:
            b->data[at] = (unsigned char)rng_next(r);
            break;
        case 1: /* a number of four bytes, where sizes and counts stand */
            if (b->len - at >= 4)
                tr__put32(b->data + at, (uint32_t)rng_value(r));
            break;
        case 2: /* bytes from elsewhere */
            if (n > b->len - at || n > b->len - from)
                break;
            memmove(b->data + at, b->data + from, n);
            break;
        default:
            b->len -= rng_below(r, 50) ? 0 : rng_below(r, b->len);
        }
    }
}

int main(int argc, char **argv)
{
    struct tap t = { 0, 0 };
    struct rng r = { 1 };
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    for (size_t i = 0; argc == 1 && i < sizeof spec_samples / sizeof *spec_samples; i++) {
        size_t rounds = !spec_samples[i].make ? 0 : spec_samples[i].good ? 600 : 20; /* some are files alone */
        for (size_t k = 0; k < rounds; k++) {
            struct tr_buf b = { NULL, 0, 0 };
            spec_samples[i].make(&b);
            mutate(&b, &r);
            LLVMFuzzerTestOneInput(b.data, b.len);
            tr_buf_free(&b);
        }
    }
    tap_ok(&t, true, "whatever was read was refused, or came back equal"); /* else: Bail out! */
    return tap_end(&t);
}
#endif
