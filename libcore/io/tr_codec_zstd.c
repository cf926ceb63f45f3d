/* Zstandard frames (RFC 8878), any number of them, and skippable frames. */
#include "io/tr_codec.h"

#define ZSTD_MAGIC 0xfd2fb528u
#define SKIPPABLE 0x184d2a50u /* and the 15 after it */

static bool zstd_magic(const unsigned char *p, size_t n)
{
    return tr__magic_is(p, n, ZSTD_MAGIC, UINT32_MAX) || tr__magic_is(p, n, SKIPPABLE, 0xfffffff0u);
}

#ifndef HAVE_ZSTD

static enum tr_status zstd_open(void **state, struct tr__peek *src, bool only_zlib, struct tr_error *err)
{
    (void)state, (void)src, (void)only_zlib;
    return tr_fail(err, TR_DAMAGED, "zstd data, which this build cannot decompress");
}

const struct tr__codec tr__codec_zstd = {
    .name = "zstd",
    .open = zstd_open,
    .magic = zstd_magic,
};

#else

#include <stdlib.h>
#include <zstd.h>

#define BLOCK_HEADER 3u

struct zst {
    struct tr__peek *src;
    ZSTD_DCtx *d;
    size_t hint;  /* input that zstd wants next */
    bool pending; /* zstd may hold decoded bytes */
    bool in_frame;
};

static void zstd_restart(void *state)
{
    struct zst *z = state;
    ZSTD_DCtx_reset(z->d, ZSTD_reset_session_only);
    z->in_frame = true;
    z->pending = false;
    z->hint = BLOCK_HEADER + 1;
}

static enum tr_status zstd_open(void **state, struct tr__peek *src, bool only_zlib, struct tr_error *err)
{
    (void)only_zlib;
    struct zst *z = calloc(1, sizeof *z);
    if (z)
        z->d = ZSTD_createDCtx(); /* refuses windows above 128 MiB unless told otherwise */
    if (!z || !z->d) {
        free(z);
        return tr_fail_memory(err);
    }
    z->src = src;
    zstd_restart(z);
    *state = z;
    return TR_OK;
}

static void zstd_close(void *state)
{
    struct zst *z = state;
    ZSTD_freeDCtx(z->d);
    free(z);
}

/*
 * How many bytes to hand over at once.  The hint covers a block and the header after it.  A fault
 * in that header would cost the block, because zstd returns no bytes together with an error.
 */
static size_t portion(const struct zst *z)
{
    size_t want = z->hint > BLOCK_HEADER ? z->hint - BLOCK_HEADER : z->hint;
    size_t avail = tr__peek_avail(z->src);
    if (z->pending)
        return 0;
    return want < avail ? want : avail;
}

static enum tr_status zstd_read(void *state, void *buf, size_t cap, size_t *got,
                                struct tr_error *err)
{
    struct zst *z = state;
    *got = 0;
    for (;;) {
        enum tr_status st = TR_OK;
        if (!z->in_frame) {
            st = tr__next_member(z->src, &tr__codec_zstd, err);
            if (st != TR_OK)
                return st;
            zstd_restart(z);
        }
        if (!z->pending)
            st = tr__peek_fill(z->src, 1, err);
        if (st == TR_END)
            return tr__peek_cut(z->src, "zstd", err);
        if (st != TR_OK)
            return st;
        ZSTD_inBuffer in = { tr__peek_data(z->src), portion(z), 0 };
        ZSTD_outBuffer out = { buf, cap, 0 };
        size_t rc = ZSTD_decompressStream(z->d, &out, &in);
        if (ZSTD_isError(rc)) {
            tr_error_place(err, "compressed byte %llu", (unsigned long long)z->src->at);
            return tr_fail(err, TR_DAMAGED, "damaged zstd data (%s)", ZSTD_getErrorName(rc));
        }
        tr__peek_use(z->src, (ptrdiff_t)in.pos);
        z->hint = rc;
        z->pending = out.pos == out.size;
        z->in_frame = rc != 0;
        *got = out.pos;
        if (out.pos)
            return TR_OK;
    }
}

static bool zstd_starts(const unsigned char *p, size_t n)
{
    return n >= 5 && tr__magic_is(p, n, ZSTD_MAGIC, UINT32_MAX) &&
           ZSTD_getFrameContentSize(p, n) != ZSTD_CONTENTSIZE_ERROR;
}

const struct tr__codec tr__codec_zstd = {
    .name = "zstd",
    .open = zstd_open,
    .read = zstd_read,
    .magic = zstd_magic,
    .starts = zstd_starts,
    .restart = zstd_restart,
    .close = zstd_close,
};

#endif
