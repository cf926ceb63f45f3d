/* SPDX-License-Identifier: MIT */
/* Tables that were printed before: TSV, CSV, JSON. */
#include "formats/tr_printed_table.h"

#include "json/tr_json_tok.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct tr_printed_table *t;
    size_t max_bytes;
    char *p, *end; /* the rest of the text */
    size_t row;    /* for messages; 0: the header */
    struct tr_error *err;
};

void tr_printed_table_free(struct tr_printed_table *t)
{
    tr_buf_free(&t->text);
    free(t->names);
    free(t->cells);
    *t = (struct tr_printed_table){ 0 };
}

static enum tr_status bad(const struct reader *r, const char *why)
{
    if (!r->row)
        return tr_fail(r->err, TR_DAMAGED, "is no table: the header %s", why);
    return tr_fail(r->err, TR_DAMAGED, "is no table: row %zu %s", r->row, why);
}

static enum tr_status add_cell(struct reader *r, struct tr_str **cells, size_t *cap, size_t n, struct tr_str cell)
{
    if (n * sizeof cell + r->t->text.len > r->max_bytes)
        return tr_fail(r->err, TR_SYSTEM, "the table needs more memory than -M allows");
    if (!tr_grow(cells, cap, n + 1, sizeof **cells))
        return tr_fail_memory(r->err);
    (*cells)[n] = cell;
    return TR_OK;
}

static enum tr_status add_name(struct reader *r, struct tr_str name)
{
    struct tr_printed_table *t = r->t;
    if (!name.len)
        return bad(r, "has a column without a name");
    for (size_t i = 0; i < t->n_cols; i++)
        if (tr_str_cmp(t->names[i], name) == 0)
            return bad(r, "has the same name twice");
    if (t->n_cols == 1024)
        return bad(r, "has more than 1024 columns");
    enum tr_status st = add_cell(r, &t->names, &t->cap_names, t->n_cols, name);
    t->n_cols += st == TR_OK;
    return st;
}

/* n: cells of this row so far. */
static enum tr_status add_value(struct reader *r, size_t n, struct tr_str value)
{
    struct tr_printed_table *t = r->t;
    if (n >= t->n_cols)
        return bad(r, "has more cells than the header");
    if (!value.len)
        value.s = NULL;
    return add_cell(r, &t->cells, &t->cap_cells, t->n_rows * t->n_cols + n, value);
}

static enum tr_status add(struct reader *r, size_t n, struct tr_str cell)
{
    return r->row ? add_value(r, n, cell) : add_name(r, cell);
}

static enum tr_status end_row(struct reader *r, size_t n)
{
    if (r->row && n < r->t->n_cols)
        return bad(r, "has fewer cells than the header");
    r->t->n_rows += r->row != 0;
    r->row++;
    return TR_OK;
}

/* ---- TSV ---- */

static int hex(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Undo the escapes of a cell, in its place. */
static struct tr_str unescape(char *s, size_t n)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        char c = i + 1 < n ? s[i + 1] : '\0';
        if (s[i] != '\\' || !c) {
            s[to++] = s[i];
        } else if (c == 'x' && i + 3 < n && hex(s[i + 2]) >= 0 && hex(s[i + 3]) >= 0) {
            s[to++] = (char)(hex(s[i + 2]) * 16 + hex(s[i + 3]));
            i += 3;
        } else if (c == 't' || c == 'n' || c == 'r' || c == '\\') {
            s[to++] = c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : '\\';
            i++;
        } else {
            s[to++] = s[i];
        }
    }
    return (struct tr_str){ s, to };
}

static enum tr_status read_tsv(struct reader *r)
{
    enum tr_status st = TR_OK;
    while (r->p < r->end && st == TR_OK) {
        char *line_end = memchr(r->p, '\n', (size_t)(r->end - r->p));
        char *next = line_end ? line_end + 1 : r->end;
        size_t n = 0;
        line_end = line_end ? line_end : r->end;
        if (line_end > r->p && line_end[-1] == '\r')
            line_end--;
        for (char *from = r->p; st == TR_OK && from <= line_end; n++) {
            char *tab = memchr(from, '\t', (size_t)(line_end - from));
            tab = tab ? tab : line_end;
            st = add(r, n, unescape(from, (size_t)(tab - from)));
            from = tab + 1;
        }
        if (st == TR_OK)
            st = end_row(r, n);
        r->p = next;
    }
    return st;
}

/* ---- CSV ---- */

/* A field in quotes, in its place; p is after its first quote.  False: it does not end. */
static bool take_quoted(struct reader *r, struct tr_str *field)
{
    char *to = r->p;
    field->s = to;
    for (; r->p < r->end; r->p++) {
        if (*r->p == '"' && r->p + 1 < r->end && r->p[1] == '"')
            r->p++;
        else if (*r->p == '"')
            break;
        *to++ = *r->p;
    }
    field->len = (size_t)(to - field->s);
    return r->p++ < r->end;
}

static enum tr_status read_csv(struct reader *r)
{
    enum tr_status st = TR_OK;
    size_t n = 0;
    while (r->p < r->end && st == TR_OK) {
        struct tr_str field = { r->p, 0 };
        if (*r->p == '"') {
            r->p++;
            if (!take_quoted(r, &field))
                return bad(r, "has a quote that does not end");
        } else {
            while (r->p < r->end && *r->p != ',' && *r->p != '\n' && *r->p != '\r')
                r->p++;
            field.len = (size_t)(r->p - field.s);
        }
        st = add(r, n++, field);
        if (st != TR_OK)
            return st;
        if (r->p < r->end && *r->p == ',') {
            r->p++;
            if (r->p < r->end)
                continue;
            st = add(r, n++, (struct tr_str){ r->p, 0 }); /* the last field is empty, and so is the last line end */
        } else if (r->p < r->end && *r->p != '\r' && *r->p != '\n') {
            return bad(r, "goes on after a quote");
        }
        r->p += r->p < r->end && *r->p == '\r';
        r->p += r->p < r->end && *r->p == '\n';
        if (st == TR_OK)
            st = end_row(r, n);
        n = 0;
    }
    return st;
}

/* ---- JSON ---- */

/* The text of a token, decoded in its place; null is empty. */
static enum tr_status text_of(struct reader *r, const struct tr_json_token *token, char *text, struct tr_str *out)
{
    struct tr_buf clear = { 0 };
    unsigned defects = 0;
    *out = (struct tr_str){ text + token->start, (size_t)(token->end - token->start) };
    if (token->kind == TR_JSON_PRIMITIVE && out->len == 4 && memcmp(out->s, "null", 4) == 0)
        out->len = 0;
    if (token->kind != TR_JSON_STRING || !memchr(out->s, '\\', out->len))
        return TR_OK;
    bool ok = tr_json_unescape(out->s, out->len, &clear, &defects) && clear.len <= out->len;
    if (ok)
        memcpy(text + token->start, clear.data, clear.len); /* decoded text is never longer */
    out->len = clear.len;
    tr_buf_free(&clear);
    return ok ? TR_OK : tr_fail_memory(r->err);
}

static enum tr_status read_object(struct reader *r, struct tr_json_tokens *tokens, char *text)
{
    enum tr_status st = TR_OK;
    struct tr_str value;
    bool first = r->t->n_cols == 0;
    size_t n = 0, end = tr_json_next(tokens, 0);
    if (!tokens->n || tokens->tok[0].kind != TR_JSON_OBJECT)
        return bad(r, "is no object");
    for (size_t key = 1; key < end && st == TR_OK; key = tr_json_next(tokens, key + 1), n++) {
        st = text_of(r, &tokens->tok[key], text, &value);
        if (st == TR_OK && first)
            st = add_name(r, value);
        else if (st == TR_OK && (n >= r->t->n_cols || tr_str_cmp(r->t->names[n], value) != 0))
            return bad(r, "has other members than the first one");
    }
    if (st == TR_OK && !r->t->n_cols)
        return bad(r, "is an object without members");
    n = 0;
    for (size_t key = 1; key < end && st == TR_OK; key = tr_json_next(tokens, key + 1), n++) {
        st = text_of(r, &tokens->tok[key + 1], text, &value);
        if (st == TR_OK)
            st = add_value(r, n, value);
    }
    return st == TR_OK ? end_row(r, n) : st;
}

static void skip_space(struct reader *r)
{
    while (r->p < r->end && tr_json_space(*r->p))
        r->p++;
}

static enum tr_status read_json(struct reader *r)
{
    struct tr_json_tokens tokens = { 0 };
    enum tr_status st = TR_OK;
    r->row = 1;
    r->p++;
    for (skip_space(r); r->p < r->end && *r->p != ']' && st == TR_OK; skip_space(r)) {
        size_t len = 0;
        unsigned defects = 0;
        if (tr_json_scan(r->p, (size_t)(r->end - r->p), true, NULL, &len, &defects) != TR_JSON_DONE || defects)
            st = bad(r, "is no JSON");
        else if (!tr_json_tokenize(&tokens, r->p, len))
            st = tokens.no_memory ? tr_fail_memory(r->err) : bad(r, "is no JSON");
        else
            st = read_object(r, &tokens, r->p);
        r->p += len;
        skip_space(r);
        if (st == TR_OK && r->p < r->end && *r->p == ',')
            r->p++;
        else if (st == TR_OK && (r->p == r->end || *r->p != ']'))
            st = bad(r, "does not end with a comma or a bracket");
    }
    if (st == TR_OK && r->p == r->end)
        st = bad(r, "does not end with a comma or a bracket");
    tr_json_tokens_free(&tokens);
    return st;
}

/* ---- */

enum tr_status tr_printed_table_read(struct tr_printed_table *t, struct tr_buf *text, size_t max_bytes,
                                   struct tr_error *err)
{
    *t = (struct tr_printed_table){ .text = *text };
    *text = (struct tr_buf){ 0 };
    struct reader r = { .t = t, .max_bytes = max_bytes, .p = (char *)t->text.data, .err = err };
    if (!t->text.len)
        return bad(&r, "is missing");
    r.end = r.p + t->text.len;
    if (t->text.len >= 3 && memcmp(r.p, "\xef\xbb\xbf", 3) == 0)
        r.p += 3;
    size_t header = r.end > r.p ? (size_t)(r.end - r.p) : 0;
    const char *line = header ? memchr(r.p, '\n', header) : NULL;
    header = line ? (size_t)(line - r.p) : header;
    if (header && *r.p == '[')
        return read_json(&r);
    if (header && !memchr(r.p, '\t', header) && memchr(r.p, ',', header))
        return read_csv(&r);
    return read_tsv(&r);
}
