/* SPDX-License-Identifier: MIT */
/*
 * Opening inputs of any format: what every program calls to get at events.
 *
 * The format is told from the content, packed or not; a stream is read as it is, a raw trace is
 * parsed in memory on the way.
 *
 *     struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
 *     struct tr_input *in;
 *     if (tr_open(&in, "rank0.json.gz", &opts, &err) != TR_OK)
 *         ...
 *     tr_input_close(in);
 *
 * An open input is used by one thread; it may have workers of its own.
 */
#ifndef TR_OPEN_H
#define TR_OPEN_H

#include "formats/tr_format.h"
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
 * Open n inputs, n > 0, as one: merged in canonical order; what is not in that order cannot be merged.
 *
 * More inputs than may be open at one time, or than max_memory_bytes allows for, are merged in passes
 * through temporary files; what comes of it is the same.  Then inputs in regular files are opened twice.
 */
enum tr_status tr_open_many(struct tr_input **out, const char *const *paths, size_t n,
                            const struct tr_open_opts *opts, struct tr_error *err);

/*
 * Say by opts->warn what was mended or lost in the sources of an input, once per cause, so that no program
 * down a pipe passes damaged data off as whole.  Opening does so by itself where the summary is there: an
 * input that is not sorted has it only when its last batch has been read.
 */
void tr_open_warn(const struct tr_input *in, const struct tr_open_opts *opts);

#ifdef __cplusplus
}
#endif
#endif
