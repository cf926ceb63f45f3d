/*
 * What the files of the filter language share.
 *
 *   tr_expr_num.c     exact decimal numbers of any size a user writes
 *   tr_expr_lex.c     text to tokens
 *   tr_expr_parse.c   tokens to a tree of AND, OR, NOT and leaves; syntax errors
 *   tr_expr_check.c   fields and their types; turns what stands right of an operator into a set of
 *                     values; type errors
 *   tr_expr_set.c     is a value in a set?
 *   tr_expr_column.c  the columns that a leaf looks at, expanded for one batch
 *   tr_expr_eval.c    the tree applied to a batch
 *   tr_expr.c         the public functions
 *
 * Every comparison becomes "value in set" or "value not in set": == is the set of one, < a range,
 * =~ the set of all texts that match.  So there is one evaluator, and a missing value is in
 * neither.
 */
#ifndef TR_EXPR_INT_H
#define TR_EXPR_INT_H

#include "model/tr_event_field.h"
#include "expr/tr_expr.h"
#include "model/tr_nest.h"
#include "model/tr_steps.h"

#include <regex.h>

/* --- numbers ---------------------------------------------------------------------------------- */

#define TR__NUM_DIGITS 80

/* A decimal number, exactly: 0.d1 d2 ... dn times 10^point, d1 and dn not zero; n = 0 is zero. */
struct tr__num {
    bool neg;
    int n;
    int point;
    uint8_t d[TR__NUM_DIGITS];
};

/* Reads -12.5e3 and nothing around it.  False: not a number, or too many digits. */
bool tr__num_parse(const char *s, size_t len, struct tr__num *out);
void tr__num_from_i64(int64_t v, struct tr__num *out);
void tr__num_from_u64(uint64_t v, struct tr__num *out);
void tr__num_from_decimal(int64_t d, struct tr__num *out); /* stream/tr_dict.h */
bool tr__num_times(struct tr__num *a, uint64_t factor);    /* below 10^18; false: too many digits */
int tr__num_cmp(const struct tr__num *a, const struct tr__num *b);
double tr__num_double(const struct tr__num *a); /* the nearest one */
/* The largest integer not above a; cut to int64, and then *cut is -1 or 1, else 0. */
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

struct tr__text {
    const char *s;
    size_t len;
};

struct tr__set {
    struct tr__span *spans;
    struct tr__irange *ints; /* the same for int64: ordered, disjoint */
    struct tr__text *texts;
    size_t n_spans, n_ints, n_texts;
    regex_t re;
    bool has_re;
    bool *no_memory; /* of the expression: set when matching ran out of it */
    bool with_false, with_true;
};

bool tr__set_has_int(const struct tr__set *s, int64_t v);
bool tr__set_has_num(const struct tr__set *s, const struct tr__num *v);
bool tr__set_has_double(const struct tr__set *s, double v);
bool tr__set_has_text(const struct tr__set *s, const char *text, size_t len);
/* The text or one of its members between commas. */
bool tr__set_has_member(const struct tr__set *s, const char *text, size_t len);

/* --- tokens ----------------------------------------------------------------------------------- */

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

enum tr__unit { TR__U_NONE, TR__U_TIME, TR__U_SIZE };

struct tr__token {
    enum tr__tok type;
    size_t at, len; /* in the text */
    const char *text;
    size_t text_len;
    struct tr__num num; /* in ns, bytes, or as it stands */
    enum tr__unit unit;
};

/* --- the tree --------------------------------------------------------------------------------- */

enum tr__node_type { TR__N_AND, TR__N_OR, TR__N_NOT, TR__N_LEAF, TR__N_CONST };

struct tr__leaf {
    enum tr_field_id field;
    bool has;    /* has(field): nothing but presence is asked */
    bool negate; /* true where the value is there and not in the set */
    size_t arg;  /* TR_FIELD_IS_ANY from args: index of the argument */
    struct tr__set set;
    uint8_t table[256]; /* TR_FIELD_IS_ENUM: result by value */
    uint8_t *memo;      /* by string or track number: 0 not tested, 1 false, 2 true */
    size_t memo_cap;
    struct tr__leaf *next;
};

struct tr__node {
    enum tr__node_type type;
    bool value;             /* TR__N_CONST */
    struct tr__node *child; /* first of the operands */
    struct tr__node *next;  /* among operands */
    struct tr__leaf *leaf;
};

/* --- an args column, expanded ----------------------------------------------------------------- */

struct tr__arg_shape {
    uint8_t type;  /* enum tr_type + 1; 0: the shape lacks the key */
    uint32_t cand; /* index of the column, UINT32_MAX: no entry */
};

struct tr__arg_column {
    uint32_t column;
    size_t at; /* entries used up in this batch */
};

struct tr__arg {
    const char *key;
    size_t key_len;
    struct tr__arg_shape *shapes; /* by shape number */
    size_t n_shapes, cap_shapes;
    struct tr__arg_column *columns; /* all columns with this key, one per type */
    size_t n_columns, cap_columns;
    bool loaded;
    bool absent;    /* no event of this batch has it */
    uint8_t *type;  /* per event, as in struct tr__arg_shape */
    int64_t *value; /* per event, string number for texts */
    size_t cap_type, cap_value;
};

struct tr__scratch { /* a computed column of one batch */
    bool loaded;
    int64_t *v;
    size_t cap;
};

struct tr_expr {
    struct tr_arena *arena; /* the tree, texts, sets */
    struct tr__node *root;
    struct tr__leaf *leaves;
    unsigned levels; /* pairs of scratch masks that the tree needs */
    struct tr__arg *args;
    size_t n_args, cap_args;
    const char **keys; /* of args, for needs */
    size_t cap_keys;
    struct tr_expr_needs needs;

    const struct tr_dict *dict;
    bool sorted;
    struct tr_steps *steps;
    struct tr_nest *nest;
    uint8_t *scratch;
    size_t cap_scratch;
    struct tr__scratch end, step, depth, launch, graph, node;
    struct tr__ids {
        uint32_t *v; /* strings by event */
        size_t cap;
        bool loaded;
    } class_ids, api_ids;
    bool no_memory; /* a regular expression could not be matched for lack of it */
};

/* --- between the files ------------------------------------------------------------------------ */

struct tr__parser {
    struct tr_expr *e;
    const char *text;
    size_t pos;
    struct tr__token tok; /* the one to be looked at next */
    unsigned depth;
    struct tr_error *err;
    enum tr_status status; /* of the first failure */
};

/* Record a failure at a byte of the text; false, so that callers can return it. */
bool tr__expr_fail_at(struct tr__parser *p, size_t at, const char *fmt, ...) TR_PRINTF(3, 4);
bool tr__expr_fail_mem(struct tr__parser *p);

bool tr__expr_lex(struct tr__parser *p); /* the next token to p->tok */
bool tr__expr_parse(struct tr__parser *p);

/* A field named by a token; reports unknown ones. */
bool tr__expr_find_field(struct tr__parser *p, const struct tr__token *t, enum tr_field_id *field);

/* One item right of an operator: a value, or with two tokens a range. */
struct tr__item {
    struct tr__token lo, hi;
    bool is_range;
    struct tr__item *next;
};

/*
 * Fill in a leaf from what was written: field (of token name), operator, and items (one unless the
 * operator is `in`, which is TR__T_WORD here).
 */
bool tr__expr_check_leaf(struct tr__parser *p, const struct tr__token *name,
                         const struct tr__token *op, const struct tr__item *items,
                         struct tr__leaf *leaf);
bool tr__expr_check_has(struct tr__parser *p, const struct tr__token *name, struct tr__leaf *leaf);

/* Columns; all valid until the next batch. */
void tr__expr_columns_forget(struct tr_expr *e);
void tr__expr_columns_free(struct tr_expr *e);
enum tr_status tr__expr_load_arg(struct tr_expr *e, struct tr__arg *a, const struct tr_batch *b,
                                 struct tr_error *err);
bool tr__expr_load_end(struct tr_expr *e, const struct tr_batch *b);
/* The values of a derived column, TR_TIME_NONE where there is none. */
bool tr__expr_load_derived(struct tr__scratch *c, const struct tr_batch *b, uint32_t column);
bool tr__expr_load_step(struct tr_expr *e, const struct tr_batch *b);
bool tr__expr_load_depth(struct tr_expr *e, const struct tr_batch *b);
/* Strings of a derived column, TR_NO_STR where an event has none.  False: out of memory. */
bool tr__expr_load_ids(struct tr__ids *ids, const struct tr_batch *b, uint32_t column);

enum tr_status tr__expr_eval(struct tr_expr *e, const struct tr_batch *b, uint8_t *mask,
                             struct tr_error *err);
/* A leaf about the host or rank of a source. */
bool tr__expr_test_source(const struct tr_expr *e, const struct tr__leaf *leaf, const struct tr_source *s);

#endif
