/* SPDX-License-Identifier: MIT */
/* What-if rules: expressions with factors. */
#include "analysis/paths/tr_what_if.h"

#include "analysis/critpath/tr_critpath.h"
#include "base/tr_num.h"

#include <stdlib.h>
#include <string.h>

/* The text of the expression of a rule: a part of the rule between two texts. */
struct shape {
    const char *before, *after;
    size_t from, to; /* the part of the rule */
};

/* "EXPR scale=X" */
static enum tr_status parse_scale(const char *text, struct tr_cp_rule *rule, struct shape *expr, struct tr_error *err)
{
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, "scale=")) != NULL; at++)
        last = at == text || at[-1] == ' ' ? at : last;
    if (!last)
        return tr_fail(err, TR_USAGE, "option --what-if: '%.80s' does not end with scale=X or ideal, and is not "
                       "'comm overlap', 'rank R as median' or 'launch graph'", text);
    struct tr_error why = TR_ERROR_INIT;
    if (tr_num_double(last + 6, 0, 1e6, &rule->scale, &why) != TR_OK)
        return tr_fail(err, TR_USAGE, "option --what-if: scale: %.200s", why.what);
    expr->to = (size_t)(last - text);
    while (expr->to && text[expr->to - 1] == ' ')
        --expr->to;
    if (!expr->to)
        return tr_fail(err, TR_USAGE, "option --what-if: '%.80s' does not say for which events", text);
    return TR_OK;
}

/* "[EXPR] ideal[:best|:median]" */
static bool parse_ideal(struct tr_str text, struct tr_cp_rule *rule, struct shape *expr)
{
    static const struct {
        const char *word;
        enum tr_cp_action action;
    } ends[] = { { "ideal", TR_CP_MEDIAN }, { "ideal:median", TR_CP_MEDIAN }, { "ideal:best", TR_CP_BEST } };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t len = strlen(ends[i].word), left = text.len - len;
        if (text.len < len || strcmp(text.s + left, ends[i].word) != 0 || (left && text.s[left - 1] != ' '))
            continue;
        rule->action = ends[i].action;
        while (left && text.s[left - 1] == ' ')
            left--;
        *expr = left ? (struct shape){ "", "", 0, left } : (struct shape){ "true", "", 0, 0 };
        return true;
    }
    return false;
}

/* "comm overlap", "launch graph", "rank R as median" */
static bool parse_words(struct tr_str text, struct tr_cp_rule *rule, struct shape *expr)
{
    static const struct tr_str rank = { "rank ", 5 }, as = { " as median", 10 };
    if (tr_str_is(text, "comm overlap")) {
        rule->action = TR_CP_OVERLAP;
        *expr = (struct shape){ "kind == comm", "", 0, 0 };
    } else if (tr_str_is(text, "launch graph")) {
        rule->action = TR_CP_ONE_GRAPH;
        *expr = (struct shape){ "!(activity in (kernel, memcpy, memset))", "", 0, 0 };
    } else if (text.len > rank.len + as.len && memcmp(text.s, rank.s, rank.len) == 0 &&
               strcmp(text.s + text.len - as.len, as.s) == 0) {
        rule->action = TR_CP_AS_OTHERS;
        *expr = (struct shape){ "rank in (", ")", rank.len, text.len - as.len };
    } else {
        return false;
    }
    return true;
}

static enum tr_status compile_plain(void *self, const char *text, const char *given_as, struct tr_expr **out,
                                    struct tr_error *err)
{
    enum tr_status st = tr_expr_compile(out, text, err);
    (void)self;
    if (st == TR_USAGE)
        tr_error_input(err, given_as);
    return st;
}

static enum tr_status parse_rule(struct tr_what_if *w, const char *text, tr_what_if_compile *compile, void *self,
                                 struct tr_error *err)
{
    struct tr_cp_rule *rule = &w->rules[w->n];
    struct shape expr = { "", "", 0, 0 };
    struct tr_buf buf = { 0 };
    enum tr_status st = TR_OK;
    if (!parse_words(tr_str_of(text), rule, &expr) && !parse_ideal(tr_str_of(text), rule, &expr))
        st = parse_scale(text, rule, &expr, err);
    if (st != TR_OK)
        return st;
    int len = (int)(expr.to - expr.from);
    if (!tr_buf_print(&buf, "%s%.*s%s", expr.before, len, text + expr.from, expr.after))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = compile(self, tr_buf_text(&buf), "expression of --what-if", &w->tests[w->n], err);
    w->n += st == TR_OK;
    w->gaps |= rule->action != TR_CP_SCALE;
    w->all_ranks |= rule->action == TR_CP_BEST || rule->action == TR_CP_MEDIAN || rule->action == TR_CP_AS_OTHERS;
    tr_buf_free(&buf);
    return st;
}

/* Columns of the expressions. */
static enum tr_status choose_columns(struct tr_what_if *w, struct tr_error *err)
{
    size_t cap = 0;
    bool ok = true;
    for (size_t k = 0; ok && k < w->n; k++) {
        const struct tr_expr_needs *needs = tr_expr_needs(w->tests[k]);
        w->all_order |= needs->all_order;
        w->want.fixed |= needs->want.fixed;
        w->want.derived |= needs->want.derived;
        ok = tr_grow(&w->keys, &cap, w->want.n_keys + needs->want.n_keys + 1, sizeof *w->keys);
        for (size_t i = 0; ok && i < needs->want.n_keys; i++)
            w->keys[w->want.n_keys++] = needs->want.keys[i];
    }
    w->want.keys = w->keys;
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_what_if_new(struct tr_what_if **out, const struct tr_option_list *texts,
                              tr_what_if_compile *compile, void *self, struct tr_error *err)
{
    struct tr_what_if *w = *out = calloc(1, sizeof *w);
    enum tr_status st = TR_OK;
    if (!w)
        return tr_fail_memory(err);
    if (texts->n > TR_CP_MAX_RULES)
        st = tr_fail(err, TR_USAGE, "option --what-if: at most %u of them", TR_CP_MAX_RULES);
    w->texts = texts->items;
    w->tests = calloc(texts->n + 1, sizeof(struct tr_expr *));
    w->rules = calloc(texts->n + 1, sizeof *w->rules);
    if (!w->tests || !w->rules)
        st = tr_fail_memory(err);
    for (size_t i = 0; i < texts->n && st == TR_OK; i++)
        st = parse_rule(w, texts->items[i], compile ? compile : compile_plain, self, err);
    if (st == TR_OK)
        st = choose_columns(w, err);
    if (st != TR_OK) {
        tr_what_if_free(w);
        *out = NULL;
    }
    return st;
}

void tr_what_if_free(struct tr_what_if *w)
{
    if (!w)
        return;
    for (size_t k = 0; k < w->n; k++)
        tr_expr_free(w->tests[k]);
    free(w->tests);
    free(w->rules);
    free(w->keys);
    free(w->of_event);
    free(w->mask);
    free(w);
}

enum tr_status tr_what_if_start(struct tr_what_if *w, struct tr_input *in, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < w->n && st == TR_OK; k++)
        st = tr_expr_bind(w->tests[k], in, err);
    return st;
}

enum tr_status tr_what_if_batch(struct tr_what_if *w, const struct tr_batch *b, const uint8_t **of_event,
                                struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!tr_grow(&w->of_event, &w->cap_of_event, b->n, 1) || !tr_grow(&w->mask, &w->cap_mask, b->n, 1))
        return tr_fail_memory(err);
    memset(w->of_event, TR_CP_NO_RULE, b->n);
    for (size_t k = w->n; k-- > 0 && st == TR_OK;) {
        st = tr_expr_eval(w->tests[k], b, w->mask, err);
        for (size_t i = 0; i < b->n && st == TR_OK; i++)
            if (w->mask[i])
                w->of_event[i] = (uint8_t)k;
    }
    *of_event = w->of_event;
    return st;
}
