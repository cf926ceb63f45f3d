/* SPDX-License-Identifier: MIT */
/*
 * Numbers of pictures: what a column of numbers is measured in, the scale of an axis, its ticks, and numbers as people
 * read them.  Nothing here depends on the locale.
 */
#ifndef TR_CHART_SCALE_INT_H
#define TR_CHART_SCALE_INT_H

#include "base/tr_mem.h"
#include "table/tr_table.h"

/* What the numbers of an axis or a mark measure. */
enum tr__measure {
    TR__NUMBER, /* whatever: unit is the text after a number, "" if none */
    TR__TIME,   /* in ns */
    TR__BYTES,
    TR__PERCENT,
};

struct tr__quantity {
    enum tr__measure measure;
    const char *unit;
};

/* A step of units: numbers are divided by scale, and the name stands after them: 1e6 "ms". */
struct tr__scaled {
    double scale;
    const char *name;
};

/* The largest unit in which max has at least 1. */
struct tr__scaled tr__unit_for(struct tr__quantity q, double max);

/* Append a number with so many decimals, thousands apart by commas, U+2212 for minus.  False: out of memory. */
bool tr__number_add(struct tr_buf *out, double v, unsigned decimals);
/* The unit that a number beside a mark has. */
struct tr__scaled tr__mark_unit(struct tr__quantity q, double v);
/* The same with three significant digits, and that unit: "46.8 ms". */
bool tr__number_short(struct tr_buf *out, double v, struct tr__quantity q);
/* The same in a given unit, which is appended if named. */
bool tr__number_in(struct tr_buf *out, double v, struct tr__scaled unit, bool named);

/* Append a coordinate: at most two decimals, none that are 0. */
bool tr__coord_add(struct tr_buf *out, double v);

#define TR__MAX_TICKS 24

struct tr__scale {
    bool log;
    double lo, hi;   /* of the data, after rounding to ticks */
    double from, to; /* pixels of lo and hi */
    struct tr__quantity q;
    struct tr__scaled unit; /* of the ticks of a linear scale */
    unsigned decimals;      /* of these ticks */
    double ticks[TR__MAX_TICKS];
    unsigned n_ticks;
};

/*
 * The scale for values from lo to hi.  A linear one ends at the next tick if that is near.  zero: it has 0.  max_ticks:
 * at most so many.  A logarithmic one is for positive values.
 */
void tr__scale_set(struct tr__scale *s, struct tr__quantity q, double lo, double hi, bool log, bool zero,
                   unsigned max_ticks);
/* The same without ticks at its ends: the data decide where it ends. */
void tr__scale_exact(struct tr__scale *s, struct tr__quantity q, double lo, double hi, unsigned max_ticks);

/* The place of a value in pixels. */
double tr__scale_at(const struct tr__scale *s, double v);

/* Append the label of a tick.  False: out of memory. */
bool tr__tick_label(struct tr_buf *out, const struct tr__scale *s, double tick);

#endif
