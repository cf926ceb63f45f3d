/* SPDX-License-Identifier: MIT */
/*
 * Counters of device work over time: the length of queues, the rate of copies, the number of busy streams, the
 * bandwidth of collectives, and, of events with cycle stamps (tr_cycle_stamps.h), power and waiting requests.
 *
 *   queue      per stream: work that is launched but has not started.  +1 at the start of the launch, -1 at
 *              the start of the work; work without a known launch is left out
 *   bandwidth  per rank, device and kind of copy ("Memcpy HtoD", "Memset", ...): bytes per second
 *              of all running copies.  The rate of a copy is the one in the trace, else its bytes divided by its
 *              duration, else 0; a duration of 0 counts as 1 us
 *   busy       per device: streams on which work runs
 *   power      per device, in uW: the charge between two readings of its counter of charge, which are the args Power of
 *              events with stamps, taken at TS4.  It holds until the next reading, and is 0 after the last.
 *              More than 100 W is impossible, and counts as 0.  Readings go on from one file of a rank to the next
 *   collective per type of collective, of all ranks: the bus bandwidth (tr_coll_bus_factor) from the last start of its
 *              members to their last end, while all ranks take part; 0 where bytes or size of the group are unknown
 *   waiting    per device: requests between TS2 and TS3, the spans "... Cmpt Prep"
 *
 * Times are those of the events, so tr_cycles.h comes first.  What a reading counts is known from acelyzer
 * (github.com/IBM/aiu-trace-analyzer).
 *
 * A counter changes at the times of events; each change is a sample with the value from then on.  At one
 * time, queues grow before they shrink, rates and busy streams go down before they go up; then by record.
 * Values are exact integers, so a counter without work is 0.  A queue can be below 0 only if work started before its
 * launch, because clocks disagree.
 *
 * Changes are sorted with bounded memory, in a temporary file if there are many.  Definitions: HTA's
 * queue length and memory bandwidth series.
 */
#ifndef TR_COUNTERS_H
#define TR_COUNTERS_H

#include "engine/tr_group_by.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_counter {
    TR_COUNTER_QUEUE,
    TR_COUNTER_BANDWIDTH,
    TR_COUNTER_BUSY,
    TR_COUNTER_POWER,
    TR_COUNTER_WAITING,
    TR_COUNTER_COLLECTIVE,
    TR_N_COUNTERS
};

/* One counter of one stream, kind of copy or device. */
struct tr_series {
    enum tr_counter counter;
    struct tr_group_key key; /* stream: of queue only */
    const char *name;        /* of bandwidth: the kind of copy; of collective: its type; else NULL */
    uint32_t track;          /* of the first event that belongs to it */
};

struct tr_counter_sample {
    int64_t ts, value; /* ns; value from then on: work, bytes per second, streams, uW, requests, bytes per second */
    uint32_t series;
    uint64_t record;   /* of the event that changed it: for a queue that grows, the launch */
};

struct tr_counters_opts {
    struct tr_group_by_opts work; /* per is ignored */
    unsigned which;           /* bits 1 << TR_COUNTER_... */
    size_t max_memory;        /* bytes, for sorting */
    const char *temp_dir;
};

struct tr_counters;
struct tr_colls; /* model/collectives/tr_collective.h */

/* Parameters as for tr_group_by_init; *counters is set on TR_OK only. */
enum tr_status tr_counters_new(const struct tr_counters_opts *opts, const struct tr_dict *dict,
                               const struct tr_summary *summary, bool sorted,
                               struct tr_select *select, struct tr_counters **counters,
                               struct tr_error *err);
void tr_counters_free(struct tr_counters *c);

/*
 * The next batch, with its args "bytes", "Bytes", "memory bandwidth (GB/s)", "Power" and stamps, its launch
 * columns, and what collectives need (model/collectives/tr_collective.h).
 */
enum tr_status tr_counters_feed(struct tr_counters *c, const struct tr_batch *b,
                                const uint8_t *keep, struct tr_error *err);

/*
 * After the last batch, for a caller that matches collectives itself and so has not asked for their counter: its
 * changes.
 */
enum tr_status tr_counters_add_collectives(struct tr_counters *c, const struct tr_colls *colls, struct tr_error *err);

/* After that: all series, ordered by counter, key and name; owned by the analysis. */
enum tr_status tr_counters_finish(struct tr_counters *c, const struct tr_series **series, size_t *n,
                                  struct tr_error *err);

/* Then the samples of all series in order of time.  TR_END after the last. */
enum tr_status tr_counters_next(struct tr_counters *c, struct tr_counter_sample *sample,
                                struct tr_error *err);

/* After the last batch: the number of readings of charge with more power than is possible. */
uint64_t tr_counters_too_much(const struct tr_counters *c);

#ifdef __cplusplus
}
#endif
#endif
