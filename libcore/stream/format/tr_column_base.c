/* SPDX-License-Identifier: MIT */
/*
 * The encoding "base" between an array of elements and bytes, without a detour over 64-bit numbers:
 * one loop for each width of element and offset, simple enough for a compiler to make vectors of.
 */
#include "stream/format/tr_column_int.h"

#include "base/tr_wide_int.h"
#include "stream/tr_event.h"

#include <string.h>

/* The bytes of a number in memory as on the wire, and back; folded away by the compiler. */
static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static uint8_t wire8(uint8_t v)
{
    return v;
}

static uint16_t wire16(uint16_t v)
{
    return (uint16_t)(is_little_endian() ? v : v << 8 | v >> 8);
}

static uint32_t wire32(uint32_t v)
{
    return is_little_endian() ? v
                              : (uint32_t)wire16((uint16_t)v) << 16 | wire16((uint16_t)(v >> 16));
}

static uint64_t wire64(uint64_t v)
{
    return is_little_endian() ? v : (uint64_t)wire32((uint32_t)v) << 32 | wire32((uint32_t)(v >> 32));
}

/* put_E_O and get_E_O: elements of E bits, offsets of O bits; sums are modulo 2 to the E. */
#define DEFINE_PAIR(E, O)                                                                               \
    TR_WIDE_PART void put_##E##_##O(const uint##E##_t *v, size_t n, uint##E##_t base, unsigned char *p) \
    {                                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                                \
            uint##O##_t u = wire##O((uint##O##_t)(v[i] - base));                                        \
            memcpy(p + i * sizeof u, &u, sizeof u);                                                     \
        }                                                                                               \
    }                                                                                                   \
    TR_WIDE_PART void get_##E##_##O(const unsigned char *p, size_t n, uint##E##_t base, uint##E##_t *v) \
    {                                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                                \
            uint##O##_t u;                                                                              \
            memcpy(&u, p + i * sizeof u, sizeof u);                                                     \
            v[i] = (uint##E##_t)(wire##O(u) + base);                                                    \
        }                                                                                               \
    }

DEFINE_PAIR(8, 8)
DEFINE_PAIR(32, 8)
DEFINE_PAIR(32, 16)
DEFINE_PAIR(32, 32)
DEFINE_PAIR(64, 8)
DEFINE_PAIR(64, 16)
DEFINE_PAIR(64, 32)
DEFINE_PAIR(64, 64)

#define NO_VALUE ((uint64_t)TR_I64_NONE)
#define PIECE 512u /* entries that stay in the nearest cache */

TR_WIDE_PART void put64(const uint64_t *v, size_t n, uint64_t base, unsigned width, unsigned char *p)
{
    if (width == 1)
        put_64_8(v, n, base, p);
    else if (width == 2)
        put_64_16(v, n, base, p);
    else if (width == 4)
        put_64_32(v, n, base, p);
    else
        put_64_64(v, n, base, p);
}

TR_WIDE_PART void get64(const unsigned char *p, size_t n, uint64_t base, unsigned width, uint64_t *v)
{
    if (width == 1)
        get_64_8(p, n, base, v);
    else if (width == 2)
        get_64_16(p, n, base, v);
    else if (width == 4)
        get_64_32(p, n, base, v);
    else
        get_64_64(p, n, base, v);
}

/* Offset 0 stands for TR_TIME_NONE, the others count from 1. */
TR_WIDE_PART void put64_absent(const uint64_t *v, size_t n, uint64_t base, unsigned width,
                         unsigned char *p)
{
    uint64_t u[PIECE];
    for (size_t at = 0, m; at < n; at += m) {
        m = n - at < PIECE ? n - at : PIECE;
        for (size_t i = 0; i < m; i++)
            u[i] = v[at + i] == NO_VALUE ? 0 : v[at + i] - base + 1;
        put64(u, m, 0, width, p + at * width);
    }
}

TR_WIDE_PART void get64_absent(const unsigned char *p, size_t n, uint64_t base, unsigned width,
                         uint64_t *v)
{
    for (size_t at = 0, m; at < n; at += m) {
        m = n - at < PIECE ? n - at : PIECE;
        get64(p + at * width, m, 0, width, v + at);
        for (size_t i = at; i < at + m; i++)
            v[i] = v[i] ? base + v[i] - 1 : NO_VALUE;
    }
}

TR_WIDE
void tr__base_decode(const struct tr__column *c, const unsigned char *p, unsigned elem, void *to)
{
    uint64_t base = (uint64_t)c->base;
    if (elem == 8 && c->flags & TR_COLUMN_ABSENT)
        get64_absent(p, c->n, base, c->width, to);
    else if (elem == 8)
        get64(p, c->n, base, c->width, to);
    else if (elem == 1)
        get_8_8(p, c->n, (uint8_t)base, to);
    else if (c->width == 1)
        get_32_8(p, c->n, (uint32_t)base, to);
    else if (c->width == 2)
        get_32_16(p, c->n, (uint32_t)base, to);
    else
        get_32_32(p, c->n, (uint32_t)base, to);
}

/* ---- encoding ---- */

/* The smallest and the largest entry.  Two entries at a time, which do not depend on each other. */
TR_WIDE_PART void min_max64(const int64_t *v, size_t n, int64_t *min, int64_t *max)
{
    int64_t lo[2] = { INT64_MAX, INT64_MAX }, hi[2] = { INT64_MIN, INT64_MIN };
    for (size_t i = 0; i + 2 <= n; i += 2) {
        for (unsigned k = 0; k < 2; k++) {
            lo[k] = v[i + k] < lo[k] ? v[i + k] : lo[k];
            hi[k] = v[i + k] > hi[k] ? v[i + k] : hi[k];
        }
    }
    if (n % 2) {
        lo[0] = v[n - 1] < lo[0] ? v[n - 1] : lo[0];
        hi[0] = v[n - 1] > hi[0] ? v[n - 1] : hi[0];
    }
    *min = lo[0] < lo[1] ? lo[0] : lo[1];
    *max = hi[0] > hi[1] ? hi[0] : hi[1];
}

TR_WIDE
struct tr__extent tr__extent64(const int64_t *v, size_t n)
{
    struct tr__extent e = { .any = true };
    min_max64(v, n, &e.min, &e.max);
    e.absent = e.min == TR_I64_NONE; /* it is the smallest value */
    e.any = e.max != TR_I64_NONE;
    if (e.absent && e.any) {
        int64_t low = INT64_MAX; /* of entries less one, so that the absent are the largest */
        for (size_t i = 0; i < n; i++) {
            int64_t k = (int64_t)((uint64_t)v[i] - 1);
            low = k < low ? k : low;
        }
        e.min = low + 1;
    }
    return e;
}

/* With their sign, so that "no string" is -1. */
TR_WIDE
static struct tr__extent extent32(const uint32_t *v, size_t n)
{
    int32_t min = INT32_MAX, max = INT32_MIN;
    for (size_t i = 0; i < n; i++) {
        int32_t s = (int32_t)v[i];
        min = s < min ? s : min;
        max = s > max ? s : max;
    }
    return (struct tr__extent){ min, max, false, true };
}

TR_WIDE
static struct tr__extent extent8(const uint8_t *v, size_t n)
{
    uint8_t min = UINT8_MAX, max = 0;
    for (size_t i = 0; i < n; i++) {
        min = v[i] < min ? v[i] : min;
        max = v[i] > max ? v[i] : max;
    }
    return (struct tr__extent){ min, max, false, true };
}

bool tr__column_constant(struct tr__column *c, const struct tr__extent *e)
{
    if (e->min != e->max || (e->absent && e->any))
        return false;
    c->encoding = TR_ENC_CONSTANT;
    c->context = TR_CONTEXT_NONE;
    c->width = c->codec = c->flags = 0;
    c->stored = 0;
    c->base = e->min;
    return true;
}

/*
 * There is always room for one more offset, because TR_TIME_NONE is not between min and max.
 */
void tr__column_offsets(struct tr__column *c, const struct tr__extent *e)
{
    c->base = e->min;
    c->flags = e->absent ? TR_COLUMN_ABSENT : 0;
    c->width = (uint8_t)tr__bytes_for((uint64_t)e->max - (uint64_t)e->min + e->absent);
}

TR_WIDE
static void put(const struct tr__column *c, const void *v, size_t n, unsigned elem,
                unsigned char *p)
{
    uint64_t base = (uint64_t)c->base;
    if (elem == 8 && c->flags)
        put64_absent(v, n, base, c->width, p);
    else if (elem == 8)
        put64(v, n, base, c->width, p);
    else if (elem == 1)
        put_8_8(v, n, (uint8_t)base, p);
    else if (c->width == 1)
        put_32_8(v, n, (uint32_t)base, p);
    else if (c->width == 2)
        put_32_16(v, n, (uint32_t)base, p);
    else
        put_32_32(v, n, (uint32_t)base, p);
}

bool tr__base_encode(const void *v, size_t n, unsigned elem, struct tr__column *c,
                     struct tr_buf *out)
{
    struct tr__extent e = elem == 8 ? tr__extent64(v, n) : elem == 4 ? extent32(v, n) : extent8(v, n);
    c->n = (uint32_t)n;
    c->context = c->codec = 0;
    if (tr__column_constant(c, &e))
        return true;
    tr__column_offsets(c, &e);
    c->encoding = TR_ENC_BASE;
    c->width = (uint8_t)(c->width <= 2 ? c->width : c->width <= 4 ? 4 : 8);
    c->stored = (uint32_t)(n * c->width);
    if (!tr_buf_reserve(out, c->stored))
        return false;
    put(c, v, n, elem, out->data + out->len);
    out->len += c->stored;
    return true;
}
