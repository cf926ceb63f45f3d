/* SPDX-License-Identifier: MIT */
/* UTF-8, and strings escaped for JSON, TSV and terminals. */
#include "base/tr_escape.h"

#include "base/tr_width.h"

#include <stdio.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* The same for a byte, most of which are ASCII. */
static inline size_t character(const char *s, size_t len, size_t *bad)
{
    return (unsigned char)*s < 0x80 ? 1 : tr_utf8_char(s, len, bad);
}

bool tr_utf8_valid(const char *s, size_t len)
{
    size_t bad, n = 1;
    for (size_t i = 0; i < len && n; i += n)
        n = character(s + i, len - i, &bad);
    return n != 0;
}

bool tr_utf8_add(struct tr_buf *out, const char *s, size_t len)
{
    bool ok = true;
    for (size_t i = 0; i < len && ok;) {
        size_t bad, n = character(s + i, len - i, &bad);
        ok = n ? tr_buf_add(out, s + i, n) : tr_buf_add_str(out, REPLACEMENT);
        i += n ? n : bad;
    }
    return ok;
}

size_t tr_escape_json_plain(const char *s, size_t len)
{
    size_t i = 0, bad;
    while (i < len) {
        if ((unsigned char)s[i] < 0x20 || s[i] == '"' || s[i] == '\\')
            break;
        size_t n = character(s + i, len - i, &bad);
        if (!n)
            break;
        i += n;
    }
    return i;
}

bool tr_escape_json_one(struct tr_buf *out, const char *s, size_t len, size_t *used)
{
    static const char short_form[] = "btn?fr"; /* 8 to 13; 11 has none */
    unsigned char c = (unsigned char)*s;
    char text[2] = { '\\', (char)c };
    *used = 1;
    if (c >= 8 && c <= 13 && c != 11)
        text[1] = short_form[c - 8];
    else if (c < 0x20)
        return tr_escape_hex(out, "\\u00", c);
    else if (c != '"' && c != '\\')
        return tr_utf8_char(s, len, used) == 0 && tr_buf_add_str(out, REPLACEMENT);
    return tr_buf_add(out, text, sizeof text);
}

bool tr_escape_json(struct tr_buf *out, const char *s, size_t len)
{
    if (!tr_buf_add(out, "\"", 1))
        return false;
    while (len) {
        size_t n = tr_escape_json_plain(s, len);
        if (!tr_buf_add(out, s, n))
            return false;
        s += n;
        len -= n;
        if (!len)
            break;
        if (!tr_escape_json_one(out, s, len, &n))
            return false;
        s += n;
        len -= n;
    }
    return tr_buf_add(out, "\"", 1);
}

bool tr_escape_hex(struct tr_buf *out, const char *before, unsigned char byte)
{
    char text[16];
    snprintf(text, sizeof text, "%s%02x", before, byte);
    return tr_buf_add_str(out, text);
}

/* Marks that turn or hide text, or end a line; those below U+00A0 are tested before. */
static bool is_unseen(uint32_t c)
{
    if (c < 0x2000)
        return c == 0x61c;
    if (c < 0x2070)
        return (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || c >= 0x2060;
    return c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

bool tr_escape_plain(const char *s, size_t len, size_t *n)
{
    static const unsigned char mask[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
    const unsigned char *p = (const unsigned char *)s;
    size_t bad;
    *n = 1;
    if (*p < 0x80)
        return *p >= 0x20 && *p != 0x7f;
    size_t is = tr_utf8_char(s, len, &bad);
    if (!is)
        return false;
    *n = is;
    uint32_t c = p[0] & mask[is];
    for (size_t i = 1; i < is; i++)
        c = c << 6 | (p[i] & 0x3f);
    return c >= 0xa0 && !is_unseen(c);
}

bool tr_escape_bytes(struct tr_buf *out, const char *s, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++)
        ok = tr_escape_hex(out, "\\x", (unsigned char)s[i]);
    return ok;
}

/* The number of bytes that need no escape in TSV; *n: bytes of the character after them.  Most are ASCII. */
static size_t plain_in_tsv(const char *s, size_t len, size_t *n)
{
    size_t i = 0;
    for (;;) {
        while (i < len && s[i] >= 0x20 && s[i] < 0x7f && s[i] != '\\')
            i++;
        if (i == len || s[i] == '\\' || !tr_escape_plain(s + i, len - i, n))
            return i;
        i += *n;
    }
}

bool tr_escape_tsv(struct tr_buf *out, const char *s, size_t len)
{
    bool ok = true;
    for (size_t i = 0, from = 0, n = 0; ok && i <= len; i += n, from = i) {
        i += plain_in_tsv(s + i, len - i, &n);
        ok = tr_buf_add(out, s + from, i - from);
        if (!ok || i == len)
            break;
        const char *known = memchr("\tt\nn\rr\\\\", s[i], 8);
        n = known ? 1 : n;
        ok = known ? tr_buf_add_str(out, "\\") && tr_buf_add(out, known + 1, 1) : tr_escape_bytes(out, s + i, n);
    }
    return ok;
}

bool tr_escape_text(struct tr_buf *out, const char *s, size_t len, size_t max, size_t *width)
{
    size_t cut = out->len, cut_width = 0; /* the place of "..." if the text is too long */
    size_t n, w = 0;
    bool ok = true;
    for (size_t i = 0; i < len && ok; i += n) {
        bool escape = !tr_escape_plain(s + i, len - i, &n);
        size_t add = escape ? 4 * n : n == 1 ? 1 : tr_width(s + i, n);
        if (w + add > max) {
            out->len = cut;
            w = cut_width + 3;
            ok = tr_buf_add(out, "...", 3);
            break;
        }
        ok = escape ? tr_escape_bytes(out, s + i, n) : tr_buf_add(out, s + i, n);
        w += add;
        if (w + 3 <= max) {
            cut = out->len;
            cut_width = w;
        }
    }
    if (width)
        *width = w;
    return ok;
}
