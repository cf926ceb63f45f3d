/* SPDX-License-Identifier: MIT */
/* Descriptions of charts as words. */
#include "table/tr_chart.h"

#include <string.h>

const char *tr_chart_kind_name(enum tr_chart_kind kind)
{
    static const char *const names[TR_N_CHART_KINDS] = { "bar",  "stacked",  "histogram", "line", "step", "scatter",
                                                         "heat", "roofline", "flame",     "band" };
    return (unsigned)kind < TR_N_CHART_KINDS ? names[kind] : "?";
}

static bool same(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

bool tr_chart_part(const struct tr_chart *chart, const char *column, struct tr_buf *out)
{
    const char *part = NULL;
    bool log = false;
    if (!chart)
        return true;
    for (size_t i = 0; i < TR_CHART_Y && chart->y[i] && !part; i++)
        if (same(chart->y[i], column)) {
            part = "y";
            log = chart->log_y;
        }
    if (same(chart->x, column)) {
        part = "x";
        log = chart->log_x;
    } else if (!part) {
        part = same(chart->series, column) ? "series"
               : same(chart->facet, column) ? "facet"
               : same(chart->low, column)   ? "low"
               : same(chart->high, column)  ? "high"
                                            : NULL;
    }
    return !part || tr_buf_print(out, "%s %s%s", tr_chart_kind_name(chart->kind), part, log ? " log" : "");
}
