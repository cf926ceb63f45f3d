/* SPDX-License-Identifier: MIT */
/*
 * Busy time of devices: divides the span of a group into compute, communication, memory and idle time.
 *
 * All device work of a group is taken together, on any number of streams and devices.  Each time below is the length of
 * a union of intervals, so work that runs at the same time counts once.
 *
 *   span             first start to last end, or the window
 *   busy             all work
 *   idle             span minus busy
 *   compute comm memory   work of that kind
 *   overlap          time in which both compute and comm run
 *   exposed_comm     comm minus compute
 *   exposed_memory   memory minus compute minus comm
 *   other            busy minus (compute, comm, memory together)
 *   non_compute      busy minus compute
 *
 * So span = idle + compute + exposed_comm + exposed_memory + other.  One pass over events in
 * canonical order; memory per group is constant.  Compare HTA's temporal breakdown: there, waits
 * shown on the device count as busy.
 */
#ifndef TR_BUSY_H
#define TR_BUSY_H

#include "engine/tr_group_by.h"
#include "engine/tr_partial.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_busy;

struct tr_busy_row {
    struct tr_group_key key;
    uint64_t n_events;
    /* ns; TR_TIME_NONE: does not fit */
    int64_t span, busy, idle, compute, comm, memory, overlap, exposed_comm, exposed_memory, other,
        non_compute;
    int64_t micro_idle; /* idle time in gaps shorter than the limit of tr_busy_tune, also at the ends of a window */
};

/* Parameters and results as for tr_group_by_init; busy is set on TR_OK only. */
enum tr_status tr_busy_new(const struct tr_group_by_opts *opts, const struct tr_dict *dict,
                           const struct tr_summary *summary, bool sorted, struct tr_select *select,
                           struct tr_busy **busy, struct tr_error *err);
/* Call it before the first batch.  micro: idle time in gaps shorter than this, in ns, is counted separately.
 * memsets_compute: memsets count as compute. */
void tr_busy_tune(struct tr_busy *a, int64_t micro, bool memsets_compute);
void tr_busy_free(struct tr_busy *a);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_busy_feed(struct tr_busy *a, const struct tr_batch *b, const uint8_t *keep,
                            struct tr_error *err);

/*
 * The result, after the last batch: one row per group in the order of their keys.
 * Owner: the analysis, until it is freed.
 */
enum tr_status tr_busy_finish(struct tr_busy *a, const struct tr_busy_row **rows, size_t *n,
                              struct tr_error *err);

/* The groups, and the durations of the work by track. */
const struct tr_group_by *tr_busy_groups(const struct tr_busy *a, const uint64_t **track_ns);

/* Was the work selected by its launches (tr_select_by_launch), also that of partial results? */
bool tr_busy_by_launch(const struct tr_busy *a);

/*
 * Save the results of finish as table 0 of a partial result, described by tr_busy_saved; load it before finish.  Each
 * group must occur once, because the union of two groups needs their intervals.
 */
extern const struct tr_saved_table tr_busy_saved;
void tr_busy_save(const struct tr_busy *a, struct tr_partial_out *out);
enum tr_status tr_busy_load(struct tr_busy *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
