/* SPDX-License-Identifier: MIT */
/* What the files of formulas share: the tree. */
#ifndef TR_FORMULA_INT_H
#define TR_FORMULA_INT_H

#include "lang/tr_formula.h"

enum tr__fop {
    TR__F_VALUE,
    TR__F_VARIABLE,
    TR__F_INDEX, /* x, i */
    TR__F_LIST,
    TR__F_NEG,
    TR__F_NOT,
    TR__F_ADD,
    TR__F_SUB,
    TR__F_MUL,
    TR__F_DIV,
    TR__F_MOD,
    TR__F_EQ,
    TR__F_NE,
    TR__F_LT,
    TR__F_LE,
    TR__F_GT,
    TR__F_GE,
    TR__F_AND,
    TR__F_OR,
    TR__F_MAP,  /* x, body; variable first */
    TR__F_ZIP,  /* x, y, body; variables first and first + 1 */
    TR__F_CALL, /* own: a function of the caller */
    TR__F_BUILTIN,
};

enum tr__fbuiltin {
    TR__FB_LEN,
    TR__FB_PROD,
    TR__FB_SUM,
    TR__FB_MIN,
    TR__FB_MAX,
    TR__FB_FLOOR,
    TR__FB_CEIL,
    TR__FB_IF,
    TR__FB_DEFAULT,
    TR__FB_HAS,
    TR__FB_TYPE,
    TR__FB_SLICE,
    TR__FB_BROADCAST,
    TR__FB_MATCH,
    TR__FB_POW,
    TR__FB_FLAT,
    TR__N_FB
};

struct tr_formula {
    enum tr__fop op;
    enum tr__fbuiltin builtin;
    size_t first; /* number of a variable */
    struct tr_value value;
    const struct tr_formula_function *own;
    struct tr_formula *child, *next; /* operands */
    size_t n;
};

struct tr__fbuiltin_name {
    const char *name;
    size_t min, max; /* arguments */
};
extern const struct tr__fbuiltin_name tr__fbuiltins[TR__N_FB];

/* Arithmetic, and functions that have all their arguments. */
struct tr_value tr__formula_binary(struct tr_formula_run *run, enum tr__fop op, const struct tr_value *a,
                                   const struct tr_value *b);
struct tr_value tr__formula_builtin(struct tr_formula_run *run, enum tr__fbuiltin f, const struct tr_value *args,
                                    size_t n);

/* Item i; a negative i counts from the end.  Absent outside the list. */
struct tr_value tr__formula_item(const struct tr_value *list, const struct tr_value *i);

#endif
