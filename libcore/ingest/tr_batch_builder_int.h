/* SPDX-License-Identifier: MIT */
/*
 * From rows to batches: rows of several interners, in canonical order, become batches with one dictionary.
 *
 * Its strings, shapes and tracks are numbered by first use.  Each is mapped once; after that, a row costs a few loads
 * and stores per value.  The batches refer to a copy of the dictionary that belongs to the caller.
 * tr_batch_builder_publish adds to this copy the rows that a batch needs.  So one thread can build batches while
 * another thread reads them.  Internal to libcore.
 */
#ifndef TR_BATCH_BUILDER_INT_H
#define TR_BATCH_BUILDER_INT_H

#include "ingest/tr_interner_int.h"
#include "model/calls/tr_launch.h"
#include "stream/format/tr_paged_int.h"
#include "stream/sort/tr_row_int.h"

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
 * ends      links of work by arrows: its correlation leads to that of its call; NULL: there are none
 * launched  uint32_t by record: of a call that launched work, its number in the table of launches plus one; 0: the call
 *           launched nothing.  It may be shorter
 * by_record no two events have the same record, and device work has the number of its launch plus one in launched
 */
void tr_batch_builder_links(struct tr_batch_builder *g, const struct tr_launch_table *ends,
                            const struct tr_paged *launched, bool by_record);

/* The correlation of the call of device work. */
static inline int64_t tr__launch_key(const struct tr_launch_table *ends, int64_t correlation, int64_t ts)
{
    const struct tr_launch *a = ends ? tr_launch_find(ends, correlation, ts) : NULL;
    return a ? (int64_t)a->record : correlation;
}

/*
 * Sets the names of a track, found by (source, pid, tid).  Called at the first use of a track.  raw: the track as it is
 * in its interner.  False: out of memory.
 */
typedef bool tr_batch_builder_name_fn(void *ctx, struct tr_track *track, const struct tr_track *raw,
                               struct tr_strtab *strings, const struct tr__interner *interner);
void tr_batch_builder_names(struct tr_batch_builder *g, tr_batch_builder_name_fn *fn, void *ctx);

/* The dictionary that is being built.  Sources may be added to it before the first row. */
struct tr_dict *tr_batch_builder_dict(struct tr_batch_builder *g);

/* The source has n clocks in addition to its main clock.  In a sorted stream, call this before the first row.
 * False: out of memory. */
bool tr_batch_builder_clocks(struct tr_batch_builder *g, uint32_t n);

/* The number that a track of an interner has in the stream; TR_NO_STR: out of memory. */
uint32_t tr_batch_builder_track(struct tr_batch_builder *g, size_t interner, uint32_t track);

/* Append a row to a batch; false: out of memory. */
bool tr_batch_builder_row(struct tr_batch_builder *g, const struct tr_row *row, struct tr_batch *b);

/* The present size of the dictionary. */
struct tr_dict_state tr_batch_builder_state(const struct tr_batch_builder *g);

/* Add rows to *to, a copy in an earlier state, until it has the given state.  Any thread may call this.
 * False: out of memory. */
bool tr_batch_builder_publish(struct tr_batch_builder *g, struct tr_dict *to, const struct tr_dict_state *state);

#endif
