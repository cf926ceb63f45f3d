/* SPDX-License-Identifier: MIT */
/*
 * The critical path of ranks and of a job, and what would change it.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_critpath.
 */
#ifndef TR_PATHS_ANALYSES_H
#define TR_PATHS_ANALYSES_H

#include "analysis/paths/tr_what_if.h"
#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Critical paths: tr_critpath.h.  Graphs of ranks, or one whose ranks are joined by collectives (TR_PER_ALL). */
struct tr_critpath_options {
    const char *annotation;   /* as in struct tr_cp_opts, like the next five */
    uint64_t first, last;
    bool gaps, launch_edges, order;
    struct tr_name_test data; /* host spans that load data; match NULL: none */
    struct tr_option_list what_if; /* rules as texts, of the summary only */
    struct tr_what_if *rules;      /* the same, read; NULL: there are none */
    struct tr_cp_saved *base;      /* of tr_analysis_critpath_member: a path that was saved; NULL: none */
    bool whole; /* all events are selected, so the order between ranks does not matter: tr_critpath.h */
};
/* The time of the path by its bounds; its edges; all edges of the graph; counts of the graph. */
extern const struct tr_analysis tr_analysis_critpath, tr_analysis_critpath_path;
extern const struct tr_analysis tr_analysis_critpath_edges, tr_analysis_critpath_counts;
/* The ranks through which the path of all leads. */
extern const struct tr_analysis tr_analysis_critpath_legs;
/* The parts of the path by names, to be found in other runs: tr_critpath_member.h. */
struct tr_cp_saved;
extern const struct tr_analysis tr_analysis_critpath_member;

/* The graph, as a service with these options, and the graph from the state of the service. */
struct tr_critpath_key {
    const struct tr_critpath_options *options;
    enum tr_per per;
};
extern const struct tr_service tr_critpath_service;
struct tr_critpath;
struct tr_critpath *tr_critpath_of(const void *state);
void tr_critpath_needs(const struct tr_critpath_options *o, struct tr_needs *n);

#ifdef __cplusplus
}
#endif
#endif
