/* SPDX-License-Identifier: MIT */
/* Compiles expressions, finds the places of errors, and applies the tree to rows. */
#include "lang/tr_lang_int.h"

#include "base/tr_num.h"
#include "base/tr_regex.h"

#include <stdlib.h>

/* --- failures --------------------------------------------------------------------------------- */

/* --- the caret -------------------------------------------------------------------------------- */

#define CARET_WIDTH 96u /* bytes of a long line that are shown */

/* Read "WORD N" at *s and move past it.  False: something else, or no number. */
static bool read_field(const char **s, const char *word, size_t *value)
{
    size_t len = strlen(word);
    if (strncmp(*s, word, len) != 0)
        return false;
    uint64_t number = 0;
    *s += len;
    *s += tr_num_digits(*s, SIZE_MAX, TR_LANG_MAX_LEN + 1u, &number, NULL);
    *value = (size_t)number;
    return *value > 0;
}

/* The line and column in err->place.  False: it names no place in the text. */
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

bool tr__lang_caret(const char *text, const struct tr_error *err, struct tr_buf *out)
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

/* --- compiling -------------------------------------------------------------------------------- */

/* Pairs of scratch masks in use at one time below a node. */
static unsigned count_levels(const struct tr__node *n)
{
    unsigned max = 0;
    for (const struct tr__node *c = n->child; c; c = c->next) {
        unsigned k = count_levels(c);
        max = k > max ? k : max;
    }
    return max + (n->type == TR__N_OR || n->type == TR__N_NOT);
}

enum tr_status tr__lang_compile(struct tr_lang **out, const char *text, const struct tr_lang_names *names,
                                struct tr_error *err)
{
    struct tr_error none = TR_ERROR_INIT;
    struct tr__parser p = { .text = text, .names = names, .err = err ? err : &none };
    *out = NULL;
    if (strlen(text) > TR_LANG_MAX_LEN)
        return tr_fail(p.err, TR_USAGE, "the expression is longer than %u bytes", TR_LANG_MAX_LEN);
    p.l = calloc(1, sizeof *p.l);
    if (!p.l)
        return tr_fail_memory(p.err);
    p.last = &p.l->leaves;
    p.l->arena = tr_arena_new(4096);
    if (!p.l->arena)
        tr__lang_fail_mem(&p);
    else if (tr__lang_parse(&p))
        p.l->levels = count_levels(p.l->root);
    if (p.status != TR_OK) {
        tr__lang_free(p.l);
        return p.status;
    }
    *out = p.l;
    return TR_OK;
}

void tr__lang_free(struct tr_lang *l)
{
    if (!l)
        return;
    for (struct tr__leaf *leaf = l->leaves; leaf; leaf = leaf->next) {
        free(leaf->memo);
        free(leaf->name_memo);
        tr_regex_free(leaf->set.re);
    }
    free(l->scratch);
    tr_arena_free(l->arena);
    free(l);
}

/* --- the tree --------------------------------------------------------------------------------- */

/*
 * A node gets a mask and clears the rows that do not satisfy it.  So AND passes one mask through its operands, and no
 * operand tests a row that an earlier one has cleared; only the loop over the column remains.  OR keeps the rows that
 * are still undecided, and gives each operand a copy of them.
 */
struct eval {
    tr__lang_leaf *leaf;
    void *of;
    size_t n;
    struct tr_error *err;
};

static bool any(const uint8_t *mask, size_t n)
{
    return memchr(mask, 1, n) != NULL;
}

static enum tr_status eval_node(const struct eval *e, const struct tr__node *node, uint8_t *mask, uint8_t *scratch)
{
    size_t n = e->n;
    uint8_t *rest = scratch, *part = scratch + n, *inner = scratch + 2 * n;
    enum tr_status st = TR_OK;
    switch (node->type) {
    case TR__N_LEAF:
        return e->leaf(e->of, node->leaf, n, mask, e->err);
    case TR__N_CONST:
        if (!node->value)
            memset(mask, 0, n);
        return TR_OK;
    case TR__N_AND:
        for (const struct tr__node *c = node->child; c && st == TR_OK && any(mask, n); c = c->next)
            st = eval_node(e, c, mask, scratch);
        return st;
    case TR__N_NOT:
        memcpy(part, mask, n);
        st = eval_node(e, node->child, part, inner);
        for (size_t i = 0; i < n; i++)
            mask[i] ^= part[i];
        return st;
    case TR__N_OR:
        memcpy(rest, mask, n);
        for (const struct tr__node *c = node->child; c && st == TR_OK && any(rest, n); c = c->next) {
            memcpy(part, rest, n);
            st = eval_node(e, c, part, inner);
            for (size_t i = 0; i < n; i++)
                rest[i] ^= part[i];
        }
        for (size_t i = 0; i < n; i++)
            mask[i] ^= rest[i];
        return st;
    }
    return st;
}

enum tr_status tr__lang_eval(struct tr_lang *l, tr__lang_leaf *leaf, void *of, size_t n, uint8_t *mask,
                             struct tr_error *err)
{
    const struct eval e = { leaf, of, n, err };
    if (n > SIZE_MAX / 2 / (l->levels + 1) || !tr_grow(&l->scratch, &l->cap_scratch, 2 * n * l->levels + 1, 1))
        return tr_fail_memory(err);
    return eval_node(&e, l->root, mask, l->scratch);
}
