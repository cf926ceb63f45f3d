/* SPDX-License-Identifier: MIT */
/* Finds objects that start inside a string that was never closed, by their first key. */
#include "json/tr_json.h"

#include <string.h>

/* Letters, digits and underscores: then a quote before it can never seem to close a string. */
static bool is_plain(const char *key, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = key[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    return n > 0;
}

bool tr_json_firsts_has(const struct tr_json_firsts *f, const char *key, size_t n)
{
    for (size_t at = 0; at < f->len; at += (unsigned char)f->keys[at] + 1u)
        if ((unsigned char)f->keys[at] == n && !memcmp(f->keys + at + 1, key, n))
            return true;
    return false;
}

void tr_json_firsts_add(struct tr_json_firsts *f, const char *key, size_t n)
{
    if (n + 2 > TR_JSON_FIRST_KEY || f->len + n + 1 > sizeof f->keys || !is_plain(key, n) ||
        tr_json_firsts_has(f, key, n))
        return;
    f->keys[f->len] = (char)n;
    memcpy(f->keys + f->len + 1, key, n);
    f->len = (uint16_t)(f->len + n + 1);
}

static size_t blanks_before(const char *p, size_t at)
{
    while (at > 0 && tr_json_space(p[at - 1]))
        at--;
    return at;
}

enum tr_json_result tr_json_starts(const char *p, size_t n, size_t at, bool last,
                                   const struct tr_json_firsts *firsts)
{
    size_t brace = blanks_before(p, at), end = at + 1;
    if (brace == 0 || p[--brace] != '{')
        return TR_JSON_BAD;
    size_t before = blanks_before(p, brace);
    if (!memchr(p + before, '\n', brace - before) && (before == 0 || p[before - 1] != ','))
        return TR_JSON_BAD;
    while (end < n && end - at < TR_JSON_FIRST_KEY && p[end] != '"')
        end++;
    if (end < n) {
        if (end - at >= TR_JSON_FIRST_KEY || !tr_json_firsts_has(firsts, p + at + 1, end - at - 1))
            return TR_JSON_BAD;
        for (end++; end < n && tr_json_space(p[end]);)
            end++;
        if (end < n)
            return p[end] == ':' ? TR_JSON_DONE : TR_JSON_BAD;
    }
    return last ? TR_JSON_BAD : TR_JSON_MORE;
}
