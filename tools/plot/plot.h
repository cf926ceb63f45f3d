/* SPDX-License-Identifier: MIT */
/* tr-plot: a printed table as a table of described columns. */
#ifndef PLOT_H
#define PLOT_H

#include "formats/tr_printed_table.h"
#include "table/tr_table.h"

#define PLOT_MAX_COLUMNS 1024u

/* What the cells of a column are. */
struct plot_column {
    enum tr_cell type;
    int unit;        /* of times: enum tr_unit */
    size_t name_len; /* of times: without the unit */
    size_t odd;      /* the first row with a text among numbers; SIZE_MAX: none */
    size_t n_numbers;
    bool ever; /* some cell is not empty */
};

/* Find out what the columns are.  *unit: of the first column of times, or -1.  The array is the caller's to free. */
enum tr_status plot_columns(const struct tr_printed_table *from, struct plot_column **columns, int *unit,
                            struct tr_error *err);

/* Declare the columns, and add the rows. */
enum tr_status plot_fill(const struct tr_printed_table *from, const struct plot_column *columns, struct tr_table *t,
                         struct tr_error *err);

#endif
