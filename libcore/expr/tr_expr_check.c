#include "expr/tr_expr_int.h"

#include "base/tr_regex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tr__expr_find_field(struct tr__parser *p, const struct tr__token *t, enum tr_field_id *field)
{
    if (t->type == TR__T_ARGS) {
        *field = TR_FIELD_ARG;
        return true;
    }
    if (t->type != TR__T_WORD)
        return tr__expr_fail_at(p, t->at, "a field is expected here");
    *field = tr_event_field_find(t->text, strlen(t->text), TR_FIELD_TO_FILTER);
    if (*field != TR_N_FIELDS)
        return true;
    if (strcmp(t->text, "args") == 0)
        return tr__expr_fail_at(p, t->at,
                                "args needs the name of an argument: args.bytes, "
                                "args.\"External id\"");
    char list[256] = "";
    for (int i = 0; i < TR_FIELD_ARG; i++) {
        size_t n = strlen(list);
        if (!(tr_event_fields[i].where & TR_FIELD_TO_FILTER))
            continue;
        snprintf(list + n, sizeof list - n, "%s ", tr_event_fields[i].name);
    }
    return tr__expr_fail_at(p, t->at, "no field '%.40s': there are %sargs.KEY", t->text, list);
}

static void need_field(struct tr_expr *e, enum tr_field_id field)
{
    e->needs.want.fixed |= tr_event_fields[field].fixed;
    e->needs.want.derived |= tr_event_fields[field].derived;
    e->needs.summary |= field == TR_FIELD_STEP;
    e->needs.order |= field == TR_FIELD_STEP || field == TR_FIELD_DEPTH;
}

/* The argument with this key, added if it is new, and the leaf told. */
static bool leaf_key(struct tr__parser *p, const char *key, size_t len, struct tr__leaf *leaf)
{
    struct tr_expr *e = p->e;
    for (leaf->arg = 0; leaf->arg < e->n_args; leaf->arg++)
        if (e->args[leaf->arg].key_len == len && !memcmp(e->args[leaf->arg].key, key, len))
            return true;
    char *copy = tr_arena_alloc(e->arena, len + 1);
    if (!copy || !tr_grow(&e->args, &e->cap_args, e->n_args + 1, sizeof *e->args) ||
        !tr_grow(&e->keys, &e->cap_keys, e->n_args + 1, sizeof *e->keys))
        return tr__expr_fail_mem(p);
    memcpy(copy, key, len);
    copy[len] = '\0';
    memset(&e->args[e->n_args], 0, sizeof *e->args);
    e->args[e->n_args].key = copy;
    e->args[e->n_args].key_len = len;
    e->keys[e->n_args++] = copy;
    e->needs.want.keys = e->keys;
    e->needs.want.n_keys = e->n_args;
    return true;
}

/* What a leaf needs beside its set. */
static bool set_field(struct tr__parser *p, const struct tr__token *name, struct tr__leaf *leaf)
{
    if (!tr__expr_find_field(p, name, &leaf->field))
        return false;
    need_field(p->e, leaf->field);
    if (leaf->field == TR_FIELD_ARG)
        return leaf_key(p, name->text, name->text_len, leaf);
    if (leaf->field == TR_FIELD_CORRELATION)
        return leaf_key(p, "correlation", strlen("correlation"), leaf);
    return true;
}

/* --- values ----------------------------------------------------------------------------------- */

static bool is_text(const struct tr__token *v)
{
    return v->type == TR__T_STRING || v->type == TR__T_WORD;
}

/* May this value stand beside this field? */
static bool check_value(struct tr__parser *p, enum tr_field_id field, const struct tr__token *v)
{
    const char *name = tr_event_fields[field].name;
    switch (tr_event_fields[field].type) {
    case TR_FIELD_IS_TEXT:
    case TR_FIELD_IS_LIST:
        return is_text(v) || tr__expr_fail_at(p, v->at, "%s is a text: put this in quotes", name);
    case TR_FIELD_IS_ENUM:
        return is_text(v) ||
               tr__expr_fail_at(p, v->at, "%s is compared with words, not numbers", name);
    case TR_FIELD_IS_TIME:
        if (v->type == TR__T_NUMBER && (v->unit == TR__U_TIME || (!v->unit && !v->num.n)))
            return true;
        if (v->type == TR__T_NUMBER && !v->unit)
            return tr__expr_fail_at(p, v->at, "%s is a time and needs a unit: %.*sus, or ns, ms, s",
                                    name, v->len > 40 ? 40 : (int)v->len, p->text + v->at);
        return tr__expr_fail_at(p, v->at, "%s is a time: a number with ns, us, ms or s", name);
    case TR_FIELD_IS_INT:
        return (v->type == TR__T_NUMBER && !v->unit) ||
               tr__expr_fail_at(p, v->at, "%s is a plain number", name);
    case TR_FIELD_IS_ANY:
        return v->unit != TR__U_TIME ||
               tr__expr_fail_at(p, v->at,
                                "the unit of this value is not known: write the number as it "
                                "stands in the trace");
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

/* One value into the set; room has been made. */
static bool add_value(struct tr__parser *p, struct tr__leaf *leaf, const struct tr__token *v)
{
    struct tr__set *s = &leaf->set;
    if (!check_value(p, leaf->field, v))
        return false;
    if (v->type == TR__T_NUMBER) {
        add_point(s, &v->num, false);
        return true;
    }
    s->texts[s->n_texts++] = (struct tr__text){ v->text, v->text_len };
    if (tr_event_fields[leaf->field].type == TR_FIELD_IS_ANY) {
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
        return tr__expr_fail_at(p, it->lo.type != TR__T_NUMBER ? it->lo.at : it->hi.at,
                                "a range goes from a number to a number");
    if (!check_value(p, leaf->field, &it->lo) || !check_value(p, leaf->field, &it->hi))
        return false;
    if (tr__num_cmp(&it->lo.num, &it->hi.num) > 0)
        return tr__expr_fail_at(p, it->hi.at, "this range ends before it begins");
    struct tr__span *r = new_span(&leaf->set);
    r->lo = it->lo.num;
    r->hi = it->hi.num;
    r->has_lo = r->has_hi = true;
    return true;
}

static bool add_bound(struct tr__parser *p, struct tr__leaf *leaf, enum tr__tok op,
                      const struct tr__token *v)
{
    enum tr_field_type cls = tr_event_fields[leaf->field].type;
    if (cls == TR_FIELD_IS_TEXT || cls == TR_FIELD_IS_LIST || cls == TR_FIELD_IS_ENUM)
        return tr__expr_fail_at(p, v->at, "%s has no order: use ==, !=, =~, !~ or in",
                                tr_event_fields[leaf->field].name);
    if (!check_value(p, leaf->field, v))
        return false;
    if (v->type != TR__T_NUMBER)
        return tr__expr_fail_at(p, v->at, "only numbers have an order");
    struct tr__span *r = new_span(&leaf->set);
    r->lo = r->hi = v->num;
    r->has_lo = op == TR__T_GT || op == TR__T_GE;
    r->has_hi = !r->has_lo;
    r->lo_open = op == TR__T_GT;
    r->hi_open = op == TR__T_LT;
    return true;
}

static bool add_regex(struct tr__parser *p, struct tr__leaf *leaf, const struct tr__token *v)
{
    enum tr_field_type cls = tr_event_fields[leaf->field].type;
    if (cls == TR_FIELD_IS_TIME || cls == TR_FIELD_IS_INT)
        return tr__expr_fail_at(p, v->at, "%s is no text: a regular expression cannot match it",
                                tr_event_fields[leaf->field].name);
    if (!is_text(v))
        return tr__expr_fail_at(p, v->at, "a regular expression in quotes is expected here");
    if (strlen(v->text) != v->text_len)
        return tr__expr_fail_at(p, v->at, "a regular expression cannot hold a zero byte");
    char why[TR_REGEX_WHY];
    enum tr_status st = tr_regex_compile(&leaf->set.re, v->text, why);
    if (st != TR_OK)
        return st == TR_SYSTEM ? tr__expr_fail_mem(p) : tr__expr_fail_at(p, v->at, "no regular expression: %s", why);
    leaf->set.has_re = true;
    leaf->set.no_memory = &p->e->no_memory;
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

static int by_lo(const void *a, const void *b)
{
    const struct tr__irange *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

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
    s->spans = tr_arena_alloc(p->e->arena, n * sizeof *s->spans);
    s->ints = tr_arena_alloc(p->e->arena, n * sizeof *s->ints);
    s->texts = tr_arena_alloc(p->e->arena, n * sizeof *s->texts);
    return (s->spans && s->ints && s->texts) || tr__expr_fail_mem(p);
}

/* --- words ------------------------------------------------------------------------------------ */

struct words {
    int n;
    const char *(*name)(unsigned value);
};

static struct words field_words(enum tr_field_id field)
{
    switch (field) {
    case TR_FIELD_ACTIVITY:
        return (struct words){ TR_N_ACTIVITIES, tr_activity_name };
    case TR_FIELD_KIND:
        return (struct words){ TR_N_KINDS, tr_kind_name };
    default:
        return (struct words){ TR_N_PHASES, tr_phase_name };
    }
}

/* Is the word one of the field's?  TR_KIND_NONE is no kind: such events have none. */
static bool check_word(struct tr__parser *p, enum tr_field_id field, const struct tr__token *v)
{
    struct words w = field_words(field);
    int first = field == TR_FIELD_KIND;
    char list[320] = "";
    for (int i = first; i < w.n; i++) {
        const char *name = w.name((unsigned)i);
        if (strcmp(name, v->text) == 0)
            return true;
        size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", i > first ? ", " : "", name);
    }
    if (field == TR_FIELD_KIND && strcmp(v->text, tr_kind_name(TR_KIND_NONE)) == 0)
        return tr__expr_fail_at(p, v->at,
                                "events that are no device work have no kind: !has(kind)");
    return tr__expr_fail_at(p, v->at, "no %s '%.40s': there are %s", tr_event_fields[field].name,
                            v->text, list);
}

static void fill_table(struct tr__leaf *leaf)
{
    struct words w = field_words(leaf->field);
    for (int i = leaf->field == TR_FIELD_KIND; i < w.n; i++) {
        const char *name = w.name((unsigned)i);
        leaf->table[i] = tr__set_has_text(&leaf->set, name, strlen(name)) != leaf->negate;
    }
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
        return add_regex(p, leaf, &items->lo);
    default:
        break;
    }
    for (; items; items = items->next) {
        if (items->is_range ? !add_range(p, leaf, items) : !add_value(p, leaf, &items->lo))
            return false;
        if (tr_event_fields[leaf->field].type == TR_FIELD_IS_ENUM &&
            !check_word(p, leaf->field, &items->lo))
            return false;
    }
    return true;
}

bool tr__expr_check_leaf(struct tr__parser *p, const struct tr__token *name,
                         const struct tr__token *op, const struct tr__item *items,
                         struct tr__leaf *leaf)
{
    if (!set_field(p, name, leaf))
        return false;
    leaf->negate = op->type == TR__T_NE || op->type == TR__T_NO_MATCH;
    if (!make_room(p, &leaf->set, items) || !add_items(p, op, items, leaf))
        return false;
    finish_numbers(&leaf->set);
    if (tr_event_fields[leaf->field].type == TR_FIELD_IS_ENUM)
        fill_table(leaf);
    return true;
}

bool tr__expr_check_has(struct tr__parser *p, const struct tr__token *name, struct tr__leaf *leaf)
{
    leaf->has = true;
    if (!set_field(p, name, leaf))
        return false;
    memset(leaf->table, 1, sizeof leaf->table);
    leaf->table[TR_KIND_NONE] = leaf->field != TR_FIELD_KIND;
    return true;
}
