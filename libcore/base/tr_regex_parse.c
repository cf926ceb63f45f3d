/* SPDX-License-Identifier: MIT */
/* Regular expressions: from text to a tree. */
#include "base/tr_regex_int.h"

#include "base/tr_mem.h"

#include <string.h>

#define NO_NODE   TR__RE_NONE
#define NO_LIMIT  TR__RE_NONE
#define MAX_COUNT 32767u /* as RE_DUP_MAX of POSIX systems */

struct parser {
    struct tr__re_tree *t;
    const char *from, *p;
    unsigned depth; /* parentheses open */
    bool any_case;
};

static uint32_t refuse_at(struct parser *ps, const char *where, const char *why)
{
    if (!ps->t->why) {
        ps->t->why = why;
        ps->t->at = (size_t)(where - ps->from);
    }
    return NO_NODE;
}

static uint32_t refuse(struct parser *ps, const char *why)
{
    return refuse_at(ps, ps->p, why);
}

static uint32_t no_memory(struct parser *ps)
{
    ps->t->no_memory = true;
    return refuse(ps, "out of memory");
}

static uint32_t add_node(struct parser *ps, enum tr__re_kind kind, uint32_t child)
{
    struct tr__re_tree *t = ps->t;
    if (t->n_nodes >= NO_NODE - 1 || !tr_grow(&t->nodes, &t->cap_nodes, t->n_nodes + 1, sizeof *t->nodes))
        return no_memory(ps);
    t->nodes[t->n_nodes] = (struct tr__re_node){ .kind = (uint8_t)kind, .height = 1, .child = child, .next = NO_NODE };
    return (uint32_t)t->n_nodes++;
}

/* Update the height of a node after a part below it was added.  False: the tree is too high. */
static bool put_below(struct parser *ps, uint32_t node, uint32_t part)
{
    struct tr__re_node *n = ps->t->nodes;
    if (n[part].height >= 3 * TR_REGEX_MAX_DEPTH) {
        refuse(ps, "more than 200 parentheses and repetitions inside one another");
        return false;
    }
    if (n[node].height <= n[part].height)
        n[node].height = (uint16_t)(n[part].height + 1);
    return true;
}

static uint32_t add_test(struct parser *ps, enum tr__re_test test)
{
    uint32_t n = add_node(ps, TR__RE_TEST, NO_NODE);
    if (n != NO_NODE)
        ps->t->nodes[n].test = (uint8_t)test;
    return n;
}

/* ---- sets of characters ---- */

static void put(struct tr__re_set *s, unsigned c)
{
    s->bits[c >> 5 & 7] |= 1u << (c & 31);
}

/* Add the other case of the letters in a set, if case does not matter.  Before the set is inverted. */
static void fold(const struct parser *ps, struct tr__re_set *s)
{
    for (unsigned c = 'a'; ps->any_case && c <= 'z'; c++)
        if (tr__re_has(s, (unsigned char)c) || tr__re_has(s, (unsigned char)(c - 32))) {
            put(s, c);
            put(s, c - 32);
        }
}

static void invert(struct tr__re_set *s)
{
    for (unsigned i = 0; i < 8; i++)
        s->bits[i] = ~s->bits[i];
}

static uint32_t add_set(struct parser *ps, const struct tr__re_set *s)
{
    struct tr__re_tree *t = ps->t;
    size_t look = t->n_sets < 64 ? t->n_sets : 64; /* most expressions have few */
    for (size_t i = 0; i < look; i++)
        if (!memcmp(&t->sets[i], s, sizeof *s))
            return add_node(ps, TR__RE_SET, (uint32_t)i);
    if (!tr_grow(&t->sets, &t->cap_sets, t->n_sets + 1, sizeof *t->sets))
        return no_memory(ps);
    t->sets[t->n_sets] = *s;
    return add_node(ps, TR__RE_SET, (uint32_t)t->n_sets++);
}

static bool is_blank(unsigned c)
{
    return c == ' ' || c - '\t' + 0u < 5u;
}

/* Is c, below 128, in the class? */
static bool in_class(unsigned class, unsigned c)
{
    bool upper = c - 'A' < 26u, lower = c - 'a' < 26u, digit = c - '0' < 10u, graph = c - '!' < 94u;
    const bool in[] = { upper || lower, digit, upper || lower || digit, upper, lower, is_blank(c),
                        c == ' ' || c == '\t', graph && !upper && !lower && !digit, graph || c == ' ', graph,
                        c < 32 || c == 127, digit || (c | 32) - 'a' < 6u };
    return in[class];
}

/* Parse [:name:] at ps->p.  False: there is none. */
static bool put_class(struct parser *ps, struct tr__re_set *s)
{
    static const char *const names[] = { "alpha", "digit", "alnum", "upper", "lower", "space",
                                         "blank", "punct", "print", "graph", "cntrl", "xdigit" };
    const char *name = ps->p + 2, *end = strstr(name, ":]");
    for (unsigned k = 0; end && k < sizeof names / sizeof *names; k++) {
        if (strlen(names[k]) != (size_t)(end - name) || strncmp(names[k], name, (size_t)(end - name)) != 0)
            continue;
        for (unsigned c = 0; c < 128; c++)
            if (in_class(k, c))
                put(s, c);
        ps->p = end + 2;
        return true;
    }
    refuse(ps, end ? "no such class of characters" : "[ without ]");
    return false;
}

/* An end of a range: a character, [.c.] or [=c=].  -1: there is none. */
static int bracket_char(struct parser *ps)
{
    const char *p = ps->p;
    if (p[0] != '[' || (p[1] != '.' && p[1] != '=')) {
        ps->p++;
        return (unsigned char)*p;
    }
    if (!p[2] || p[3] != p[1] || p[4] != ']') {
        refuse(ps, "no single character between [. and .]");
        return -1;
    }
    ps->p += 5;
    return (unsigned char)p[2];
}

static bool put_range(struct parser *ps, struct tr__re_set *s)
{
    const char *at = ps->p;
    int from = bracket_char(ps), to = from;
    if (from >= 0 && ps->p[0] == '-' && ps->p[1] && ps->p[1] != ']') {
        ps->p++;
        to = bracket_char(ps);
    }
    if (from < 0 || to < 0)
        return false;
    if (to < from) {
        refuse_at(ps, at, "a range that ends before it starts");
        return false;
    }
    for (int c = from; c <= to; c++)
        put(s, (unsigned)c);
    return true;
}

static uint32_t bracket(struct parser *ps)
{
    struct tr__re_set s = { { 0 } };
    const char *open = ps->p++;
    bool all_but = *ps->p == '^';
    ps->p += all_but;
    for (bool first = true; first || *ps->p != ']'; first = false) {
        if (!*ps->p)
            return refuse_at(ps, open, "[ without ]");
        if (!(ps->p[0] == '[' && ps->p[1] == ':' ? put_class(ps, &s) : put_range(ps, &s)))
            return NO_NODE;
    }
    ps->p++;
    fold(ps, &s);
    if (all_but)
        invert(&s);
    return add_set(ps, &s);
}

/* ---- characters ---- */

/* \w and the like: the characters of words or blanks, or all others. */
static uint32_t named_set(struct parser *ps, char name)
{
    struct tr__re_set s = { { 0 } };
    for (unsigned c = 0; c < 128; c++)
        if ((name | 32) == 'w' ? tr__re_is_word((unsigned char)c) : is_blank(c))
            put(&s, c);
    if (name == 'W' || name == 'S')
        invert(&s);
    return add_set(ps, &s);
}

static uint32_t escaped(struct parser *ps)
{
    static const struct {
        char c;
        enum tr__re_test test;
    } tests[] = { { 'b', TR__RE_WORD_EDGE }, { 'B', TR__RE_NO_EDGE }, { '<', TR__RE_WORD_START },
                  { '>', TR__RE_WORD_END },  { '`', TR__RE_START },   { '\'', TR__RE_END } };
    struct tr__re_set s = { { 0 } };
    char c = ps->p[1];
    if (!c)
        return refuse(ps, "a backslash at the end");
    if (c >= '1' && c <= '9')
        return refuse(ps, "a back-reference, which is not supported");
    ps->p += 2;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (tests[i].c == c)
            return add_test(ps, tests[i].test);
    if (c == 'w' || c == 'W' || c == 's' || c == 'S')
        return named_set(ps, c);
    put(&s, (unsigned char)c);
    fold(ps, &s);
    return add_set(ps, &s);
}

/* ---- groups, branches and repetitions ---- */

static uint32_t group(struct parser *ps);

static uint32_t parentheses(struct parser *ps)
{
    const char *open = ps->p;
    if (ps->depth == TR_REGEX_MAX_DEPTH)
        return refuse(ps, "more than 200 parentheses inside one another");
    ps->p++;
    ps->depth++;
    uint32_t g = group(ps);
    ps->depth--;
    if (g == NO_NODE)
        return NO_NODE;
    if (*ps->p != ')')
        return refuse_at(ps, open, "( without )");
    ps->p++;
    return g;
}

static uint32_t atom(struct parser *ps)
{
    struct tr__re_set s = { { 0 } };
    switch (*ps->p) {
    case '(':
        return parentheses(ps);
    case '[':
        return bracket(ps);
    case '\\':
        return escaped(ps);
    case '^':
    case '$':
        return add_test(ps, *ps->p++ == '^' ? TR__RE_START : TR__RE_END);
    case '*':
    case '+':
    case '?':
    case '{':
        return refuse(ps, "nothing to repeat");
    case '.':
        ps->p++;
        put(&s, 0);
        invert(&s);
        return add_set(ps, &s);
    default:
        put(&s, (unsigned char)*ps->p++);
        fold(ps, &s);
        return add_set(ps, &s);
    }
}

/* A whole number; numbers larger than all allowed ones are not distinguished.  False: there is none. */
static bool number(const char **p, uint32_t *value)
{
    const char *from = *p;
    for (*value = 0; **p >= '0' && **p <= '9'; ++*p)
        if (*value <= MAX_COUNT)
            *value = *value * 10 + (uint32_t)(**p - '0');
    return *p > from;
}

/* Parse {m}, {m,}, {,n} or {m,n} at ps->p.  False: there is none. */
static bool braces(struct parser *ps, uint32_t *min, uint32_t *max)
{
    const char *at = ps->p + 1;
    bool some = number(&at, min);
    *max = *min;
    if (*at == ',') {
        at++;
        some = true;
        if (!number(&at, max))
            *max = NO_LIMIT;
    }
    if (!some || *at != '}')
        refuse(ps, *at ? "no {m}, {m,}, {,n} or {m,n}" : "{ without }");
    else if (*min > MAX_COUNT || (*max != NO_LIMIT && *max > MAX_COUNT))
        refuse(ps, "more than 32767 repetitions");
    else if (*min > *max)
        refuse(ps, "the minimum of repetitions is above the maximum");
    else
        ps->p = at + 1;
    return !ps->t->why;
}

static uint32_t repeat(struct parser *ps, uint32_t child, uint32_t min, uint32_t max)
{
    struct tr__re_node *x = &ps->t->nodes[child];
    bool inner = x->kind == TR__RE_REPEAT && x->min <= 1 && (x->max == NO_LIMIT || x->max == 1);
    if (inner && min <= 1 && (max == NO_LIMIT || max == 1)) { /* several * + ? in a row become one */
        x->min = x->min && min;
        x->max = x->max == NO_LIMIT || max == NO_LIMIT ? NO_LIMIT : 1;
        return child;
    }
    uint32_t r = add_node(ps, TR__RE_REPEAT, child);
    if (r == NO_NODE || !put_below(ps, r, child))
        return NO_NODE;
    ps->t->nodes[r].min = min;
    ps->t->nodes[r].max = max;
    return r;
}

static uint32_t piece(struct parser *ps)
{
    uint32_t a = atom(ps), min, max;
    while (a != NO_NODE && *ps->p && strchr("*+?{", *ps->p)) {
        char c = *ps->p;
        if (ps->t->nodes[a].kind == TR__RE_TEST)
            return refuse(ps, "nothing to repeat");
        if (c == '{') {
            if (!braces(ps, &min, &max))
                return NO_NODE;
        } else {
            ps->p++;
            min = c == '+';
            max = c == '?' ? 1 : NO_LIMIT;
        }
        a = repeat(ps, a, min, max);
    }
    return a;
}

static uint32_t branch(struct parser *ps)
{
    uint32_t b = add_node(ps, TR__RE_BRANCH, NO_NODE), last = NO_NODE;
    while (b != NO_NODE && *ps->p && *ps->p != '|' && !(*ps->p == ')' && ps->depth)) {
        uint32_t x = piece(ps);
        if (x == NO_NODE || !put_below(ps, b, x))
            return NO_NODE;
        *(last == NO_NODE ? &ps->t->nodes[b].child : &ps->t->nodes[last].next) = x;
        last = x;
    }
    return b;
}

static uint32_t group(struct parser *ps)
{
    uint32_t g = add_node(ps, TR__RE_GROUP, NO_NODE), last = NO_NODE;
    while (g != NO_NODE) {
        uint32_t b = branch(ps);
        if (b == NO_NODE || !put_below(ps, g, b))
            return NO_NODE;
        *(last == NO_NODE ? &ps->t->nodes[g].child : &ps->t->nodes[last].next) = b;
        last = b;
        if (*ps->p != '|')
            break;
        ps->p++;
    }
    return g;
}

uint32_t tr__regex_parse(struct tr__re_tree *t, const char *text, bool any_case)
{
    struct parser ps = { .t = t, .from = text, .p = text, .any_case = any_case };
    return group(&ps);
}
