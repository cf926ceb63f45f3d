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

/* What is asked about ranks. */
struct cli_ranks {
    const char *run;                  /* of several: which, as in "base"; NULL: there is one */
    const struct tr_dict *dict;       /* its sources have ranks; NULL: none */
    const struct tr_select *selected; /* sources that count; NULL: all */
    const int64_t *loaded;            /* further ranks, of partial results; -1 is none */
    size_t n_loaded;
    uint64_t world_size;              /* of the job: a remark names ranks of it that are missing; 0: no remark */
};

/*
 * Are all required ranks there (--expect-ranks, --min-ranks)?  If not, a remark names the first, and the program ends
 * with status 5, if it succeeds.  TR_USAGE: the list is wrong.
 */
enum tr_status cli_ranks_there(struct cli *cli, const struct cli_ranks *r, struct tr_error *err);

/* Did one of the calls before find that some are missing? */
bool cli_ranks_missing(const struct cli *cli);

#endif
