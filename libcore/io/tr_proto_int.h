/* SPDX-License-Identifier: MIT */
/*
 * Protocol buffers on the wire: fields of a message appended to a buffer.  Internal to libcore.
 * Definition: the encoding of protocol buffers as published by its makers (varint, 64-bit, length-delimited).
 * All return false when memory ran out.
 */
#ifndef TR_PROTO_INT_H
#define TR_PROTO_INT_H

#include "base/tr_mem.h"

#include <stdint.h>
#include <string.h>

#define TR__PROTO_MAX 20 /* bytes of a key and a varint, or of a key and a length */

/* Make room for n bytes; usually there is room already. */
static inline bool tr__proto_room(struct tr_buf *b, size_t n)
{
    return b->cap - b->len >= n || tr_buf_reserve(b, n);
}

static inline unsigned char *tr__proto_add(unsigned char *p, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        *p++ = (unsigned char)(v | 128);
    *p++ = (unsigned char)v;
    return p;
}

/* uint64, bool, enumerations, and int32 or int64 with their sign extended. */
static inline bool tr__proto_u64(struct tr_buf *b, unsigned field, uint64_t v)
{
    if (!tr__proto_room(b, TR__PROTO_MAX))
        return false;
    unsigned char *p = tr__proto_add(b->data + b->len, (uint64_t)field << 3);
    b->len = (size_t)(tr__proto_add(p, v) - b->data);
    return true;
}

static inline bool tr__proto_fixed64(struct tr_buf *b, unsigned field, uint64_t v)
{
    if (!tr__proto_room(b, TR__PROTO_MAX))
        return false;
    unsigned char *p = tr__proto_add(b->data + b->len, (uint64_t)field << 3 | 1);
    for (unsigned i = 0; i < 8; i++)
        *p++ = (unsigned char)(v >> (8 * i));
    b->len = (size_t)(p - b->data);
    return true;
}

static inline bool tr__proto_double(struct tr_buf *b, unsigned field, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return tr__proto_fixed64(b, field, bits);
}

/* Strings and messages. */
static inline bool tr__proto_bytes(struct tr_buf *b, unsigned field, const void *bytes, size_t n)
{
    if (n > SIZE_MAX - TR__PROTO_MAX || !tr__proto_room(b, n + TR__PROTO_MAX))
        return false;
    unsigned char *p = tr__proto_add(b->data + b->len, (uint64_t)field << 3 | 2);
    p = tr__proto_add(p, n);
    if (n)
        memcpy(p, bytes, n);
    b->len = (size_t)(p - b->data) + n;
    return true;
}

static inline bool tr__proto_message(struct tr_buf *b, unsigned field, const struct tr_buf *m)
{
    return tr__proto_bytes(b, field, m->data, m->len);
}

#endif
