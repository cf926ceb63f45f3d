/* SPDX-License-Identifier: MIT */
/*
 * The internal state of expressions on events.
 *
 *   tr_expr.c         the public functions; the fields as names of the language (lang/tr_lang.h)
 *   tr_expr_column.c  the columns that a comparison reads, expanded for one batch
 *   tr_expr_eval.c    a comparison applied to a batch
 *   tr_expr_absent.c  names and steps that no input has
 */
#ifndef TR_EXPR_INT_H
#define TR_EXPR_INT_H

#include "expr/tr_expr.h"
#include "lang/tr_lang.h"
#include "model/tr_event_field.h"
#include "model/tr_open_spans.h"
#include "model/tr_steps.h"
#include "stream/tr_args.h"

/* --- an args column, expanded ----------------------------------------------------------------- */

struct tr__arg {
    const char *key;
    size_t key_len;
    bool loaded;
    struct tr_arg arg;
};

struct tr__scratch { /* a computed column of one batch */
    bool loaded;
    int64_t *v;
    size_t cap;
};

struct tr_expr {
    struct tr_lang *lang; /* leaves have a field as name, and of args its number as arg */
    struct tr__arg *args;
    size_t n_args, cap_args;
    const char **keys; /* of args, for needs */
    size_t cap_keys;
    struct tr_expr_needs needs;

    const struct tr_dict *dict;
    struct tr_step_columns launched; /* of the batch whose steps are loaded */
    bool sorted;
    struct tr_steps *steps;
    struct tr_open_spans *nest;
    struct tr__words { /* numbers of words by event */
        uint8_t *v;
        size_t cap;
        bool loaded;
    } step_phase;
    struct tr__scratch end, step, depth, launch, graph, node;
    struct tr__ids {
        uint32_t *v; /* strings by event */
        size_t cap;
        bool loaded;
    } class_ids, api_ids;
};

/* --- between the files ------------------------------------------------------------------------ */

/* Columns; all valid until the next batch. */
void tr__expr_columns_forget(struct tr_expr *e);
void tr__expr_columns_free(struct tr_expr *e);
enum tr_status tr__expr_load_arg(struct tr__arg *a, const struct tr_batch *b, struct tr_error *err);
bool tr__expr_load_end(struct tr_expr *e, const struct tr_batch *b);
/* The values of a derived column; TR_I64_NONE: an event has none. */
bool tr__expr_load_derived(struct tr__scratch *c, const struct tr_batch *b, uint32_t column);
bool tr__expr_load_step(struct tr_expr *e, const struct tr_batch *b);
bool tr__expr_load_step_phase(struct tr_expr *e, const struct tr_batch *b);
bool tr__expr_load_depth(struct tr_expr *e, const struct tr_batch *b);
/* The strings of a derived column; TR_NO_STR: an event has none.  False: out of memory. */
bool tr__expr_load_ids(struct tr__ids *ids, const struct tr_batch *b, uint32_t column);

enum tr_status tr__expr_eval(struct tr_expr *e, const struct tr_batch *b, uint8_t *mask,
                             struct tr_error *err);
/* A leaf that tests the host or the rank of a source. */
bool tr__expr_test_source(const struct tr_expr *e, const struct tr__leaf *leaf, const struct tr_source *s);

#endif
