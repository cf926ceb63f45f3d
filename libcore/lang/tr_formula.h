/* SPDX-License-Identifier: MIT */
/*
 * Formulas on values (lang/tr_value.h): what an operator costs, as a function of its arguments.
 *
 *     expr    := and { "||" and }
 *     and     := compare { "&&" compare }
 *     compare := sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
 *     sum     := term { ("+" | "-") term }            + also joins texts and lists
 *     term    := unary { ("*" | "/" | "%") unary }    / is a whole number if there is no remainder
 *     unary   := ("-" | "!") unary | primary { "[" expr "]" }
 *     primary := number | "text" | true | false | none | NAME | NAME "(" expr { "," expr } ")"
 *              | "[" [expr { "," expr }] "]" | "(" expr ")" | map "(" expr "," NAME "=>" expr ")"
 *              | zip "(" expr "," expr "," NAME "," NAME "=>" expr ")"
 *
 * A NAME may have a dot before a letter.  NAME(i) of a variable is its item i, like NAME[i].  A negative i counts from
 * the end.  An item outside the list is absent.  Functions: len prod sum min max floor ceil if default has type slice
 * broadcast match pow flat, and the functions of the caller.  The result is absent if one argument is, except for if,
 * default, has and type.
 *
 * Formulas may come from anywhere.  So there is no recursion, an expression is at most TR_FORMULA_MAX_DEPTH deep, and
 * an evaluation takes at most TR_FORMULA_MAX_STEPS steps, whatever the values are.
 */
#ifndef TR_FORMULA_H
#define TR_FORMULA_H

#include "base/tr_status.h"
#include "lang/tr_value.h"

#define TR_FORMULA_MAX_LEN   4096u /* bytes of text */
#define TR_FORMULA_MAX_DEPTH 60u
#define TR_FORMULA_MAX_STEPS 10000u
#define TR_FORMULA_MAX_NAMES 64u /* variables, including those of map and zip */

struct tr_formula_run;

/* A function of the caller, with n arguments, at most two, that are not absent. */
struct tr_formula_function {
    const char *name;
    struct tr_value (*call)(struct tr_formula_run *run, const struct tr_value *args);
    size_t n;
};

/* The names in formulas: variables by number, and functions.  A function without a name ends the list (NULL: none). */
struct tr_formula_names {
    struct tr_str variables[TR_FORMULA_MAX_NAMES];
    size_t n;
    const struct tr_formula_function *functions;
};

struct tr_formula;

/*
 * Compile len bytes of text into an arena, which owns the formula; names must exist as long as the formula.  TR_OK;
 * TR_USAGE: err->what has the reason, err->place the place, as "column 7"; TR_SYSTEM.
 */
enum tr_status tr_formula_parse(struct tr_arena *a, const char *text, size_t len, struct tr_formula_names *names,
                                const struct tr_formula **out, struct tr_error *err);

/* One evaluation, or several that share one limit. */
struct tr_formula_run {
    struct tr_arena *arena; /* of results and intermediate values */
    struct tr_value variables[TR_FORMULA_MAX_NAMES];
    unsigned steps;
    bool no_memory;
    const void *self; /* what functions of the caller read */
};

/* Room for n values.  NULL: out of memory, or beyond the limit; the run records it. */
struct tr_value *tr_formula_room(struct tr_formula_run *run, size_t n);

/* The result is absent beyond the limit of steps, and when memory runs out. */
struct tr_value tr_formula_eval(const struct tr_formula *f, struct tr_formula_run *run);

#endif
