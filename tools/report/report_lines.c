/* SPDX-License-Identifier: MIT */
/* tr-report: lines on what to look at next: their order, and what puts them in doubt. */
#include "report/report_next.h"

#include <math.h>
#include <stdio.h>

#define MS_FROM 1e7 /* ns */

const char *report_time(double ns, char *text, size_t size)
{
    bool ms = ns >= MS_FROM;
    long long tenths = llround(ns / (ms ? 1e5 : 1e2));
    snprintf(text, size, "%lld.%lld %s", tenths / 10, tenths % 10, ms ? "ms" : "us");
    return text;
}

double report_clock_error(const struct report *r)
{
    double error = NAN;
    for (size_t row = 0, n = r->groups ? tr_table_rows(r->groups) : 0; row < n; row++)
        error = fmax(error, report_cell(r->groups, row, "end_spread_p50")); /* fmax takes the number */
    return error;
}

void report_line(struct report_lines *l, double size, double rank, const char *fmt, ...)
{
    va_list args;
    if (l->failed || !tr_grow(&l->v, &l->cap, l->n + 1, sizeof *l->v)) {
        l->failed = true;
        return;
    }
    struct report_line *line = &l->v[l->n];
    *line = (struct report_line){ .rule = l->rule, .size = size, .rank = rank, .at = l->n };
    l->n++;
    va_start(args, fmt);
    l->failed |= !tr_buf_print_list(&line->what, fmt, args);
    va_end(args);
}

void report_more(struct report_lines *l, const char *fmt, ...)
{
    va_list args;
    if (l->failed)
        return;
    va_start(args, fmt);
    l->failed |= !tr_buf_print_list(&l->v[l->n - 1].what, fmt, args);
    va_end(args);
}

void report_more_text(struct report_lines *l, struct tr_str text)
{
    l->failed = l->failed || !tr_buf_add_text(&l->v[l->n - 1].what, text);
}

/* ---- doubts: each function appends the first reason, and says whether there is one ---- */

/* ---- all of them ---- */
