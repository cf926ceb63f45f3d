/* SPDX-License-Identifier: MIT */
/* Regular expressions: what one would cost, compiling, and texts that may hold a zero byte. */
#include "base/tr_regex.h"

#include "base/tr_num.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- what an expression costs ---- */

#define MOST (UINT64_C(1) << 31) /* larger counts are cut to this, so that none overflows */

struct cost {
    uint64_t places, forks; /* characters; choices between them */
};

struct group {
    struct cost sum, last; /* what is finished; what a repetition would be about */
};

struct reading {
    const char *p;
    struct group group[TR_REGEX_MAX_DEPTH + 1];
    unsigned depth;
    uint64_t written; /* characters as they stand */
};

static struct cost add(struct cost a, struct cost b)
{
    struct cost c = { a.places + b.places, a.forks + b.forks };
    return (struct cost){ c.places > MOST ? MOST : c.places, c.forks > MOST ? MOST : c.forks };
}

static void put(struct group *g, struct cost last)
{
    g->sum = add(g->sum, g->last);
    g->last = last;
}

/* What came last stands in copies, with so many choices among them. */
static void repeat(struct group *g, uint64_t copies, uint64_t forks)
{
    copies += copies == 0;
    struct cost c = { g->last.places * copies, g->last.forks * copies };
    g->last = add(c, (struct cost){ 0, forks });
}

/* A whole number, 0 if there is none; large ones are all the same. */
static uint64_t number(const char **p)
{
    uint64_t v = 0;
    *p += tr_num_digits(*p, SIZE_MAX, MOST, &v, NULL);
    return v;
}

/* {m}, {m,}, {,n} or {m,n} at r->p; false: the brace is something else. */
static bool repeat_braces(struct reading *r, struct group *g)
{
    const char *at = r->p + 1, *from = at;
    uint64_t least = number(&at), most = least, forks = 0;
    if (*at == ',' && at[1] == '}') {
        at++;
        most = least + 1;
        forks = 1;
    } else if (*at == ',') {
        at++;
        most = number(&at);
        forks = most > least ? most - least : 0;
    }
    if (*at != '}' || at == from)
        return false;
    repeat(g, most, forks);
    r->p = at;
    return true;
}

/* The end of the bracket expression that p begins: its ']', or the last byte of the text. */
static const char *skip_bracket(const char *p)
{
    const char *end = p + 1;
    end += *end == '^';
    end += *end == ']';
    for (; *end && *end != ']'; end++) {
        if (*end != '[' || !end[1] || !strchr(".=:", end[1]))
            continue;
        const char close[] = { end[1], ']', '\0' };
        end = strstr(end + 2, close);
        if (!end)
            return p + strlen(p) - 1;
        end++;
    }
    return *end ? end : end - 1;
}

static void put_character(struct reading *r, struct group *g, struct cost inside)
{
    r->written++;
    put(g, add(inside, (struct cost){ 1, 0 }));
}

/* One element of the expression; r->p is left at its last byte.  NULL, or why the expression is refused. */
static const char *read_element(struct reading *r)
{
    static const struct cost none = { 0, 0 };
    struct group *g = &r->group[r->depth];
    switch (*r->p) {
    case '(':
        if (r->depth == TR_REGEX_MAX_DEPTH)
            return "more than 200 parentheses inside one another";
        r->group[++r->depth] = (struct group){ none, none };
        break;
    case ')': /* the system knows what to make of one too many */
        if (r->depth)
            put_character(r, &r->group[--r->depth], add(g->sum, g->last));
        break;
    case '|':
        put(g, (struct cost){ 0, 1 });
        break;
    case '*':
    case '?':
        repeat(g, 1, 1);
        break;
    case '+': /* at least one, and any number after it */
        repeat(g, 2, 1);
        break;
    case '{':
        if (!repeat_braces(r, g))
            put_character(r, g, none);
        break;
    case '[':
        r->p = skip_bracket(r->p);
        put_character(r, g, none);
        break;
    case '\\':
        if (r->p[1] >= '1' && r->p[1] <= '9')
            return "a back-reference such as \\1 can take time without end";
        r->p += r->p[1] != '\0';
        put_character(r, g, none);
        break;
    default:
        put_character(r, g, none);
        break;
    }
    return NULL;
}

/* NULL, or which limit the expression goes beyond. */
static const char *too_costly(const char *text)
{
    struct reading r = { .p = text };
    const char *why = NULL;
    for (; *r.p && !why; r.p++)
        why = read_element(&r);
    struct cost all = { 0, 0 };
    for (unsigned i = 0; i <= r.depth; i++)
        all = add(all, add(r.group[i].sum, r.group[i].last));
    if (!why && all.places > r.written + (r.written > TR_REGEX_MAX_COPIES ? r.written : TR_REGEX_MAX_COPIES))
        why = "its repetitions stand for more than 1000 characters";
    if (!why && all.forks > TR_REGEX_MAX_FORKS)
        why = "more than 5000 choices (| * + ? and repetitions)";
    return why;
}

/* ---- compiling and matching ---- */

enum tr_status tr_regex_compile(regex_t *re, const char *text, char why[TR_REGEX_WHY])
{
    const char *refused = too_costly(text);
    int rc = refused ? 0 : regcomp(re, text, REG_EXTENDED | REG_NOSUB);
    if (refused)
        snprintf(why, TR_REGEX_WHY, "%s", refused);
    else if (rc != 0 && rc != REG_ESPACE)
        regerror(rc, re, why, TR_REGEX_WHY);
    return rc == REG_ESPACE ? TR_SYSTEM : rc != 0 || refused ? TR_USAGE : TR_OK;
}

enum tr_status tr_regex_has(const regex_t *re, struct tr_str text)
{
    errno = 0;
#if HAVE_DECL_REG_STARTEND
    regmatch_t all = { .rm_so = 0, .rm_eo = (regoff_t)text.len };
    int rc = regexec(re, text.s, 0, &all, REG_STARTEND);
#else
    int rc = regexec(re, text.s, 0, NULL, 0);
#endif
    if (rc == REG_ESPACE || (rc && errno == ENOMEM)) /* glibc may call it no match */
        return TR_SYSTEM;
    return rc == 0 ? TR_OK : TR_NO;
}
