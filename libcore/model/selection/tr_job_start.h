/* SPDX-License-Identifier: MIT */
/*
 * The start of a job, from which relative times count.
 *
 * The start of a source is the smallest first time in the summary of all sources whose times compare with its own.
 * These are the sources of its host, or of all hosts after clocks were aligned, in the same capture.  A source with a
 * time base and one without do not compare, unless they were aligned.  The summary
 * describes whole sources, so a filter does not change the start.
 *
 * No state, no threads.
 */
#ifndef TR_JOB_START_H
#define TR_JOB_START_H

#include "model/selection/tr_select.h"
#include "stream/tr_dict.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The start of a source, in ns of the stream; TR_TIME_NONE: no event of these sources has a time.
 *
 * d, summary  of a sorted stream: both know all sources before the first batch
 * source      its number in d
 */
int64_t tr_job_start_of(const struct tr_dict *d, const struct tr_summary *summary, uint32_t source);

/*
 * The starts of all sources, one for each of d; TR_TIME_NONE as for tr_job_start_of.
 *
 * Returns the number of different clocks, each with its own start; 0: no source has a time.
 */
size_t tr_job_starts_of(const struct tr_dict *d, const struct tr_summary *summary, int64_t *starts);

/*
 * Let the times of each source's file count from its start: from then on, tr_source_to_file gives relative times, and
 * tr_source_to_stream takes them.  Sources without a time do not change.
 *
 * Returns the same as tr_job_starts_of.
 */
size_t tr_job_start_from_zero(struct tr_dict *d, const struct tr_summary *summary);

bool tr__source_moved(const struct tr_dict *d, uint32_t source); /* to another clock, by tr-align */

#ifdef __cplusplus
}
#endif
#endif
