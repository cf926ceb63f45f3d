/* SPDX-License-Identifier: MIT */
/* What files of rules have in common. */
#include "base/tr_rule_text.h"

#include <string.h>

enum tr_status tr_rule_text_check(const char *name, const char *text, size_t len, struct tr_error *err)
{
    unsigned number = 0;
    enum tr_status st = TR_OK;
    for (size_t at = 0; at < len && st == TR_OK;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        number++;
        if (memchr(text + at, '\0', n))
            st = tr_fail(err, TR_USAGE, "holds a zero byte: not a text");
        else if (n > TR_RULE_LINE_MAX)
            st = tr_fail(err, TR_USAGE, "has %zu bytes: at most %u are expected", n, TR_RULE_LINE_MAX);
        at += n + 1;
    }
    if (st != TR_OK) {
        tr_error_place(err, "line %u", number);
        tr_error_input(err, name);
    }
    return st;
}
