/* SPDX-License-Identifier: MIT */
/*
 * Formulas over values (lang/tr_value.h): what an operator costs, as a function of its arguments.
 *
 *     expr    := and { "||" and }
 *     and     := compare { "&&" compare }
 *     compare := sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
 *     sum     := term { ("+" | "-") term }            + joins texts and lists, too
 *     term    := unary { ("*" | "/" | "%") unary }    / gives a whole number where there is no rest
 *     unary   := ("-" | "!") unary | primary { "[" expr "]" }
 *     primary := number | "text" | true | false | none | NAME | NAME "(" expr { "," expr } ")"
 *              | "[" [expr { "," expr }] "]" | "(" expr ")" | map "(" expr "," NAME "=>" expr ")"
 *              | zip "(" expr "," expr "," NAME "," NAME "=>" expr ")"
 *
 * A NAME may have a dot before a letter.  NAME(i) of a variable is its item i, as NAME[i]: negative ones count from the end, and what lies outside is absent.
 * Functions: len prod sum min max floor ceil if default has type slice broadcast match pow, and those of the caller.  Of
 * all but if, default, has and type the result is absent if one argument is.
 *
 * There is no recursion, an expression is at most TR_FORMULA_MAX_DEPTH deep, and evaluating takes at most
 * TR_FORMULA_MAX_STEPS steps, whatever the values: formulas may come from anywhere.
 */
#ifndef TR_FORMULA_H
#define TR_FORMULA_H

#include "base/tr_status.h"
#include "lang/tr_value.h"

#define TR_FORMULA_MAX_LEN   4096u /* bytes of text */
#define TR_FORMULA_MAX_DEPTH 60u
#define TR_FORMULA_MAX_STEPS 10000u
#define TR_FORMULA_MAX_NAMES 64u /* variables, with those of map and zip */

/* A function of the caller's, of one argument that is not absent. */
struct tr_formula_function {
    const char *name;
    struct tr_value (*call)(struct tr_value x);
};

/* What formulas can name: variables by number, and functions, ended by one without a name (NULL: none). */
struct tr_formula_names {
    struct tr_str variables[TR_FORMULA_MAX_NAMES];
    size_t n;
    const struct tr_formula_function *functions;
};

struct tr_formula;

/*
 * Compile len bytes of text into an arena, which owns the formula; names are needed for as long as this lasts.
 * TR_OK; TR_USAGE: err->what says why, err->place "column 7"; TR_SYSTEM.
 */
enum tr_status tr_formula_parse(struct tr_arena *a, const char *text, size_t len, struct tr_formula_names *names,
                                const struct tr_formula **out, struct tr_error *err);

/* One evaluation, or several that share their limit. */
struct tr_formula_run {
    struct tr_arena *arena; /* of results and what lies between */
    struct tr_value variables[TR_FORMULA_MAX_NAMES];
    unsigned steps;
    bool no_memory;
};

/* Absent beyond the limit of steps, and when memory runs out. */
struct tr_value tr_formula_eval(const struct tr_formula *f, struct tr_formula_run *run);

#endif
