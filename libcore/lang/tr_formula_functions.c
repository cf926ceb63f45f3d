/* SPDX-License-Identifier: MIT */
/* Formulas: arithmetic, comparisons and functions. */
#include "lang/tr_formula_int.h"

#include "base/tr_regex.h"

#include <math.h>
#include <string.h>

const struct tr__fbuiltin_name tr__fbuiltins[TR__N_FB] = {
    [TR__FB_LEN] = { "len", 1, 1 },         [TR__FB_PROD] = { "prod", 1, 1 },   [TR__FB_SUM] = { "sum", 1, 1 },
    [TR__FB_MIN] = { "min", 1, 8 },         [TR__FB_MAX] = { "max", 1, 8 },     [TR__FB_FLOOR] = { "floor", 1, 1 },
    [TR__FB_CEIL] = { "ceil", 1, 1 },       [TR__FB_IF] = { "if", 3, 3 },       [TR__FB_DEFAULT] = { "default", 2, 2 },
    [TR__FB_HAS] = { "has", 1, 1 },         [TR__FB_TYPE] = { "type", 1, 1 },   [TR__FB_SLICE] = { "slice", 2, 3 },
    [TR__FB_BROADCAST] = { "broadcast", 2, 2 }, [TR__FB_MATCH] = { "match", 2, 2 },
    [TR__FB_POW] = { "pow", 2, 2 },         [TR__FB_FLAT] = { "flat", 1, 1 },
};

/* ---- numbers ---- */

static bool is_whole(const struct tr_value *v)
{
    return v->type == TR_VALUE_INT || v->type == TR_VALUE_BOOL;
}

/* The result as a whole number.  False: it does not fit, or there is a remainder. */
static bool whole(enum tr__fop op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case TR__F_ADD:
        if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
            return false;
        *out = a + b;
        return true;
    case TR__F_SUB:
        if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b)
            return false;
        *out = a - b;
        return true;
    case TR__F_MUL:
        if (a && b && (a == INT64_MIN || b == INT64_MIN || (a < 0 ? -a : a) > INT64_MAX / (b < 0 ? -b : b)))
            return false;
        *out = a * b;
        return true;
    case TR__F_DIV:
    case TR__F_MOD:
        if (!b || (a == INT64_MIN && b == -1) || (op == TR__F_DIV && a % b))
            return false;
        *out = op == TR__F_DIV ? a / b : a % b;
        return true;
    default:
        return false;
    }
}

static struct tr_value arithmetic(enum tr__fop op, const struct tr_value *a, const struct tr_value *b)
{
    double x, y;
    int64_t i;
    if (is_whole(a) && is_whole(b) && whole(op, a->of.i, b->of.i, &i))
        return tr_value_int(i);
    if (!tr_value_number(a, &x) || !tr_value_number(b, &y))
        return tr_value_none();
    switch (op) {
    case TR__F_ADD:
        return tr_value_real(x + y);
    case TR__F_SUB:
        return tr_value_real(x - y);
    case TR__F_MUL:
        return tr_value_real(x * y);
    case TR__F_DIV:
        return y != 0 ? tr_value_real(x / y) : tr_value_none();
    default:
        return tr_value_none();
    }
}

/* ---- comparisons ---- */

/* Are they equal?  *known: they can be compared. */
static bool equal(const struct tr_value *a, const struct tr_value *b, bool *known)
{
    double x, y;
    bool same = true;
    *known = true;
    if (is_whole(a) && is_whole(b))
        return a->of.i == b->of.i;
    if (tr_value_number(a, &x) && tr_value_number(b, &y))
        return x == y; /* NOLINT: an exact comparison is meant */
    if (a->type == TR_VALUE_TEXT && b->type == TR_VALUE_TEXT)
        return a->n == b->n && memcmp(a->of.s, b->of.s, a->n) == 0;
    if (a->type != TR_VALUE_LIST || b->type != TR_VALUE_LIST)
        return false;
    same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = equal(&a->of.items[i], &b->of.items[i], known);
    return same;
}

static struct tr_value compare(enum tr__fop op, const struct tr_value *a, const struct tr_value *b)
{
    bool known, same = equal(a, b, &known);
    double x, y;
    if (op == TR__F_EQ || op == TR__F_NE)
        return tr_value_bool(same == (op == TR__F_EQ));
    if (!tr_value_number(a, &x) || !tr_value_number(b, &y))
        return tr_value_none();
    bool less = is_whole(a) && is_whole(b) ? a->of.i < b->of.i : x < y;
    if (op == TR__F_LT || op == TR__F_GE)
        return tr_value_bool(less == (op == TR__F_LT));
    return tr_value_bool((less || same) == (op == TR__F_LE));
}

/* ---- texts and lists joined ---- */

static struct tr_value join(struct tr_formula_run *run, const struct tr_value *a, const struct tr_value *b)
{
    struct tr_value out = tr_value_none();
    if (a->n + b->n > TR_VALUE_MAX_ITEMS)
        return out;
    if (a->type == TR_VALUE_TEXT) {
        run->steps += (unsigned)((a->n + b->n) / 64);
        char *text = tr_arena_alloc(run->arena, a->n + b->n + 1);
        run->no_memory |= !text;
        if (!text)
            return out;
        memcpy(text, a->of.s, a->n);
        memcpy(text + a->n, b->of.s, b->n);
        text[a->n + b->n] = '\0';
        return tr_value_text((struct tr_str){ text, a->n + b->n });
    }
    struct tr_value *items = tr_formula_room(run, a->n + b->n);
    if (!items)
        return out;
    for (size_t i = 0; i < a->n + b->n; i++)
        items[i] = i < a->n ? a->of.items[i] : b->of.items[i - a->n];
    return (struct tr_value){ TR_VALUE_LIST, a->n + b->n, { .items = items } };
}

struct tr_value tr__formula_binary(struct tr_formula_run *run, enum tr__fop op, const struct tr_value *a,
                                   const struct tr_value *b)
{
    if (op >= TR__F_EQ && op <= TR__F_GE)
        return compare(op, a, b);
    if (op == TR__F_ADD && a->type == b->type && (a->type == TR_VALUE_TEXT || a->type == TR_VALUE_LIST))
        return join(run, a, b);
    return arithmetic(op, a, b);
}

/* ---- functions ---- */

/* The product, sum, minimum or maximum of a list, or of the arguments. */
static struct tr_value fold(enum tr__fbuiltin f, const struct tr_value *x, size_t n)
{
    struct tr_value out = f == TR__FB_PROD ? tr_value_int(1) : f == TR__FB_SUM ? tr_value_int(0) : tr_value_none();
    double a, b;
    for (size_t i = 0; i < n; i++) {
        if (!tr_value_number(&x[i], &a))
            return tr_value_none();
        if (f == TR__FB_PROD || f == TR__FB_SUM)
            out = arithmetic(f == TR__FB_PROD ? TR__F_MUL : TR__F_ADD, &out, &x[i]);
        else if (!tr_value_number(&out, &b) || (f == TR__FB_MIN ? a < b : a > b))
            out = x[i];
    }
    return out;
}

static struct tr_value rounded(enum tr__fbuiltin f, const struct tr_value *x)
{
    double r;
    if (is_whole(x) || !tr_value_number(x, &r))
        return is_whole(x) ? tr_value_int(x->of.i) : tr_value_none();
    r = f == TR__FB_FLOOR ? floor(r) : ceil(r);
    return fabs(r) < 9e18 ? tr_value_int((int64_t)r) : tr_value_real(r);
}

/* Absent if the result is not a number, or too large. */
static struct tr_value power(const struct tr_value *a, const struct tr_value *b)
{
    double x, y;
    if (!tr_value_number(a, &x) || !tr_value_number(b, &y))
        return tr_value_none();
    x = pow(x, y);
    return isfinite(x) ? tr_value_real(x) : tr_value_none();
}

/* The items from `from' to before `end'.  Negative numbers count from the end. */
static struct tr_value slice(const struct tr_value *args, size_t n)
{
    struct tr_value out = args[0];
    if (out.type != TR_VALUE_LIST || args[1].type != TR_VALUE_INT || (n > 2 && args[2].type != TR_VALUE_INT))
        return tr_value_none();
    int64_t len = (int64_t)out.n, from = args[1].of.i, to = n > 2 ? args[2].of.i : len;
    from = from < 0 ? from + len : from;
    to = to < 0 ? to + len : to > len ? len : to;
    if (from < 0 || from > to)
        return tr_value_none();
    out.of.items += from;
    out.n = (size_t)(to - from);
    return out;
}

/* The shape that two shapes broadcast to; absent if they do not match. */
static struct tr_value broadcast(struct tr_formula_run *run, const struct tr_value *a, const struct tr_value *b)
{
    const struct tr_value *x = a->n >= b->n ? a : b, *y = x == a ? b : a;
    struct tr_value *items;
    if (a->type != TR_VALUE_LIST || b->type != TR_VALUE_LIST || !(items = tr_formula_room(run, x->n)))
        return tr_value_none();
    size_t more = x->n - y->n;
    for (size_t i = 0; i < x->n; i++) {
        items[i] = x->of.items[i];
        if (i < more)
            continue;
        const struct tr_value *p = &x->of.items[i], *q = &y->of.items[i - more];
        if (p->type != TR_VALUE_INT || q->type != TR_VALUE_INT ||
            (p->of.i != q->of.i && p->of.i != 1 && q->of.i != 1))
            return tr_value_none();
        items[i] = p->of.i == 1 ? *q : *p;
    }
    return (struct tr_value){ TR_VALUE_LIST, x->n, { .items = items } };
}

static struct tr_value match(struct tr_formula_run *run, const struct tr_value *text, const struct tr_value *pattern)
{
    char why[TR_REGEX_WHY];
    struct tr_regex *re = NULL;
    struct tr_value out = tr_value_none();
    if (text->type != TR_VALUE_TEXT || pattern->type != TR_VALUE_TEXT)
        return out;
    enum tr_status st = tr_regex_compile(&re, pattern->of.s, false, why);
    run->no_memory |= st == TR_SYSTEM;
    if (st == TR_OK)
        out = tr_value_bool(tr_regex_has(re, (struct tr_str){ text->of.s, text->n }));
    tr_regex_free(re);
    return out;
}

/* One list of the items of all lists in a list. */
static struct tr_value flat(struct tr_formula_run *run, const struct tr_value *lists)
{
    size_t n = 0;
    for (size_t i = 0; lists->type == TR_VALUE_LIST && i < lists->n; i++) {
        if (lists->of.items[i].type != TR_VALUE_LIST)
            return tr_value_none();
        n += lists->of.items[i].n;
    }
    struct tr_value *items = lists->type == TR_VALUE_LIST ? tr_formula_room(run, n) : NULL;
    if (!items)
        return tr_value_none();
    size_t at = 0;
    for (size_t i = 0; i < lists->n; i++)
        for (size_t k = 0; k < lists->of.items[i].n; k++)
            items[at++] = lists->of.items[i].of.items[k];
    return (struct tr_value){ TR_VALUE_LIST, n, { .items = items } };
}

struct tr_value tr__formula_builtin(struct tr_formula_run *run, enum tr__fbuiltin f, const struct tr_value *args,
                                    size_t n)
{
    bool list = n == 1 && args[0].type == TR_VALUE_LIST;
    run->steps += (unsigned)(list ? args[0].n / 8 : 0);
    switch (f) {
    case TR__FB_LEN:
        return list || args[0].type == TR_VALUE_TEXT ? tr_value_int((int64_t)args[0].n) : tr_value_none();
    case TR__FB_PROD:
    case TR__FB_SUM:
        return list ? fold(f, args[0].of.items, args[0].n) : tr_value_none();
    case TR__FB_MIN:
    case TR__FB_MAX:
        return list ? fold(f, args[0].of.items, args[0].n) : fold(f, args, n);
    case TR__FB_FLOOR:
    case TR__FB_CEIL:
        return rounded(f, &args[0]);
    case TR__FB_SLICE:
        return slice(args, n);
    case TR__FB_BROADCAST:
        return broadcast(run, &args[0], &args[1]);
    case TR__FB_POW:
        return power(&args[0], &args[1]);
    case TR__FB_MATCH:
        return match(run, &args[0], &args[1]);
    case TR__FB_FLAT:
        return flat(run, &args[0]);
    default:
        return tr_value_none();
    }
}

struct tr_value *tr_formula_room(struct tr_formula_run *run, size_t n)
{
    struct tr_value *room = NULL;
    run->steps += n < TR_FORMULA_MAX_STEPS ? (unsigned)n / 4 : TR_FORMULA_MAX_STEPS;
    if (run->steps < TR_FORMULA_MAX_STEPS) {
        room = tr_arena_alloc(run->arena, (n ? n : 1) * sizeof *room);
        run->no_memory |= !room;
    }
    return room;
}
