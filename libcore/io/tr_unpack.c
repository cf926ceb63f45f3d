/* SPDX-License-Identifier: MIT */
/* Decompresses bytes in memory, for formats that have compressed parts. */
#include "io/tr_unpack.h"

#include "io/tr_decoder.h"

#include <stdlib.h>
#include <string.h>

#define STEP ((size_t)64 << 10)

struct memory {
    const unsigned char *p, *end;
};

static enum tr_status read_memory(void *self, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    struct memory *m = self;
    (void)err;
    *got = (size_t)(m->end - m->p) < cap ? (size_t)(m->end - m->p) : cap;
    if (!*got)
        return TR_END;
    memcpy(buf, m->p, *got);
    m->p += *got;
    return TR_OK;
}

enum tr_status tr_unpack(const void *p, size_t n, size_t max, struct tr_buf *out, struct tr_error *err)
{
    struct memory m = { .p = p, .end = n ? (const unsigned char *)p + n : p };
    struct tr__decoder d = { .src = { .read = read_memory, .self = &m } };
    size_t got, before = out->len;
    enum tr_status st = tr__decoder_open(&d, false, false, err);
    while (st == TR_OK) {
        if (!tr_buf_reserve(out, STEP)) {
            st = tr_fail_memory(err);
        } else if ((st = tr__decoder_read(&d, out->data + out->len, STEP, &got, err)) == TR_OK) {
            out->len += got;
            if (out->len - before > max)
                st = tr_fail(err, TR_DAMAGED, "it makes more than %zu bytes", max);
        }
    }
    tr__decoder_close(&d);
    return st == TR_END ? TR_OK : st;
}

/* ---- in parts ---- */

struct tr_unpacker {
    struct memory m;
    struct tr__decoder d;
};

struct tr_unpacker *tr_unpacker_new(const void *p, size_t n, struct tr_error *err)
{
    struct tr_unpacker *u = calloc(1, sizeof *u);
    if (!u) {
        tr_fail_memory(err);
        return NULL;
    }
    u->m = (struct memory){ .p = p, .end = n ? (const unsigned char *)p + n : p };
    u->d.src = (struct tr__peek){ .read = read_memory, .self = &u->m, .small = true };
    enum tr_status st = tr__decoder_open(&u->d, false, false, err);
    if (st == TR_SYSTEM) {
        tr_unpacker_free(u);
        return NULL;
    }
    if (st != TR_OK) {
        u->d.done = st;
        u->d.why = *err;
    }
    return u;
}

enum tr_status tr_unpacker_read(struct tr_unpacker *u, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    enum tr_status st = tr__decoder_read(&u->d, buf, cap, got, err);
    return st == TR_END && u->d.src.trailing ? tr_fail(err, TR_DAMAGED, "bytes follow its end") : st;
}

void tr_unpacker_free(struct tr_unpacker *u)
{
    if (u)
        tr__decoder_close(&u->d);
    free(u);
}
