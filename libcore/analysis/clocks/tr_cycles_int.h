/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the cycle clocks share.  Internal to libcore.
 *
 *   tr_cycles.c        which device and job an event belongs to; the first reading
 *   tr_cycles_fit.c    lines through points; frequencies and shifts of jobs
 *   tr_cycles_apply.c  the second reading: times computed from cycles
 */
#ifndef TR_CYCLES_INT_H
#define TR_CYCLES_INT_H

#include "analysis/clocks/tr_cycles.h"

#define TR__LAP ((int64_t)1 << 32)

/* Points (x, y), summed up: their number, means, and sums of squares and products of distances from the means. */
struct tr__fit {
    uint64_t n;
    double x, y, xx, xy, yy;
};

/* The counter of a device while it is read; the same in both readings. */
struct tr__counter {
    bool started;
    int64_t f0, origin, origin_at; /* Hz, ns, cycles that the fits count from */
    int64_t end, at;               /* the last event: host end, and the stamp read then, unrolled */
    double part_cycles, part_ns, whole_cycles, whole_ns; /* of events that are parts of requests, and of whole ones */
    bool had_kernel;
    int64_t kernel_start, kernel_at; /* of the last kernel: start, and its TS3 unrolled */
    struct tr__fit fit;
};

struct tr_cycles {
    struct tr_cycles_opts opts;
    const struct tr_dict *dict;
    struct tr_cycle_stamp_reader reader;
    struct tr_cycles_device *devices;
    struct tr__counter *counters; /* by device */
    struct tr_cycles_job *jobs;
    struct tr__fit *fits; /* by job */
    size_t n_devices, cap_devices, cap_counters, n_jobs, cap_jobs, cap_fits;
    size_t *job_of, *device_of; /* by track; SIZE_MAX: not looked up yet */
    size_t n_job_of, cap_job_of, n_device_of, cap_device_of;
    bool *round_trip; /* by name */
    size_t n_names, cap_names;
    bool solved;
    /* The second reading. */
    struct tr_batch batch;
    struct tr_cycles_event *events;
    int64_t *ts, *dur;
    size_t cap_events, cap_ts, cap_dur;
    int64_t *first, *last, *lag_min, *lag_max; /* by source */
    struct tr_summary *summary;
};

/* Start a new batch.  False: out of memory. */
bool tr__cycles_start(struct tr_cycles *c, const struct tr_batch *b);

/*
 * Event i, in the order of the batch: the same in both readings.  *e is filled in. job: the job of the event, also of a
 * host event; SIZE_MAX: none.  TR_OK; TR_SYSTEM.
 */
enum tr_status tr__cycles_event(struct tr_cycles *c, const struct tr_batch *b, size_t i, struct tr_cycles_event *e,
                                struct tr_error *err);

void tr__fit_add(struct tr__fit *f, double x, double y);
void tr__fit_join(struct tr__fit *f, const struct tr__fit *more);

#endif
