/* SPDX-License-Identifier: MIT */
/*
 * A buffer of compressed bytes over a descriptor or an archive member.  Internal to io.
 *
 * The unread bytes are buf[pos .. len).  Decoders use them and move pos by tr__peek_use.  Up to TR__PEEK_HISTORY bytes
 * before pos stay in the buffer: a decoder that reads ahead can give bytes back, and the search for an intact member
 * can start before the place of the damage.
 */
#ifndef TR_PEEK_BUFFER_H
#define TR_PEEK_BUFFER_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR__PEEK_HISTORY ((size_t)64 << 10)
#define TR__PEEK_CHUNK   ((size_t)512 << 10)

struct tr__peek {
    /* Returns TR_OK with *got > 0, TR_END, or a failure, as tr_read_some. */
    enum tr_status (*read)(void *self, void *buf, size_t cap, size_t *got, struct tr_error *err);
    bool (*skip)(void *self, uint64_t n); /* as tr__peek_skip; NULL: never possible */
    void *self;
    unsigned char *buf;
    size_t pos, len;
    size_t chunk;           /* number of bytes of one read */
    bool small;             /* the decoder must not need more than some MiB of memory */
    uint64_t at;            /* offset of buf[pos] in the input */
    uint64_t trailing;      /* number of bytes after the last compressed member that belong to no member */
    enum tr_status ended;   /* TR_OK while there may be more bytes; TR_END, or the failure that ended the input */
    struct tr_error why;    /* the reason of a failure */
};

static inline const unsigned char *tr__peek_data(const struct tr__peek *s)
{
    return s->buf + s->pos;
}

static inline size_t tr__peek_avail(const struct tr__peek *s)
{
    return s->len - s->pos;
}

/* Move forward over n unread bytes, or backward (n < 0) within the history. */
void tr__peek_use(struct tr__peek *s, ptrdiff_t n);

/* The number of bytes that can be given back. */
static inline size_t tr__peek_history(const struct tr__peek *s)
{
    return s->pos;
}

/*
 * Read until at least want (at most TR__PEEK_HISTORY) bytes are unread.
 * Returns TR_OK if there are that many, or if the input has ended and at least one byte is unread; otherwise, TR_END or
 * the failure that ended the input.
 */
enum tr_status tr__peek_fill(struct tr__peek *s, size_t want, struct tr_error *err);

/* Read bytes without decoding: the unread ones first, then from the input.  As tr_read_some. */
enum tr_status tr__peek_read(struct tr__peek *s, void *buf, size_t cap, size_t *got, struct tr_error *err);

/* Leave out the next n bytes without reading them.  False: that is not possible, and nothing has changed. */
bool tr__peek_skip(struct tr__peek *s, uint64_t n);

/* The status if compressed data end too early: TR_DAMAGED, or the failure of the input. */
enum tr_status tr__peek_cut(const struct tr__peek *s, const char *codec, struct tr_error *err);

void tr__peek_free(struct tr__peek *s); /* the buffer, not self */

#endif
