/* SPDX-License-Identifier: MIT */
/*
 * The choice of several expressions among the events of a stream: the events for which one of them is true, or,
 * inverted, the events for which none of them is true.  Without expressions: all events; inverted: no events.
 *
 *     struct tr_choice c = { 0 };
 *     tr_choice_add(&c, expr)                          the choice owns expr from now on
 *     tr_choice_bind(&c, in, &err)
 *     tr_choice_eval(&c, b, &err)                      for each batch: c.mask
 *     tr_choice_free(&c)
 *
 * Not shared between threads.
 */
#ifndef TR_CHOICE_H
#define TR_CHOICE_H

#include "expr/tr_expr.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_choice {
    struct tr_expr **tests;
    size_t n_tests, cap_tests;
    bool invert;
    uint8_t *mask; /* of the last batch, 1: chosen; other tests may clear bytes of it */
    uint8_t *part;
    size_t cap_mask, cap_part;
};

/* False: out of memory, and the expression is freed. */
bool tr_choice_add(struct tr_choice *c, struct tr_expr *e);
void tr_choice_free(struct tr_choice *c);

/* As tr_expr_bind, for all of them. */
enum tr_status tr_choice_bind(struct tr_choice *c, struct tr_input *in, struct tr_error *err);

/* Room in c->mask for n events.  False: out of memory. */
bool tr_choice_room(struct tr_choice *c, size_t n);

/* Fill c->mask for the events of a batch.  TR_OK, or as tr_expr_eval. */
enum tr_status tr_choice_eval(struct tr_choice *c, const struct tr_batch *b, struct tr_error *err);

/* Keep only the first `max' chosen events of n events.  Returns the number of kept ones. */
uint64_t tr_choice_limit(struct tr_choice *c, size_t n, uint64_t max);

/* Can events of a source be chosen, by its rank and host? */
bool tr_choice_source(const struct tr_choice *c, uint32_t source);

#ifdef __cplusplus
}
#endif
#endif
