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
 *
 * tr_copy_start is the same without a function for the work: the copy goes on where it was called.
 *
 *     st = tr_copy_start(spill, NULL, &copy, &err);
 *     if (copy >= 0)
 *         tr_copy_end(copy, end_here(&err), &err, NULL);
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

/*
 * Returns in both processes.  In the copy: TR_OK, and *copy is what tr_copy_end needs.  Here, when the copy has ended:
 * what it gave to tr_copy_end, and *copy is -1; TR_SYSTEM as above.
 */
enum tr_status tr_copy_start(struct tr_spill *spill, struct tr_buf *out, int *copy, struct tr_error *err);

/* End the copy.  Nothing is released, and no function of the program is called at the end.  out may be NULL. */
void tr_copy_end(int copy, enum tr_status st, const struct tr_error *err, const struct tr_buf *out);

#ifdef __cplusplus
}
#endif
#endif
