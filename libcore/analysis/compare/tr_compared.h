/* SPDX-License-Identifier: MIT */
/*
 * Described tables of one view, beside each other: a base, and one test or several.
 *
 *     tr_compared_new(tables, names, 2, NULL, &c, &err);
 *     tr_compared_columns(c, t);
 *     st = tr_compared_fill(c, t, &err);
 *     tr_compared_free(c);
 *
 * Rows are matched by their keys.  Of the other columns, texts, moments and ranks say what a row is; figures are
 * compared: base_X, test_X, diff_X, and pct_X unless X is in percent.  A column says which tables have the row.
 */
#ifndef TR_COMPARED_H
#define TR_COMPARED_H

#include "table/tr_table.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_COMPARED_MAX 8u /* tables */
struct tr_compared;

/*
 * tables and names, for messages, are borrowed until the end; all rows are in memory.  keys: names of columns with
 * commas between, NULL: as the tables say.  TR_DAMAGED: one has no column for a key.  Free *out in any case.
 */
enum tr_status tr_compared_new(struct tr_table *const *tables, const char *const *names, size_t n, const char *keys,
                               struct tr_compared **out, struct tr_error *err);
void tr_compared_free(struct tr_compared *s);
void tr_compared_columns(const struct tr_compared *s, struct tr_table *t);
size_t tr_compared_run(const struct tr_compared *s); /* the column that says which tables have the row */
enum tr_status tr_compared_fill(const struct tr_compared *s, struct tr_table *t, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
