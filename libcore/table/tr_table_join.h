/* SPDX-License-Identifier: MIT */
/*
 * The join of two finished tables: what one has, what the other has, and the difference, row by row.
 *
 *     base: name count sum      test: name count sum
 *           a        2  10            a        3  16
 *
 *     const struct tr_table_join how = { .main = "sum", .columns = "name,base_count,test_count,base,test,diff" };
 *     tr_table_join_columns(columns, 3, &how, out);     of base and test, as they are described
 *     tr_table_join(base, test, &how, out, &err);
 *
 *     out:  name base_count test_count base test diff
 *           a             2          3   10   16    6
 *
 * Rows belong together by their columns of roles group and key.  What becomes of the others follows
 * from their roles:
 *
 *   text                  text of the test, where only the base has the row of the base
 *   sum, count, share     base_X, test_X, 0 where a table does not have the row; diff_X is test less base
 *   inclusive             the same
 *   min, max, ratio       the same, absent where a table does not have the row
 *   difference, quantile  likewise
 *   variance              of the main column: what is not known by it alone
 *
 * The figures of the main column have no X: base, test, diff.  Besides there are, if it is asked for,
 *
 *   change    by the first count: added, removed, more, fewer, same
 *   diff_pct  diff in percent of base
 *   noise     the standard error of diff: the square root of both variances added up
 *   sigma     diff divided by noise; 0 where neither is, infinite and so absent where noise alone is 0
 *
 * Rows come in the order of groups and keys; tr_table_order says otherwise.  Rows of one table with
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
    const char *extra;   /* those that text shows only if they are asked for, likewise */
};

/*
 * Add the columns of the join of two tables that have the given columns.  What goes wrong is remembered
 * by out: memory, no such main column, no such column of the join.
 */
void tr_table_join_columns(const struct tr_table_column *columns, size_t n, const struct tr_table_join *how,
                           struct tr_table *out);

/*
 * Add the rows of the join to a table that has its columns.  Rows of base and test must be at hand.
 *
 * TR_OK; TR_SYSTEM; TR_USAGE: the columns of base and test differ, or it went wrong as above.
 */
enum tr_status tr_table_join(const struct tr_table *base, const struct tr_table *test,
                             const struct tr_table_join *how, struct tr_table *out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
