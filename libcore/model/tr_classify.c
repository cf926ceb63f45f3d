/* SPDX-License-Identifier: MIT */
/* The rule that matches each event of a stream, found once per distinct name. */
#include "model/tr_classify.h"

#include "base/tr_mem.h"

#include <stdlib.h>

#define NOT_ASKED (TR_RULE_NONE - 1)

int tr_classify_target(unsigned activity)
{
    if (tr_is_device_work(activity))
        return TR_RULE_DEVICE;
    return activity == TR_ACT_CPU_OP || activity == TR_ACT_COMM_RECORD ? TR_RULE_OPERATOR : -1;
}

void tr_classify_free(struct tr_classify *c)
{
    for (unsigned t = 0; t < TR_N_RULE_TARGETS; t++)
        free(c->memo[t]);
}

static bool more_strings(struct tr_classify *c, size_t n)
{
    for (unsigned t = 0; t < TR_N_RULE_TARGETS; t++) {
        if (!tr_grow(&c->memo[t], &c->cap[t], n, sizeof *c->memo[t]))
            return false;
        while (c->n[t] < n)
            c->memo[t][c->n[t]++] = NOT_ASKED;
    }
    return true;
}

static enum tr_status ask(struct tr_classify *c, enum tr_rule_target target,
                          const struct tr_strtab *strings, uint32_t name, struct tr_error *err)
{
    enum tr_status st = tr_rules_match(c->rules, target, tr_strtab_get(strings, name),
                                       tr_strtab_len(strings, name), &c->memo[target][name], err);
    return st == TR_NO ? TR_OK : st;
}

enum tr_status tr_classify_batch(struct tr_classify *c, const struct tr_batch *b, uint32_t *rule,
                                 struct tr_error *err)
{
    int targets[TR_N_ACTIVITIES];
    for (unsigned a = 0; a < TR_N_ACTIVITIES; a++)
        targets[a] = tr_classify_target(a);
    if (!more_strings(c, tr_strtab_count(b->dict->strings)))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++) {
        int target = b->activity[i] < TR_N_ACTIVITIES ? targets[b->activity[i]] : -1;
        rule[i] = TR_RULE_NONE;
        if (target < 0 || b->name[i] == TR_NO_STR)
            continue;
        uint32_t *known = &c->memo[target][b->name[i]];
        if (*known == NOT_ASKED) {
            enum tr_status st =
                ask(c, (enum tr_rule_target)target, b->dict->strings, b->name[i], err);
            if (st != TR_OK)
                return st;
        }
        rule[i] = *known;
    }
    return TR_OK;
}
