/* SPDX-License-Identifier: MIT */
/*
 * Numbers of 128 bits, as two halves: not every compiler has them, and none has them for 32-bit processors.
 *
 *     uint64_t rest;
 *     struct tr_u128 q = tr_u128_div(tr_u128_mul(cycles, 1000000000), hz, &rest);     cycles * 1e9 / hz, exactly
 *
 * A name with u128 takes or gives numbers without a sign, one with i128 two's complement; what is beyond 128 bits is
 * cut off.  Where the compiler has such numbers, they do the products and quotients; the results are the same.
 */
#ifndef TR_INT128_H
#define TR_INT128_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_u128 {
    uint64_t hi, lo;
};

static inline struct tr_u128 tr_u128_add(struct tr_u128 a, struct tr_u128 b)
{
    struct tr_u128 r = { a.hi + b.hi, a.lo + b.lo };
    r.hi += r.lo < a.lo;
    return r;
}

/* 0 - a.  The size of a negative number, too: its bits without a sign. */
static inline struct tr_u128 tr_i128_negate(struct tr_u128 a)
{
    struct tr_u128 r = { ~a.hi, 0 - a.lo };
    r.hi += a.lo == 0;
    return r;
}

static inline struct tr_u128 tr_i128_sub(struct tr_u128 a, struct tr_u128 b)
{
    return tr_u128_add(a, tr_i128_negate(b));
}

static inline struct tr_u128 tr_i128_of(int64_t v)
{
    struct tr_u128 r = { v < 0 ? UINT64_MAX : 0, (uint64_t)v };
    return r;
}

static inline bool tr_i128_is_negative(struct tr_u128 a)
{
    return a.hi >> 63 != 0;
}

/* Less than 0, 0, more than 0: a is less than, equal to, more than b. */
static inline int tr_i128_cmp(struct tr_u128 a, struct tr_u128 b)
{
    int64_t x = (int64_t)a.hi, y = (int64_t)b.hi;
    return x != y ? (x > y) - (x < y) : (a.lo > b.lo) - (a.lo < b.lo);
}

/* The product of two numbers, in pieces of 32 bits. */
static inline struct tr_u128 tr_u128_mul_pieces(uint64_t a, uint64_t b)
{
    uint64_t ah = a >> 32, al = (uint32_t)a, bh = b >> 32, bl = (uint32_t)b;
    uint64_t low = al * bl, mid1 = ah * bl + (low >> 32), mid2 = al * bh + (uint32_t)mid1;
    struct tr_u128 r = { ah * bh + (mid1 >> 32) + (mid2 >> 32), (mid2 << 32) | (uint32_t)low };
    return r;
}

/* a / d and its rest, bit by bit; d is not 0. */
static inline struct tr_u128 tr_u128_div_bits(struct tr_u128 a, uint64_t d, uint64_t *rest)
{
    struct tr_u128 q = { a.hi / d, 0 };
    uint64_t r = a.hi % d;
    if (!r) {
        q.lo = a.lo / d;
        *rest = a.lo % d;
        return q;
    }
    for (unsigned i = 64; i-- > 0;) {
        bool over = r >> 63 != 0; /* the rest needs 65 bits for a moment */
        r = r << 1 | (a.lo >> i & 1);
        if (over || r >= d) {
            r -= d;
            q.lo |= UINT64_C(1) << i;
        }
    }
    *rest = r;
    return q;
}

#if defined __SIZEOF_INT128__
static inline struct tr_u128 tr_u128_mul(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 u128;
    u128 m = (u128)a * b;
    struct tr_u128 r = { (uint64_t)(m >> 64), (uint64_t)m };
    return r;
}

static inline struct tr_u128 tr_u128_div(struct tr_u128 a, uint64_t d, uint64_t *rest)
{
    __extension__ typedef unsigned __int128 u128;
    u128 n = (u128)a.hi << 64 | a.lo, q = n / d;
    struct tr_u128 r = { (uint64_t)(q >> 64), (uint64_t)q };
    *rest = a.lo - r.lo * d;
    return r;
}
#else
static inline struct tr_u128 tr_u128_mul(uint64_t a, uint64_t b)
{
    return tr_u128_mul_pieces(a, b);
}

static inline struct tr_u128 tr_u128_div(struct tr_u128 a, uint64_t d, uint64_t *rest)
{
    return tr_u128_div_bits(a, d, rest);
}
#endif

/* a * n; of a negative a, too. */
static inline struct tr_u128 tr_u128_times(struct tr_u128 a, uint64_t n)
{
    struct tr_u128 r = tr_u128_mul(a.lo, n);
    r.hi += a.hi * n; /* two's complement: the part cut off is only the sign */
    return r;
}

static inline struct tr_u128 tr_i128_mul(int64_t a, int64_t b)
{
    struct tr_u128 r = tr_u128_mul(a < 0 ? 0 - (uint64_t)a : (uint64_t)a, b < 0 ? 0 - (uint64_t)b : (uint64_t)b);
    return (a < 0) != (b < 0) ? tr_i128_negate(r) : r;
}

/* The nearest double; of two that are equally near, the even one. */
static inline double tr_i128_double(struct tr_u128 a)
{
    bool minus = tr_i128_is_negative(a);
    struct tr_u128 size = minus ? tr_i128_negate(a) : a;
    int shift = 0;
    for (; size.hi; shift++) { /* what is cut off remains as one bit, so that halves are known as such */
        size.lo = size.lo >> 1 | size.hi << 63 | (size.lo & 1);
        size.hi >>= 1;
    }
    double v = shift ? ldexp((double)size.lo, shift) : (double)size.lo;
    return minus ? -v : v;
}

#ifdef __cplusplus
}
#endif
#endif
