/* SPDX-License-Identifier: MIT */
/* Zstandard frames (RFC 8878), any number of them, and skippable frames. */
#include "io/tr_codec_frames.h"

#define ZSTD_MAGIC 0xfd2fb528u

static bool zstd_magic(const unsigned char *p, size_t n)
{
    return tr__magic_is(p, n, ZSTD_MAGIC, UINT32_MAX) || tr__magic_is(p, n, TR__SKIPPABLE, TR__SKIPPABLE_MASK);
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
#define SMALL_WINDOW 23 /* 8 MiB, which all decoders should take by the definition of the format */

struct zst {
    struct tr__frames frames;
    ZSTD_DCtx *d;
};

static enum tr_status start_frame(struct tr__frames *f, struct tr_error *err)
{
    (void)err;
    f->hint = BLOCK_HEADER + 1;
    f->header = f->extra = BLOCK_HEADER;
    return TR_OK;
}

static const char *decode(struct tr__frames *f, const void *from, size_t *used, void *to, size_t *made)
{
    ZSTD_inBuffer in = { from, *used, 0 };
    ZSTD_outBuffer out = { to, *made, 0 };
    f->hint = ZSTD_decompressStream(((struct zst *)(void *)f)->d, &out, &in);
    *used = in.pos;
    *made = out.pos;
    return ZSTD_isError(f->hint) ? ZSTD_getErrorName(f->hint) : NULL;
}

static enum tr_status zstd_open(void **state, struct tr__peek *src, bool only_zlib, struct tr_error *err)
{
    static const struct tr__frame_ops ops = { &tr__codec_zstd, start_frame, decode };
    (void)only_zlib;
    struct zst *z = calloc(1, sizeof *z);
    if (z)
        z->d = ZSTD_createDCtx(); /* by default, it refuses windows larger than 128 MiB */
    if (!z || !z->d) {
        free(z);
        return tr_fail_memory(err);
    }
    if (src->small)
        ZSTD_DCtx_setParameter(z->d, ZSTD_d_windowLogMax, SMALL_WINDOW);
    z->frames.ops = &ops;
    z->frames.src = src;
    *state = z;
    return TR_OK;
}

static void zstd_close(void *state)
{
    struct zst *z = state;
    ZSTD_freeDCtx(z->d);
    free(z);
}

static void zstd_restart(void *state)
{
    struct zst *z = state;
    ZSTD_DCtx_reset(z->d, ZSTD_reset_session_only);
    z->frames.place = TR__FRAME_START;
}

static bool zstd_starts(const unsigned char *p, size_t n)
{
    return n >= 5 && tr__magic_is(p, n, ZSTD_MAGIC, UINT32_MAX) &&
           ZSTD_getFrameContentSize(p, n) != ZSTD_CONTENTSIZE_ERROR;
}

const struct tr__codec tr__codec_zstd = {
    .name = "zstd",
    .open = zstd_open,
    .read = tr__frames_read,
    .magic = zstd_magic,
    .starts = zstd_starts,
    .restart = zstd_restart,
    .close = zstd_close,
};

#endif
