/* SPDX-License-Identifier: MIT */
/*
 * Where a job begins: what relative times count from.
 *
 * The begin of a source is the smallest first time, as the summary has it, of all sources whose times compare with its
 * own: those of its host, or of every host once clocks are aligned, and of the same capture.  The
 * summary describes whole sources, so a stream that a filter has passed on keeps its begin.
 *
 * No state, no threads.
 */
#ifndef TR_BEGIN_H
#define TR_BEGIN_H

#include "stream/tr_dict.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The begin of a source, in ns of the stream; TR_TIME_NONE: no event of these sources has a time.
 *
 * d, summary  of a sorted stream: both know all sources before the first batch
 * source      its number in d
 */
int64_t tr_begin_of(const struct tr_dict *d, const struct tr_summary *summary, uint32_t source);

/*
 * The begins of all sources, one for each of d; TR_TIME_NONE as for tr_begin_of.
 *
 * Returns how many different clocks there are, each with a begin of its own; 0: no source has a time.
 */
size_t tr_begins_of(const struct tr_dict *d, const struct tr_summary *summary, int64_t *begins);

/*
 * Have the times of each source's file count from the start of the source: from then on tr_source_to_file gives
 * relative times, and tr_source_to_stream takes them.  Sources without a time are left as they are.
 *
 * Returns what tr_begins_of does.
 */
size_t tr_begin_from_zero(struct tr_dict *d, const struct tr_summary *summary);

#ifdef __cplusplus
}
#endif
#endif
