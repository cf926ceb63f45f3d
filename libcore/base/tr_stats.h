/* SPDX-License-Identifier: MIT */
/*
 * Exact statistics of integers: sums that cannot overflow, sample standard deviation, percentiles.
 *
 *     struct tr_stats s = TR_STATS_INIT;
 *     struct tr_hist *h = tr_hist_new(0);
 *     while (next(&v)) {
 *         tr_stats_add(&s, v);
 *         if (!tr_hist_add(h, v, 1))
 *             ...out of memory
 *     }
 *     tr_hist_seal(h);
 *     tr_stats_mean(&s); tr_stats_std(&s); tr_hist_quantile(h, 99, 100);
 *
 * All arithmetic except the last step is on integers; only results are doubles.  So results do not depend on the order
 * of the values, or on the machine.  Not shared between threads.
 */
#ifndef TR_STATS_H
#define TR_STATS_H

#include "base/tr_int128.h"
#include "base/tr_time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Count, extremes, sum and sum of squares.  The sum never overflows.  The sum of squares must stay below 2^128: that is
 * enough for 2^64 values of four seconds.
 */
struct tr_stats {
    uint64_t n;
    int64_t min, max;   /* valid if n is not 0 */
    struct tr_u128 sum; /* two's complement */
    struct tr_u128 squares;
};
#define TR_STATS_INIT                      \
    {                                      \
        0, INT64_MAX, INT64_MIN, { 0, 0 }, \
        {                                  \
            0, 0                           \
        }                                  \
    }

static inline void tr_stats_add(struct tr_stats *s, int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    s->n++;
    s->min = value < s->min ? value : s->min;
    s->max = value > s->max ? value : s->max;
    s->sum = tr_u128_add(s->sum, tr_i128_of(value));
    s->squares = tr_u128_add(s->squares, tr_u128_mul(size, size));
}

/* The same, unless the value is TR_TIME_NONE. */
static inline void tr_stats_add_known(struct tr_stats *s, int64_t value)
{
    if (value != TR_I64_NONE)
        tr_stats_add(s, value);
}

/* Add all values of from to s. */
void tr_stats_merge(struct tr_stats *s, const struct tr_stats *from);

/* Are there values with these statistics?  For statistics that were read from a file. */
bool tr_stats_possible(const struct tr_stats *s);

int64_t tr_stats_sum(const struct tr_stats *s); /* TR_TIME_NONE: it does not fit */
double tr_stats_mean(const struct tr_stats *s); /* NaN if n is 0 */

/*
 * Sample standard deviation (divisor n - 1), from the exact n * squares - sum^2; NaN if n is less than 2.
 */
double tr_stats_std(const struct tr_stats *s);

/*
 * A histogram of distinct values, for exact percentiles.
 *
 * With a limit, a histogram becomes approximate when it would have more distinct values: it keeps only the eleven
 * highest bits of every value.  The error of a percentile is then at most 2^-11 of its size, and at most about 110,000
 * distinct values remain.  Memory: 16 bytes per slot, at most four slots per distinct value.
 */
struct tr_hist;

/* max_distinct: 0 for no limit.  NULL: out of memory. */
struct tr_hist *tr_hist_new(size_t max_distinct);
void tr_hist_free(struct tr_hist *h);
bool tr_hist_add(struct tr_hist *h, int64_t value, uint64_t count); /* false: out of memory */
/* Add all values of from, which may be sealed, to h.  False: out of memory. */
bool tr_hist_merge(struct tr_hist *h, const struct tr_hist *from);
uint64_t tr_hist_count(const struct tr_hist *h); /* number of values, with equal ones */
bool tr_hist_approx(const struct tr_hist *h);
size_t tr_hist_bytes(const struct tr_hist *h); /* memory held */

/* Make it approximate before it reaches its limit.  False: out of memory. */
bool tr_hist_coarsen(struct tr_hist *h);

/* Sort the values for quantiles.  What is added afterwards undoes this. */
void tr_hist_seal(struct tr_hist *h);

/* The values of a sealed histogram, in ascending order: the one at *at, which is 0 for the first; *at moves to the
 * next.  False: there are no more. */
bool tr_hist_next(const struct tr_hist *h, size_t *at, int64_t *value, uint64_t *count);

/*
 * A short number for a value of a histogram, in the order of values: itself, or of an approximate one, the number of
 * the coarse value.  For packing; the second function is its inverse.
 */
int64_t tr_hist_short(const struct tr_hist *h, int64_t value);
int64_t tr_hist_long(const struct tr_hist *h, int64_t number);

/*
 * The quantile num/den (0 <= num <= den, 0 < den < 2^32) of a sealed histogram, by linear
 * interpolation between the two nearest ranks: position (count - 1) * num / den in the sorted
 * values, counting from 0 (the default of numpy and pandas).  NaN if nothing was added.
 */
double tr_hist_quantile(const struct tr_hist *h, uint64_t num, uint64_t den);

#ifdef __cplusplus
}
#endif
#endif
