/* SPDX-License-Identifier: MIT */
/*
 * How long did the steps of a run take?  Mean, standard deviation and median.
 *
 * A step is a number in a capture (tr_captures.h).  It has a time for each rank (tr_step_ends.h), and the longest one
 * counts.  So a job is as slow as its slowest rank, and ranks that wait for each other do not count as independent
 * values.
 *
 *     struct tr_step_times t = { 0 };
 *     tr_step_times_gather(&t, in->dict, ends, selected, seen)    or  tr_step_times_add(&t, 0, 3, 16000000)
 *     tr_step_times_seal(&t)
 *     ... t.n, t.mean, t.std, t.p50
 *     tr_step_times_free(&t);
 */
#ifndef TR_STEP_TIMES_H
#define TR_STEP_TIMES_H

#include "analysis/time/tr_step_ends.h"
#include "analysis/time/tr_steps_seen.h"
#include "model/selection/tr_select.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_step_time {
    int64_t capture, number;
    int64_t dur; /* ns */
};

struct tr_step_times {
    struct tr_step_time *steps; /* after sealing, in the order of capture and number */
    size_t n, cap;
    double mean, std, p50; /* ns, after sealing; NaN: no steps; std: fewer than two steps */
};

/* Add the time of a step on a rank.  False: out of memory. */
bool tr_step_times_add(struct tr_step_times *t, int64_t capture, int64_t number, int64_t dur);
/*
 * Add the selected steps of a stream, after tr_step_ends_finish.  seen: only those with an event that was fed to it;
 * NULL: all.  False: as above.
 */
bool tr_step_times_gather(struct tr_step_times *t, const struct tr_dict *dict, const struct tr_step_ends *ends,
                          struct tr_select *select, const struct tr_steps_seen *seen);
/* Join the times of each step, and compute the statistics.  Nothing may be added later.  False: as above. */
bool tr_step_times_seal(struct tr_step_times *t);
/* The time of a step, after sealing; 0: there is no such step. */
int64_t tr_step_times_of(const struct tr_step_times *t, int64_t capture, int64_t number);
void tr_step_times_free(struct tr_step_times *t);

#ifdef __cplusplus
}
#endif
#endif
