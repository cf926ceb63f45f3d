/* SPDX-License-Identifier: MIT */
/* Models of operators: files of sections, and models applied to calls. */
#include "vendor/tr_models.h"

#include "base/tr_hash.h"
#include "base/tr_regex.h"
#include "base/tr_rule_text.h"
#include "base/tr_strtab.h"
#include "lang/tr_formula.h"
#include "vendor/tr_dtypes.h"
#include "vendor/tr_step_sums.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX  60u /* formulas of a section */
#define PARAMS_MAX 32u
#define ASKS_MAX   16u /* names of operators inside, of a section */

/* The first variables: the arguments that formulas use. */
enum { VAR_OP, VAR_DIMS, VAR_TYPES, VAR_STRIDES, VAR_ARG, VAR_STEP, N_VARS = VAR_STEP + TR_N_STEP_SUMS };

enum line_type { LINE_LET, LINE_WHEN, LINE_FLOPS, LINE_BYTES, LINE_SPEC };

struct line {
    enum line_type type;
    size_t variable; /* of LINE_LET */
    const struct tr_formula *formula;
};

struct formulas {
    struct line lines[LINES_MAX];
    size_t n_lines;
    size_t params[PARAMS_MAX];
    size_t n_params;
    struct tr_formula_names names;
};

/* A trace has few of the operators that the library has models of, so the formulas of those are read when needed. */
struct when_needed {
    struct tr_models *models;
    struct formulas *formulas; /* NULL: not read yet */
};

struct tr_model {
    const char *family, *file;
    unsigned first_line;
    struct tr_str text;
    struct when_needed *body;
    bool needs_step;
    bool why; /* it says why there is none */
    struct tr_str kernels; /* an expression; no text: it is of all work */
    struct tr_regex *of_kernels;
    struct tr_str *asks; /* names of operators inside; NULL: none */
    size_t n_asks;
    struct tr_model *next;
};

/* What models say of an operator. */
struct op {
    const struct tr_model *model;
    bool own; /* it is for what a call launches itself */
    const struct tr_model *why;
    const struct tr_model **parts; /* TR_MODELS_PARTS; NULL: none */
    size_t n_parts;
    const char *file; /* that all this is from */
};

/* A name that ends with * means all names that start like it. */
struct prefix {
    struct tr_str text;
    struct op op;
    struct prefix *next;
};

/* A name of a section's operators. */
struct section_op {
    struct tr_str name;
    bool own;
};

struct tr_models {
    pthread_mutex_t lock; /* of what changes when all is read: formulas that are read when needed, and matching */
    struct tr_arena *arena;
    struct tr_strtab *ops;
    struct op *of; /* by operator */
    size_t n_of, cap_of;
    struct prefix *prefixes; /* the last file's first */
    struct tr_strtab *asked; /* operators inside others whose values formulas need */
    struct tr_model *first;  /* all models, through next */
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
    if (m && pthread_mutex_init(&m->lock, NULL) != 0) {
        free(m);
        return NULL;
    }
    if (m && (m->arena = tr_arena_new(1 << 16)) && (m->ops = tr_strtab_new()) &&
        (m->asked = tr_strtab_new()))
        return m;
    tr_models_free(m);
    return NULL;
}

void tr_models_free(struct tr_models *m)
{
    if (!m)
        return;
    for (const struct tr_model *model = m->first; model; model = model->next)
        tr_regex_free(model->of_kernels);
    tr_strtab_free(m->ops);
    tr_strtab_free(m->asked);
    tr_arena_free(m->arena);
    pthread_mutex_destroy(&m->lock);
    free(m->of);
    free(m);
}

static const struct op *find(const struct tr_models *m, struct tr_str op)
{
    static const struct op nothing = { .model = NULL };
    uint32_t id = op.s ? tr_strtab_find(m->ops, op.s, op.len) : TR_NO_STR;
    if (id != TR_NO_STR)
        return &m->of[id];
    for (const struct prefix *p = m->prefixes; op.s && p; p = p->next)
        if (op.len >= p->text.len && memcmp(op.s, p->text.s, p->text.len) == 0)
            return &p->op;
    return &nothing;
}

const struct tr_model *tr_models_find(const struct tr_models *m, struct tr_str op)
{
    return find(m, op)->model;
}

bool tr_models_own(const struct tr_models *m, struct tr_str op)
{
    return find(m, op)->own;
}

const struct tr_model *tr_models_why(const struct tr_models *m, struct tr_str op)
{
    return find(m, op)->why;
}

const struct tr_model *const *tr_models_parts(const struct tr_models *m, struct tr_str op, size_t *n)
{
    const struct op *of = find(m, op);
    *n = of->n_parts;
    return of->parts;
}

struct tr_str tr_model_kernels(const struct tr_model *part)
{
    return part->kernels;
}

bool tr_model_takes(const struct tr_model *part, struct tr_str kernel)
{
    pthread_mutex_t *lock = &part->body->models->lock;
    pthread_mutex_lock(lock);
    bool takes = kernel.s && tr_regex_has(part->of_kernels, kernel);
    pthread_mutex_unlock(lock);
    return takes;
}

bool tr_models_asked(const struct tr_models *m, struct tr_str inside)
{
    return inside.s && tr_strtab_find(m->asked, inside.s, inside.len) != TR_NO_STR;
}

static bool asks(const struct tr_model *model, struct tr_str inside)
{
    bool found = model && !inside.s && model->n_asks;
    for (size_t i = 0; model && inside.s && i < model->n_asks; i++)
        found |= tr_str_cmp(model->asks[i], inside) == 0;
    return found;
}

bool tr_models_ask(const struct tr_models *m, struct tr_str op, struct tr_str inside)
{
    const struct op *of = find(m, op);
    bool found = asks(of->model, inside);
    for (size_t i = 0; i < of->n_parts; i++)
        found |= asks(of->parts[i], inside);
    return found;
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

static struct tr_value size_of(struct tr_formula_run *run, const struct tr_value *x)
{
    unsigned size = x->type == TR_VALUE_TEXT ? tr_dtype_size((struct tr_str){ x->of.s, x->n }) : 0;
    (void)run;
    return size ? tr_value_int(size) : tr_value_none();
}

static struct tr_value precision_of(struct tr_formula_run *run, const struct tr_value *x)
{
    (void)run;
    return x->type == TR_VALUE_TEXT ? tr_value_text(tr_str_of(tr_dtype_precision((struct tr_str){ x->of.s, x->n })))
                                    : tr_value_none();
}

/* What is noted of a call inside another: texts, in this order. */
enum { INSIDE_OP, INSIDE_DIMS, INSIDE_TYPES, INSIDE_STRIDES, INSIDE_ARG, N_INSIDE };
static const char *const inside_names[N_INSIDE] = { "op", "dims", "types", "strides", "arg" };

static bool read_concrete(struct tr_formula_run *run, struct tr_value *list);

/* One of the values of a call inside. */
static struct tr_value value_inside(struct tr_formula_run *run, const struct tr_value *call, size_t what)
{
    struct tr_value v = tr_value_none();
    if (call->n <= what || call->of.items[what].type != TR_VALUE_TEXT)
        return v;
    const struct tr_str text = { call->of.items[what].of.s, call->of.items[what].n };
    run->no_memory |= !tr_value_read(run->arena, text, &v) || (what == INSIDE_ARG && !read_concrete(run, &v));
    return v;
}

/* inside(NAME, WHAT): of each call of an operator inside the call, in their order. */
static struct tr_value inside(struct tr_formula_run *run, const struct tr_value *args)
{
    const struct tr_value *calls = run->self;
    size_t what = INSIDE_DIMS, n = 0;
    while (what < N_INSIDE && !(args[1].type == TR_VALUE_TEXT && strcmp(inside_names[what], args[1].of.s) == 0))
        what++;
    if (args[0].type != TR_VALUE_TEXT || what == N_INSIDE || !calls || calls->type != TR_VALUE_LIST)
        return tr_value_none();
    struct tr_value *items = tr_formula_room(run, calls->n);
    for (size_t i = 0; items && i < calls->n; i++) {
        const struct tr_value *call = &calls->of.items[i];
        const struct tr_value *op = call->type == TR_VALUE_LIST && call->n == N_INSIDE ? call->of.items : NULL;
        if (op && op->type == TR_VALUE_TEXT && op->n == args[0].n && memcmp(op->of.s, args[0].of.s, op->n) == 0)
            items[n++] = value_inside(run, call, what);
    }
    return n ? (struct tr_value){ TR_VALUE_LIST, n, { .items = items } } : tr_value_none();
}

bool tr_model_note_inside(const struct tr_model_args *call, struct tr_buf *text)
{
    const struct tr_str texts[N_INSIDE] = { call->op, call->dims, call->types, call->strides, call->concrete };
    size_t before = text->len;
    if (text->len)
        text->len--; /* the bracket at the end */
    bool ok = tr_buf_add(text, before ? "," : "[", 1);
    for (size_t i = 0; ok && i < N_INSIDE; i++) {
        const struct tr_value v = tr_value_text(texts[i]);
        ok = tr_buf_add(text, i ? "," : "[", 1) &&
             (texts[i].s ? tr_value_print(&v, text) : tr_buf_add(text, "\"\"", 2));
    }
    ok = ok && tr_buf_add(text, "]]", 2);
    if (ok && text->len > TR_MODELS_INSIDE && before) {
        text->len = before;
        text->data[before - 1] = ']';
    }
    return ok;
}

static const struct tr_formula_function functions[] = {
    { "size", size_of, 1 }, { "precision", precision_of, 1 }, { "inside", inside, 2 }, { NULL, NULL, 0 }
};

/* ---- reading ---- */

struct reading {
    struct tr_models *m;
    const char *file;
    bool heads;                /* not only the formulas of a section whose other lines were read before */
    bool formulas_later;       /* only lines that are no formulas, and what formulas need */
    struct tr_model *model;    /* the current section; NULL: none yet, or only formulas are read */
    struct formulas *formulas; /* of that section; NULL: they are read later */
    struct section_op *ops;    /* of that section */
    size_t n_ops, cap_ops;
    struct tr_error *err;
};

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct tr_str trim(struct tr_str s)
{
    while (s.len && blank(s.s[0]))
        s.s++, s.len--;
    while (s.len && blank(s.s[s.len - 1]))
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
    for (size_t i = memchr(s.s, '#', s.len) ? 0 : s.len; i < s.len; i++) {
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

/* The formulas that a section has before its first line.  NULL: out of memory. */
static struct formulas *new_formulas(struct tr_models *m)
{
    static const char *const given[N_VARS] = { "op",        "dims",      "types",       "strides",     "arg",
                                               "step.c_sq", "step.c_sk", "step.c_sqsq", "step.c_sqsk", "step.g_sq",
                                               "step.g_sk", "step.g_sqsq", "step.g_sqsk" };
    struct formulas *f = tr_arena_alloc(m->arena, sizeof *f);
    if (!f)
        return NULL;
    f->n_lines = f->n_params = 0;
    f->names.functions = functions;
    for (f->names.n = 0; f->names.n < N_VARS; f->names.n++)
        f->names.variables[f->names.n] = tr_str_of(given[f->names.n]);
    return f;
}

static enum tr_status start_model(struct reading *r, struct tr_str title, unsigned line)
{
    struct tr_model *model = tr_arena_alloc(r->m->arena, sizeof *model);
    struct when_needed *body = tr_arena_alloc(r->m->arena, sizeof *body);
    r->formulas = r->formulas_later ? NULL : new_formulas(r->m);
    if (!model || !body || (!r->formulas && !r->formulas_later))
        return tr_fail_memory(r->err);
    *body = (struct when_needed){ r->m, r->formulas };
    *model = (struct tr_model){ .body = body, .file = r->file, .first_line = line };
    title = trim(title);
    if (!title.len || title.len > 60)
        return tr_fail(r->err, TR_USAGE, "a name of a family is expected between '[' and ']'");
    if (r->m->n++ == TR_MODELS_MAX)
        return tr_fail(r->err, TR_USAGE, "more than %u models", TR_MODELS_MAX);
    model->family = copy_text(r->m, title);
    r->model = model;
    model->next = r->m->first;
    r->m->first = model;
    return model->family ? TR_OK : tr_fail_memory(r->err);
}

static enum tr_status add_op(struct reading *r, struct tr_str op, bool own)
{
    if (!op.len)
        return tr_fail(r->err, TR_USAGE, "names with commas between are expected");
    if (!tr_grow(&r->ops, &r->cap_ops, r->n_ops + 1, sizeof *r->ops))
        return tr_fail_memory(r->err);
    r->ops[r->n_ops++] = (struct section_op){ op, own };
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

/* What models say of a name of operators.  NULL: out of memory. */
static struct op *place_of(struct reading *r, struct tr_str name)
{
    struct tr_models *m = r->m;
    if (name.s[name.len - 1] == '*') {
        name.len--;
        for (struct prefix *p = m->prefixes; p && p->op.file == r->file; p = p->next)
            if (tr_str_cmp(p->text, name) == 0)
                return &p->op;
        struct prefix *p = tr_arena_alloc(m->arena, sizeof *p);
        if (!p)
            return NULL;
        *p = (struct prefix){ name, { .file = r->file }, m->prefixes };
        m->prefixes = p;
        return &p->op;
    }
    uint32_t id = tr_strtab_add(m->ops, name.s, name.len);
    if (id == TR_NO_STR || !tr_grow(&m->of, &m->cap_of, (size_t)id + 1, sizeof *m->of))
        return NULL;
    for (; m->n_of <= id; m->n_of++)
        m->of[m->n_of] = (struct op){ .file = NULL };
    return &m->of[id];
}

/* Add a model of some of its kernels, before those that are there.  False: out of memory. */
static bool add_part(struct tr_models *m, struct op *of, const struct tr_model *model)
{
    if (!of->parts && !(of->parts = tr_arena_alloc(m->arena, TR_MODELS_PARTS * sizeof *of->parts)))
        return false;
    memmove(&of->parts[1], of->parts, of->n_parts++ * sizeof of->parts[0]);
    of->parts[0] = model;
    return true;
}

/* A section is whole: it holds for its operators.  What files before this one say of them does not hold any more. */
static enum tr_status end_section(struct reading *r)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < r->n_ops && st == TR_OK; i++) {
        struct op *of = place_of(r, r->ops[i].name);
        if (!of)
            return tr_fail_memory(r->err);
        if (of->file != r->file)
            *of = (struct op){ .file = r->file };
        if (r->model->why) {
            of->why = r->model;
        } else if (!r->model->kernels.s) {
            of->model = r->model;
            of->own = r->ops[i].own;
        } else if (of->n_parts == TR_MODELS_PARTS || r->ops[i].own) {
            st = tr_fail(r->err, TR_USAGE,
                         r->ops[i].own ? "'kernels' is for ops, not for own"
                                       : "'%.*s' has more than %u models of some of its kernels",
                         (int)(r->ops[i].name.len < 60 ? r->ops[i].name.len : 60), r->ops[i].name.s,
                         TR_MODELS_PARTS);
        } else if (!add_part(r->m, of, r->model)) {
            st = tr_fail_memory(r->err);
        }
    }
    r->n_ops = 0;
    return st;
}

/* The expression after 'kernels =~', in quotes. */
static enum tr_status add_kernels(struct reading *r, struct tr_str text)
{
    char why[TR_REGEX_WHY];
    bool quoted = text.len > 2 && text.s[0] == '"' && text.s[text.len - 1] == '"';
    char *copy = quoted ? copy_text(r->m, (struct tr_str){ text.s + 1, text.len - 2 }) : NULL;
    if (!quoted || r->model->kernels.s)
        return tr_fail(r->err, TR_USAGE, quoted ? "a section has one line 'kernels'"
                                                : "'~' and an expression in quotes are expected after 'kernels ='");
    if (!copy)
        return tr_fail_memory(r->err);
    enum tr_status st = tr_regex_compile(&r->model->of_kernels, copy, false, why);
    r->model->kernels = tr_str_of(copy);
    return st == TR_USAGE ? tr_fail(r->err, TR_USAGE, "the expression of 'kernels': %s", why)
           : st == TR_OK  ? TR_OK
                          : tr_fail_memory(r->err);
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
    struct formulas *f = r->formulas;
    while (f) {
        struct tr_str name = take_until(&list, ',');
        size_t variable = variable_of(&f->names, name);
        if (variable == SIZE_MAX || f->n_params == PARAMS_MAX)
            return tr_fail(r->err, TR_USAGE,
                           variable == SIZE_MAX ? "no variable '%.*s'" : "too many parameters at '%.*s'",
                           (int)(name.len < 60 ? name.len : 60), name.s);
        f->params[f->n_params++] = variable;
        if (!list.len)
            break;
    }
    return TR_OK;
}

/* Note the names of operators inside that a formula asks for. */
static enum tr_status add_asks(struct reading *r, struct tr_str text)
{
    static const char call[] = "inside(";
    struct tr_model *model = r->model;
    const char *at = text.s;
    for (size_t left; (left = text.len - (size_t)(at - text.s)) >= sizeof call; at++) {
        if (!(at = memchr(at, call[0], left - sizeof call + 1)))
            return TR_OK;
        if (memcmp(at, call, sizeof call - 1) != 0)
            continue;
        const char *from = at + sizeof call - 1;
        struct tr_str name = trim((struct tr_str){ from, text.len - (size_t)(from - text.s) });
        const char *end = name.len && name.s[0] == '"' ? memchr(name.s + 1, '"', name.len - 1) : NULL;
        if (!end || model->n_asks == ASKS_MAX)
            return tr_fail(r->err, TR_USAGE, end ? "fewer operators inside are expected"
                                                 : "the name of an operator in quotes is expected after 'inside('");
        name = (struct tr_str){ name.s + 1, (size_t)(end - name.s) - 1 };
        if ((!model->asks && !(model->asks = tr_arena_alloc(r->m->arena, ASKS_MAX * sizeof *model->asks))) ||
            tr_strtab_add(r->m->asked, name.s, name.len) == TR_NO_STR)
            return tr_fail_memory(r->err);
        model->asks[model->n_asks++] = name;
    }
    return TR_OK;
}

static enum tr_status add_formula(struct reading *r, enum line_type type, struct tr_str name, struct tr_str text)
{
    struct formulas *f = r->formulas;
    enum tr_status st = TR_OK;
    if (f && f->n_lines == LINES_MAX)
        return tr_fail(r->err, TR_USAGE, "more than %u formulas in a section", LINES_MAX);
    if (r->heads) {
        r->model->needs_step |= tr_str_has(text, tr_str_of("step."));
        st = add_asks(r, text);
    }
    if (!f || st != TR_OK)
        return st;
    struct line *l = &f->lines[f->n_lines];
    l->type = type;
    st = tr_formula_parse(r->m->arena, text.s, text.len, &f->names, &l->formula, r->err);
    if (st == TR_OK && type == LINE_LET) {
        l->variable = variable_of(&f->names, name);
        if (l->variable != SIZE_MAX && l->variable < N_VARS)
            return tr_fail(r->err, TR_USAGE, "'%.*s' is given by the call", (int)name.len, name.s);
        if (l->variable == SIZE_MAX && f->names.n + 8 > TR_FORMULA_MAX_NAMES)
            return tr_fail(r->err, TR_USAGE, "more than %u variables", TR_FORMULA_MAX_NAMES - 8);
        if (l->variable == SIZE_MAX) {
            l->variable = f->names.n;
            f->names.variables[f->names.n++] = name;
        }
    }
    f->n_lines += st == TR_OK;
    return st;
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

/* A line that is no formula; *is: it is one. */
static enum tr_status read_head(struct reading *r, struct tr_str name, struct tr_str rest, bool *is)
{
    const bool own = tr_str_is(name, "own"), ops = own || tr_str_is(name, "ops"), why = tr_str_is(name, "why");
    *is = ops || why || tr_str_is(name, "kernels") || tr_str_is(name, "source");
    if (!*is || !r->heads)
        return TR_OK;
    if (ops)
        return add_ops(r, rest, own);
    if (tr_str_is(name, "kernels"))
        return add_kernels(r, rest.len && rest.s[0] == '~' ? trim((struct tr_str){ rest.s + 1, rest.len - 1 })
                                                           : tr_str_of(""));
    r->model->why |= why; /* the text of why and source is for those who read it */
    return rest.len ? TR_OK : tr_fail(r->err, TR_USAGE, "a text is expected after '='");
}

/* A line without its comment. */
static enum tr_status read_line(struct reading *r, struct tr_str rest, unsigned number)
{
    if (!rest.len)
        return TR_OK;
    if (rest.s[0] == '[' && rest.s[rest.len - 1] == ']') {
        enum tr_status st = end_section(r);
        return st == TR_OK ? start_model(r, (struct tr_str){ rest.s + 1, rest.len - 2 }, number) : st;
    }
    if (r->heads && !r->model)
        return tr_fail(r->err, TR_USAGE, "a section such as [gemm] is expected first");
    if (take_word(&rest, "when"))
        return add_formula(r, LINE_WHEN, rest, rest);
    bool let = take_word(&rest, "let"), head = false;
    struct tr_str name = take_until(&rest, '=');
    rest = trim(rest);
    if (let && is_name(name))
        return add_formula(r, LINE_LET, name, rest);
    enum tr_status st = let ? TR_OK : read_head(r, name, rest, &head);
    if (head)
        return st;
    if (!let && tr_str_is(name, "param"))
        return add_params(r, rest);
    static const char *const results[] = { "flops", "bytes", "spec" };
    for (unsigned i = 0; !let && i < 3; i++)
        if (tr_str_is(name, results[i]))
            return add_formula(r, (enum line_type)(LINE_FLOPS + i), name, rest);
    return tr_fail(r->err, TR_USAGE,
                   let ? "a name and '=' are expected after 'let'"
                       : "a line begins with ops =, own =, kernels =~, let, when, flops =, bytes =, spec =, param =, "
                         "source = or why =");
}

/* Remove the first line, and what ends it. */
static struct tr_str take_line(struct tr_str *text)
{
    const char *end = memchr(text->s, '\n', text->len);
    const struct tr_str line = { text->s, end ? (size_t)(end - text->s) : text->len };
    text->s += line.len + (end != NULL);
    text->len -= line.len + (end != NULL);
    return line;
}

/* The line of a mistake; err may have the place in its formula. */
static void place_mistake(struct tr_error *err, const char *file, unsigned number)
{
    char within[sizeof err->place];
    memcpy(within, err->place, sizeof within);
    err->place[0] = '\0';
    if (within[0])
        tr_error_place(err, "line %u, formula, %s", number, within);
    else
        tr_error_place(err, "line %u", number);
    tr_error_input(err, file);
}

/* Add the sections of a file, whose name and text stay. */
static enum tr_status read_file(struct tr_models *m, const char *name, struct tr_str text, bool formulas_later,
                                struct tr_error *err)
{
    struct tr_error none = TR_ERROR_INIT;
    struct reading r = {
        .m = m, .file = name, .heads = true, .formulas_later = formulas_later, .err = err ? err : &none
    };
    enum tr_status st = tr_rule_text_check(name, text.s, text.len, r.err);
    unsigned number = 0;
    if (st != TR_OK)
        return st;
    m->mark = tr_mix64(m->mark ^ tr_hash(text.s, text.len), 0x9e3779b97f4a7c15u);
    while (st == TR_OK && text.len) {
        const struct tr_str line = take_line(&text), meant = without_remark(line);
        struct tr_model *before = r.model;
        st = read_line(&r, meant, ++number);
        if (r.model != before)
            r.model->text.s = line.s;
        if (r.model && st == TR_OK && meant.len)
            r.model->text.len = (size_t)(line.s + line.len - r.model->text.s);
    }
    if (st == TR_OK && r.model)
        st = end_section(&r);
    free(r.ops);
    if (st == TR_OK && !r.model) {
        st = tr_fail(r.err, TR_USAGE, "there is no model in it");
        tr_error_input(r.err, name);
    } else if (st == TR_USAGE) {
        place_mistake(r.err, name, number);
    }
    return st;
}

enum tr_status tr_models_read(struct tr_models *m, const char *name, const char *text, size_t len,
                              struct tr_error *err)
{
    const char *own_name = copy_text(m, tr_str_of(name)), *copy = copy_text(m, (struct tr_str){ text, len });
    return own_name && copy ? read_file(m, own_name, (struct tr_str){ copy, len }, false, err) : tr_fail_memory(err);
}

enum tr_status tr_models_read_builtin(struct tr_models *m, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (const struct tr_models_builtin *b = tr_models_builtins; b->name && st == TR_OK; b++)
        st = read_file(m, b->name, tr_str_of(b->text), true, err);
    return st;
}

/* The formulas of a model that were not read before.  With the lock held. */
static enum tr_status read_formulas(const struct tr_model *model, struct tr_error *err)
{
    struct tr_error none = TR_ERROR_INIT;
    struct when_needed *body = model->body;
    struct reading r = { .m = body->models, .formulas = new_formulas(body->models), .err = err ? err : &none };
    struct tr_str text = model->text;
    enum tr_status st = r.formulas ? TR_OK : tr_fail_memory(r.err);
    unsigned number = model->first_line;
    for (take_line(&text); st == TR_OK && text.len;)
        st = read_line(&r, without_remark(take_line(&text)), ++number);
    if (st == TR_USAGE)
        place_mistake(r.err, model->file, number);
    if (st == TR_OK)
        body->formulas = r.formulas;
    return st;
}

/* The formulas of a model, which are read now if they were not before. */
static enum tr_status formulas_of(const struct tr_model *model, const struct formulas **out, struct tr_error *err)
{
    struct when_needed *body = model->body;
    pthread_mutex_lock(&body->models->lock);
    enum tr_status st = body->formulas ? TR_OK : read_formulas(model, err);
    *out = body->formulas;
    pthread_mutex_unlock(&body->models->lock);
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
static bool read_concrete(struct tr_formula_run *run, struct tr_value *list)
{
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
static void apply_lines(const struct formulas *f, struct tr_formula_run *run, struct tr_model_result *out)
{
    out->known = true;
    for (size_t i = 0; i < f->n_lines && out->known; i++) {
        const struct line *l = &f->lines[i];
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
    const struct formulas *f;
    *out = (struct tr_model_result){ .known = false };
    enum tr_status st = formulas_of(model, &f, err);
    if (st != TR_OK)
        return st;
    struct tr_formula_run *run = calloc(1, sizeof *run);
    struct tr_value calls = tr_value_none();
    bool ok = run && (run->arena = tr_arena_new(4096)) && read_args(args, run) &&
              read_concrete(run, &run->variables[VAR_ARG]) && tr_value_read(run->arena, args->inside, &calls);
    if (run)
        run->self = &calls;
    if (ok && args->dims.s)
        apply_lines(f, run, out);
    out->known = out->known && (out->has_flops || out->has_bytes);
    ok = ok && !run->no_memory && (!params || tr_buf_add(params, "{", 1));
    for (size_t i = 0; ok && params && out->known && i < f->n_params; i++) {
        const struct tr_value name = tr_value_text(f->names.variables[f->params[i]]);
        ok = (!i || tr_buf_add(params, ",", 1)) && tr_value_print(&name, params) && tr_buf_add(params, ":", 1) &&
             tr_value_print(&run->variables[f->params[i]], params);
    }
    ok = ok && (!params || tr_buf_add(params, "}", 1));
    if (run)
        tr_arena_free(run->arena);
    free(run);
    return ok ? TR_OK : tr_fail_memory(err);
}
