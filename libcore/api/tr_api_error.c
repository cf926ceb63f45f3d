/* SPDX-License-Identifier: MIT */
/* The public interface: version, errors. */
#include "api/tr_api_int.h"

#include "base/tr_num.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned tr_abi(void)
{
    return TR_ABI;
}

const char *tr_version(void)
{
    return PACKAGE_VERSION;
}

bool tr__api_take(void *own, size_t own_size, const void *theirs)
{
    size_t size;
    memcpy(&size, theirs, sizeof size);
    memset(own, 0, own_size);
    memcpy(own, theirs, size < own_size ? size : own_size);
    return size >= sizeof size;
}

void tr__api_give(void *theirs, const void *own, size_t own_size)
{
    size_t size;
    memcpy(&size, theirs, sizeof size);
    if (size > sizeof size)
        memcpy((char *)theirs + sizeof size, (const char *)own + sizeof size,
               (size < own_size ? size : own_size) - sizeof size);
}

struct tr_error *tr_error_new(void)
{
    return calloc(1, sizeof(struct tr_error));
}

void tr_error_free(struct tr_error *err)
{
    free(err);
}

void tr_error_clear(struct tr_error *err)
{
    *err = (struct tr_error)TR_ERROR_INIT;
}

/* strerror_r has two forms.  The compiler chooses by the type of its result. */
static inline const char *reason_of_int(int failed, const char *buf)
{
    return failed ? "unknown error" : buf;
}

static inline const char *reason_of_text(const char *text, const char *buf)
{
    (void)buf;
    return text;
}
#define REASON(known, buf) _Generic((known), int: reason_of_int, char *: reason_of_text)(known, buf)

const char *tr_error_text(const struct tr_error *err, char *text, size_t size)
{
    char buf[128] = "";
    /* for "out of memory", strerror repeats the reason in other words */
    bool known = err->sys_errno && err->sys_errno != ENOMEM;
    const char *reason = known ? REASON(strerror_r(err->sys_errno, buf, sizeof buf), buf) : "";
    const char *const parts[] = { err->input, err->place, err->what, reason };
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts && at < size; i++)
        if (*parts[i])
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ": " : "", parts[i]);
    return text;
}

/* The number after "byte" in a place: "block 17, byte 1912340", "compressed byte 12". */
static int64_t offset_of(const char *place)
{
    static const char word[] = "byte ";
    const char *at = strstr(place, word);
    uint64_t value;
    if (!at || (at > place && at[-1] != ' '))
        return TR_I64_NONE;
    at += sizeof word - 1;
    return tr_num_digits(at, strlen(at), INT64_MAX, &value, NULL) ? (int64_t)value : TR_I64_NONE;
}

void tr_error_fields(const struct tr_error *err, struct tr_error_info *info)
{
    struct tr_error_info own = { .status = err->status, .sys_errno = err->sys_errno,
                                 .offset = offset_of(err->place),
                                 .input = err->input, .place = err->place, .what = err->what };
    tr__api_give(info, &own, sizeof own);
}

enum tr_status tr_fail_text(struct tr_error *err, enum tr_status status, const char *what)
{
    return tr_fail(err, status, "%s", what);
}
