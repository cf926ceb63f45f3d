/* SPDX-License-Identifier: MIT */
/*
 * Tables that were printed before, as text: TSV, CSV or JSON.
 *
 *     st = tr_printed_table_read(&t, text, &err);           text is taken over, and empty afterwards
 *     for (size_t row = 0; row < t.n_rows; row++)
 *         ...tr_printed_table_cell(&t, row, col)...          s NULL: the cell is empty
 *     tr_printed_table_free(&t);
 *
 * The text decides its form.  JSON starts with a bracket: an array of objects, all with the members of the first one.
 * A header with a tab is TSV, with escapes as programs print them (\t \n \r \\ and \xHH).  A header with a comma is CSV
 * (RFC 4180).  A table of one column is taken as TSV.  A byte order mark is skipped.
 *
 * Memory: that of the text, and 16 bytes per cell.
 */
#ifndef TR_PRINTED_TABLE_H
#define TR_PRINTED_TABLE_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "base/tr_str.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_printed_table {
    struct tr_buf text;
    struct tr_str *names; /* of the n_cols columns */
    struct tr_str *cells; /* row by row */
    size_t n_cols, n_rows;
    size_t cap_names, cap_cells;
};

/*
 * Read a table.  TR_OK; TR_DAMAGED: it is no table, with the row and the reason; TR_SYSTEM: out of memory, or it needs
 * more than max_bytes.
 */
enum tr_status tr_printed_table_read(struct tr_printed_table *t, struct tr_buf *text, size_t max_bytes,
                                   struct tr_error *err);
void tr_printed_table_free(struct tr_printed_table *t);

static inline struct tr_str tr_printed_table_cell(const struct tr_printed_table *t, size_t row, size_t col)
{
    return t->cells[row * t->n_cols + col];
}

#ifdef __cplusplus
}
#endif
#endif
