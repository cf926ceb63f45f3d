/* SPDX-License-Identifier: MIT */
/*
 * Launch links: which host call put which work on the device.
 *
 * Host calls and device work bear the same correlation number.  One call may own any number of device
 * events (a graph launch).  Where several calls bear one number, the innermost owns the work: a runtime
 * call that contains a driver call stands after it.  Numbers that are used again later belong to the call
 * that started last before the work (or, if none did, to the first): clocks of host and device may differ
 * by a little.
 *
 * Fill in any order, then tr_launch_finish, then look up.  Beyond a given size the table is paged to a
 * temporary file; tr_launch_trim, called now and then, keeps it out of memory.
 */
#ifndef TR_LAUNCH_H
#define TR_LAUNCH_H

#include "base/tr_status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_launch {
    int64_t correlation;
    int64_t ts, dur; /* ns; dur TR_TIME_NONE if unknown */
    uint64_t record;
    uint32_t track, name; /* the caller's numbers */
    uint32_t interner;       /* likewise */
    uint32_t n_device;    /* counted by tr_launch_count */
};

struct tr_launch_table;

/* max_bytes, temp_dir: as for tr_paged_init.  NULL: out of memory. */
struct tr_launch_table *tr_launch_new(size_t max_bytes, const char *temp_dir);
void tr_launch_free(struct tr_launch_table *t);
enum tr_status tr_launch_add(struct tr_launch_table *t, const struct tr_launch *l, struct tr_error *err);
enum tr_status tr_launch_finish(struct tr_launch_table *t, struct tr_error *err);
void tr_launch_trim(struct tr_launch_table *t);

/* The call that owns device work of this number that starts at ts; NULL: none is known. */
struct tr_launch *tr_launch_find(const struct tr_launch_table *t, int64_t correlation, int64_t ts);

/* The entry of the call itself; NULL unless it owns the work of its number. */
const struct tr_launch *tr_launch_of_record(const struct tr_launch_table *t, int64_t correlation,
                                            int64_t ts, uint64_t record);

/* How many calls the table holds. */
size_t tr_launch_n(const struct tr_launch_table *t);

#ifdef __cplusplus
}
#endif
#endif
