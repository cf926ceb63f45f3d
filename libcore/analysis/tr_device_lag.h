/* SPDX-License-Identifier: MIT */
/*
 * Device clocks against the host's.  The lag of device work is its start less that of its launch, which on
 * one clock is never negative.  Where it is, the device's clock is late; by how much at least, the
 * smallest lag tells, unless that is one of a few that a wrong link or a broken time made up: such
 * stand far below the rest, so lags are left out that lie further below the first percentile than ten
 * times what that lies below the median.
 *
 * Memory: 8 KiB and a histogram of lags for each rank.
 */
#ifndef TR_DEVICE_LAG_H
#define TR_DEVICE_LAG_H

#include "analysis/tr_rank_set.h"
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
 * The least amount, ns, by which the device's clock of a rank is to be moved so that no work starts
 * before its launch does; work that is far off on its own is left out, and counted.  To be asked once
 * for each rank, after the last batch.
 */
int64_t tr_device_lag_shift(struct tr_device_lag *d, size_t rank, uint64_t *left_out);

#ifdef __cplusplus
}
#endif
#endif
