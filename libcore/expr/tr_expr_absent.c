/* SPDX-License-Identifier: MIT */
/* Names and steps that an expression asks for and that no input has. */
#include "expr/tr_expr_int.h"

#include <inttypes.h>
#include <stdio.h>

/* The dictionary has every text of the stream, not only names: so a name that is found in it may still be absent. */
static bool has_name(const struct tr_expr *e, const struct tr__leaf *leaf)
{
    for (uint32_t id = 0; id < tr_strtab_count(e->dict->strings); id++) {
        struct tr_str s = tr_dict_text(e->dict, id);
        if (tr__set_has_text(&leaf->set, s.s, s.len))
            return true;
    }
    return false;
}

static bool no_name(const struct tr_expr *e, const struct tr__leaf *leaf, struct tr_buf *why)
{
    const struct tr__set *s = &leaf->set;
    if (has_name(e, leaf))
        return true;
    if (s->n_texts != 1 || s->re || s->n_spans)
        return tr_buf_add_str(why, "no input has such a name");
    return tr_buf_add_str(why, "no input has the name '") && tr_buf_add(why, s->texts[0].s, s->texts[0].len) &&
           tr_buf_add_str(why, "'");
}

static bool no_step(const struct tr__leaf *leaf, const struct tr_summary *summary, struct tr_buf *why)
{
    int64_t from = INT64_MAX, to = INT64_MIN;
    char text[120];
    for (size_t i = 0; i < summary->n; i++)
        for (size_t k = 0; k < summary->sources[i].n_steps; k++) {
            int64_t number = summary->sources[i].steps[k].number;
            if (tr__set_has_int(&leaf->set, number))
                return true;
            from = number < from ? number : from;
            to = number > to ? number : to;
        }
    if (from > to)
        return tr_buf_add_str(why, "the trace has no steps");
    if (from == to)
        snprintf(text, sizeof text, "no such step: there is only %" PRId64, from);
    else
        snprintf(text, sizeof text, "no such step: the steps are %" PRId64 "..%" PRId64, from, to);
    return tr_buf_add_str(why, text);
}

/* The comparisons that have to be true; of a part after `not' or `or' nothing is known. */
static bool look(const struct tr_expr *e, const struct tr__node *node, const struct tr_summary *summary,
                 struct tr_buf *why)
{
    bool ok = true;
    for (const struct tr__node *c = node->type == TR__N_AND ? node->child : NULL; c && ok && !why->len; c = c->next)
        ok = look(e, c, summary, why);
    if (node->type != TR__N_LEAF || node->leaf->has || node->leaf->negate || node->leaf->order)
        return ok;
    if (node->leaf->of.name == TR_FIELD_NAME)
        return no_name(e, node->leaf, why);
    return node->leaf->of.name != TR_FIELD_STEP || !summary || no_step(node->leaf, summary, why);
}

bool tr_expr_absent(const struct tr_expr *e, const struct tr_summary *summary, struct tr_buf *why)
{
    return look(e, e->lang->root, summary, why);
}
