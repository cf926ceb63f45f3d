/* SPDX-License-Identifier: MIT */
/*
 * Coverage: the shares of launches and device work that are linked.  They show how far results can be trusted.
 *
 *   launches     calls whose role is to give work to a device (model/calls/tr_api_role.h), and those of them with
 *                device work in the trace; other calls (allocations, queries) count only if they have device work.
 *                A launch call inside another one, such as a driver call inside a runtime call, is part of it.
 *                Calls that put work into a list count only if no call of the source executes lists, or if they
 *                have device work; memsets count if one of the source has device work, as a memset of nothing has
 *                none.  Launch calls while their thread captures a graph launch nothing, and a call that puts a wait
 *                on the device is none
 *   device work  kernels, copies and memsets, and those of them whose launch is known
 *   device time  sum of the durations of that work, and of the work of operators: its launch
 *                starts while an operator (cpu_op, or the record of a collective) runs on
 *                its thread
 *
 * Calls and work count if the mask selects them; operators always count.  Suspect events have duration 0, and count
 * only on request.
 *
 * One pass over events in canonical order; in any other order work is still counted right.
 * Memory: 32 to 64 bytes for each launch by an operator whose work has not come yet, a few per track, source
 * and string.  Not shared between threads.
 */
#ifndef TR_COVERAGE_H
#define TR_COVERAGE_H

#include "base/tr_status.h"
#include "stream/tr_batch.h"
#include "service/tr_pending.h"
#include "stream/tr_projection.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_coverage_counts {
    uint64_t launches, launches_used;
    uint64_t work, work_launched;
    int64_t time, time_by_operator; /* ns; TR_TIME_NONE: does not fit */
};

/*
 * Is the launch of so much device work unknown, more than a tenth, that figures about launches and operators are in
 * doubt?  Profilers miss the launches of a few at the start of a trace.
 */
static inline bool tr_coverage_poor(const struct tr_coverage_counts *c)
{
    return c->work - c->work_launched > c->work / 10;
}

/* Is the device work of so many launch calls missing, more than a tenth, that all figures about the device are? */
static inline bool tr_coverage_unused(const struct tr_coverage_counts *c)
{
    return c->launches - c->launches_used > c->launches / 10;
}

/* Columns that tr_coverage reads, in addition to ts, dur, track, phase, activity, suspect and flags. */
#define TR_COVERAGE_FIXED (TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD))
#define TR_COVERAGE_DERIVED TR_PENDING_DERIVED

struct tr_coverage;
struct tr_coverage *tr_coverage_new(bool suspect); /* NULL: out of memory */
void tr_coverage_free(struct tr_coverage *c);

/* The next batch; keep: one byte per event, NULL: all.  TR_OK, or TR_SYSTEM: out of memory. */
enum tr_status tr_coverage_add(struct tr_coverage *c, const struct tr_batch *b, const uint8_t *keep,
                               struct tr_error *err);

/* After the last batch: the counts of a source (all 0 if it had no events), and those of all sources together. */
struct tr_coverage_counts tr_coverage_of(const struct tr_coverage *c, uint32_t source);
struct tr_coverage_counts tr_coverage_all(const struct tr_coverage *c);

#ifdef __cplusplus
}
#endif
#endif
