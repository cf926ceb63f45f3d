/* SPDX-License-Identifier: MIT */
/*
 * The join of two finished tables: the values of both, and the difference, row by row.
 *
 *     base: name count sum      test: name count sum
 *           a        2  10            a        3  16
 *
 *     const struct tr_table_join how = { .main = "sum", .columns = "name,base_count,test_count,base,test,diff" };
 *     tr_table_join_columns(columns, 3, &how, out);     columns of base and test
 *     tr_table_join(base, test, &how, out, &err);
 *
 *     out:  name base_count test_count base test diff
 *           a             2          3   10   16    6
 *
 * Rows are matched by their columns of roles group and key.  The roles of the other columns decide their values:
 *
 *   text                  text of the test, or of the base if only the base has the row
 *   sum, count, share     base_X, test_X, 0 where a table does not have the row; diff_X is test less base
 *   inclusive             as sum
 *   min, max, ratio       as sum, but absent if a table does not have the row
 *   difference, quantile  as min
 *   variance              not a column; the variance of the main column gives noise and sigma
 *
 * The figures of the main column have no X: base, test, diff.  On request, there are also
 *
 *   change    by the first count: added, removed, more, fewer, same
 *   diff_pct  diff in percent of base
 *   noise     the standard error of diff: the square root of the sum of both variances
 *   sigma     diff divided by noise; 0 if both are 0, absent if only noise is 0
 *
 * Rows are in the order of groups and keys, unless tr_table_order changes it.  Rows of one table with
 * equal keys are joined in their order.
 */
#ifndef TR_TABLE_JOIN_H
#define TR_TABLE_JOIN_H

#include "table/tr_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_table_join {
    const char *main;    /* a column of both tables */
    const char *columns; /* of the joined table, in their order, with commas between; NULL: all */
    const char *extra;   /* columns that text shows only on request, with commas between */
};

/*
 * Add the columns of the join of two tables that have the given columns.  out keeps a failure: no memory, no such main
 * column, no such column of the join.
 */
void tr_table_join_columns(const struct tr_table_column *columns, size_t n, const struct tr_table_join *how,
                           struct tr_table *out);

/*
 * Add the rows of the join to a table that has its columns.  All rows of base and test must be in memory.
 *
 * TR_OK; TR_SYSTEM; TR_USAGE: the columns of base and test differ, or tr_table_join_columns failed.
 */
enum tr_status tr_table_join(const struct tr_table *base, const struct tr_table *test,
                             const struct tr_table_join *how, struct tr_table *out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
