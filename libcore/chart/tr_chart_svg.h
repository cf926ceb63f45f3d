/* SPDX-License-Identifier: MIT */
/*
 * Pictures of tables, from their rows and a chart (table/tr_chart.h): SVG that needs neither a network nor a script, is
 * light or dark as its reader prefers, and shows names and values when one points at a mark.
 *
 * Equal tables give equal bytes: coordinates have two decimals, and nothing depends on the locale.
 */
#ifndef TR_CHART_SVG_H
#define TR_CHART_SVG_H

#include "table/tr_chart.h"
#include "table/tr_table.h"

/*
 * Append the picture of a table whose rows are all in memory.  TR_USAGE: its columns cannot be drawn, err says why;
 * TR_SYSTEM: out of memory.
 *
 * picture  NULL: what the columns suggest, without a title
 */
enum tr_status tr_chart_svg(struct tr_table *t, const struct tr_picture *picture, struct tr_buf *out,
                            struct tr_error *err);

/*
 * A picture that a page holds: without what the page says around it, which are its title, its legend, its notes and its
 * style sheet.  tr_chart_figure_free in any case.
 */
#define TR_CHART_LEGEND 8u
struct tr_chart_figure {
    struct tr_buf svg; /* empty: there is nothing to draw */
    struct tr_buf notes; /* what was left out, and the like: plain text, perhaps empty */
    struct {
        struct tr_buf name;  /* plain text */
        const char *classes; /* of a mark of its colour */
    } legend[TR_CHART_LEGEND];
    unsigned n_legend; /* 0: it needs none */
};

/*
 * Draw it so many pixels wide, as high as it needs to be unless the picture says so.  label: what a reader hears in
 * place of the picture.  TR_USAGE: as tr_chart_svg.
 */
enum tr_status tr_chart_figure(struct tr_table *t, const struct tr_picture *picture, unsigned width, const char *label,
                             struct tr_chart_figure *figure, struct tr_error *err);
void tr_chart_figure_free(struct tr_chart_figure *figure);

/* Append the style sheet that all of them share.  False: out of memory. */
bool tr_chart_figure_style(struct tr_buf *out);

#endif
