/* SPDX-License-Identifier: MIT */
/*
 * expr  := and { "||" and }
 * and   := unary { "&&" unary }
 * unary := { "!" } ( "(" expr ")" | "has" "(" name ")" | "true" | "false" | comparison )
 * comparison := name ( op value | op name | "in" range | "in" "(" item { "," item } ")" )
 * name  := word | "args." key | word "(" number ")"
 * item  := value | range          range := value ".." value
 */
#include "lang/tr_lang_int.h"

#include <stdio.h>
#include <string.h>

#define LIST_MAX  65536u /* items after `in` */
#define COUNT_MAX 10000

static bool parse_binary(struct tr__parser *p, enum tr__node_type type, struct tr__node **out);

static bool is_word(const struct tr__token *t, const char *word)
{
    return t->type == TR__T_WORD && strcmp(t->text, word) == 0;
}

/* How a token reads in a message. */
static const char *token_text(const struct tr__parser *p, char *buf, size_t size)
{
    if (p->tok.type == TR__T_END)
        return "the end";
    int len = p->tok.len > 40 ? 40 : (int)p->tok.len;
    snprintf(buf, size, "'%.*s'", len, p->text + p->tok.at);
    return buf;
}

static bool expected(struct tr__parser *p, const char *what)
{
    char buf[64];
    const char *seen = token_text(p, buf, sizeof buf);
    return tr__lang_fail_at(p, p->tok.at, "%s is expected here, not %s", what, seen);
}

static bool expect_token(struct tr__parser *p, enum tr__tok type, const char *what)
{
    return p->tok.type == type ? tr__lang_lex(p) : expected(p, what);
}

static struct tr__node *new_node(struct tr__parser *p, enum tr__node_type type)
{
    struct tr__node *n = tr_arena_alloc(p->l->arena, sizeof *n);
    if (!n) {
        tr__lang_fail_mem(p);
        return NULL;
    }
    memset(n, 0, sizeof *n);
    n->type = type;
    return n;
}

/* A leaf belongs to the program from the start, so its memory is always released. */
static struct tr__node *new_leaf(struct tr__parser *p)
{
    struct tr__node *n = new_node(p, TR__N_LEAF);
    if (!n)
        return NULL;
    n->leaf = tr_arena_alloc(p->l->arena, sizeof *n->leaf);
    if (!n->leaf) {
        tr__lang_fail_mem(p);
        return NULL;
    }
    memset(n->leaf, 0, sizeof *n->leaf);
    *p->last = n->leaf;
    p->last = &n->leaf->next;
    return n;
}

static bool parse_value(struct tr__parser *p, struct tr__token *out)
{
    *out = p->tok;
    if (p->tok.type != TR__T_NUMBER && p->tok.type != TR__T_STRING && p->tok.type != TR__T_WORD)
        return expected(p, "a number, a text or a word");
    return tr__lang_lex(p);
}

static bool parse_item(struct tr__parser *p, struct tr__item **out)
{
    struct tr__item *it = tr_arena_alloc(p->l->arena, sizeof *it);
    if (!it)
        return tr__lang_fail_mem(p);
    memset(it, 0, sizeof *it);
    *out = it;
    if (!parse_value(p, &it->lo))
        return false;
    if (p->tok.type != TR__T_RANGE)
        return true;
    it->is_range = true;
    return tr__lang_lex(p) && parse_value(p, &it->hi);
}

/* What follows `in`. */
static bool parse_list(struct tr__parser *p, struct tr__item **first)
{
    if (p->tok.type != TR__T_OPEN) {
        if (p->tok.type != TR__T_NUMBER)
            return expected(p, "a list in parentheses or a range such as 3..7");
        return parse_item(p, first) &&
               ((*first)->is_range || expected(p, "'..' and the end of the range"));
    }
    if (!tr__lang_lex(p))
        return false;
    struct tr__item **at = first;
    for (unsigned n = 0;; n++) {
        if (n == LIST_MAX)
            return tr__lang_fail_at(p, p->tok.at, "more than %u items in a list", LIST_MAX);
        if (!parse_item(p, at))
            return false;
        at = &(*at)->next;
        if (p->tok.type != TR__T_COMMA)
            return expect_token(p, TR__T_CLOSE, "',' or ')'");
        if (!tr__lang_lex(p))
            return false;
    }
}

/* Read a name, and the number in parentheses that may follow it. */
static bool parse_name(struct tr__parser *p, struct tr__token *name, size_t *found)
{
    bool exact;
    int cut;
    *name = p->tok;
    if (!tr__lang_find_name(p, name, found) || !tr__lang_lex(p))
        return false;
    if (!p->names->v[*found].counted || p->tok.type != TR__T_OPEN)
        return true;
    if (!tr__lang_lex(p))
        return false;
    int64_t count = p->tok.type == TR__T_NUMBER && !p->tok.unit ? tr__num_floor(&p->tok.num, &exact, &cut) : 0;
    if (count < 1 || count > COUNT_MAX || !exact)
        return expected(p, "a whole number from 1 to 10000");
    name->count = (size_t)count;
    return tr__lang_lex(p) && expect_token(p, TR__T_CLOSE, "')'");
}

/* Two named values. */
static bool parse_pair(struct tr__parser *p, const struct tr__token *name, const struct tr__token *op,
                       struct tr__node **out)
{
    struct tr__token other;
    size_t found;
    if (!parse_name(p, &other, &found))
        return false;
    *out = new_leaf(p);
    return *out && tr__lang_check_pair(p, name, op, &other, (*out)->leaf);
}

static bool parse_comparison(struct tr__parser *p, struct tr__node **out)
{
    struct tr__token name, op;
    struct tr__item *items = NULL;
    size_t found;
    if (!parse_name(p, &name, &found))
        return false;
    op = p->tok;
    p->any_word = p->names->plain && p->names->v[found].type == TR_LANG_TEXT;
    if (is_word(&op, "in")) {
        if (!tr__lang_lex(p) || !parse_list(p, &items))
            return false;
    } else if (op.type >= TR__T_EQ && op.type <= TR__T_NO_MATCH) {
        if (!tr__lang_lex(p))
            return false;
        if (tr__lang_is_side(p, found, &op))
            return parse_pair(p, &name, &op, out);
        if (!parse_item(p, &items))
            return false;
        if (items->is_range)
            return tr__lang_fail_at(p, items->lo.at, "a range needs 'in'");
    } else {
        return expected(p, "an operator (== != < <= > >= =~ !~ in)");
    }
    p->any_word = false;
    *out = new_leaf(p);
    return *out && tr__lang_check_leaf(p, &name, &op, items, (*out)->leaf);
}

static bool parse_has(struct tr__parser *p, struct tr__node **out)
{
    *out = new_leaf(p);
    if (!*out || !tr__lang_lex(p) || !expect_token(p, TR__T_OPEN, "'('"))
        return false;
    struct tr__token name;
    size_t found;
    return parse_name(p, &name, &found) && tr__lang_check_has(p, &name, (*out)->leaf) &&
           expect_token(p, TR__T_CLOSE, "')'");
}

static bool parse_group(struct tr__parser *p, struct tr__node **out)
{
    if (++p->depth > TR_LANG_MAX_DEPTH)
        return tr__lang_fail_at(p, p->tok.at, "more than %u parentheses inside one another",
                                TR_LANG_MAX_DEPTH);
    if (!tr__lang_lex(p) || !parse_binary(p, TR__N_OR, out))
        return false;
    p->depth--;
    return expect_token(p, TR__T_CLOSE, "')'");
}

static bool parse_unary(struct tr__parser *p, struct tr__node **out)
{
    char what[64];
    bool negate = false;
    for (; p->tok.type == TR__T_NOT; negate = !negate)
        if (!tr__lang_lex(p))
            return false;
    struct tr__node *n = NULL;
    bool ok;
    if (p->tok.type == TR__T_OPEN) {
        ok = parse_group(p, &n);
    } else if (is_word(&p->tok, "has")) {
        ok = parse_has(p, &n);
    } else if (is_word(&p->tok, "true") || is_word(&p->tok, "false")) {
        n = new_node(p, TR__N_CONST);
        if (n)
            n->value = p->tok.text[0] == 't';
        ok = n && tr__lang_lex(p);
    } else if (p->tok.type == TR__T_WORD || p->tok.type == TR__T_ARGS) {
        ok = parse_comparison(p, &n);
    } else {
        snprintf(what, sizeof what, "a %s, '!' or '('", p->names->kind);
        ok = expected(p, what);
    }
    if (!ok)
        return false;
    *out = n;
    if (negate) {
        *out = new_node(p, TR__N_NOT);
        if (!*out)
            return false;
        (*out)->child = n;
    }
    return true;
}

/* Operands of one operator.  They get a node only if there are several. */
static bool parse_binary(struct tr__parser *p, enum tr__node_type type, struct tr__node **out)
{
    enum tr__tok sign = type == TR__N_OR ? TR__T_OR : TR__T_AND;
    struct tr__node *first = NULL, **at = &first;
    for (;;) {
        bool ok = type == TR__N_OR ? parse_binary(p, TR__N_AND, at) : parse_unary(p, at);
        if (!ok)
            return false;
        at = &(*at)->next;
        if (p->tok.type != sign)
            break;
        if (!tr__lang_lex(p))
            return false;
    }
    *out = first;
    if (first->next) {
        *out = new_node(p, type);
        if (!*out)
            return false;
        (*out)->child = first;
    }
    return true;
}

bool tr__lang_parse(struct tr__parser *p)
{
    if (!tr__lang_lex(p))
        return false;
    if (p->tok.type == TR__T_END)
        return tr__lang_fail_at(p, p->tok.at, "the expression is empty");
    if (!parse_binary(p, TR__N_OR, &p->l->root))
        return false;
    if (p->tok.type == TR__T_END)
        return true;
    if (is_word(&p->tok, "and") || is_word(&p->tok, "or"))
        return tr__lang_fail_at(p, p->tok.at, "'and' is written '&&', 'or' is written '||'");
    return expected(p, "'&&', '||' or the end");
}
