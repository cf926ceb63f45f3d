/*
 * Inside of the merge: what its files share.  Internal to libcore.
 *
 *   tr_merge.c          the queue of inputs, and how an event moves from one of them into the result
 *   tr_merge_sources.c  what is settled before the first event: sources, ranks, time base, summary
 */
#ifndef TR_MERGE_INT_H
#define TR_MERGE_INT_H

#include "base/tr_mem.h"
#include "stream/tr_merge.h"
#include "stream/tr_order.h"

/* How an event's packed values move: from a column of the input to one of the result. */
struct tr__move {
    uint32_t from, to;
    bool is_string;
};
struct tr__moves {
    bool made;
    uint32_t shape; /* in the result */
    size_t n;
    struct tr__move *m;
};

/* A source of an input, in the result. */
struct tr__lane_source {
    uint32_t number;
    uint32_t order; /* equal for sources that the canonical order cannot tell apart */
    int64_t shift;  /* ns, added to its times */
    int64_t rank;   /* or another one than it had */
};

/* One input, the event it stands at, and what its numbers are in the result. */
struct tr__lane {
    struct tr_input *in;
    const struct tr_batch *b;
    size_t at;
    size_t *cursor; /* by column: entries of the batch that lie behind */
    size_t cap_cursor;
    uint32_t *strings, *tracks;
    size_t n_strings, cap_strings, n_tracks, cap_tracks;
    struct tr__moves *moves; /* by shape */
    size_t n_moves, cap_moves;
    struct tr__lane_source *sources;
    uint32_t first_clock; /* in the result: clocks of the inputs before */
    struct tr_order_key key; /* of the event; source: number in the result */
    uint32_t order;
};

struct tr__merge {
    struct tr_input input;
    struct tr__lane *lanes;
    size_t n;
    struct tr__lane **heap;
    size_t n_heap;
    struct tr_dict *dict;
    struct tr_summary *summary;
    struct tr_provenance *provenance;
    struct tr_strtab *columns, *shapes; /* distinct by content */
    struct tr_batch *batch;
    bool failed;          /* memory ran out */
    enum tr_status ended; /* TR_OK while there is more; else what every call returns */
    struct tr_error error;
};

/* The number in the result of a string or track of an input; on lack of memory m->failed is set. */
uint32_t tr__merge_string(struct tr__merge *m, struct tr__lane *l, uint32_t id);
uint32_t tr__merge_track(struct tr__merge *m, struct tr__lane *l, uint32_t id);

/* Take over the clocks of an input, once its sources have their numbers. */
enum tr_status tr__merge_clocks(struct tr__merge *m, struct tr__lane *l, struct tr_error *err);

/* A time moved by a shift, TR_TIME_NONE as it is.  False: beyond 64 bits. */
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

/* Settle the sources of the result: fills in l->sources, m->summary and the rows of the dictionary. */
enum tr_status tr__merge_sources(struct tr__merge *m, bool renumber, struct tr_error *err);

#endif
