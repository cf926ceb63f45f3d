/* SPDX-License-Identifier: MIT */
/* Mangled names of the Itanium C++ ABI: a recursive descent, one function for each production. */
#include "vendor/tr_demangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXT  ((size_t)1 << 16) /* bytes of all texts of a name: substitutions can double them each time */
#define MAX_DEPTH 60u

struct text {
    char *s;
    size_t len;
    size_t param; /* it is parameter number param - 1 of a template; 0: it is not */
};

struct list {
    struct text *v;
    size_t n, cap;
};

struct demangle_state {
    const char *p, *end;
    struct list known;   /* that S_, S0_ and so on stand for */
    struct list args;    /* of the template that is read last */
    bool in_lambda;      /* the parameters of a lambda are read: T_ is auto:1 */
    size_t used;
    unsigned depth;
    bool failed;
};

static void type(struct demangle_state *s, struct tr_buf *out);
static void encoding(struct demangle_state *s, struct tr_buf *out);
static void template_args(struct demangle_state *s, struct tr_buf *out);

static void fail(struct demangle_state *s)
{
    s->failed = true;
    s->p = s->end;
}

static bool at(struct demangle_state *s, const char *what)
{
    size_t n = strlen(what);
    return (size_t)(s->end - s->p) >= n && !memcmp(s->p, what, n);
}

static bool take(struct demangle_state *s, const char *what)
{
    bool is = at(s, what);
    s->p += is ? strlen(what) : 0;
    return is;
}

static void put(struct demangle_state *s, struct tr_buf *out, const char *p, size_t n)
{
    s->used += n;
    if (s->used > MAX_TEXT || (n && !tr_buf_add(out, p, n)))
        fail(s);
}

static void puts_to(struct demangle_state *s, struct tr_buf *out, const char *text)
{
    put(s, out, text, strlen(text));
}

static void keep(struct demangle_state *s, struct list *l, const struct tr_buf *b, size_t from)
{
    size_t n = b->len - from;
    s->used += n;
    if (s->failed || s->used > MAX_TEXT || !tr_grow(&l->v, &l->cap, l->n + 1, sizeof *l->v) ||
        !(l->v[l->n].s = malloc(n + 1))) {
        fail(s);
        return;
    }
    l->v[l->n].param = 0;
    memcpy(l->v[l->n].s, b->data ? (const char *)b->data + from : "", n);
    l->v[l->n++].len = n;
}

static void drop(struct list *l, size_t n)
{
    while (l->n > n)
        free(l->v[--l->n].s);
}

static void put_auto(struct demangle_state *s, struct tr_buf *out, size_t param)
{
    char text[32];
    snprintf(text, sizeof text, "auto:%zu", param);
    puts_to(s, out, text);
}

static void put_kept(struct demangle_state *s, struct tr_buf *out, const struct list *l, size_t i)
{
    size_t param = i < l->n ? l->v[i].param : 0;
    if (param && s->in_lambda)
        put_auto(s, out, param);
    else if (param && param <= s->args.n && l != &s->args)
        put(s, out, s->args.v[param - 1].s, s->args.v[param - 1].len);
    else if (i < l->n)
        put(s, out, l->v[i].s, l->v[i].len);
    else
        fail(s);
}

static size_t number(struct demangle_state *s)
{
    size_t n = 0;
    if (s->p == s->end || *s->p < '0' || *s->p > '9')
        fail(s);
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9' && n < MAX_TEXT)
        n = n * 10 + (size_t)(*s->p++ - '0');
    return n;
}

/* "_" is 0, "0_" is 1, "1_" is 2; of substitutions, digits have the base 36. */
static size_t index_of(struct demangle_state *s, unsigned base)
{
    size_t n = 0;
    if (take(s, "_"))
        return 0;
    for (; s->p < s->end && *s->p != '_' && n < MAX_TEXT; s->p++) {
        unsigned digit = *s->p >= '0' && *s->p <= '9'   ? (unsigned)(*s->p - '0')
                         : *s->p >= 'A' && *s->p <= 'Z' ? (unsigned)(*s->p - 'A') + 10
                                                        : 36;
        if (digit >= base) {
            fail(s);
            return 0;
        }
        n = n * base + digit;
    }
    if (!take(s, "_"))
        fail(s);
    return n + 1;
}

/* ---- names ---- */

static void source_name(struct demangle_state *s, struct tr_buf *out)
{
    size_t n = number(s);
    if (n > (size_t)(s->end - s->p)) {
        fail(s);
        return;
    }
    if (n >= 10 && !memcmp(s->p, "_GLOBAL__N", 10))
        puts_to(s, out, "(anonymous namespace)");
    else
        put(s, out, s->p, n);
    s->p += s->failed ? 0 : n;
}

/* Types up to the end of a list of parameters; a single void is none. */
static void parameters(struct demangle_state *s, struct tr_buf *out)
{
    bool first = true;
    puts_to(s, out, "(");
    if (at(s, "v") && (s->p + 1 == s->end || s->p[1] == 'E'))
        s->p++;
    while (!s->failed && s->p < s->end && *s->p != 'E') {
        if (!first)
            puts_to(s, out, ", ");
        first = false;
        type(s, out);
    }
    puts_to(s, out, ")");
}

static void numbered(struct demangle_state *s, struct tr_buf *out)
{
    char text[40];
    snprintf(text, sizeof text, "#%zu}", index_of(s, 10) + 1);
    puts_to(s, out, text);
}

static void unqualified(struct demangle_state *s, struct tr_buf *out)
{
    if (take(s, "Ul")) {
        bool outer = s->in_lambda;
        s->in_lambda = true;
        puts_to(s, out, "{lambda");
        parameters(s, out);
        s->in_lambda = outer;
        if (!take(s, "E"))
            fail(s);
        numbered(s, out);
    } else if (take(s, "Ut")) {
        puts_to(s, out, "{unnamed type");
        numbered(s, out);
    } else if (take(s, "cl")) {
        puts_to(s, out, "operator()");
    } else {
        source_name(s, out);
    }
}

static void substitution(struct demangle_state *s, struct tr_buf *out)
{
    static const char *const std[][2] = { { "Sa", "std::allocator" }, { "Sb", "std::basic_string" },
                                          { "Ss", "std::string" },    { "Si", "std::istream" },
                                          { "So", "std::ostream" },   { "Sd", "std::iostream" } };
    for (size_t i = 0; i < sizeof std / sizeof *std; i++)
        if (take(s, std[i][0])) {
            puts_to(s, out, std[i][1]);
            return;
        }
    if (take(s, "S"))
        put_kept(s, out, &s->known, index_of(s, 36));
    else
        fail(s);
}

/* After N; *suffix: what the function is qualified by.  Each prefix is known from then on, the last one too. */
static void nested(struct demangle_state *s, struct tr_buf *out, const char **suffix)
{
    size_t from = out->len;
    *suffix = take(s, "K") ? " const" : "";
    if (take(s, "R"))
        *suffix = **suffix ? " const &" : " &";
    for (bool first = true; !s->failed && !take(s, "E"); first = false) {
        if (at(s, "I") && !first) {
            template_args(s, out);
        } else if (take(s, "St")) {
            puts_to(s, out, "std");
            continue;
        } else if (at(s, "S")) {
            substitution(s, out);
            continue;
        } else if (at(s, "T") || s->p == s->end) {
            fail(s);
        } else {
            if (!first)
                puts_to(s, out, "::");
            unqualified(s, out);
        }
        keep(s, &s->known, out, from);
    }
}

/* After Z; *suffix: what the inner function is qualified by. */
static void local(struct demangle_state *s, struct tr_buf *out, const char **suffix)
{
    *suffix = "";
    encoding(s, out);
    if (!take(s, "E") || at(s, "s") || at(s, "d")) {
        fail(s);
        return;
    }
    puts_to(s, out, "::");
    if (at(s, "N")) {
        s->p++;
        struct tr_buf inner = { 0 };
        nested(s, &inner, suffix);
        put(s, out, (const char *)inner.data, inner.len);
        tr_buf_free(&inner);
        return;
    }
    unqualified(s, out);
    if (take(s, "__")) {
        number(s);
        if (!take(s, "_"))
            fail(s);
    } else if (take(s, "_") && s->p < s->end && *s->p >= '0' && *s->p <= '9') {
        s->p++;
    }
}

/*
 * A name.  *is_template: template arguments end it.  as_type: it is known from then on, as a whole; a function is not.
 */
static void name(struct demangle_state *s, struct tr_buf *out, bool as_type, bool *is_template, const char **suffix)
{
    size_t from = out->len, known = s->known.n;
    bool plain = false;
    *suffix = "";
    *is_template = false;
    if (take(s, "N")) {
        nested(s, out, suffix);
        *is_template = out->len > from && out->data[out->len - 1] == '>';
        if (!as_type && s->known.n > known)
            drop(&s->known, s->known.n - 1);
        return;
    }
    if (take(s, "Z")) {
        local(s, out, suffix);
    } else if (take(s, "St")) {
        puts_to(s, out, "std::");
        unqualified(s, out);
    } else if (at(s, "S")) {
        substitution(s, out);
        plain = true;
    } else {
        unqualified(s, out);
    }
    if (at(s, "I")) {
        if (!plain)
            keep(s, &s->known, out, from);
        template_args(s, out);
        *is_template = true;
        plain = false;
    }
    if (as_type && !plain)
        keep(s, &s->known, out, from);
}

/* A function with its parameters, or a variable.  result: the type that a template returns; NULL: not wanted. */
static void encoding_of(struct demangle_state *s, struct tr_buf *out, struct tr_buf *result)
{
    bool is_template;
    const char *suffix;
    if (++s->depth > MAX_DEPTH)
        fail(s);
    name(s, out, false, &is_template, &suffix);
    if (!s->failed && s->p < s->end && *s->p != 'E') {
        struct tr_buf unused = { 0 };
        if (is_template)
            type(s, result ? result : &unused);
        tr_buf_free(&unused);
        parameters(s, out);
        puts_to(s, out, suffix);
    }
    s->depth--;
}

static void encoding(struct demangle_state *s, struct tr_buf *out)
{
    encoding_of(s, out, NULL);
}

/* ---- template arguments ---- */

static void literal(struct demangle_state *s, struct tr_buf *out)
{
    static const char *const suffixes[][2] = { { "i", "" },   { "j", "u" },  { "l", "l" },  { "m", "ul" },
                                               { "x", "ll" }, { "y", "ull" }, { "b", NULL } };
    size_t i = 0;
    while (i < sizeof suffixes / sizeof *suffixes && !take(s, suffixes[i][0]))
        i++;
    if (i == sizeof suffixes / sizeof *suffixes) {
        puts_to(s, out, "(");
        type(s, out);
        puts_to(s, out, ")");
    }
    const char *start = s->p + at(s, "n"), *end = start;
    while (end < s->end && *end >= '0' && *end <= '9')
        end++;
    if (i < 7 && !suffixes[i][1]) {
        puts_to(s, out, end > start && *start == '1' ? "true" : "false");
    } else {
        puts_to(s, out, at(s, "n") ? "-" : "");
        put(s, out, start, (size_t)(end - start));
        puts_to(s, out, i < 7 ? suffixes[i][1] : "");
    }
    if (end == start)
        fail(s);
    s->p = s->failed ? s->end : end;
    if (!take(s, "E"))
        fail(s);
}

/* Up to E.  args: the list that they become; NULL: they are a pack, which is one of the list. */
static void arguments(struct demangle_state *s, struct tr_buf *out, struct list *args)
{
    size_t start = out->len;
    while (!s->failed && !take(s, "E")) {
        if (out->len > start)
            puts_to(s, out, ", ");
        size_t from = out->len;
        if (take(s, "J") && args)
            arguments(s, out, NULL);
        else if (take(s, "L"))
            literal(s, out);
        else
            type(s, out);
        if (args)
            keep(s, args, out, from);
    }
}

static void template_args(struct demangle_state *s, struct tr_buf *out)
{
    struct list args = { 0 };
    if (!take(s, "I") || ++s->depth > MAX_DEPTH) {
        fail(s);
        return;
    }
    puts_to(s, out, "<");
    arguments(s, out, &args);
    puts_to(s, out, out->len && out->data[out->len - 1] == '>' ? " >" : ">");
    drop(&s->args, 0);
    free(s->args.v);
    s->args = args;
    s->depth--;
}

/* ---- types ---- */

static const char *builtin(struct demangle_state *s)
{
    static const char *const one[] = { "v", "void", "w", "wchar_t", "b", "bool", "c", "char", "a", "signed char", "h",
                                       "unsigned char", "s", "short", "t", "unsigned short", "i", "int", "j",
                                       "unsigned int", "l", "long", "m", "unsigned long", "x", "long long", "y",
                                       "unsigned long long", "n", "__int128", "o", "unsigned __int128", "f", "float",
                                       "d", "double", "e", "long double", "g", "__float128", "z", "...",
                                       "Di", "char32_t", "Ds", "char16_t", "Du", "char8_t", "Da", "auto",
                                       "Dn", "decltype(nullptr)", "Dh", "half", "DF16_", "_Float16",
                                       "DF16b", "std::bfloat16_t" };
    for (size_t i = 0; i < sizeof one / sizeof *one; i += 2)
        if (take(s, one[i]))
            return one[i + 1];
    return NULL;
}

static void parameter(struct demangle_state *s, struct tr_buf *out)
{
    size_t n = index_of(s, 10), from = out->len;
    if (s->in_lambda)
        put_auto(s, out, n + 1);
    else
        put_kept(s, out, &s->args, n);
    keep(s, &s->known, out, from);
    if (!s->failed)
        s->known.v[s->known.n - 1].param = n + 1;
}

static void type(struct demangle_state *s, struct tr_buf *out)
{
    static const char *const after[][2] = {
        { "Dp", "" },      { "P", "*" },        { "R", "&" }, { "O", "&&" }, { "VK", " const volatile" },
        { "K", " const" }, { "V", " volatile" }
    };
    const char *is = builtin(s), *suffix;
    size_t from = out->len;
    bool is_template;
    if (is) {
        puts_to(s, out, is);
        return;
    }
    if (++s->depth > MAX_DEPTH || at(s, "F") || at(s, "A") || at(s, "M") || (at(s, "D") && !at(s, "Dp")) ||
        at(s, "X") || at(s, "C"))
        fail(s);
    for (size_t i = 0; i < sizeof after / sizeof *after && !s->failed; i++)
        if (take(s, after[i][0])) {
            type(s, out);
            puts_to(s, out, after[i][1]);
            keep(s, &s->known, out, from);
            s->depth--;
            return;
        }
    if (take(s, "T"))
        parameter(s, out);
    else
        name(s, out, true, &is_template, &suffix);
    s->depth--;
}

bool tr_demangle(struct tr_str mangled, struct tr_buf *out)
{
    struct demangle_state s = { .p = mangled.s, .end = mangled.s + mangled.len };
    struct tr_buf text = { 0 }, result = { 0 };
    size_t before = out->len;
    if (take(&s, "_ZTS"))
        type(&s, &text);
    else if (take(&s, "_Z"))
        encoding_of(&s, &text, &result);
    else
        fail(&s);
    bool ok = !s.failed && s.p == s.end && text.len &&
              tr_buf_add_text(out, (struct tr_str){ (const char *)result.data, result.len }) &&
              (!result.len || tr_buf_add_str(out, " ")) && tr_buf_add(out, text.data, text.len);
    out->len = ok ? out->len : before;
    drop(&s.known, 0);
    drop(&s.args, 0);
    free(s.known.v);
    free(s.args.v);
    tr_buf_free(&text);
    tr_buf_free(&result);
    return ok;
}
