/* SPDX-License-Identifier: MIT */
/*
 * A picture that is being drawn: its points in the order of drawing, its series as classes of colours, its facets as
 * panels, and what all kinds of charts have around their marks: axes, grid, legend, title.
 *
 * Panels share their scales.  The drawing of a kind gets a panel's outer box, and makes room in it for its labels.
 */
#ifndef TR_CHART_DRAW_INT_H
#define TR_CHART_DRAW_INT_H

#include "chart/tr_chart_data_int.h"
#include "chart/tr_svg_int.h"

#define TR__MAX_PANELS 12u
#define TR__TICK_PX    11.0
#define TR__TEXT_PX    12.0

struct tr__box {
    double x0, y0, x1, y1;
};

struct tr__drawing {
    struct tr__svg svg;
    struct tr__chart_data d;
    const struct tr_picture *about;
    double width, height;
    bool figure;      /* of a page, which has title and legend */
    unsigned abreast; /* panels beside each other */
    bool columns;     /* bars stand from x.from to x.to */
    const char *title;
    struct tr_buf own_title;
    struct tr_buf notes; /* for the subtitle, with " · " between */
    /* classes: the largest series, and the others as the last one */
    unsigned n_classes;
    uint32_t class_series[TR__MAX_SERIES + 1]; /* TR_NO_STR: the others */
    enum tr__colour colours[TR__MAX_SERIES + 1];
    bool legend; /* classes are explained at the top, not beside their marks */
    /* panels: points from [first[i], first[i + 1]) of facet i */
    unsigned n_panels;
    size_t first[TR__MAX_PANELS + 1];
    struct tr__scale x, y;
    double top; /* the greatest value of a heat map, or number of points of a cell */
    bool ramp;  /* levels are explained at the top: from 0 to top */
    struct tr__quantity ramp_q;
};

/* Choose the classes, sort the points, and divide them into panels. */
void tr__arrange_points(struct tr__drawing *p);

/* Sort the points of a panel by their place, then by x. */
void tr__sort_rows(struct tr__drawing *p, unsigned panel);

/* Append a note for the subtitle, as printf. */
void tr__note(struct tr__drawing *p, const char *fmt, ...) TR_PRINTF(2, 3);

/* The name of a class, to be shown; tr_buf_free it. */
void tr__class_name(struct tr__drawing *p, unsigned c, struct tr_buf *out);

/* The names of all classes in at most a width, no two of them equal; tr_buf_free them. */
void tr__class_labels(struct tr__drawing *p, double width, struct tr_buf *labels);

/* The box of a panel in the picture, with its heading drawn if there are several. */
struct tr__box tr__panel(struct tr__drawing *p, unsigned panel, bool side_by_side);
/* The box inside the axes of a panel, with so much room on the right; the scales x and y are set to it. */
struct tr__box tr__plot(struct tr__drawing *p, const struct tr__box *panel, double right);

/* The width of the widest tick label of a scale. */
double tr__ticks_width(const struct tr__scale *s);
/* Grid and labels of the axes of a plot. */
void tr__axis_x(struct tr__drawing *p, const struct tr__box *plot);
void tr__axis_y(struct tr__drawing *p, const struct tr__box *plot);
/* The title of an axis with its unit: of a column, or the word for what several columns measure. */
void tr__axis_titles(struct tr__drawing *p, size_t x_column, bool x_unit, size_t y_column, bool y_unit);

/* A text that is shown when one points at a mark: its names and the printed value. */
void tr__hover(struct tr__drawing *p, const struct tr__point *at, struct tr_buf *out);

/* Make a range contain a number; NaN changes nothing. */
void tr__range(double v, double *lo, double *hi);

/* The number of panels beside each other. */
unsigned tr__panel_columns(const struct tr__drawing *p, bool side_by_side);
/* The height that bars need as rows; 0: they are columns. */
double tr__bars_height(struct tr__drawing *p);

/*
 * What stands around the marks: the title; a frame with the reason if there is nothing to draw; and at the end, with
 * the subtitle, the whole picture, appended.  False: out of memory, also for anything before.
 */
void tr__draw_title(struct tr__drawing *p);
void tr__draw_nothing(struct tr__drawing *p, const char *why);
bool tr__draw_end(struct tr__drawing *p, struct tr_buf *out);

/* The charts, into all panels. */
void tr__draw_bars(struct tr__drawing *p);
void tr__draw_histogram(struct tr__drawing *p);
void tr__draw_lines(struct tr__drawing *p);
void tr__draw_scatter(struct tr__drawing *p);
void tr__draw_heat(struct tr__drawing *p);
void tr__draw_band(struct tr__drawing *p);
void tr__draw_flame(struct tr__drawing *p);

#endif
