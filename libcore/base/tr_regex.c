/* SPDX-License-Identifier: MIT */
/* Regular expressions: from a tree to a program, and the program run. */
#include "base/tr_regex_int.h"

#include "base/tr_mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_NODE  TR__RE_NONE
#define NO_LIMIT TR__RE_NONE
#define MAX_NEEDS 8u

enum op {
    SET,   /* the character is in set a: go on with the next step, after it */
    SPLIT, /* go on with both a and b */
    JUMP,  /* go on with a */
    TEST,  /* go on with the next step if test a is true here */
    MATCH,
};

struct step {
    uint32_t op, a, b;
};

/* The set of current steps: at[place[s]] == s for steps in the set, with place[s] < n (Briggs, Torczon 1993). */
struct places {
    uint16_t *at, *place; /* TR_REGEX_MAX_PROGRAM fits */
    uint32_t n;
};

struct tr_regex {
    struct step *steps; /* these arrays follow the struct */
    struct tr__re_set *sets;
    uint16_t *stack;
    struct places now, next;
    struct tr__re_set first; /* characters with which a match can start */
    uint32_t n;
    bool anywhere; /* it can also start with a test or be empty */
    bool at_start; /* it starts with ^ */
    struct tr_byte_pairs needs[MAX_NEEDS]; /* a match has all pairs of one of them */
    unsigned n_needs;                 /* 0: nothing is known */
};

/* ---- writing out ---- */

struct program {
    const struct tr__re_tree *t;
    struct step *steps;
    size_t n, cap;
    bool too_long, no_memory;
};

static uint32_t emit(struct program *p, enum op op, uint32_t a, uint32_t b)
{
    if (p->n >= TR_REGEX_MAX_PROGRAM) {
        p->too_long = true;
        return NO_NODE;
    }
    if (!tr_grow(&p->steps, &p->cap, p->n + 1, sizeof *p->steps)) {
        p->no_memory = true;
        return NO_NODE;
    }
    p->steps[p->n] = (struct step){ op, a, b };
    return (uint32_t)p->n++;
}

static bool write_out(struct program *p, uint32_t node);

/* Write branches: each except the last is after a split, and before a jump to the end of all.  Until the end is known,
 * the jumps are a list. */
static bool write_group(struct program *p, const struct tr__re_node *x)
{
    uint32_t jumps = NO_NODE;
    for (uint32_t c = x->child; c != NO_NODE; c = p->t->nodes[c].next) {
        bool more = p->t->nodes[c].next != NO_NODE;
        uint32_t split = more ? emit(p, SPLIT, (uint32_t)p->n + 1, 0) : 0;
        if (split == NO_NODE || !write_out(p, c))
            return false;
        if (!more)
            break;
        jumps = emit(p, JUMP, jumps, 0);
        if (jumps == NO_NODE)
            return false;
        p->steps[split].b = (uint32_t)p->n;
    }
    while (jumps != NO_NODE) {
        uint32_t before = p->steps[jumps].a;
        p->steps[jumps].a = (uint32_t)p->n;
        jumps = before;
    }
    return true;
}

/* Any number of copies: a loop. */
static bool write_loop(struct program *p, uint32_t child)
{
    uint32_t split = emit(p, SPLIT, (uint32_t)p->n + 1, 0);
    if (split == NO_NODE || !write_out(p, child) || emit(p, JUMP, split, 0) == NO_NODE)
        return false;
    p->steps[split].b = (uint32_t)p->n;
    return true;
}

/* Write the minimum number of copies, and then optional copies, each after a split.  Until the end is known, the splits
 * are a list. */
static bool write_repeat(struct program *p, const struct tr__re_node *x)
{
    uint32_t splits = NO_NODE;
    size_t before = p->n;
    for (uint32_t i = 0; i < x->min && (i == 0 || p->n > before); i++) /* copies of nothing are nothing */
        if (!write_out(p, x->child))
            return false;
    if (x->max == NO_LIMIT)
        return write_loop(p, x->child);
    for (uint32_t i = x->min; i < x->max; i++) {
        splits = emit(p, SPLIT, (uint32_t)p->n + 1, splits);
        if (splits == NO_NODE || !write_out(p, x->child))
            return false;
    }
    while (splits != NO_NODE) {
        uint32_t last = p->steps[splits].b;
        p->steps[splits].b = (uint32_t)p->n;
        splits = last;
    }
    return true;
}

static bool write_out(struct program *p, uint32_t node)
{
    const struct tr__re_node *x = &p->t->nodes[node];
    switch (x->kind) {
    case TR__RE_SET:
        return emit(p, SET, x->child, 0) != NO_NODE;
    case TR__RE_TEST:
        return emit(p, TEST, x->test, 0) != NO_NODE;
    case TR__RE_GROUP:
        return write_group(p, x);
    case TR__RE_REPEAT:
        return write_repeat(p, x);
    default:
        for (uint32_t c = x->child; c != NO_NODE; c = p->t->nodes[c].next)
            if (!write_out(p, c))
                return false;
        return true;
    }
}

/* ---- running ---- */

static bool is_true(uint32_t test, struct tr_str t, size_t at)
{
    bool before = at > 0 && tr__re_is_word((unsigned char)t.s[at - 1]);
    bool after = at < t.len && tr__re_is_word((unsigned char)t.s[at]);
    switch (test) {
    case TR__RE_START:
        return at == 0;
    case TR__RE_END:
        return at == t.len;
    case TR__RE_WORD_EDGE:
        return before != after;
    case TR__RE_NO_EDGE:
        return before == after;
    case TR__RE_WORD_START:
        return !before && after;
    default:
        return before && !after;
    }
}

/* All steps that one leads to without a character, between at - 1 and at, or, without all, those up to the end.  True:
 * the end is among them. */
static bool follow(struct tr_regex *re, struct places *l, uint32_t step, struct tr_str t, size_t at, bool all)
{
    bool end = false;
    uint32_t waiting = 0;
    re->stack[waiting++] = (uint16_t)step;
    while (waiting) {
        step = re->stack[--waiting];
        for (;;) {
            const struct step *s = &re->steps[step];
            if (l->place[step] < l->n && l->at[l->place[step]] == step)
                break;
            l->place[step] = (uint16_t)l->n;
            l->at[l->n++] = (uint16_t)step;
            if (s->op == MATCH && !all)
                return true;
            end |= s->op == MATCH;
            if (s->op == MATCH || s->op == SET || (s->op == TEST && !is_true(s->a, t, at)))
                break;
            if (s->op == SPLIT)
                re->stack[waiting++] = (uint16_t)s->b;
            step = s->op == TEST ? step + 1 : s->a;
        }
    }
    return end;
}

bool tr_regex_has(struct tr_regex *re, struct tr_str t)
{
    re->now.n = 0;
    for (size_t at = 0;; at++) {
        if (at && !re->now.n && re->at_start)
            return false;
        if (!re->now.n && !re->anywhere) /* no match has started: skip to a place where one can */
            while (at < t.len && !tr__re_has(&re->first, (unsigned char)t.s[at]))
                at++;
        if (!(at && re->at_start) && follow(re, &re->now, 0, t, at, false))
            return true;
        if (at >= t.len)
            return false;
        re->next.n = 0;
        for (uint32_t i = 0; i < re->now.n; i++) {
            const struct step *s = &re->steps[re->now.at[i]];
            if (s->op == SET && tr__re_has(&re->sets[s->a], (unsigned char)t.s[at]) &&
                follow(re, &re->next, re->now.at[i] + 1, t, at + 1, false))
                return true;
        }
        struct places now = re->now;
        re->now = re->next;
        re->next = now;
    }
}

/* The end of the longest match that starts at a place.  False: there is none. */
static bool longest(struct tr_regex *re, struct tr_str t, size_t at, size_t *end)
{
    re->now.n = 0;
    bool found = follow(re, &re->now, 0, t, at, true);
    for (*end = at; re->now.n && at < t.len; at++) {
        re->next.n = 0;
        bool matched = false;
        for (uint32_t i = 0; i < re->now.n; i++) {
            const struct step *s = &re->steps[re->now.at[i]];
            if (s->op == SET && tr__re_has(&re->sets[s->a], (unsigned char)t.s[at]))
                matched |= follow(re, &re->next, re->now.at[i] + 1, t, at + 1, true);
        }
        if (matched)
            *end = at + 1;
        found |= matched;
        struct places now = re->now;
        re->now = re->next;
        re->next = now;
    }
    return found;
}

bool tr_regex_find(struct tr_regex *re, struct tr_str t, size_t from, size_t *start, size_t *end)
{
    if (!tr_regex_has(re, t)) /* as a rule there is none, and this is quicker */
        return false;
    for (*start = from; *start <= t.len && !(*start && re->at_start); ++*start) {
        bool can = re->anywhere || (*start < t.len && tr__re_has(&re->first, (unsigned char)t.s[*start]));
        if (can && longest(re, t, *start, end))
            return true;
    }
    return false;
}

/* ---- compiling ---- */

/* With which characters can a match start? */
static void find_first(struct tr_regex *re)
{
    const struct tr_str nothing = { "", 0 };
    re->anywhere = follow(re, &re->now, 0, nothing, 0, false);
    for (uint32_t i = 0; i < re->now.n; i++) {
        const struct step *s = &re->steps[re->now.at[i]];
        re->anywhere |= s->op == TEST;
        for (unsigned k = 0; s->op == SET && k < 8; k++)
            re->first.bits[k] |= re->sets[s->a].bits[k];
    }
}

/* The letter that a set has, in both cases or in one; NO_LETTER: it has others. */
#define NO_LETTER 256u

static unsigned letter(const struct tr__re_set *set)
{
    unsigned found = NO_LETTER;
    for (unsigned k = 0; k < 8; k++)
        for (uint32_t left = set->bits[k]; left; left &= left - 1) {
            unsigned c = (32 * k + (unsigned)__builtin_ctz(left)) | 32u;
            if (found != NO_LETTER && found != c)
                return NO_LETTER;
            found = c;
        }
    return found;
}

/* The pairs that each match of a node has; *last: the letter before it, and then its last one. */
static void find_needs(const struct tr__re_tree *t, uint32_t node, struct tr_byte_pairs *needs, unsigned *last)
{
    const struct tr__re_node *x = &t->nodes[node];
    const bool one = x->kind == TR__RE_GROUP && x->child != NO_NODE && t->nodes[x->child].next == NO_NODE;
    if (x->kind == TR__RE_TEST)
        return;
    if (x->kind == TR__RE_SET) {
        unsigned c = letter(&t->sets[x->child]);
        if (c != NO_LETTER && *last != NO_LETTER)
            tr_byte_pairs_add(needs, (unsigned char)*last, (unsigned char)c);
        *last = c;
    } else if (x->kind == TR__RE_BRANCH || one || (x->kind == TR__RE_REPEAT && x->min > 0)) {
        for (uint32_t c = x->child; c != NO_NODE; c = t->nodes[c].next)
            find_needs(t, c, needs, last);
    }
    if (x->kind == TR__RE_REPEAT || (x->kind == TR__RE_GROUP && !one))
        *last = NO_LETTER;
}

/* What one of the branches of all needs. */
static void find_all_needs(struct tr_regex *re, const struct tr__re_tree *t, uint32_t root)
{
    const bool group = t->nodes[root].kind == TR__RE_GROUP;
    for (uint32_t c = group ? t->nodes[root].child : root; c != NO_NODE; c = group ? t->nodes[c].next : NO_NODE) {
        const struct tr_byte_pairs nothing = { { 0 } };
        struct tr_byte_pairs *needs = &re->needs[re->n_needs];
        unsigned last = NO_LETTER;
        if (re->n_needs < MAX_NEEDS)
            find_needs(t, c, needs, &last);
        if (re->n_needs++ == MAX_NEEDS || tr_byte_pairs_has(&nothing, needs)) {
            re->n_needs = 0;
            return;
        }
    }
}

bool tr_regex_may_have(const struct tr_regex *re, const struct tr_byte_pairs *text)
{
    bool may = !re->n_needs;
    for (unsigned i = 0; i < re->n_needs && !may; i++)
        may = tr_byte_pairs_has(text, &re->needs[i]);
    return may;
}

static struct tr_regex *make(const struct program *p, const struct tr__re_tree *t, uint32_t root)
{
    const size_t n = p->n, sets = t->n_sets * sizeof *t->sets, steps = n * sizeof *p->steps;
    struct tr_regex *re = calloc(1, sizeof *re + sets + steps + 5 * n * sizeof *re->stack);
    if (!re)
        return NULL;
    re->sets = (struct tr__re_set *)(void *)(re + 1);
    re->steps = (struct step *)(void *)(re->sets + t->n_sets);
    re->stack = (uint16_t *)(void *)(re->steps + n);
    re->now = (struct places){ re->stack + n, re->stack + 2 * n, 0 };
    re->next = (struct places){ re->stack + 3 * n, re->stack + 4 * n, 0 };
    re->n = (uint32_t)n;
    if (sets)
        memcpy(re->sets, t->sets, sets);
    memcpy(re->steps, p->steps, steps);
    re->at_start = p->steps->op == TEST && p->steps->a == TR__RE_START;
    find_all_needs(re, t, root);
    find_first(re);
    return re;
}

enum tr_status tr_regex_compile(struct tr_regex **out, const char *text, bool any_case, char why[TR_REGEX_WHY])
{
    struct tr__re_tree t = { .nodes = NULL };
    struct program p = { .t = &t };
    uint32_t root = tr__regex_parse(&t, text, any_case);
    bool good = root != NO_NODE && write_out(&p, root) && emit(&p, MATCH, 0, 0) != NO_NODE;
    bool memory = !t.no_memory && !p.no_memory;
    *out = good ? make(&p, &t, root) : NULL;
    if (t.why)
        snprintf(why, TR_REGEX_WHY, "at byte %zu: %s", t.at + 1, t.why);
    else if (p.too_long)
        snprintf(why, TR_REGEX_WHY, "with its repetitions written out it has more than %u characters and choices",
                 TR_REGEX_MAX_PROGRAM);
    free(t.nodes);
    free(t.sets);
    free(p.steps);
    return *out ? TR_OK : memory && !good ? TR_USAGE : TR_SYSTEM;
}

void tr_regex_free(struct tr_regex *re)
{
    free(re);
}
