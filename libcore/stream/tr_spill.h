/*
 * Sorted runs of rows in a temporary file, compressed by LZ4 in frames of some hundred kilobytes.
 *
 * One file holds all runs of a sort, one behind the other; it is unlinked while it is open.  Runs are
 * written one at a time, then read side by side, each with one frame in memory.  Internal to libcore.
 */
#ifndef TR_SPILL_H
#define TR_SPILL_H

#include "stream/tr_row.h"

struct tr_spill;
struct tr_spill_run;

enum tr_status tr_spill_new(struct tr_spill **out, const char *temp_dir, struct tr_error *err);
void tr_spill_free(struct tr_spill *s);

enum tr_status tr_spill_run_begin(struct tr_spill *s, struct tr_spill_run **out, struct tr_error *err);
enum tr_status tr_spill_run_write(struct tr_spill_run *run, const struct tr_row *row,
                                  struct tr_error *err);
enum tr_status tr_spill_run_end(struct tr_spill_run *run, struct tr_error *err);

/* The next row of a run that has ended; valid until the next call.  TR_END behind the last. */
enum tr_status tr_spill_run_next(struct tr_spill_run *run, struct tr_row_ref *ref, struct tr_error *err);
void tr_spill_run_free(struct tr_spill_run *run);

#endif
