/* SPDX-License-Identifier: MIT */
/* Expressions over events: their fields as names of the language, and the data that they need of a stream. */
#include "expr/tr_expr_int.h"

#include <stdlib.h>
#include <string.h>

static void need_field(struct tr_expr *e, enum tr_field_id field)
{
    const struct tr_event_field *f = &tr_event_fields[field];
    e->needs.want.fixed |= f->fixed;
    e->needs.want.derived |= f->derived;
    e->asks |= UINT64_C(1) << field;
    bool step = field == TR_FIELD_STEP || field == TR_FIELD_STEP_PHASE, owner = tr_event_field_is_owner(field);
    e->needs.summary |= step;
    e->needs.order |= step || owner || field == TR_FIELD_DEPTH;
    e->needs.all_order |= owner;
}

/* The argument with this key, which is added if it is new; the side gets its number. */
static bool side_key(struct tr_expr *e, struct tr_str key, struct tr__side *side)
{
    for (side->arg = 0; side->arg < e->n_args; side->arg++)
        if (e->args[side->arg].key_len == key.len && !memcmp(e->args[side->arg].key, key.s, key.len))
            return true;
    if (!tr_grow(&e->args, &e->cap_args, e->n_args + 1, sizeof *e->args) ||
        !tr_grow(&e->keys, &e->cap_keys, e->n_args + 1, sizeof *e->keys))
        return false;
    memset(&e->args[e->n_args], 0, sizeof *e->args);
    e->args[e->n_args].key = key.s;
    e->args[e->n_args].key_len = key.len;
    e->keys[e->n_args++] = key.s;
    e->needs.want.keys = e->keys;
    e->needs.want.n_keys = e->n_args;
    return true;
}

/* The fields that can be used, in the form of the language. */
static void name_fields(struct tr_lang_name names[TR_N_FIELDS])
{
    static const enum tr_lang_type types[] = {
        [TR_FIELD_IS_TEXT] = TR_LANG_TEXT, [TR_FIELD_IS_LIST] = TR_LANG_LIST, [TR_FIELD_IS_ENUM] = TR_LANG_ENUM,
        [TR_FIELD_IS_TIME] = TR_LANG_TIME, [TR_FIELD_IS_INT] = TR_LANG_INT,   [TR_FIELD_IS_ANY] = TR_LANG_ANY,
        [TR_FIELD_IS_SIZE] = TR_LANG_ANY,
    };
    for (size_t i = 0; i < TR_N_FIELDS; i++) {
        const struct tr_event_field *f = &tr_event_fields[i];
        bool named = f->where & TR_FIELD_TO_FILTER || i == TR_FIELD_ARG;
        names[i] = (struct tr_lang_name){ named ? f->name : NULL, types[f->type], NULL, 0, 0, i == TR_FIELD_STACK };
        if (f->type == TR_FIELD_IS_ENUM)
            names[i].word = tr_field_word_list((enum tr_field_id)i, &names[i].first_word, &names[i].n_words);
    }
}

/* What a side of a comparison reads. */
static bool need_side(struct tr_expr *e, struct tr__side *side)
{
    const struct tr_event_field *f = &tr_event_fields[side->name];
    need_field(e, (enum tr_field_id)side->name);
    if (f->arg)
        side->key = tr_str_of(f->arg);
    return !side->key.s || side_key(e, side->key, side);
}

enum tr_status tr_expr_compile(struct tr_expr **out, const char *text, struct tr_error *err)
{
    struct tr_lang_name v[TR_N_FIELDS];
    const struct tr_lang_names names = { "field", v, TR_N_FIELDS, TR_FIELD_ARG, false };
    struct tr_expr *e = calloc(1, sizeof *e);
    *out = NULL;
    if (!e)
        return tr_fail_memory(err);
    name_fields(v);
    enum tr_status st = tr__lang_compile(&e->lang, text, &names, err);
    for (struct tr__leaf *l = e->lang ? e->lang->leaves : NULL; l && st == TR_OK; l = l->next)
        if (!need_side(e, &l->of) || (l->order && !need_side(e, &l->other)))
            st = tr_fail_memory(err);
    if (st != TR_OK)
        tr_expr_free(e);
    else
        *out = e;
    return st;
}

void tr_expr_free(struct tr_expr *e)
{
    if (!e)
        return;
    for (size_t i = 0; i < e->n_args; i++)
        tr_arg_free(&e->args[i].arg);
    tr_field_columns_free(&e->columns);
    tr_buf_free(&e->room[0]);
    tr_buf_free(&e->room[1]);
    tr__lang_free(e->lang);
    free(e->args);
    free(e->own);
    free(e->keys);
    free(e);
}

/* Forget the results for another stream. */
static void forget(struct tr_expr *e)
{
    for (struct tr__leaf *l = e->lang->leaves; l; l = l->next) {
        if (l->memo)
            memset(l->memo, 0, l->memo_cap);
        if (l->name_memo)
            memset(l->name_memo, 0, l->name_memo_cap);
    }
    for (size_t i = 0; i < e->n_args; i++)
        tr_arg_free(&e->args[i].arg);
    tr_field_columns_free(&e->columns);
}

enum tr_status tr_expr_bind(struct tr_expr *e, struct tr_input *in, struct tr_error *err)
{
    forget(e);
    e->dict = in->dict;
    e->sorted = in->sorted;
    if (e->needs.order && !in->sorted)
        return tr_fail(err, TR_DAMAGED, "the expression uses %s: the stream must be ordered",
                       e->needs.all_order ? "what is around events" : "step or depth");
    if (e->needs.summary && !in->summary)
        return tr_fail(err, TR_DAMAGED, "the expression uses step: the stream must have a summary");
    return tr_field_columns_start(&e->columns, in, e->asks, err);
}

enum tr_status tr_expr_eval(struct tr_expr *e, const struct tr_batch *b, uint8_t *mask,
                            struct tr_error *err)
{
    memset(mask, 1, b->n);
    return tr_expr_narrow(e, b, mask, err);
}

enum tr_status tr_expr_narrow(struct tr_expr *e, const struct tr_batch *b, uint8_t *mask,
                              struct tr_error *err)
{
    return tr__expr_eval(e, b, mask, err);
}

const struct tr_expr_needs *tr_expr_needs(const struct tr_expr *e)
{
    return &e->needs;
}

bool tr_expr_caret(const char *text, const struct tr_error *err, struct tr_buf *out)
{
    return tr__lang_caret(text, err, out);
}

/* ---- of a source ---- */

static enum tr_expr_of_source node_of_source(const struct tr_expr *e, const struct tr__node *node,
                                             const struct tr_source *s)
{
    enum tr_expr_of_source one, all;
    switch (node->type) {
    case TR__N_CONST:
        return node->value ? TR_EXPR_EACH_EVENT : TR_EXPR_NO_EVENT;
    case TR__N_LEAF:
        if (node->leaf->order || (node->leaf->of.name != TR_FIELD_RANK && node->leaf->of.name != TR_FIELD_HOST))
            return TR_EXPR_SOME_EVENTS;
        return tr__expr_test_source(e, node->leaf, s) ? TR_EXPR_EACH_EVENT : TR_EXPR_NO_EVENT;
    case TR__N_NOT:
        return TR_EXPR_EACH_EVENT - node_of_source(e, node->child, s);
    default: /* for AND the minimum, for OR the maximum */
        all = node->type == TR__N_AND ? TR_EXPR_EACH_EVENT : TR_EXPR_NO_EVENT;
        for (const struct tr__node *c = node->child; c; c = c->next) {
            one = node_of_source(e, c, s);
            if (node->type == TR__N_AND ? one < all : one > all)
                all = one;
        }
        return all;
    }
}

enum tr_expr_of_source tr_expr_source(struct tr_expr *e, uint32_t source)
{
    return node_of_source(e, e->lang->root, &e->dict->sources[source]);
}
