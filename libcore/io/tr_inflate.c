/* SPDX-License-Identifier: MIT */
/* The deflate decoder: ISA-L, and zlib if that is absent or fails. */
#include "io/tr_inflate.h"

#include "io/tr_inflate_isal.h"

#include <stdlib.h>
#include <zlib.h>

struct tr__inflate {
    struct tr__isal *isal; /* NULL: zlib does it all */
    z_stream zlib;
    bool zlib_open;
};

struct tr__inflate *tr__inflate_new(bool only_zlib)
{
    struct tr__inflate *z = calloc(1, sizeof *z);
    if (!z)
        return NULL;
    if (!only_zlib && tr__isal_new(&z->isal) != TR_OK) {
        free(z);
        return NULL;
    }
    if (z->isal)
        return z;
    if (inflateInit2(&z->zlib, -MAX_WBITS) != Z_OK) {
        free(z);
        return NULL;
    }
    z->zlib_open = true;
    return z;
}

void tr__inflate_free(struct tr__inflate *z)
{
    if (!z)
        return;
    tr__isal_free(z->isal);
    if (z->zlib_open)
        inflateEnd(&z->zlib);
    free(z);
}

void tr__inflate_reset(struct tr__inflate *z)
{
    if (z->isal)
        tr__isal_reset(z->isal);
    else
        inflateReset(&z->zlib);
}

enum tr_status tr__inflate_run(struct tr__inflate *z, const unsigned char *in, size_t n_in,
                               bool last, unsigned char *out, size_t cap, ptrdiff_t *used,
                               size_t *made, struct tr_error *err)
{
    if (z->isal)
        return tr__isal_run(z->isal, in, n_in, last, out, cap, used, made, err);
    size_t n;
    enum tr_status st = tr__zlib_run(&z->zlib, in, n_in, out, cap, &n, made, err);
    *used = (ptrdiff_t)n;
    return st;
}

uint32_t tr__inflate_crc32(const struct tr__inflate *z, uint32_t crc, const unsigned char *p, size_t n)
{
    if (z->isal)
        return tr__isal_crc32(z->isal, crc, p, n);
    while (n) {
        uInt k = n < UINT_MAX ? (uInt)n : UINT_MAX;
        crc = (uint32_t)crc32(crc, p, k);
        p += k;
        n -= k;
    }
    return crc;
}
