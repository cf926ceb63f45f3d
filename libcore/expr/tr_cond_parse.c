/* The text of a condition to its tree. */
#include "expr/tr_cond.h"

#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "base/tr_regex.h"
#include "expr/tr_cond_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 200u
#define NONE      UINT32_MAX

struct parser {
    struct tr_cond *c;
    const char *text;
    size_t at;
    const struct tr_cond_var *vars;
    size_t n_vars;
    unsigned depth;
    struct tr_error *err;
    enum tr_status status;
};

static uint32_t fail_at(struct parser *p, size_t at, const char *fmt, ...) TR_PRINTF(3, 4);
static uint32_t fail_at(struct parser *p, size_t at, const char *fmt, ...)
{
    char what[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    if (p->status == TR_OK) {
        p->status = tr_fail(p->err, TR_USAGE, "%s", what);
        tr_error_place(p->err, "column %zu", at + 1);
    }
    return NONE;
}

static uint32_t fail_memory(struct parser *p)
{
    if (p->status == TR_OK)
        p->status = tr_fail_memory(p->err);
    return NONE;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '-' || c == '.';
}

static void skip_blanks(struct parser *p)
{
    while (p->text[p->at] && strchr(" \t\r\n", p->text[p->at]))
        p->at++;
}

static bool take(struct parser *p, const char *sign)
{
    skip_blanks(p);
    if (strncmp(p->text + p->at, sign, strlen(sign)) != 0)
        return false;
    p->at += strlen(sign);
    return true;
}

static size_t word_len(const struct parser *p)
{
    size_t len = 0;
    while (is_word(p->text[p->at + len]))
        len++;
    return len;
}

/* ---- values ---- */

static uint32_t read_number(struct parser *p, struct tr__cond_leaf *l, enum tr_cond_type type)
{
    size_t start = p->at, len = strspn(p->text + p->at, "+-"), n;
    char digits[64];
    const char *s = p->text + start;
    while (is_digit(s[len]) || s[len] == '.' ||
           ((s[len] == 'e' || s[len] == 'E') && (is_digit(s[len + 1]) || s[len + 1] == '-')) ||
           ((s[len] == '-' || s[len] == '+') && len && (s[len - 1] == 'e' || s[len - 1] == 'E')))
        len++;
    n = *s == '+'; /* "> +2%" */
    if (len - n >= sizeof digits)
        return fail_at(p, start, "this number has too many digits");
    memcpy(digits, s + n, len - n);
    digits[len - n] = '\0';
    if (!tr_num_decimal(digits, &l->number))
        return fail_at(p, start, "a number was expected here");
    p->at += len;
    size_t unit = word_len(p), at = p->at;
    bool percent = !unit && p->text[at] == '%';
    uint64_t factor = unit ? tr_num_time_unit(p->text + at, unit) : 1;
    p->at += unit + percent;
    if (type == TR_COND_TIME) {
        if (percent || !factor)
            return fail_at(p, at, "this is compared with a time: units are ns, us, ms, s, min, h");
        if (!unit && l->number != 0)
            return fail_at(p, start, "this is compared with a time and needs a unit, as in 50us");
        l->number *= (double)factor;
    } else if (unit || (percent && type != TR_COND_PCT)) {
        return fail_at(p, at, "no unit was expected here");
    }
    return 0;
}

static uint32_t read_text(struct parser *p, struct tr__cond_leaf *l)
{
    char quote = p->text[p->at];
    bool quoted = quote == '"' || quote == '\'';
    size_t start = p->at + quoted, len = 0, n = 0;
    const char *s = p->text + start;
    if (quoted)
        while (s[len] && s[len] != quote)
            len += s[len] == '\\' && (s[len + 1] == quote || s[len + 1] == '\\') ? 2 : 1;
    else
        len = word_len(p);
    if (quoted && !s[len])
        return fail_at(p, p->at, "the quote that opens here is not closed");
    if (!quoted && !len)
        return fail_at(p, p->at, "a text was expected here");
    l->text = malloc(len + 1);
    if (!l->text)
        return fail_memory(p);
    for (size_t i = 0; i < len; i++) {
        if (quoted && s[i] == '\\' && (s[i + 1] == quote || s[i + 1] == '\\'))
            i++;
        l->text[n++] = s[i];
    }
    l->text[n] = '\0';
    p->at = start + len + quoted;
    return 0;
}

static uint32_t read_regex(struct parser *p, struct tr__cond_leaf *l, size_t at)
{
    char why[TR_REGEX_WHY];
    enum tr_status st = tr_regex_compile(&l->re, l->text, why);
    if (st == TR_SYSTEM)
        return fail_memory(p);
    if (st == TR_USAGE)
        return fail_at(p, at, "no regular expression: %s", why);
    l->kind = TR__COND_IS_REGEX;
    return 0;
}

/* ---- comparisons ---- */

static bool read_op(struct parser *p, enum tr__cond_op *op)
{
    static const char *const signs[] = { "==", "!=", "=~", "!~", "<=", ">=", "<", ">" };
    static const enum tr__cond_op ops[] = { TR__COND_EQ,       TR__COND_NE, TR__COND_MATCH,
                                            TR__COND_NO_MATCH, TR__COND_LE, TR__COND_GE,
                                            TR__COND_LT,       TR__COND_GT };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (take(p, signs[i])) {
            *op = ops[i];
            return true;
        }
    return false;
}

static uint32_t find_var(struct parser *p, size_t *var)
{
    size_t len = word_len(p);
    if (!len)
        return fail_at(p, p->at, "the name of a value was expected here");
    for (*var = 0; *var < p->n_vars; ++*var)
        if (strlen(p->vars[*var].name) == len &&
            memcmp(p->vars[*var].name, p->text + p->at, len) == 0)
            break;
    if (*var == p->n_vars)
        return fail_at(p, p->at, "'%.*s' is no value that is known here", len > 60 ? 60 : (int)len,
                       p->text + p->at);
    p->at += len;
    return 0;
}

static uint32_t add_node(struct parser *p, enum tr__cond_join join, uint32_t a, uint32_t b)
{
    struct tr_cond *c = p->c;
    if (a == NONE || b == NONE)
        return NONE;
    if (!tr_grow(&c->nodes, &c->cap_nodes, c->n_nodes + 1, sizeof *c->nodes))
        return fail_memory(p);
    c->nodes[c->n_nodes] = (struct tr__cond_node){ join, a, b };
    return (uint32_t)c->n_nodes++;
}

static uint32_t parse_leaf(struct parser *p)
{
    struct tr_cond *c = p->c;
    if (!tr_grow(&c->leaves, &c->cap_leaves, c->n_leaves + 1, sizeof *c->leaves))
        return fail_memory(p);
    struct tr__cond_leaf *l = &c->leaves[c->n_leaves];
    uint32_t number = (uint32_t)c->n_leaves;
    memset(l, 0, sizeof *l);
    c->n_leaves++;
    skip_blanks(p);
    if (find_var(p, &l->var) == NONE)
        return NONE;
    skip_blanks(p);
    size_t at = p->at;
    if (!read_op(p, &l->op))
        return fail_at(p, at, "a comparison was expected here: == != < <= > >= =~ !~");
    enum tr_cond_type type = p->vars[l->var].type;
    bool regex = l->op == TR__COND_MATCH || l->op == TR__COND_NO_MATCH;
    bool order = !regex && l->op != TR__COND_EQ && l->op != TR__COND_NE;
    if (type == TR_COND_TEXT ? order : regex)
        return fail_at(p, at,
                       type == TR_COND_TEXT ? "texts have no order: == != =~ !~ compare them"
                                            : "numbers are compared by == != < <= > >=");
    skip_blanks(p);
    at = p->at;
    if (type != TR_COND_TEXT)
        return read_number(p, l, type) == NONE ? NONE : add_node(p, TR__COND_LEAF, number, 0);
    l->kind = TR__COND_IS_TEXT;
    if (read_text(p, l) == NONE || (regex && read_regex(p, l, at) == NONE))
        return NONE;
    return add_node(p, TR__COND_LEAF, number, 0);
}

static uint32_t parse_or(struct parser *p);

static uint32_t parse_unary(struct parser *p)
{
    uint32_t node;
    if (p->depth == MAX_DEPTH)
        return fail_at(p, p->at, "more than %u parentheses in each other", MAX_DEPTH);
    p->depth++;
    skip_blanks(p);
    size_t at = p->at;
    if (take(p, "!")) {
        node = add_node(p, TR__COND_NOT, parse_unary(p), 0);
    } else if (take(p, "(")) {
        node = parse_or(p);
        if (node != NONE && !take(p, ")"))
            node = fail_at(p, at, "the parenthesis that opens here is not closed");
    } else {
        node = parse_leaf(p);
    }
    p->depth--;
    return node;
}

static uint32_t parse_and(struct parser *p)
{
    uint32_t node = parse_unary(p);
    while (node != NONE && take(p, "&&"))
        node = add_node(p, TR__COND_AND, node, parse_unary(p));
    return node;
}

static uint32_t parse_or(struct parser *p)
{
    uint32_t node = parse_and(p);
    while (node != NONE && take(p, "||"))
        node = add_node(p, TR__COND_OR, node, parse_and(p));
    return node;
}

enum tr_status tr_cond_compile(struct tr_cond **out, const char *text,
                               const struct tr_cond_var *vars, size_t n_vars, struct tr_error *err)
{
    struct parser p = { .text = text, .vars = vars, .n_vars = n_vars, .err = err };
    *out = NULL;
    p.c = calloc(1, sizeof *p.c);
    if (!p.c)
        return tr_fail_memory(err);
    p.c->root = parse_or(&p);
    skip_blanks(&p);
    if (p.status == TR_OK && text[p.at])
        fail_at(&p, p.at, "'&&' or '||' was expected here");
    if (p.status != TR_OK) {
        tr_cond_free(p.c);
        return p.status;
    }
    *out = p.c;
    return TR_OK;
}
