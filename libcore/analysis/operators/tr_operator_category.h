/* SPDX-License-Identifier: MIT */
/* What an operator is for, by its name and the rules that come with the library. */
#ifndef TR_OPERATOR_CATEGORY_H
#define TR_OPERATOR_CATEGORY_H

#include "base/tr_str.h"
#include "model/tr_rules.h"
#include "stream/tr_number_map.h"

/* The rules, and which one takes a name; zero at first. */
struct tr_operator_categories {
    struct tr_rules *rules;
    struct tr_number_map rule_of; /* by string number; TR_RULE_NONE + 1 is 0 */
};

/*
 * name: a string number of the dictionary, which is the same one in each call.  *label stays valid until c is freed; it
 * is "other" where no rule takes the name.  TR_OK or TR_SYSTEM.
 */
enum tr_status tr_operator_category(struct tr_operator_categories *c, const struct tr_dict *dict, uint32_t name,
                                    struct tr_str *label, struct tr_error *err);
void tr_operator_categories_free(struct tr_operator_categories *c);

#endif
