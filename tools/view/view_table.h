/* SPDX-License-Identifier: MIT */
/* tr-view --by: the tables of one name, of all inputs. */
#ifndef VIEW_TABLE_H
#define VIEW_TABLE_H

#include "cli/cli_main.h"
#include "table/tr_table.h"

/* Read all operands to their ends, and print the tables.  TR_DAMAGED: there is no table with this name. */
enum tr_status view_table(struct cli *cli, const char *name, const struct tr_row_sink *sink, enum tr_unit unit,
                          struct tr_error *err);

#endif
