/* SPDX-License-Identifier: MIT */
/*
 * What-if rules of the critical path: which events would take another time, or not be waited for.
 *
 *     tr_what_if_new(&w, &texts, NULL, NULL, &err);     texts as "kind == compute scale=0.5" or "ideal"
 *     tr_what_if_start(w, in, &err);                    before the first batch
 *     tr_what_if_batch(w, b, &rule_of_event, &err);     with each batch
 *     tr_what_if_free(w);
 */
#ifndef TR_WHAT_IF_H
#define TR_WHAT_IF_H

#include "analysis/critpath/tr_critpath.h"
#include "expr/tr_expr.h"
#include "table/tr_option.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_what_if {
    struct tr_expr **tests;
    struct tr_cp_rule *rules;
    const char *const *texts; /* borrowed */
    size_t n;
    struct tr_projection want; /* columns that the rules read */
    bool all_order;            /* they need the order between ranks */
    bool gaps, all_ranks;      /* a rule needs opts.gaps; it compares ranks */
    const char **keys;         /* of want */
    uint8_t *of_event, *mask;  /* of a batch */
    size_t cap_of_event, cap_mask;
};

/* As tr_expr_compile, for a program with messages of its own; given_as says where the expression is from. */
typedef enum tr_status tr_what_if_compile(void *self, const char *text, const char *given_as, struct tr_expr **out,
                                          struct tr_error *err);

/*
 * Read rules.  TR_OK; TR_USAGE: a rule is malformed, or there are more than TR_CP_MAX_RULES; TR_SYSTEM.
 *
 * texts    outlive the rules
 * compile  NULL: tr_expr_compile
 */
enum tr_status tr_what_if_new(struct tr_what_if **out, const struct tr_option_list *texts,
                              tr_what_if_compile *compile, void *self, struct tr_error *err);
void tr_what_if_free(struct tr_what_if *w);

/* Bind the rules to the input of a run, before its first batch. */
enum tr_status tr_what_if_start(struct tr_what_if *w, struct tr_input *in, struct tr_error *err);
/* For each event the number of the first rule that it satisfies, or TR_CP_NO_RULE; valid until the next call. */
enum tr_status tr_what_if_batch(struct tr_what_if *w, const struct tr_batch *b, const uint8_t **of_event,
                                struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
