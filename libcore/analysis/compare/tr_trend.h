/* SPDX-License-Identifier: MIT */
/*
 * Where did a figure change, over several runs in their order?
 *
 * Runs are divided into levels.  A level is some runs in a row; a change is the first run of a level, except for the
 * first.  With the variance v of a single run, the levels are those for which
 *
 *     sum of squared deviations of the runs from the mean of their level / v  +  TR_TREND_SIGMA^2 for each change
 *
 * is smallest; of equal ones, those with the longest last level, and so on.  So a change that divides a level pays if
 * its two means differ by more than TR_TREND_SIGMA standard errors.  Then changes by less than TR_TREND_SHARE of the
 * mean before are left out, the smallest first.  v is the larger of
 *
 *     (d / 0.954)^2   d: the median of the differences of neighbours, without signs (of an even number, the lower of
 *                     the middle two): changes are few, so this is noise; 0.954 is its ratio for normal noise.  Not of
 *                     two runs.
 *     the mean of the variances of the runs' own figures, without those that are unknown
 *
 * and 10^-18 of the square of the largest value.  Two runs of which no variance is known have no change.
 */
#ifndef TR_TREND_H
#define TR_TREND_H

#include "analysis/compare/tr_run_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_TREND_SIGMA 4.0
#define TR_TREND_SHARE 0.01

struct tr_trend_level {
    double mean;          /* of the level of this run */
    bool changed;         /* it is the first of its level, and not of the first level */
    double before, sigma; /* of a change: mean of the level before; the difference divided by its standard error */
};

/*
 * The level of each of n runs.  A figure that is not known (NaN) in any run has no changes, and no level.
 * False: out of memory.
 */
bool tr_trend_levels(const struct tr_run_summary_figure *of, size_t n, struct tr_trend_level *levels);

#ifdef __cplusplus
}
#endif
#endif
