/* SPDX-License-Identifier: MIT */
/* Comparisons of two traces, for the files that make them.  Internal to the folder api. */
#ifndef TR_API_COMPARE_INT_H
#define TR_API_COMPARE_INT_H

#include "analysis/compare/tr_tree_diff.h"
#include "api/tr_api_int.h"
#include "engine/tr_partial.h"

/* Add the columns and rows of a view of call trees, of two traces of which nothing has been read. */
enum tr_status tr__compare_trees(enum tr_tree_diff_view view, struct tr_trace *const runs[2], struct tr_table *rows,
                                 struct tr_error *err);

#endif
