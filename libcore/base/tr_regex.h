/* SPDX-License-Identifier: MIT */
/*
 * Extended regular expressions (POSIX) of bounded cost: is there a match somewhere in a text?
 *
 *     struct tr_regex *re;
 *     char why[TR_REGEX_WHY];
 *     if (tr_regex_compile(&re, "gemm", false, why) == TR_OK && tr_regex_has(re, tr_dict_text(d, b->name[i]))) ...
 *     tr_regex_free(re);
 *
 * Expressions come from files of other people, so they may be hostile.  An expression becomes a program of at most
 * TR_REGEX_MAX_PROGRAM steps.  A text is read once, and all paths through the program are followed in parallel
 * (Thompson 1968; Cox, "Regular expression matching can be simple and fast", 2007).  So the time of a match is at most
 * proportional to the length of the text times the length of the program.  A match allocates no memory.
 * Other libraries do not fit: RE2 has this bound, but is in C++; PCRE2 and Oniguruma backtrack; the system's regcomp(3)
 * and TRE expand repetitions without a limit.
 *
 * The language is that of POSIX (XBD 9.4) with the extensions of GNU:
 *
 *     c  \c       a character; a backslash takes away a special meaning
 *     .           any character except the zero byte
 *     [a-z_] [^]  a set of characters; in it [:alpha:] and so on, [.c.] and [=c=]
 *     (x)  x|y    a group; one or the other
 *     x* x+ x? x{m} x{m,} x{,n} x{m,n}   repetitions
 *     ^ $ \` \'   start and end of the text
 *     \w \W \s \S a character of a word, any other character; a blank, any other character
 *     \b \B \< \> the edge of a word, not an edge, its start, its end
 *
 * Characters are bytes; the letters of classes and words are those of ASCII.  There are no back-references.
 */
#ifndef TR_REGEX_H
#define TR_REGEX_H

#include "base/tr_byte_pairs.h"
#include "base/tr_status.h"
#include "base/tr_str.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_REGEX_WHY         128   /* bytes of a reason */
#define TR_REGEX_MAX_PROGRAM 10000u /* characters and choices of an expression, with its repetitions expanded */
#define TR_REGEX_MAX_DEPTH   200u  /* depth of nested parentheses and repetitions */

struct tr_regex;

/*
 * Compile an expression; release it with tr_regex_free.  any_case: letters of ASCII match both cases.  TR_OK; TR_USAGE:
 * why has the mistake and its place, such as "at byte 3: ( without )", and *out is NULL; TR_SYSTEM: no memory.
 */
enum tr_status tr_regex_compile(struct tr_regex **out, const char *text, bool any_case, char why[TR_REGEX_WHY]);
void tr_regex_free(struct tr_regex *re);

/* Does the expression match somewhere in the text?  The text may have any bytes.  Not for two threads at a time. */
bool tr_regex_has(struct tr_regex *re, struct tr_str text);
/*
 * Where does the first match at or after a place of the text start and end?  Of several that start there, the longest.
 * The time is at most that of tr_regex_has for each place.
 */
bool tr_regex_find(struct tr_regex *re, struct tr_str text, size_t from, size_t *start, size_t *end);
/* Can it match a text with these pairs?  For many expressions and one text, this is much quicker. */
bool tr_regex_may_have(const struct tr_regex *re, const struct tr_byte_pairs *text);

/* A test of names, such as a regular expression. */
struct tr_name_test {
    bool (*match)(void *self, struct tr_str name); /* NULL: every name */
    void *self;
    const char *text; /* the test as text, for partial results; NULL: none */
};

#ifdef __cplusplus
}
#endif
#endif
