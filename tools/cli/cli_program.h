/* SPDX-License-Identifier: MIT */
/*
 * A view of another program: as a command line names it, or as a partial result holds it.
 *
 *     struct cli_program p;
 *     st = cli_program_read(&p, "tr-breakdown --by idle --threshold 30us", &a, err);
 *     st = cli_analysis_table(cli, &p.a, p.use.analysis, p.use.options, paths, n, &t, err);
 *     cli_program_free(&p);                after the table
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "analysis/tr_registry.h"
#include "cli/cli_analysis.h"

struct cli_program {
    struct tr_view_use use;
    struct cli_analysis a; /* grouping, and which events */
    struct cli_command *command; /* what was read, NULL: a partial result */
    char *texts;          /* of options */
};

/*
 * A command line: the name of a program, a view, its options, a grouping and a selection.  Words are as in a shell,
 * with quotes and backslashes.  a: the start of the selection; its list of expressions is taken over, also on failure.
 * Call cli_program_free in any case.
 */
enum tr_status cli_program_read(struct cli_program *p, const char *line, const struct cli_analysis *a,
                                struct tr_error *err);

/*
 * The one view of a list of tables that is no run of tr-diff and no page of tr-report, with its options.  TR_NO: there
 * is none.  TR_USAGE: there are several, or none of this version has such options.
 */
enum tr_status cli_program_of_partial(struct cli *cli, struct cli_program *p, const struct tr_side_tables *tables,
                                      const struct cli_analysis *a, struct tr_error *err);
void cli_program_free(struct cli_program *p);

#endif
