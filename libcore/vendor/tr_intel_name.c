/* SPDX-License-Identifier: MIT */
/* Names of device work as Intel's unitrace writes them. */
#include "vendor/tr_intel_name.h"

#include "base/tr_num.h"
#include "vendor/tr_vocab.h"

#include <string.h>

static bool starts(struct tr_str s, const char *word)
{
    size_t n = strlen(word);
    return s.len >= n && !memcmp(s.s, word, n);
}

/* What is between the brackets at the end of a name; an empty string: there are none. */
static struct tr_str bracket_of(struct tr_str name)
{
    const struct tr_str none = { "", 0 };
    size_t at = name.len;
    if (name.len < 3 || name.s[name.len - 1] != ']')
        return none;
    for (at--; at > 0 && name.s[at - 1] != '['; at--)
        if (name.s[at - 1] == ']')
            return none;
    return at > 1 ? (struct tr_str){ name.s + at, name.len - 1 - at } : none;
}

/* "SIMD32 {64; 1; 1} {256; 1; 1}", "SIMD_ANY ..." */
static bool is_shape(struct tr_str s)
{
    return starts(s, "SIMD_ANY") || (starts(s, "SIMD") && s.len > 4 && s.s[4] >= '0' && s.s[4] <= '9');
}

/* Read a number at the start of s, which is moved past it.  False: there is none, or it does not fit. */
static bool take_number(struct tr_str *s, int64_t *out)
{
    uint64_t v = 0;
    bool over = false;
    size_t n = tr_num_digits(s->s, s->len, INT64_MAX, &v, &over);
    *s = (struct tr_str){ s->s + n, s->len - n };
    *out = (int64_t)v;
    return n && !over;
}

static bool take_word(struct tr_str *s, const char *word)
{
    if (!starts(*s, word))
        return false;
    *s = (struct tr_str){ s->s + strlen(word), s->len - strlen(word) };
    return true;
}

/* "4096", "4096 bytes"; -1: no size. */
static int64_t size_of(struct tr_str s)
{
    int64_t v;
    return take_number(&s, &v) && (!s.len || tr_str_is(s, " bytes")) ? v : -1;
}

static bool is_copy(struct tr_str name)
{
    int64_t step;
    enum tr_vocab_name of = tr_vocab_name(name.s, name.len, &step);
    return of == TR_NAME_INTEL_COPY || of == TR_NAME_INTEL_MEMSET;
}

/* " {64; 1; 1}" */
static bool take_triple(struct tr_str *s, int64_t out[3])
{
    return take_word(s, " {") && take_number(s, &out[0]) && take_word(s, "; ") && take_number(s, &out[1]) &&
           take_word(s, "; ") && take_number(s, &out[2]) && take_word(s, "}");
}

static bool take_sizes(struct tr_str s, struct tr_intel_shape *out)
{
    return take_triple(&s, out->groups) && take_triple(&s, out->items) && !s.len;
}

/*
 * The place in "gemm {64; 1; 1} {256; 1; 1}]" from which on there are sizes, without the bracket at the end: unitrace
 * writes this if it does not know the width.  0: the name has another form.
 */
static size_t sizes_at(struct tr_str name, struct tr_intel_shape *out)
{
    unsigned braces = 0;
    size_t at = name.len;
    if (name.len < 2 || memcmp(name.s + name.len - 2, "}]", 2) != 0)
        return 0;
    while (at > 1 && braces < 2)
        braces += name.s[--at] == '{';
    at -= at > 0;
    return braces == 2 && take_sizes((struct tr_str){ name.s + at, name.len - 1 - at }, out) ? at : 0;
}

struct tr_str tr_intel_bare_name(struct tr_str name)
{
    struct tr_intel_shape shape;
    struct tr_str in = bracket_of(name);
    size_t sizes = in.len ? 0 : sizes_at(name, &shape);
    if (in.len && (is_shape(in) || (size_of(in) >= 0 && is_copy(name))))
        name.len = (size_t)(in.s - name.s) - 1;
    else if (sizes)
        name.len = sizes;
    const char *colon = tr_vocab_of_tile(name.s, name.len) ? memchr(name.s, ':', name.len) : NULL;
    size_t from = colon ? (size_t)(colon - name.s) + 2 : 0;
    return from && from < name.len && colon[1] == ' ' ? (struct tr_str){ name.s + from, name.len - from } : name;
}

int64_t tr_intel_copy_bytes(struct tr_str name)
{
    struct tr_str in = bracket_of(name);
    int64_t bytes = in.len ? size_of(in) : -1;
    return bytes >= 0 && is_copy(name) ? bytes : -1;
}

int64_t tr_intel_tile(struct tr_str name)
{
    int64_t tile;
    return take_word(&name, "Tile #") && take_number(&name, &tile) && starts(name, ":") ? tile : -1;
}

bool tr_intel_shape(struct tr_str name, struct tr_intel_shape *out)
{
    struct tr_str in = bracket_of(name);
    out->simd = in.len ? TR_INTEL_SIMD_ANY : 0;
    if (!in.len)
        return (out->sized = sizes_at(name, out) != 0);
    if (!take_word(&in, "SIMD_ANY") && !(take_word(&in, "SIMD") && take_number(&in, &out->simd)))
        return false;
    out->sized = in.len > 0;
    return !out->sized || take_sizes(in, out);
}
