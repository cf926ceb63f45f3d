/* SPDX-License-Identifier: MIT */
/* Captures of graphs as columns of their nodes: tr-breakdown --by graph --attach-capture. */
#ifndef BREAKDOWN_CAPTURE_H
#define BREAKDOWN_CAPTURE_H

#include "analysis/graphs/tr_graph_calls.h"
#include "analysis/graphs/tr_graph_names.h"

/*
 * A table with the operator and the module of each position in a capture; if the calls say which kernel they launch, a
 * node needs the name of this kernel, too.
 */
enum tr_status breakdown_capture(const struct tr_graph_calls *graphs, struct tr_graph_names **names,
                                 struct tr_error *err);

#endif
