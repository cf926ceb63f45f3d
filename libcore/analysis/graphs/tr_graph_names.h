/* SPDX-License-Identifier: MIT */
/*
 * Columns from a file for the nodes of graphs, such as the module of a node.  They are attached to the rows of
 * tr_analysis_graph.
 *
 *     node	module	operator
 *     17	Linear	aten::mm
 *
 * The file has lines of cells with tabs between them.  The first line has the names of the columns.  The columns graph,
 * node, position and name are keys: they say which rows a line is for.  At least one of node, position and name is
 * needed.  The other columns, at most eight, are attached.  If several lines are for one node, the first one counts.
 */
#ifndef TR_GRAPH_NAMES_H
#define TR_GRAPH_NAMES_H

#include "base/tr_status.h"
#include "base/tr_str.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_GRAPH_NAMES_MAX 8u

enum tr_graph_name_key {
    TR_GRAPH_KEY_GRAPH,
    TR_GRAPH_KEY_NODE,
    TR_GRAPH_KEY_POSITION,
    TR_GRAPH_KEY_NAME,
    TR_GRAPH_N_KEYS
};

struct tr_graph_names;
struct tr_graph_calls;

/* Read a table; text is not needed afterwards.  TR_DAMAGED: not a table, with the line as place; TR_SYSTEM. */
enum tr_status tr_graph_names_new(struct tr_graph_names **out, const char *text, size_t len, struct tr_error *err);
/*
 * The operator and the module of each position in a capture (tr_graph_calls.h), as such a table; if the calls say which
 * kernel they launch, a node needs the name of this kernel, too.
 */
enum tr_status tr_graph_names_captured(struct tr_graph_names **out, const struct tr_graph_calls *graphs,
                                       struct tr_error *err);
void tr_graph_names_free(struct tr_graph_names *g);

/* The names of the columns that are attached, *n of them. */
const char *const *tr_graph_names_columns(const struct tr_graph_names *g, size_t *n);

/*
 * The cells for a node, one for each of these columns; NULL: there is no line for it.
 * keys  the values of the row; no text: it has none
 */
const struct tr_str *tr_graph_names_find(struct tr_graph_names *g, const struct tr_str keys[TR_GRAPH_N_KEYS]);

#ifdef __cplusplus
}
#endif
#endif
