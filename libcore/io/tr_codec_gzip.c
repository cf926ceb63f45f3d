/* SPDX-License-Identifier: MIT */
/* gzip (RFC 1952, any number of members) and zlib (RFC 1950). */
#include "io/tr_codec.h"
#include "io/tr_inflate.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FTEXT = 1, FHCRC = 2, FEXTRA = 4, FNAME = 8, FCOMMENT = 16, FRESERVED = 0xe0 };
enum { GZIP_HEADER = 10, GZIP_TRAILER = 8, ZLIB_HEADER = 2, ZLIB_TRAILER = 4 };

#define TRIAL_OUT ((size_t)16 << 10) /* this number of decoded bytes makes the start of a member credible */

struct gz {
    struct tr__peek *src;
    struct tr__inflate *inflate;
    bool is_zlib;
    enum { HEADER, DATA, BROKEN, TRAILER, NEXT } state;
    uint32_t check; /* CRC-32 or Adler-32 of the member so far */
    uint32_t size;  /* its decoded bytes, modulo 2^32 */
    uint64_t start; /* where in the input it starts */
};

static uint32_t get_le32(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static enum tr_status open_any(void **state, struct tr__peek *src, bool only_zlib, bool is_zlib, struct tr_error *err)
{
    struct gz *g = calloc(1, sizeof *g);
    if (g)
        g->inflate = tr__inflate_new(only_zlib);
    if (!g || !g->inflate) {
        free(g);
        return tr_fail_memory(err);
    }
    g->src = src;
    g->is_zlib = is_zlib;
    *state = g;
    return TR_OK;
}

static enum tr_status gzip_open(void **state, struct tr__peek *src, bool only_zlib, struct tr_error *err)
{
    return open_any(state, src, only_zlib, false, err);
}

static enum tr_status zlib_open(void **state, struct tr__peek *src, bool only_zlib, struct tr_error *err)
{
    return open_any(state, src, only_zlib, true, err);
}

static void gz_close(void *state)
{
    struct gz *g = state;
    tr__inflate_free(g->inflate);
    free(g);
}

static void gz_restart(void *state)
{
    ((struct gz *)state)->state = HEADER;
}

static const char *name_of(const struct gz *g)
{
    return g->is_zlib ? "zlib" : "gzip";
}

static enum tr_status cut(struct gz *g, struct tr_error *err)
{
    return tr__peek_cut(g->src, name_of(g), err);
}

/* Make sure that n bytes are available, or fail because the data end too early. */
static enum tr_status need(struct gz *g, size_t n, struct tr_error *err)
{
    enum tr_status st = tr__peek_fill(g->src, n, err);
    if (st == TR_END || (st == TR_OK && tr__peek_avail(g->src) < n))
        return cut(g, err);
    return st;
}

static enum tr_status skip_string(struct gz *g, struct tr_error *err)
{
    enum tr_status st;
    unsigned char c;
    do {
        st = need(g, 1, err);
        if (st != TR_OK)
            return st;
        c = *tr__peek_data(g->src);
        tr__peek_use(g->src, 1);
    } while (c);
    return TR_OK;
}

static enum tr_status skip_gzip_header(struct gz *g, struct tr_error *err)
{
    enum tr_status st = need(g, GZIP_HEADER, err);
    if (st != TR_OK)
        return st;
    const unsigned char *p = tr__peek_data(g->src);
    unsigned flags = p[3];
    if (p[0] != 0x1f || p[1] != 0x8b || p[2] != Z_DEFLATED || flags & FRESERVED)
        return tr_fail(err, TR_DAMAGED, "gzip header with unknown method or flags");
    tr__peek_use(g->src, GZIP_HEADER);
    if (flags & FEXTRA) {
        if ((st = need(g, 2, err)) != TR_OK)
            return st;
        size_t n = tr__peek_data(g->src)[0] | (size_t)tr__peek_data(g->src)[1] << 8;
        tr__peek_use(g->src, 2);
        if (n && (st = need(g, n, err)) != TR_OK)
            return st;
        tr__peek_use(g->src, (ptrdiff_t)n);
    }
    if (flags & FNAME && (st = skip_string(g, err)) != TR_OK)
        return st;
    if (flags & FCOMMENT && (st = skip_string(g, err)) != TR_OK)
        return st;
    if (flags & FHCRC) {
        if ((st = need(g, 2, err)) != TR_OK)
            return st;
        tr__peek_use(g->src, 2);
    }
    return TR_OK;
}

static enum tr_status skip_header(struct gz *g, struct tr_error *err)
{
    enum tr_status st;
    g->start = g->src->at;
    if (g->is_zlib) {
        st = need(g, ZLIB_HEADER, err);
        if (st == TR_OK)
            tr__peek_use(g->src, ZLIB_HEADER);
    } else {
        st = skip_gzip_header(g, err);
    }
    tr__inflate_reset(g->inflate);
    g->check = g->is_zlib ? 1 : 0;
    g->size = 0;
    g->state = DATA;
    return st;
}

/* Damage in the middle of a member: let a search for the next one start inside it. */
static void step_back(struct gz *g)
{
    uint64_t inside = g->src->at - g->start;
    size_t history = tr__peek_history(g->src), back = TR__PEEK_HISTORY / 2;
    if (back > history)
        back = history;
    if (inside && back >= inside)
        back = (size_t)inside - 1;
    tr__peek_use(g->src, -(ptrdiff_t)back);
}

static enum tr_status broken(struct gz *g, struct tr_error *err)
{
    tr_error_place(err, "compressed byte %llu", (unsigned long long)g->src->at);
    step_back(g);
    return tr_fail(err, TR_DAMAGED, "damaged %s data", name_of(g));
}

static enum tr_status decode(struct gz *g, unsigned char *buf, size_t cap, size_t *got,
                             struct tr_error *err)
{
    struct tr__peek *src = g->src;
    enum tr_status st = tr__peek_fill(src, 1, err);
    bool last = src->ended != TR_OK;
    if (st != TR_OK && !last)
        return st;
    ptrdiff_t used;
    st = tr__inflate_run(g->inflate, tr__peek_data(src), tr__peek_avail(src), last, buf, cap, &used, got, err);
    tr__peek_use(src, used);
    if (*got && g->is_zlib)
        g->check = (uint32_t)adler32(g->check, buf, (uInt)*got); /* never more than fits */
    else if (*got)
        g->check = tr__inflate_crc32(g->inflate, g->check, buf, *got);
    g->size += (uint32_t)*got;
    if (st == TR_OK && !*got && last && !tr__peek_avail(src)) {
        st = cut(g, err);
        step_back(g);
        return st;
    }
    /* The end is reported after all bytes before it have been delivered. */
    if (st == TR_END)
        g->state = TRAILER;
    if (st == TR_DAMAGED)
        g->state = BROKEN;
    return st == TR_SYSTEM ? st : TR_OK;
}

static enum tr_status check_trailer(struct gz *g, struct tr_error *err)
{
    enum tr_status st = need(g, g->is_zlib ? ZLIB_TRAILER : GZIP_TRAILER, err);
    if (st != TR_OK)
        return st;
    const unsigned char *p = tr__peek_data(g->src);
    bool good;
    if (g->is_zlib)
        good = ((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]) ==
               g->check;
    else
        good = get_le32(p) == g->check && get_le32(p + 4) == g->size;
    if (!good)
        tr_error_place(err, "compressed byte %llu", (unsigned long long)g->src->at);
    tr__peek_use(g->src, g->is_zlib ? ZLIB_TRAILER : GZIP_TRAILER);
    g->state = NEXT;
    return good ? TR_OK
                : tr_fail(err, TR_DAMAGED, "checksum of the %s data does not agree", name_of(g));
}

static enum tr_status next(struct gz *g, struct tr_error *err)
{
    if (!g->is_zlib) {
        enum tr_status st = tr__next_member(g->src, &tr__codec_gzip, err);
        if (st == TR_OK)
            g->state = HEADER;
        return st;
    }
    enum tr_status st;
    while ((st = tr__peek_fill(g->src, 1, err)) == TR_OK) {
        g->src->trailing += tr__peek_avail(g->src);
        tr__peek_use(g->src, (ptrdiff_t)tr__peek_avail(g->src));
    }
    return st;
}

static enum tr_status gz_read(void *state, void *buf, size_t cap, size_t *got,
                              struct tr_error *err)
{
    struct gz *g = state;
    *got = 0;
    for (;;) {
        enum tr_status st = TR_OK;
        switch (g->state) {
        case HEADER:
            st = skip_header(g, err);
            break;
        case DATA:
            st = decode(g, buf, cap, got, err);
            if (*got)
                return st;
            break;
        case BROKEN:
            st = broken(g, err);
            break;
        case TRAILER:
            st = check_trailer(g, err);
            break;
        case NEXT:
            st = next(g, err);
            break;
        }
        if (st != TR_OK)
            return st;
    }
}

/*
 * Can a member at p be decoded as far as there are bytes, with its checksum?  The checksum of zlib data is not tested:
 * if data can be decoded to the end, they are zlib data.
 */
static bool try_inflate(const unsigned char *p, size_t n, bool is_zlib)
{
    z_stream z = { 0 };
    unsigned char out[1024];
    size_t made = 0;
    int rc = inflateInit2(&z, is_zlib ? -MAX_WBITS : MAX_WBITS + 16);
    if (rc != Z_OK)
        return false;
    if (is_zlib) {
        p += ZLIB_HEADER;
        n -= ZLIB_HEADER;
    }
    z.next_in = (z_const Bytef *)(uintptr_t)p; /* zlib does not write to it */
    z.avail_in = (uInt)n; /* the input's buffer is far smaller than that */
    while (rc == Z_OK && made < TRIAL_OUT) {
        z.next_out = out;
        z.avail_out = sizeof out;
        rc = inflate(&z, Z_NO_FLUSH);
        made += sizeof out - z.avail_out;
    }
    inflateEnd(&z);
    return rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR;
}

static bool gzip_magic(const unsigned char *p, size_t n)
{
    return tr__magic_is(p, n, 0x00088b1f, (uint32_t)FRESERVED << 24 | 0xffffff);
}

static bool gzip_starts(const unsigned char *p, size_t n)
{
    return n >= GZIP_HEADER && gzip_magic(p, n) && try_inflate(p, n, false);
}

static bool zlib_magic(const unsigned char *p, size_t n)
{
    return (p[0] & 0x0f) == Z_DEFLATED && p[0] >> 4 <= 7 &&
           (n < 2 || (!(p[1] & 0x20) && (p[0] * 256u + p[1]) % 31 == 0));
}

static bool zlib_starts(const unsigned char *p, size_t n)
{
    return n >= ZLIB_HEADER && zlib_magic(p, n) && try_inflate(p, n, true);
}

const struct tr__codec tr__codec_gzip = {
    .name = "gzip",
    .open = gzip_open,
    .read = gz_read,
    .magic = gzip_magic,
    .starts = gzip_starts,
    .restart = gz_restart,
    .close = gz_close,
};

const struct tr__codec tr__codec_zlib = {
    .name = "zlib",
    .open = zlib_open,
    .read = gz_read,
    .magic = zlib_magic,
    .starts = zlib_starts,
    .close = gz_close,
};
