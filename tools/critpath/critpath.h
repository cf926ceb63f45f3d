/* SPDX-License-Identifier: MIT */
/* tr-critpath: options, tables, and the stream in which the path is marked. */
#ifndef CRITPATH_H
#define CRITPATH_H

#include "analysis/critpath/tr_critpath.h"
#include "analysis/critpath/tr_critpath_analyses.h"
#include "cli/cli_analysis.h"

/* The options --what-if: tests of spans, and factors for their own time. */
struct critpath_rules {
    struct tr_expr **tests;
    double *scales;
    size_t n;
    bool bound;
    uint8_t *of_event, *mask; /* of a batch */
    size_t cap_of_event, cap_mask;
};

struct critpath {
    struct cli_analysis a;
    bool mark;
    struct tr_option_list what_if;
    struct critpath_rules rules;
    struct tr_projection want; /* columns that the rules read */
    const char **keys;   /* among these */
};

/* Needs o->a.twice. */
enum tr_status critpath_mark(struct cli *cli, const struct critpath *o, const struct tr_critpath *c,
                             struct tr_error *err);

#endif
