/* SPDX-License-Identifier: MIT */
/*
 * One layer of tr_bytes: an input, the decoder for its kind, and a peek buffer.
 * Internal to io.  A file has one layer, a member of an archive is a second one over the first.
 */
#ifndef TR_DECODER_H
#define TR_DECODER_H

#include "io/tr_codec.h"

struct tr__decoder {
    struct tr__peek src;
    const struct tr__codec *codec; /* NULL: bytes are passed on unchanged */
    void *state;
    enum tr_status done; /* TR_OK, or what every read returns from now on */
    struct tr_error why;
    unsigned char *peek; /* decoded and not yet consumed: peek[peek_at .. peek_len) */
    size_t peek_at, peek_len;
};

/* Set up a layer over an input; zero-initialise it, and set src.read and src.self, first. */
enum tr_status tr__decoder_open(struct tr__decoder *l, bool raw, bool only_zlib, struct tr_error *err);
void tr__decoder_close(struct tr__decoder *l); /* leaves it zeroed */

/* As tr_bytes_read, tr_bytes_peek, tr_bytes_resync. */
enum tr_status tr__decoder_read(struct tr__decoder *l, void *buf, size_t cap, size_t *got, struct tr_error *err);
enum tr_status tr__decoder_peek(struct tr__decoder *l, const unsigned char **p, size_t *n, size_t want,
                                struct tr_error *err);
enum tr_status tr__decoder_resync(struct tr__decoder *l, uint64_t *skipped, struct tr_error *err);

#endif
