/* SPDX-License-Identifier: MIT */
/* Remarks of analyses. */
#include "engine/tr_analysis.h"

#include <stdarg.h>
#include <stdio.h>

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
