/* SPDX-License-Identifier: MIT */
/*
 * Codecs of frames, LZ4 and zstd: one loop over frames and blocks.  After each call, the library gives a hint: the
 * number of bytes that it wants next.  Internal to io.
 *
 * The hint covers a block and the header after it.  A library returns no bytes together with an error, so a damaged
 * header would cost the block before it.  Therefore the header is passed in a separate call.
 */
#ifndef TR_CODEC_FRAMES_H
#define TR_CODEC_FRAMES_H

#include "io/tr_codec.h"

#define TR__SKIPPABLE      0x184d2a50u /* magic number of frames to skip in both formats, also the next 15 numbers */
#define TR__SKIPPABLE_MASK 0xfffffff0u

struct tr__frames {
    const struct tr__frame_ops *ops;
    struct tr__peek *src;
    size_t hint;   /* input that the library wants next */
    size_t header; /* of a block */
    size_t extra;  /* number of bytes by which the hint may go beyond the end of a block; at least header */
    bool pending;  /* the library may hold decoded bytes */
    enum { TR__FRAME_START, TR__FRAME_INSIDE, TR__FRAME_AFTER } place;
};

struct tr__frame_ops {
    const struct tr__codec *codec;
    /* The input is at the start of a frame: set the first hint, header and extra. */
    enum tr_status (*start)(struct tr__frames *f, struct tr_error *err);
    /* Decode at most *used bytes into at most *made bytes; both are set to the real numbers.  Returns NULL, or the
     * fault of the data. */
    const char *(*decode)(struct tr__frames *f, const void *in, size_t *used, void *out, size_t *made);
};

/* read of such a codec; its state starts with struct tr__frames. */
enum tr_status tr__frames_read(void *state, void *buf, size_t cap, size_t *got, struct tr_error *err);

#endif
