/* SPDX-License-Identifier: MIT */
/*
 * Extended regular expressions (POSIX) of bounded cost: is there a match somewhere in a text?
 *
 *     struct tr_regex *re;
 *     char why[TR_REGEX_WHY];
 *     if (tr_regex_compile(&re, "gemm", why) == TR_OK && tr_regex_has(re, tr_dict_text(d, b->name[i]))) ...
 *     tr_regex_free(re);
 *
 * Expressions come from files that are passed around, so they may be hostile.  One is written out as a program of at
 * most TR_REGEX_MAX_PROGRAM steps, and a text is read once while all paths through the program are followed side by
 * side (Thompson 1968; Cox, "Regular expression matching can be simple and fast", 2007).  So a match takes time by
 * the length of the text times that of the program, whatever both hold, and no memory beyond what compiling took.
 * Libraries of Debian do not have that: those with this bound are in C++ (RE2), others go back over the text (PCRE2,
 * Oniguruma), or write repetitions out without a limit (the system's regcomp(3), TRE).
 *
 * The language is that of POSIX (XBD 9.4) with what GNU adds:
 *
 *     c  \c       a character, or one that would mean something else
 *     .           any character but the zero byte
 *     [a-z_] [^]  a set of characters; in it [:alpha:] and so on, [.c.] and [=c=]
 *     (x)  x|y    a group; one or the other
 *     x* x+ x? x{m} x{m,} x{,n} x{m,n}   repetitions
 *     ^ $ \` \'   begin and end of the text
 *     \w \W \s \S characters of words, of blanks, and the others
 *     \b \B \< \> an edge of a word, none, its begin, its end
 *
 * Characters are bytes; classes and words know those of ASCII.  There are no back-references.
 */
#ifndef TR_REGEX_H
#define TR_REGEX_H

#include "base/tr_status.h"
#include "base/tr_str.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_REGEX_WHY         128   /* bytes of a reason */
#define TR_REGEX_MAX_PROGRAM 10000u /* characters and choices of an expression, its repetitions written out */
#define TR_REGEX_MAX_DEPTH   200u  /* parentheses and repetitions inside one another */

struct tr_regex;

/*
 * Compile an expression, to be released with tr_regex_free.  TR_OK; TR_USAGE: why says what is wrong and where, such
 * as "at byte 3: ( without )", and *out is NULL; TR_SYSTEM: no memory.
 */
enum tr_status tr_regex_compile(struct tr_regex **out, const char *text, char why[TR_REGEX_WHY]);
void tr_regex_free(struct tr_regex *re);

/* Does an expression match somewhere in a text, which may hold any bytes?  Not for two threads at a time. */
bool tr_regex_has(struct tr_regex *re, struct tr_str text);

#ifdef __cplusplus
}
#endif
#endif
