/* SPDX-License-Identifier: MIT */
/*
 * Opens inputs of any format; every program uses it.
 *
 * The format is detected from the content, compressed or not.  A stream is read directly; a trace is parsed in memory.
 *
 *     struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
 *     struct tr_input *in;
 *     if (tr_open(&in, "rank0.json.gz", &opts, &err) != TR_OK)
 *         ...
 *     tr_input_close(in);
 *
 * An open input is used by one thread; it may have its own workers.
 *
 * The folder formats opens inputs, each of its inner folders has a format, and formats/common what they share.
 * Central: struct tr_open_opts, struct tr_format (common/tr_format.h), struct tr_folder.
 */
#ifndef TR_OPEN_H
#define TR_OPEN_H

#include "formats/common/tr_format.h"
#include "ingest/tr_open_opts.h"
#include "stream/tr_input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Open one input.
 *
 * out           set on TR_OK, to be closed by tr_input_close
 * path_or_dash  a file, or "-" for standard input
 *
 * Returns TR_OK, TR_USAGE (unknown input_format), TR_DAMAGED or TR_SYSTEM, with err filled in.
 */
enum tr_status tr_open(struct tr_input **out, const char *path_or_dash,
                       const struct tr_open_opts *opts, struct tr_error *err);

/*
 * Open n inputs, n > 0, as one: merged in canonical order.  Inputs that are not in this order cannot be merged.
 *
 * If there are too many inputs to have all open, or for max_memory_bytes, they are merged in passes through temporary
 * files, with the same result.  Then regular files are opened twice.
 */
enum tr_status tr_open_many(struct tr_input **out, const char *const *paths, size_t n,
                            const struct tr_open_opts *opts, struct tr_error *err);

/*
 * Report by opts->warn what was repaired or lost in the sources of an input, once per cause.  So every program in a
 * pipe reports damaged data.  tr_open does this if the summary is known.  For an unsorted input, the summary is known
 * only after the last batch; then the program calls this function.
 */
void tr_open_warn(const struct tr_input *in, const struct tr_open_opts *opts);

#ifdef __cplusplus
}
#endif
#endif
