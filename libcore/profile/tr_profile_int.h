/* SPDX-License-Identifier: MIT */
/* What pictures and pages of profiles share.  Internal to this folder. */
#ifndef TR_PROFILE_INT_H
#define TR_PROFILE_INT_H

#include "chart/tr_chart_scale_int.h"
#include "profile/tr_profile.h"

/* The picture: boxes of frames from the root down. */
#define TR__FLAME_WIDTH 1200.0
#define TR__FLAME_LEFT  24.0 /* also free on the right */
#define TR__FLAME_TOP   96.0
#define TR__FLAME_BELOW 24.0

/* What the weight measures. */
struct tr__quantity tr__profile_quantity(enum tr_profile_weight w);

/* The width of a box, in the unit of the weight: its total, of two sides the mean of both. */
double tr__profile_measure(const struct tr_profile *p, const struct tr_profile_about *about, uint32_t node);

/* Append the name of a frame for people: plain, and at most its first 1,000 bytes.  False: out of memory. */
bool tr__profile_plain(const struct tr_profile *p, uint32_t node, struct tr_buf *out);

/*
 * Of the nodes that measure at least so much, the n largest; of equal ones the first in order.  A node that takes part
 * is in nodes that do.
 */
struct tr__profile_cut {
    double limit;
    size_t ties; /* nodes that measure just this and take part, if asked for in order */
};
/* False: out of memory. */
bool tr__profile_cut(const struct tr_profile *p, const struct tr_profile_about *about, size_t n, double at_least,
                     struct tr__profile_cut *cut);
/* Does the next node in order take part, which measures m? */
static inline bool tr__profile_takes(struct tr__profile_cut *cut, double m)
{
    return m > 0 && (m > cut->limit || (m == cut->limit && cut->ties && cut->ties--));
}

/* The name of a class of boxes, "" for one that has none: compute, s1. */
#define TR__N_FLAME_CLASSES 9u
enum tr__flame_class { TR__FLAME_SAME = TR_N_PROFILE_KINDS, TR__FLAME_LESS, TR__FLAME_MORE };
const char *tr__flame_classes(unsigned c);

/* The picture; page: its style has the colours of all classes.  TR_SYSTEM: out of memory. */
enum tr_status tr__profile_draw(const struct tr_profile *p, const struct tr_profile_about *about, bool page,
                                struct tr_buf *out, struct tr_error *err);

/* The script of the page: flame.js. */
extern const char tr__flame_script[];

/* The height of a row if there are so many. */
double tr__flame_row(unsigned rows);

#endif
