/* SPDX-License-Identifier: MIT */
/*
 * Checked arithmetic of times: int64 nanoseconds, and one value for "none".
 *
 * A time may be any value of 64 bits, so a sum or difference of two may not fit.  A result that does not fit is
 * TR_TIME_NONE, like an absent time; so is every result computed from it, and tables show it as absent.  Nothing wraps,
 * and nothing is cut to a limit.
 *
 *     row.queue = tr_time_diff(start, called);
 *     row.sum = tr_time_sum(row.sum, row.queue);     absent as soon as one value is absent
 *
 * Times nearer to 0 than TR_TIME_FAR have differences that always fit.
 */
#ifndef TR_TIME_H
#define TR_TIME_H

#include "tracepipe.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 146 years: a time further than that from 0 is impossible in a trace. */
#define TR_TIME_FAR (INT64_C(1) << 62)

/* Is a time at least as far from 0 as TR_TIME_FAR?  For TR_TIME_NONE, the answer is yes. */
static inline bool tr_time_far(int64_t t)
{
    return t >= TR_TIME_FAR || t <= -TR_TIME_FAR;
}

/* to - from; TR_TIME_NONE: one of them is, or the difference does not fit. */
static inline int64_t tr_time_diff(int64_t to, int64_t from)
{
    if (to == TR_TIME_NONE || from == TR_TIME_NONE)
        return TR_TIME_NONE;
    if (from < 0 ? to > INT64_MAX + from : to <= INT64_MIN + from)
        return TR_TIME_NONE;
    return to - from;
}

/* a + b; TR_TIME_NONE: one of them is, or the sum does not fit. */
static inline int64_t tr_time_sum(int64_t a, int64_t b)
{
    if (a == TR_TIME_NONE || b == TR_TIME_NONE)
        return TR_TIME_NONE;
    if (b < 0 ? a <= INT64_MIN - b : a > INT64_MAX - b)
        return TR_TIME_NONE;
    return a + b;
}

/* A length that was added up as an unsigned number; TR_TIME_NONE: it does not fit. */
static inline int64_t tr_time_of_length(uint64_t ns)
{
    return ns > INT64_MAX ? TR_TIME_NONE : (int64_t)ns;
}

#ifdef __cplusplus
}
#endif
#endif
