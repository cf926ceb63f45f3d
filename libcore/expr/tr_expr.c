#include "expr/tr_expr_int.h"

#include <stdlib.h>
#include <string.h>

/* Pairs of scratch masks in use at one time below a node. */
static unsigned count_levels(const struct tr__node *n)
{
    unsigned most = 0;
    for (const struct tr__node *c = n->child; c; c = c->next) {
        unsigned k = count_levels(c);
        most = k > most ? k : most;
    }
    return most + (n->type == TR__N_OR || n->type == TR__N_NOT);
}

static bool uses_depth(const struct tr_expr *e)
{
    for (const struct tr__leaf *l = e->leaves; l; l = l->next)
        if (l->field == TR_FIELD_DEPTH)
            return true;
    return false;
}

enum tr_status tr_expr_compile(struct tr_expr **out, const char *text, struct tr_error *err)
{
    struct tr__parser p = { .text = text, .err = err };
    struct tr_error none = TR_ERROR_INIT;
    *out = NULL;
    if (!p.err)
        p.err = &none;
    if (strlen(text) > TR_EXPR_MAX_LEN)
        return tr_fail(p.err, TR_USAGE, "the expression is longer than %u bytes", TR_EXPR_MAX_LEN);
    p.e = calloc(1, sizeof *p.e);
    if (!p.e)
        return tr_fail_memory(p.err);
    p.e->arena = tr_arena_new(4096);
    if (!p.e->arena)
        tr__expr_fail_mem(&p);
    else if (tr__expr_parse(&p))
        p.e->levels = count_levels(p.e->root);
    if (p.status != TR_OK) {
        tr_expr_free(p.e);
        return p.status;
    }
    *out = p.e;
    return TR_OK;
}

void tr_expr_free(struct tr_expr *e)
{
    if (!e)
        return;
    for (struct tr__leaf *l = e->leaves; l; l = l->next) {
        free(l->memo);
        if (l->set.has_re)
            regfree(&l->set.re);
    }
    tr__expr_columns_free(e);
    tr_steps_free(e->steps);
    tr_nest_free(e->nest);
    free(e->args);
    free(e->keys);
    free(e->scratch);
    tr_arena_free(e->arena);
    free(e);
}

/* What the expression has learnt from another stream. */
static void forget(struct tr_expr *e)
{
    for (struct tr__leaf *l = e->leaves; l; l = l->next)
        if (l->memo)
            memset(l->memo, 0, l->memo_cap);
    for (size_t i = 0; i < e->n_args; i++)
        e->args[i].n_shapes = e->args[i].n_columns = 0;
    tr_steps_free(e->steps);
    tr_nest_free(e->nest);
    e->steps = NULL;
    e->nest = NULL;
}

enum tr_status tr_expr_bind(struct tr_expr *e, const struct tr_dict *dict,
                            const struct tr_summary *summary, bool sorted, struct tr_error *err)
{
    forget(e);
    e->dict = dict;
    e->sorted = sorted;
    if (e->needs.order && !sorted)
        return tr_fail(err, TR_DAMAGED,
                       "the expression asks for step or depth, which only an ordered stream tells");
    if (e->needs.summary) {
        if (!summary)
            return tr_fail(err, TR_DAMAGED,
                           "the expression asks for step, but there is no summary");
        e->steps = tr_steps_new(summary);
        if (!e->steps)
            return tr_fail_memory(err);
    }
    if (uses_depth(e)) {
        e->nest = tr_nest_new();
        if (!e->nest)
            return tr_fail_memory(err);
    }
    return TR_OK;
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
    enum tr_status st = tr__expr_eval(e, b, mask, err);
    return st == TR_OK && e->no_memory ? tr_fail_memory(err) : st;
}

const struct tr_expr_needs *tr_expr_needs(const struct tr_expr *e)
{
    return &e->needs;
}

/* --- the caret -------------------------------------------------------------------------------- */

#define CARET_WIDTH 96u /* bytes of a long line that are shown */

/* Reads "WORD N" at *s and moves behind it; false: something else, or a number without end. */
static bool read_field(const char **s, const char *word, size_t *value)
{
    size_t len = strlen(word);
    if (strncmp(*s, word, len) != 0)
        return false;
    *value = 0;
    for (*s += len; **s >= '0' && **s <= '9' && *value <= TR_EXPR_MAX_LEN; ++*s)
        *value = *value * 10 + (size_t)(**s - '0');
    return *value > 0;
}

/* The line and column in err->place; false: it names none that the text has. */
static bool read_place(const char *text, const struct tr_error *err, const char **line,
                       size_t *column)
{
    const char *s = err->place;
    size_t number = 1;
    if (read_field(&s, "line ", &number) && strncmp(s, ", ", 2) == 0)
        s += 2;
    if (!read_field(&s, "column ", column))
        return false;
    *line = text;
    while (--number) {
        *line = strchr(*line, '\n');
        if (!*line)
            return false;
        ++*line;
    }
    return *column <= strcspn(*line, "\n") + 1;
}

bool tr_expr_caret(const char *text, const struct tr_error *err, struct tr_buf *out)
{
    const char *line;
    size_t column;
    if (!read_place(text, err, &line, &column))
        return true;
    size_t at = column - 1, len = strcspn(line, "\n");
    size_t from = at > CARET_WIDTH * 2 / 3 && len > CARET_WIDTH ? at - CARET_WIDTH * 2 / 3 : 0;
    while (from && from < at && ((unsigned char)line[from] & 0xc0) == 0x80)
        from++; /* not inside a character */
    size_t to = len - from > CARET_WIDTH ? from + CARET_WIDTH : len;
    while (to < len && ((unsigned char)line[to] & 0xc0) == 0x80)
        to++;
    if (!tr_buf_add_str(out, "  "))
        return false;
    for (size_t i = from; i < to; i++) {
        unsigned char c = (unsigned char)line[i];
        char shown = c < 0x20 || c == 0x7f ? ' ' : (char)c;
        if (!tr_buf_add(out, &shown, 1))
            return false;
    }
    if (!tr_buf_add_str(out, "\n  "))
        return false;
    for (size_t i = from; i < at; i++)
        if (((unsigned char)line[i] & 0xc0) != 0x80 && !tr_buf_add_str(out, " "))
            return false;
    return tr_buf_add_str(out, "^\n");
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
        if (node->leaf->field != TR_FIELD_RANK && node->leaf->field != TR_FIELD_HOST)
            return TR_EXPR_SOME_EVENTS;
        return tr__expr_test_source(e, node->leaf, s) ? TR_EXPR_EACH_EVENT : TR_EXPR_NO_EVENT;
    case TR__N_NOT:
        return TR_EXPR_EACH_EVENT - node_of_source(e, node->child, s);
    default: /* of AND the least, of OR the most */
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
    return node_of_source(e, e->root, &e->dict->sources[source]);
}
