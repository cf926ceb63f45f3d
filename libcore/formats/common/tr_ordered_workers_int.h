/* SPDX-License-Identifier: MIT */
/*
 * Several threads read pieces of one source, each with a helper.  Internal to libcore.
 *
 * A helper splits off the next piece, decodes it into a part of its own (ingest/tr_ingest_part_int.h), and commits it.
 * Pieces are split serially, decoded in parallel, and committed in order.  So the whole does not depend on the number
 * of threads.
 */
#ifndef TR_ORDERED_WORKERS_INT_H
#define TR_ORDERED_WORKERS_INT_H

#include "base/tr_status.h"

#include <stddef.h>

/* What a helper does; each function returns TR_OK or a failure. */
struct tr__ordered_workers_steps {
    enum tr_status (*split)(void *helper, struct tr_error *err); /* TR_END: there is no more */
    enum tr_status (*decode)(void *helper, struct tr_error *err);
    enum tr_status (*commit)(void *helper, struct tr_error *err);
};

/* Run n helpers, an array of elements of this size, to the end.  TR_OK, or the first failure. */
enum tr_status tr__ordered_workers_run(void *helpers, size_t size, unsigned n,
                                       const struct tr__ordered_workers_steps *work, struct tr_error *err);

#endif
