/* SPDX-License-Identifier: MIT */
/*
 * Graphs of execution traces: their nodes beside a trace of the same run, and their longest chain.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_nodes.
 */
#ifndef TR_NODES_ANALYSES_H
#define TR_NODES_ANALYSES_H

#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_nodes;

struct tr_node_options {
    struct tr_option_list attached; /* files of execution traces */
    struct tr_nodes *nodes;         /* what they have; NULL: none, the nodes are those of the input */
};
/* Each node, what made its inputs, its time in the trace; the longest chain of nodes that need each other's data. */
extern const struct tr_analysis tr_analysis_node, tr_analysis_node_chain;

#ifdef __cplusplus
}
#endif
#endif
