/* SPDX-License-Identifier: MIT */
/*
 * Work in a copy of the process, which ends with it.  Whatever the work does to the memory of the copy, such as ending
 * a computation that goes on here, this process does not notice.
 *
 *     static enum tr_status sum_up(void *self, struct tr_buf *out, struct tr_error *err);
 *     st = tr_in_copy(spill, sum_up, self, &out, &err);     out has what sum_up added to it
 *
 * The system copies only the pages of memory that either process writes before the copy ends; this thread waits for
 * that.  The copy has no other thread, so the work must not wait for one, nor use what others change at present.  It
 * must not read inputs, because both processes have the same position in a file.
 */
#ifndef TR_COPY_H
#define TR_COPY_H

#include "base/tr_mem.h"
#include "base/tr_spill.h"
#include "base/tr_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* self and out are those of tr_in_copy, as they are in the copy; out is empty. */
typedef enum tr_status tr_copy_work(void *self, struct tr_buf *out, struct tr_error *err);

/*
 * spill  of the tables that the work may change; NULL: none
 * out    what the work adds is added to it; NULL: it is not wanted
 *
 * Returns what the work returns; TR_SYSTEM: there is no copy, or it ended early.
 */
enum tr_status tr_in_copy(struct tr_spill *spill, tr_copy_work *work, void *self, struct tr_buf *out,
                          struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
