/* SPDX-License-Identifier: MIT */
/*
 * expand: a stream that is small as it stands and large once unpacked, to standard output.
 *
 *     expand KIND N [lz4]
 *
 * Its N blocks of the kind unpack to up to 1 MiB each, of what a reader keeps as a whole.  The rest of the stream is as
 * it should be.
 */
#include "stream/format/tr_block_out_int.h"
#include "stream/format/tr_dict_rows_int.h"
#include "stream/tr_wire_int.h"

#include <stdio.h>
#include <stdlib.h>

#define NEED(x) ((x) ? (void)0 : fail(#x))

static void fail(const char *what)
{
    fprintf(stderr, "expand: %s\n", what);
    exit(2);
}

static enum tr_status to_stdout(void *ctx, const void *buf, size_t len, struct tr_error *err)
{
    (void)ctx;
    if (fwrite(buf, 1, len, stdout) == len)
        return TR_OK;
    (void)err;
    exit(1); /* whoever reads has seen enough */
}

static struct tr__block_out f = { .sink = { to_stdout, NULL } };
static struct tr__out payload = { &f.payload, false }, row = { &f.row, false };

static void send(enum tr_block_type type, uint32_t n_items)
{
    NEED(tr__payload_send(&f, type, n_items, NULL) == TR_OK);
}

/* Rows like the one in f.row until a block is full. */
static void repeat(enum tr_block_type type)
{
    uint32_t n = 0;
    for (; f.payload.len + f.row.len + 10 < TR_SOFT_RAW; n++) {
        tr__out_varint(&payload, f.row.len);
        tr__out_bytes(&payload, f.row.data, f.row.len);
    }
    f.row.len = 0;
    send(type, n);
}

static void varints(struct tr__out *o, unsigned n, uint64_t v)
{
    while (n--)
        tr__out_varint(o, v);
}

static void zeros(struct tr__out *o, size_t n)
{
    for (; n; n--)
        tr__out_u8(o, 0);
}

/* The rows that are in every dictionary. */
static void derived(void)
{
    struct tr_dict *d = tr_dict_new();
    static const enum tr_block_type types[] = { TR_BLOCK_STRINGS, TR_BLOCK_COLUMNS };
    for (unsigned t = 0; d && t < 2; t++) {
        uint32_t n = 0;
        for (size_t i = 0; i < tr__dict_row_count(d, types[t]); i++)
            NEED(tr__dict_row_put(d, types[t], i, &f.row) && tr__row_add(&f, types[t], &n, NULL, NULL) == TR_OK);
        send(types[t], n);
    }
    tr_dict_free(d);
}

static void source_row(uint32_t number, uint32_t n_header)
{
    varints(&row, 1, number);
    zeros(&row, 10); /* no rank, no names, no base; nothing before the events */
    varints(&row, 1, n_header);
    zeros(&row, 2 * (size_t)n_header + 2);
}

/* ---- the kinds: n-th block ---- */

static void strings(uint64_t n)
{
    tr__out_varint(&payload, TR_SOFT_RAW - 16);
    tr__out_u64(&payload, n);
    zeros(&payload, TR_SOFT_RAW - 24);
    send(TR_BLOCK_STRINGS, 1);
}

static void short_strings(uint64_t n)
{
    uint32_t i = 0;
    for (; f.payload.len < TR_SOFT_RAW - 16; i++) {
        tr__out_u8(&payload, 8);
        tr__out_u64(&payload, n << 32 | i);
    }
    send(TR_BLOCK_STRINGS, i);
}

/* All places and types of every key; later types have one place. */
static void columns(uint64_t n)
{
    static const uint8_t places[] = { 0, 1, 3, 4 };
    uint32_t n_keys = 5000, n_rows = 0;
    for (uint32_t i = 0; i < n_keys; i++) {
        tr__out_u8(&payload, 8);
        tr__out_u64(&payload, n << 32 | i);
    }
    send(TR_BLOCK_STRINGS, n_keys);
    for (uint32_t i = 0; i < n_keys; i++)
        for (unsigned type = TR_T_INT; type < TR_T_IN_CAT; type++)
            for (unsigned p = 0; p < 4; p++, n_rows++) {
                tr__out_varint(&row, TR_N_DERIVED + n * n_keys + i);
                tr__out_u8(&row, places[p]);
                tr__out_u8(&row, (uint8_t)type);
                tr__out_u8(&row, 0);
                tr__out_varint(&payload, f.row.len);
                tr__out_bytes(&payload, f.row.data, f.row.len);
                f.row.len = 0;
            }
    send(TR_BLOCK_COLUMNS, n_rows);
}

static void shapes(uint64_t n)
{
    (void)n;
    tr__out_u8(&row, 'X');
    tr__out_varint(&row, TR_MAX_MEMBERS);
    zeros(&row, 5 * TR_MAX_MEMBERS);
    repeat(TR_BLOCK_SHAPES);
}

static void short_shapes(uint64_t n)
{
    (void)n;
    tr__out_u8(&row, 'X');
    tr__out_u8(&row, 0);
    repeat(TR_BLOCK_SHAPES);
}

static void sources(uint64_t n)
{
    uint32_t i = 0;
    for (; f.payload.len < TR_SOFT_RAW - 64; i++) {
        source_row((uint32_t)n * 60000 + i, 0);
        tr__out_varint(&payload, f.row.len);
        tr__out_bytes(&payload, f.row.data, f.row.len);
        f.row.len = 0;
        if (i == 59999)
            break;
    }
    send(TR_BLOCK_SOURCES, i + 1);
}

static void header_entries(uint64_t n)
{
    source_row((uint32_t)n, 500000);
    repeat(TR_BLOCK_SOURCES);
}

/* The same source again and again. */
static void replaced_sources(uint64_t n)
{
    (void)n;
    source_row(0, 100);
    repeat(TR_BLOCK_SOURCES);
}

static void tracks(uint64_t n)
{
    uint32_t i = 0;
    for (; i < 80000; i++) {
        varints(&row, 1, n * 80000 + i);
        zeros(&row, 11);
        tr__out_varint(&payload, f.row.len);
        tr__out_bytes(&payload, f.row.data, f.row.len);
        f.row.len = 0;
    }
    send(TR_BLOCK_TRACKS, i);
}

static void clocks(uint64_t n)
{
    (void)n;
    zeros(&row, 7);
    varints(&row, 1, 500000);
    for (unsigned i = 0; i < 500000; i++) {
        tr__out_u8(&row, 1);
        tr__out_u8(&row, 1);
    }
    zeros(&row, 1);
    repeat(TR_BLOCK_CLOCKS);
}

static void short_clocks(uint64_t n)
{
    (void)n;
    zeros(&row, 9);
    repeat(TR_BLOCK_CLOCKS);
}

static void provenance(uint64_t n)
{
    (void)n;
    zeros(&row, 4);
    repeat(TR_BLOCK_PROVENANCE);
}

/* Tables without rows. */
static void tables(uint64_t n)
{
    (void)n;
    for (unsigned i = 0; i < 2000; i++) {
        tr__out_u8(&payload, 0);
        tr__out_u8(&payload, 1);
        tr__out_u8(&payload, 't');
        tr__out_u8(&payload, 0);
        tr__out_varint(&payload, 256);
        for (unsigned k = 0; k < 256; k++) {
            tr__out_u8(&payload, 1);
            tr__out_u8(&payload, 'c');
            tr__out_u8(&payload, TR_T_INT);
        }
        send(TR_BLOCK_TABLE, 0);
    }
}

static void table_rows(uint64_t n)
{
    uint32_t n_rows = 0;
    tr__out_u8(&payload, n ? 1 : 0);
    tr__out_u8(&payload, 1);
    tr__out_u8(&payload, 't');
    tr__out_u8(&payload, 0);
    tr__out_u8(&payload, 1);
    tr__out_u8(&payload, 1);
    tr__out_u8(&payload, 'c');
    tr__out_u8(&payload, TR_T_INT);
    for (; f.payload.len < TR_SOFT_RAW - 16; n_rows++) {
        tr__out_u8(&payload, 1);
        tr__out_u8(&payload, 0);
    }
    send(TR_BLOCK_TABLE, n_rows);
}

/* ---- the end of it ---- */

static bool with_steps;

static void summary(uint32_t n_sources)
{
    tr__out_u8(&row, 0); /* number */
    zeros(&row, 9);      /* no times, no counts, no damage */
    tr__out_varint(&row, with_steps ? 260000 : 0);
    zeros(&row, with_steps ? 260000 * 4 : 0);
    tr__out_u8(&payload, 1);
    tr__out_varint(&payload, n_sources);
    if (n_sources) {
        tr__out_varint(&payload, f.row.len);
        tr__out_bytes(&payload, f.row.data, f.row.len);
    }
    f.row.len = 0;
    send(TR_BLOCK_SUMMARY, n_sources > 0);
    for (uint32_t i = 1; i < n_sources; i++) {
        tr__out_u8(&payload, 1);
        tr__out_varint(&payload, n_sources);
        uint32_t k = 0;
        for (; i < n_sources && f.payload.len < TR_SOFT_RAW - 64; i++, k++) {
            varints(&row, 1, i);
            zeros(&row, 10);
            tr__out_varint(&payload, f.row.len);
            tr__out_bytes(&payload, f.row.data, f.row.len);
            f.row.len = 0;
        }
        send(TR_BLOCK_SUMMARY, k);
        i--;
    }
}

static void finish(void)
{
    unsigned char trailer[TR_TRAILER_BYTES];
    f.trailer.index_offset = f.offset;
    NEED(tr__index_send(&f, NULL) == TR_OK);
    f.trailer.offset = f.offset;
    tr__trailer_put(&f.trailer, trailer);
    tr__out_bytes(&payload, trailer, sizeof trailer);
    send(TR_BLOCK_TRAILER, 1);
}

static const struct {
    const char *name;
    void (*block)(uint64_t n);
} kinds[] = {
    { "strings", strings },
    { "short-strings", short_strings },
    { "columns", columns },
    { "shapes", shapes },
    { "short-shapes", short_shapes },
    { "sources", sources },
    { "header-entries", header_entries },
    { "replaced-sources", replaced_sources },
    { "tracks", tracks },
    { "clocks", clocks },
    { "short-clocks", short_clocks },
    { "provenance", provenance },
    { "tables", tables },
    { "table-rows", table_rows },
    { "steps", NULL },
};

int main(int argc, char **argv)
{
    size_t k = 0, n_kinds = sizeof kinds / sizeof *kinds;
    NEED(argc == 3 || argc == 4);
    NEED(argc == 3 || strcmp(argv[3], "lz4") == 0);
    while (k < n_kinds && strcmp(kinds[k].name, argv[1]) != 0)
        k++;
    NEED(k < n_kinds);
    uint64_t n = strtoull(argv[2], NULL, 10);
    unsigned char header[8];
    f.pack = tr__packer_new(argc == 4 ? TR_CODEC_LZ4 : TR_CODEC_ZLIB, 0);
    NEED(f.pack && tr__block_out_start(&f, NULL) == TR_OK);
    tr__put32(header, 1);
    tr__put32(header + 4, TR_N_DERIVED);
    tr__out_bytes(&payload, header, sizeof header);
    send(TR_BLOCK_HEADER, 1);
    derived();
    bool many_sources = kinds[k].block == sources || kinds[k].block == header_entries;
    if (!many_sources) {
        source_row(0, 0);
        NEED(!row.failed);
        tr__out_varint(&payload, f.row.len);
        tr__out_bytes(&payload, f.row.data, f.row.len);
        f.row.len = 0;
        send(TR_BLOCK_SOURCES, 1);
    }
    with_steps = !kinds[k].block;
    if (with_steps)
        tracks(0);
    for (uint64_t i = 0; i < n && kinds[k].block; i++)
        kinds[k].block(i);
    summary(kinds[k].block == sources ? (uint32_t)n * 60000 : kinds[k].block == header_entries ? (uint32_t)n : 1);
    finish();
    NEED(!payload.failed && !row.failed && fflush(stdout) == 0);
    tr__block_out_free(&f);
    return 0;
}
