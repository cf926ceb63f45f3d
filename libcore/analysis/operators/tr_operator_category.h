/* SPDX-License-Identifier: MIT */
/* What an operator is for, by its name, or its first kernel, and the rules that come with the library. */
#ifndef TR_OPERATOR_CATEGORY_H
#define TR_OPERATOR_CATEGORY_H

#include "base/tr_mem.h"
#include "base/tr_str.h"
#include "model/tr_rules.h"
#include "stream/tr_number_map.h"

/* The rules, and which one takes a name; zero at first. */
struct tr_operator_categories {
    struct tr_rules *rules;
    struct tr_number_map rule_of[2]; /* of operators and of kernels, by string number; TR_RULE_NONE + 1 is 0 */
};

/*
 * name, kernel: string numbers of the dictionary, which is the same one in each call.  The kernel is asked if no rule
 * takes the name; TR_NO_STR: there is none.  *label stays valid until c is freed; it is "other" where no rule takes
 * either.  TR_OK or TR_SYSTEM.
 */
enum tr_status tr_operator_category(struct tr_operator_categories *c, const struct tr_dict *dict, uint32_t name,
                                    uint32_t kernel, struct tr_str *label, struct tr_error *err);
/*
 * Append the operators that inductor made a kernel of, "add, relu", as its name says (vendor/tr_inductor.h); nothing if
 * it made none.  Names of operators are known by the rules.  TR_OK or TR_SYSTEM.
 */
enum tr_status tr_operator_fused(struct tr_operator_categories *c, struct tr_str kernel, struct tr_buf *out,
                                 struct tr_error *err);
void tr_operator_categories_free(struct tr_operator_categories *c);

#endif
