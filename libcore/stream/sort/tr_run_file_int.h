/* SPDX-License-Identifier: MIT */
/*
 * Sorted runs of rows in a temporary file, compressed with LZ4 in frames of some hundred kilobytes.
 *
 * One file has all runs of a sort, one after the other.  It is unlinked as soon as it is open.  Runs are written one at
 * a time.  Then all runs are read at the same time, each with one frame in memory.  Internal to libcore.
 */
#ifndef TR_RUN_FILE_INT_H
#define TR_RUN_FILE_INT_H

#include "stream/sort/tr_row_int.h"

struct tr_run_file;
struct tr_file_run;

enum tr_status tr_run_file_new(struct tr_run_file **out, const char *temp_dir, struct tr_error *err);
void tr_run_file_free(struct tr_run_file *s);

enum tr_status tr_file_run_start(struct tr_run_file *s, struct tr_file_run **out, struct tr_error *err);
enum tr_status tr_file_run_write(struct tr_file_run *run, const struct tr_row *row,
                                  struct tr_error *err);
enum tr_status tr_file_run_end(struct tr_file_run *run, struct tr_error *err);

/* The next row of a run that has ended; valid until the next call.  TR_END after the last. */
enum tr_status tr_file_run_next(struct tr_file_run *run, struct tr_row_ref *ref, struct tr_error *err);
void tr_file_run_free(struct tr_file_run *run);

#endif
