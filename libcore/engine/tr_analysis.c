/* SPDX-License-Identifier: MIT */
/* Remarks of analyses. */
#include "engine/tr_analysis.h"

#include <stdarg.h>
#include <stdio.h>

void tr_analysis_tell(const struct tr_analysis_in *in, enum tr_tell how, const char *place,
                      const char *fmt, ...)
{
    char text[512];
    va_list ap;
    if (!in->tell)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    in->tell(in->tell_self, how, place, text);
}
