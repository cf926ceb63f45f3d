/* SPDX-License-Identifier: MIT */
/*
 * Colours of pictures, as classes of a style sheet, for light and dark.  People with any kind of colour blindness can
 * distinguish them (Okabe and Ito).  Kinds of device work have the same colour in all pictures.
 */
#ifndef TR_CHART_PALETTE_INT_H
#define TR_CHART_PALETTE_INT_H

#include "base/tr_mem.h"

enum tr__colour {
    TR__COMPUTE,
    TR__COMM,
    TR__HIDDEN,
    TR__MEMORY,
    TR__OTHER,
    TR__IDLE,
    TR__SERIES, /* and 5 more */
    TR__SERIES_END = TR__SERIES + 6,
    TR__N_COLOURS = TR__SERIES_END
};
#define TR__MAX_SERIES 6u  /* colours of one picture that are easy to distinguish; one more for the others */
#define TR__LEVELS     10u /* of a heat map */

/* The name in classes: f-NAME fills, k-NAME strokes, t-NAME is text on it; hN fills a level of a heat map. */
const char *tr__colour_name(enum tr__colour c);
const char *tr__colour_hex(enum tr__colour c); /* in light: "#0072B2" */
const char *tr__level_hex(unsigned level);

/* The colour of a kind of device work; TR__N_COLOURS: the name is none. */
enum tr__colour tr__colour_of(struct tr_str name);

/* The colours of n series by their names: those of kinds of device work, and for others the next ones. */
void tr__colours_for(const struct tr_str *names, size_t n, enum tr__colour *colours);

/* The class of a mark in a colour: "f-compute". */
const char *tr__colour_class(enum tr__colour c);

/* Append rules of a style sheet, with the colours of a set of bits, and levels if asked for.  False: out of memory. */
bool tr__style_add(struct tr_buf *out, unsigned colours, bool levels);

#endif
