/* SPDX-License-Identifier: MIT */
/*
 * A sample: statistics of integers, and the values themselves for percentiles.
 *
 * While all values are equal, they take no memory.  Beyond a number of distinct values, percentiles are approximate
 * (struct tr_hist).  Not shared between threads.
 */
#ifndef TR_SAMPLE_H
#define TR_SAMPLE_H

#include "base/tr_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_sample {
    struct tr_stats stats;
    struct tr_hist *values; /* NULL: all so far are equal, or there are only statistics */
    size_t distinct;        /* values that are exact; TR_SAMPLE_SUMS: only statistics */
};
#define TR_SAMPLE_SUMS SIZE_MAX

void tr_sample_init(struct tr_sample *s, size_t distinct); /* distinct as for tr_hist_new, or TR_SAMPLE_SUMS */
void tr_sample_free(struct tr_sample *s);

bool tr_sample_add_other(struct tr_sample *s, int64_t value); /* for tr_sample_add */

/* Add a value.  False: out of memory. */
static inline bool tr_sample_add(struct tr_sample *s, int64_t value)
{
    bool equal = !s->values && (value == s->stats.min || !s->stats.n || s->distinct == TR_SAMPLE_SUMS);
    if (!equal && !tr_sample_add_other(s, value))
        return false;
    tr_stats_add(&s->stats, value);
    return true;
}

/* Add all values of another sample, which may have been printed.  False: out of memory. */
bool tr_sample_merge(struct tr_sample *s, const struct tr_sample *from);

/* The values as a histogram, to add to it; it is made if all are equal.  NULL: out of memory. */
struct tr_hist *tr_sample_values(struct tr_sample *s);

/* A percentile; NaN: there is no value, or there are only statistics.  Nothing may be added afterwards. */
double tr_sample_percentile(const struct tr_sample *s, unsigned percent);
bool tr_sample_approx(const struct tr_sample *s);

#ifdef __cplusplus
}
#endif
#endif
