/* SPDX-License-Identifier: MIT */
/* The kind of a kernel by its name. */
#include "model/tr_kinds.h"

#include <string.h>

enum tr_status tr_kind_rules(struct tr_rules **out, struct tr_error *err)
{
    struct tr_rules *rules = NULL;
    enum tr_status st = tr_rules_new(&rules, err);
    for (const struct tr_rules_builtin *b = tr_rules_builtins; st == TR_OK && b->name && b->kinds; b++)
        st = tr_rules_add_builtin(rules, b, TR_RULES_IN_ORDER, err);
    if (st != TR_OK) {
        tr_rules_free(rules);
        rules = NULL;
    }
    *out = rules;
    return st;
}

bool tr_kind_of_token(const char *name, size_t len, enum tr_kind *kind)
{
    enum { DIGITS = 16 };
    static const enum tr_kind kinds[] = { TR_KIND_COMM, TR_KIND_MEMORY, TR_KIND_OTHER };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *word = tr_kind_name(kinds[k]);
        size_t n = strlen(word);
        if (len == n + 2 + DIGITS && !memcmp(name, word, n) && name[n] == '_' && name[n + 1] == 'x') {
            for (size_t i = n + 2; i < len; i++)
                if (!strchr("0123456789abcdef", name[i]) || !name[i])
                    return false;
            *kind = kinds[k];
            return true;
        }
    }
    return false;
}

enum tr_status tr_kind_of_kernel(struct tr_rules *rules, const char *name, size_t len, enum tr_kind *kind,
                                 struct tr_error *err)
{
    uint32_t number;
    if (tr_kind_of_token(name, len, kind))
        return TR_OK;
    enum tr_status st = tr_rules_match(rules, TR_RULE_DEVICE, name, len, &number, err);
    if (st == TR_SYSTEM)
        return st;
    *kind = st == TR_OK ? tr_rules_get(rules, number)->kind : TR_KIND_COMPUTE;
    return TR_OK;
}

const char *tr_kind_word(unsigned kind)
{
    return kind == TR_KIND_NONE ? NULL : tr_kind_name(kind);
}
