/* SPDX-License-Identifier: MIT */
/*
 * From rows to batches: rows of several interners, in canonical order, become batches of one
 * dictionary, numbered by first use.
 *
 * Strings, shapes and tracks are mapped once each; then a row costs some loads and stores per value.
 * The dictionary that batches refer to is given out in steps: tr_batch_builder_publish brings the caller's copy
 * to the state that a batch needs, so that one thread can builder while another reads.
 * Internal to libcore.
 */
#ifndef TR_BATCH_BUILDER_INT_H
#define TR_BATCH_BUILDER_INT_H

#include "ingest/tr_interner_int.h"
#include "model/tr_launch.h"
#include "stream/tr_row_int.h"

struct tr_batch_builder;

/*
 * interners  by number; kept, not copied; they may grow
 * launches   links of device work; NULL: none
 * drop_args  leave out args from shapes and columns
 */
struct tr_batch_builder *tr_batch_builder_new(struct tr__interner *const *interners, size_t n_interners,
                                const struct tr_launch_table *launches, bool drop_args);
void tr_batch_builder_free(struct tr_batch_builder *g);

/*
 * Names of tracks, found by (source, pid, tid); asked for when a track is first used.  raw: as in its interner.
 * False: out of memory.
 */
typedef bool tr_batch_builder_name_fn(void *ctx, struct tr_track *track, const struct tr_track *raw,
                               struct tr_strtab *strings, const struct tr__interner *interner);
void tr_batch_builder_names(struct tr_batch_builder *g, tr_batch_builder_name_fn *fn, void *ctx);

/* The dictionary being built; before the first row, sources may be added to it. */
struct tr_dict *tr_batch_builder_dict(struct tr_batch_builder *g);

/* The source has so many clocks beside its own; told before the first row of a sorted stream.  False: out of memory. */
bool tr_batch_builder_clocks(struct tr_batch_builder *g, uint32_t n);

/* The stream's number of an interner's track; TR_NO_STR: out of memory. */
uint32_t tr_batch_builder_track(struct tr_batch_builder *g, size_t interner, uint32_t track);

/* Append a row to a batch; false: out of memory. */
bool tr_batch_builder_row(struct tr_batch_builder *g, const struct tr_row *row, struct tr_batch *b);

/* How far the dictionary has grown. */
struct tr_dict_state tr_batch_builder_state(const struct tr_batch_builder *g);

/* Bring *to, a copy at an earlier state, to the given state.  Any thread.  False: out of memory. */
bool tr_batch_builder_publish(struct tr_batch_builder *g, struct tr_dict *to, const struct tr_dict_state *state);

#endif
