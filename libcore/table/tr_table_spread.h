/* SPDX-License-Identifier: MIT */
/*
 * How the figures of a table spread over ranks: a row for each figure, or for each key, in place of one for each rank.
 *
 *     struct tr_table *spread = ...;                      arranged, with an output
 *     const struct tr_spread_by by = { .figure = "sum" };
 *     tr_table_spread_columns(of, &by, spread);         of: has a row or more for each rank
 *     st = tr_table_spread(of, &by, spread, &err);      all of its rows are there
 *
 * The rows of a table without keys become a row for each of its figures.  Those of a table with keys become a row for
 * each key, of one figure, the largest medians first; beyond --top, the rest is added up on each rank.  Groups other
 * than ranks, such as captures, stay apart.  A rank without a value does not count.  The roles of columns (enum
 * tr_column_role) say which are figures; moments, ranks and texts are none.
 */
#ifndef TR_TABLE_SPREAD_H
#define TR_TABLE_SPREAD_H

#include "table/tr_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The median of n > 0 values in their order: one of them, of an even number the lower one.  A value that is farther
 * than *far from it is an outlier: by three deviations, estimated from the median absolute deviation, and by 5 %; of
 * fewer than four values none is.  False: out of memory.
 */
bool tr_spread_median(const double *values, size_t n, double *median, double *far);

struct tr_spread_by {
    const char *figure; /* as for tr_table_spread_figure */
    /* Ranks with equal values are apart from others; NULL: all ranks are together. */
    const struct tr_table_column *group;
    struct tr_cell_value (*of_rank)(const void *self, int64_t rank); /* absent: not known */
    const void *self;
};

/* The column whose figures spread, of a table with keys: figure, if that names one, else the first sum or figure.
 * SIZE_MAX: there is no rank, or no figure. */
size_t tr_table_spread_figure(const struct tr_table *of, const char *figure);

/* Add the columns of a spread; and, when all rows of ranks are there, its rows. */
void tr_table_spread_columns(const struct tr_table *of, const struct tr_spread_by *by, struct tr_table *to);
enum tr_status tr_table_spread(const struct tr_table *of, const struct tr_spread_by *by, struct tr_table *to,
                               struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
