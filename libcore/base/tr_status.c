/* SPDX-License-Identifier: MIT */
/* Error values: their text, place and cause. */
#include "base/tr_status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void set_what(struct tr_error *err, enum tr_status status, int sys, const char *fmt,
                     va_list ap)
{
    err->status = status;
    err->sys_errno = sys;
    vsnprintf(err->what, sizeof err->what, fmt, ap);
}

enum tr_status tr_fail(struct tr_error *err, enum tr_status status, const char *fmt, ...)
{
    if (err) {
        va_list ap;
        va_start(ap, fmt);
        set_what(err, status, 0, fmt, ap);
        va_end(ap);
    }
    return status;
}

enum tr_status tr_fail_sys(struct tr_error *err, int errno_value, const char *fmt, ...)
{
    if (err) {
        va_list ap;
        va_start(ap, fmt);
        set_what(err, TR_SYSTEM, errno_value, fmt, ap);
        va_end(ap);
    }
    return TR_SYSTEM;
}

enum tr_status tr_fail_memory(struct tr_error *err)
{
    return tr_fail_sys(err, ENOMEM, "out of memory");
}

void tr_error_input(struct tr_error *err, const char *input)
{
    if (err && !err->input[0] && input)
        snprintf(err->input, sizeof err->input, "%s", input);
}

void tr_error_place(struct tr_error *err, const char *fmt, ...)
{
    if (err && !err->place[0]) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(err->place, sizeof err->place, fmt, ap);
        va_end(ap);
    }
}
