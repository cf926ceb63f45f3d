/* SPDX-License-Identifier: MIT */
/*
 * From the cycle stamps of a device to times: the frequency of its counter, its laps, and the true duration of each
 * device work.
 *
 *     tr_cycles_new(&opts, in->dict, &c, &err);
 *     ... first reading: tr_cycles_feed(c, batch, &err) ...
 *     tr_cycles_solve(c, in->name, &err);                 frequencies, shifts of jobs
 *     ... second reading: tr_cycles_apply(c, batch, &moved, &err) ...
 *
 * Model.  A device has one counter of 32 bits that runs at one frequency f.  The end of an event with stamps is a time
 * of the host, at which the last stamp of its part was read (tr_cycle_stamps.h).  Its duration is the cycles of its
 * part divided by f.  Its start is its end minus its duration.
 *
 * Laps.  The counter wraps every 2^32 / f.  The number of laps between two events of a device is the one that fits the
 * host's clock best.  So host and counter may differ by up to half a lap between two events, in a trace of any length.
 * Within an event, it is the number that fits the duration best.  Here f is the frequency seen so far, not the
 * caller's, because a wrong f would give wrong laps.
 *
 * The frequency seen is the slope of a line through (host end, unrolled stamp) of all events of a device, by least
 * squares; its standard error is that of a slope with independent errors of one size (any text on regression).  With a
 * single end, it is cycles divided by durations, without an error.  This uses doubles.  Times are computed from whole
 * cycles and a whole number of Hz with integers of 128 bits, rounded to the nearest ns.
 *
 * Jobs.  A job is the events of one process in one source: one submission of work.  Its round trip is from the first to
 * the last of its host spans named "AIU Roundtrip".  If the work of a job lies outside of it, the clock of its times
 * was wrong: the work is moved to the start of the round trip, unless it takes longer than the round trip.
 *
 * Memory grows with devices, jobs and tracks, not with events.
 */
#ifndef TR_CYCLES_H
#define TR_CYCLES_H

#include "model/tr_cycle_stamps.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_CYCLES_HZ_MAX 100000000000ll /* 100 GHz */
#define TR_CYCLES_WRONG  0.1 /* a given frequency is refused if it differs from the one seen by more than this share */

struct tr_cycles_opts {
    const struct tr_cycles_given *given; /* frequencies; borrowed */
    size_t n_given;
    bool keep_jobs; /* do not move jobs */
    bool any_freq;     /* accept given frequencies that the stamps contradict */
};

/* A frequency that the caller knows. */
struct tr_cycles_given {
    int64_t rank; /* -1: of all ranks that have no row of their own */
    int64_t hz;   /* 1 to TR_CYCLES_HZ_MAX */
};

/* Values of one estimator of the frequency, in MHz. */
struct tr_cycles_estimate {
    uint64_t n;
    double min, max, sum;
};

struct tr_cycles_job {
    uint32_t source;
    int64_t pid;
    size_t device; /* index of the device; SIZE_MAX: it has no event with stamps */
    uint64_t events;
    int64_t host_start, host_end;     /* ns: the round trip; TR_TIME_NONE: it has none */
    int64_t device_start, device_end; /* ns: span of its events with stamps, in the host's times; TR_TIME_NONE: none */
    int64_t first_end, first_at;      /* of its first event: host end, and the stamp read then, unrolled */
    int64_t last_end, last_at;        /* of its last one */
    int64_t first_lap, last_lap;      /* of its events' TS1, counted from the first of the device */
    int64_t shift;                    /* ns to be added; after tr_cycles_solve */
    bool too_long;                    /* longer than its round trip, so it is not moved */
};

struct tr_cycles_device {
    int64_t rank, device;
    uint64_t events, unusable; /* events with stamps; events whose stamps are invalid, or contradict their duration */
    uint64_t wrapped;          /* events within which the counter wrapped */
    uint64_t jobs, shifted;    /* jobs with events; jobs that are moved */
    int64_t min_lap, max_lap;  /* of its events' TS1; the first event's is 0 */
    int64_t hz;                /* frequency used to compute times; 0 before tr_cycles_solve */
    bool given;                /* hz is the caller's */
    double seen_hz, se_hz;     /* NaN: not known */
    double drift_ns;           /* largest difference, with its sign, between the host's clock and a clock of this hz */
    struct tr_cycles_estimate by_duration, by_interval; /* kernels: TS4-TS3 by duration; between two, TS3 by start */
};

/* An event with stamps, after tr_cycles_apply; by event of the batch. */
struct tr_cycles_event {
    bool found;
    bool unusable; /* not found: its stamps cannot be used; it moves with its job */
    struct tr_cycle_stamps stamps;
    size_t job;       /* among the jobs */
    int64_t lap;      /* of its TS1, 0 the lowest of its device */
    int64_t add;      /* cycles to add to stamps.at */
    unsigned wrapped; /* the first stamp that is below the one before it, counted from 1; 0: none */
};

struct tr_cycles;

/* dict: of the batches to come, so it may grow; borrowed.  TR_OK, TR_SYSTEM. */
enum tr_status tr_cycles_new(const struct tr_cycles_opts *opts, const struct tr_dict *dict, struct tr_cycles **out,
                             struct tr_error *err);
void tr_cycles_free(struct tr_cycles *c);

/* The next batch of the first reading, in canonical order, with all args.  TR_OK, TR_SYSTEM. */
enum tr_status tr_cycles_feed(struct tr_cycles *c, const struct tr_batch *b, struct tr_error *err);

/*
 * After the first reading.  input: for messages.
 * TR_OK, also if there are no stamps, and so no devices; TR_NO: none of the stamps can be used, a frequency is neither
 * given nor can be seen, or a given one is contradicted.
 */
enum tr_status tr_cycles_solve(struct tr_cycles *c, const char *input, struct tr_error *err);

const struct tr_cycles_device *tr_cycles_devices(const struct tr_cycles *c, size_t *n); /* by rank and device */
const struct tr_cycles_job *tr_cycles_jobs(const struct tr_cycles *c, size_t *n);       /* by source and pid */

/*
 * The next batch of the second reading, the same as in the first.  In *out, a copy of b, the times of events with
 * stamps are computed from the stamps.  It is valid until the next call.  TR_OK; TR_DAMAGED: a time leaves the range of
 * 64 bits, or the batch differs from the first reading; TR_SYSTEM.
 */
enum tr_status tr_cycles_apply(struct tr_cycles *c, const struct tr_batch *b, const struct tr_batch **out,
                               struct tr_error *err);
/* For the events of the last batch that was applied. */
const struct tr_cycles_event *tr_cycles_events(const struct tr_cycles *c);

/* After the second reading: the summary with the new spans and launch lags; owned by c.  NULL: out of memory. */
const struct tr_summary *tr_cycles_summary(struct tr_cycles *c, const struct tr_summary *summary);

/* Cycles as ns, rounded to the nearest; hz above 0.  False: beyond 64 bits. */
bool tr_cycles_ns(int64_t cycles, int64_t hz, int64_t *ns);

#ifdef __cplusplus
}
#endif
#endif
