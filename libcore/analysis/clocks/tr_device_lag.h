/* SPDX-License-Identifier: MIT */
/*
 * The difference between the clock of a device and the clock of its host.
 *
 * The lag of device work is its start minus the start of its launch.  On one clock, it is never negative.  A negative
 * lag means that the device's clock is late, by at least the size of the lag.  But a few lags may come from a wrong
 * link or a wrong time, and be far below the others.  So some lags are left out: those whose distance below the first
 * percentile is more than ten times the distance from the first percentile to the median.
 *
 * Memory: 8 KiB and a histogram of lags for each rank.
 */
#ifndef TR_DEVICE_LAG_H
#define TR_DEVICE_LAG_H

#include "analysis/clocks/tr_rank_set.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_device_lag;

/* ranks: borrowed.  TR_OK, TR_SYSTEM. */
enum tr_status tr_device_lag_new(struct tr_device_lag **out, const struct tr_rank_set *ranks,
                                 struct tr_error *err);
void tr_device_lag_free(struct tr_device_lag *d);

/* The next batch, with its column TR_COL_LAUNCH_TS. */
enum tr_status tr_device_lag_feed(struct tr_device_lag *d, const struct tr_batch *b,
                                  struct tr_error *err);

/*
 * The smallest shift, in ns, of the device's clock of a rank, after which no work starts before its launch.  Lags that
 * are far off are left out and counted.  Call it once for each rank, after the last batch.
 */
int64_t tr_device_lag_shift(struct tr_device_lag *d, size_t rank, uint64_t *left_out);

#ifdef __cplusplus
}
#endif
#endif
