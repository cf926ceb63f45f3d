/* SPDX-License-Identifier: MIT */
/* The kind of a kernel by its name. */
#include "model/tr_kinds.h"

#include <string.h>

enum tr_status tr_kind_rules(struct tr_rules **out, struct tr_error *err)
{
    static const struct tr_rules_opts opts = { TR_RULES_IN_ORDER, false };
    struct tr_rules *rules = NULL;
    enum tr_status st = tr_rules_new(&rules, err);
    for (const struct tr_rules_builtin *b = tr_rules_builtins; st == TR_OK && b->name && b->kinds; b++)
        st = tr_rules_ini(rules, b->name, b->text, strlen(b->text), &opts, err);
    if (st != TR_OK) {
        tr_rules_free(rules);
        rules = NULL;
    }
    *out = rules;
    return st;
}

enum tr_status tr_kind_of_kernel(struct tr_rules *rules, const char *name, size_t len, enum tr_kind *kind,
                                 struct tr_error *err)
{
    uint32_t number;
    enum tr_status st = tr_rules_match(rules, TR_RULE_DEVICE, name, len, &number, err);
    if (st == TR_SYSTEM)
        return st;
    *kind = st == TR_OK ? tr_rules_get(rules, number)->kind : TR_KIND_COMPUTE;
    return TR_OK;
}
