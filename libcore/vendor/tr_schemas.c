/* SPDX-License-Identifier: MIT */
/* Schemas of operators: from text. */
#include "vendor/tr_schemas.h"

#include "base/tr_strtab.h"

#include <stdlib.h>
#include <string.h>

struct tr_schemas {
    struct tr_arena *arena;
    struct tr_strtab *ops;
    const struct tr_schema **of; /* by operator: the first */
    struct tr_schema **last;     /* by operator: the last of the current file; NULL: the file has none */
    size_t cap_of, cap_last, n_last;
    unsigned n;
};

struct tr_schemas *tr_schemas_new(void)
{
    struct tr_schemas *s = calloc(1, sizeof *s);
    if (s && (s->arena = tr_arena_new(1 << 16)) && (s->ops = tr_strtab_new()))
        return s;
    tr_schemas_free(s);
    return NULL;
}

void tr_schemas_free(struct tr_schemas *s)
{
    if (!s)
        return;
    tr_strtab_free(s->ops);
    tr_arena_free(s->arena);
    free(s->of);
    free(s->last);
    free(s);
}

const struct tr_schema *tr_schemas_find(const struct tr_schemas *s, struct tr_str op)
{
    uint32_t id = op.s ? tr_strtab_find(s->ops, op.s, op.len) : TR_NO_STR;
    return id == TR_NO_STR ? NULL : s->of[id];
}

/* ---- a line ---- */

struct reading {
    struct tr_schemas *s;
    const char *file;
    unsigned line;
    struct tr_str rest;        /* of the line */
    struct tr_schema *current; /* NULL: none yet */
    struct tr_error *err;
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_blanks(struct reading *r)
{
    while (r->rest.len && strchr(" \t\r", r->rest.s[0]))
        r->rest.s++, r->rest.len--;
}

/* Remove a sign at the start of the rest. */
static bool take(struct reading *r, char sign)
{
    skip_blanks(r);
    if (!r->rest.len || r->rest.s[0] != sign)
        return false;
    r->rest.s++, r->rest.len--;
    return true;
}

static enum tr_status expected(struct reading *r, const char *what)
{
    return tr_fail(r->err, TR_USAGE, "%s is expected at '%.*s'", what, (int)(r->rest.len < 40 ? r->rest.len : 40),
                   r->rest.s);
}

/* A name of letters, digits and _; inside: further characters that it may have.  Empty: there is none. */
static struct tr_str take_name(struct reading *r, const char *inside)
{
    size_t n = 0;
    skip_blanks(r);
    const char *s = r->rest.s;
    while (n < r->rest.len && s[n] &&
           (is_letter(s[n]) || (n && ((s[n] >= '0' && s[n] <= '9') || strchr(inside, s[n])))))
        n++;
    r->rest.s += n;
    r->rest.len -= n;
    return (struct tr_str){ s, n };
}

/* Everything up to a comma or a bracket that was not opened. */
static struct tr_str take_value(struct reading *r)
{
    size_t n = 0, depth = 0;
    skip_blanks(r);
    const char *s = r->rest.s;
    for (; n < r->rest.len && (depth || !strchr(",)", s[n])) && s[n]; n++)
        depth = s[n] == '[' ? depth + 1 : s[n] == ']' && depth ? depth - 1 : depth;
    struct tr_str value = { s, n };
    r->rest.s += n;
    r->rest.len -= n;
    while (value.len && strchr(" \t\r", value.s[value.len - 1]))
        value.len--;
    return value;
}

/* ---- arguments ---- */

static bool kind_of(struct tr_str word, enum tr_schema_kind *kind)
{
    static const struct {
        const char *word;
        enum tr_schema_kind kind;
    } kinds[] = {
        { "Tensor", TR_SCHEMA_TENSOR },      { "Scalar", TR_SCHEMA_NUMBER },   { "float", TR_SCHEMA_REAL },
        { "int", TR_SCHEMA_INT },            { "SymInt", TR_SCHEMA_INT },      { "bool", TR_SCHEMA_BOOL },
        { "SymBool", TR_SCHEMA_BOOL },       { "str", TR_SCHEMA_TEXT },        { "ScalarType", TR_SCHEMA_DTYPE },
        { "Layout", TR_SCHEMA_LAYOUT },      { "MemoryFormat", TR_SCHEMA_FORMAT }, { "Device", TR_SCHEMA_OTHER },
        { "Generator", TR_SCHEMA_OTHER },    { "Dimname", TR_SCHEMA_OTHER },   { "Storage", TR_SCHEMA_OTHER },
        { "Stream", TR_SCHEMA_OTHER },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (tr_str_is(word, kinds[i].word)) {
            *kind = kinds[i].kind;
            return true;
        }
    return false;
}

/* The type of an argument: Tensor(a!), int[1]?, Tensor?[]. */
static enum tr_status read_type(struct reading *r, struct tr_schema_arg *a)
{
    skip_blanks(r);
    const char *from = r->rest.s;
    struct tr_str word = take_name(r, "");
    if (!kind_of(word, &a->kind)) {
        r->rest.len += (size_t)(r->rest.s - from);
        r->rest.s = from;
        return expected(r, "a type of an argument");
    }
    if (take(r, '(')) {
        const char *end = memchr(r->rest.s, ')', r->rest.len);
        if (!end)
            return expected(r, "')'");
        a->written = memchr(r->rest.s, '!', (size_t)(end - r->rest.s)) != NULL;
        r->rest.len -= (size_t)(end + 1 - r->rest.s);
        r->rest.s = end + 1;
    }
    bool optional_items = take(r, '?');
    if (take(r, '[')) {
        a->list = true;
        while (r->rest.len && r->rest.s[0] >= '0' && r->rest.s[0] <= '9')
            r->rest.s++, r->rest.len--;
        if (!take(r, ']'))
            return expected(r, "']'");
        a->optional = take(r, '?');
    } else {
        a->optional = optional_items;
    }
    if (a->list && a->kind == TR_SCHEMA_TENSOR)
        a->kind = TR_SCHEMA_TENSORS;
    a->type = (struct tr_str){ from, (size_t)(r->rest.s - from) };
    while (strchr(" \t", a->type.s[a->type.len - 1]))
        a->type.len--;
    return TR_OK;
}

/* A default, without the quotes of a text. */
static enum tr_status read_default(struct reading *r, struct tr_schema_arg *a)
{
    struct tr_str text = take_value(r);
    if (!text.len)
        return expected(r, "a default");
    a->has_preset = true;
    if (text.len >= 2 && (text.s[0] == '\'' || text.s[0] == '"') && text.s[text.len - 1] == text.s[0]) {
        text = (struct tr_str){ text.s + 1, text.len - 2 };
        for (size_t i = 0; i < text.len; i++)
            if (!is_letter(text.s[i]) && !(text.s[i] >= '0' && text.s[i] <= '9'))
                return tr_fail(r->err, TR_USAGE, "a text that is a default has letters, digits and '_' only");
        a->preset = tr_value_text(text);
        return TR_OK;
    }
    if (!tr_value_read(r->s->arena, text, &a->preset))
        return tr_fail_memory(r->err);
    if (a->preset.type == TR_VALUE_TEXT)
        return tr_fail(r->err, TR_USAGE, "'%.*s' is no number, list, True, False, None or text in quotes",
                       (int)(text.len < 40 ? text.len : 40), text.s);
    return TR_OK;
}

static const struct tr_schema_arg *arg_of(const struct tr_schema *schema, struct tr_str name)
{
    for (size_t i = 0; i < schema->n; i++)
        if (tr_str_cmp(schema->args[i].name, name) == 0)
            return &schema->args[i];
    return NULL;
}

static enum tr_status read_args(struct reading *r, struct tr_schema *schema)
{
    struct tr_schema_arg args[TR_SCHEMA_MAX_ARGS];
    enum tr_status st = TR_OK;
    schema->args = args;
    for (bool keyword = false, more = !take(r, ')'); more && st == TR_OK;) {
        if (take(r, '*')) {
            keyword = true;
        } else {
            struct tr_schema_arg a = { .keyword = keyword };
            st = read_type(r, &a);
            a.name = take_name(r, "");
            if (st == TR_OK && (!a.name.len || arg_of(schema, a.name)))
                st = expected(r, a.name.len ? "another name of an argument" : "a name of an argument");
            if (st == TR_OK && take(r, '='))
                st = read_default(r, &a);
            if (st == TR_OK && schema->n == TR_SCHEMA_MAX_ARGS)
                st = tr_fail(r->err, TR_USAGE, "more than %u arguments", TR_SCHEMA_MAX_ARGS);
            if (st == TR_OK)
                args[schema->n++] = a;
        }
        more = take(r, ',');
        if (st == TR_OK && !more && !take(r, ')'))
            st = expected(r, "',' or ')'");
    }
    schema->args = tr_arena_copy(r->s->arena, args, (schema->n ? schema->n : 1) * sizeof *args);
    return st == TR_OK && !schema->args ? tr_fail_memory(r->err) : st;
}

/* Schemas of one file keep their order; those of a later file come before. */
static enum tr_status add_schema(struct reading *r, struct tr_schema *schema)
{
    struct tr_schemas *s = r->s;
    uint32_t id = tr_strtab_add(s->ops, schema->op.s, schema->op.len);
    if (id == TR_NO_STR || !tr_grow(&s->of, &s->cap_of, (size_t)id + 1, sizeof *s->of) ||
        !tr_grow(&s->last, &s->cap_last, (size_t)id + 1, sizeof *s->last))
        return tr_fail_memory(r->err);
    for (; s->n_last <= id; s->n_last++) {
        s->of[s->n_last] = NULL;
        s->last[s->n_last] = NULL;
    }
    if (s->last[id]) {
        schema->next = s->last[id]->next;
        s->last[id]->next = schema;
    } else {
        schema->next = s->of[id];
        s->of[id] = schema;
    }
    s->last[id] = schema;
    r->current = schema;
    return TR_OK;
}

static enum tr_status read_schema(struct reading *r)
{
    struct tr_schema *schema = tr_arena_alloc(r->s->arena, sizeof *schema);
    if (!schema)
        return tr_fail_memory(r->err);
    *schema = (struct tr_schema){ .file = r->file, .line = r->line };
    if (r->s->n++ == TR_SCHEMAS_MAX)
        return tr_fail(r->err, TR_USAGE, "more than %u schemas", TR_SCHEMAS_MAX);
    schema->op = take_name(r, ":");
    if (!schema->op.len || !memchr(schema->op.s, ':', schema->op.len))
        return expected(r, "an operator such as aten::mm");
    schema->overload = tr_str_of("");
    if (take(r, '.') && !(schema->overload = take_name(r, "")).len)
        return expected(r, "a name of an overload");
    if (!take(r, '('))
        return expected(r, "'('");
    enum tr_status st = read_args(r, schema);
    skip_blanks(r);
    if (st == TR_OK && r->rest.len && !(r->rest.len > 1 && memcmp(r->rest.s, "->", 2) == 0))
        return expected(r, "'->'");
    return st == TR_OK ? add_schema(r, schema) : st;
}

/* "index < self[dim]" or "indices < num_weights", below a schema. */
static enum tr_status read_bound(struct reading *r)
{
    struct tr_str name = take_name(r, "");
    struct tr_schema *schema = r->current;
    struct tr_schema_arg *a = schema ? (struct tr_schema_arg *)arg_of(schema, name) : NULL;
    if (!a || a->kind != TR_SCHEMA_TENSOR)
        return tr_fail(r->err, TR_USAGE, "an indented line is about a tensor of the schema above it, such as "
                                         "index < self[dim]");
    if (!take(r, '<'))
        return expected(r, "'<'");
    a->below = take_name(r, "");
    const struct tr_schema_arg *of = arg_of(schema, a->below);
    bool indexed = take(r, '[');
    skip_blanks(r);
    if (!of || indexed != (of->kind == TR_SCHEMA_TENSOR))
        return tr_fail(r->err, TR_USAGE, "after '<', a number of the schema or a dimension of a tensor is expected");
    if (!indexed)
        return TR_OK;
    const char *from = r->rest.s;
    while (r->rest.len &&
           (is_letter(r->rest.s[0]) || (r->rest.s[0] >= '0' && r->rest.s[0] <= '9') || r->rest.s[0] == '-'))
        r->rest.s++, r->rest.len--;
    a->dim = (struct tr_str){ from, (size_t)(r->rest.s - from) };
    struct tr_value number;
    if (!tr_value_read(r->s->arena, a->dim, &number))
        return tr_fail_memory(r->err);
    if (!a->dim.len || !take(r, ']') || (number.type != TR_VALUE_INT && !arg_of(schema, a->dim)))
        return expected(r, "a dimension, by number or by argument, with ']' after it,");
    return TR_OK;
}

static enum tr_status read_line(struct reading *r)
{
    const char *remark = memchr(r->rest.s, '#', r->rest.len);
    bool indented = r->rest.len && strchr(" \t", r->rest.s[0]);
    r->rest.len = remark ? (size_t)(remark - r->rest.s) : r->rest.len;
    skip_blanks(r);
    if (!r->rest.len)
        return TR_OK;
    return indented ? read_bound(r) : read_schema(r);
}

enum tr_status tr_schemas_read(struct tr_schemas *s, const char *name, const char *text, size_t len,
                               struct tr_error *err)
{
    struct tr_error none = TR_ERROR_INIT;
    char *copy = tr_arena_alloc(s->arena, len + 1);
    struct reading r = { .s = s, .file = tr_arena_copy(s->arena, name, strlen(name) + 1), .err = err ? err : &none };
    enum tr_status st = copy && r.file ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        memcpy(copy, text, len);
    if (s->n_last)
        memset(s->last, 0, s->n_last * sizeof *s->last);
    for (size_t at = 0; st == TR_OK && at < len;) {
        const char *end = memchr(copy + at, '\n', len - at);
        size_t n = end ? (size_t)(end - copy) - at : len - at;
        r.rest = (struct tr_str){ copy + at, n };
        r.line++;
        st = read_line(&r);
        at += n + 1;
    }
    if (st == TR_OK && !r.current) {
        st = tr_fail(r.err, TR_USAGE, "there is no schema in it");
        tr_error_input(r.err, name);
    } else if (st == TR_USAGE) {
        tr_error_place(r.err, "line %u", r.line);
        tr_error_input(r.err, name);
    }
    return st;
}
