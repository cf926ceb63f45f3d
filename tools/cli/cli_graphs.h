/* SPDX-License-Identifier: MIT */
/* Files that options of views name, and captures of graphs, for --attach-capture. */
#ifndef CLI_GRAPHS_H
#define CLI_GRAPHS_H

#include "analysis/tr_capture_files.h"
#include "cli/cli_main.h"

struct tr_view_host cli_view_host(struct cli *cli); /* valid as long as cli */

/*
 * Read the captures in these files and folders, one after the other.  Inputs that are opened later have a dictionary
 * of their own, for the names of what was captured.
 */
enum tr_status cli_graphs_read(struct cli *cli, const struct tr_option_list *files, struct tr_graph_calls **out,
                               struct tr_error *err);

#endif
