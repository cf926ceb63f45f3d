/* SPDX-License-Identifier: MIT */
/*
 * Views of partial results: which ones a list of tables has, each with the options that it was saved with.
 *
 *     for (size_t i = 0; (name = tr_saved_view_name(tables, i)) != NULL; i++) {
 *         st = tr_saved_view_open(&v, tables, name, &err);
 *         st = tr_view_ready(&v.use, &host, &err);
 *         ...tr_runner_add(r, v.use.analysis, v.use.options, v.per, t, &err)...
 *         tr_saved_view_close(&v);          after the runner
 *     }
 */
#ifndef TR_SAVED_VIEW_H
#define TR_SAVED_VIEW_H

#include "analysis/tr_registry.h"

struct tr_saved_view {
    struct tr_view_use use;
    int per;      /* enum tr_per; -1: that of the view */
    bool suspect; /* events with impossible times count */
    char *texts;  /* of options */
};

/* The name of a partial result, each once; NULL: there are no more.  It belongs to the tables. */
const char *tr_saved_view_name(const struct tr_side_tables *tables, size_t i);

/* Call tr_saved_view_close in any case.  TR_USAGE: it is of no view of this version. */
enum tr_status tr_saved_view_open(struct tr_saved_view *v, const struct tr_side_tables *tables, const char *name,
                                  struct tr_error *err);
void tr_saved_view_close(struct tr_saved_view *v);

#endif
