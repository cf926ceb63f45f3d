/* SPDX-License-Identifier: MIT */
/*
 * Causes of idle time: the gaps without work of a group, each cut into parts by cause.
 *
 * A gap is the time from the end of all earlier work of a group, on any stream, to the start of the next work.
 * The gaps of a group add up to its span without its busy time (tr_busy.h).  The launch call of the work that
 * ends a gap divides it into three parts:
 *
 *   before the call   what the launching thread did (model/calls/tr_host_history.h): TR_IDLE_HOST_BUSY,
 *                     TR_IDLE_HOST_BLOCKED, TR_IDLE_DATA_LOADING or TR_IDLE_COLLECTIVE_WAIT
 *   inside it         TR_IDLE_LAUNCH_OVERHEAD
 *   after it          TR_IDLE_DEVICE_OVERHEAD if that part is shorter than a threshold, else TR_IDLE_DEPENDENCY
 *
 * If the launch is unknown, the whole gap is TR_IDLE_UNKNOWN.  In a window, the time before the first work and after
 * the last work is TR_IDLE_EDGE.
 *
 * Each part has the name of the span that the launching thread was in.  It is the name with the longest time among the
 * innermost spans of the part; of equal times, the first in the order of bytes.  Steps and Python frames count only if
 * no other span was open in the part.
 *
 * The selection is for device work; all spans of the host are used.  The history of the host is kept while device work
 * is still to come, by the counts of activities in the summary; without these counts, parts have no names.
 *
 * One pass over events in canonical order.  Memory: the host history since the oldest end of a group that may still get
 * work; with groups by stream or step, up to 48 bytes for each host span of the input.
 */
#ifndef TR_IDLE_H
#define TR_IDLE_H

#include "analysis/time/tr_idle_hosts.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_idle_cause {
    TR_IDLE_HOST_BUSY,
    TR_IDLE_HOST_BLOCKED,
    TR_IDLE_DATA_LOADING,
    TR_IDLE_COLLECTIVE_WAIT,
    TR_IDLE_LAUNCH_OVERHEAD,
    TR_IDLE_DEVICE_OVERHEAD,
    TR_IDLE_DEPENDENCY,
    TR_IDLE_UNKNOWN,
    TR_IDLE_EDGE,
    TR_N_IDLE_CAUSES
};
const char *tr_idle_cause_name(unsigned cause); /* as users write it: "host_busy" */

struct tr_idle_part {
    enum tr_idle_cause cause; /* each at most once in a gap */
    int64_t ns;               /* above 0 */
    uint32_t during;          /* string number; TR_NO_STR: nothing ran on the thread, or it is not known */
};

struct tr_idle_gap {
    uint32_t group;
    int64_t start, end;      /* ns, start < end */
    uint32_t before, after;  /* names of the work that ended last, and of the work that ends the gap; TR_NO_STR: none */
    const struct tr_idle_part *parts; /* in the order of causes; they add up to the gap */
    size_t n_parts;
    int64_t waited; /* ns: how long the waits for the device took that ended in the gap, also before it; 0: none did */
};

/* Called for each gap.  False: out of memory. */
typedef bool tr_idle_see(void *self, const struct tr_idle_gap *gap);

struct tr_idle;

/* Parameters as for tr_group_by_init; threshold in ns; idle is set on TR_OK only. */
enum tr_status tr_idle_new(const struct tr_group_by_opts *opts, int64_t threshold, const struct tr_dict *dict,
                           const struct tr_summary *summary, bool sorted, struct tr_select *select, tr_idle_see *see,
                           void *self, struct tr_idle **idle, struct tr_error *err);
void tr_idle_free(struct tr_idle *a);

/*
 * The start of a gap before the first work of a group, in ns; TR_TIME_NONE: there is no such gap.  ts: start of the
 * work.  Set this function before the first batch.  Without it, the time before the first work is not a gap.  With it,
 * the history of a host is kept from the start of the input to the first work of its rank.
 */
typedef int64_t tr_idle_lead(void *self, uint32_t group, int64_t ts);
void tr_idle_set_lead(struct tr_idle *a, tr_idle_lead *lead);

/*
 * The first time after ts, in ns, at which gaps of a group are cut in two; INT64_MAX: there is none.  Each part is then
 * a gap of its own, with the same work before and after it.  Set this function before the first batch.
 */
typedef int64_t tr_idle_cut(void *self, uint32_t group, int64_t ts);
void tr_idle_set_cut(struct tr_idle *a, tr_idle_cut *cut);

/*
 * Share what the hosts did with other analyses of the run (tr_idle_hosts.h), which gets each batch before.  Call it in
 * start; without it, the history is its own.
 */
enum tr_status tr_idle_share(struct tr_idle *a, const struct tr_analysis_in *in, struct tr_error *err);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_idle_feed(struct tr_idle *a, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err);

/* After the last batch: calls see for the gaps at the edges of windows. */
enum tr_status tr_idle_finish(struct tr_idle *a, struct tr_error *err);

/* The groups so far. */
struct tr_group_by *tr_idle_groups(struct tr_idle *a);

#ifdef __cplusplus
}
#endif
#endif
