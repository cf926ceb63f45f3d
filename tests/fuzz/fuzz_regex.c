/* SPDX-License-Identifier: MIT */
/* Regular expressions: refused with a place, or matched in the same way whatever stands around them. */
#include "base/tr_regex.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int good)
{
    if (!good)
        abort();
}

/* Before, pattern and after it, compiled; NULL: refused. */
static struct tr_regex *compile(const char *before, const char *pattern, const char *after)
{
    char text[400], why[TR_REGEX_WHY] = "";
    struct tr_regex *re;
    snprintf(text, sizeof text, "%s%s%s", before, pattern, after);
    enum tr_status st = tr_regex_compile(&re, text, false, why);
    must((st == TR_OK) == (re != NULL) && (st == TR_OK || st == TR_USAGE) && (st == TR_OK) == !why[0]);
    return re;
}

/* The pattern to the first end of a line, the text after it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, '\n', size);
    size_t n = end ? (size_t)(end - data) : size;
    if (n > 300 || size > 2000 || memchr(data, 0, n))
        return 0;
    char pattern[301];
    memcpy(pattern, data, n);
    pattern[n] = '\0';
    struct tr_str text = { end ? (const char *)end + 1 : "", end ? size - n - 1 : 0 };
    struct tr_regex *re = compile("", pattern, ""), *group = re ? compile("((", pattern, "))") : NULL;
    struct tr_regex *either = re ? compile("\\bx\\B|", pattern, "") : NULL;
    if (re) {
        bool found = tr_regex_has(re, text);
        must(tr_regex_has(re, text) == found);
        size_t from, to;
        must(tr_regex_find(re, text, 0, &from, &to) == found && (!found || (from <= to && to <= text.len)));
        must(!either || !found || tr_regex_has(either, text));
        /* a ) that closes nothing is a character, and closes something inside of parentheses */
        must(!group || strchr(pattern, ')') || tr_regex_has(group, text) == found);
    }
    tr_regex_free(re);
    tr_regex_free(group);
    tr_regex_free(either);
    return 0;
}
