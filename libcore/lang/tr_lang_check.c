/* SPDX-License-Identifier: MIT */
/* Checks names and their types, makes a set of values from the right side of an operator, and reports type errors. */
#include "lang/tr_lang_int.h"

#include "base/tr_near.h"
#include "base/tr_regex.h"
#include "base/tr_sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct tr_lang_name *name_of(const struct tr__parser *p, const struct tr__leaf *leaf)
{
    return &p->names->v[leaf->of.name];
}

/* The first n bytes of a name with points are its group: does this name belong to it? */
static bool in_group(const char *name, const char *group, size_t n)
{
    return name && strncmp(name, group, n) == 0 && name[n] == '.';
}

/*
 * The group that text names, and its length without the unit that tables print after a time: step_time of
 * step_time_us.diff.  0: there is none.
 */
static size_t group_of(const struct tr_lang_names *names, const char *text)
{
    static const char *const units[] = { "", "_ns", "_us", "_ms", "_s" };
    size_t len = strcspn(text, ".");
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t n = strlen(units[u]);
        if (n >= len || memcmp(text + len - n, units[u], n) != 0)
            continue;
        for (size_t i = 0; i < names->n; i++)
            if (in_group(names->v[i].name, text, len - n) && (n == 0 || names->v[i].type == TR_LANG_TIME))
                return len - n;
    }
    return 0;
}

/*
 * List the possible names: those of the group that text names, or all names, with a group as group.*.  Returns the
 * length, or size or more if the list does not fit.
 */
static size_t list_names(const struct tr_lang_names *names, const char *text, char *list, size_t size)
{
    size_t group = names->plain ? group_of(names, text) : 0, n = 0;
    for (size_t i = 0; i < names->n && n < size; i++) {
        const char *name = names->v[i].name, *before = i ? names->v[i - 1].name : NULL;
        size_t len = name && names->plain ? strcspn(name, ".") : 0;
        bool grouped = name && len && name[len];
        if (!name || i == names->args || (group && !in_group(name, text, group)))
            continue;
        if (group || !grouped)
            n += (size_t)snprintf(list + n, size - n, "%s%s", n ? " " : "", name);
        else if (!before || !in_group(before, name, len))
            n += (size_t)snprintf(list + n, size - n, "%s%.*s.*", n ? " " : "", (int)len, name);
    }
    return n;
}

/* A word without a comparison is most likely part of a name: how to write that.  Else the name that is near, or "". */
static const char *suggest(const struct tr__parser *p, const struct tr__token *t, char out[128])
{
    const char *word = p->text + t->at, *next = word + t->len;
    bool named = false;
    for (size_t i = 0; i < p->names->n; i++)
        named |= p->names->v[i].name && strcmp(p->names->v[i].name, "name") == 0;
    next += strspn(next, " \t\n");
    bool compared =
        (*next && strchr("=!<>", *next)) || (strncmp(next, "in", 2) == 0 && strcspn(next + 2, " (\t\n") == 0);
    int len = (int)strcspn(word, " \t\n()&|\"\\");
    bool in_has = t->at >= 4 && strncmp(word - 4, "has(", 4) == 0;
    *out = '\0';
    if (named && p->names->args != TR_LANG_NO_ARGS && !compared && !in_has && len <= 60) {
        snprintf(out, 128, " (by name: name =~ \"%.*s\")", len, word);
        return out;
    }
    struct tr_near near = { .word = t->text, .len = strlen(t->text) };
    for (size_t i = 0; i < p->names->n && !(p->names->plain && group_of(p->names, t->text)); i++)
        if (p->names->v[i].name && i != p->names->args)
            tr_near_try(&near, p->names->v[i].name);
    return tr_near_text(&near, out);
}

static bool unknown_name(struct tr__parser *p, const struct tr__token *t)
{
    const struct tr_lang_names *names = p->names;
    bool args = names->args != TR_LANG_NO_ARGS;
    char list[900] = "", match[128];
    if (args && strcmp(t->text, "args") == 0)
        return tr__lang_fail_at(p, t->at, "args needs the name of an argument: args.bytes, args.\"External id\"");
    suggest(p, t, match);
    if (list_names(names, t->text, list, sizeof list) >= sizeof list)
        return tr__lang_fail_at(p, t->at, "no %s '%.60s'%s", names->kind, t->text, match);
    return tr__lang_fail_at(p, t->at, "no %s '%.60s'%s: there are %s%s", names->kind, t->text,
                            match, list, args ? " args.KEY" : "");
}

bool tr__lang_find_name(struct tr__parser *p, const struct tr__token *t, size_t *name)
{
    const struct tr_lang_names *names = p->names;
    *name = names->args;
    if (t->type == TR__T_ARGS)
        return true;
    if (t->type != TR__T_WORD)
        return tr__lang_fail_at(p, t->at, "a %s is expected here", names->kind);
    for (*name = 0; *name < names->n; ++*name)
        if (*name != names->args && names->v[*name].name && strcmp(names->v[*name].name, t->text) == 0)
            return true;
    size_t group = names->plain ? group_of(names, t->text) : 0;
    const char *rest = t->text + strcspn(t->text, ".");
    for (*name = 0; group && *name < names->n; ++*name)
        if (in_group(names->v[*name].name, t->text, group) && strcmp(names->v[*name].name + group, rest) == 0)
            return true;
    return unknown_name(p, t);
}

static bool set_name(struct tr__parser *p, const struct tr__token *t, struct tr__side *side)
{
    if (t->type == TR__T_ARGS)
        side->key = (struct tr_str){ t->text, t->text_len };
    side->count = t->count;
    return tr__lang_find_name(p, t, &side->name);
}

/* --- values ----------------------------------------------------------------------------------- */

static bool is_text(const struct tr__token *v)
{
    return v->type == TR__T_STRING || v->type == TR__T_WORD;
}

/* Can this value be compared with this name? */
static bool check_value(struct tr__parser *p, const struct tr_lang_name *of, const struct tr__token *v)
{
    const char *name = of->name;
    switch (of->type) {
    case TR_LANG_TEXT:
    case TR_LANG_LIST:
        return is_text(v) || tr__lang_fail_at(p, v->at, "%s is a text: put this in quotes", name);
    case TR_LANG_ENUM:
        return is_text(v) ||
               tr__lang_fail_at(p, v->at, "%s is compared with words, not numbers", name);
    case TR_LANG_TIME:
        if (v->type == TR__T_NUMBER && (v->unit == TR__U_TIME || (!v->unit && !v->num.n)))
            return true;
        if (v->type == TR__T_NUMBER && !v->unit)
            return tr__lang_fail_at(p, v->at, "%s is a time and needs a unit: %.*sus, or ns, ms, s",
                                    name, v->len > 40 ? 40 : (int)v->len, p->text + v->at);
        return tr__lang_fail_at(p, v->at, "%s is a time: a number with ns, us, ms or s", name);
    case TR_LANG_INT:
        return (v->type == TR__T_NUMBER && !v->unit) ||
               tr__lang_fail_at(p, v->at, "%s is a plain number", name);
    case TR_LANG_ANY:
        return (v->unit != TR__U_TIME && v->unit != TR__U_PCT) ||
               tr__lang_fail_at(p, v->at,
                                "the unit of this value is not known: write the number as it "
                                "stands in the trace");
    case TR_LANG_PCT:
        return (v->type == TR__T_NUMBER && (!v->unit || v->unit == TR__U_PCT)) ||
               tr__lang_fail_at(p, v->at, "%s is a percentage: a number, with or without %%", name);
    }
    return false;
}

static struct tr__span *new_span(struct tr__set *s)
{
    struct tr__span *r = &s->spans[s->n_spans++];
    memset(r, 0, sizeof *r);
    return r;
}

static void add_point(struct tr__set *s, const struct tr__num *v, bool text)
{
    struct tr__span *r = new_span(s);
    r->lo = r->hi = *v;
    r->has_lo = r->has_hi = true;
    r->from_text = text;
}

/* Add one value to the set, which has room for it. */
static bool add_value(struct tr__parser *p, struct tr__leaf *leaf, const struct tr__token *v)
{
    struct tr__set *s = &leaf->set;
    if (!check_value(p, name_of(p, leaf), v))
        return false;
    if (v->type == TR__T_NUMBER) {
        add_point(s, &v->num, false);
        return true;
    }
    s->texts[s->n_texts++] = (struct tr_str){ v->text, v->text_len };
    if (name_of(p, leaf)->type == TR_LANG_ANY) {
        struct tr__num n;
        s->with_true |= v->type == TR__T_WORD && strcmp(v->text, "true") == 0;
        s->with_false |= v->type == TR__T_WORD && strcmp(v->text, "false") == 0;
        if (tr__num_parse(v->text, v->text_len, &n))
            add_point(s, &n, true);
    }
    return true;
}

static bool add_range(struct tr__parser *p, struct tr__leaf *leaf, const struct tr__item *it)
{
    if (it->lo.type != TR__T_NUMBER || it->hi.type != TR__T_NUMBER)
        return tr__lang_fail_at(p, it->lo.type != TR__T_NUMBER ? it->lo.at : it->hi.at,
                                "a range goes from a number to a number");
    if (!check_value(p, name_of(p, leaf), &it->lo) || !check_value(p, name_of(p, leaf), &it->hi))
        return false;
    if (tr__num_cmp(&it->lo.num, &it->hi.num) > 0)
        return tr__lang_fail_at(p, it->hi.at, "this range ends before it begins");
    struct tr__span *r = new_span(&leaf->set);
    r->lo = it->lo.num;
    r->hi = it->hi.num;
    r->has_lo = r->has_hi = true;
    return true;
}

static bool add_bound(struct tr__parser *p, struct tr__leaf *leaf, enum tr__tok op,
                      const struct tr__token *v)
{
    enum tr_lang_type cls = name_of(p, leaf)->type;
    if (cls == TR_LANG_TEXT || cls == TR_LANG_LIST || cls == TR_LANG_ENUM)
        return tr__lang_fail_at(p, v->at, "%s has no order: use ==, !=, =~, !~ or in",
                                name_of(p, leaf)->name);
    if (!check_value(p, name_of(p, leaf), v))
        return false;
    if (v->type != TR__T_NUMBER)
        return tr__lang_fail_at(p, v->at, "only numbers have an order");
    struct tr__span *r = new_span(&leaf->set);
    r->lo = r->hi = v->num;
    r->has_lo = op == TR__T_GT || op == TR__T_GE;
    r->has_hi = !r->has_lo;
    r->lo_open = op == TR__T_GT;
    r->hi_open = op == TR__T_LT;
    return true;
}

static bool add_regex(struct tr__parser *p, struct tr__leaf *leaf, const struct tr__token *v, bool any_case)
{
    enum tr_lang_type cls = name_of(p, leaf)->type;
    if (cls == TR_LANG_TIME || cls == TR_LANG_INT || cls == TR_LANG_PCT)
        return tr__lang_fail_at(p, v->at, "%s is not a text: a regular expression cannot match it",
                                name_of(p, leaf)->name);
    if (!is_text(v))
        return tr__lang_fail_at(p, v->at, "a regular expression in quotes is expected here");
    if (strlen(v->text) != v->text_len)
        return tr__lang_fail_at(p, v->at, "a regular expression cannot hold a zero byte");
    char why[TR_REGEX_WHY];
    enum tr_status st = tr_regex_compile(&leaf->set.re, v->text, any_case, why);
    if (st != TR_OK)
        return st == TR_SYSTEM ? tr__lang_fail_mem(p) : tr__lang_fail_at(p, v->at, "not a regular expression: %s", why);
    return true;
}

/* --- sets ------------------------------------------------------------------------------------- */

/* The integers in a span; false: none. */
static bool span_ints(const struct tr__span *r, struct tr__irange *out)
{
    bool exact;
    int cut;
    *out = (struct tr__irange){ INT64_MIN, INT64_MAX };
    if (r->has_lo) {
        out->lo = tr__num_floor(&r->lo, &exact, &cut);
        if (cut > 0)
            return false;
        if (cut == 0 && (!exact || r->lo_open)) {
            if (out->lo == INT64_MAX)
                return false;
            out->lo++;
        }
    }
    if (r->has_hi) {
        out->hi = tr__num_floor(&r->hi, &exact, &cut);
        if (cut < 0)
            return false;
        if (cut == 0 && exact && r->hi_open) {
            if (out->hi == INT64_MIN)
                return false;
            out->hi--;
        }
    }
    return out->lo <= out->hi;
}

TR_ORDER(by_lo, struct tr__irange, TR_UP(lo))

static void finish_numbers(struct tr__set *s)
{
    for (size_t i = 0; i < s->n_spans; i++) {
        struct tr__span *r = &s->spans[i];
        r->lo_double = tr__num_double(&r->lo);
        r->hi_double = tr__num_double(&r->hi);
        if (span_ints(r, &s->ints[s->n_ints]))
            s->n_ints++;
    }
    if (!s->n_ints)
        return;
    qsort(s->ints, s->n_ints, sizeof *s->ints, by_lo);
    size_t n = 0;
    for (size_t i = 1; i < s->n_ints; i++) {
        if (s->ints[n].hi == INT64_MAX || s->ints[i].lo <= s->ints[n].hi + 1) {
            if (s->ints[i].hi > s->ints[n].hi)
                s->ints[n].hi = s->ints[i].hi;
        } else {
            s->ints[++n] = s->ints[i];
        }
    }
    s->n_ints = n + 1;
}

static bool make_room(struct tr__parser *p, struct tr__set *s, const struct tr__item *items)
{
    size_t n = 0;
    for (; items; items = items->next)
        n++;
    s->spans = tr_arena_alloc(p->l->arena, n * sizeof *s->spans);
    s->ints = tr_arena_alloc(p->l->arena, n * sizeof *s->ints);
    s->texts = tr_arena_alloc(p->l->arena, n * sizeof *s->texts);
    return (s->spans && s->ints && s->texts) || tr__lang_fail_mem(p);
}

/* --- words ------------------------------------------------------------------------------------ */

/* Is the word one of the name's? */
static bool check_word(struct tr__parser *p, const struct tr_lang_name *of, const struct tr__token *v)
{
    char list[320] = "";
    for (unsigned i = of->first_word; i < of->n_words; i++) {
        if (strcmp(of->word(i), v->text) == 0)
            return true;
        size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", i > of->first_word ? ", " : "", of->word(i));
    }
    for (unsigned i = 0; i < of->first_word; i++)
        if (of->word(i) && strcmp(of->word(i), v->text) == 0)
            return tr__lang_fail_at(p, v->at, "'%s' means that there is no %s: ask with !has(%s)", v->text, of->name,
                                    of->name);
    return tr__lang_fail_at(p, v->at, "no %s '%.40s': there are %s", of->name, v->text, list);
}

static void fill_table(const struct tr_lang_name *of, struct tr__leaf *leaf)
{
    for (unsigned i = of->first_word; i < of->n_words; i++)
        leaf->table[i] = tr__set_has_text(&leaf->set, of->word(i), strlen(of->word(i))) != leaf->negate;
}

static bool add_items(struct tr__parser *p, const struct tr__token *op,
                      const struct tr__item *items, struct tr__leaf *leaf)
{
    switch (op->type) {
    case TR__T_LT:
    case TR__T_LE:
    case TR__T_GT:
    case TR__T_GE:
        return add_bound(p, leaf, op->type, &items->lo);
    case TR__T_MATCH:
    case TR__T_NO_MATCH:
        return add_regex(p, leaf, &items->lo, op->any_case);
    default:
        break;
    }
    for (; items; items = items->next) {
        if (items->is_range ? !add_range(p, leaf, items) : !add_value(p, leaf, &items->lo))
            return false;
        if (name_of(p, leaf)->type == TR_LANG_ENUM &&
            !check_word(p, name_of(p, leaf), &items->lo))
            return false;
    }
    return true;
}

bool tr__lang_check_leaf(struct tr__parser *p, const struct tr__token *name,
                         const struct tr__token *op, const struct tr__item *items,
                         struct tr__leaf *leaf)
{
    if (!set_name(p, name, &leaf->of))
        return false;
    leaf->negate = op->type == TR__T_NE || op->type == TR__T_NO_MATCH;
    if (!make_room(p, &leaf->set, items) || !add_items(p, op, items, leaf))
        return false;
    finish_numbers(&leaf->set);
    if (name_of(p, leaf)->type == TR_LANG_ENUM)
        fill_table(name_of(p, leaf), leaf);
    return true;
}

/* ---- two named values ---- */

static bool is_known(struct tr__parser *p, const struct tr__token *t)
{
    for (size_t i = 0; i < p->names->n; i++)
        if (i != p->names->args && p->names->v[i].name && strcmp(p->names->v[i].name, t->text) == 0)
            return true;
    return false;
}

/*
 * A word is a name only where a text makes no sense, so `cat == kernel' compares with a text, whatever the names are.
 */
bool tr__lang_is_side(struct tr__parser *p, size_t name, const struct tr__token *op)
{
    bool order = op->type >= TR__T_LT && op->type <= TR__T_GE;
    enum tr_lang_type type = p->names->v[name].type;
    if (p->names->args == TR_LANG_NO_ARGS || op->type > TR__T_GE)
        return false;
    if (p->tok.type == TR__T_ARGS)
        return true;
    if (p->tok.type != TR__T_WORD || !is_known(p, &p->tok))
        return false;
    return type == TR_LANG_TIME || type == TR_LANG_INT || (type == TR_LANG_ANY && order);
}

enum value_class { A_TEXT, A_NUMBER, A_TIME, ANYTHING };

static enum value_class class_of(enum tr_lang_type type)
{
    return type == TR_LANG_TIME ? A_TIME : type == TR_LANG_INT ? A_NUMBER : type == TR_LANG_ANY ? ANYTHING : A_TEXT;
}

bool tr__lang_check_pair(struct tr__parser *p, const struct tr__token *name, const struct tr__token *op,
                         const struct tr__token *other, struct tr__leaf *leaf)
{
    static const unsigned orders[] = { [TR__T_EQ] = TR__EQUAL, [TR__T_NE] = TR__LESS | TR__GREATER,
                                       [TR__T_LT] = TR__LESS, [TR__T_LE] = TR__LESS | TR__EQUAL,
                                       [TR__T_GT] = TR__GREATER, [TR__T_GE] = TR__GREATER | TR__EQUAL };
    static const char *const is[] = { "a text", "a number", "a time", "a value without a unit" };
    if (!set_name(p, name, &leaf->of) || !set_name(p, other, &leaf->other))
        return false;
    const struct tr_lang_name *a = &p->names->v[leaf->of.name], *b = &p->names->v[leaf->other.name];
    enum value_class x = class_of(a->type), y = class_of(b->type);
    leaf->order = orders[op->type];
    if (x != y && (x == A_TIME || y == A_TIME || (x != ANYTHING && y != ANYTHING)))
        return tr__lang_fail_at(p, other->at, "%s is %s and %s %s: they do not compare", a->name, is[x], b->name,
                                is[y]);
    if ((x == A_TEXT || y == A_TEXT) && op->type != TR__T_EQ && op->type != TR__T_NE)
        return tr__lang_fail_at(p, other->at, "%s has no order: use == or !=", x == A_TEXT ? a->name : b->name);
    return true;
}

bool tr__lang_check_has(struct tr__parser *p, const struct tr__token *name, struct tr__leaf *leaf)
{
    leaf->has = true;
    if (!set_name(p, name, &leaf->of))
        return false;
    const unsigned first = name_of(p, leaf)->first_word;
    memset(leaf->table + first, 1, sizeof leaf->table - first);
    return true;
}
