/* SPDX-License-Identifier: MIT */
/*
 * Views: the code that makes the table of one of the views of a program (struct cli_tool) from an input.
 *
 *     static const struct cli_tool tool = { .name = "tr-comm", .opts = cli_view_opts, .views = tr_comm_views, ... };
 *     int tr_comm_main(int argc, char **argv)
 *     {
 *         return cli_view_main(argc, argv, &tool);
 *     }
 *
 * Tables that are not analyses also have described columns, and a struct cli_table.
 */
#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include "cli/cli_analysis.h"
#include "engine/tr_runner.h"

/*
 * Read the options of the views that --by names, or of the first one.  Later calls do nothing.  TR_USAGE: a value is
 * malformed, or an option or a key was given that none of them has.
 */
enum tr_status cli_view_choose(struct cli *cli, struct tr_error *err);
/* Before that: the view with this name, and a key (NULL: none), unless the user chose others. */
void cli_view_default(struct cli *cli, const char *name, const char *key);
const struct tr_view *cli_view(const struct cli *cli); /* the first one, once they have been chosen */
void *cli_view_options(struct cli *cli);               /* its struct of options */

/* A program that prints views and does nothing else: from start to end, with these options. */
extern const struct tr_option cli_view_opts[];
int cli_view_main(int argc, char **argv, const struct cli_tool *tool);

/* Choose the views, and print their tables, from opening the inputs to the last line. */
enum tr_status cli_view_run(struct cli *cli, struct cli_analysis *a, struct tr_error *err);
/* The same for an analysis that gives its results to a function of the program: no table is printed. */
enum tr_status cli_view_feed(struct cli *cli, struct cli_analysis *a, struct tr_error *err);
/* The table of an analysis with options of the program; NULL: the defaults. */
enum tr_status cli_analysis_run(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                const void *options, struct tr_error *err);

/* The same for one that gives its results to a function of the program. */
enum tr_status cli_analysis_feed(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                 const void *options, struct tr_error *err);

/*
 * The rows of an analysis of some inputs, in a table that is held.  paths NULL: only its columns.  Free *t and
 * *selection, a text of the selected events, in any case; the caller closes a->in, if it was opened.
 */
enum tr_status cli_analysis_table(struct cli *cli, struct cli_analysis *a, const struct tr_analysis *analysis,
                                  const void *options, const char *const *paths, size_t n, struct tr_table **t,
                                  struct tr_buf *selection, struct tr_error *err);

/* The input of an analysis, for the open input of a; l must live as long. */
struct cli_listener {
    struct cli *cli;
    const struct cli_analysis *a;
};
struct tr_analysis_in cli_view_in(struct cli_listener *l);

/* A table without an analysis: from results of the program itself, or without any trace. */
struct cli_table {
    void (*columns)(const void *o, struct tr_table *t); /* only by options; NULL: those of a list */
    enum tr_status (*fill)(struct cli *cli, void *o, struct tr_table *t, struct tr_error *err);
    const struct tr_chart *chart; /* how its rows are drawn; NULL: they have no natural picture */
    const char *question;         /* that it answers; NULL: its columns say it */
    const struct tr_table_column *list;
    size_t n_list;
};
#define CLI_COLUMNS(array) .list = (array), .n_list = sizeof(array) / sizeof *(array)

/* Print the table.  With --help-columns, print only its columns; then fill is not called. */
enum tr_status cli_table_run(struct cli *cli, const struct cli_table *table, void *o, struct tr_error *err);

/* --help-columns: print a table of the columns of t, and of their parts in its chart; NULL: it has none. */
enum tr_status cli_table_describe(struct cli *cli, const struct tr_table *t, const struct tr_chart *chart,
                                  const struct tr_row_sink *sink, struct tr_error *err);

/*
 * For runs that print no table: TR_USAGE if an option for tables is given, also for their format and unit; tables names
 * the runs that print tables.  The second function is for runs that still have a format, the third for runs that also
 * have columns.
 */
enum tr_status cli_table_none(const struct cli *cli, const char *tables, struct tr_error *err);
enum tr_status cli_arrange_none(const struct cli *cli, const char *tables, struct tr_error *err);
enum tr_status cli_arrange_columns(const struct cli *cli, const char *tables, struct tr_error *err);

#endif
