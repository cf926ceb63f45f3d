/* SPDX-License-Identifier: MIT */
/* Copies the text of a JSON value: valid parts do not change, and others are repaired. */
#include "json/tr_json_write.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"

#include <string.h>

bool tr_json_add_number(struct tr_buf *out, const char *text, size_t len)
{
    struct tr_num_parts n;
    if (!tr_num_split(&n, text, len) || (n.minus_fraction && n.n_fraction > 3))
        return tr_escape_json(out, text, len);
    if (!n.plus && !n.minus_fraction && n.n_whole && (n.whole[0] != '0' || n.n_whole == 1) &&
        n.point == (n.n_fraction > 0))
        return tr_buf_add(out, text, len);
    while (n.n_whole > 1 && n.whole[0] == '0') {
        n.whole++;
        n.n_whole--;
    }
    bool ok = (!(n.minus || n.minus_fraction) || tr_buf_add(out, "-", 1)) &&
              (n.n_whole ? tr_buf_add(out, n.whole, n.n_whole) : tr_buf_add(out, "0", 1));
    if (n.n_fraction) {
        /* "-1.-22" is a time of -1022 thousandths, printed in two parts of three digits each. */
        size_t zeros = n.minus_fraction ? 3 - n.n_fraction : 0;
        ok = ok && tr_buf_add(out, ".", 1) && tr_buf_add(out, "00", zeros) &&
             tr_buf_add(out, n.fraction, n.n_fraction);
    }
    return ok && tr_buf_add(out, n.exponent, n.n_exponent);
}

/*
 * JSON text is read and written token by token.  A comma is written at its own place, so valid text does not change.  A
 * comma that is followed by nothing is removed again.
 */
enum expect { VALUE, KEY, COLON, COMMA };

#define NO_COMMA SIZE_MAX

struct rewriting {
    struct tr_buf *out;
    struct tr_buf open; /* the brackets that are open, as characters */
    enum expect expect;
    size_t comma_at; /* of the last comma in out while nothing has followed it; else NO_COMMA */
    bool one_line;
    bool memory; /* memory ran out: not a fault of the text */
};

static bool emit(struct rewriting *r, const void *bytes, size_t n)
{
    if (tr_buf_add(r->out, bytes, n))
        return true;
    r->memory = true;
    return false;
}

static char innermost(const struct rewriting *r)
{
    return r->open.len ? (char)r->open.data[r->open.len - 1] : 0;
}

/* A value or key is about to be written: supply a comma that the text forgot. */
static bool start_item(struct rewriting *r, bool is_string)
{
    if (r->expect == COMMA) {
        if (!innermost(r))
            return false; /* a second value after the first */
        if (!emit(r, ",", 1))
            return false;
        r->expect = innermost(r) == '{' ? KEY : VALUE;
    }
    r->comma_at = NO_COMMA;
    return r->expect == VALUE || (r->expect == KEY && is_string);
}

static void end_item(struct rewriting *r)
{
    r->expect = r->expect == KEY ? COLON : COMMA;
}

static bool open_bracket(struct rewriting *r, char c)
{
    if (!start_item(r, false) || !emit(r, &c, 1))
        return false;
    if (!tr_buf_add(&r->open, &c, 1)) {
        r->memory = true;
        return false;
    }
    r->expect = c == '{' ? KEY : VALUE;
    return true;
}

static bool close_bracket(struct rewriting *r, char c)
{
    if (innermost(r) != (c == '}' ? '{' : '[') || r->expect == COLON ||
        (r->expect == VALUE && c == '}'))
        return false;
    if (r->comma_at != NO_COMMA) {
        unsigned char *comma = r->out->data + r->comma_at;
        memmove(comma, comma + 1, r->out->len - r->comma_at - 1);
        r->out->len--;
        r->comma_at = NO_COMMA;
    }
    r->open.len--;
    r->expect = COMMA;
    return emit(r, &c, 1);
}

static bool add_comma(struct rewriting *r)
{
    if (!innermost(r) || r->expect == COLON || (r->expect == VALUE && innermost(r) == '{'))
        return false;
    if (r->expect != COMMA)
        return true; /* one too many */
    r->expect = innermost(r) == '{' ? KEY : VALUE;
    r->comma_at = r->out->len;
    return emit(r, ",", 1);
}

/* The escape at p (a backslash) is copied if it is valid in JSON; otherwise, the backslash itself is escaped. */
static bool rewrite_escape(struct rewriting *r, const char *p, const char *end, size_t *used)
{
    size_t n = 0;
    if (end - p >= 2 && p[1] && strchr("\"\\/bfnrt", p[1])) {
        n = 2;
    } else if (end - p >= 6 && p[1] == 'u') {
        n = 6;
        for (int i = 2; i < 6; i++)
            if (!p[i] || !strchr("0123456789abcdefABCDEF", p[i]))
                n = 0;
    }
    *used = n ? n : 1;
    return n ? emit(r, p, n) : emit(r, "\\\\", 2);
}

/* A string from its opening quote on; returns what follows it, NULL if it has no end. */
static const char *rewrite_string(struct rewriting *r, const char *p, const char *end)
{
    if (!start_item(r, true) || !emit(r, "\"", 1))
        return NULL;
    p++;
    while (p < end && *p != '"') {
        size_t n = tr_escape_json_plain(p, (size_t)(end - p));
        bool ok = emit(r, p, n);
        if (!n)
            ok = *p == '\\' ? rewrite_escape(r, p, end, &n)
                            : tr_escape_json_one(r->out, p, (size_t)(end - p), &n);
        if (!ok)
            return NULL;
        p += n;
    }
    if (p >= end || !emit(r, "\"", 1))
        return NULL;
    end_item(r);
    return p + 1;
}

static const char *rewrite_bare(struct rewriting *r, const char *p, const char *end)
{
    const char *from = p;
    while (p < end && !strchr(" \t\r\n,:[]{}\"", *p))
        p++;
    size_t n = (size_t)(p - from);
    if (!n || !start_item(r, false)) /* n is 0 at a zero byte */
        return NULL;
    bool word = (n == 4 && (!memcmp(from, "true", 4) || !memcmp(from, "null", 4))) ||
                (n == 5 && !memcmp(from, "false", 5));
    if (!(word ? tr_buf_add(r->out, from, n) : tr_json_add_number(r->out, from, n))) {
        r->memory = true;
        return NULL;
    }
    end_item(r);
    return p;
}

static const char *rewrite_token(struct rewriting *r, const char *p, const char *end)
{
    switch (*p) {
    case '{':
    case '[':
        return open_bracket(r, *p) ? p + 1 : NULL;
    case '}':
    case ']':
        return close_bracket(r, *p) ? p + 1 : NULL;
    case ',':
        return add_comma(r) ? p + 1 : NULL;
    case ':':
        if (r->expect != COLON || !emit(r, ":", 1))
            return NULL;
        r->expect = VALUE;
        return p + 1;
    case '"':
        return rewrite_string(r, p, end);
    case '\n':
    case '\r':
    case '\t':
        return r->one_line || emit(r, p, 1) ? p + 1 : NULL;
    case ' ':
        return emit(r, p, 1) ? p + 1 : NULL;
    default:
        return rewrite_bare(r, p, end);
    }
}

bool tr_json_add_text(struct tr_buf *out, const char *text, size_t len, bool one_line)
{
    struct rewriting r = { .out = out, .expect = VALUE, .comma_at = NO_COMMA, .one_line = one_line };
    size_t start = out->len;
    const char *p = text, *end = text + len;
    while (p && p < end)
        p = rewrite_token(&r, p, end);
    bool ok = p && !r.open.len && r.expect == COMMA;
    tr_buf_free(&r.open);
    if (ok)
        return true;
    out->len = start;
    return !r.memory && tr_escape_json(out, text, len);
}
