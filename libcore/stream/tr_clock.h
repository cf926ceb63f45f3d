/* SPDX-License-Identifier: MIT */
/*
 * Clocks: what was done to the times of a track since its trace was read.
 *
 * A track shows its times on a clock, by number: 0 is the clock of its source as the input had it.  An
 * input may have others beside it, such as a device's counter: each has a row, a domain, that moves nothing.
 * A program that moves times, tr-align, gives the tracks a new clock, whose row says how:
 *
 *     new = old - offset - round((old - origin) * drift / (10^12 + drift))
 *
 * with integers throughout; round takes halves up.  So a clock that shows time + offset at the moment
 * origin - offset, and gains drift * 10^-12 per unit of true time, is brought to true time.  The rule
 * is monotone.  Where drift is positive it maps some neighbouring times to one; the events that this
 * happened to are listed (fixes), so every transform can be taken back exactly.
 *
 * Starts and ends of events are moved, and durations are what lies between them.
 */
#ifndef TR_CLOCK_H
#define TR_CLOCK_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_DRIFT_UNIT INT64_C(1000000000000) /* a drift of 1 */
#define TR_DRIFT_MAX  INT64_C(1000000000)    /* 1000 ppm: no working clock is so bad */

/* Bits of a fix: which of an event's times the inverse alone would get wrong. */
enum {
    TR_FIX_TS = 1,        /* the start was the later of two times */
    TR_FIX_END = 2,       /* so was the end */
    TR_FIX_LAUNCH_TS = 4, /* start of its launch */
    TR_FIX_LAUNCH_END = 8,
    TR_FIX_DUR = 16,        /* the duration was left alone, because no end can be had from it */
    TR_FIX_LAUNCH_DUR = 32, /* that of its launch was */
    TR_FIX_ALL = 63
};

struct tr_clock_fix {
    uint64_t record; /* of an event on this clock */
    uint8_t bits;
};

struct tr_clock {
    uint32_t source;        /* whose tracks are on it */
    uint32_t before;        /* the clock they were on */
    int64_t frame;          /* rank whose clock the times show now; -1: none in particular */
    int64_t origin, offset; /* ns */
    int64_t drift;          /* in 10^-12, at most TR_DRIFT_MAX in size */
    bool domain;            /* a clock of the input: before, origin, offset and drift are 0, frame is -1 */
    /* One clock of each transform of a source also says what was done to its summary, whose span was
     * this; TR_TIME_NONE: none, as on all other clocks. */
    bool keeps_summary;
    int64_t first_ts, last_end;
    struct tr_clock_fix *fixes; /* by record */
    size_t n_fixes, cap_fixes;
    /* Steps of the summary: 2 i, the start of step i was the later of two times; 2 i + 1, its end was. */
    uint64_t *step_fixes;
    size_t n_step_fixes, cap_step_fixes;
};

/* The new time of an old one.  False: beyond 64 bits. */
bool tr_clock_apply(const struct tr_clock *c, int64_t old, int64_t *now);

/*
 * The old time of a new one: the earliest old time that became now (or, if none did, later); the one
 * after it if upper is set.  False: beyond 64 bits.
 */
bool tr_clock_invert(const struct tr_clock *c, int64_t now, bool upper, int64_t *old);

/* Add a fix, in any order.  False: out of memory. */
bool tr_clock_add_fix(struct tr_clock *c, uint64_t record, uint8_t bits);
bool tr_clock_add_step_fix(struct tr_clock *c, uint64_t place);

/* Sort fixes that were added in any order. */
void tr_clock_sort_fixes(struct tr_clock *c);

/* The bits of a record, 0 if it has no fix. */
uint8_t tr_clock_fix_of(const struct tr_clock *c, uint64_t record);

#ifdef __cplusplus
}
#endif
#endif
