/* SPDX-License-Identifier: MIT */
/* Tables as pictures. */
#include "chart/tr_chart_sinks.h"
#include "chart/tr_chart_svg.h"
#include "table/tr_table_int.h"

static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    (void)t;
    (void)out;
    (void)err;
    return TR_OK; /* all are needed first */
}

static enum tr_status end(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    enum tr_status st = tr_chart_svg(t, t->picture, out, err);
    return st == TR_OK ? TR_END : st;
}

const struct tr_row_sink tr_row_sink_svg = { .name = "svg", .draws = true, .rows = rows, .end = end };
