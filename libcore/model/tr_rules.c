/* SPDX-License-Identifier: MIT */
/* Rules that give names a class: sets, patterns, and the search for the rule that takes a name. */
#include "model/tr_rules.h"

#include "base/tr_mem.h"
#include "base/tr_regex.h"
#include "base/tr_rule_text.h"
#include "base/tr_strtab.h"
#include "vendor/tr_intel_name.h"
#include "vendor/tr_short_name.h"

#include <stdlib.h>
#include <string.h>

/* The text that a rule compares names with. */
struct pattern {
    const char *text; /* without blanks if they are ignored */
    size_t len;
    struct tr_byte_pairs pairs; /* TR_RULE_FUNCTION, TR_RULE_WORD */
    struct tr_regex *re; /* TR_RULE_MATCHES; NULL: not compiled yet */
};

struct set {
    const char *name;
    uint32_t first, end; /* of its rules */
    enum tr_rule_order order;
    bool keep_spaces;
};

struct tr_rules {
    struct tr_arena *arena;
    struct tr_strtab *ids;
    struct tr_rule *rules;
    struct pattern *patterns; /* by rule */
    struct set *sets;
    const char **labels;
    size_t n_rules, n_sets, n_labels;
    size_t cap_rules, cap_patterns, cap_sets, cap_labels;
    bool compile_later; /* regular expressions of rules that are added: they are known to be good */
    struct tr_buf stripped; /* of the name that is being matched */
    struct tr_buf bare, bare_stripped;
    struct tr_buf function; /* the name of its function; empty: not computed yet */
    struct tr_byte_pairs function_pairs, full_pairs; /* of the name that is being matched */
};

const char *tr_rule_target_name(enum tr_rule_target target)
{
    return target == TR_RULE_OPERATOR ? "operator" : "device";
}

const char *tr_rule_condition_name(enum tr_rule_condition condition)
{
    static const char *const names[] = { "equals to", "starts with", "ends with", "contains",
                                         "matches",   "function contains", "function has word" };
    return (unsigned)condition < TR_N_RULE_CONDITIONS ? names[condition] : "?";
}

enum tr_status tr_rules_new(struct tr_rules **out, struct tr_error *err)
{
    struct tr_rules *r = calloc(1, sizeof *r);
    if (!r)
        return tr_fail_memory(err);
    r->arena = tr_arena_new((size_t)1 << 14);
    r->ids = tr_strtab_new();
    if (!r->arena || !r->ids) {
        tr_rules_free(r);
        return tr_fail_memory(err);
    }
    *out = r;
    return TR_OK;
}

void tr_rules_free(struct tr_rules *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n_rules; i++)
        tr_regex_free(r->patterns[i].re);
    free(r->rules);
    free(r->patterns);
    free(r->sets);
    free(r->labels);
    tr_buf_free(&r->stripped);
    tr_buf_free(&r->bare);
    tr_buf_free(&r->bare_stripped);
    tr_buf_free(&r->function);
    tr_strtab_free(r->ids);
    tr_arena_free(r->arena);
    free(r);
}

size_t tr_rules_count(const struct tr_rules *r)
{
    return r->n_rules;
}

const struct tr_rule *tr_rules_get(const struct tr_rules *r, uint32_t number)
{
    return &r->rules[number];
}

const char *tr_rules_name(const struct tr_rules *r, uint32_t set)
{
    return r->sets[set].name;
}

enum tr_rule_order tr_rules_order(const struct tr_rules *r, uint32_t set)
{
    return r->sets[set].order;
}

const char *const *tr_rules_labels(const struct tr_rules *r, size_t *n)
{
    *n = r->n_labels;
    return r->labels;
}

/* ---- adding ---- */

/* A copy with a zero byte after it; NULL: out of memory. */
static char *copy(struct tr_rules *r, const char *s, size_t len)
{
    char *to = tr_arena_alloc(r->arena, len + 1);
    if (to) {
        memcpy(to, s, len);
        to[len] = '\0';
    }
    return to;
}

static size_t strip(char *s, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        if (s[i] != ' ' && s[i] != '\t')
            s[n++] = s[i];
    return n;
}

enum tr_status tr_rules_start(struct tr_rules *r, const char *name,
                              const struct tr_rules_opts *opts, struct tr_error *err)
{
    char *own = copy(r, name, strlen(name));
    if (!own || !tr_grow(&r->sets, &r->cap_sets, r->n_sets + 1, sizeof *r->sets))
        return tr_fail_memory(err);
    r->sets[r->n_sets++] = (struct set){ own, (uint32_t)r->n_rules, (uint32_t)r->n_rules,
                                         opts->order, opts->keep_spaces };
    return TR_OK;
}

static bool number_label(struct tr_rules *r, struct tr_rule *rule)
{
    rule->class_id = TR_RULE_NONE;
    if (!rule->label)
        return true;
    size_t len = strlen(rule->label);
    uint32_t id = tr_strtab_add(r->ids, rule->label, len);
    if (id == TR_NO_STR || !tr_grow(&r->labels, &r->cap_labels, id + (size_t)1, sizeof(char *)))
        return false;
    r->labels[id] = rule->label = tr_strtab_get(r->ids, id);
    r->n_labels = tr_strtab_count(r->ids);
    rule->class_id = id;
    return true;
}

static enum tr_status compile(struct pattern *p, struct tr_error *err)
{
    char why[TR_REGEX_WHY];
    enum tr_status st = tr_regex_compile(&p->re, p->text, false, why);
    if (st == TR_OK)
        return TR_OK;
    return st == TR_SYSTEM ? tr_fail_memory(err)
                           : tr_fail(err, TR_USAGE, "'%.80s' is not a regular expression: %s", p->text, why);
}

enum tr_status tr_rules_add(struct tr_rules *r, const struct tr_rule *rule, size_t len,
                            struct tr_error *err)
{
    struct set *set = &r->sets[r->n_sets - 1];
    struct tr_rule own = *rule;
    struct pattern p = { .len = len };
    if (r->n_rules >= TR_RULES_MAX)
        return tr_fail(err, TR_USAGE, "more than %u rules", TR_RULES_MAX);
    if (len > TR_RULE_LINE_MAX)
        return tr_fail(err, TR_USAGE, "a text of %zu bytes: at most %u are expected", len, TR_RULE_LINE_MAX);
    if (own.kind != TR_KIND_NONE && own.target == TR_RULE_OPERATOR)
        return tr_fail(err, TR_USAGE, "a kind for operators: only device work has one");
    if (!own.label && own.kind == TR_KIND_NONE)
        return tr_fail(err, TR_USAGE, "a rule without a class needs a kind");
    const bool function = own.condition == TR_RULE_FUNCTION || own.condition == TR_RULE_WORD;
    own.text = copy(r, rule->text, len);
    char *text = copy(r, rule->text, len);
    if (!own.text || !text || !number_label(r, &own) ||
        !tr_grow(&r->rules, &r->cap_rules, r->n_rules + 1, sizeof *r->rules) ||
        !tr_grow(&r->patterns, &r->cap_patterns, r->n_rules + 1, sizeof *r->patterns))
        return tr_fail_memory(err);
    if (!set->keep_spaces && own.condition != TR_RULE_MATCHES)
        p.len = strip(text, len);
    p.text = text;
    if (function)
        p.pairs = tr_byte_pairs_of((struct tr_str){ text, p.len });
    if (!p.len)
        return tr_fail(err, TR_USAGE, "an empty text matches every name");
    own.set = (uint32_t)r->n_sets - 1;
    enum tr_status st = own.condition == TR_RULE_MATCHES && !r->compile_later ? compile(&p, err) : TR_OK;
    if (st != TR_OK)
        return st;
    r->rules[r->n_rules] = own;
    r->patterns[r->n_rules++] = p;
    set->end = (uint32_t)r->n_rules;
    return TR_OK;
}

bool tr_rules_trust(struct tr_rules *r, size_t n)
{
    r->compile_later = true;
    return tr_grow(&r->rules, &r->cap_rules, r->n_rules + n, sizeof *r->rules) &&
           tr_grow(&r->patterns, &r->cap_patterns, r->n_rules + n, sizeof *r->patterns);
}

enum tr_status tr_rules_end(struct tr_rules *r, struct tr_error *err)
{
    struct set *set = &r->sets[r->n_sets - 1];
    uint32_t beyond = TR_RULE_NONE; /* the first rule that no schema of unitrace can have */
    r->compile_later = false;
    for (uint32_t i = set->first; i < set->end && beyond == TR_RULE_NONE; i++) {
        const struct tr_rule *rule = &r->rules[i];
        if (rule->condition > TR_RULE_ENDS || rule->target != TR_RULE_DEVICE || rule->kind)
            beyond = i;
    }
    if (set->first == set->end)
        return tr_fail(err, TR_USAGE, "holds no rules");
    if (set->order == TR_RULES_BY_CONTENT)
        set->order = beyond == TR_RULE_NONE ? TR_RULES_LONGEST : TR_RULES_IN_ORDER;
    if (set->order == TR_RULES_LONGEST)
        for (uint32_t i = set->first; i < set->end; i++)
            if (r->rules[i].condition > TR_RULE_ENDS) {
                tr_error_place(err, "line %u", r->rules[i].line);
                return tr_fail(err, TR_USAGE,
                               "'%s' cannot be used in a file in which the longest rule wins",
                               tr_rule_condition_name(r->rules[i].condition));
            }
    return TR_OK;
}

/* ---- matching ---- */

struct name {
    struct tr_str full; /* with all its blanks */
    const char *s;      /* with or without blanks, as the set has it */
    size_t n;
};

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Does a word start at this place?  Not after a letter, unless a capital starts it, as in "oneShotAllReduce". */
static bool word_starts(struct tr_str s, size_t i)
{
    if (i == 0 || !(is_upper(s.s[i - 1]) || is_lower(s.s[i - 1])))
        return true;
    return is_upper(s.s[i]) && (is_lower(s.s[i - 1]) || (i + 1 < s.len && is_lower(s.s[i + 1])));
}

static bool word_ends(struct tr_str s, size_t i)
{
    return i >= s.len || !is_lower(s.s[i]);
}

/*
 * Has a compiler made the name of the operators that it fused: triton_poi_fused_add_all_reduce_0, wrapped_all_gather,
 * loop_all_reduce_fusion_1?  Then its words are those of operators.
 */
static bool is_fused(struct tr_str s)
{
    static const char start[][12] = { "::triton_", "::wrapped_" }, end[] = "_fusion";
    size_t n = s.len, e = sizeof end - 1;
    for (size_t k = 0; k < sizeof start / sizeof *start; k++)
        if (s.len >= strlen(start[k]) && !memcmp(s.s, start[k], strlen(start[k])))
            return true;
    while (n > 0 && (s.s[n - 1] == '_' || s.s[n - 1] == '.' || (s.s[n - 1] >= '0' && s.s[n - 1] <= '9')))
        n--;
    return n >= e && !memcmp(s.s + n - e, end, e);
}

static bool has_word(struct tr_str s, struct tr_str word)
{
    if (is_fused(s) || memchr(s.s, ' ', s.len)) /* IBM's AIU calls what a collective computes by its name, too */
        return false;
    for (size_t i = 0; i + word.len <= s.len; i++)
        if (s.s[i] == word.s[0] && !memcmp(s.s + i, word.s, word.len) && word_starts(s, i) &&
            word_ends(s, i + word.len))
            return true;
    return false;
}

/* Does the function's name hold the text, or if words: as a word?  TR_OK; TR_NO; TR_SYSTEM. */
static enum tr_status function_has(struct tr_rules *r, const struct pattern *p, struct tr_str full, bool words,
                                   struct tr_error *err)
{
    if (!r->function.len) {
        if (!tr_function_name(full.s, full.len, &r->function))
            return tr_fail_memory(err);
        r->function_pairs = tr_byte_pairs_of((struct tr_str){ (const char *)r->function.data, r->function.len });
    }
    const struct tr_str function = { (const char *)r->function.data, r->function.len };
    const struct tr_str text = { p->text, p->len };
    if (!tr_byte_pairs_has(&r->function_pairs, &p->pairs))
        return TR_NO;
    return (words ? has_word(function, text) : tr_str_has(function, text)) ? TR_OK : TR_NO;
}

/* TR_OK: it does; TR_NO; TR_SYSTEM; TR_USAGE: an expression that should have been good is not. */
static enum tr_status takes(struct tr_rules *r, uint32_t number, const struct name *name, struct tr_error *err)
{
    const struct tr_rule *rule = &r->rules[number];
    struct pattern *p = &r->patterns[number];
    bool fits = name->n >= p->len, yes = false;
    enum tr_status st = TR_OK;
    switch (rule->condition) {
    case TR_RULE_EQUALS:
        yes = name->n == p->len && !memcmp(name->s, p->text, p->len);
        break;
    case TR_RULE_STARTS:
        yes = fits && !memcmp(name->s, p->text, p->len);
        break;
    case TR_RULE_ENDS:
        yes = fits && !memcmp(name->s + name->n - p->len, p->text, p->len);
        break;
    case TR_RULE_CONTAINS:
        yes = tr_str_has((struct tr_str){ name->s, name->n }, (struct tr_str){ p->text, p->len });
        break;
    case TR_RULE_FUNCTION:
    case TR_RULE_WORD:
        return function_has(r, p, name->full, rule->condition == TR_RULE_WORD, err);
    default:
        if (!p->re && (st = compile(p, err)) != TR_OK)
            return st;
        yes = tr_regex_may_have(p->re, &r->full_pairs) && tr_regex_has(p->re, name->full);
    }
    return yes ? TR_OK : TR_NO;
}

/* Does rule a win over rule b, by the precedence longest? */
static bool wins(const struct tr_rules *r, uint32_t a, uint32_t b)
{
    bool ends_a = r->rules[a].condition == TR_RULE_ENDS,
         ends_b = r->rules[b].condition == TR_RULE_ENDS;
    if (ends_a != ends_b)
        return !ends_a;
    if (r->patterns[a].len != r->patterns[b].len)
        return r->patterns[a].len > r->patterns[b].len;
    if (r->rules[a].condition != r->rules[b].condition)
        return r->rules[a].condition == TR_RULE_EQUALS;
    return a > b;
}

static enum tr_status match_set(struct tr_rules *r, const struct set *set,
                                enum tr_rule_target target, const struct name *name,
                                uint32_t *number, struct tr_error *err)
{
    for (uint32_t i = set->first; i < set->end; i++) {
        if (r->rules[i].target != target)
            continue;
        enum tr_status st = takes(r, i, name, err);
        if (st == TR_OK && (*number == TR_RULE_NONE || wins(r, i, *number)))
            *number = i;
        if ((st != TR_OK && st != TR_NO) || (st == TR_OK && set->order == TR_RULES_IN_ORDER))
            return st;
    }
    return *number == TR_RULE_NONE ? TR_NO : TR_OK;
}

/* A name in the forms that sets compare. */
struct forms {
    struct name spaced, stripped;
};

/* name[len] is 0; without blanks, it is in buf. */
static bool make_forms(struct tr_str name, struct tr_buf *buf, struct forms *f)
{
    buf->len = 0;
    if (!tr_buf_add(buf, name.s, name.len) || !tr_buf_add(buf, "", 1))
        return false;
    f->spaced = f->stripped = (struct name){ name, name.s, name.len };
    f->stripped.s = (const char *)buf->data;
    f->stripped.n = strip((char *)buf->data, name.len);
    return true;
}

/* The forms of the name without what unitrace adds to it; its text is copied, because name[len] is not 0. */
static bool make_bare(struct tr_rules *r, struct tr_str bare, struct forms *f)
{
    r->bare.len = 0;
    return tr_buf_add(&r->bare, bare.s, bare.len) && tr_buf_add(&r->bare, "", 1) &&
           make_forms((struct tr_str){ (const char *)r->bare.data, bare.len }, &r->bare_stripped, f);
}

static enum tr_status match_sets(struct tr_rules *r, enum tr_rule_target target, const struct forms *f,
                                 unsigned n_forms, uint32_t *number, struct tr_error *err)
{
    enum tr_status st = TR_NO;
    for (size_t s = 0; s < r->n_sets && st == TR_NO; s++)
        for (unsigned k = 0; k < n_forms && st == TR_NO; k++)
            st = match_set(r, &r->sets[s], target, r->sets[s].keep_spaces ? &f[k].spaced : &f[k].stripped, number,
                           err);
    return st;
}

enum tr_status tr_rules_match(struct tr_rules *r, enum tr_rule_target target, const char *name,
                              size_t len, uint32_t *number, struct tr_error *err)
{
    static const char of_operator[] = "aten::"; /* older profilers of PyTorch name device work after its operator */
    const struct tr_str bare = tr_intel_bare_name((struct tr_str){ name, len });
    struct forms f[2];
    const bool device = target == TR_RULE_DEVICE;
    const unsigned n = device && bare.len != len ? 2 : 1;
    *number = TR_RULE_NONE;
    r->function.len = 0;
    r->full_pairs = tr_byte_pairs_of((struct tr_str){ name, len });
    if (!make_forms((struct tr_str){ name, len }, &r->stripped, &f[0]) || (n > 1 && !make_bare(r, bare, &f[1])))
        return tr_fail_memory(err);
    enum tr_status st = match_sets(r, target, f, n, number, err);
    if (st == TR_NO && device && len >= sizeof of_operator - 1 && !memcmp(name, of_operator, sizeof of_operator - 1))
        st = match_sets(r, TR_RULE_OPERATOR, f, n, number, err);
    return st;
}
