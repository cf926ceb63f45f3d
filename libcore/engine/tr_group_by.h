/* SPDX-License-Identifier: MIT */
/*
 * Device work in groups, for all analyses of device time.
 *
 * Device work is spans whose activity is kernel, memcpy or memset; an analysis of other spans names
 * their activities (tr_group_by_opts.activities).  An analysis walks a batch and checks for each event whether it
 * counts.  It gets the interval of the event, clipped to the window if there is one, and the number of its group.
 * Groups are numbered from 0 in the order of their first events.  Their keys have those of rank, device, stream and
 * step that the grouping needs.
 *
 *     tr_group_by_batch(w, b, keep, &err);
 *     for (size_t i = 0; i < b->n; i++)
 *         if (tr_group_by_counts(w, i)) {
 *             if (!tr_group_by_item(w, i, &item))
 *                 return tr_fail_memory(err);
 *             use(item.group, item.start, item.end);
 *         }
 *
 * Memory: one entry per track, source and group.  Not shared between threads.
 */
#ifndef TR_GROUP_BY_H
#define TR_GROUP_BY_H

#include "base/tr_hash.h"
#include "base/tr_status.h"
#include "model/selection/tr_select.h"
#include "model/tr_steps.h"
#include "stream/tr_batch.h"
#include "stream/tr_projection.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The grouping.  Devices and steps belong to a rank, streams to a device.  Different captures (tr_captures.h) are
 * different groups in every grouping, because no interval goes from one to the next.
 */
enum tr_per {
    TR_PER_RANK,
    TR_PER_DEVICE,
    TR_PER_STREAM,
    TR_PER_STEP,
    TR_PER_CAPTURE,
    TR_PER_ALL,
    /* No groupings of events: rows of ranks are printed as their spread, for all ranks or those with equal values. */
    TR_PER_SPREAD,
    TR_PER_HOST,
    TR_PER_TP,
    TR_PER_PP,
    TR_PER_DP,
    TR_PER_EP,
};

const char *tr_per_name(enum tr_per per); /* "rank", "device", "stream", "step", "capture", "all", "spread", ... */

/* A part of a key that is unknown, or not used by the grouping; it sorts last. */
#define TR_GROUP_NONE INT64_MAX

struct tr_group_key {
    int64_t rank, device, stream, step;
    int64_t capture; /* 0 unless there are several */
};

#define TR_ACTIVITY_BIT(activity) (1u << (activity))
#define TR_DEVICE_WORK                                                   \
    (TR_ACTIVITY_BIT(TR_ACT_KERNEL) | TR_ACTIVITY_BIT(TR_ACT_MEMCPY) | \
     TR_ACTIVITY_BIT(TR_ACT_MEMSET))

/* The fixed columns that this module reads. */
#define TR_GROUP_BY_FIXED                                                                                        \
    (TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(TRACK) | TR_FIXED_BIT(PHASE) | TR_FIXED_BIT(ACTIVITY) | \
     TR_FIXED_BIT(KIND) | TR_FIXED_BIT(SUSPECT))

struct tr_group_by_opts {
    enum tr_per per;
    uint32_t activities; /* of the spans that count, by TR_ACTIVITY_BIT; 0: TR_DEVICE_WORK */
    bool suspect; /* also use suspect events, with their durations; 0 if negative, or if the end does not fit */
};

struct tr_group_by_item {
    uint32_t group;
    int64_t start, end; /* ns, start <= end */
};

struct tr_group_by {
    struct tr_group_by_opts opts;
    const struct tr_dict *dict;
    struct tr_select *select;
    struct tr_steps *steps; /* TR_PER_STEP only */
    struct tr_group_key *groups;
    size_t n_groups, cap_groups;
    struct tr_hash_index index; /* of groups */
    uint32_t *tracks; /* group by track; UINT32_MAX: not known yet, or its events have several groups */
    size_t n_tracks, cap_tracks;
    bool windowed, mixed;     /* mixed: some group has sources whose windows differ */
    struct tr_range *windows; /* by group, if windowed: contains the windows of its sources; from > to: none yet */
    size_t n_windows, cap_windows;
    const struct tr_batch *batch;
    const uint8_t *keep;
    struct tr_step_columns launched; /* TR_PER_STEP only, of this batch */
};

/*
 * summary  of the stream, for steps; used only during this call
 * select   the selection whose window clips, or NULL; must outlive w
 *
 * TR_OK, TR_DAMAGED (not sorted), or TR_SYSTEM; call tr_group_by_free also after a failure.
 */
enum tr_status tr_group_by_init(struct tr_group_by *w, const struct tr_group_by_opts *opts, const struct tr_dict *dict,
                                const struct tr_summary *summary, bool sorted, struct tr_select *select,
                                struct tr_error *err);
void tr_group_by_free(struct tr_group_by *w);

/* Start a batch; keep: one byte per event, NULL: all (tr_select_mask). */
enum tr_status tr_group_by_batch(struct tr_group_by *w, const struct tr_batch *b, const uint8_t *keep,
                                 struct tr_error *err);

/* Does event i count as work that takes part? */
static inline bool tr_group_by_counts(const struct tr_group_by *w, size_t i)
{
    const struct tr_batch *b = w->batch;
    return (w->opts.activities >> b->activity[i] & 1) && (!w->keep || w->keep[i]) &&
           (b->suspect[i] == TR_SUSPECT_NO || w->opts.suspect) && b->phase[i] == TR_SPAN &&
           b->ts[i] != TR_TIME_NONE;
}

/* For tr_group_by_group and tr_group_by_item: called once per track, or, for steps and suspect events, once per event.
 * */
bool tr_group_by_find_group(struct tr_group_by *w, size_t i, uint32_t *group);
int64_t tr_group_by_suspect_dur(const struct tr_batch *b, size_t i);
void tr_group_by_clip(const struct tr_group_by *w, size_t i, struct tr_group_by_item *item);

/* The group of an event, from its source, its track and, for steps, its time.  False: out of memory. */
static inline bool tr_group_by_group(struct tr_group_by *w, size_t i, uint32_t *group)
{
    *group = w->tracks[w->batch->track[i]];
    return *group != UINT32_MAX || tr_group_by_find_group(w, i, group);
}

/* Interval and group of an event that counts.  False: out of memory. */
static inline bool tr_group_by_item(struct tr_group_by *w, size_t i, struct tr_group_by_item *item)
{
    const struct tr_batch *b = w->batch;
    int64_t dur = b->suspect[i] ? tr_group_by_suspect_dur(b, i) : tr_dur_used(b->dur[i], TR_SUSPECT_NO);
    if (!tr_group_by_group(w, i, &item->group))
        return false;
    item->start = b->ts[i];
    item->end = item->start + dur;
    if (w->windowed)
        tr_group_by_clip(w, i, item);
    return true;
}

/* The group with this key, for work that does not come as events.  It is added if it is new.  False: out of memory. */
bool tr_group_by_key_group(struct tr_group_by *w, const struct tr_group_key *key, uint32_t *group);

/*
 * Call it after the last batch.  If groups are ranks, or one group has everything, it adds groups for selected ranks
 * without device work.
 *
 * TR_OK; TR_DAMAGED: a group has no span, because its window counts from the start of each source, and the starts of
 * its sources are on clocks that do not compare; TR_SYSTEM.
 */
enum tr_status tr_group_by_finish(struct tr_group_by *w, struct tr_error *err);

/* The groups by key: rank, capture, device, stream, step, unknown ones last.  NULL: out of memory. */
uint32_t *tr_group_by_order(const struct tr_group_by *w);

/*
 * The span of a group: its window, or, without a window and for steps, from the first start to the last end.  (A step
 * covers only a part of a window.)  first > last: the group had no work.
 */
struct tr_range tr_group_by_span(const struct tr_group_by *w, uint32_t group, int64_t first, int64_t last);

/* A time of the stream as in the file of a group; of several sources, that of the lowest rank. */
int64_t tr_group_file_time(const struct tr_dict *d, const struct tr_group_key *key, int64_t at);

/* The work of a device. */
struct tr_device_work {
    int64_t device;
    double work; /* in any unit */
};

/*
 * Which of n devices, in order, have less than half of the work of the one with most?  As in "device 1 has 5.0 % of the
 * work of device 0".  False: none.
 */
#define TR_UNLIKE_TEXT 400u
bool tr_devices_unlike(const struct tr_device_work *v, size_t n, char text[TR_UNLIKE_TEXT]);

/* The devices of a group, of which some work less than others. */
struct tr_group_devices {
    size_t n_groups;         /* with several devices */
    uint32_t group;          /* the one of these whose devices differ most, then the first by key */
    size_t n;                /* its devices */
    char unlike[TR_UNLIKE_TEXT]; /* by tr_devices_unlike; empty: none */
};

/*
 * Which groups have several devices?  For groups of ranks or captures, after the last batch.
 *
 * track_ns  durations of the work that counted, by track; NULL: unknown
 *
 * False: out of memory.
 */
bool tr_group_by_devices(const struct tr_group_by *w, const uint64_t *track_ns, struct tr_group_devices *out);

/*
 * Devices are measured against the span of their rank: where groups are devices, the first start and last end of each
 * group become those of all devices of its rank and capture.  of: by group; from > to: no work.  False: out of memory.
 */
bool tr_group_by_widen(const struct tr_group_by *w, struct tr_range *of);

#ifdef __cplusplus
}
#endif
#endif
