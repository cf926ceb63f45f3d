/* SPDX-License-Identifier: MIT */
/* LZ4 frames, any number of them, and skippable frames. */
#include "io/tr_codec_frames.h"

#include <lz4frame.h>
#include <stdlib.h>

#define LZ4_MAGIC 0x184d2204u
#define FRAME_START 7u              /* the shortest frame header */
#define BLOCK_HEADER 4u
#define CHECKSUM 4u
#define FLAGS_AT 4u                 /* of the frame header's flags */
#define BLOCK_CHECKSUMS 0x10u       /* among them */

struct lz4 {
    struct tr__frames frames;
    LZ4F_dctx *d;
};

/* A frame that ends within its first bytes is detected later. */
static enum tr_status start_frame(struct tr__frames *f, struct tr_error *err)
{
    enum tr_status st = tr__peek_fill(f->src, FLAGS_AT + 1, err);
    bool sums = st == TR_OK && tr__peek_avail(f->src) > FLAGS_AT && tr__peek_data(f->src)[FLAGS_AT] & BLOCK_CHECKSUMS;
    f->hint = FRAME_START;
    f->header = BLOCK_HEADER;
    f->extra = sums ? BLOCK_HEADER + CHECKSUM : BLOCK_HEADER; /* after a part of a block is passed on, twice its sum */
    return st == TR_END ? TR_OK : st;
}

static const char *decode(struct tr__frames *f, const void *in, size_t *used, void *out, size_t *made)
{
    f->hint = LZ4F_decompress(((struct lz4 *)(void *)f)->d, out, made, in, used, NULL);
    return LZ4F_isError(f->hint) ? LZ4F_getErrorName(f->hint) : NULL;
}

static enum tr_status lz4_open(void **state, struct tr__peek *src, bool only_zlib, struct tr_error *err)
{
    static const struct tr__frame_ops ops = { &tr__codec_lz4, start_frame, decode };
    (void)only_zlib;
    struct lz4 *z = calloc(1, sizeof *z);
    if (!z || LZ4F_isError(LZ4F_createDecompressionContext(&z->d, LZ4F_VERSION))) {
        free(z);
        return tr_fail_memory(err);
    }
    z->frames.ops = &ops;
    z->frames.src = src;
    *state = z;
    return TR_OK;
}

static void lz4_close(void *state)
{
    struct lz4 *z = state;
    LZ4F_freeDecompressionContext(z->d);
    free(z);
}

static void lz4_restart(void *state)
{
    struct lz4 *z = state;
    LZ4F_resetDecompressionContext(z->d);
    z->frames.place = TR__FRAME_START;
}

static bool lz4_magic(const unsigned char *p, size_t n)
{
    return tr__magic_is(p, n, LZ4_MAGIC, UINT32_MAX) ||
           tr__magic_is(p, n, TR__SKIPPABLE, TR__SKIPPABLE_MASK);
}

static bool lz4_starts(const unsigned char *p, size_t n)
{
    LZ4F_dctx *d;
    LZ4F_frameInfo_t info;
    if (n < FRAME_START || !tr__magic_is(p, n, LZ4_MAGIC, UINT32_MAX) ||
        LZ4F_isError(LZ4F_createDecompressionContext(&d, LZ4F_VERSION)))
        return false;
    bool good = !LZ4F_isError(LZ4F_getFrameInfo(d, &info, p, &n));
    LZ4F_freeDecompressionContext(d);
    return good;
}

const struct tr__codec tr__codec_lz4 = {
    .name = "lz4",
    .open = lz4_open,
    .read = tr__frames_read,
    .magic = lz4_magic,
    .starts = lz4_starts,
    .restart = lz4_restart,
    .close = lz4_close,
};
