/* SPDX-License-Identifier: MIT */
/* The choice of several expressions. */
#include "expr/tr_choice.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

bool tr_choice_add(struct tr_choice *c, struct tr_expr *e)
{
    if (!tr_grow(&c->tests, &c->cap_tests, c->n_tests + 1, sizeof *c->tests)) {
        tr_expr_free(e);
        return false;
    }
    c->tests[c->n_tests++] = e;
    return true;
}

void tr_choice_free(struct tr_choice *c)
{
    for (size_t k = 0; k < c->n_tests; k++)
        tr_expr_free(c->tests[k]);
    free(c->tests);
    free(c->mask);
    free(c->part);
}

enum tr_status tr_choice_bind(struct tr_choice *c, struct tr_input *in, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < c->n_tests && st == TR_OK; k++)
        st = tr_expr_bind(c->tests[k], in, err);
    return st;
}

bool tr_choice_room(struct tr_choice *c, size_t n)
{
    return tr_grow(&c->mask, &c->cap_mask, n + 1, 1) && tr_grow(&c->part, &c->cap_part, n + 1, 1);
}

enum tr_status tr_choice_eval(struct tr_choice *c, const struct tr_batch *b, struct tr_error *err)
{
    if (!tr_choice_room(c, b->n))
        return tr_fail_memory(err);
    enum tr_status st = TR_OK;
    memset(c->mask, c->n_tests == 0, b->n);
    if (c->n_tests)
        st = tr_expr_eval(c->tests[0], b, c->mask, err);
    for (size_t k = 1; k < c->n_tests && st == TR_OK; k++) {
        st = tr_expr_eval(c->tests[k], b, c->part, err);
        for (size_t i = 0; i < b->n; i++)
            c->mask[i] |= c->part[i];
    }
    for (size_t i = 0; c->invert && i < b->n; i++)
        c->mask[i] ^= 1;
    return st;
}

uint64_t tr_choice_limit(struct tr_choice *c, size_t n, uint64_t max)
{
    uint64_t chosen = 0;
    for (size_t i = 0; i < n; i++)
        chosen += c->mask[i];
    if (chosen <= max)
        return chosen;
    uint64_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        c->mask[i] = c->mask[i] && kept < max;
        kept += c->mask[i];
    }
    return kept;
}

bool tr_choice_source(const struct tr_choice *c, uint32_t source)
{
    enum tr_expr_of_source max = TR_EXPR_NO_EVENT;
    if (!c->n_tests)
        return !c->invert;
    for (size_t k = 0; k < c->n_tests; k++) {
        enum tr_expr_of_source one = tr_expr_source(c->tests[k], source);
        max = one > max ? one : max;
    }
    return max != (c->invert ? TR_EXPR_EACH_EVENT : TR_EXPR_NO_EVENT);
}
