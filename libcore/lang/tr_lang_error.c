/* SPDX-License-Identifier: MIT */
/* Errors of conditions, with their place in the text. */
#include "lang/tr_lang_int.h"

#include <stdarg.h>
#include <stdio.h>

/* "column 7", or "line 2, column 7" where the text has several lines. */
static void set_place(struct tr_error *err, const char *text, size_t at)
{
    size_t line = 1, from = 0;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            line++;
            from = i + 1;
        }
    }
    size_t end = strcspn(text, "\n");
    if (text[end] && text[end + 1])
        tr_error_place(err, "line %zu, column %zu", line, at - from + 1);
    else
        tr_error_place(err, "column %zu", at - from + 1);
}

bool tr__lang_fail_at(struct tr__parser *p, size_t at, const char *fmt, ...)
{
    if (p->status != TR_OK)
        return false;
    char what[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    p->status = tr_fail(p->err, TR_USAGE, "%s", what);
    set_place(p->err, p->text, at);
    return false;
}

bool tr__lang_fail_mem(struct tr__parser *p)
{
    if (p->status == TR_OK)
        p->status = tr_fail_memory(p->err);
    return false;
}
