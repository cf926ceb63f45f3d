/*
 * Views: the analyses that a program offers, and the way from an input to the table of one of them.
 *
 *     struct tool { struct cli_analysis a; int by; struct tr_names_options names; };
 *     static const struct cli_view views[] = {
 *         { .analysis = &tr_analysis_time },
 *         { &tr_analysis_kernel, .options = offsetof(struct tool, names) },
 *     };
 *     return cli_view_run(cli, &o->a, &views[o->by], o, err);
 */
#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include "analysis/tr_runner.h"
#include "cli/cli_analysis.h"

struct cli_view {
    const struct tr_analysis *analysis;
    size_t options; /* place of its options in the program's struct; 0: its defaults */
};

/* The table of a view, from opening the inputs to its last line.  o: the program's struct of options. */
enum tr_status cli_view_run(struct cli *cli, struct cli_analysis *a, const struct cli_view *view,
                            const void *o, struct tr_error *err);

#endif
