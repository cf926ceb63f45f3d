/* SPDX-License-Identifier: MIT */
/*
 * The runner: any number of analyses over one pass through the events.
 *
 *     struct tr_runner *r = tr_runner_new();
 *     tr_runner_add(r, &tr_analysis_kernel, &options, table, &err);
 *     tr_runner_needs(r, &want, &host, &err);      the columns that the input must have
 *     st = tr_runner_start(r, &in, &err);          after the stream is open
 *     while ((st = next(&b, &keep)) == TR_OK)
 *         st = tr_runner_feed(r, b, keep, &err);
 *     if (st == TR_END)
 *         st = tr_runner_finish(r, &err);          tables have their rows; the caller calls tr_table_end
 *     tr_runner_free(r);
 */
#ifndef TR_RUNNER_H
#define TR_RUNNER_H

#include "engine/tr_analysis.h"
#include "io/tr_copy.h"

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
 * t        the table for its rows, borrowed; gets its columns now, unless they depend on the data
 * per      grouping; -1: the default of the analysis
 *
 * TR_USAGE: the options contradict each other, the analysis does not support the grouping, or the user chose columns
 * that the table does not have.
 */
enum tr_status tr_runner_add(struct tr_runner *r, const struct tr_analysis *a, const void *options,
                             int per, struct tr_table *t, struct tr_error *err);

/*
 * The needs of all analyses together: columns are added to want, and *host is set if an analysis is about the host.
 * want->any_rank_order is set if no analysis needs an order between ranks; an analysis with groups over all ranks may
 * need one (struct tr_needs).  Otherwise it is cleared.  Added keys stay valid until the runner is freed.  TR_OK or
 * TR_SYSTEM.
 */
enum tr_status tr_runner_needs(struct tr_runner *r, struct tr_projection *want, bool *host, struct tr_error *err);

/*
 * A function of the program that gets each batch, as analyses do, before the start.  At most TR_RUNNER_OWN.  It may run
 * in another thread, at the same time as analyses, so it must share nothing with them.
 */
#define TR_RUNNER_OWN 2u
typedef enum tr_status tr_runner_take(void *self, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err);
void tr_runner_add_observer(struct tr_runner *r, tr_runner_take *take, void *self);

/*
 * Start.  Of in->work, only suspect is used, because each analysis has its grouping; the runner sets services.
 * in->max_memory is that of the run: analyses that need memory have equal shares of it (enum tr_memory_need).
 */
enum tr_status tr_runner_start(struct tr_runner *r, const struct tr_analysis_in *in,
                               struct tr_error *err);
/* With in->threads, analyses that share no service run at the same time.  The rows and remarks stay the same. */
enum tr_status tr_runner_feed(struct tr_runner *r, const struct tr_batch *b, const uint8_t *keep,
                              struct tr_error *err);
enum tr_status tr_runner_finish(struct tr_runner *r, struct tr_error *err);

/*
 * A snapshot: work is called in a copy of the process (io/tr_copy.h), where the run ends.  There it calls
 * tr_runner_finish, and adds to out what it needs of the tables, which are those of a run over the events so far.  Here
 * the run goes on, as if there had been none.
 */
enum tr_status tr_runner_snapshot(struct tr_runner *r, tr_copy_work *work, void *self, struct tr_buf *out,
                                  struct tr_error *err);

/*
 * ---- partial results: tr_partial.h ----
 *
 * Save the state of analysis number i, in the order of adding, after the last batch.  Its tables are added to a list.
 * After that, other analyses may be saved, and tr_runner_finish may be called, but nothing may be fed.  Of analyses
 * that share the state of a service and are saved as tr_runner_save_as says, the first one saves it, and loads it for
 * all; the others do nothing.
 *
 * TR_USAGE: the analysis, or its options, have no partial result that could be merged; err has the reason.
 */
enum tr_status tr_runner_save(struct tr_runner *r, size_t i, struct tr_side_tables *tables, struct tr_error *err);

/* Partial results of analysis number i have this name, which is borrowed, in place of that of the analysis: a run may
 * have an analysis several times.  The number of analyses so far. */
void tr_runner_save_as(struct tr_runner *r, size_t i, const char *name);
size_t tr_runner_count(const struct tr_runner *r);

/* Can analysis number i be saved, as far as is known before the start?  TR_OK, or TR_USAGE as above. */
enum tr_status tr_runner_saves(const struct tr_runner *r, size_t i, struct tr_error *err);

/*
 * Start without events: the analyses get saved states.  The same as tr_runner_start, but dict, summary, sorted and
 * select of in are not used.  selection, suspect and distinct must be those of the saved states.
 * TR_USAGE as above.
 */
enum tr_status tr_runner_start_partials(struct tr_runner *r, const struct tr_analysis_in *in, struct tr_error *err);

/*
 * Add the partial results of analysis number i from a list of tables.  After that, call it again, or tr_runner_save
 * or tr_runner_finish.  Captures of a rank are numbered over all; a later call must not change the numbers.
 *
 * TR_DAMAGED: there is none, it is malformed, it was made with other options, or it has what another one had: a source,
 * or a capture of a rank that must not come in parts.  The runner cannot be used after this.
 */
enum tr_status tr_runner_load(struct tr_runner *r, size_t i, const struct tr_side_tables *tables, struct tr_error *err);

/*
 * The same with the state of analysis number k of another runner, after its last batch; NULL: none.  tables: with it,
 * in any order; NULL: none.
 */
enum tr_status tr_runner_merge(struct tr_runner *r, size_t i, const struct tr_side_tables *tables,
                               struct tr_runner *from, size_t k, struct tr_error *err);

/* The ranks of partial results that were loaded, ascending, each once; and of how many, as they say; 0: unknown. */
const int64_t *tr_runner_ranks(const struct tr_runner *r, size_t i, size_t *n, uint64_t *world_size);

/* After finish: the reason if analysis number i, in the order of adding, has no rows.  NULL: it was already given. */
const char *tr_runner_why(const struct tr_runner *r, size_t i);

#ifdef __cplusplus
}
#endif
#endif
