/* SPDX-License-Identifier: MIT */
/*
 * Tables of a stream as tables of results, for people and scripts.
 *
 *     st = tr_side_rows(in->dict, in->tables, "samples", t, &err);   after in has been read to its end
 *     if (st == TR_OK)
 *         st = tr_table_end(t, &err);
 *
 * Tables with one name, from several ranks, become one table.  Its first column is the rank of the source that the
 * row's table belongs to; absent: it belongs to none.  Then come the columns of all these tables, in the order in which
 * they are found.  Types of cells:
 *
 *   integers, also quoted ones  TR_CELL_INT, above its range TR_CELL_COUNT
 *   decimals, doubles           TR_CELL_DOUBLE; a value that is not finite is absent
 *   texts, JSON, number texts   TR_CELL_STRING
 *   truth values                TR_CELL_STRING: true, false
 *   times                       TR_CELL_TIME on the same clock as events, and the track in a column NAME_track
 *   tracks                      TR_CELL_STRING: "device 0 stream 7", "pid 100 tid 101"
 *   events                      two columns, NAME_source and NAME_record, as tr-view(1) calls them
 *
 * If columns with one name have different types in different tables, they become texts.
 */
#ifndef TR_SIDE_ROWS_H
#define TR_SIDE_ROWS_H

#include "stream/tr_side_table.h"
#include "table/tr_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The columns that all such tables have, for --help-columns. */
void tr_side_rows_columns(struct tr_table *t);

/*
 * Give t the columns and rows of all tables with this name.
 *
 * TR_DAMAGED  there is no such table, and err lists the existing ones; or they have more than 1024 columns together
 * TR_USAGE    the user chose columns that they do not have
 * TR_SYSTEM   out of memory
 */
enum tr_status tr_side_rows(const struct tr_dict *dict, const struct tr_side_tables *tables, const char *name,
                            struct tr_table *t, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
