/* Regular expressions and texts that may hold a zero byte. */
#include <config.h>

#include "base/tr_regex.h"

#include <errno.h>

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
