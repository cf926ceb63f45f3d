/* SPDX-License-Identifier: MIT */
/*
 * The internal state of the merge.  Internal to libcore.
 *
 *   tr_merge.c          the tree of inputs, which finds the next event
 *   tr_merge_lane.c     one input: its batches, and the map from its numbers to those of the result
 *   tr_merge_gather.c   moves the chosen events into the result, column by column
 *   tr_merge_turns.c    gives out whole batches in turn, if the order between ranks does not matter
 *   tr_merge_sources.c  prepares sources, time base and summary before the first event
 *   tr_merge_parts.c    joins parts of one source: their summaries, tracks, clocks and events
 *   tr_rank_conflict.c  finds sources that collide, and their new ranks
 *
 * Strings, tracks and shapes are numbered by first use, in the order of the events.  When an input gets a batch, events
 * that use a number for the first time are marked, and only these are examined one by one.  Everything else is moved by
 * columns.
 */
#ifndef TR_MERGE_INT_H
#define TR_MERGE_INT_H

#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "stream/format/tr_projected_int.h"
#include "stream/merge/tr_merge.h"
#include "stream/merge/tr_rank_conflict.h"
#include "stream/tr_layout_int.h"
#include "stream/tr_number_map.h"
#include "stream/tr_order.h"

/* The numbers of an input in the result, and the first event that uses each, both by entry. */
struct tr__numbers {
    struct tr_number_map map;
    struct tr_number_map first; /* 0: in an earlier batch; else event of this batch + 1; unknown: nowhere */
    size_t n_known;             /* used in an earlier batch */
};

/* A source of an input, in the result. */
struct tr__lane_source {
    uint32_t number;
    uint32_t order; /* equal for sources that the canonical order cannot distinguish */
    int64_t shift;  /* ns, added to its times */
    int64_t rank;   /* in the result */
    uint8_t rank_rule;
    struct tr_part part;
    bool joined; /* another lane has a part of the same source */
    bool beside; /* it has no events, and is a part of another source of its job */
};

/* A number in a packed column that an event is the first to use. */
struct tr__novelty {
    uint32_t event, column, value;
};

/* One input, and its current events: a batch, or a part of a very large one. */
struct tr__lane {
    struct tr_input *in;
    const struct tr_batch *b;
    size_t from, at, end; /* events not yet moved into the result; the next one; end of the part */
    size_t start;         /* of the part */
    int64_t shift;        /* ns, added to all times: a sorted input has one base */
    uint8_t *fresh;       /* by event of the part: it uses a number for the first time */
    size_t cap_fresh;
    struct tr__novelty *novelties; /* by event */
    size_t n_novelties, cap_novelties, next_novelty;
    struct tr__layout layout;
    size_t *cursor; /* by column: entries of the batch that are in the result */
    size_t cap_cursor;
    struct tr__numbers strings, tracks, shapes;
    struct tr_number_map column_of; /* by column of the result: column here */
    struct tr__wanted wanted; /* of its columns */
    struct tr__lane_source *sources;
    uint32_t *clocks; /* by clock: its number in the result */
    /* With turns: how many tracks and shapes have a number in the result, and whether one of these numbers differs
     * from the number in the input. */
    uint32_t n_tracks, n_shapes;
    bool other_tracks, other_shapes;
};

/* A leaf or a loser of the tournament tree: the current time of a lane. */
struct tr__contest {
    int64_t ts;
    uint32_t lane;
};

/*
 * Places for the items of each lane.  Those of lane i are at[from[i]] to at[from[i] + n[i] - 1], in their order.
 */
struct tr__places {
    uint32_t *at, *from, *n, *end; /* end: after the last place of the lane that is set so far */
    size_t cap;
};

/* The working memory of gathering the columns of the result. */
struct tr__gather {
    uint32_t *lane; /* by chosen event: its lane */
    struct tr__layout layout;
    struct tr__places events; /* of the lanes' events among those chosen */
    struct tr__group {
        uint64_t shapes;
        uint8_t flag;
        struct tr__places entries; /* of the lanes' entries in a column */
    } groups[32], other; /* columns of the same events share them */
    size_t n_groups;
    uint32_t *active; /* lanes with chosen events */
    size_t n_active, n_lanes;
};

/* Batches in turn: the columns of the next batch that differ from those of its input. */
struct tr__turns {
    bool on;
    int64_t *ts;
    uint32_t *track, *shape, *name, *cat;
    size_t cap_ts, cap_track, cap_shape, cap_name, cap_cat;
    struct tr_col *cols, *own; /* by column of the result: the entries, and memory for changed ones */
    size_t cap_cols, cap_own, n_own;
};

/* Parts of one source, in several lanes. */
struct tr__joins {
    bool any;
    struct tr_hash_index tracks; /* of joined sources in the result */
    bool started;
    struct tr_order_key last; /* the last chosen event, and its lane */
    uint32_t last_lane;
};

struct tr__merge {
    struct tr_input input;
    struct tr__lane *lanes;
    size_t n;
    struct tr__contest *tree; /* losers; 0: the winner */
    size_t n_leaves;          /* a power of two */
    bool *over;               /* by lane: it has no more events */
    struct tr__gather gather;
    struct tr__turns turns;
    struct tr__joins joins;
    struct tr_dict *dict;
    struct tr_summary *summary;
    struct tr_side_tables tables;
    struct tr_provenance *provenance;
    struct tr_batch *batch;
    struct tr_batch shown;    /* the batch as it is given out */
    struct tr__wanted wanted; /* columns of the result */
    bool shared_rank, shared_source; /* two lanes have the same rank, or sources that the order cannot distinguish */
    bool started;             /* lanes have their first events */
    bool failed;          /* memory ran out */
    enum tr_status ended; /* TR_OK while there are events; after that, the status that every call returns */
    struct tr_error error;
};

/* The number in the result of a string or track of an input.  If memory runs out, m->failed is set. */
uint32_t tr__merge_string(struct tr__merge *m, struct tr__lane *l, uint32_t id);
uint32_t tr__merge_track(struct tr__merge *m, struct tr__lane *l, uint32_t id);

/* The same for rows of a dictionary. */
struct tr__lane_texts {
    struct tr__merge *m;
    struct tr__lane *l;
};
uint32_t tr__lane_text(void *texts, uint32_t id);

/* The track of the result that is equal to one of a joined source; UINT32_MAX: there is none yet. */
uint32_t tr__join_track(const struct tr__merge *m, const struct tr_track *t);
bool tr__join_track_added(struct tr__merge *m, uint32_t track); /* false: out of memory */
/* The same for a clock, by its number; 0: there is none yet.  Not one that the n clocks before it in its lane have. */
uint32_t tr__join_clock(struct tr__merge *m, const struct tr__lane *l, size_t n, const struct tr_clock *c);
/* Once summaries are joined: the places of their steps in the rows of clocks.  False: out of memory. */
bool tr__join_step_fixes(struct tr__merge *m);
/* Add the rows that a table does not have yet.  False: out of memory. */
bool tr__join_rows(struct tr_side_table *to, const struct tr_side_table *from);

/* An event of a lane was chosen.  Has another lane given the current one before?  Refused, unless it is metadata. */
void tr__join_took(struct tr__merge *m, uint32_t lane);
enum tr_status tr__join_twice(const struct tr__merge *m, uint32_t lane, bool *twice, struct tr_error *err);
/* Pass over the current event of a lane, which has no chosen events. */
enum tr_status tr__join_skip(struct tr__merge *m, struct tr__lane *l, struct tr_error *err);
void tr__joins_free(struct tr__joins *j);

/* Take over the clocks of an input, once its sources have their numbers. */
enum tr_status tr__merge_clocks(struct tr__merge *m, struct tr__lane *l, struct tr_error *err);

/* Add a shift to a time, unless it is TR_TIME_NONE.  False: beyond 64 bits. */
static inline bool tr__merge_time(int64_t *t, int64_t shift)
{
    if (*t == TR_TIME_NONE)
        return true;
    if (*t > INT64_MAX - shift) /* shifts are never negative */
        return false;
    *t += shift;
    return true;
}

enum tr_status tr__merge_too_far(const struct tr__lane *l, struct tr_error *err);

/* Take over the tables of all inputs, once sources and clocks have their numbers. */
enum tr_status tr__merge_tables(struct tr__merge *m, struct tr_error *err);

/* Make the sources of the result: fills in l->sources, m->summary and the rows of the dictionary. */
enum tr_status tr__merge_sources(struct tr__merge *m, const struct tr_merge_opts *opts,
                                 struct tr_error *err);

/* Get the next events of a lane, when all its current events have been moved.  TR_END: there are no more. */
enum tr_status tr__lane_more(struct tr__merge *m, struct tr__lane *l, struct tr_error *err);
/* Give numbers to the strings, tracks and shapes that the current event uses for the first time. */
enum tr_status tr__lane_number(struct tr__merge *m, struct tr__lane *l, struct tr_error *err);
/* The next batch that is not empty, before it is examined. */
enum tr_status tr__lane_fetch(struct tr__merge *m, struct tr__lane *l, struct tr_error *err);
bool tr__lane_numbers_grow(struct tr__lane *l); /* room for all numbers of its dictionary; false: out of memory */
bool tr__lane_shape(struct tr__merge *m, struct tr__lane *l, uint32_t shape); /* give it a number; false: as above */
/* The failure: a column has too few entries. */
enum tr_status tr__lane_short(const struct tr__lane *l, uint32_t column, struct tr_error *err);
bool tr__lane_ends_fit(const struct tr__lane *l); /* do the times of the part stay in range after the shift? */
void tr__lane_free(struct tr__lane *l);

/* The tree: build it from the current events of all lanes; update it when a lane has another event, or none. */
void tr__tree_build(struct tr__merge *m);
void tr__tree_play(struct tr__merge *m, uint32_t lane);

/* Copy the n chosen events to the batch, and move every lane past them. */
enum tr_status tr__gather_events(struct tr__merge *m, size_t n, struct tr_error *err);
bool tr__gather_init(struct tr__gather *g, size_t n_lanes); /* false: out of memory */
void tr__gather_free(struct tr__gather *g);

/* The next batch, in m->shown.  TR_END: there is none. */
enum tr_status tr__turns_next(struct tr__merge *m, struct tr_error *err);
void tr__turns_free(struct tr__turns *t);

#endif
