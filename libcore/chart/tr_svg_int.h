/* SPDX-License-Identifier: MIT */
/*
 * SVG: elements of a picture, as bytes.  The first failure, which is that memory ran out, is kept.
 *
 *     tr__svg_open(s, "rect"); tr__svg_num(s, "x", 24); tr__svg_class(s, "bg"); tr__svg_close(s, title);
 *
 * Coordinates have at most two decimals.  Texts are escaped here, and are valid UTF-8 without control characters
 * (tr__text_plain).
 */
#ifndef TR_SVG_INT_H
#define TR_SVG_INT_H

#include "chart/tr_chart_palette_int.h"

struct tr__svg {
    struct tr_buf out;
    bool failed;
    unsigned colours; /* used: bits */
    bool levels;
};

void tr__svg_raw(struct tr__svg *s, const char *text);
/* Text or the value of an attribute, escaped. */
void tr__svg_escaped(struct tr__svg *s, const char *text, size_t len);

/* A number after a letter or a blank, as in paths: "M12.5", " 3". */
void tr__svg_at(struct tr__svg *s, const char *before, double v);

/* A rectangle, empty or with a text that appears when one points at it. */
void tr__svg_rect(struct tr__svg *s, double x, double y, double w, double h, const char *classes,
                  const struct tr_buf *hover);
/* The same in the colour of a series; edge: a line of the background around it, if it is wide enough for that. */
void tr__svg_bar(struct tr__svg *s, double x, double y, double w, double h, enum tr__colour c, bool edge,
                 const struct tr_buf *hover);
void tr__svg_line(struct tr__svg *s, double x1, double y1, double x2, double y2, const char *classes);
/* anchor: "", "m" for the middle, "e" for the end. */
void tr__svg_text(struct tr__svg *s, double x, double y, const char *classes, const char *text, size_t len);

#endif
