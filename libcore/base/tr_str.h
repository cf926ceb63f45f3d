/* SPDX-License-Identifier: MIT */
/*
 * A text with its length.  Names, categories, keys and labels may have any byte, also zero, so a pointer is not enough.
 *
 *     struct tr_str name = tr_dict_text(d, b->name[i]);
 *     if (tr_str_is(name, "fwdbwd")) ...
 */
#ifndef TR_STR_H
#define TR_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_str {
    const char *s; /* len bytes, not owned; NULL: no text, which differs from an empty text */
    size_t len;
};

/* A text that ends at its first zero; NULL: no text. */
static inline struct tr_str tr_str_of(const char *s)
{
    struct tr_str t = { s, s ? strlen(s) : 0 };
    return t;
}

static inline bool tr_str_is(struct tr_str a, const char *s)
{
    size_t len = strlen(s);
    return a.s && a.len == len && memcmp(a.s, s, len) == 0;
}

/* Is part anywhere in a text?  An empty part always is. */
static inline bool tr_str_has(struct tr_str a, struct tr_str part)
{
    const char *at = a.s;
    for (size_t left = a.len; part.len && left >= part.len; left = a.len - (size_t)(at - a.s)) {
        at = (const char *)memchr(at, part.s[0], left - part.len + 1);
        if (!at)
            return false;
        if (memcmp(at, part.s, part.len) == 0)
            return true;
        at++;
    }
    return !part.len;
}

/* Compare two texts by bytes: <0, 0, >0.  If a text starts with the other one, the shorter one comes first.  No text
 * counts as an empty one. */
static inline int tr_str_cmp(struct tr_str a, struct tr_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.s, b.s, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

#ifdef __cplusplus
}
#endif
#endif
