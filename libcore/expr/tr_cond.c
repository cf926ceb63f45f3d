#include "expr/tr_cond.h"

#include "expr/tr_cond_int.h"
#include "base/tr_regex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tr_cond_free(struct tr_cond *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n_leaves; i++) {
        free(c->leaves[i].text);
        if (c->leaves[i].kind == TR__COND_IS_REGEX)
            regfree(&c->leaves[i].re);
    }
    free(c->leaves);
    free(c->nodes);
    free(c);
}

static bool compare(enum tr__cond_op op, double a, double b)
{
    if (isnan(a))
        return false;
    switch (op) {
    case TR__COND_EQ:
        return a == b;
    case TR__COND_NE:
        return a != b;
    case TR__COND_LT:
        return a < b;
    case TR__COND_LE:
        return a <= b;
    case TR__COND_GT:
        return a > b;
    case TR__COND_GE:
        return a >= b;
    default:
        return false;
    }
}

bool tr_cond_leaf_eval(struct tr_cond *c, size_t leaf, const struct tr_cond_value *values)
{
    const struct tr__cond_leaf *l = &c->leaves[leaf];
    const struct tr_cond_value *v = &values[l->var];
    if (l->kind == TR__COND_IS_NUMBER)
        return compare(l->op, v->number, l->number);
    if (!v->text.s)
        return false;
    if (l->kind == TR__COND_IS_TEXT)
        return tr_str_is(v->text, l->text) == (l->op == TR__COND_EQ);
    enum tr_status found = tr_regex_has(&l->re, v->text);
    c->no_memory |= found == TR_SYSTEM;
    return (found == TR_OK) == (l->op == TR__COND_MATCH);
}

static bool eval(struct tr_cond *c, uint32_t node, const struct tr_cond_value *values)
{
    const struct tr__cond_node *n = &c->nodes[node];
    switch (n->join) {
    case TR__COND_LEAF:
        return tr_cond_leaf_eval(c, n->a, values);
    case TR__COND_NOT:
        return !eval(c, n->a, values);
    case TR__COND_AND:
        return eval(c, n->a, values) && eval(c, n->b, values);
    case TR__COND_OR:
        return eval(c, n->a, values) || eval(c, n->b, values);
    }
    return false;
}

bool tr_cond_eval(struct tr_cond *c, const struct tr_cond_value *values)
{
    return eval(c, c->root, values);
}

bool tr_cond_uses(const struct tr_cond *c, size_t var)
{
    for (size_t i = 0; i < c->n_leaves; i++)
        if (c->leaves[i].var == var)
            return true;
    return false;
}

size_t tr_cond_leaves(const struct tr_cond *c)
{
    return c->n_leaves;
}

size_t tr_cond_leaf_var(const struct tr_cond *c, size_t leaf)
{
    return c->leaves[leaf].var;
}

bool tr_cond_leaf_like(const struct tr_cond *c, size_t leaf)
{
    return c->leaves[leaf].op == TR__COND_EQ || c->leaves[leaf].op == TR__COND_MATCH;
}

bool tr_cond_no_memory(const struct tr_cond *c)
{
    return c->no_memory;
}
