/*
 * Texts with their length and regular expressions, which regexec(3) alone takes for C strings.
 *
 *     regex_t re;
 *     regcomp(&re, "gemm", REG_EXTENDED | REG_NOSUB);
 *     if (tr_regex_has(&re, tr_dict_text(d, b->name[i])) == TR_OK) ...
 */
#ifndef TR_REGEX_H
#define TR_REGEX_H

#include "base/tr_status.h"
#include "base/tr_str.h"

#include <regex.h>

#ifdef __cplusplus
extern "C" {
#endif

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
