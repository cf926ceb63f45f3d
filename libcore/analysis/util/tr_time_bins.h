/* SPDX-License-Identifier: MIT */
/*
 * Bins of one length over the time of a run, with sums of times for each group.
 *
 * Bins count from the start of the job of a group (tr_job_start.h): bin number n is from n times the length to n + 1
 * times.  The length is given, or follows from all times that were reached: a round number, so that there are about 100
 * bins.  It is not known before the end.  So bins of a power of ten of nanoseconds are kept, and ten of them become one
 * when there are 1000; a round number has whole ones.
 *
 *     tr_time_bins_init(&t, length, 2, in);
 *     tr_time_bins_work(&t, group, start, end)            for all device work, before the next call
 *     tr_time_bins_add(&t, group, 0, start, end)          sum number 0: this time, in the bins that it is in
 *     length = tr_time_bins_length(&t);
 *     tr_time_bins_sum(&t, group, 0, n)                   of bin number n of this length
 *     tr_time_bins_free(&t);
 *
 * Memory: 8 bytes for each sum of a bin; at most TR_TIME_BINS_MAX bins.  Not shared between threads.
 */
#ifndef TR_TIME_BINS_H
#define TR_TIME_BINS_H

#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_TIME_BINS_MAX ((size_t)1 << 22) /* of all groups together */

struct tr_bin_row {
    bool known;
    int64_t origin; /* the start of its job, in ns of the stream */
    int64_t first;  /* number of the first bin that is kept */
    size_t n, cap;
    uint64_t *sums; /* of bin after bin */
};

struct tr_time_bins {
    const struct tr_analysis_in *in;
    const struct tr_group_by *groups;
    int64_t *starts; /* by source */
    int64_t kept;    /* length of the bins that are kept, in ns */
    bool given;      /* by the user */
    size_t n_sums;
    int64_t from, to; /* from the start of the job; from > to: nothing was reached */
    struct tr_bin_row *rows; /* by group */
    size_t n_rows, cap_rows, n_bins;
    bool too_many; /* bins, so an addition failed */
    uint64_t n_far; /* device work more than 146 years from the start of its job, which has no bin */
};

/* Start.  length: in ns; 0: it follows.  in and groups are borrowed.  False: out of memory. */
bool tr_time_bins_init(struct tr_time_bins *t, int64_t length, size_t n_sums, const struct tr_analysis_in *in,
                       const struct tr_group_by *groups);
void tr_time_bins_free(struct tr_time_bins *t);

/* Prepare for the ends of an interval of a group.  False: out of memory. */
bool tr_time_bins_reach(struct tr_time_bins *t, uint32_t group, int64_t start, int64_t end);
/* The same for device work, which is counted if it is too far away. */
bool tr_time_bins_work(struct tr_time_bins *t, uint32_t group, int64_t start, int64_t end);

/* Do both its ends have a bin?  After it was reached. */
bool tr_time_bins_hold(const struct tr_time_bins *t, uint32_t group, struct tr_range interval);

/* Add its parts to a sum of its bins.  False: out of memory, or too_many is set. */
bool tr_time_bins_add(struct tr_time_bins *t, uint32_t group, size_t sum, int64_t start, int64_t end);

/* Add ns to a sum of the bin of a moment.  False: as above. */
bool tr_time_bins_add_at(struct tr_time_bins *t, uint32_t group, size_t sum, int64_t at, uint64_t ns);

/* The end of the bin that is kept at a moment that was reached; INT64_MAX: it has none. */
int64_t tr_time_bins_edge(const struct tr_time_bins *t, uint32_t group, int64_t at);

/* The status and message of a failed addition. */
enum tr_status tr_time_bins_fail(const struct tr_time_bins *t, struct tr_error *err);

/* ---- after the last addition ---- */

/* The length of bins for rows. */
int64_t tr_time_bins_length(const struct tr_time_bins *t);

/* The number of the bin of a moment, and the start and end of a bin, in ns of the stream. */
int64_t tr_time_bins_number(const struct tr_time_bins *t, uint32_t group, int64_t at);
struct tr_range tr_time_bins_range(const struct tr_time_bins *t, uint32_t group, int64_t number);

/* A sum of a bin, in ns. */
uint64_t tr_time_bins_sum(const struct tr_time_bins *t, uint32_t group, size_t sum, int64_t number);

/* Say what has no bin. */
void tr_time_bins_remark(const struct tr_time_bins *t);

#ifdef __cplusplus
}
#endif
#endif
