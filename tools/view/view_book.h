/* SPDX-License-Identifier: MIT */
/*
 * tr-view -O sqlite, and -O csv into a folder: the events of all inputs as a table, and what belongs to them.
 *
 *   events       a row for each event, with the fields of --columns [all]
 *   args         with --args rows: a row for each arg of each event
 *   launches     as tr-launch --by launch
 *   collectives  as tr-comm --by collective
 *   steps, sources, tracks
 *   and the tables of the inputs, which tr-info lists
 *
 * In a database there are indexes and views, too.
 */
#ifndef VIEW_BOOK_H
#define VIEW_BOOK_H

#include "cli/cli_select.h"

struct view_book {
    struct cli_select *select;
    const char *args; /* NULL: none; "rows", or keys with commas between, each a column */
    uint64_t limit;   /* of events; the other tables are about all of them */
    int overlap;      /* enum tr_overlap: of spans in the table of events */
};

enum tr_status view_book_write(struct cli *cli, const struct view_book *v, struct tr_error *err);

#endif
