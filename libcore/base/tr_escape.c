/* SPDX-License-Identifier: MIT */
/* UTF-8, and strings escaped for JSON, TSV and terminals. */
#include "base/tr_escape.h"

#include "base/tr_width.h"

#include <stdio.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

size_t tr_utf8_char(const char *s, size_t len, size_t *bad)
{
    const unsigned char *p = (const unsigned char *)s;
    unsigned char c = p[0], low = 0x80, high = 0xbf;
    size_t want;
    *bad = 1;
    if (c < 0x80)
        return 1;
    if (c >= 0xc2 && c <= 0xdf) {
        want = 2;
    } else if (c >= 0xe0 && c <= 0xef) {
        want = 3;
        low = c == 0xe0 ? 0xa0 : low;
        high = c == 0xed ? 0x9f : high;
    } else if (c >= 0xf0 && c <= 0xf4) {
        want = 4;
        low = c == 0xf0 ? 0x90 : low;
        high = c == 0xf4 ? 0x8f : high;
    } else {
        return 0;
    }
    for (size_t i = 1; i < want; i++) {
        if (i >= len || p[i] < low || p[i] > high)
            return 0;
        low = 0x80;
        high = 0xbf;
        *bad = i + 1;
    }
    return want;
}

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

static const bool tsv_escaped[256] = {
    [0] = 1,  [1] = 1,  [2] = 1,  [3] = 1,  [4] = 1,  [5] = 1,  [6] = 1,    [7] = 1,     [8] = 1,
    [9] = 1,  [10] = 1, [11] = 1, [12] = 1, [13] = 1, [14] = 1, [15] = 1,   [16] = 1,    [17] = 1,
    [18] = 1, [19] = 1, [20] = 1, [21] = 1, [22] = 1, [23] = 1, [24] = 1,   [25] = 1,    [26] = 1,
    [27] = 1, [28] = 1, [29] = 1, [30] = 1, [31] = 1, [0x7f] = 1, ['\\'] = 1,
};

bool tr_escape_tsv(struct tr_buf *out, const char *s, size_t len)
{
    bool ok = true;
    for (size_t i = 0, from = 0; ok && i <= len; i++) {
        while (i < len && !tsv_escaped[(unsigned char)s[i]])
            i++;
        ok = tr_buf_add(out, s + from, i - from);
        from = i + 1;
        if (!ok || i == len)
            break;
        const char *known = memchr("\tt\nn\rr\\\\", s[i], 8);
        ok = known ? tr_buf_add_str(out, "\\") && tr_buf_add(out, known + 1, 1)
                   : tr_escape_hex(out, "\\x", (unsigned char)s[i]);
    }
    return ok;
}

/* C1 controls are two bytes, 0xc2 0x80 to 0x9f. */
static bool is_control(const char *s, size_t len)
{
    const unsigned char *p = (const unsigned char *)s;
    return p[0] < 0x20 || p[0] == 0x7f || (len == 2 && p[0] == 0xc2 && p[1] < 0xa0);
}

bool tr_escape_text(struct tr_buf *out, const char *s, size_t len, size_t max, size_t *width)
{
    size_t cut = out->len, cut_width = 0; /* where "..." goes if the text turns out too long */
    size_t bad, w = 0;
    bool ok = true;
    for (size_t i = 0; i < len && ok;) {
        size_t n = character(s + i, len - i, &bad);
        bool escape = !n || is_control(s + i, n);
        size_t add = escape ? 4 : n == 1 ? 1 : tr_width(s + i, n);
        if (w + add > max) {
            out->len = cut;
            w = cut_width + 3;
            ok = tr_buf_add(out, "...", 3);
            break;
        }
        ok = escape ? tr_escape_hex(out, "\\x", (unsigned char)s[i]) : tr_buf_add(out, s + i, n);
        w += add;
        if (w + 3 <= max) {
            cut = out->len;
            cut_width = w;
        }
        i += escape ? 1 : n;
    }
    if (width)
        *width = w;
    return ok;
}
