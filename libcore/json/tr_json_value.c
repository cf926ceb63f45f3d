/* SPDX-License-Identifier: MIT */
/* Strings and numbers of JSON text. */
#include "json/tr_json.h"

#include "base/tr_num.h"

#include <math.h>
#include <string.h>

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four hexadecimal digits at p[0..n), or -1. */
static int32_t hex4(const char *p, size_t n)
{
    int32_t v = 0;
    if (n < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int h = hex_value(p[i]);
        if (h < 0)
            return -1;
        v = v * 16 + h;
    }
    return v;
}

static bool put_utf8(struct tr_buf *out, uint32_t c)
{
    unsigned char b[4];
    size_t n;
    if (c < 0x80) {
        b[0] = (unsigned char)c;
        n = 1;
    } else if (c < 0x800) {
        b[0] = (unsigned char)(0xc0 | c >> 6);
        b[1] = (unsigned char)(0x80 | (c & 0x3f));
        n = 2;
    } else if (c < 0x10000) {
        b[0] = (unsigned char)(0xe0 | c >> 12);
        b[1] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        b[2] = (unsigned char)(0x80 | (c & 0x3f));
        n = 3;
    } else {
        b[0] = (unsigned char)(0xf0 | c >> 18);
        b[1] = (unsigned char)(0x80 | (c >> 12 & 0x3f));
        b[2] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        b[3] = (unsigned char)(0x80 | (c & 0x3f));
        n = 4;
    }
    return tr_buf_add(out, b, n);
}

/* Decode the four digits of a Unicode escape at p (after the backslash and u); returns bytes used after them. */
static size_t put_unicode(const char *p, size_t n, int32_t c, struct tr_buf *out, unsigned *defects,
                          bool *ok)
{
    if (c >= 0xd800 && c <= 0xdbff && n >= 10 && p[4] == '\\' && p[5] == 'u') {
        int32_t low = hex4(p + 6, n - 6);
        if (low >= 0xdc00 && low <= 0xdfff) {
            *ok = put_utf8(out, 0x10000u + ((uint32_t)(c - 0xd800) << 10) + (uint32_t)(low - 0xdc00));
            return 10;
        }
    }
    if (c >= 0xd800 && c <= 0xdfff) {
        *defects |= TR_JSON_LONE_SURROGATE;
        c = 0xfffd;
    }
    *ok = put_utf8(out, (uint32_t)c);
    return 4;
}

bool tr_json_unescape(const char *p, size_t n, struct tr_buf *out, unsigned *defects)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *end = p + n;
    while (p < end) {
        const char *slash = memchr(p, '\\', (size_t)(end - p));
        size_t plain = (size_t)((slash ? slash : end) - p);
        if (!tr_buf_add(out, p, plain))
            return false;
        p += plain;
        if (p >= end)
            break;
        bool ok = true;
        char e = p + 1 < end ? p[1] : '\0';
        const char *known = e ? strchr(from, e) : NULL;
        int32_t c = e == 'u' ? hex4(p + 2, (size_t)(end - p - 2)) : -1;
        if (known) {
            ok = tr_buf_add(out, &to[known - from], 1);
            p += 2;
        } else if (c >= 0) {
            p += 2;
            p += put_unicode(p, (size_t)(end - p), c, out, defects, &ok);
        } else {
            *defects |= TR_JSON_BAD_ESCAPE;
            ok = tr_buf_add(out, p, 1);
            p++;
        }
        if (!ok)
            return false;
    }
    return true;
}

/* The parts of a number: value = digits[0..n_digits) * 10^-scale, without leading zeros. */
struct parts {
    bool neg, more; /* more: a digit that did not fit is not 0 */
    char digits[64]; /* the first digits; what does not fit is counted in n_digits only */
    size_t n_digits;
    int64_t scale;
};

static void take_digits(struct parts *out, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!out->n_digits && p[i] == '0')
            continue;
        if (out->n_digits < sizeof out->digits)
            out->digits[out->n_digits] = p[i];
        else
            out->more |= p[i] != '0';
        out->n_digits++;
    }
}

static bool take_apart(const char *p, size_t n, struct parts *out)
{
    struct tr_num_parts s;
    if (!tr_num_split(&s, p, n) || s.plus || s.minus_fraction)
        return false;
    out->neg = s.minus;
    out->more = false;
    out->n_digits = 0;
    take_digits(out, s.whole, s.n_whole);
    take_digits(out, s.fraction, s.n_fraction);
    out->scale = (int64_t)s.n_fraction - tr_num_exponent(&s, 10000000);
    return true;
}

static uint64_t digits_value(const struct parts *a, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++)
        v = v * 10 + (uint64_t)(a->digits[i] - '0');
    return v;
}

/* Drop zeros at the end and compare: do two texts denote the same number? */
static bool same_number(const struct parts *a, const struct parts *b)
{
    size_t na = a->n_digits, nb = b->n_digits;
    int64_t sa = a->scale, sb = b->scale;
    if (na > sizeof a->digits || nb > sizeof b->digits)
        return false;
    while (na && a->digits[na - 1] == '0') {
        na--;
        sa--;
    }
    while (nb && b->digits[nb - 1] == '0') {
        nb--;
        sb--;
    }
    return na == nb && !memcmp(a->digits, b->digits, na) && (na == 0 || (sa == sb && a->neg == b->neg));
}

/* Does a double give the number back when it is written as tr_json_add_double does? */
static bool as_double(const struct parts *a, double *out)
{
    char text[96];
    struct parts back;
    if (a->n_digits > 40 || a->scale > 400 || a->scale < -400)
        return false;
    size_t n = 0;
    if (a->neg)
        text[n++] = '-';
    memcpy(text + n, a->digits, a->n_digits);
    n += a->n_digits;
    if (a->n_digits == 0)
        text[n++] = '0';
    text[n++] = 'e';
    int64_t e = -a->scale;
    if (e < 0) {
        text[n++] = '-';
        e = -e;
    }
    char rev[24];
    size_t r = 0;
    do
        rev[r++] = (char)('0' + e % 10);
    while ((e /= 10) != 0);
    while (r)
        text[n++] = rev[--r];
    text[n] = '\0';
    if (!tr_num_decimal(text, out) || !isfinite(*out))
        return false;
    tr_num_print(*out, text);
    return take_apart(text, strlen(text), &back) && same_number(a, &back);
}

/* Zeros at the end of a fraction have no meaning; without them, more numbers fit. */
static void drop_zeros(struct parts *a)
{
    while (a->scale > 0 && a->n_digits && a->n_digits <= sizeof a->digits &&
           a->digits[a->n_digits - 1] == '0') {
        a->n_digits--;
        a->scale--;
    }
}

/* As digits and a scale, as found or without the zeros at its end. */
static bool as_decimal(struct parts *a, struct tr_number *out)
{
    for (int turn = 0; turn < 2; turn++, drop_zeros(a)) {
        if (a->n_digits > 18 || a->scale < 0 || a->scale >= 64)
            continue;
        uint64_t v = digits_value(a, a->n_digits);
        if (v >= UINT64_C(1) << 57)
            continue;
        out->cls = TR_NUMBER_DECIMAL;
        out->i = a->neg ? -(int64_t)v : (int64_t)v;
        out->scale = (unsigned)a->scale;
        return true;
    }
    return false;
}

bool tr_json_number(const char *p, size_t n, struct tr_number *out)
{
    struct parts a;
    if (!take_apart(p, n, &a))
        return false;
    bool integral = !memchr(p, '.', n) && !memchr(p, 'e', n) && !memchr(p, 'E', n);
    if (integral && a.n_digits == 0 && !a.neg) {
        out->cls = TR_NUMBER_INT;
        out->i = 0;
        return true;
    }
    if (integral && a.n_digits <= 20 && a.n_digits > 0) {
        uint64_t hi = a.n_digits == 20 ? digits_value(&a, 19) : 0, v = digits_value(&a, a.n_digits);
        bool fits = a.n_digits < 20 || hi < UINT64_MAX / 10 ||
                    (hi == UINT64_MAX / 10 && a.digits[19] <= '5');
        if (fits && v <= (uint64_t)INT64_MAX) {
            out->cls = TR_NUMBER_INT;
            out->i = a.neg ? -(int64_t)v : (int64_t)v;
            return true;
        }
        if (fits && !a.neg) {
            out->cls = TR_NUMBER_UINT;
            out->u = v;
            return true;
        }
    }
    if (!(a.neg && a.n_digits == 0) && as_decimal(&a, out))
        return true;
    out->cls = a.n_digits && as_double(&a, &out->d) ? TR_NUMBER_DOUBLE : TR_NUMBER_TEXT;
    return true;
}

bool tr_json_us_to_ns(const char *p, size_t n, int64_t *ns, bool *exact)
{
    struct parts a;
    if (!take_apart(p, n, &a))
        return false;
    if (a.n_digits == 0) {
        *ns = 0;
        *exact = true;
        return true;
    }
    /* ns = digits * 10^(3 - scale): keep the leading digits, or append zeros */
    int64_t shift = 3 - a.scale;
    int64_t kept = (int64_t)a.n_digits + (shift < 0 ? shift : 0);
    size_t n_known = a.n_digits < sizeof a.digits ? a.n_digits : sizeof a.digits;
    if (kept > 19 || shift > 19)
        return false;
    uint64_t v = kept > 0 ? digits_value(&a, (size_t)kept) : 0;
    *exact = true;
    bool up = false;
    if (shift < 0) {
        size_t k = kept > 0 ? (size_t)kept : 0;
        bool rest = a.more;
        for (size_t i = k; i < n_known; i++)
            rest |= a.digits[i] != '0';
        *exact = !rest;
        if (kept >= 0) {
            bool more = a.more;
            for (size_t i = k + 1; i < n_known; i++)
                more |= a.digits[i] != '0';
            /* half up: towards plus infinity, so a negative half goes towards zero */
            up = a.digits[k] > '5' || (a.digits[k] == '5' && (!a.neg || more));
        }
    }
    for (; shift > 0; shift--) {
        if (v > (uint64_t)INT64_MAX / 10)
            return false;
        v *= 10;
    }
    v += up;
    if (v > (uint64_t)INT64_MAX)
        return false;
    *ns = a.neg ? -(int64_t)v : (int64_t)v;
    return true;
}
