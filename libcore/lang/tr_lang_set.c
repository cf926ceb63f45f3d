/* SPDX-License-Identifier: MIT */
/* Is a value in a set? */
#include "lang/tr_lang_int.h"

#include "base/tr_regex.h"
#include "base/tr_sort.h"

#include <string.h>

bool tr__set_has_int(const struct tr__set *s, int64_t v)
{
    size_t lo = 0;
    TR_BOUND(lo, s->n_ints, mid, v > s->ints[mid].hi);
    return lo < s->n_ints && v >= s->ints[lo].lo;
}

static bool span_has(const struct tr__span *r, const struct tr__num *v)
{
    if (r->has_lo) {
        int c = tr__num_cmp(v, &r->lo);
        if (c < 0 || (c == 0 && r->lo_open))
            return false;
    }
    if (r->has_hi) {
        int c = tr__num_cmp(v, &r->hi);
        if (c > 0 || (c == 0 && r->hi_open))
            return false;
    }
    return true;
}

bool tr__set_has_num(const struct tr__set *s, const struct tr__num *v)
{
    for (size_t i = 0; i < s->n_spans; i++)
        if (span_has(&s->spans[i], v))
            return true;
    return false;
}

bool tr__set_has_double(const struct tr__set *s, double v)
{
    for (size_t i = 0; i < s->n_spans; i++) {
        const struct tr__span *r = &s->spans[i];
        if (r->has_lo && !(r->lo_open ? v > r->lo_double : v >= r->lo_double))
            continue;
        if (r->has_hi && !(r->hi_open ? v < r->hi_double : v <= r->hi_double))
            continue;
        return true;
    }
    return false;
}

/* A text that reads as a number is that number, except when it is compared with a literal text. */
static bool reads_as_member(const struct tr__set *s, const char *text, size_t len)
{
    struct tr__num v;
    bool parsed = false;
    for (size_t i = 0; i < s->n_spans; i++) {
        if (s->spans[i].from_text)
            continue;
        if (!parsed && !tr__num_parse(text, len, &v))
            return false;
        parsed = true;
        if (span_has(&s->spans[i], &v))
            return true;
    }
    return false;
}

bool tr__set_has_text(const struct tr__set *s, const char *text, size_t len)
{
    for (size_t i = 0; i < s->n_texts; i++)
        if (s->texts[i].len == len && memcmp(s->texts[i].s, text, len) == 0)
            return true;
    if (reads_as_member(s, text, len))
        return true;
    return s->re && tr_regex_has(s->re, (struct tr_str){ text, len });
}

bool tr__set_has_member(const struct tr__set *s, const char *text, size_t len)
{
    if (tr__set_has_text(s, text, len))
        return true;
    if (!memchr(text, ',', len))
        return false;
    /* Regular expressions need a terminated text.  A longer member is tested only as part of the whole text. */
    char part[256];
    for (size_t from = 0; from <= len;) {
        const char *comma = memchr(text + from, ',', len - from);
        size_t to = comma ? (size_t)(comma - text) : len;
        size_t a = from, z = to;
        while (a < z && text[a] == ' ')
            a++;
        while (z > a && text[z - 1] == ' ')
            z--;
        if (z - a < sizeof part) {
            memcpy(part, text + a, z - a);
            part[z - a] = '\0';
            if (tr__set_has_text(s, part, z - a))
                return true;
        }
        from = to + 1;
    }
    return false;
}
