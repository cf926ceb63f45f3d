/* SPDX-License-Identifier: MIT */
/*
 * The language of conditions: comparisons of named values, joined by && || ! ( ).  tr-expr(7) has the grammar.
 *
 * The user of the language defines the names and their types, and keeps the values:
 *
 *     static const struct tr_lang_name v[] = { { "name", TR_LANG_TEXT, NULL, 0, 0 }, { "dur", TR_LANG_TIME, NULL, 0, 0
 *     } }; static const struct tr_lang_names names = { "field", v, 2, TR_LANG_NO_ARGS, false };
 *     tr__lang_compile(&l, "dur > 50us && name =~ gemm", &names, &err)
 *
 *   tr_lang_num.c    exact decimal numbers of any size a user writes
 *   tr_lang_lex.c    text to tokens
 *   tr_lang_parse.c  tokens to a tree of AND, OR, NOT and leaves; syntax errors
 *   tr_lang_check.c  names and their types; makes a set of values from the right side of an operator; type errors
 *   tr_lang_set.c    is a value in a set?
 *   tr_lang.c        compiling, places of errors, the tree applied to rows
 *
 * Every comparison becomes "value in set" or "value not in set": == is a set of one value, < a range, =~ the set of
 * all texts that match.  So one evaluator is enough, and both are false for a missing value.  A comparison of two named
 * values has no set.  Rows of events (expr/tr_expr.h) and rows of tables (expr/tr_cond.h) differ only in how a leaf
 * reads its values.
 */
#ifndef TR_LANG_H
#define TR_LANG_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "base/tr_str.h"

#include <stdbool.h>
#include <stdint.h>

#define TR_LANG_MAX_LEN   (1u << 20) /* bytes of text */
#define TR_LANG_MAX_DEPTH 200u       /* parentheses in parentheses */

/* --- names ------------------------------------------------------------------------------------ */

enum tr_lang_type {
    TR_LANG_TEXT,
    TR_LANG_LIST, /* a text that may hold several, with commas */
    TR_LANG_ENUM, /* a word from a list */
    TR_LANG_TIME, /* ns */
    TR_LANG_INT,  /* a number without unit */
    TR_LANG_ANY,  /* the type of the value in the trace */
    TR_LANG_PCT,  /* a number, with or without % */
};

struct tr_lang_name {
    const char *name; /* NULL: cannot be used in an expression */
    enum tr_lang_type type;
    const char *(*word)(unsigned value); /* of TR_LANG_ENUM: its words by value, at most 256 */
    unsigned first_word, n_words;        /* values before first_word: there is no word */
    bool counted; /* a number may follow in parentheses: stack(3) */
};

#define TR_LANG_NO_ARGS SIZE_MAX

struct tr_lang_names {
    const char *kind; /* what messages call one: "field" */
    const struct tr_lang_name *v;
    size_t n;
    size_t args; /* index in v of the entry for args.KEY; TR_LANG_NO_ARGS: no such names */
    /* The form of conditions on tables.  Names may contain points.  The part before the point is the group; it may end
     * with a unit if the group has times (step_time_us.diff for step_time.diff).  Unquoted texts may have digits,
     * points and dashes anywhere.  In quotes, a backslash escapes only the quote and itself. */
    bool plain;
};

/* --- numbers ---------------------------------------------------------------------------------- */

#define TR__NUM_DIGITS 80

/* A decimal number, exactly: 0.d1 d2 ... dn times 10^point, d1 and dn not zero; n = 0 is zero. */
struct tr__num {
    bool neg;
    int n;
    int point;
    uint8_t d[TR__NUM_DIGITS];
};

/* Read a text such as -12.5e3 that is only a number.  False: not a number, or too many digits. */
bool tr__num_parse(const char *s, size_t len, struct tr__num *out);
void tr__num_from_i64(int64_t v, struct tr__num *out);
void tr__num_from_u64(uint64_t v, struct tr__num *out);
bool tr__num_times(struct tr__num *a, uint64_t factor); /* below 10^18; false: too many digits */
int tr__num_cmp(const struct tr__num *a, const struct tr__num *b);
double tr__num_double(const struct tr__num *a); /* the nearest one */
/* The largest integer not above a.  If it is cut to int64, *cut is -1 or 1, else 0. */
int64_t tr__num_floor(const struct tr__num *a, bool *exact, int *cut);

/* --- sets of values --------------------------------------------------------------------------- */

/* All numbers between two bounds. */
struct tr__span {
    struct tr__num lo, hi;
    double lo_double, hi_double;
    bool has_lo, has_hi, lo_open, hi_open;
    bool from_text; /* a quoted text that reads as a number: other texts are compared as text */
};

struct tr__irange {
    int64_t lo, hi; /* both inclusive */
};

struct tr__set {
    struct tr__span *spans;
    struct tr__irange *ints; /* the same for int64: ordered, disjoint */
    struct tr_str *texts;
    size_t n_spans, n_ints, n_texts;
    struct tr_regex *re; /* NULL: none */
    bool with_false, with_true;
};

bool tr__set_has_int(const struct tr__set *s, int64_t v);
bool tr__set_has_num(const struct tr__set *s, const struct tr__num *v);
bool tr__set_has_double(const struct tr__set *s, double v);
bool tr__set_has_text(const struct tr__set *s, const char *text, size_t len);
/* The text or one of its members between commas. */
bool tr__set_has_member(const struct tr__set *s, const char *text, size_t len);

/* --- programs --------------------------------------------------------------------------------- */

/* A named value. */
struct tr__side {
    size_t name;       /* index in the names */
    struct tr_str key; /* of args.KEY */
    size_t count;      /* in parentheses after the name; 0: none */
    size_t arg;        /* for the user of the language */
};

/* How two values may compare, as bits. */
enum { TR__LESS = 1, TR__EQUAL = 2, TR__GREATER = 4 };

/* One comparison. */
struct tr__leaf {
    struct tr__side of;
    bool has;          /* has(name): true if the value is present */
    bool negate;       /* true if the value is present and not in the set */
    unsigned order;    /* of two named values, the orders that are true; 0: the right side is a set */
    struct tr__side other;
    struct tr__set set;
    uint8_t table[256]; /* TR_LANG_ENUM: result by value */
    struct tr__leaf *next;
    /* for the user of the language: remembered results, released with the program */
    uint8_t *memo, *name_memo; /* name_memo: if a part of the name is tested, by name */
    size_t memo_cap, name_memo_cap;
};

enum tr__node_type { TR__N_AND, TR__N_OR, TR__N_NOT, TR__N_LEAF, TR__N_CONST };

struct tr__node {
    enum tr__node_type type;
    bool value;             /* TR__N_CONST */
    struct tr__node *child; /* first of the operands */
    struct tr__node *next;  /* among operands */
    struct tr__leaf *leaf;
};

struct tr_lang {
    struct tr_arena *arena; /* the tree, texts, sets */
    struct tr__node *root;
    struct tr__leaf *leaves; /* in the order of the text */
    unsigned levels;         /* pairs of scratch masks that the tree needs */
    uint8_t *scratch;
    size_t cap_scratch;
};

/*
 * TR_OK; TR_USAGE if the text is not an expression: err->what has the reason and err->place the place, as "column 7" or
 * "line 2, column 7" (bytes, from 1); TR_SYSTEM.  *out is NULL unless the result is TR_OK; names are used only during
 * this call.
 */
enum tr_status tr__lang_compile(struct tr_lang **out, const char *text, const struct tr_lang_names *names,
                                struct tr_error *err);
void tr__lang_free(struct tr_lang *l);

/* See tr_expr_caret. */
bool tr__lang_caret(const char *text, const struct tr_error *err, struct tr_buf *out);

/* A leaf clears the entries of mask, for n rows, that do not satisfy it; `of' is passed through. */
typedef enum tr_status tr__lang_leaf(void *of, struct tr__leaf *leaf, size_t n, uint8_t *mask, struct tr_error *err);

/* Apply the tree to n rows.  mask has 1 or 0 for each row; an entry stays 1 if the row satisfies the expression. */
enum tr_status tr__lang_eval(struct tr_lang *l, tr__lang_leaf *leaf, void *of, size_t n, uint8_t *mask,
                             struct tr_error *err);

#endif
