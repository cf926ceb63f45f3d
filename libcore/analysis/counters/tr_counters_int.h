/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the counters share.  Internal to libcore.
 *
 *   tr_counters.c          queues, copies, busy streams; samples in order
 *   tr_counters_collective.c  bandwidth of collectives
 *   tr_counters_stamped.c  power and waiting requests, of events with cycle stamps
 */
#ifndef TR_COUNTERS_INT_H
#define TR_COUNTERS_INT_H

#include "analysis/counters/tr_counters.h"
#include "analysis/time/tr_queue_ends.h"
#include "base/tr_stats.h"
#include "model/tr_cycle_stamps.h"
#include "model/tr_eventmap.h"
#include "stream/sort/tr_external_sort_int.h"
#include "stream/sort/tr_row_arena_int.h"
#include "stream/sort/tr_row_int.h"

/* A reading of the charge that a device has used. */
struct tr__charge {
    int64_t ts; /* ns */
    uint32_t charge;
    uint64_t record;
};

/* A device, by the rank and device of its tracks.  Its readings go on from one file to the next. */
struct tr__unit {
    struct tr_group_key key;
    uint32_t power, waiting; /* series, + 1; 0: none yet */
    struct tr__charge *later; /* a heap: readings that may not be the next ones yet */
    size_t n_later, cap_later;
    struct tr__charge last; /* charge 0: none */
    int64_t watts;          /* uW, of the series now */
};

/* A stretch of time in which a stream was never idle; it is not over while end moves on. */
struct tr__busy {
    int64_t start, end; /* start TR_TIME_NONE: none yet */
    uint64_t first, last; /* records of the first and the last work in it */
    uint32_t series;
};

struct tr_counters {
    struct tr_counters_opts opts;
    struct tr_queue_ends work; /* groups are devices */
    const struct tr_batch *batch;
    /* What a stream and a device are doing. */
    uint32_t *queue_of, *busy_of; /* series by group, + 1; 0: none yet */
    size_t cap_queue, n_queue, cap_busy, n_busy;
    struct tr_eventmap copy_of; /* series by device and kind of copy */
    struct tr__busy *busy; /* by stream */
    size_t n_streams, cap_streams;
    uint32_t *unit_of; /* by track: in units, + 1; 0: not looked up yet */
    size_t n_unit_of, cap_unit_of;
    struct tr__unit *units;
    size_t n_units, cap_units;
    uint64_t too_much; /* intervals with more power than there can be */
    struct tr_series *series;
    size_t n_series, cap_series;
    struct tr_u128 *values; /* by series, two's complement */
    uint32_t *place; /* of a series in the result */
    struct tr_series *sorted;
    /* Of this batch. */
    int64_t *launch_ts, *launch_record;
    size_t cap_ts, cap_record;
    struct tr_arg bytes, flex_bytes, rate;
    struct tr_cycle_stamp_reader stamps;
    struct tr_arg charge;
    struct tr_coll_finder *finder; /* of collectives; NULL: not asked for */
    /* Sorting. */
    struct tr_block_pool *pool;
    struct tr_row_arena rows;
    struct tr_row_ref *refs, *tmp;
    size_t n_refs, cap_refs, cap_tmp;
    uint64_t n_changes;
    struct tr_external_sort *runs;
    uint32_t *order_of; /* by source: its place among the sources */
    size_t n_order, cap_order;
};

/* A series without samples.  False: out of memory. */
bool tr__counters_add_series(struct tr_counters *c, enum tr_counter counter, const struct tr_group_key *key,
                             const char *name, uint32_t track, uint32_t *number);

/* Record a change. first: it comes before others at the same time. */
enum tr_status tr__counters_change(struct tr_counters *c, int64_t ts, bool first, uint32_t series, int64_t by,
                                   uint64_t record, struct tr_error *err);

/* ---- tr_counters_stamped.c ---- */

/* Start a new batch.  False: out of memory. */
bool tr__counters_start_stamped(struct tr_counters *c, const struct tr_batch *b);
/* Event i, in the order of the batch; keep: it counts.  TR_OK, TR_SYSTEM. */
enum tr_status tr__counters_stamped(struct tr_counters *c, size_t i, bool keep, struct tr_error *err);
/* After the last batch. */
enum tr_status tr__counters_end_stamped(struct tr_counters *c, struct tr_error *err);
void tr__counters_free_stamped(struct tr_counters *c);

#endif
