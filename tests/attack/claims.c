/* SPDX-License-Identifier: MIT */
/*
 * Streams whose blocks claim sizes and counts that they do not have, their checksums right: read or refused,
 * without taking the memory that they claim.
 */
#include "../spec/spec_make.h"

#include <sys/resource.h>

/* Read it all; whether memory was enough is for the caller to see. */
static void read_it(const struct tr_buf *b)
{
    struct memory_source source = { .data = b->data, .len = b->len };
    struct tr_buf text = { NULL, 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    enum tr_status st = read_text(&source, &text, &err);
    NEED(st == TR_END || (st == TR_DAMAGED && err.what[0]));
    tr_buf_free(&text);
}

/* A field of a block's header: items, bytes stored, bytes raw. */
static void claim(void (*make)(struct tr_buf *), unsigned type, unsigned field, uint32_t value)
{
    struct tr_buf b = { NULL, 0, 0 };
    make(&b);
    tr__put32(spec_block(&b, type) + field, value);
    repair(b.data, b.len);
    read_it(&b);
    tr_buf_free(&b);
}

/* A number of the payload, wherever it stands there. */
static void claim_inside(void (*make)(struct tr_buf *), unsigned type, uint32_t value)
{
    struct tr_buf b = { NULL, 0, 0 };
    make(&b);
    size_t n = tr__get32(spec_block(&b, type) + 8);
    tr_buf_free(&b);
    for (size_t at = 0; at + 4 <= n; at++) {
        make(&b);
        tr__put32(spec_payload(&b, type) + at, value);
        repair(b.data, b.len);
        read_it(&b);
        tr_buf_free(&b);
    }
}

/* Counts of all sizes inside the head of a table and its rows: a varint is put over each byte and shifts the rest. */
static void claim_table(uint64_t value)
{
    struct tr_buf b = { NULL, 0, 0 };
    make_tables(&b);
    size_t n = tr__get32(spec_block(&b, TR_BLOCK_TABLE) + 8), len = b.len;
    struct tr_buf whole = { NULL, 0, 0 }, varint = { NULL, 0, 0 };
    struct tr__out out = { &varint, false };
    tr__out_varint(&out, value);
    NEED(!out.failed && tr_buf_add(&whole, b.data, len));
    for (size_t i = 0; i < n; i++) {
        size_t at = (size_t)(spec_payload(&whole, TR_BLOCK_TABLE) - whole.data) + i;
        b.len = 0;
        NEED(tr_buf_add(&b, whole.data, at) && tr_buf_add(&b, varint.data, varint.len) &&
             tr_buf_add(&b, whole.data + at + 1, len - at - 1));
        unsigned char *block = spec_block(&b, TR_BLOCK_TABLE);
        tr__put32(block + 8, (uint32_t)(n + varint.len - 1));
        tr__put32(block + 12, (uint32_t)(n + varint.len - 1));
        spec_index(&b);
        read_it(&b);
    }
    tr_buf_free(&varint);
    tr_buf_free(&whole);
    tr_buf_free(&b);
}

int main(void)
{
    static const uint32_t values[] = { UINT32_MAX,      INT32_MAX, 32u << 20,
                                       (32u << 20) - 1, 16u << 20, 65536 };
    static const unsigned types[] = { TR_BLOCK_HEADER,  TR_BLOCK_SOURCES, TR_BLOCK_SUMMARY,
                                      TR_BLOCK_STRINGS, TR_BLOCK_SHAPES,  TR_BLOCK_TRACKS,
                                      TR_BLOCK_EVENTS,  TR_BLOCK_INDEX,   TR_BLOCK_TRAILER };
    struct tap t = { 0, 0 };
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            for (unsigned field = 4; field <= 12; field += 4) {
                claim(make_example, types[i], field, values[k]);
                claim(make_lz4, types[i], field, values[k]);
                claim(make_zlib, types[i], field, values[k]);
            }
            claim_inside(make_example, types[i], values[k]);
        }
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        for (unsigned field = 4; field <= 12; field += 4)
            claim(make_tables, TR_BLOCK_TABLE, field, values[k]);
        claim_inside(make_tables, TR_BLOCK_TABLE, values[k]);
        claim_table(values[k]);
        claim_table((uint64_t)values[k] << 31);
    }
    claim_table(UINT64_MAX);
    getrusage(RUSAGE_SELF, &after);
    tap_ok(&t, true, "what was claimed was read or refused"); /* else: Bail out! */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if !defined(SANITIZED) && !defined(__SANITIZE_ADDRESS__)
    long mib = (after.ru_maxrss - before.ru_maxrss) / 1024;
    printf("# %ld MiB more than before\n", mib);
    tap_ok(&t, mib < 128, "and took no more than blocks may take");
#endif
    return tap_end(&t);
}
