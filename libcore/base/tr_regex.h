/* SPDX-License-Identifier: MIT */
/*
 * Extended regular expressions (POSIX) of bounded cost, matched against texts with their length.
 *
 *     regex_t re;
 *     char why[TR_REGEX_WHY];
 *     if (tr_regex_compile(&re, "gemm", why) == TR_OK && tr_regex_has(&re, tr_dict_text(d, b->name[i])) == TR_OK) ...
 *     regfree(&re);
 *
 * The system's regcomp(3) writes repetitions out, so a short pattern such as ((a{1,100}){1,100}){1,100} can take
 * all memory, and a back-reference can take time that doubles with each byte of the text.  Such patterns are
 * refused before the system sees them, by the four limits below.
 */
#ifndef TR_REGEX_H
#define TR_REGEX_H

#include "base/tr_status.h"
#include "base/tr_str.h"

#include <regex.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_REGEX_WHY        128   /* bytes of a reason */
#define TR_REGEX_MAX_COPIES 1000u /* characters that {m,n} and + add when written out; or the length of the text */
#define TR_REGEX_MAX_FORKS  5000u /* uses of | * + ? and optional copies, written out: memory goes with the square */
#define TR_REGEX_MAX_DEPTH  200u  /* parentheses inside one another */

/*
 * Compile an expression, for tr_regex_has alone; to be released with regfree.  TR_OK; TR_USAGE: why says what is
 * wrong, such as "its repetitions stand for more than 1000 characters", and *re is not set; TR_SYSTEM: no memory.
 */
enum tr_status tr_regex_compile(regex_t *re, const char *text, char why[TR_REGEX_WHY]);

/*
 * Does an expression match somewhere in a text?  text.s[text.len] is 0, as in a table of strings.  A zero byte in
 * the text is a byte like others, which "." does not match; where the system has no REG_STARTEND, the text is
 * seen up to the first one.  TR_OK: yes; TR_NO; TR_SYSTEM: memory ran out, err is left alone.
 */
enum tr_status tr_regex_has(const regex_t *re, struct tr_str text);

#ifdef __cplusplus
}
#endif
#endif
