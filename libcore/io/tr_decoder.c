/* SPDX-License-Identifier: MIT */
/* One layer of an input: the decoder for its first bytes, and a peek buffer. */
#include "io/tr_decoder.h"

#include "io/tr_bytes.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CHUNK ((size_t)4 << 10) /* so that few bytes are copied if the data are not compressed */
#define ZLIB_LOOK ((size_t)512)       /* bytes to judge by whether this is zlib data */
#define MAGIC_LEN ((size_t)4)
#define SKIP_HEADER ((size_t)8)

#define GZIP_MAGIC 0x8b1fu
#define LZ4_MAGIC 0x184d2204u
#define ZSTD_MAGIC 0xfd2fb528u
#define SKIP_MAGIC 0x184d2a50u
#define SKIP_MASK 0xfffffff0u

/* LZ4 and zstd have the same frames to skip; the frame after them shows the format. */
static const struct tr__codec *sniff_after_skipped(const unsigned char *p, size_t n, size_t *want)
{
    size_t at = 0;
    while (tr__magic_is(p + at, 4, SKIP_MAGIC, SKIP_MASK)) {
        if (n - at < SKIP_HEADER) {
            *want = at + SKIP_HEADER;
            return &tr__codec_lz4;
        }
        const unsigned char *q = p + at + 4;
        uint32_t size = q[0] | (uint32_t)q[1] << 8 | (uint32_t)q[2] << 16 | (uint32_t)q[3] << 24;
        if (size > TR_BYTES_PEEK_MAX - at - SKIP_HEADER - MAGIC_LEN)
            return &tr__codec_lz4; /* too far to look */
        at += SKIP_HEADER + size;
        if (at > TR_BYTES_PEEK_MAX - SKIP_HEADER - MAGIC_LEN)
            return &tr__codec_lz4;
        if (n < at + MAGIC_LEN) {
            *want = at + MAGIC_LEN;
            return &tr__codec_lz4;
        }
    }
    return tr__magic_is(p + at, 4, ZSTD_MAGIC, UINT32_MAX) ? &tr__codec_zstd : &tr__codec_lz4;
}

/* All bytes of these magic numbers are compared, because they may also be the start of a text. */
static const struct tr__codec *sniff_archive(const unsigned char *p, size_t n, size_t *want)
{
    static const struct tr__codec *const codecs[] = { &tr__codec_xz, &tr__codec_bzip2 };
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        if (!codecs[i]->magic(p, n))
            continue;
        if (codecs[i]->starts(p, n))
            return codecs[i];
        *want = n + 1;
    }
    return NULL;
}

/*
 * The codec for data that start with these n >= 1 bytes; NULL: none.  *want > 0: the number of bytes that are needed
 * for a certain answer.
 */
static const struct tr__codec *sniff(const unsigned char *p, size_t n, size_t *want)
{
    *want = 0;
    bool zstd = tr__magic_is(p, n, ZSTD_MAGIC, UINT32_MAX);
    bool skip = tr__magic_is(p, n, SKIP_MAGIC, SKIP_MASK);
    if (zstd || skip || tr__magic_is(p, n, LZ4_MAGIC, UINT32_MAX)) {
        if (n >= MAGIC_LEN)
            return skip   ? sniff_after_skipped(p, n, want)
                   : zstd ? &tr__codec_zstd
                          : &tr__codec_lz4;
        *want = MAGIC_LEN;
        return NULL;
    }
    if (tr__magic_is(p, n < 2 ? n : 2, GZIP_MAGIC, 0xffff)) {
        *want = n < 2 ? 2 : 0;
        return n < 2 ? NULL : &tr__codec_gzip;
    }
    if (tr__codec_zlib.magic(p, n)) {
        *want = n < ZLIB_LOOK ? ZLIB_LOOK : 0;
        return tr__codec_zlib.starts(p, n) ? &tr__codec_zlib : NULL;
    }
    return sniff_archive(p, n, want);
}

enum tr_status tr__decoder_open(struct tr__decoder *l, bool raw, bool only_zlib, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    l->src.chunk = FIRST_CHUNK;
    for (size_t want = 1; !raw && want;) {
        st = tr__peek_fill(&l->src, want, err);
        if (st != TR_OK)
            break;
        l->codec = sniff(tr__peek_data(&l->src), tr__peek_avail(&l->src), &want);
        if (l->src.ended != TR_OK)
            break; /* there are no more bytes for the decision */
    }
    l->src.chunk = l->codec ? TR__PEEK_CHUNK : TR_BYTES_PEEK_MAX;
    if (st == TR_OK && l->codec)
        st = l->codec->open(&l->state, &l->src, only_zlib, err);
    return st == TR_END ? TR_OK : st;
}

void tr__decoder_close(struct tr__decoder *l)
{
    if (l->state)
        l->codec->close(l->state);
    tr__peek_free(&l->src);
    free(l->peek);
    memset(l, 0, sizeof *l);
}

/* Decode more, past the peek buffer. */
static enum tr_status decode(struct tr__decoder *l, void *buf, size_t cap, size_t *got)
{
    *got = 0;
    if (l->done != TR_OK)
        return l->done;
    l->why = (struct tr_error)TR_ERROR_INIT;
    enum tr_status st =
        l->codec ? l->codec->read(l->state, buf, cap, got, &l->why) : tr__peek_read(&l->src, buf, cap, got, &l->why);
    l->done = st;
    return st;
}

static enum tr_status report(const struct tr__decoder *l, struct tr_error *err)
{
    if (err && l->done != TR_END)
        *err = l->why;
    return l->done;
}

enum tr_status tr__decoder_read(struct tr__decoder *l, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    size_t n = l->peek_len - l->peek_at;
    if (n) {
        *got = n < cap ? n : cap;
        memcpy(buf, l->peek + l->peek_at, *got);
        l->peek_at += *got;
        return TR_OK;
    }
    return decode(l, buf, cap, got) == TR_OK ? TR_OK : report(l, err);
}

enum tr_status tr__decoder_peek(struct tr__decoder *l, const unsigned char **p, size_t *n, size_t want,
                                struct tr_error *err)
{
    *n = 0;
    if (!l->codec && l->done == TR_OK) {
        enum tr_status st = tr__peek_fill(&l->src, want, err);
        *p = tr__peek_data(&l->src);
        *n = tr__peek_avail(&l->src);
        return st;
    }
    if (!l->peek && !(l->peek = malloc(TR_BYTES_PEEK_MAX)))
        return tr_fail_memory(err);
    if (l->peek_at) {
        memmove(l->peek, l->peek + l->peek_at, l->peek_len - l->peek_at);
        l->peek_len -= l->peek_at;
        l->peek_at = 0;
    }
    size_t got;
    while (l->peek_len < want && decode(l, l->peek + l->peek_len, TR_BYTES_PEEK_MAX - l->peek_len,
                                        &got) == TR_OK)
        l->peek_len += got;
    *p = l->peek;
    *n = l->peek_len;
    return l->peek_len ? TR_OK : report(l, err);
}

enum tr_status tr__decoder_resync(struct tr__decoder *l, uint64_t *skipped, struct tr_error *err)
{
    *skipped = 0;
    if (l->done != TR_DAMAGED || l->peek_len > l->peek_at)
        return l->done == TR_DAMAGED ? TR_OK : l->done; /* there is no damage, or it is not reached yet */
    enum tr_status st = TR_END;
    if (l->codec && l->codec->restart && l->state) {
        st = tr__find_member(&l->src, l->codec, skipped, &l->why);
        if (st == TR_OK)
            l->codec->restart(l->state);
        if (st == TR_DAMAGED)
            st = TR_END; /* the failure of the input itself was already reported */
    }
    l->done = st;
    return st == TR_SYSTEM ? report(l, err) : st;
}
