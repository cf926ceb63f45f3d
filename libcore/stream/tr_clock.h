/* SPDX-License-Identifier: MIT */
/*
 * Clocks: the changes to the times of a track since its trace was read.
 *
 * The times of a track follow a clock, by number.  0 is the main clock of its source in the input.  An input may have
 * further clocks, such as the counter of a device; such a clock has a row, called a domain, that moves nothing.
 * A program that moves times, tr-align, gives the tracks a new clock, whose row has the rule:
 *
 *     new = old - offset - round((old - origin) * drift / (10^12 + drift))
 *
 * in integers; round rounds halves up.  So a clock that shows time + offset at the moment origin - offset, and gains
 * drift * 10^-12 per unit of true time, is brought to true time.  The rule is monotone.  A positive drift maps some
 * neighbouring times to one time.  The events with such times are listed (fixes), so every transform can be undone
 * exactly.
 *
 * Starts and ends of events are moved; the new duration is their difference.
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
#define TR_DRIFT_MAX  INT64_C(1000000000)    /* 1000 ppm: no working clock drifts so much */

/* Bits of a fix: the times of an event for which the inverse needs a correction. */
enum {
    TR_FIX_TS = 1,        /* the start was the later of two times */
    TR_FIX_END = 2,       /* the end was the later of two times */
    TR_FIX_LAUNCH_TS = 4, /* the same for the start of its launch */
    TR_FIX_LAUNCH_END = 8, /* the same for the end of its launch */
    TR_FIX_DUR = 16,        /* the duration did not change, because the end did not fit */
    TR_FIX_LAUNCH_DUR = 32, /* the duration of its launch did not change */
    TR_FIX_ALL = 63
};

struct tr_clock_fix {
    uint64_t record; /* of an event on this clock */
    uint8_t bits;
};

struct tr_clock {
    uint32_t source;        /* whose tracks are on it */
    uint32_t before;        /* the clock they were on */
    int64_t frame;          /* rank whose clock the times now follow; -1: none */
    int64_t origin, offset; /* ns */
    int64_t drift;          /* in 10^-12, at most TR_DRIFT_MAX in size */
    bool domain;            /* a clock of the input: before, origin, offset and drift are 0, frame is -1 */
    /* One clock of each transform of a source also has the span of its summary before the transform; TR_TIME_NONE on
     * all other clocks. */
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
 * The old time of a new one: the earliest old time that is mapped to now, or, if there is none, to a later time.  If
 * upper is set, the old time after that one.  False: beyond 64 bits.
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
