/* SPDX-License-Identifier: MIT */
/* tr-patterns: options, and the stream in which patterns are marked. */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "analysis/calls/tr_calls_analyses.h"
#include "cli/cli_view.h"

struct patterns {
    struct cli_analysis a;
    bool mark;
};

/*
 * Write the input again with an annotation for each occurrence of the rows that the table has, with
 * --top of the first ones of each group.
 */
enum tr_status patterns_mark(struct cli *cli, struct patterns *o, struct tr_error *err);

#endif
