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

static inline bool tr__proto_varint(struct tr_buf *b, uint64_t v)
{
    unsigned char bytes[10];
    size_t n = 0;
    for (; v >= 0x80; v >>= 7)
        bytes[n++] = (unsigned char)(v | 0x80);
    bytes[n++] = (unsigned char)v;
    return tr_buf_add(b, bytes, n);
}

/* uint64, bool, enumerations, and int32 or int64 with their sign extended. */
static inline bool tr__proto_u64(struct tr_buf *b, unsigned field, uint64_t v)
{
    return tr__proto_varint(b, (uint64_t)field << 3) && tr__proto_varint(b, v);
}

static inline bool tr__proto_fixed64(struct tr_buf *b, unsigned field, uint64_t v)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(v >> (8 * i));
    return tr__proto_varint(b, (uint64_t)field << 3 | 1) && tr_buf_add(b, bytes, 8);
}

static inline bool tr__proto_double(struct tr_buf *b, unsigned field, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return tr__proto_fixed64(b, field, bits);
}

/* Strings and messages. */
static inline bool tr__proto_bytes(struct tr_buf *b, unsigned field, const void *p, size_t n)
{
    return tr__proto_varint(b, (uint64_t)field << 3 | 2) && tr__proto_varint(b, n) && tr_buf_add(b, p, n);
}

static inline bool tr__proto_message(struct tr_buf *b, unsigned field, const struct tr_buf *m)
{
    return tr__proto_bytes(b, field, m->data, m->len);
}

#endif
