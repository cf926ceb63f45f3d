/* SPDX-License-Identifier: MIT */
/*
 * Operators and what they cost, with the work below them.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_operators.
 */
#ifndef TR_OPERATORS_ANALYSES_H
#define TR_OPERATORS_ANALYSES_H

#include "analysis/graphs/tr_graph_calls.h"
#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Analyses of one run may compute operators together (tr_operators_shared.h): all of them are given the same keys, of
 * which each uses some.  Then columns of the work below operators, and percentiles, are absent, and so is a table whose
 * data the trace does not have.
 */
struct tr_operators_shared {
    unsigned by;                   /* TR_OPERATOR_SHAPE and so on */
    struct tr_graph_calls *graphs; /* captures: their operators own the work of launched graphs; NULL: none */
};

/* What operators cost, and categories of them: tr_operators.h. */
struct tr_operator_options {
    const struct tr_operators_shared *shared; /* NULL: it is computed for this analysis alone */
    unsigned by;            /* keys in addition to the name: TR_OPERATOR_SHAPE and so on */
    struct tr_name_test op; /* operators that are shown */
    struct tr_graph_calls *graphs; /* as in tr_operators_shared, of an analysis alone */
    struct tr_option_list captures; /* the files that graphs is read from */
};
/* What partial results say of captures: whether there are any. */
bool tr_operator_say_captures(const void *graphs, struct tr_buf *text);
extern const struct tr_analysis tr_analysis_operator, tr_analysis_category, tr_analysis_module,
    tr_analysis_module_tree;

#ifdef __cplusplus
}
#endif
#endif
