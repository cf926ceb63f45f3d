/* SPDX-License-Identifier: MIT */
/*
 * The runner: any number of analyses over one pass through the events.
 *
 *     struct tr_runner *r = tr_runner_new();
 *     tr_runner_add(r, &tr_analysis_kernel, &options, table, &err);
 *     tr_runner_needs(r, &want, &host);            which columns the input has to bring
 *     st = tr_runner_start(r, &in, &err);          once the stream is open
 *     while ((st = next(&b, &keep)) == TR_OK)
 *         st = tr_runner_feed(r, b, keep, &err);
 *     if (st == TR_END)
 *         st = tr_runner_finish(r, &err);          tables have their rows; tr_table_end is the caller's
 *     tr_runner_free(r);
 */
#ifndef TR_RUNNER_H
#define TR_RUNNER_H

#include "analysis/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_runner;

struct tr_runner *tr_runner_new(void); /* NULL: out of memory */
void tr_runner_free(struct tr_runner *r);

/*
 * Add an analysis.
 *
 * options  its struct of options, NULL: the defaults; borrowed until the run is freed
 * t        the table for its rows, borrowed; gets its columns now unless they depend on the data
 * per      grouping, -1: the analysis' own
 *
 * TR_USAGE: the options contradict each other, the analysis does not know the grouping, or the table
 * was asked for columns that it does not have.
 */
enum tr_status tr_runner_add(struct tr_runner *r, const struct tr_analysis *a, const void *options,
                             int per, struct tr_table *t, struct tr_error *err);

/*
 * What all analyses together need: columns are added to want, *host is set if one of them is about
 * the host.  want->any_rank_order is set if none of them needs an order between ranks, also not because its
 * groups are over all of them; else it is cleared.  Keys that are added stay valid until the run
 * is freed.  TR_OK or TR_SYSTEM.
 */
enum tr_status tr_runner_needs(struct tr_runner *r, struct tr_projection *want, bool *host, struct tr_error *err);

/* Begin.  in: work.suspect counts, the grouping is each analysis' own; services are the runner's. */
enum tr_status tr_runner_start(struct tr_runner *r, const struct tr_analysis_in *in,
                               struct tr_error *err);
enum tr_status tr_runner_feed(struct tr_runner *r, const struct tr_batch *b, const uint8_t *keep,
                              struct tr_error *err);
enum tr_status tr_runner_finish(struct tr_runner *r, struct tr_error *err);

/*
 * ---- partial results: tr_partial.h ----
 *
 * Save the state of analysis number i, in the order of adding, after the last batch: its tables are added
 * to a list.  Others may be saved, and tr_runner_finish be called, afterwards; nothing may be fed.
 *
 * TR_USAGE: the analysis, or what it was asked for, has no partial result that could be merged; why.
 */
enum tr_status tr_runner_save(struct tr_runner *r, size_t i, struct tr_side_tables *tables, struct tr_error *err);

/*
 * Begin without events: analyses get what was saved.  As tr_runner_start, but for dict, summary, sorted and
 * select of in, which do not matter; selection, suspect and distinct are those that were saved with.
 * TR_USAGE as above.
 */
enum tr_status tr_runner_start_partials(struct tr_runner *r, const struct tr_analysis_in *in, struct tr_error *err);

/*
 * Add what a list of tables has of analysis number i.  After that tr_runner_save, tr_runner_finish, or more of
 * the same.  TR_DAMAGED: it has nothing, it is malformed, it was asked for something else, or it has a rank that
 * was there before and must not come twice; the run is of no use then.
 */
enum tr_status tr_runner_load(struct tr_runner *r, size_t i, const struct tr_side_tables *tables, struct tr_error *err);

/* The same with the state of analysis number k of another run, whose events have all come. */
enum tr_status tr_runner_merge(struct tr_runner *r, size_t i, struct tr_runner *from, size_t k, struct tr_error *err);

/* After finish: why analysis number i, in the order of adding, may have no rows.  NULL: it has told. */
const char *tr_runner_why(const struct tr_runner *r, size_t i);

#ifdef __cplusplus
}
#endif
#endif
