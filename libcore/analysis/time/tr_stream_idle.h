/* SPDX-License-Identifier: MIT */
/*
 * Why were device streams idle?  The gaps between consecutive work on a stream, by cause.
 *
 * A gap is the time from the end of all earlier work of the stream (the running maximum of ends) to the start of the
 * next work.  If work overlaps or follows immediately, the gap has length 0, and still counts as a gap, as in Holistic
 * Trace Analysis.  Its cause is the first one that applies:
 *
 *   host_wait    the work was launched after all earlier work of the stream had ended: the host was late
 *   kernel_wait  the gap is shorter than a threshold: the device needs some time between two kernels
 *   other        any longer gap, also before work whose launch is unknown
 *
 * The whole gap belongs to its cause.  The time before the first work of a stream is not a gap.  With a window
 * (--time), intervals are clipped first.  A stream belongs to a device of a rank.  Groups larger than a stream add up
 * the gaps of their streams.  In groups by step, a gap belongs to the step of the work after it.
 *
 * One pass over events in canonical order.  Memory: some 100 bytes per stream, and a histogram per group and cause,
 * with up to TR_STREAM_IDLE_DISTINCT distinct lengths.
 */
#ifndef TR_STREAM_IDLE_H
#define TR_STREAM_IDLE_H

#include "base/tr_stats.h"
#include "engine/tr_group_by.h"
#include "engine/tr_partial.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_STREAM_IDLE_DISTINCT ((size_t)1 << 18)

enum tr_stream_idle_cause {
    TR_STREAM_IDLE_HOST_WAIT,
    TR_STREAM_IDLE_KERNEL_WAIT,
    TR_STREAM_IDLE_OTHER,
    TR_N_STREAM_IDLE_CAUSES
};
const char *tr_stream_idle_cause_name(enum tr_stream_idle_cause cause); /* as users write it: "host_wait" */

struct tr_stream_idle_row {
    struct tr_group_key key;
    enum tr_stream_idle_cause cause;
    struct tr_stats stats;       /* of gaps, ns */
    const struct tr_hist *gaps;  /* sealed; ns */
    int64_t whole;               /* all gaps of the group, ns; TR_TIME_NONE: does not fit */
};

struct tr_stream_idle;

/*
 * Parameters as for tr_group_by_init; threshold in ns; distinct: distinct lengths of a row for exact percentiles, 0:
 * TR_STREAM_IDLE_DISTINCT; idle is set on TR_OK only.
 */
enum tr_status tr_stream_idle_new(const struct tr_group_by_opts *opts, int64_t threshold, size_t distinct,
                           const struct tr_dict *dict, const struct tr_summary *summary, bool sorted,
                           struct tr_select *select, struct tr_stream_idle **idle, struct tr_error *err);
void tr_stream_idle_free(struct tr_stream_idle *a);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_stream_idle_feed(struct tr_stream_idle *a, const struct tr_batch *b, const uint8_t *keep,
                            struct tr_error *err);

/*
 * The result, after the last batch: a row for each cause of each group that had device work, in the
 * order of keys, causes as above.  Owner: the analysis, until it is freed.
 */
enum tr_status tr_stream_idle_finish(struct tr_stream_idle *a, const struct tr_stream_idle_row **rows, size_t *n,
                              struct tr_error *err);

/* Save, after the last batch, and load as table 0 of a partial result. */
extern const struct tr_saved_table tr_stream_idle_saved;
void tr_stream_idle_save(const struct tr_stream_idle *a, struct tr_partial_out *out);
enum tr_status tr_stream_idle_load(struct tr_stream_idle *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
