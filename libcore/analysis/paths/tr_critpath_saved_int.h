/* SPDX-License-Identifier: MIT */
/* Contracted graphs of ranks in partial results, with the collectives that will join them. */
#ifndef TR_CRITPATH_SAVED_INT_H
#define TR_CRITPATH_SAVED_INT_H

#include "analysis/comm/tr_collective_table.h"
#include "analysis/critpath/tr_critpath_contract.h"
#include "engine/tr_analysis.h"

/* Tables: those of collectives, and of graphs.  They are the first of an analysis. */
#define TR__CP_TABLES (TR__COMM_OWN_TABLES + 4u)
#define TR__CP_GRAPH_COLUMNS 10
#define TR__CP_POINT_COLUMNS 4
#define TR__CP_EDGE_COLUMNS  20
#define TR__CP_JOINT_COLUMNS 3
extern const struct tr_saved_column tr__cp_graph_columns[], tr__cp_point_columns[];
extern const struct tr_saved_column tr__cp_edge_columns[], tr__cp_joint_columns[];
#define TR__CP_SAVED                                                 \
    TR__COMM_SAVED, { "graphs", tr__cp_graph_columns, TR__CP_GRAPH_COLUMNS, NULL }, \
        { "points", tr__cp_point_columns, TR__CP_POINT_COLUMNS, NULL },             \
        { "edges", tr__cp_edge_columns, TR__CP_EDGE_COLUMNS, NULL },                \
        { "joints", tr__cp_joint_columns, TR__CP_JOINT_COLUMNS, NULL }

/* What is loaded, of any number of partial results. */
struct cp_loaded {
    struct tr__comm_matching matching;
    struct cp_contractions graphs;
    bool unaligned;       /* clocks of some rank were not aligned */
    struct tr_dict *dict; /* of all ranks; NULL: nothing is loaded */
    /* Of traces beside partial results: their graph, and what was saved of it; c NULL: there are none. */
    struct tr_critpath *c;
    struct cp_contractions own;
};

enum tr_status tr__cp_loaded_start(struct cp_loaded *l, const struct tr_dict *dict, struct tr_error *err);
void tr__cp_loaded_free(struct cp_loaded *l);
enum tr_status tr__cp_load(struct cp_loaded *l, struct tr_partial_in *from, struct tr_error *err);

/* finder: with the members of collectives, before they are matched. */
enum tr_status tr__cp_save(const struct tr_analysis_in *in, struct tr__comm_matching *matching,
                           const struct cp_contractions *graphs, bool aligned, struct tr_partial_out *out,
                           struct tr_error *err);

#endif
