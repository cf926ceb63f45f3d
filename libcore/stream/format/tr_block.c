/* SPDX-License-Identifier: MIT */
/* Preamble and headers of blocks as bytes, and back; checksums and compression. */
#include "stream/format/tr_block_int.h"

#include "stream/tr_event.h"
#include "stream/tr_wire_int.h"

#include <limits.h>
#include <lz4.h>
#include <lz4hc.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL /* its functions become part of this file: no library is needed to run */
#include <xxhash.h>
#include <zlib.h>

/*
 * The first byte has its top bit set, then come letters, a line feed alone, a zero, a carriage
 * return with a line feed and an end-of-file mark of DOS: each kind of transfer that takes the file
 * for text damages one.
 */
static const unsigned char signature[8] = { 0xd4, 'T', 'R', '\n', 0x00, '\r', '\n', 0x1a };

uint64_t tr__checksum(const void *data, size_t len)
{
    return XXH3_64bits(data, len);
}

void tr__preamble_put(unsigned char out[TR_PREAMBLE_BYTES])
{
    memcpy(out, signature, 8);
    tr__put16(out + 8, TR_FORMAT_MAJOR);
    tr__put16(out + 10, TR_FORMAT_MINOR);
    tr__put32(out + 12, (uint32_t)tr__checksum(out, 12));
}

enum tr_status tr__preamble_check(const unsigned char in[TR_PREAMBLE_BYTES], struct tr_error *err)
{
    if (memcmp(in, signature, 3) != 0)
        return tr_fail(err, TR_DAMAGED, "is not an event stream");
    if (memcmp(in, signature, 8) != 0)
        return tr_fail(err, TR_DAMAGED, "has a damaged signature: it was transferred as text");
    unsigned major = tr__get16(in + 8);
    if (major == 1)
        return tr_fail(err, TR_DAMAGED, "stream of format 1.x: parse the trace again");
    if (major != TR_FORMAT_MAJOR)
        return tr_fail(err, TR_DAMAGED, "has format version %u.%u, this program reads %u.x", major,
                       tr__get16(in + 10), TR_FORMAT_MAJOR);
    if (tr__get32(in + 12) != (uint32_t)tr__checksum(in, 12))
        return tr_fail(err, TR_DAMAGED, "the checksum of the preamble does not match");
    return TR_OK;
}

void tr__block_put(const struct tr_block *b, unsigned char out[TR_BLOCK_BYTES])
{
    tr__put16(out, b->type);
    out[2] = b->flags;
    out[3] = b->codec;
    tr__put32(out + 4, b->n_items);
    tr__put32(out + 8, b->stored);
    tr__put32(out + 12, b->raw);
    tr__put64(out + 16, (uint64_t)b->start);
    tr__put64(out + 24, (uint64_t)b->end);
    tr__put32(out + 32, b->number);
    tr__put32(out + 36, (uint32_t)tr__checksum(out, 36));
    tr__put64(out + 40, b->check);
}

enum tr_status tr__block_get(struct tr_block *b, const unsigned char in[TR_BLOCK_BYTES],
                             struct tr_error *err)
{
    if (tr__get32(in + 36) != (uint32_t)tr__checksum(in, 36))
        return tr_fail(err, TR_DAMAGED, "the checksum of the block header does not match");
    b->type = tr__get16(in);
    b->flags = in[2];
    b->codec = in[3];
    b->n_items = tr__get32(in + 4);
    b->stored = tr__get32(in + 8);
    b->raw = tr__get32(in + 12);
    b->start = (int64_t)tr__get64(in + 16);
    b->end = (int64_t)tr__get64(in + 24);
    b->number = tr__get32(in + 32);
    b->check = tr__get64(in + 40);
    if (b->stored > TR_MAX_STORED)
        return tr_fail(err, TR_DAMAGED, "payload of %u bytes, at most %u allowed", b->stored,
                       TR_MAX_STORED);
    if (b->raw > TR_MAX_RAW)
        return tr_fail(err, TR_DAMAGED, "raw size of %u bytes, at most %u allowed", b->raw,
                       TR_MAX_RAW);
    return TR_OK;
}

static const struct {
    const char *name;
    uint8_t flags;
} types[] = {
    [0] = { "unknown", 0 },
    [TR_BLOCK_HEADER] = { "header", TR_CRITICAL },
    [TR_BLOCK_PROVENANCE] = { "provenance", TR_SAFE_TO_COPY },
    [TR_BLOCK_STRINGS] = { "strings", TR_CRITICAL },
    [TR_BLOCK_COLUMNS] = { "columns", TR_CRITICAL },
    [TR_BLOCK_SHAPES] = { "shapes", TR_CRITICAL },
    [TR_BLOCK_SOURCES] = { "sources", TR_CRITICAL },
    [TR_BLOCK_TRACKS] = { "tracks", TR_CRITICAL },
    [TR_BLOCK_CLOCKS] = { "clocks", TR_CRITICAL },
    [TR_BLOCK_SUMMARY] = { "summary", TR_CRITICAL },
    [TR_BLOCK_EVENTS] = { "events", TR_CRITICAL },
    [TR_BLOCK_TABLE] = { "table", 0 },
    [TR_BLOCK_INDEX] = { "index", 0 },
    [TR_BLOCK_TRAILER] = { "trailer", TR_CRITICAL },
    [TR_BLOCK_WATERMARK] = { "watermark", 0 },
    [TR_BLOCK_RESET] = { "reset", TR_CRITICAL },
};

const char *tr__block_name(unsigned type)
{
    return types[type < sizeof types / sizeof *types ? type : 0].name;
}

uint8_t tr__block_flags(unsigned type)
{
    return types[type < sizeof types / sizeof *types ? type : 0].flags;
}

struct tr__packer {
    enum tr_codec codec;
    int level;
    void *lz4; /* working memory of the plain compressor, also for estimates */
    void *lz4hc;
    z_stream z;
    bool z_open;
    char room[LZ4_COMPRESSBOUND(65536)]; /* for estimates */
};

#define HC_FROM_LEVEL 3 /* as in lz4(1): below is the fast compressor */
#define MIN_PACKED 32u  /* shorter data are stored as they are */

struct tr__packer *tr__packer_new(enum tr_codec codec, int level)
{
    struct tr__packer *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->codec = codec;
    p->level = level;
    p->lz4 = malloc((size_t)LZ4_sizeofState());
    if (!p->lz4)
        goto fail;
    if (codec == TR_CODEC_LZ4 && level >= HC_FROM_LEVEL) {
        p->lz4hc = malloc((size_t)LZ4_sizeofStateHC());
        if (!p->lz4hc)
            goto fail;
    }
    if (codec == TR_CODEC_ZLIB) {
        if (deflateInit(&p->z, level > 0 && level <= 9 ? level : Z_DEFAULT_COMPRESSION) != Z_OK)
            goto fail;
        p->z_open = true;
    }
    return p;
fail:
    tr__packer_free(p);
    return NULL;
}

void tr__packer_free(struct tr__packer *p)
{
    if (!p)
        return;
    if (p->z_open)
        deflateEnd(&p->z);
    free(p->lz4);
    free(p->lz4hc);
    free(p);
}

/* Compress into less than room bytes; 0: it does not fit. */
static size_t compress_into(struct tr__packer *p, const void *raw, size_t len, void *to,
                            size_t room)
{
    if (p->codec == TR_CODEC_ZLIB) {
        if (deflateReset(&p->z) != Z_OK)
            return 0;
        p->z.next_in = (z_const Bytef *)raw;
        p->z.avail_in = (uInt)len;
        p->z.next_out = to;
        p->z.avail_out = (uInt)room;
        return deflate(&p->z, Z_FINISH) == Z_STREAM_END ? p->z.total_out : 0;
    }
    int n = p->lz4hc ? LZ4_compress_HC_extStateHC(p->lz4hc, raw, to, (int)len, (int)room, p->level)
                     : LZ4_compress_fast_extState(p->lz4, raw, to, (int)len, (int)room, 1);
    return n > 0 ? (size_t)n : 0;
}

int tr__pack(struct tr__packer *p, const void *raw, size_t len, struct tr_buf *out)
{
    if (!tr_buf_reserve(out, len))
        return -1;
    if (p->codec != TR_CODEC_NONE && len >= MIN_PACKED && len <= TR_MAX_STORED) {
        size_t n = compress_into(p, raw, len, out->data + out->len, len - 1);
        if (n) {
            out->len += n;
            return (int)p->codec;
        }
    }
    tr_buf_add(out, raw, len); /* room was made above */
    return TR_CODEC_NONE;
}

size_t tr__pack_estimate(struct tr__packer *p, const void *raw, size_t len)
{
    int n = LZ4_compress_fast_extState(p->lz4, raw, p->room, (int)len, (int)sizeof p->room, 1);
    return n > 0 && (size_t)n < len ? (size_t)n : len;
}

enum tr_status tr__unpack(unsigned codec, const void *stored, size_t stored_len, void *raw,
                          size_t raw_len)
{
    bool good = false;
    if (stored_len > INT_MAX || raw_len > INT_MAX)
        return TR_DAMAGED;
    if (codec == TR_CODEC_NONE) {
        good = stored_len == raw_len;
        if (good && raw_len)
            memcpy(raw, stored, raw_len);
    } else if (codec == TR_CODEC_LZ4) {
        good = LZ4_decompress_safe(stored, raw, (int)stored_len, (int)raw_len) == (int)raw_len;
    } else if (codec == TR_CODEC_ZLIB) {
        uLongf n = (uLongf)raw_len;
        uLong used = (uLong)stored_len;
        int rc = uncompress2(raw, &n, stored, &used);
        if (rc == Z_MEM_ERROR)
            return TR_SYSTEM;
        good = rc == Z_OK && n == raw_len && used == stored_len;
    }
    return good ? TR_OK : TR_DAMAGED;
}

bool tr_reader_probe(const void *start, size_t len)
{
    unsigned char p[TR_PREAMBLE_BYTES];
    tr__preamble_put(p);
    return len >= 3 && memcmp(start, p, len < 8 ? len : 8) == 0;
}
