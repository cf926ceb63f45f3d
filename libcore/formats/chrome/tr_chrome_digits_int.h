/* SPDX-License-Identifier: MIT */
/*
 * Plain numbers of events, read in place.  Internal to libcore/formats/chrome.
 *
 * The digits are read here and not by tr_num_digits, which takes more instructions for a trace.  The result is the same
 * as by tokens; a test reads a table of numbers both ways.  Text is padded, so eight bytes can be loaded anywhere.
 */
#ifndef TR_CHROME_DIGITS_INT_H
#define TR_CHROME_DIGITS_INT_H

#include "base/tr_hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool tr__is_digit(char c)
{
    return (unsigned)(unsigned char)c - '0' < 10;
}

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The values of the digits at p, one in each byte, the first in the lowest; *n: how many there are, at most eight. */
static inline uint64_t tr__some_digits(const char *p, unsigned *n)
{
    const uint64_t x = tr_load64(p) ^ 0x3030303030303030u;
    const uint64_t others = (x | (x + 0x0606060606060606u)) & 0xf0f0f0f0f0f0f0f0u;
    *n = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
    return x;
}

/* The number with these eight digits. */
static inline uint64_t tr__join_digits(uint64_t x)
{
    x = x * 10 + (x >> 8); /* pairs of digits in every second byte */
    return ((x & 0xff000000ffu) * (100 + (UINT64_C(1000000) << 32)) +
            (x >> 16 & 0xff000000ffu) * (1 + (UINT64_C(10000) << 32))) >> 32;
}

/* The text after the digits at p, which are added to the number *v. */
static inline const char *tr__all_digits(const char *p, uint64_t *v)
{
    static const uint32_t power[8] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };
    unsigned n = 8;
    if (tr__is_digit(p[0]) && !tr__is_digit(p[1])) { /* as many numbers are */
        *v = *v * 10 + (unsigned)(p[0] - '0');
        return p + 1;
    }
    for (; n == 8; p += n) {
        uint64_t x = tr__some_digits(p, &n);
        if (n == 8)
            *v = *v * 100000000 + tr__join_digits(x);
        else if (n > 0)
            *v = *v * power[n] + tr__join_digits(x << (64 - 8 * n)); /* zeros come before them */
    }
    return p;
}

/*
 * Add a fraction of microseconds to *ns.  Returns the text after it, or NULL: it has no digits, more than 40, or others
 * than 0 after the third.
 */
static inline const char *tr__add_fraction(const char *p, uint64_t *ns)
{
    const char *from = p;
    unsigned n;
    uint64_t x = tr__some_digits(p, &n);
    if (n == 0)
        return NULL;
    if (n < 8)
        x &= (UINT64_C(1) << 8 * n) - 1;
    *ns += (x & 255) * 100 + (x >> 8 & 255) * 10 + (x >> 16 & 255);
    if (x >> 24)
        return NULL;
    p += n;
    if (n == 8)
        while (*p == '0')
            p++;
    return p - from > 40 || tr__is_digit(*p) ? NULL : p;
}
#else
static inline const char *tr__all_digits(const char *p, uint64_t *v)
{
    for (; tr__is_digit(*p); p++)
        *v = *v * 10 + (unsigned)(*p - '0');
    return p;
}

static inline const char *tr__add_fraction(const char *p, uint64_t *ns)
{
    const char *from = p;
    for (unsigned weight = 100; weight && tr__is_digit(*p); weight /= 10, p++)
        *ns += (unsigned)(*p - '0') * weight;
    while (*p == '0')
        p++;
    return p == from || p - from > 40 || tr__is_digit(*p) ? NULL : p;
}
#endif

struct tr__digits {
    uint64_t value;  /* of all digits, without the point */
    unsigned n_frac;
    bool neg, point;
};

/* How many of the n characters at p are digits after leading zeros? */
static inline unsigned tr__significant(const char *p, size_t n)
{
    unsigned count = 0;
    for (size_t i = 0; i < n; i++)
        if (p[i] != '.' && (count || p[i] != '0'))
            count++;
    return count;
}

/* A plain number: no exponent, no leading zeros, at most 19 significant digits.  NULL: not a plain number. */
static inline const char *tr__plain_number(const char *p, struct tr__digits *d)
{
    d->neg = *p == '-';
    p += d->neg;
    const char *from = p;
    uint64_t v = 0;
    p = tr__all_digits(p, &v);
    size_t n = (size_t)(p - from);
    if (n == 0 || n > 18 || (n > 1 && *from == '0'))
        return NULL;
    d->point = *p == '.';
    d->n_frac = 0;
    if (d->point) {
        const char *frac = ++p;
        p = tr__all_digits(p, &v);
        size_t nf = (size_t)(p - frac);
        if (nf == 0 || nf > 40 || (n + nf > 19 && tr__significant(from, n + nf + 1) > 19))
            return NULL; /* value would have overflowed */
        d->n_frac = (unsigned)nf;
    }
    if ((*p | 32) == 'e')
        return NULL;
    d->value = v;
    return p;
}

/*
 * A plain number of microseconds as nanoseconds, if it is exact.  Digits after the third of the fraction are zeros:
 * some profilers print times of this century with six.  NULL: not such a number.
 */
static inline const char *tr__plain_time(const char *p, int64_t *ns)
{
    bool neg = *p == '-';
    p += neg;
    const char *from = p;
    uint64_t v = 0;
    p = tr__all_digits(p, &v);
    size_t n = (size_t)(p - from);
    if (n == 0 || n > 18 || (n > 1 && *from == '0') || v >= (uint64_t)INT64_MAX / 1000)
        return NULL;
    v *= 1000;
    if (*p == '.' && !(p = tr__add_fraction(p + 1, &v)))
        return NULL;
    if ((*p | 32) == 'e')
        return NULL;
    *ns = neg ? -(int64_t)v : (int64_t)v;
    return p;
}

#endif
