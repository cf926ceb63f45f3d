/* SPDX-License-Identifier: MIT */
/*
 * Launch links: from device work to the host call that launched it.
 *
 * Host calls and device work have the same correlation number.  One call may launch any number of device events (a
 * graph launch).  If several calls have one number, such as a runtime call and a driver call inside it, the innermost
 * one is the launch.  If a number is used again later, work belongs to the last call that started before it; if none
 * did, to the first call, because the clocks of host and device may differ a little.
 *
 * Add calls in any order, call tr_launch_finish, then look up.  Beyond a given size, the table is paged to a temporary
 * file; call tr_launch_trim from time to time to release its memory.
 *
 * The folder model/calls is about spans of the host.  Central: struct tr_launch (here), struct tr_callpath
 * (tr_call_path.h), struct tr_enclosing_spans, struct tr_host_history.
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
    uint32_t track, name; /* numbers of the caller */
    uint32_t interner;       /* number of the caller */
    uint32_t n_device;    /* counted by tr_launch_count */
};

struct tr_launch_table;

/* max_bytes, temp_dir: as for tr_paged_init.  NULL: out of memory. */
struct tr_launch_table *tr_launch_new(size_t max_bytes, const char *temp_dir);
void tr_launch_free(struct tr_launch_table *t);
enum tr_status tr_launch_add(struct tr_launch_table *t, const struct tr_launch *l, struct tr_error *err);
enum tr_status tr_launch_finish(struct tr_launch_table *t, struct tr_error *err);
void tr_launch_trim(struct tr_launch_table *t);
/* In a copy of the process (io/tr_copy.h): what is in files becomes its own.  False: out of memory. */
bool tr_launch_own(struct tr_launch_table *t);

/* The call that launched the device work with this number and start ts; NULL: unknown. */
struct tr_launch *tr_launch_find(const struct tr_launch_table *t, int64_t correlation, int64_t ts);

/* This number will soon be looked for: its place is loaded meanwhile. */
void tr_launch_expect(const struct tr_launch_table *t, int64_t correlation);

/* The entry of a call; NULL if another call is the launch for its number. */
const struct tr_launch *tr_launch_of_record(const struct tr_launch_table *t, int64_t correlation,
                                            int64_t ts, uint64_t record);

/* The number of an entry of the table, from 0, and the entry of a number. */
uint32_t tr_launch_number(const struct tr_launch_table *t, const struct tr_launch *l);
const struct tr_launch *tr_launch_at(const struct tr_launch_table *t, uint32_t number);

/* The same for a walk over all entries in their order: memory is released on the way. */
struct tr_launch *tr_launch_walk(const struct tr_launch_table *t, size_t number);

/* The number of calls in the table. */
size_t tr_launch_n(const struct tr_launch_table *t);

#ifdef __cplusplus
}
#endif
#endif
