/* SPDX-License-Identifier: MIT */
/*
 * Outputs that hold several tables: -O sqlite, -O csv into a folder.  The frame opens them before the run, so that a
 * file that is refused costs no time, and completes them after it.  cli_table_new and its like write into them; the
 * name of the next table is that of cli_name_table.
 */
#ifndef CLI_BOOK_H
#define CLI_BOOK_H

#include "cli/cli_main.h"
#include "table/tr_table.h"

/* Has the output room for several tables? */
bool cli_book(const struct cli *cli);
/* Has it whole numbers of ns for times, whatever --unit is? */
bool cli_book_ns(const struct cli *cli);

#define CLI_TABLE_NAME 200u

/*
 * The name of the tables that are made from here on, in outputs of several tables; borrowed.  NULL, the start: what
 * --by says, an option of the program itself, else the name of the program without "tr-".
 */
void cli_name_table(struct cli *cli, const char *name);

/* The name of the table of a view: "breakdown_kernel", as other programs may have a view of this name. */
void cli_table_of_view(const struct cli *cli, const char *view, char name[CLI_TABLE_NAME]);

/* Statements of SQL, after the tables that they are about: tr_book_sql. */
enum tr_status cli_book_sql(struct cli *cli, const char *sql, struct tr_error *err);

/* Write a table into the output, under its name.  sink: of -O.  False: out of memory. */
bool cli_book_table(struct cli *cli, struct tr_table *t, const struct tr_row_sink *sink);

#endif
