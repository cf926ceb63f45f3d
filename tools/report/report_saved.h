/* SPDX-License-Identifier: MIT */
/*
 * tr-report: partial results, which are saved in place of the page, and inputs of later runs.
 *
 *     report_save(&saving, cli, path, err)       after the last event, instead of tr_runner_finish
 *
 *     report_saved_any(in)                       is there one among the inputs?
 *     report_saved_open(r, in, err)              sections, sources, inputs
 *     report_saved_hide(r, select, true, err)    their sources have no events
 *     report_saved_load(r, runner, ...)          analyses, counts and steps
 */
#ifndef REPORT_SAVED_H
#define REPORT_SAVED_H

#include "report/report.h"

#define REPORT_PARTIAL "report" /* the view of its partial results */
enum { REPORT_DISTINCT = 64 }; /* --distinct of partial results, unless it is given */

struct report_saving {
    const struct report *r;
    const struct tr_input *in;
    struct tr_select *select;
    struct tr_runner *runner;
    const struct tr_step_ends *ends; /* finished */
    const struct tr_partial_about *about;
};
enum tr_status report_save(const struct report_saving *s, struct cli *cli, const char *path, struct tr_error *err);

bool report_saved_any(const struct tr_input *in);
/* Sets r->wanted, of_partial and paths.  TR_DAMAGED: they do not fit to each other. */
enum tr_status report_saved_open(struct report *r, const struct tr_input *in, struct tr_error *err);
enum tr_status report_saved_hide(const struct report *r, struct tr_select *select, bool hide, struct tr_error *err);
/* runner: started by tr_runner_start_partials; events: of the other inputs, NULL: there are none; steps: not sealed. */
enum tr_status report_saved_load(struct report *r, struct tr_runner *runner, struct tr_runner *events,
                                 struct tr_step_times *steps, struct tr_error *err);
void report_saved_free(struct report *r);

#endif
