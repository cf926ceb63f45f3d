/*
 * From rows to batches: rows of several number spaces, in canonical order, become batches of one
 * dictionary, numbered by first use.
 *
 * Strings, shapes and tracks are mapped once each; then a row costs some loads and stores per value.
 * The dictionary that batches refer to is given out in steps: tr_gather_publish brings the caller's copy
 * to the state that a batch needs, so that one thread can gather while another reads.
 * Internal to libcore.
 */
#ifndef TR_GATHER_INT_H
#define TR_GATHER_INT_H

#include "formats/tr_space.h"
#include "model/tr_launch.h"
#include "stream/tr_row_int.h"

struct tr_gather;

/*
 * spaces     the number spaces, by number; kept, not copied; they may grow
 * launches   links of device work; NULL: none
 * drop_args  leave out args from shapes and columns
 */
struct tr_gather *tr_gather_new(struct tr__space *const *spaces, size_t n_spaces,
                                const struct tr_launch_table *launches, bool drop_args);
void tr_gather_free(struct tr_gather *g);

/*
 * Names of tracks, found by (source, pid, tid); asked for when a track is first used.  raw: as in its space.
 * False: out of memory.
 */
typedef bool tr_gather_name_fn(void *ctx, struct tr_track *track, const struct tr_track *raw,
                               struct tr_strtab *strings, const struct tr__space *space);
void tr_gather_names(struct tr_gather *g, tr_gather_name_fn *fn, void *ctx);

/* The dictionary being built; before the first row, sources may be added to it. */
struct tr_dict *tr_gather_dict(struct tr_gather *g);

/* The stream's number of a space's track; TR_NO_STR: out of memory. */
uint32_t tr_gather_track(struct tr_gather *g, size_t space, uint32_t track);

/* Append a row to a batch; false: out of memory. */
bool tr_gather_row(struct tr_gather *g, const struct tr_row *row, struct tr_batch *b);

/* How far the dictionary has grown. */
struct tr__dict_state {
    size_t n_strings, n_columns, n_shapes, n_tracks;
};
struct tr__dict_state tr_gather_state(const struct tr_gather *g);

/* Bring *to, a copy at an earlier state, to the given state.  Any thread.  False: out of memory. */
bool tr_gather_publish(struct tr_gather *g, struct tr_dict *to, const struct tr__dict_state *state);

#endif
