/* SPDX-License-Identifier: MIT */
/* Columns and rows of sums of groups.  Internal to tr_by_sum.c. */
#ifndef TR_SUM_ROWS_INT_H
#define TR_SUM_ROWS_INT_H

#include "analysis/sums/tr_sum_int.h"

/* The data of a row in addition to its group. */
struct tr__sum_shown {
    const struct tr_sum_options *options;
    const struct tr__sum_keys *keys;
    double total;    /* of all values */
    uint64_t events; /* number of events with a value */
};

/* The statistics that are shown; returns their number. */
size_t tr__sum_stats(const struct tr_sum_options *o, struct tr_sum_stat stats[TR_SUM_STATS]);
bool tr__sum_asks(const struct tr_sum_options *o, enum tr_sum_what what);
/* Do all values have to be kept? */
bool tr__sum_asks_values(const struct tr_sum_options *o);

void tr__sum_columns(const struct tr_sum_options *o, struct tr_table *t);

/* Add the row or rows of a group.  False: out of memory. */
bool tr__sum_row(const struct tr__sum_shown *s, const struct tr__sum_group *group, struct tr_table *t);

#endif
