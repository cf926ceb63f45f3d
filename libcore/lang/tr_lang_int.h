/* SPDX-License-Identifier: MIT */
/* Inside of the language: tokens, the tree, the parser. */
#ifndef TR_LANG_INT_H
#define TR_LANG_INT_H

#include "lang/tr_lang.h"

enum tr__tok {
    TR__T_END,
    TR__T_WORD,   /* text */
    TR__T_ARGS,   /* args.KEY; text is the key */
    TR__T_STRING, /* text, escapes resolved */
    TR__T_NUMBER, /* num, unit applied */
    TR__T_EQ,
    TR__T_NE,
    TR__T_LT,
    TR__T_LE,
    TR__T_GT,
    TR__T_GE,
    TR__T_MATCH,
    TR__T_NO_MATCH,
    TR__T_AND,
    TR__T_OR,
    TR__T_NOT,
    TR__T_OPEN,
    TR__T_CLOSE,
    TR__T_COMMA,
    TR__T_RANGE,
};

enum tr__unit { TR__U_NONE, TR__U_TIME, TR__U_SIZE, TR__U_PCT };

struct tr__token {
    enum tr__tok type;
    size_t at, len; /* in the text */
    const char *text;
    size_t text_len;
    struct tr__num num; /* in ns or bytes if it has a unit */
    enum tr__unit unit;
    size_t count;  /* in parentheses after a name; 0: none */
    bool any_case; /* TR__T_MATCH, TR__T_NO_MATCH */
};

struct tr__parser {
    struct tr_lang *l;
    const struct tr_lang_names *names;
    const char *text;
    size_t pos;
    struct tr__leaf **last; /* where the next leaf goes */
    struct tr__token tok;   /* the current one */
    bool any_word;        /* the next token is an unquoted text of conditions on tables: see tr_lang_names */
    unsigned depth;
    struct tr_error *err;
    enum tr_status status; /* of the first failure */
};

/* Record a failure at a byte of the text; false, so that callers can return it. */
bool tr__lang_fail_at(struct tr__parser *p, size_t at, const char *fmt, ...) TR_PRINTF(3, 4);
bool tr__lang_fail_mem(struct tr__parser *p);

bool tr__lang_lex(struct tr__parser *p); /* read the next token into p->tok */
bool tr__lang_parse(struct tr__parser *p);

/* The name that a token means; reports unknown names. */
bool tr__lang_find_name(struct tr__parser *p, const struct tr__token *t, size_t *name);

/* One item on the right of an operator: a value, or a range of two tokens. */
struct tr__item {
    struct tr__token lo, hi;
    bool is_range;
    struct tr__item *next;
};

/*
 * Fill in a leaf from its name, operator and items.  There is one item, unless the operator is `in`, which is
 * TR__T_WORD here.
 */
bool tr__lang_check_leaf(struct tr__parser *p, const struct tr__token *name, const struct tr__token *op,
                         const struct tr__item *items, struct tr__leaf *leaf);
/* Fill in a leaf that compares two named values. */
bool tr__lang_check_pair(struct tr__parser *p, const struct tr__token *name, const struct tr__token *op,
                         const struct tr__token *other, struct tr__leaf *leaf);

/* Is the current token, to the right of op, a named value?  If not, it is a value of the text. */
bool tr__lang_is_side(struct tr__parser *p, size_t name, const struct tr__token *op);
bool tr__lang_check_has(struct tr__parser *p, const struct tr__token *name, struct tr__leaf *leaf);

#endif
