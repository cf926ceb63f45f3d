/* SPDX-License-Identifier: MIT */
/*
 * Graphs that are launched many times, and the work of their nodes.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_graph_calls, struct tr_graph_names.
 */
#ifndef TR_GRAPHS_ANALYSES_H
#define TR_GRAPHS_ANALYSES_H

#include "analysis/graphs/tr_graph_names.h"
#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Graphs that are launched many times, node by node. */
struct tr_graph_options {
    struct tr_graph_names *names; /* columns that are attached to the nodes; NULL: none */
    struct tr_option_list captures; /* traces of captures, which give such columns; at most one of both */
    bool captured;                /* they are from captures: say how many nodes these do not have */
};
extern const struct tr_analysis tr_analysis_graph;

#ifdef __cplusplus
}
#endif
#endif
