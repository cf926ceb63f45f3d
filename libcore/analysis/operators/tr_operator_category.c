/* SPDX-License-Identifier: MIT */
/* Categories of operators. */
#include "analysis/operators/tr_operator_category.h"

#include <string.h>

static enum tr_status read_rules(struct tr_operator_categories *c, struct tr_error *err)
{
    const struct tr_rules_opts plain = { .order = TR_RULES_IN_ORDER };
    enum tr_status st = tr_rules_new(&c->rules, err);
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name && st == TR_OK; b++)
        st = tr_rules_ini(c->rules, b->name, b->text, strlen(b->text), &plain, err);
    return st;
}

enum tr_status tr_operator_category(struct tr_operator_categories *c, const struct tr_dict *dict, uint32_t name,
                                    struct tr_str *label, struct tr_error *err)
{
    enum tr_status st = c->rules ? TR_OK : read_rules(c, err);
    uint32_t rule = TR_RULE_NONE, known = tr_number_of(&c->rule_of, name);
    if (st == TR_OK && known == TR_NUMBER_UNKNOWN) {
        struct tr_str text = tr_dict_text(dict, name);
        st = tr_rules_match(c->rules, TR_RULE_OPERATOR, text.s, text.len, &rule, err);
        st = st == TR_NO ? TR_OK : st;
        if (!c->rule_of.n)
            c->rule_of.in.spill = tr_strtab_spill(dict->strings); /* where the names are */
        if (st == TR_OK && !tr_number_map_set(&c->rule_of, name, rule + 1))
            st = tr_fail_memory(err);
    } else if (st == TR_OK) {
        rule = known - 1;
    }
    if (st != TR_OK)
        return st;
    const char *of = rule == TR_RULE_NONE ? NULL : tr_rules_get(c->rules, rule)->label;
    *label = tr_str_of(of ? of : "other");
    return TR_OK;
}

void tr_operator_categories_free(struct tr_operator_categories *c)
{
    tr_rules_free(c->rules);
    tr_number_map_free(&c->rule_of);
}
