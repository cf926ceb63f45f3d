/* SPDX-License-Identifier: MIT */
/*
 * Several tables in one text: --by A --by B.  Text and Markdown have them one below the other, JSON an object with a
 * member for each, HTML sections of one page.  Formats whose readers know one table are refused.
 *
 *     struct cli_several s = { .cli = cli };
 *     cli_several_add(&s, "kernel", t, &picture, err);     t: a table that is held
 *     cli_several_end(&s, err);
 */
#ifndef CLI_SEVERAL_H
#define CLI_SEVERAL_H

#include "cli/cli_analysis.h"
#include "table/tr_chart.h"

struct cli_several {
    struct cli *cli;
    size_t n;
    struct tr_buf out;
};

/* TR_USAGE: the format has one table. */
enum tr_status cli_several_possible(struct cli *cli, struct tr_error *err);

/* Write the rows of a table below its name; is: what a page shows with it. */
enum tr_status cli_several_add(struct cli_several *s, const char *name, struct tr_table *t,
                               const struct tr_picture *is, struct tr_error *err);
/* All tables are written.  Releases everything; called in any case, and then does nothing unless st is TR_OK. */
enum tr_status cli_several_end(struct cli_several *s, enum tr_status st, struct tr_error *err);

#endif
