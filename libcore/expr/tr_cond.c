/* SPDX-License-Identifier: MIT */
/* Conditions on rows of a table: their values as names of the language. */
#include "expr/tr_cond.h"

#include "lang/tr_lang.h"

#include <math.h>
#include <stdlib.h>

struct tr_cond {
    struct tr_lang *lang; /* the names of leaves are variables */
    const struct tr_cond_var *vars;
    struct tr__leaf **leaves;
    size_t n_leaves;
    bool no_memory;
};

static enum tr_status collect_leaves(struct tr_cond *c, struct tr_error *err)
{
    size_t cap = 0;
    for (struct tr__leaf *l = c->lang->leaves; l; l = l->next) {
        if (!tr_grow(&c->leaves, &cap, c->n_leaves + 1, sizeof(struct tr__leaf *)))
            return tr_fail_memory(err);
        c->leaves[c->n_leaves++] = l;
    }
    return TR_OK;
}

enum tr_status tr_cond_compile(struct tr_cond **out, const char *text,
                               const struct tr_cond_var *vars, size_t n_vars, struct tr_error *err)
{
    static const enum tr_lang_type types[] = {
        [TR_COND_TEXT] = TR_LANG_TEXT,
        [TR_COND_NUMBER] = TR_LANG_INT,
        [TR_COND_TIME] = TR_LANG_TIME,
        [TR_COND_PCT] = TR_LANG_PCT,
    };
    struct tr_lang_name *v = calloc(n_vars + 1, sizeof *v);
    struct tr_cond *c = calloc(1, sizeof *c);
    enum tr_status st = v && c ? TR_OK : tr_fail_memory(err);
    *out = NULL;
    for (size_t i = 0; v && i < n_vars; i++)
        v[i] = (struct tr_lang_name){ vars[i].name, types[vars[i].type], NULL, 0, 0, false };
    const struct tr_lang_names names = { "column", v, n_vars, TR_LANG_NO_ARGS, true };
    if (st == TR_OK)
        st = tr__lang_compile(&c->lang, text, &names, err);
    if (st == TR_OK)
        st = collect_leaves(c, err);
    free(v);
    if (st != TR_OK) {
        tr_cond_free(c);
        return st;
    }
    c->vars = vars;
    *out = c;
    return TR_OK;
}

void tr_cond_free(struct tr_cond *c)
{
    if (!c)
        return;
    tr__lang_free(c->lang);
    free(c->leaves);
    free(c);
}

static bool holds(const struct tr_cond *c, const struct tr__leaf *l, const struct tr_cond_value *values)
{
    const struct tr_cond_value *v = &values[l->of.name];
    bool is_text = c->vars[l->of.name].type == TR_COND_TEXT;
    if (is_text ? !v->text.s : isnan(v->number))
        return false;
    if (l->has)
        return true;
    return (is_text ? tr__set_has_text(&l->set, v->text.s, v->text.len)
                    : tr__set_has_double(&l->set, v->number)) != l->negate;
}

struct row {
    const struct tr_cond *c;
    const struct tr_cond_value *values;
};

/* Of the one row. */
static enum tr_status eval_leaf(void *of, struct tr__leaf *leaf, size_t n, uint8_t *mask, struct tr_error *err)
{
    const struct row *row = of;
    (void)n, (void)err;
    *mask &= holds(row->c, leaf, row->values);
    return TR_OK;
}

bool tr_cond_eval(struct tr_cond *c, const struct tr_cond_value *values)
{
    struct row row = { c, values };
    uint8_t mask = 1;
    c->no_memory |= tr__lang_eval(c->lang, eval_leaf, &row, 1, &mask, NULL) != TR_OK;
    return mask;
}

bool tr_cond_leaf_eval(struct tr_cond *c, size_t leaf, const struct tr_cond_value *values)
{
    return holds(c, c->leaves[leaf], values);
}

bool tr_cond_uses(const struct tr_cond *c, size_t var)
{
    for (size_t i = 0; i < c->n_leaves; i++)
        if (c->leaves[i]->of.name == var)
            return true;
    return false;
}

size_t tr_cond_leaves(const struct tr_cond *c)
{
    return c->n_leaves;
}

size_t tr_cond_leaf_var(const struct tr_cond *c, size_t leaf)
{
    return c->leaves[leaf]->of.name;
}

bool tr_cond_leaf_like(const struct tr_cond *c, size_t leaf)
{
    const struct tr__leaf *l = c->leaves[leaf];
    return !l->negate && (l->set.n_texts || l->set.re);
}

bool tr_cond_no_memory(const struct tr_cond *c)
{
    return c->no_memory;
}
