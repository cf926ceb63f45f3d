/* SPDX-License-Identifier: MIT */
/* The graph of critical paths as a service of a run, for tables that are made from it. */
#ifndef TR_CRITPATH_GRAPH_INT_H
#define TR_CRITPATH_GRAPH_INT_H

#include "analysis/critpath/tr_critpath.h"
#include "analysis/paths/tr_paths_analyses.h"
#include "analysis/critpath/tr_critpath_contract.h"

struct cp_graph {
    const struct tr_critpath_options *options;
    struct tr_analysis_in in;
    struct tr_critpath *c;
    struct tr_steps *steps;        /* with what-if rules */
    struct tr_coll_finder *finder; /* collectives join ranks; sends and receives wait for others */
    bool contracts; /* ranks are joined elsewhere: there are no paths, but the graphs that are left of each */
    struct cp_contractions contracted;
};

/* Options of the summary.  The graph does not change with the rules, which are first: other tables do not have them. */
extern const struct tr_critpath_options tr__critpath_defaults;
extern const struct tr_option tr__critpath_options[];
#define TR__CRITPATH_OF_GRAPH (&tr__critpath_options[1])

/* How many sources have device work, but no known launch?  *n: all sources.  And warnings, also of partial results. */
size_t tr__critpath_unlaunched(const struct tr_summary *s, size_t *n);
void tr__critpath_warn_of_launches(const struct tr_analysis_in *in, uint64_t without, uint64_t n);
void tr__critpath_warn_of_nothing(const struct tr_analysis_in *in);
/* Ranks are joined: by collectives that end so often, and so often before the last rank comes. */
void tr__critpath_warn_of_ranks(const struct tr_analysis_in *in, uint64_t transfers, uint64_t early, bool aligned);

#endif
