/* LZ4 frames, any number of them, and skippable frames. */
#include "io/tr_codec.h"

#include <lz4frame.h>
#include <stdlib.h>

#define LZ4_MAGIC 0x184d2204u
#define SKIPPABLE_MAGIC 0x184d2a50u /* and the 15 after it */
#define FRAME_START 7u              /* the shortest frame header */
#define BLOCK_HEADER 4u
#define CHECKSUM 4u
#define FLAGS_AT 4u                 /* of the frame header's flags */
#define BLOCK_CHECKSUMS 0x10u       /* among them */

struct lz4 {
    struct tr__peek *src;
    LZ4F_dctx *d;
    size_t hint;  /* input that LZ4F wants next */
    size_t extra; /* what the hint may go beyond the end of a block */
    bool pending; /* LZ4F may hold decoded bytes */
    enum { START, INSIDE, AFTER } place; /* in respect of a frame */
};

static enum tr_status lz4_open(void **state, struct tr__peek *src, bool only_zlib, struct tr_error *err)
{
    (void)only_zlib;
    struct lz4 *z = calloc(1, sizeof *z);
    if (!z || LZ4F_isError(LZ4F_createDecompressionContext(&z->d, LZ4F_VERSION))) {
        free(z);
        return tr_fail_memory(err);
    }
    z->src = src;
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
    z->place = START;
}

/* Begin a frame.  One that is cut within its first bytes is found to be so later. */
static enum tr_status start_frame(struct lz4 *z, struct tr_error *err)
{
    enum tr_status st = tr__peek_fill(z->src, FLAGS_AT + 1, err);
    bool sums = st == TR_OK && tr__peek_avail(z->src) > FLAGS_AT && tr__peek_data(z->src)[FLAGS_AT] & BLOCK_CHECKSUMS;
    z->place = INSIDE;
    z->pending = false;
    z->hint = FRAME_START;
    z->extra = sums ? BLOCK_HEADER + CHECKSUM : BLOCK_HEADER;
    return st == TR_END ? TR_OK : st;
}

/*
 * How many bytes to hand over at once.  LZ4F's hint covers a block and the header after it (and,
 * where a part of the block has been handed over, its checksum twice).  A fault in that header
 * would cost the block, because LZ4F returns no bytes together with an error.
 */
static size_t portion(const struct lz4 *z)
{
    size_t want = z->hint;
    if (want > z->extra)
        want -= z->extra;
    else if (want > BLOCK_HEADER)
        want -= BLOCK_HEADER;
    size_t avail = tr__peek_avail(z->src);
    if (z->pending)
        return 0;
    return want < avail ? want : avail;
}

static enum tr_status lz4_read(void *state, void *buf, size_t cap, size_t *got,
                               struct tr_error *err)
{
    struct lz4 *z = state;
    *got = 0;
    for (;;) {
        enum tr_status st = TR_OK;
        if (z->place == AFTER && (st = tr__next_member(z->src, &tr__codec_lz4, err)) != TR_OK)
            return st;
        if (z->place != INSIDE && (st = start_frame(z, err)) != TR_OK)
            return st;
        if (!z->pending)
            st = tr__peek_fill(z->src, 1, err);
        if (st == TR_END)
            return tr__peek_cut(z->src, "lz4", err);
        if (st != TR_OK)
            return st;
        size_t n = portion(z), made = cap;
        size_t rc = LZ4F_decompress(z->d, buf, &made, tr__peek_data(z->src), &n, NULL);
        if (LZ4F_isError(rc)) {
            tr_error_place(err, "compressed byte %llu", (unsigned long long)z->src->at);
            return tr_fail(err, TR_DAMAGED, "damaged lz4 data (%s)", LZ4F_getErrorName(rc));
        }
        tr__peek_use(z->src, (ptrdiff_t)n);
        z->hint = rc;
        z->pending = made == cap;
        z->place = rc ? INSIDE : AFTER;
        *got = made;
        if (made)
            return TR_OK;
    }
}

static bool lz4_magic(const unsigned char *p, size_t n)
{
    return tr__magic_is(p, n, LZ4_MAGIC, UINT32_MAX) ||
           tr__magic_is(p, n, SKIPPABLE_MAGIC, 0xfffffff0u);
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
    .read = lz4_read,
    .magic = lz4_magic,
    .starts = lz4_starts,
    .restart = lz4_restart,
    .close = lz4_close,
};
