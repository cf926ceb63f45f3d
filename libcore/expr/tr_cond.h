/* SPDX-License-Identifier: MIT */
/*
 * Conditions on named values, such as the cells of a row: the language of --fail-if in tr-diff(1).
 *
 *     static const struct tr_cond_var vars[] = { { "name", TR_COND_TEXT }, { "diff_us", TR_COND_TIME } };
 *     struct tr_cond *c;
 *     if (tr_cond_compile(&c, "diff_us > 50us && name =~ 'gemm'", vars, 2, &err) != TR_OK)
 *         ...err.what has the reason, err.place the place; tr_expr_caret shows it
 *     struct tr_cond_value row[] = { { .text = tr_str_of("gemm_a") }, { .number = 61000 } };
 *     tr_cond_eval(c, row)      true
 *
 * The language is that of tr-expr(7), lang/tr_lang.h, in the form for tables.  Names may contain points; before the
 * point, a unit as tables print it may follow if there is a time among the names that start so: step_time_us.diff_pct
 * is step_time.diff_pct.  A text without quotes is a word of letters, digits, points, dashes and _.  In quotes, a
 * backslash escapes only the quote and itself.  Times need a unit, except 0; percentages may have a %.  A comparison
 * with a missing value is false; `!` negates any answer.
 */
#ifndef TR_COND_H
#define TR_COND_H

#include "base/tr_status.h"
#include "base/tr_str.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tr_cond_type {
    TR_COND_TEXT,
    TR_COND_NUMBER, /* a count, a ratio */
    TR_COND_TIME,   /* ns */
    TR_COND_PCT,    /* 2 is 2% */
};

struct tr_cond_var {
    const char *name;
    enum tr_cond_type type;
};

struct tr_cond_value {
    double number;      /* NaN: missing; may be infinite */
    struct tr_str text; /* of TR_COND_TEXT, with a zero after it; no text: missing */
};

struct tr_cond;

/*
 * vars   n_vars of them, which must outlive the condition
 *
 * TR_OK; TR_USAGE if the text is not a condition: err->what has the reason and err->place the place ("column 7");
 * TR_SYSTEM.  out is NULL unless the result is TR_OK; release it with tr_cond_free.
 */
enum tr_status tr_cond_compile(struct tr_cond **out, const char *text,
                               const struct tr_cond_var *vars, size_t n_vars, struct tr_error *err);
void tr_cond_free(struct tr_cond *c);

/* values: by variable; those that the condition does not use may be anything. */
bool tr_cond_eval(struct tr_cond *c, const struct tr_cond_value *values);

/* Does the condition look at variable number var? */
bool tr_cond_uses(const struct tr_cond *c, size_t var);

/*
 * The comparisons of a condition: how many there are; the variable of one, and whether it compares with a text by ==,
 * =~ or in; and whether one is true.
 */
size_t tr_cond_leaves(const struct tr_cond *c);
size_t tr_cond_leaf_var(const struct tr_cond *c, size_t leaf);
bool tr_cond_leaf_like(const struct tr_cond *c, size_t leaf);
bool tr_cond_leaf_eval(struct tr_cond *c, size_t leaf, const struct tr_cond_value *values);

/* Did memory run out in an evaluation?  Then its results are not valid. */
bool tr_cond_no_memory(const struct tr_cond *c);

#ifdef __cplusplus
}
#endif
#endif
