/* SPDX-License-Identifier: MIT */
/*
 * Several threads read pieces of one source, each with a helper.  Internal to libcore.
 *
 * A helper finds the next piece, tells it to a part of its own (ingest/tr_ingest_part_int.h), and the source takes it.
 * Pieces are found one after the other, told at the same time, and taken in the order in which they were found.  So
 * the whole does not depend on the number of threads.
 */
#ifndef TR_ORDERED_WORKERS_INT_H
#define TR_ORDERED_WORKERS_INT_H

#include "base/tr_status.h"

#include <stddef.h>

/* What a helper does; each function returns TR_OK or a failure. */
struct tr__ordered_workers_steps {
    enum tr_status (*find)(void *helper, struct tr_error *err); /* TR_END: there is no more */
    enum tr_status (*tell)(void *helper, struct tr_error *err);
    enum tr_status (*take)(void *helper, struct tr_error *err);
};

/* Run n helpers, an array of elements of this size, to the end.  TR_OK, or the first failure. */
enum tr_status tr__ordered_workers_run(void *helpers, size_t size, unsigned n,
                                       const struct tr__ordered_workers_steps *work, struct tr_error *err);

#endif
