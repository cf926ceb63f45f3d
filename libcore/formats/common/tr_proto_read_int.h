/* SPDX-License-Identifier: MIT */
/*
 * Protocol buffers on the wire: the fields of a message, one after the other, in place.  Internal to libcore.
 * Definition: the encoding of protocol buffers as published by its makers.
 *
 *     struct tr__proto m = tr__proto_of(bytes, n);
 *     while (tr__proto_next(&m))
 *         switch (m.field) ...
 *     if (m.bad) ...
 *
 * Nothing is copied, and nothing outside the message is read, even if its lengths are wrong.  Groups are obsolete, and
 * count as damage.
 */
#ifndef TR_PROTO_READ_INT_H
#define TR_PROTO_READ_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TR__WIRE_VARINT = 0, TR__WIRE_64 = 1, TR__WIRE_BYTES = 2, TR__WIRE_32 = 5 };

#define TR__PROTO_MAX_FIELD ((1u << 29) - 1)

struct tr__proto {
    const unsigned char *p, *end;
    const unsigned char *data; /* of TR__WIRE_BYTES: len of them */
    size_t len;
    uint64_t v;     /* of all others */
    uint32_t field; /* number of the field */
    uint8_t wire;   /* TR__WIRE_VARINT and the like */
    bool bad;       /* the rest is not a message */
};

static inline struct tr__proto tr__proto_of(const void *bytes, size_t n)
{
    const unsigned char *p = (const unsigned char *)bytes;
    return (struct tr__proto){ .p = p, .end = p ? p + n : p };
}

/* The message in the current field; an empty one if it has none. */
static inline struct tr__proto tr__proto_inner(const struct tr__proto *m)
{
    return m->wire == TR__WIRE_BYTES ? tr__proto_of(m->data, m->len) : tr__proto_of(NULL, 0);
}

static inline uint32_t tr__proto_fixed32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A varint of at most 10 bytes; NULL: it does not end before end.  Bits beyond 64 are ignored, as in all decoders. */
static inline const unsigned char *tr__proto_long_varint(const unsigned char *p, const unsigned char *end, uint64_t *v)
{
    uint64_t sum = 0;
    unsigned shift = 0;
    if (end - p >= 8) { /* eight bytes of seven bits each, joined in three steps */
        uint64_t w = (uint64_t)tr__proto_fixed32(p + 4) << 32 | tr__proto_fixed32(p), ends = ~w & 0x8080808080808080u;
        unsigned bits = ends ? (unsigned)__builtin_ctzll(ends) + 1 : 64;
        sum = bits < 64 ? w & ((UINT64_C(1) << bits) - 1) : w;
        sum = (sum & 0x007f007f007f007fu) | (sum & 0x7f007f007f007f00u) >> 1;
        sum = (sum & 0x00003fff00003fffu) | (sum & 0x3fff00003fff0000u) >> 2;
        sum = (sum & 0x000000000fffffffu) | (sum & 0x0fffffff00000000u) >> 4;
        if (ends) {
            *v = sum;
            return p + bits / 8;
        }
        p += 8;
        shift = 56;
    }
    for (; p < end && shift < 70; shift += 7) {
        unsigned char b = *p++;
        sum |= (uint64_t)(b & 127) << shift;
        if (b < 128) {
            *v = sum;
            return p;
        }
    }
    return NULL;
}

static inline const unsigned char *tr__proto_varint(const unsigned char *p, const unsigned char *end, uint64_t *v)
{
    if (p < end && *p < 128) { /* the most frequent case */
        *v = *p;
        return p + 1;
    }
    if (end - p >= 2 && p[1] < 128) { /* most lengths of messages */
        *v = (uint64_t)(p[0] & 127) | (uint64_t)p[1] << 7;
        return p + 2;
    }
    return tr__proto_long_varint(p, end, v);
}

/* Record that the rest is not a message. */
static inline bool tr__proto_fail(struct tr__proto *m)
{
    m->bad = true;
    return false;
}

/* The next field.  False: there is none, or the bytes are not a field (bad). */
static inline bool tr__proto_next(struct tr__proto *m)
{
    const unsigned char *p = m->p, *end = m->end;
    uint64_t key, v;
    if (p >= end || m->bad)
        return false;
    key = *p++;
    if (key >= 128) {
        if (p < end && *p < 128) /* two bytes, for fields from 16 to 2047 */
            key = (key & 127) | (uint64_t)*p++ << 7;
        else
            p = tr__proto_long_varint(p - 1, end, &key);
        if (!p || key >> 3 > TR__PROTO_MAX_FIELD)
            return tr__proto_fail(m);
    }
    m->field = (uint32_t)(key >> 3);
    m->wire = (uint8_t)(key & 7);
    m->len = 0;
    if (key < 8) /* there is no field 0 */
        return tr__proto_fail(m);
    if (m->wire == TR__WIRE_VARINT || m->wire == TR__WIRE_BYTES) {
        p = tr__proto_varint(p, end, &v);
        if (!p)
            return tr__proto_fail(m);
        m->v = v;
        if (m->wire == TR__WIRE_BYTES) {
            if (v > (uint64_t)(end - p))
                return tr__proto_fail(m);
            m->data = p;
            m->len = (size_t)v;
            p += v;
        }
    } else {
        size_t size = m->wire == TR__WIRE_64 ? 8 : 4;
        if ((m->wire != TR__WIRE_64 && m->wire != TR__WIRE_32) || (size_t)(end - p) < size)
            return tr__proto_fail(m);
        m->v = size == 8 ? (uint64_t)tr__proto_fixed32(p + 4) << 32 | tr__proto_fixed32(p) : tr__proto_fixed32(p);
        p += size;
    }
    m->p = p;
    return true;
}

/* Is the field at p one of short bytes, with this number below 16? */
static inline bool tr__proto_is_short(const unsigned char *p, const unsigned char *end, unsigned field)
{
    return end - p >= 2 && p[0] == (field << 3 | TR__WIRE_BYTES) && p[1] < 128 && p[1] <= end - p - 2;
}

/* Is the next field one of short bytes, with this number below 16?  Then take it like tr__proto_next. */
static inline bool tr__proto_short(struct tr__proto *m, unsigned field)
{
    const unsigned char *p = m->p;
    if (!tr__proto_is_short(p, m->end, field))
        return false;
    m->data = p + 2;
    m->len = p[1];
    m->p = p + 2 + p[1];
    return true;
}

/*
 * Take a number or bytes at *p, after the key of their field, without a struct tr__proto: for the few fields that
 * nearly all messages have.  False: they do not end before end.
 */
static inline bool tr__proto_take(const unsigned char **p, const unsigned char *end, uint64_t *v)
{
    return (*p = tr__proto_varint(*p, end, v)) != NULL;
}

static inline bool tr__proto_take_bytes(const unsigned char **p, const unsigned char *end, const unsigned char **data,
                                        size_t *len)
{
    uint64_t v;
    if (!tr__proto_take(p, end, &v) || v > (uint64_t)(end - *p))
        return false;
    *data = *p;
    *len = (size_t)v;
    *p += v;
    return true;
}

#define TR__PROTO_KEY(field, wire) ((field) << 3 | (wire))

/* The field as an int64, a double, or any number that is not a text. */
static inline int64_t tr__proto_int(const struct tr__proto *m)
{
    return (int64_t)m->v;
}

static inline double tr__proto_real(const struct tr__proto *m)
{
    double v;
    float f;
    uint32_t bits = (uint32_t)m->v;
    if (m->wire == TR__WIRE_32) {
        memcpy(&f, &bits, sizeof f);
        return (double)f;
    }
    memcpy(&v, &m->v, sizeof v);
    return v;
}

/* Is the field of this number and wire type? */
static inline bool tr__proto_is(const struct tr__proto *m, uint32_t field, unsigned wire)
{
    return m->field == field && m->wire == wire;
}

/* The next element of a repeated number, packed in one field or in a separate one.  At the start, *p is NULL. */
static inline bool tr__proto_element(const struct tr__proto *m, const unsigned char **p, unsigned wire, uint64_t *v)
{
    if (m->wire != TR__WIRE_BYTES) {
        bool first = *p == NULL && m->wire == wire;
        *p = m->end;
        *v = m->v;
        return first;
    }
    const unsigned char *at = *p ? *p : m->data, *end = m->data + m->len;
    if (at >= end)
        return false;
    if (wire == TR__WIRE_VARINT)
        at = tr__proto_varint(at, end, v);
    else if (end - at < 8)
        at = NULL;
    else
        for (unsigned i = (unsigned)(*v = 0); i < 64; i += 8)
            *v |= (uint64_t)*at++ << i;
    *p = at;
    return at != NULL;
}

#endif
