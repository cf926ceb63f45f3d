/* SPDX-License-Identifier: MIT */
/* The states of analyses, and their remarks. */
#include "engine/tr_analysis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum tr_status tr_analysis_start(const struct tr_analysis *a, const struct tr_analysis_in *in, const void *options,
                                 void **state, struct tr_error *err)
{
    *state = calloc(1, a->state_size);
    return *state ? a->start(in, options, *state, err) : tr_fail_memory(err);
}

void tr_analysis_free(const struct tr_analysis *a, void *state)
{
    if (state && a->free)
        a->free(state);
    free(state);
}

void tr_analysis_remark(const struct tr_analysis_in *in, enum tr_remark_kind how, const char *place,
                        const char *fmt, ...)
{
    char text[512];
    va_list ap;
    if (!in->remark)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    in->remark(in->remark_self, how, place, text);
}
