/* SPDX-License-Identifier: MIT */
/* Files that options of views name: how they are opened, and traces of captures of graphs. */
#ifndef TR_CAPTURE_FILES_H
#define TR_CAPTURE_FILES_H

#include "analysis/paths/tr_what_if.h"
#include "analysis/graphs/tr_graph_calls.h"
#include "ingest/tr_open_opts.h"
#include "stream/tr_input.h"
#include "table/tr_option.h"

/* What reads the files of options for a view, and its expressions.  Functions that are NULL have a plain form. */
struct tr_view_host {
    struct tr_open_opts *open; /* own_dict is set if the view adds strings to the dictionary of its input */
    enum tr_status (*open_trace)(void *self, const char *path, struct tr_input **in, struct tr_error *err);
    void (*close_trace)(void *self, struct tr_input *in);
    tr_what_if_compile *compile;
    void (*say)(void *self, const char *text); /* a remark */
    void *self;
};

/*
 * Read the captures in these files and folders, one after the other.  also: as in tr_graph_calls.h, NULL: none.  *out
 * is the caller's, also after a failure.
 */
enum tr_status tr_capture_files_read(const struct tr_view_host *host, const struct tr_option_list *files,
                                     const struct tr_name_test *also, struct tr_graph_calls **out,
                                     struct tr_error *err);

#endif
