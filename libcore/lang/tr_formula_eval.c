/* SPDX-License-Identifier: MIT */
/* Formulas: the tree evaluated. */
#include "lang/tr_formula_int.h"

struct tr_value tr__formula_item(const struct tr_value *list, const struct tr_value *i)
{
    if (list->type != TR_VALUE_LIST || i->type != TR_VALUE_INT)
        return tr_value_none();
    int64_t n = (int64_t)list->n, at = i->of.i < 0 ? i->of.i + n : i->of.i;
    return at >= 0 && at < n ? list->of.items[at] : tr_value_none();
}

/* Is a condition true?  False also if it is not a truth value.  *known: it is one. */
static bool is_true(const struct tr_value *v, bool *known)
{
    *known = v->type == TR_VALUE_BOOL || v->type == TR_VALUE_INT;
    return *known && v->of.i;
}

static struct tr_value eval_logic(const struct tr_formula *f, struct tr_formula_run *run)
{
    bool known, first, and_ = f->op == TR__F_AND;
    struct tr_value a = tr_formula_eval(f->child, run);
    first = is_true(&a, &known);
    if (!known)
        return tr_value_none();
    if (first != and_)
        return tr_value_bool(first);
    a = tr_formula_eval(f->child->next, run);
    first = is_true(&a, &known);
    return known ? tr_value_bool(first) : tr_value_none();
}

static struct tr_value eval_map(const struct tr_formula *f, struct tr_formula_run *run)
{
    struct tr_value x = tr_formula_eval(f->child, run), y = tr_value_none(), out = tr_value_none();
    const struct tr_formula *body = f->child->next;
    if (f->op == TR__F_ZIP) {
        y = tr_formula_eval(f->child->next, run);
        body = body->next;
        if (y.type != TR_VALUE_LIST || x.type != TR_VALUE_LIST || x.n != y.n)
            return out;
    }
    struct tr_value *items = x.type == TR_VALUE_LIST ? tr_formula_room(run, x.n) : NULL;
    if (!items)
        return out;
    for (size_t i = 0; i < x.n; i++) {
        run->variables[f->first] = x.of.items[i];
        if (f->op == TR__F_ZIP)
            run->variables[f->first + 1] = y.of.items[i];
        items[i] = tr_formula_eval(body, run);
        if (items[i].type == TR_VALUE_ABSENT)
            return out;
    }
    out.type = TR_VALUE_LIST;
    out.n = x.n;
    out.of.items = items;
    return out;
}

/* Functions that accept absent arguments, or do not evaluate one of them.  False: it is another function. */
static bool eval_lazy(const struct tr_formula *f, struct tr_formula_run *run, struct tr_value *out)
{
    if (f->op != TR__F_BUILTIN || f->builtin < TR__FB_IF || f->builtin > TR__FB_TYPE)
        return false;
    struct tr_value x = tr_formula_eval(f->child, run);
    bool known, yes = is_true(&x, &known);
    switch (f->builtin) {
    case TR__FB_IF:
        *out = tr_value_none();
        if (known)
            *out = tr_formula_eval(yes ? f->child->next : f->child->next->next, run);
        return true;
    case TR__FB_DEFAULT:
        *out = x.type == TR_VALUE_ABSENT ? tr_formula_eval(f->child->next, run) : x;
        return true;
    case TR__FB_HAS:
        *out = tr_value_bool(x.type != TR_VALUE_ABSENT);
        return true;
    default:
        *out = tr_value_text(tr_str_of(tr_value_type_name(x.type)));
        return true;
    }
}

/* All operands are evaluated first; absent if one of them is. */
static struct tr_value eval_strict(const struct tr_formula *f, struct tr_formula_run *run)
{
    struct tr_value few[4], *args = f->n <= 4 ? few : tr_formula_room(run, f->n), out = tr_value_none();
    size_t n = 0;
    if (!args)
        return out;
    for (const struct tr_formula *c = f->child; c; c = c->next) {
        args[n] = tr_formula_eval(c, run);
        if (args[n++].type == TR_VALUE_ABSENT)
            return out;
    }
    if (f->op == TR__F_CALL)
        return f->own->call(run, args);
    if (f->op == TR__F_BUILTIN)
        return tr__formula_builtin(run, f->builtin, args, n);
    if (f->op == TR__F_INDEX)
        return tr__formula_item(&args[0], &args[1]);
    if (f->op == TR__F_LIST) {
        struct tr_value *items = tr_formula_room(run, n);
        for (size_t i = 0; items && i < n; i++)
            items[i] = args[i];
        return items ? (struct tr_value){ TR_VALUE_LIST, n, { .items = items } } : out;
    }
    if (f->op == TR__F_NOT)
        return args[0].type == TR_VALUE_BOOL ? tr_value_bool(!args[0].of.i) : out;
    if (f->op == TR__F_NEG) {
        const struct tr_value zero = tr_value_int(0);
        return tr__formula_binary(run, TR__F_SUB, &zero, &args[0]);
    }
    return tr__formula_binary(run, f->op, &args[0], &args[1]);
}

struct tr_value tr_formula_eval(const struct tr_formula *f, struct tr_formula_run *run)
{
    struct tr_value out = tr_value_none();
    if (run->steps >= TR_FORMULA_MAX_STEPS)
        return out;
    run->steps++;
    switch (f->op) {
    case TR__F_VALUE:
        return f->value;
    case TR__F_VARIABLE:
        return run->variables[f->first];
    case TR__F_AND:
    case TR__F_OR:
        return eval_logic(f, run);
    case TR__F_MAP:
    case TR__F_ZIP:
        return eval_map(f, run);
    default:
        return eval_lazy(f, run, &out) ? out : eval_strict(f, run);
    }
}
