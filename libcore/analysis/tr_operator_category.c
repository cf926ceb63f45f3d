/* SPDX-License-Identifier: MIT */
/* Categories of operators. */
#include "analysis/tr_operator_category.h"

#include <string.h>

enum tr_status tr_operator_category(struct tr_rules **rules, struct tr_str name, struct tr_str *label,
                                    struct tr_error *err)
{
    enum tr_status st = TR_OK;
    uint32_t rule = TR_RULE_NONE;
    if (!*rules) {
        const struct tr_rules_opts plain = { .order = TR_RULES_IN_ORDER };
        st = tr_rules_new(rules, err);
        for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name && st == TR_OK; b++)
            st = tr_rules_ini(*rules, b->name, b->text, strlen(b->text), &plain, err);
    }
    if (st == TR_OK)
        st = tr_rules_match(*rules, TR_RULE_OPERATOR, name.s, name.len, &rule, err);
    if (st != TR_OK && st != TR_NO)
        return st;
    const char *of = rule == TR_RULE_NONE ? NULL : tr_rules_get(*rules, rule)->label;
    *label = tr_str_of(of ? of : "other");
    return TR_OK;
}
