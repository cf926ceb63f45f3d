/* SPDX-License-Identifier: MIT */
/* Opening a source: sorted, or in the order of its events. */
#include "ingest/tr_ingest_int.h"

#include <stdio.h>

enum tr_status tr__ingest_open(struct tr_input **out, const struct tr__driver *driver, const char *format, void *ctx,
                               const char *name, size_t place, const struct tr_open_opts *opts, struct tr_error *err)
{
    char kept[512]; /* the bytes are closed after a failure, and their name with them */
    snprintf(kept, sizeof kept, "%s", name);
    if (opts->no_sort)
        return tr__live_open(out, driver, format, ctx, name, place, opts, err);
    enum tr_status st = tr__sorted_open(out, driver, format, ctx, name, place, opts, err);
    if (st != TR_OK)
        tr_error_input(err, kept);
    return st;
}
