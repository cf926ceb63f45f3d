/* SPDX-License-Identifier: MIT */
/* tr-critpath: options, tables, and the stream in which the path is marked. */
#ifndef CRITPATH_H
#define CRITPATH_H

#include "analysis/critpath/tr_critpath.h"
#include "analysis/paths/tr_paths_analyses.h"
#include "cli/cli_analysis.h"

struct critpath {
    struct cli_analysis a;
    bool mark;
    const char *save_path; /* NULL: not given */
    int format; /* -O; -1: not given */
};

/* Write the graph of a rank as an execution trace of Chakra. */
enum tr_status critpath_chakra(struct cli *cli, struct critpath *o, struct tr_error *err);

/* Needs o->a.twice. */
enum tr_status critpath_mark(struct cli *cli, const struct critpath *o, const struct tr_critpath *c,
                             struct tr_error *err);

#endif
