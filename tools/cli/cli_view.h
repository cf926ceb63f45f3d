/* SPDX-License-Identifier: MIT */
/*
 * Views: the analyses of a program, and the code that makes the table of one of them from an input.
 *
 *     struct tool { struct cli_analysis a; int by; struct tr_name_stats_options names; };
 *     static const struct cli_view views[] = {
 *         { .analysis = &tr_analysis_time },
 *         { .analysis = &tr_analysis_kernel, .options = offsetof(struct tool, names) },
 *     };
 *     return cli_view_run(cli, &o->a, &views[o->by], o, err);
 *
 * Tables that are not analyses also have described columns, and a struct cli_table.
 */
#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include "cli/cli_analysis.h"
#include "engine/tr_runner.h"

struct cli_view {
    const struct tr_analysis *analysis;
    const char *name; /* after --by, unless it is that of the analysis */
    size_t options; /* place of its options in the program's struct; 0: its defaults */
    const char *takes[6]; /* options of the program that apply to this view, ended by NULL unless there are 6 */
    const char *lacks[2]; /* common options without effect on it, ended by NULL unless there are 2 */
    unsigned keys;        /* its keys, as in struct tr_option_by */
};
#define CLI_VIEW_NAMES(v, list) (sizeof(v)->list / sizeof(v)->list[0])

/*
 * TR_USAGE: an option was given that only other views of the n have, or a key that the view does not have.  key_names:
 * of struct tr_option_by; NULL: there are none.
 */
enum tr_status cli_view_check(const struct cli *cli, const struct cli_view *views, size_t n, struct tr_option_by by,
                              const char *const *key_names, struct tr_error *err);

/* The table of a view, from opening the inputs to its last line.  o: the program's struct of options. */
enum tr_status cli_view_run(struct cli *cli, struct cli_analysis *a, const struct cli_view *view,
                            const void *o, struct tr_error *err);

/* The same for an analysis that gives its results to a function of the program: no table is printed. */
enum tr_status cli_view_feed(struct cli *cli, struct cli_analysis *a, const struct cli_view *view, const void *o,
                             struct tr_error *err);

/* The input of an analysis, for the open input of a; l must live as long. */
struct cli_listener {
    struct cli *cli;
    const struct cli_analysis *a;
};
struct tr_analysis_in cli_view_in(struct cli_listener *l);

/* A table without an analysis: from results of the program itself, or without any trace. */
struct cli_table {
    void (*columns)(const void *o, struct tr_table *t); /* only by options */
    enum tr_status (*fill)(struct cli *cli, void *o, struct tr_table *t, struct tr_error *err);
};

/* Print the table.  With --help-columns, print only its columns; then fill is not called. */
enum tr_status cli_table_run(struct cli *cli, const struct cli_table *table, void *o, struct tr_error *err);

/* --help-columns: print a table of the columns of t. */
enum tr_status cli_table_describe(struct cli *cli, const struct tr_table *t, const struct tr_row_sink *sink,
                                  struct tr_error *err);

/*
 * For runs that print no table: TR_USAGE if an option for tables is given, also for their format and unit; tables names
 * the runs that print tables.  The second function is for runs that still have a format, the third for runs that also
 * have columns.
 */
enum tr_status cli_table_none(const struct cli *cli, const char *tables, struct tr_error *err);
enum tr_status cli_arrange_none(const struct cli *cli, const char *tables, struct tr_error *err);
enum tr_status cli_arrange_columns(const struct cli *cli, const char *tables, struct tr_error *err);

#endif
