/* SPDX-License-Identifier: MIT */
/* A buffer over a descriptor or an archive member, for bytes that are examined before they are used. */
#include "io/tr_peek_buffer.h"

#include <stdlib.h>
#include <string.h>

void tr__peek_use(struct tr__peek *s, ptrdiff_t n)
{
    s->pos = (size_t)((ptrdiff_t)s->pos + n);
    s->at += (uint64_t)(int64_t)n;
}

static enum tr_status how_it_ended(const struct tr__peek *s, struct tr_error *err)
{
    if (err && s->ended != TR_END)
        *err = s->why;
    return s->ended;
}

enum tr_status tr__peek_fill(struct tr__peek *s, size_t want, struct tr_error *err)
{
    if (!s->buf) {
        s->buf = malloc(TR__PEEK_HISTORY + TR__PEEK_CHUNK);
        if (!s->buf)
            return tr_fail_memory(err);
    }
    while (tr__peek_avail(s) < want && s->ended == TR_OK) {
        size_t cap = TR__PEEK_HISTORY + TR__PEEK_CHUNK;
        if (cap - s->len < s->chunk / 2 && s->pos > TR__PEEK_HISTORY) {
            size_t drop = s->pos - TR__PEEK_HISTORY;
            memmove(s->buf, s->buf + drop, s->len - drop);
            s->pos -= drop;
            s->len -= drop;
        }
        size_t room = cap - s->len, got;
        s->why = (struct tr_error)TR_ERROR_INIT;
        s->ended = s->read(s->self, s->buf + s->len, room < s->chunk ? room : s->chunk, &got,
                           &s->why);
        s->len += got;
    }
    return tr__peek_avail(s) ? TR_OK : how_it_ended(s, err);
}

enum tr_status tr__peek_read(struct tr__peek *s, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    size_t n = tr__peek_avail(s);
    *got = n < cap ? n : cap;
    if (n) {
        memcpy(buf, tr__peek_data(s), *got);
        tr__peek_use(s, (ptrdiff_t)*got);
    } else if (s->ended == TR_OK) {
        s->why = (struct tr_error)TR_ERROR_INIT;
        s->ended = s->read(s->self, buf, cap, got, &s->why);
        s->at += *got;
    }
    return *got ? TR_OK : how_it_ended(s, err);
}

bool tr__peek_skip(struct tr__peek *s, uint64_t n)
{
    size_t have = tr__peek_avail(s), unread = n < have ? (size_t)n : have;
    if (n > have && (s->ended != TR_OK || !s->skip || !s->skip(s->self, n - have)))
        return false;
    tr__peek_use(s, (ptrdiff_t)unread);
    s->at += n - unread;
    return true;
}

enum tr_status tr__peek_cut(const struct tr__peek *s, const char *codec, struct tr_error *err)
{
    if (s->ended != TR_OK && s->ended != TR_END)
        return how_it_ended(s, err);
    tr_error_place(err, "compressed byte %llu", (unsigned long long)s->at + tr__peek_avail(s));
    return tr_fail(err, TR_DAMAGED, "%s data end too early", codec);
}

void tr__peek_free(struct tr__peek *s)
{
    free(s->buf);
    s->buf = NULL;
    s->pos = s->len = 0;
}
