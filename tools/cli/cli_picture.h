/* SPDX-License-Identifier: MIT */
/* Pictures of tables: what stands around them, and which views of a program have one. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "cli/cli_select.h"
#include "table/tr_chart.h"
#include "table/tr_table.h"

/* TR_USAGE: the output is a picture, or bars, and the chosen table has no chart; err says which views have one. */
enum tr_status cli_picture_possible(struct cli *cli, bool has_chart, struct tr_error *err);

/*
 * Say what the picture of a table shows, before the table ends.
 *
 * question  its title; NULL: the names of the columns
 * select    NULL: the table is not about selected events
 * nothing   the reason if there are no rows; NULL: none
 */
enum tr_status cli_picture(struct cli *cli, struct tr_table *t, const struct tr_chart *chart, const char *question,
                           const struct cli_select *select, const char *nothing, struct tr_error *err);

/* The same for a picture that the program draws itself; owned by the frame, valid until the next call. */
enum tr_status cli_picture_about(struct cli *cli, const char *question, const struct cli_select *select,
                                 const struct tr_picture **is, struct tr_error *err);

#endif
