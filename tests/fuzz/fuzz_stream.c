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
    struct tr_stream_bytes from = { read_memory, NULL, &source, NULL };
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
    st = tr_writer_start(w, in->dict, in->summary, in->provenance, in->sorted, &err);
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

#ifdef TR_FUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/* The number of blocks before the index, if the bytes are blocks that end with an index and a trailer; else 0.  *at:
 * where the block of this number starts. */
static size_t count_blocks(const uint8_t *data, size_t size, size_t number, size_t *at)
{
    size_t n = 0, stored;
    bool index = false;
    for (size_t i = TR_PREAMBLE_BYTES; i < size && size - i >= TR_BLOCK_BYTES; i += TR_BLOCK_BYTES + stored) {
        unsigned type = tr__get16(data + i);
        stored = tr__get32(data + i + 8);
        if (stored > size - i - TR_BLOCK_BYTES || (index && type != TR_BLOCK_TRAILER))
            return 0;
        if (type == TR_BLOCK_TRAILER)
            return index && stored >= 32 ? n : 0;
        index = type == TR_BLOCK_INDEX;
        if (!index && n++ == number)
            *at = i;
    }
    return 0;
}

/* Bytes of one block change, and its size; sizes, checksums, index and trailer then agree with them.  Where there are
 * no such blocks, or once in 8 times: any bytes change, and the checksums are fixed. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    size_t at = 0, n_blocks = seed % 8 ? count_blocks(data, size, 0, &at) : 0;
    if (n_blocks)
        count_blocks(data, size, seed / 8 % n_blocks, &at);
    if (!n_blocks) {
        size = LLVMFuzzerMutate(data, size, max);
        repair(data, size);
        return size;
    }
    size_t start = at + TR_BLOCK_BYTES, stored = tr__get32(data + at + 8), end = start + stored;
    size_t room = stored + 64;
    uint8_t *payload = calloc(room, 1);
    struct tr_buf b = { NULL, 0, 0 };
    NEED(payload);
    memcpy(payload, data + start, stored);
    size_t n = LLVMFuzzerMutate(payload, stored, room);
    NEED(tr_buf_add(&b, data, start) && tr_buf_add(&b, payload, n) && tr_buf_add(&b, data + end, size - end));
    tr__put32(b.data + at + 8, (uint32_t)n);
    if (n != stored && tr__get32(b.data + at + 12) == stored) /* not compressed */
        tr__put32(b.data + at + 12, (uint32_t)n);
    spec_index(&b);
    if (b.len <= max) {
        size = b.len;
        memcpy(data, b.data, size);
    }
    free(payload);
    tr_buf_free(&b);
    return size;
}
#endif

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
