/* SPDX-License-Identifier: MIT */
/* Formulas: text to a tree. */
#include "lang/tr_formula_int.h"

#include "base/tr_num.h"

#include <stdio.h>
#include <string.h>

struct parser {
    struct tr_arena *arena;
    const char *s;
    size_t n, at;
    struct tr_formula_names *names;
    unsigned depth;
    struct tr_error *err;
    enum tr_status status;
};

static bool parse_binary(struct parser *p, unsigned level, struct tr_formula **out);

static bool parse_expr(struct parser *p, struct tr_formula **out)
{
    return parse_binary(p, 0, out);
}

/* ---- pieces ---- */

static bool fail(struct parser *p, const char *what)
{
    if (p->status == TR_OK) {
        size_t left = p->n - p->at;
        p->status = tr_fail(p->err, TR_USAGE, "%s, not '%.*s'", what, (int)(left < 20 ? left : 20), p->s + p->at);
        if (!left)
            tr_fail(p->err, TR_USAGE, "%s, not the end", what);
        tr_error_place(p->err, "column %zu", p->at + 1);
    }
    return false;
}

static struct tr_formula *node(struct parser *p, enum tr__fop op)
{
    struct tr_formula *f = tr_arena_alloc(p->arena, sizeof *f);
    if (!f) {
        p->status = tr_fail_memory(p->err);
        return NULL;
    }
    *f = (struct tr_formula){ .op = op, .value = tr_value_none() };
    return f;
}

static void skip(struct parser *p)
{
    while (p->at < p->n && (p->s[p->at] == ' ' || p->s[p->at] == '\t' || p->s[p->at] == '\r'))
        p->at++;
}

static bool take(struct parser *p, const char *sign)
{
    size_t len = strlen(sign);
    skip(p);
    if (p->n - p->at < len || memcmp(p->s + p->at, sign, len) != 0)
        return false;
    p->at += len;
    return true;
}

static bool need(struct parser *p, const char *sign)
{
    char what[32];
    if (take(p, sign))
        return true;
    snprintf(what, sizeof what, "'%s' is expected here", sign);
    return fail(p, what);
}

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static struct tr_str take_name(struct parser *p)
{
    skip(p);
    size_t from = p->at;
    while (p->at < p->n && (letter(p->s[p->at]) || (p->at > from && tr_num_is_digit(p->s[p->at])) ||
                            (p->at > from && p->s[p->at] == '.' && p->at + 1 < p->n && letter(p->s[p->at + 1]))))
        p->at++;
    return (struct tr_str){ p->s + from, p->at - from };
}

static void append(struct tr_formula *f, struct tr_formula *child)
{
    struct tr_formula **at = &f->child;
    while (*at)
        at = &(*at)->next;
    *at = child;
    f->n++;
}

/* Expressions separated by commas, up to the sign that closes the list. */
static bool parse_list(struct parser *p, struct tr_formula *f, const char *close)
{
    if (take(p, close))
        return true;
    do {
        struct tr_formula *child;
        if (!parse_expr(p, &child))
            return false;
        append(f, child);
    } while (take(p, ","));
    return need(p, close);
}

/* ---- primaries ---- */

static bool parse_number(struct parser *p, struct tr_formula **out)
{
    char text[64];
    double real;
    int64_t whole;
    size_t len = tr_num_scan(p->s + p->at, p->n - p->at);
    if (!len || len >= sizeof text)
        return fail(p, "a number, a text, a name or '(' is expected here");
    memcpy(text, p->s + p->at, len);
    text[len] = '\0';
    *out = node(p, TR__F_VALUE);
    if (!*out)
        return false;
    if (tr_num_plain(text, len, &whole))
        (*out)->value = tr_value_int(whole);
    else if (tr_num_decimal(text, &real))
        (*out)->value = tr_value_real(real);
    else
        return fail(p, "a number is expected here");
    p->at += len;
    return true;
}

static bool parse_text(struct parser *p, struct tr_formula **out)
{
    const char *from = p->s + p->at + 1, *end = memchr(from, '"', p->n - p->at - 1);
    if (!end)
        return fail(p, "a text that ends with '\"' is expected here");
    char *copy = tr_arena_copy(p->arena, from, (size_t)(end - from) + 1);
    *out = copy ? node(p, TR__F_VALUE) : NULL;
    if (!*out) {
        p->status = tr_fail_memory(p->err);
        return false;
    }
    copy[end - from] = '\0';
    (*out)->value = tr_value_text((struct tr_str){ copy, (size_t)(end - from) });
    p->at = (size_t)(end - p->s) + 1;
    return true;
}

/* The number of a variable; SIZE_MAX: unknown. */
static size_t find_variable(const struct tr_formula_names *names, struct tr_str name)
{
    size_t i = names->n;
    while (i-- > 0)
        if (tr_str_cmp(names->variables[i], name) == 0)
            return i;
    return SIZE_MAX;
}

/* map(x, a => e) and zip(x, y, a, b => e), after the bracket. */
static bool parse_map(struct parser *p, size_t lists, struct tr_formula **out)
{
    struct tr_formula *f = *out = node(p, lists == 1 ? TR__F_MAP : TR__F_ZIP), *child;
    size_t before = p->names->n;
    bool ok = f != NULL;
    for (size_t i = 0; ok && i < lists; i++) {
        ok = parse_expr(p, &child) && need(p, ",");
        if (ok)
            append(f, child);
    }
    for (size_t i = 0; ok && i < lists; i++) {
        struct tr_str name = take_name(p);
        if (!name.len || p->names->n == TR_FORMULA_MAX_NAMES)
            return fail(p, name.len ? "fewer names are expected" : "a name is expected here");
        p->names->variables[p->names->n++] = name;
        ok = i + 1 == lists || need(p, ",");
    }
    ok = ok && need(p, "=>") && parse_expr(p, &child) && need(p, ")");
    if (ok) {
        f->first = before;
        append(f, child);
    }
    p->names->n = before;
    return ok;
}

static bool parse_call(struct parser *p, struct tr_str name, struct tr_formula **out)
{
    const struct tr_formula_function *own = p->names->functions;
    struct tr_formula *f;
    if (tr_str_is(name, "map") || tr_str_is(name, "zip"))
        return parse_map(p, name.s[0] == 'm' ? 1 : 2, out);
    f = *out = node(p, TR__F_BUILTIN);
    if (!f)
        return false;
    while (own && own->name && !tr_str_is(name, own->name))
        own++;
    size_t b = 0, min = 1, max = 1;
    while (b < TR__N_FB && !tr_str_is(name, tr__fbuiltins[b].name))
        b++;
    if (own && own->name) {
        f->op = TR__F_CALL;
        f->own = own;
        min = max = own->n;
    } else if (b < TR__N_FB) {
        f->builtin = (enum tr__fbuiltin)b;
        min = tr__fbuiltins[b].min;
        max = tr__fbuiltins[b].max;
    } else {
        p->at -= name.len + 1;
        return fail(p, "a function or a name is expected here");
    }
    if (!parse_list(p, f, ")"))
        return false;
    return (f->n >= min && f->n <= max) || fail(p, f->n < min ? "more arguments are expected before this"
                                                                   : "fewer arguments are expected before this");
}

static bool parse_name(struct parser *p, struct tr_formula **out)
{
    struct tr_str name = take_name(p);
    size_t variable = find_variable(p->names, name);
    if (tr_str_is(name, "true") || tr_str_is(name, "false")) {
        *out = node(p, TR__F_VALUE);
        if (*out)
            (*out)->value = tr_value_bool(name.s[0] == 't');
        return *out != NULL;
    }
    if (tr_str_is(name, "none"))
        return (*out = node(p, TR__F_VALUE)) != NULL;
    bool called = p->at < p->n && p->s[p->at] == '(';
    p->at += called;
    if (variable == SIZE_MAX && called)
        return parse_call(p, name, out);
    if (variable == SIZE_MAX) {
        p->at -= name.len;
        return fail(p, "a name that was given before is expected here");
    }
    struct tr_formula *of = node(p, TR__F_VARIABLE), *f = called && of ? node(p, TR__F_INDEX) : of;
    if (!of || !f)
        return false;
    of->first = variable;
    *out = f;
    if (!called)
        return true;
    append(f, of);
    return parse_list(p, f, ")") && (f->n == 2 || fail(p, "one argument is expected before this"));
}

static bool parse_primary(struct parser *p, struct tr_formula **out)
{
    skip(p);
    char c = p->at < p->n ? p->s[p->at] : '\0';
    if (c == '"')
        return parse_text(p, out);
    if (letter(c))
        return parse_name(p, out);
    if (take(p, "("))
        return parse_expr(p, out) && need(p, ")");
    if (take(p, "[")) {
        *out = node(p, TR__F_LIST);
        return *out && parse_list(p, *out, "]");
    }
    return parse_number(p, out);
}

static bool parse_unary(struct parser *p, struct tr_formula **out)
{
    struct tr_formula *x, *i;
    skip(p);
    bool minus = p->at < p->n && p->s[p->at] == '-';
    bool not = p->at + 1 < p->n && p->s[p->at] == '!' && p->s[p->at + 1] != '=';
    if (++p->depth > TR_FORMULA_MAX_DEPTH)
        return fail(p, "a formula of fewer levels is expected");
    if (minus || not ) {
        p->at++;
        *out = node(p, minus ? TR__F_NEG : TR__F_NOT);
        if (!*out || !parse_unary(p, &x))
            return false;
        append(*out, x);
    } else {
        if (!parse_primary(p, out))
            return false;
        while (take(p, "[")) {
            if (!(x = node(p, TR__F_INDEX)) || !parse_expr(p, &i) || !need(p, "]"))
                return false;
            append(x, *out);
            append(x, i);
            *out = x;
        }
    }
    p->depth--;
    return true;
}

/* ---- operators ---- */

static const struct {
    const char *sign;
    enum tr__fop op;
    unsigned level; /* 0 binds the least */
} operators[] = {
    { "||", TR__F_OR, 0 }, { "&&", TR__F_AND, 1 }, { "==", TR__F_EQ, 2 }, { "!=", TR__F_NE, 2 },
    { "<=", TR__F_LE, 2 }, { ">=", TR__F_GE, 2 },  { "<", TR__F_LT, 2 },  { ">", TR__F_GT, 2 },
    { "+", TR__F_ADD, 3 }, { "-", TR__F_SUB, 3 },  { "*", TR__F_MUL, 4 }, { "/", TR__F_DIV, 4 },
    { "%", TR__F_MOD, 4 },
};
#define LEVELS 5u

static bool take_operator(struct parser *p, unsigned level, enum tr__fop *op)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].level == level && take(p, operators[i].sign)) {
            *op = operators[i].op;
            return true;
        }
    return false;
}

static bool parse_binary(struct parser *p, unsigned level, struct tr_formula **out)
{
    enum tr__fop op;
    if (level == LEVELS)
        return parse_unary(p, out);
    if (!parse_binary(p, level + 1, out))
        return false;
    while (take_operator(p, level, &op)) {
        struct tr_formula *f = node(p, op), *right;
        if (!f || !parse_binary(p, level + 1, &right))
            return false;
        append(f, *out);
        append(f, right);
        *out = f;
    }
    return true;
}

enum tr_status tr_formula_parse(struct tr_arena *a, const char *text, size_t len, struct tr_formula_names *names,
                                const struct tr_formula **out, struct tr_error *err)
{
    struct tr_error none = TR_ERROR_INIT;
    struct parser p = { .arena = a, .s = text, .n = len, .names = names, .err = err ? err : &none };
    struct tr_formula *f = NULL;
    *out = NULL;
    if (len > TR_FORMULA_MAX_LEN)
        return tr_fail(err, TR_USAGE, "a formula is longer than %u bytes", TR_FORMULA_MAX_LEN);
    bool ok = parse_expr(&p, &f);
    skip(&p);
    if (ok && p.at < p.n)
        fail(&p, "an operator or the end is expected here");
    if (p.status == TR_OK)
        *out = f;
    return p.status;
}
