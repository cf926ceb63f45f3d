/* SPDX-License-Identifier: MIT */
/* Exact decimal numbers. */
#include "lang/tr_lang_int.h"

#include "base/tr_num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FACTOR_DIGITS 18 /* the most digits of a factor */
/* Larger exponents are cut to this, which is larger than in any number of a trace. */
#define POINT_MAX 1000000

/* Set from digits, most significant first: 0.digits times 10^point. */
static bool set_digits(struct tr__num *a, bool neg, const char *digits, size_t n, int64_t point)
{
    while (n && *digits == '0') {
        digits++;
        n--;
        point--;
    }
    while (n && digits[n - 1] == '0')
        n--;
    if (n > TR__NUM_DIGITS)
        return false;
    for (size_t i = 0; i < n; i++)
        a->d[i] = (uint8_t)(digits[i] - '0');
    a->n = (int)n;
    a->neg = neg && n;
    if (point > POINT_MAX)
        point = POINT_MAX;
    if (point < -POINT_MAX)
        point = -POINT_MAX;
    a->point = n ? (int)point : 0;
    return true;
}

bool tr__num_parse(const char *s, size_t len, struct tr__num *out)
{
    char digits[512]; /* zeros at both ends included */
    struct tr_num_parts n;
    if (!len || s[0] == '+' || tr_num_scan(s, len) != len || !tr_num_split(&n, s, len) ||
        n.n_whole + n.n_fraction > sizeof digits)
        return false;
    memcpy(digits, n.whole, n.n_whole);
    if (n.n_fraction)
        memcpy(digits + n.n_whole, n.fraction, n.n_fraction);
    int64_t point = (int64_t)n.n_whole + tr_num_exponent(&n, 2 * POINT_MAX);
    return set_digits(out, n.minus, digits, n.n_whole + n.n_fraction, point);
}

void tr__num_from_u64(uint64_t v, struct tr__num *out)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%" PRIu64, v);
    set_digits(out, false, text, (size_t)n, n);
}

void tr__num_from_i64(int64_t v, struct tr__num *out)
{
    tr__num_from_u64(v < 0 ? 0 - (uint64_t)v : (uint64_t)v, out);
    out->neg = v < 0;
}

bool tr__num_times(struct tr__num *a, uint64_t factor)
{
    char digits[TR__NUM_DIGITS + FACTOR_DIGITS];
    uint64_t carry = 0;
    for (int i = a->n + FACTOR_DIGITS - 1; i >= 0; i--) {
        if (i >= FACTOR_DIGITS)
            carry += a->d[i - FACTOR_DIGITS] * factor;
        digits[i] = (char)('0' + carry % 10);
        carry /= 10;
    }
    return set_digits(a, a->neg, digits, (size_t)a->n + FACTOR_DIGITS, a->point + FACTOR_DIGITS);
}

static int cmp_magnitude(const struct tr__num *a, const struct tr__num *b)
{
    if (!a->n || !b->n)
        return (a->n != 0) - (b->n != 0);
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    int n = a->n < b->n ? a->n : b->n;
    int c = memcmp(a->d, b->d, (size_t)n);
    return c ? c : (a->n > b->n) - (a->n < b->n);
}

int tr__num_cmp(const struct tr__num *a, const struct tr__num *b)
{
    if (a->neg != b->neg)
        return a->neg ? -1 : 1;
    int c = cmp_magnitude(a, b);
    return a->neg ? -c : c;
}

double tr__num_double(const struct tr__num *a)
{
    char text[TR__NUM_DIGITS + 32];
    double v = 0;
    int at = 0;
    if (a->neg)
        text[at++] = '-';
    text[at++] = '0';
    for (int i = 0; i < a->n; i++)
        text[at++] = (char)('0' + a->d[i]);
    snprintf(text + at, sizeof text - (size_t)at, "e%d", a->point - a->n);
    tr_num_decimal(text, &v);
    return v;
}

int64_t tr__num_floor(const struct tr__num *a, bool *exact, int *cut)
{
    uint64_t mag = 0;
    const uint64_t limit = (uint64_t)INT64_MAX + (a->neg ? 1 : 0);
    *cut = 0;
    *exact = a->point >= a->n;
    for (int i = 0; i < a->point && a->n; i++) {
        unsigned d = i < a->n ? a->d[i] : 0;
        if (mag > (limit - d) / 10) {
            *cut = a->neg ? -1 : 1;
            return a->neg ? INT64_MIN : INT64_MAX;
        }
        mag = mag * 10 + d;
    }
    if (!a->neg)
        return (int64_t)mag;
    if (!*exact && mag == limit) {
        *cut = -1;
        return INT64_MIN;
    }
    mag += !*exact;
    return mag > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)mag;
}
