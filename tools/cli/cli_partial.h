/* SPDX-License-Identifier: MIT */
/*
 * Partial results: tables of ranks that were saved by several runs, and are printed by one: tr-tables(7).
 *
 *     tr-breakdown --by kernel --save-partial 0.part rank0.json       on the machine of each rank
 *     tr-breakdown --by kernel *.part                                 the table that one run over all ranks prints
 *
 * A partial result is a stream without events (engine/tr_partial.h), so it is an input like any other.
 */
#ifndef CLI_PARTIAL_H
#define CLI_PARTIAL_H

#include "cli/cli_main.h"
#include "engine/tr_runner.h"
#include "stream/tr_input.h"

/* A file that is a partial result, to be closed by tr_input_close; NULL: it is none.  Traces and "-" are not read. */
struct tr_input *cli_partial_open(struct cli *cli, const char *path);

/*
 * The partial results in an input from n files are of one view (tr_partial_only); else the file that has others is
 * refused by name.  view NULL: no partial results are read.
 */
enum tr_status cli_partial_only(struct cli *cli, const struct tr_input *in, const char *const *paths, size_t n,
                                const char *view, struct tr_error *err);

/* Write tables of partial results to the output that was opened, with the sources that they are about; NULL: none. */
enum tr_status cli_partial_write_tables(struct cli *cli, const struct tr_input *in, const struct tr_dict *dict,
                                        const struct tr_summary *summary, const struct tr_side_tables *tables,
                                        struct tr_error *err);

/* Write the states of the n analyses of a runner, in place of the output. */
enum tr_status cli_partial_write(struct cli *cli, const struct tr_input *in, const char *path, struct tr_runner *r,
                                 size_t n, struct tr_error *err);

/*
 * Which of the required ranks are missing?  TR_OK; TR_COVERAGE, with a remark: some are.
 * ranks: in any order, also several times; -1 is no rank.  Sorted by this call.
 * world_size: of the job; a remark names those that are missing.  0: unknown.
 */
enum tr_status cli_partial_ranks(struct cli *cli, const struct cli_partial *p, int64_t *ranks, size_t n,
                                 uint64_t world_size, struct tr_error *err);

#endif
