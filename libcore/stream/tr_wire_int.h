/* SPDX-License-Identifier: MIT */
/*
 * Numbers as bytes: little-endian integers of fixed width, and varints.  Internal to libcore.
 *
 * A varint holds 7 bits per byte, lowest first, with the top bit set in all but the last byte; it
 * is as short as possible.  Signed values are folded first: 0, -1, 1, -2 become 0, 1, 2, 3.
 *
 * Writing and reading do not report a failure at each step.  They set out.failed (out of memory) or in.bad (malformed;
 * all later values are 0), and the caller checks this once, at the end.
 */
#ifndef TR_WIRE_INT_H
#define TR_WIRE_INT_H

#include "base/tr_mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* These use shifts, for both byte orders; compilers make one load or store of them. */
static inline uint16_t tr__get16(const unsigned char *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t tr__get32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t tr__get64(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

static inline void tr__put16(unsigned char *p, uint16_t v)
{
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
}

static inline void tr__put32(unsigned char *p, uint32_t v)
{
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
    p[2] = (unsigned char)(v >> 16);
    p[3] = (unsigned char)(v >> 24);
}

static inline void tr__put64(unsigned char *p, uint64_t v)
{
    tr__put32(p, (uint32_t)v);
    tr__put32(p + 4, (uint32_t)(v >> 32));
}

/* Fold the sign into the lowest bit, and back. */
static inline uint64_t tr__zigzag(int64_t v)
{
    return ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0);
}

static inline int64_t tr__unzigzag(uint64_t v)
{
    return (int64_t)((v >> 1) ^ (0 - (v & 1)));
}

struct tr__out {
    struct tr_buf *buf;
    bool failed;
};

static inline void tr__out_bytes(struct tr__out *o, const void *bytes, size_t n)
{
    if (!tr_buf_add(o->buf, bytes, n))
        o->failed = true;
}

static inline void tr__out_u8(struct tr__out *o, uint8_t v)
{
    tr__out_bytes(o, &v, 1);
}

static inline void tr__out_u64(struct tr__out *o, uint64_t v)
{
    unsigned char b[8];
    tr__put64(b, v);
    tr__out_bytes(o, b, 8);
}

static inline void tr__out_varint(struct tr__out *o, uint64_t v)
{
    unsigned char b[10];
    size_t n = 0;
    for (; v >= 128; v >>= 7)
        b[n++] = (unsigned char)(v | 128);
    b[n++] = (unsigned char)v;
    tr__out_bytes(o, b, n);
}

static inline void tr__out_signed(struct tr__out *o, int64_t v)
{
    tr__out_varint(o, tr__zigzag(v));
}

/* The number of a string, or TR_NO_STR: one more than the number, so TR_NO_STR is 0. */
static inline void tr__out_ref(struct tr__out *o, uint32_t v)
{
    tr__out_varint(o, (uint32_t)(v + 1));
}

struct tr__in {
    const unsigned char *p, *end;
    bool bad;
};

static inline size_t tr__in_left(const struct tr__in *in)
{
    return (size_t)(in->end - in->p);
}

/* The next n bytes, or NULL. */
static inline const unsigned char *tr__in_bytes(struct tr__in *in, size_t n)
{
    if (in->bad || n > tr__in_left(in)) {
        in->bad = true;
        return NULL;
    }
    const unsigned char *p = in->p;
    in->p += n;
    return p;
}

static inline uint8_t tr__in_u8(struct tr__in *in)
{
    const unsigned char *p = tr__in_bytes(in, 1);
    return p ? *p : 0;
}

static inline uint64_t tr__in_u64(struct tr__in *in)
{
    const unsigned char *p = tr__in_bytes(in, 8);
    return p ? tr__get64(p) : 0;
}

static inline uint64_t tr__in_varint(struct tr__in *in)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t b = tr__in_u8(in);
        if (shift == 63 && b > 1)
            break; /* beyond 64 bits */
        v |= (uint64_t)(b & 127) << shift;
        if (b < 128) {
            if (b == 0 && shift > 0)
                break; /* not as short as possible */
            return in->bad ? 0 : v;
        }
    }
    in->bad = true;
    return 0;
}

/* A varint that has to be at most max. */
static inline uint64_t tr__in_max(struct tr__in *in, uint64_t max)
{
    uint64_t v = tr__in_varint(in);
    if (v > max) {
        in->bad = true;
        return 0;
    }
    return v;
}

/* The same for a size of what is in memory. */
static inline size_t tr__in_size(struct tr__in *in, size_t max)
{
    return (size_t)tr__in_max(in, max);
}

static inline int64_t tr__in_signed(struct tr__in *in)
{
    return tr__unzigzag(tr__in_varint(in));
}

/* A reference to one of n strings, or to none. */
static inline uint32_t tr__in_ref(struct tr__in *in, size_t n)
{
    return (uint32_t)tr__in_max(in, n) - 1;
}

#endif
