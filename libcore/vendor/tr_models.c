/* SPDX-License-Identifier: MIT */
/* Models of operators: files of sections, and models applied to calls. */
#include "vendor/tr_models.h"

#include "base/tr_hash.h"
#include "base/tr_rule_text.h"
#include "base/tr_strtab.h"
#include "lang/tr_formula.h"
#include "vendor/tr_dtypes.h"
#include "vendor/tr_step_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX  60u /* formulas of a section */
#define PARAMS_MAX 32u

/* The first variables: the arguments that formulas use. */
enum { VAR_OP, VAR_DIMS, VAR_TYPES, VAR_STRIDES, VAR_ARG, VAR_STEP, N_VARS = VAR_STEP + TR_N_STEP_SUMS };

enum line_type { LINE_LET, LINE_WHEN, LINE_FLOPS, LINE_BYTES, LINE_SPEC };

struct line {
    enum line_type type;
    size_t variable; /* of LINE_LET */
    const struct tr_formula *formula;
};

struct tr_model {
    const char *family, *file;
    unsigned first_line;
    struct tr_str text;
    struct line lines[LINES_MAX];
    size_t n_lines;
    size_t params[PARAMS_MAX];
    size_t n_params;
    bool needs_step;
    struct tr_formula_names names;
    struct tr_model *next;
};

/* What models say of an operator. */
struct op {
    const struct tr_model *model;
    bool own; /* it is for what a call launches itself */
};

/* A name that ends with * means all names that start like it. */
struct prefix {
    struct tr_str text;
    struct op op;
    struct prefix *next;
};

struct tr_models {
    struct tr_arena *arena;
    struct tr_strtab *ops;
    struct op *of; /* by operator */
    size_t n_of, cap_of;
    struct prefix *prefixes; /* the last file's first */
    unsigned n;
    uint64_t mark; /* of all texts */
};

uint64_t tr_models_mark(const struct tr_models *m)
{
    return m->mark;
}

struct tr_models *tr_models_new(void)
{
    struct tr_models *m = calloc(1, sizeof *m);
    if (m && (m->arena = tr_arena_new(1 << 16)) && (m->ops = tr_strtab_new()))
        return m;
    tr_models_free(m);
    return NULL;
}

void tr_models_free(struct tr_models *m)
{
    if (!m)
        return;
    tr_strtab_free(m->ops);
    tr_arena_free(m->arena);
    free(m->of);
    free(m);
}

static struct op find(const struct tr_models *m, struct tr_str op)
{
    uint32_t id = op.s ? tr_strtab_find(m->ops, op.s, op.len) : TR_NO_STR;
    if (id != TR_NO_STR)
        return m->of[id];
    for (const struct prefix *p = m->prefixes; op.s && p; p = p->next)
        if (op.len >= p->text.len && memcmp(op.s, p->text.s, p->text.len) == 0)
            return p->op;
    return (struct op){ NULL, false };
}

const struct tr_model *tr_models_find(const struct tr_models *m, struct tr_str op)
{
    return find(m, op).model;
}

bool tr_models_own(const struct tr_models *m, struct tr_str op)
{
    return find(m, op).own;
}

const char *tr_model_family(const struct tr_model *model)
{
    return model->family;
}

const char *tr_model_file(const struct tr_model *model)
{
    return model->file;
}

bool tr_model_needs_step(const struct tr_model *model)
{
    return model->needs_step;
}

unsigned tr_model_line(const struct tr_model *model)
{
    return model->first_line;
}

struct tr_str tr_model_text(const struct tr_model *model)
{
    return model->text;
}

/* ---- functions of formulas ---- */

static struct tr_value size_of(struct tr_value x)
{
    unsigned size = x.type == TR_VALUE_TEXT ? tr_dtype_size((struct tr_str){ x.of.s, x.n }) : 0;
    return size ? tr_value_int(size) : tr_value_none();
}

static struct tr_value precision_of(struct tr_value x)
{
    return x.type == TR_VALUE_TEXT ? tr_value_text(tr_str_of(tr_dtype_precision((struct tr_str){ x.of.s, x.n })))
                                   : tr_value_none();
}

static const struct tr_formula_function functions[] = {
    { "size", size_of }, { "precision", precision_of }, { NULL, NULL }
};

/* ---- reading ---- */

struct reading {
    struct tr_models *m;
    const char *file;
    struct tr_model *model; /* the current section; NULL: none yet */
    struct tr_error *err;
};

static struct tr_str trim(struct tr_str s)
{
    while (s.len && strchr(" \t\r", s.s[0]))
        s.s++, s.len--;
    while (s.len && strchr(" \t\r", s.s[s.len - 1]))
        s.len--;
    return s;
}

/* Remove the text before a sign, and the sign; returns that text.  Without the sign: the whole text. */
static struct tr_str take_until(struct tr_str *s, char sign)
{
    const char *at = memchr(s->s, sign, s->len);
    size_t n = at ? (size_t)(at - s->s) : s->len;
    struct tr_str first = { s->s, n };
    s->s += n + (at != NULL);
    s->len -= n + (at != NULL);
    return trim(first);
}

/* The text without its comment, which starts with # outside quotes. */
static struct tr_str without_remark(struct tr_str s)
{
    bool quoted = false;
    for (size_t i = 0; i < s.len; i++) {
        quoted ^= s.s[i] == '"';
        if (s.s[i] == '#' && !quoted)
            s.len = i;
    }
    return trim(s);
}

static char *copy_text(struct tr_models *m, struct tr_str s)
{
    char *copy = tr_arena_alloc(m->arena, s.len + 1);
    if (copy) {
        memcpy(copy, s.s, s.len);
        copy[s.len] = '\0';
    }
    return copy;
}

static enum tr_status start_model(struct reading *r, struct tr_str title, unsigned line)
{
    static const char *const given[N_VARS] = { "op",        "dims",      "types",       "strides",     "arg",
                                               "step.c_sq", "step.c_sk", "step.c_sqsq", "step.c_sqsk", "step.g_sq",
                                               "step.g_sk", "step.g_sqsq", "step.g_sqsk" };
    struct tr_model *model = tr_arena_alloc(r->m->arena, sizeof *model);
    if (!model)
        return tr_fail_memory(r->err);
    memset(model, 0, sizeof *model);
    title = trim(title);
    if (!title.len || title.len > 60)
        return tr_fail(r->err, TR_USAGE, "a name of a family is expected between '[' and ']'");
    if (r->m->n++ == TR_MODELS_MAX)
        return tr_fail(r->err, TR_USAGE, "more than %u models", TR_MODELS_MAX);
    model->family = copy_text(r->m, title);
    model->file = r->file;
    model->first_line = line;
    model->names.functions = functions;
    for (size_t i = 0; i < N_VARS; i++)
        model->names.variables[model->names.n++] = tr_str_of(given[i]);
    r->model = model;
    return model->family ? TR_OK : tr_fail_memory(r->err);
}

static enum tr_status add_op(struct reading *r, struct tr_str op, bool own)
{
    struct tr_models *m = r->m;
    char *copy = copy_text(m, op);
    uint32_t id;
    if (!op.len || !copy)
        return op.len ? tr_fail_memory(r->err) : tr_fail(r->err, TR_USAGE, "names with commas between are expected");
    if (op.s[op.len - 1] == '*') {
        struct prefix *p = tr_arena_alloc(m->arena, sizeof *p);
        if (!p)
            return tr_fail_memory(r->err);
        *p = (struct prefix){ { copy, op.len - 1 }, { r->model, own }, m->prefixes };
        m->prefixes = p;
        return TR_OK;
    }
    id = tr_strtab_add(m->ops, op.s, op.len);
    if (id == TR_NO_STR || !tr_grow(&m->of, &m->cap_of, (size_t)id + 1, sizeof *m->of))
        return tr_fail_memory(r->err);
    m->of[id] = (struct op){ r->model, own };
    return TR_OK;
}

static enum tr_status add_ops(struct reading *r, struct tr_str list, bool own)
{
    enum tr_status st = TR_OK;
    do
        st = add_op(r, take_until(&list, ','), own);
    while (st == TR_OK && list.len);
    return st;
}

static size_t variable_of(const struct tr_formula_names *names, struct tr_str name)
{
    size_t i = names->n;
    while (i-- > 0)
        if (tr_str_cmp(names->variables[i], name) == 0)
            return i;
    return SIZE_MAX;
}

static enum tr_status add_params(struct reading *r, struct tr_str list)
{
    struct tr_model *model = r->model;
    do {
        struct tr_str name = take_until(&list, ',');
        size_t variable = variable_of(&model->names, name);
        if (variable == SIZE_MAX || model->n_params == PARAMS_MAX)
            return tr_fail(r->err, TR_USAGE,
                           variable == SIZE_MAX ? "no variable '%.*s'" : "too many parameters at '%.*s'",
                           (int)(name.len < 60 ? name.len : 60), name.s);
        model->params[model->n_params++] = variable;
    } while (list.len);
    return TR_OK;
}

static bool has_text(struct tr_str s, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= s.len; i++)
        if (memcmp(s.s + i, what, n) == 0)
            return true;
    return false;
}

static enum tr_status add_formula(struct reading *r, enum line_type type, struct tr_str name, struct tr_str text)
{
    struct tr_model *model = r->model;
    struct line *l = &model->lines[model->n_lines];
    if (model->n_lines == LINES_MAX)
        return tr_fail(r->err, TR_USAGE, "more than %u formulas in a section", LINES_MAX);
    l->type = type;
    model->needs_step |= has_text(text, "step.");
    enum tr_status st = tr_formula_parse(r->m->arena, text.s, text.len, &model->names, &l->formula, r->err);
    if (st != TR_OK)
        return st;
    if (type == LINE_LET) {
        l->variable = variable_of(&model->names, name);
        if (l->variable != SIZE_MAX && l->variable < N_VARS)
            return tr_fail(r->err, TR_USAGE, "'%.*s' is given by the call", (int)name.len, name.s);
        if (l->variable == SIZE_MAX && model->names.n + 8 > TR_FORMULA_MAX_NAMES)
            return tr_fail(r->err, TR_USAGE, "more than %u variables", TR_FORMULA_MAX_NAMES - 8);
        char *copy = copy_text(r->m, name);
        if (!copy)
            return tr_fail_memory(r->err);
        if (l->variable == SIZE_MAX) {
            l->variable = model->names.n;
            model->names.variables[model->names.n++] = (struct tr_str){ copy, name.len };
        }
    }
    model->n_lines++;
    return TR_OK;
}

/* A name of letters, digits and _, as in formulas. */
static bool is_name(struct tr_str s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    bool ok = s.len && s.len < 60 && strchr(letters, s.s[0]);
    for (size_t i = 1; ok && i < s.len; i++)
        ok = s.s[i] && (strchr(letters, s.s[i]) || (s.s[i] >= '0' && s.s[i] <= '9'));
    return ok;
}

/* Is it this word, with a blank after it?  Then remove it. */
static bool take_word(struct tr_str *s, const char *word)
{
    size_t n = strlen(word);
    if (s->len <= n || memcmp(s->s, word, n) != 0 || (s->s[n] != ' ' && s->s[n] != '\t'))
        return false;
    *s = trim((struct tr_str){ s->s + n, s->len - n });
    return true;
}

static enum tr_status read_line(struct reading *r, struct tr_str line, unsigned number)
{
    struct tr_str rest = without_remark(line);
    if (!rest.len)
        return TR_OK;
    if (rest.s[0] == '[' && rest.s[rest.len - 1] == ']')
        return start_model(r, (struct tr_str){ rest.s + 1, rest.len - 2 }, number);
    if (!r->model)
        return tr_fail(r->err, TR_USAGE, "a section such as [gemm] is expected first");
    if (take_word(&rest, "when"))
        return add_formula(r, LINE_WHEN, rest, rest);
    bool let = take_word(&rest, "let");
    struct tr_str name = take_until(&rest, '=');
    rest = trim(rest);
    if (let && is_name(name))
        return add_formula(r, LINE_LET, name, rest);
    if (!let && (tr_str_is(name, "ops") || tr_str_is(name, "own")))
        return add_ops(r, rest, tr_str_is(name, "own"));
    if (!let && tr_str_is(name, "param"))
        return add_params(r, rest);
    static const char *const results[] = { "flops", "bytes", "spec" };
    for (unsigned i = 0; !let && i < 3; i++)
        if (tr_str_is(name, results[i]))
            return add_formula(r, (enum line_type)(LINE_FLOPS + i), name, rest);
    return tr_fail(r->err, TR_USAGE,
                   let ? "a name and '=' are expected after 'let'"
                       : "a line begins with ops =, own =, let, when, flops =, bytes =, spec = or param =");
}

enum tr_status tr_models_read(struct tr_models *m, const char *name, const char *text, size_t len,
                              struct tr_error *err)
{
    struct tr_error none = TR_ERROR_INIT;
    struct reading r = { .m = m, .file = copy_text(m, tr_str_of(name)), .err = err ? err : &none };
    char *copy = copy_text(m, (struct tr_str){ text, len });
    enum tr_status st = r.file && copy ? tr_rule_text_check(name, text, len, r.err) : tr_fail_memory(err);
    unsigned number = 0;
    if (st != TR_OK)
        return st;
    m->mark = tr_mix64(m->mark ^ tr_hash(text, len), 0x9e3779b97f4a7c15u);
    for (size_t at = 0; st == TR_OK && at < len;) {
        const char *end = memchr(copy + at, '\n', len - at);
        size_t n = end ? (size_t)(end - copy) - at : len - at;
        struct tr_model *before = r.model;
        st = read_line(&r, (struct tr_str){ copy + at, n }, ++number);
        if (r.model != before)
            r.model->text.s = copy + at;
        if (r.model && st == TR_OK && without_remark((struct tr_str){ copy + at, n }).len)
            r.model->text.len = (size_t)(copy + at + n - r.model->text.s);
        at += n + 1;
    }
    if (st == TR_OK && !r.model) {
        st = tr_fail(r.err, TR_USAGE, "there is no model in it");
        tr_error_input(r.err, name);
    } else if (st == TR_USAGE) {
        char within[sizeof r.err->place];
        memcpy(within, r.err->place, sizeof within);
        r.err->place[0] = '\0';
        if (within[0])
            tr_error_place(r.err, "line %u, formula, %s", number, within);
        else
            tr_error_place(r.err, "line %u", number);
        tr_error_input(r.err, name);
    }
    return st;
}

/* ---- applying ---- */

/* Variables of the step, absent if its annotation does not have them. */
static void read_step(const struct tr_model_args *args, struct tr_formula_run *run)
{
    struct tr_step_sums sums;
    (void)tr_step_sums_read(args->step, &sums);
    for (size_t i = 0; i < TR_N_STEP_SUMS; i++) {
        bool whole = sums.of[i] >= 0 && sums.of[i] < 9e15 && floor(sums.of[i]) == sums.of[i];
        run->variables[VAR_STEP + i] = isnan(sums.of[i]) ? tr_value_none()
                                       : whole           ? tr_value_int((int64_t)sums.of[i])
                                                         : tr_value_real(sums.of[i]);
    }
}

static bool read_args(const struct tr_model_args *args, struct tr_formula_run *run)
{
    run->variables[VAR_OP] = tr_value_text(args->op);
    read_step(args, run);
    return tr_value_read(run->arena, args->dims, &run->variables[VAR_DIMS]) &&
           tr_value_read(run->arena, args->types, &run->variables[VAR_TYPES]) &&
           tr_value_read(run->arena, args->strides, &run->variables[VAR_STRIDES]) &&
           tr_value_read(run->arena, args->concrete, &run->variables[VAR_ARG]);
}

/* Concrete inputs are texts of values. */
static bool read_concrete(struct tr_formula_run *run)
{
    struct tr_value *list = &run->variables[VAR_ARG];
    struct tr_value *items = NULL;
    if (list->type == TR_VALUE_LIST)
        items = tr_arena_alloc(run->arena, (list->n + 1) * sizeof *items);
    bool ok = list->type != TR_VALUE_LIST || items;
    for (size_t i = 0; ok && items && i < list->n; i++) {
        items[i] = list->of.items[i];
        if (items[i].type == TR_VALUE_TEXT)
            ok = tr_value_read(run->arena, (struct tr_str){ items[i].of.s, items[i].n }, &items[i]);
    }
    if (ok && items)
        list->of.items = items;
    return ok;
}

/* Take a valid result: not below 0. */
static bool take_number(const struct tr_value *v, double *number)
{
    return tr_value_number(v, number) && *number >= 0;
}

/* Apply the lines of a model in their order.  Stops at a "when" that does not hold. */
static void apply_lines(const struct tr_model *model, struct tr_formula_run *run, struct tr_model_result *out)
{
    out->known = true;
    for (size_t i = 0; i < model->n_lines && out->known; i++) {
        const struct line *l = &model->lines[i];
        struct tr_value v = tr_formula_eval(l->formula, run);
        if (l->type == LINE_LET)
            run->variables[l->variable] = v;
        else if (l->type == LINE_WHEN)
            out->known = v.type == TR_VALUE_BOOL && v.of.i;
        else if (l->type == LINE_FLOPS)
            out->has_flops = take_number(&v, &out->flops);
        else if (l->type == LINE_BYTES)
            out->has_bytes = take_number(&v, &out->bytes);
        else if (v.type == TR_VALUE_TEXT && v.n < sizeof out->spec)
            memcpy(out->spec, v.of.s, v.n + 1);
    }
}

enum tr_status tr_model_apply(const struct tr_model *model, const struct tr_model_args *args,
                              struct tr_model_result *out, struct tr_buf *params, struct tr_error *err)
{
    struct tr_formula_run *run = calloc(1, sizeof *run);
    *out = (struct tr_model_result){ .known = false };
    bool ok = run && (run->arena = tr_arena_new(4096)) && read_args(args, run) && read_concrete(run);
    if (ok && args->dims.s)
        apply_lines(model, run, out);
    out->known = out->known && (out->has_flops || out->has_bytes);
    ok = ok && !run->no_memory && (!params || tr_buf_add(params, "{", 1));
    for (size_t i = 0; ok && params && out->known && i < model->n_params; i++) {
        const struct tr_value name = tr_value_text(model->names.variables[model->params[i]]);
        ok = (!i || tr_buf_add(params, ",", 1)) && tr_value_print(&name, params) && tr_buf_add(params, ":", 1) &&
             tr_value_print(&run->variables[model->params[i]], params);
    }
    ok = ok && (!params || tr_buf_add(params, "}", 1));
    if (run)
        tr_arena_free(run->arena);
    free(run);
    return ok ? TR_OK : tr_fail_memory(err);
}
