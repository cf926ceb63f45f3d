/* SPDX-License-Identifier: MIT */
/* What-if rules: expressions with factors. */
#include "analysis/critpath/tr_what_if.h"

#include "analysis/critpath/tr_critpath.h"
#include "base/tr_num.h"

#include <stdlib.h>
#include <string.h>

/* "EXPR scale=X": the scale, and the end of the expression. */
static enum tr_status parse_scale(const char *text, double *scale, size_t *expr_len, struct tr_error *err)
{
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, "scale=")) != NULL; at++)
        last = at == text || at[-1] == ' ' ? at : last;
    if (!last)
        return tr_fail(err, TR_USAGE, "option --what-if: '%.80s' does not end with scale=X", text);
    struct tr_error why = TR_ERROR_INIT;
    if (tr_num_double(last + 6, 0, 1e6, scale, &why) != TR_OK)
        return tr_fail(err, TR_USAGE, "option --what-if: scale: %.200s", why.what);
    *expr_len = (size_t)(last - text);
    while (*expr_len && text[*expr_len - 1] == ' ')
        --*expr_len;
    if (!*expr_len)
        return tr_fail(err, TR_USAGE, "option --what-if: '%.80s' does not say for which events", text);
    return TR_OK;
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
    size_t len = 0;
    enum tr_status st = parse_scale(text, &w->scales[w->n], &len, err);
    char *expr = st == TR_OK ? malloc(len + 1) : NULL;
    if (st != TR_OK)
        return st;
    if (!expr)
        return tr_fail_memory(err);
    memcpy(expr, text, len);
    expr[len] = '\0';
    st = compile(self, expr, "expression of --what-if", &w->tests[w->n], err);
    w->n += st == TR_OK;
    free(expr);
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
    w->scales = calloc(texts->n + 1, sizeof *w->scales);
    if (!w->tests || !w->scales)
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
    free(w->scales);
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
