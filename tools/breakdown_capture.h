/* SPDX-License-Identifier: MIT */
/*
 * The operators of graph nodes, from traces of the capture of the graph: tr-breakdown --by graph --attach-capture.
 *
 * While a stream is captured, a launch adds a node to the graph instead of running.  So the launches between the calls
 * that begin and end the capture are the nodes in their order, and the spans around them are their operators.
 */
#ifndef BREAKDOWN_CAPTURE_H
#define BREAKDOWN_CAPTURE_H

#include "analysis/tr_graph_names.h"
#include "cli/cli_main.h"

/*
 * Read the captures in these files and folders.  The table has the operator and the module of each position; if the
 * calls say which kernel they launch, a node needs the name of this kernel, too.
 */
enum tr_status breakdown_capture(struct cli *cli, const struct cli_list *files, struct tr_graph_names **names,
                                 struct tr_error *err);

#endif
