/* SPDX-License-Identifier: MIT */
/*
 * Codecs of frames, LZ4 and zstd: one loop over frames and blocks.  After each call, the library gives a hint: how many
 * bytes it wants next.  Internal to io.
 *
 * The hint covers a block and the header after it.  A library returns no bytes together with an error, so a damaged
 * header would cost the block before it.  Therefore the header is passed in a separate call.
 */
#ifndef TR_CODEC_FRAMES_H
#define TR_CODEC_FRAMES_H

#include "io/tr_codec.h"

#define TR__SKIPPABLE      0x184d2a50u /* magic number of a frame to skip, the same for both, and the 15 after it */
#define TR__SKIPPABLE_MASK 0xfffffff0u

struct tr__frames {
    const struct tr__frame_ops *ops;
    struct tr__peek *src;
    size_t hint;   /* input that the library wants next */
    size_t header; /* of a block */
    size_t extra;  /* what the hint may go beyond the end of a block; at least header */
    bool pending;  /* the library may hold decoded bytes */
    enum { TR__FRAME_START, TR__FRAME_INSIDE, TR__FRAME_AFTER } place;
};

struct tr__frame_ops {
    const struct tr__codec *codec;
    /* The input stands at the start of a frame: say the first hint, header and extra. */
    enum tr_status (*begin)(struct tr__frames *f, struct tr_error *err);
    /* Decode *used bytes into at most *made; both become what they were.  NULL, or what is wrong with the data. */
    const char *(*decode)(struct tr__frames *f, const void *in, size_t *used, void *out, size_t *made);
};

/* read of such a codec; its state begins with struct tr__frames. */
enum tr_status tr__frames_read(void *state, void *buf, size_t cap, size_t *got, struct tr_error *err);

#endif
