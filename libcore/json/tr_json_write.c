/* SPDX-License-Identifier: MIT */
/* Values as JSON: numbers, strings, members. */
#include "json/tr_json_write.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char digit_pairs[] = "0001020304050607080910111213141516171819202122232425262728293031"
                                  "323334353637383940414243444546474849"
                                  "5051525354555657585960616263646566676869707172737475767778798081"
                                  "828384858687888990919293949596979899";

/* Write the decimal digits of v, so that they end before end; returns their start. */
static char *digits_before(char *end, uint64_t v)
{
    while (v >= 100) {
        unsigned r = (unsigned)(v % 100) * 2;
        v /= 100;
        end -= 2;
        memcpy(end, digit_pairs + r, 2);
    }
    if (v >= 10) {
        end -= 2;
        memcpy(end, digit_pairs + v * 2, 2);
    } else {
        *--end = (char)('0' + v);
    }
    return end;
}

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

bool tr_json_add_u64(struct tr_buf *out, uint64_t v)
{
    char text[24], *end = text + sizeof text;
    char *p = digits_before(end, v);
    return tr_buf_add(out, p, (size_t)(end - p));
}

bool tr_json_add_i64(struct tr_buf *out, int64_t v)
{
    char text[24], *end = text + sizeof text;
    char *p = digits_before(end, magnitude(v));
    if (v < 0)
        *--p = '-';
    return tr_buf_add(out, p, (size_t)(end - p));
}

bool tr_json_add_scaled(struct tr_buf *out, int64_t mantissa, unsigned scale)
{
    char text[96], *end = text + sizeof text;
    char *p = digits_before(end, magnitude(mantissa));
    scale &= 63;
    if (scale) {
        while ((size_t)(end - p) <= scale) /* 5 with scale 2 is 0.05 */
            *--p = '0';
        size_t whole = (size_t)(end - p) - scale;
        memmove(p - 1, p, whole);
        p--;
        p[whole] = '.';
    }
    if (mantissa < 0)
        *--p = '-';
    return tr_buf_add(out, p, (size_t)(end - p));
}

bool tr_json_add_us(struct tr_buf *out, int64_t ns)
{
    char text[32], *end = text + sizeof text;
    uint64_t v = magnitude(ns), whole = v / 1000;
    unsigned rest = (unsigned)(v % 1000);
    if (rest) {
        end -= 3;
        end[0] = (char)('0' + rest / 100);
        memcpy(end + 1, digit_pairs + (size_t)(rest % 100) * 2, 2);
    }
    char *stop = rest ? end + 3 : end;
    char *p = digits_before(rest ? --end : end, whole);
    if (rest)
        *end = '.';
    while (rest && stop[-1] == '0')
        stop--;
    if (ns < 0)
        *--p = '-';
    return tr_buf_add(out, p, (size_t)(stop - p));
}

/* Whatever the locale uses as its decimal point (several bytes perhaps), JSON has a dot. */
static size_t with_dot(char *text)
{
    size_t n = 0;
    bool dot = false;
    for (const char *p = text; *p; p++) {
        if (strchr("0123456789+-e", *p)) {
            text[n++] = *p;
            dot = false;
        } else if (!dot) {
            text[n++] = '.';
            dot = true;
        }
    }
    text[n] = 0;
    return n;
}

bool tr_json_add_double(struct tr_buf *out, double v)
{
    char text[64];
    size_t n = 0;
    if (isnan(v))
        return tr_buf_add_str(out, "\"NaN\"");
    if (isinf(v))
        return tr_buf_add_str(out, v < 0 ? "\"-Infinity\"" : "\"Infinity\"");
    for (int precision = 15; precision <= 17; precision++) {
        double back;
        snprintf(text, sizeof text, "%.*g", precision, v);
        n = with_dot(text);
        if (tr_num_decimal(text, &back) && memcmp(&back, &v, sizeof v) == 0)
            break;
    }
    return tr_buf_add(out, text, n);
}

/* ---- documents ------------------------------------------------------------------------------ */

static bool new_line(struct tr_json_doc *j)
{
    static const char spaces[] = "                                ";
    size_t n = (size_t)j->indent * j->depth;
    if (!j->indent)
        return true;
    if (j->flat_below && j->depth >= j->flat_below)
        return true;
    if (!tr_buf_add(j->out, "\n", 1))
        return false;
    for (; n >= sizeof spaces - 1; n -= sizeof spaces - 1)
        if (!tr_buf_add(j->out, spaces, sizeof spaces - 1))
            return false;
    return tr_buf_add(j->out, spaces, n);
}

bool tr_json_doc_next(struct tr_json_doc *j)
{
    if (j->after_key) {
        j->after_key = false;
        return true;
    }
    bool more = j->has_member[j->depth];
    j->has_member[j->depth] = true;
    if (!j->depth)
        return true;
    bool flat = j->indent && j->flat_below && j->depth >= j->flat_below;
    return (!more || tr_buf_add(j->out, ", ", flat ? 2 : 1)) && new_line(j);
}

bool tr_json_doc_open(struct tr_json_doc *j, char bracket)
{
    if (j->depth >= TR_JSON_DEPTH || !tr_json_doc_next(j) || !tr_buf_add(j->out, &bracket, 1))
        return false;
    j->depth++;
    j->has_member[j->depth] = false;
    j->close[j->depth] = bracket == '{' ? '}' : ']';
    return true;
}

bool tr_json_doc_close(struct tr_json_doc *j)
{
    if (!j->depth)
        return false;
    char c = j->close[j->depth];
    bool had = j->has_member[j->depth];
    bool flat = j->flat_below && j->depth >= j->flat_below;
    j->depth--;
    return (!had || flat || new_line(j)) && tr_buf_add(j->out, &c, 1);
}

bool tr_json_doc_key(struct tr_json_doc *j, struct tr_str key)
{
    bool ok = tr_json_doc_next(j) && tr_escape_json(j->out, key.s, key.len) &&
              tr_buf_add(j->out, ": ", j->indent ? 2 : 1);
    j->after_key = true;
    return ok;
}

bool tr_json_doc_str(struct tr_json_doc *j, struct tr_str s)
{
    return s.s ? tr_json_doc_next(j) && tr_escape_json(j->out, s.s, s.len) : tr_json_doc_null(j);
}

bool tr_json_doc_i64(struct tr_json_doc *j, int64_t v)
{
    return tr_json_doc_next(j) && tr_json_add_i64(j->out, v);
}

bool tr_json_doc_u64(struct tr_json_doc *j, uint64_t v)
{
    return tr_json_doc_next(j) && tr_json_add_u64(j->out, v);
}

bool tr_json_doc_double(struct tr_json_doc *j, double v)
{
    return tr_json_doc_next(j) && tr_json_add_double(j->out, v);
}

bool tr_json_doc_bool(struct tr_json_doc *j, bool v)
{
    return tr_json_doc_next(j) && tr_buf_add_str(j->out, v ? "true" : "false");
}

bool tr_json_doc_null(struct tr_json_doc *j)
{
    return tr_json_doc_next(j) && tr_buf_add_str(j->out, "null");
}
