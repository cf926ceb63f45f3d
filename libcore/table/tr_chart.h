/* SPDX-License-Identifier: MIT */
/*
 * How the rows of a table can be drawn: which column is what in a picture.  A description draws nothing.
 *
 * Columns have their names without units.  A column that a table does not have, because of its options, is left out of
 * the picture; without x or without any y there is none.
 *
 *     static const struct tr_chart chart = { TR_CHART_STACKED, .x = "step", .y = { "busy", "idle" }, .facet = "rank" };
 *
 * --help-columns shows the part of each column as words: "stacked y".
 */
#ifndef TR_CHART_H
#define TR_CHART_H

#include "base/tr_mem.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tr_chart_kind {
    TR_CHART_BAR,       /* a bar for each x; with series or several y, beside each other */
    TR_CHART_STACKED,   /* the same, on top of each other */
    TR_CHART_HISTOGRAM, /* x: the lower limit of a bin, y: its count */
    TR_CHART_LINE,
    TR_CHART_STEP,      /* a value holds until the next x */
    TR_CHART_SCATTER,
    TR_CHART_HEAT,      /* x and the first y are the axes, the second y is the colour */
    TR_CHART_ROOFLINE,  /* both axes are logarithmic */
    TR_CHART_FLAME,     /* x: the start, y: the length, then the depth; series: the name */
    TR_CHART_BAND,      /* a row of spans. x: the start, y: the length; series: the colour */
    TR_N_CHART_KINDS
};

#define TR_CHART_Y 6u

struct tr_chart {
    enum tr_chart_kind kind;
    const char *x, *y[TR_CHART_Y]; /* y: up to the first that is NULL */
    const char *series;            /* a colour for each value; NULL: none, here and below */
    const char *facet;             /* a picture for each value */
    const char *low, *high;        /* whiskers of the first y */
    bool log_x, log_y;
    bool stacked;     /* of steps: series are on top of each other */
    bool change;      /* of bars: y is a change, less in blue and more in orange, the greatest first */
    const char *sums; /* values of series, or without it of x, with commas between, whose rows only sum up others */
};

/* What stands around a picture of a table.  Texts are borrowed; any may be NULL. */
struct tr_picture {
    const struct tr_chart *chart; /* NULL: what the columns suggest */
    const char *title;            /* the question that the table answers */
    const char *inputs;           /* names of what was read */
    const char *selection;        /* what was selected of it */
    const char *command;          /* that makes the table */
    const char *nothing;          /* the reason if there are no rows */
    unsigned width, height;       /* in pixels; 0: 800 by 500 */
};

/* Its name in --help-columns; "?" for an unknown kind. */
const char *tr_chart_kind_name(enum tr_chart_kind kind);

/*
 * The part of a column in a chart, appended: "bar x", "line y log"; nothing if it has none, or chart is NULL.  False:
 * out of memory.
 */
bool tr_chart_part(const struct tr_chart *chart, const char *column, struct tr_buf *out);

#ifdef __cplusplus
}
#endif
#endif
