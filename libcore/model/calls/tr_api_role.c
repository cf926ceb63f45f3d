/* SPDX-License-Identifier: MIT */
/* The role of an API call by its name, looked up once for each name. */
#include "model/calls/tr_api_role.h"

#include "base/tr_mem.h"
#include "vendor/tr_names.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>
#include <string.h>

#define NOT_ASKED TR_N_API_ROLES

struct tr_api_roles {
    struct tr_rules *rules;
    uint8_t *memo; /* enum tr_api_role by string, or NOT_ASKED */
    size_t n, cap;
};

enum tr_status tr_api_roles_new(struct tr_api_roles **out, struct tr_error *err)
{
    static const struct tr_rules_opts opts = { TR_RULES_IN_ORDER, false };
    struct tr_api_roles *r = *out = calloc(1, sizeof *r);
    enum tr_status st = r ? tr_rules_new(&r->rules, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_rules_ini(r->rules, "launches", tr_api_role_builtin, strlen(tr_api_role_builtin), &opts, err);
    if (st != TR_OK) {
        tr_api_roles_free(r);
        *out = NULL;
    }
    return st;
}

void tr_api_roles_free(struct tr_api_roles *r)
{
    if (!r)
        return;
    tr_rules_free(r->rules);
    free(r->memo);
    free(r);
}

static enum tr_api_role by_label(const char *label)
{
    static const char *const labels[TR_N_API_ROLES] = {
        [TR_API_LAUNCH] = "launch",
        [TR_API_MEMSET] = "memset",
        [TR_API_APPEND] = "append",
        [TR_API_BEGIN_CAPTURE] = "begin_capture",
        [TR_API_END_CAPTURE] = "end_capture",
    };
    unsigned role = TR_N_API_ROLES - 1;
    while (role > TR_API_OTHER && strcmp(labels[role], label) != 0)
        role--;
    return (enum tr_api_role)role;
}

/* By the rules of the user: those of calls, and those of roles that launch; -1: none. */
static int by_own(const struct tr_names *own, struct tr_str text)
{
    int call = tr_names_call_of(own, text.s, text.len);
    bool launches = tr_names_roles_of(own, text.s, text.len) & (TR_NAMED_LAUNCH | TR_NAMED_GRAPH_LAUNCH);
    return call < 0 && launches ? TR_API_LAUNCH : call;
}

enum tr_status tr_api_role_of(struct tr_api_roles *r, const struct tr_dict *dict, uint32_t name,
                              enum tr_api_role *role, struct tr_error *err)
{
    *role = TR_API_OTHER;
    if (name == TR_NO_STR)
        return TR_OK;
    if (name >= r->n) {
        size_t n = tr_strtab_count(dict->strings);
        if (!tr_grow(&r->memo, &r->cap, n, sizeof *r->memo))
            return tr_fail_memory(err);
        memset(r->memo + r->n, NOT_ASKED, n - r->n);
        r->n = n;
    }
    if (r->memo[name] == NOT_ASKED) {
        struct tr_str text = tr_dict_text(dict, name);
        int own = dict->names ? by_own(dict->names, text) : -1;
        uint32_t rule;
        if (own >= 0) {
            *role = (enum tr_api_role)(r->memo[name] = (uint8_t)own);
            return TR_OK;
        }
        enum tr_status st = tr_rules_match(r->rules, TR_RULE_DEVICE, text.s, text.len, &rule, err);
        if (st == TR_SYSTEM)
            return st;
        r->memo[name] = (uint8_t)(st == TR_OK ? by_label(tr_rules_get(r->rules, rule)->label) : TR_API_OTHER);
    }
    *role = (enum tr_api_role)r->memo[name];
    return TR_OK;
}
