/* SPDX-License-Identifier: MIT */
/*
 * The internal state of expressions on events.
 *
 *   tr_expr.c         the public functions; the fields as names of the language (lang/tr_lang.h)
 *   tr_expr_arg.c     args of events, as values
 *   tr_expr_eval.c    a comparison of a field with values, applied to a batch
 *   tr_expr_pair.c    a comparison of two fields
 *   tr_expr_absent.c  names and steps that no input has
 */
#ifndef TR_EXPR_INT_H
#define TR_EXPR_INT_H

#include "expr/tr_expr.h"
#include "field/tr_field_columns.h"
#include "lang/tr_lang.h"
#include "stream/tr_args.h"

/* --- an args column, expanded ----------------------------------------------------------------- */

struct tr__arg {
    const char *key;
    size_t key_len;
    bool loaded;
    struct tr_arg arg;
};

struct tr_expr {
    struct tr_lang *lang; /* leaves have a field as name, and of args its number as arg */
    struct tr__arg *args;
    size_t n_args, cap_args;
    const char **keys; /* of args, for needs */
    size_t cap_keys;
    struct tr_expr_needs needs;

    const struct tr_dict *dict;
    bool sorted;
    uint64_t asks; /* fields, as bits */
    struct tr_field_columns columns;
    uint8_t *own; /* two masks, of events with an arg of their own and without */
    size_t cap_own;
    struct tr_buf room[2]; /* for the texts of the sides of a comparison */
};

/* --- between the files ------------------------------------------------------------------------ */

/* Read an arg for the batch, if this was not done yet. */
enum tr_status tr__expr_load_arg(struct tr__arg *a, const struct tr_batch *b, struct tr_error *err);

enum tr_status tr__expr_eval(struct tr_expr *e, const struct tr_batch *b, uint8_t *mask,
                             struct tr_error *err);
/* A leaf that compares two fields. */
enum tr_status tr__expr_eval_pair(struct tr_expr *e, struct tr__leaf *leaf, const struct tr_batch *b, uint8_t *mask,
                                  struct tr_error *err);
/* The number that a decimal of a stream means (stream/tr_dict.h). */
void tr__expr_decimal(int64_t d, struct tr__num *out);
/* A leaf that tests the host or the rank of a source. */
bool tr__expr_test_source(const struct tr_expr *e, const struct tr__leaf *leaf, const struct tr_source *s);

#endif
