/* SPDX-License-Identifier: MIT */
/* Values of formulas: from text, and to text. */
#include "lang/tr_value.h"

#include "base/tr_num.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct tr_value tr_value_real(double r)
{
    struct tr_value v = tr_value_none();
    if (isfinite(r)) {
        v.type = TR_VALUE_REAL;
        v.of.r = r;
    }
    return v;
}

struct tr_value tr_value_text(struct tr_str text)
{
    struct tr_value v = tr_value_none();
    if (text.s) {
        v.type = TR_VALUE_TEXT;
        v.n = text.len;
        v.of.s = text.s;
    }
    return v;
}

bool tr_value_number(const struct tr_value *v, double *number)
{
    if (v->type == TR_VALUE_REAL)
        *number = v->of.r;
    else if (v->type == TR_VALUE_INT || v->type == TR_VALUE_BOOL)
        *number = (double)v->of.i;
    else
        return false;
    return true;
}

const char *tr_value_type_name(enum tr_value_type type)
{
    static const char *const names[] = { "absent", "bool", "int", "real", "text", "list" };
    return names[type];
}

/* ---- from text ---- */

struct scan {
    struct tr_arena *arena;
    const char *s;
    size_t n, at;
    unsigned depth;
};

static bool read_any(struct scan *p, struct tr_value *v);

static void skip_blanks(struct scan *p)
{
    while (p->at < p->n && (p->s[p->at] == ' ' || p->s[p->at] == '\t' || p->s[p->at] == '\n' || p->s[p->at] == '\r'))
        p->at++;
}

static bool read_list(struct scan *p, struct tr_value *v)
{
    struct tr_value *items = NULL;
    size_t n = 0, cap = 0;
    if (++p->depth > TR_VALUE_MAX_DEPTH)
        return false;
    p->at++;
    for (skip_blanks(p); p->at < p->n && p->s[p->at] != ']'; skip_blanks(p)) {
        if (n == cap) {
            size_t more = cap ? 2 * cap : 8;
            struct tr_value *grown = more <= TR_VALUE_MAX_ITEMS ? tr_arena_alloc(p->arena, more * sizeof *grown) : NULL;
            if (!grown)
                return false;
            if (n)
                memcpy(grown, items, n * sizeof *grown);
            items = grown;
            cap = more;
        }
        if (!read_any(p, &items[n++]))
            return false;
        skip_blanks(p);
        if (p->at < p->n && p->s[p->at] == ',')
            p->at++;
    }
    p->at += p->at < p->n;
    p->depth--;
    *v = (struct tr_value){ TR_VALUE_LIST, n, { .items = items } };
    return true;
}

/* A text in quotes.  The byte after a backslash is taken as it is; names of types need no other escapes. */
static bool read_quoted(struct scan *p, struct tr_value *v)
{
    size_t from = ++p->at, n = 0;
    for (; p->at < p->n && p->s[p->at] != '"'; p->at++)
        p->at += p->s[p->at] == '\\' && p->at + 1 < p->n;
    char *to = tr_arena_alloc(p->arena, p->at - from + 1);
    if (!to)
        return false;
    for (size_t i = from; i < p->at; i++) {
        i += p->s[i] == '\\' && i + 1 < p->at;
        to[n++] = p->s[i];
    }
    to[n] = '\0';
    p->at += p->at < p->n;
    *v = tr_value_text((struct tr_str){ to, n });
    return true;
}

/* A number, a truth value, or else the text itself. */
static struct tr_value read_word(struct tr_arena *a, struct tr_str word, bool *ok)
{
    int64_t whole;
    double real;
    if (tr_str_is(word, "True") || tr_str_is(word, "true"))
        return tr_value_bool(true);
    if (tr_str_is(word, "False") || tr_str_is(word, "false"))
        return tr_value_bool(false);
    if (!word.len || tr_str_is(word, "None") || tr_str_is(word, "null"))
        return tr_value_none();
    if (tr_num_plain(word.s, word.len, &whole))
        return tr_value_int(whole);
    char *copy = tr_arena_alloc(a, word.len + 1);
    *ok = copy != NULL;
    if (!copy)
        return tr_value_none();
    memcpy(copy, word.s, word.len);
    copy[word.len] = '\0';
    if (copy[word.len - 1] == '.') { /* as Python writes whole reals */
        copy[word.len - 1] = '\0';
        if (word.len > 1 && tr_num_decimal(copy, &real))
            return tr_value_real(real);
        copy[word.len - 1] = '.';
    } else if (tr_num_decimal(copy, &real)) {
        return tr_value_real(real);
    }
    return tr_value_text((struct tr_str){ copy, word.len });
}

static bool read_any(struct scan *p, struct tr_value *v)
{
    bool ok = true;
    skip_blanks(p);
    if (p->at < p->n && p->s[p->at] == '[')
        return read_list(p, v);
    if (p->at < p->n && p->s[p->at] == '"')
        return read_quoted(p, v);
    size_t from = p->at;
    while (p->at < p->n && !(p->depth && (p->s[p->at] == ',' || p->s[p->at] == ']')))
        p->at++;
    size_t to = p->at;
    while (to > from && (p->s[to - 1] == ' ' || p->s[to - 1] == '\n'))
        to--;
    *v = read_word(p->arena, (struct tr_str){ p->s + from, to - from }, &ok);
    return ok;
}

bool tr_value_read(struct tr_arena *a, struct tr_str text, struct tr_value *v)
{
    struct scan p = { .arena = a, .s = text.s, .n = text.len };
    *v = tr_value_none();
    return !text.s || read_any(&p, v);
}

/* ---- to text ---- */

static bool print_text(struct tr_str text, struct tr_buf *out)
{
    bool ok = tr_buf_add(out, "\"", 1);
    for (size_t i = 0; ok && i < text.len; i++) {
        unsigned char c = (unsigned char)text.s[i];
        char escaped[8];
        int n = snprintf(escaped, sizeof escaped, c == '"' || c == '\\' ? "\\%c" : c < 0x20 ? "\\u%04x" : "%c", c);
        ok = tr_buf_add(out, escaped, (size_t)n);
    }
    return ok && tr_buf_add(out, "\"", 1);
}

bool tr_value_print(const struct tr_value *v, struct tr_buf *out)
{
    char number[TR_NUM_TEXT + 24];
    bool ok = true;
    switch (v->type) {
    case TR_VALUE_ABSENT:
        return tr_buf_add_str(out, "null");
    case TR_VALUE_BOOL:
        return tr_buf_add_str(out, v->of.i ? "true" : "false");
    case TR_VALUE_INT:
        snprintf(number, sizeof number, "%" PRId64, v->of.i);
        return tr_buf_add_str(out, number);
    case TR_VALUE_REAL:
        if (v->of.r == floor(v->of.r) && fabs(v->of.r) < 1e15)
            snprintf(number, sizeof number, "%.0f", v->of.r);
        else
            tr_num_print(v->of.r, number);
        return tr_buf_add_str(out, number);
    case TR_VALUE_TEXT:
        return print_text((struct tr_str){ v->of.s, v->n }, out);
    case TR_VALUE_LIST:
        ok = tr_buf_add(out, "[", 1);
        for (size_t i = 0; ok && i < v->n; i++)
            ok = (!i || tr_buf_add(out, ",", 1)) && tr_value_print(&v->of.items[i], out);
        return ok && tr_buf_add(out, "]", 1);
    }
    return false;
}
