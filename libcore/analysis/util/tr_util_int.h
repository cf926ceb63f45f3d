/* SPDX-License-Identifier: MIT */
/* What the analyses of this folder share: their spans, and their option for bins. */
#ifndef TR_UTIL_INT_H
#define TR_UTIL_INT_H

#include "analysis/util/tr_time_bins.h"

#define TR_UTIL_BIN(type)                                                                    \
    {                                                                                        \
        0, "bin", "TIME", TR_OPTION_TIME, offsetof(type, bin), .lo = 1, .hi = (int64_t)1 << 62, \
            .help = "length of a bin [a round number, for about 100 bins]"                     \
    }

#define TR_UTIL_UNSAVED "bins count from the start of the job, which one of its ranks does not know"

/*
 * The span of each group: the window, or the time from the first work to the last of its rank, whatever the groups are.
 * Bins reach them.
 *
 * order  of the groups, by tr_group_by_order
 * spans  by group: first to last work; from > to: none
 *
 * False: out of memory.
 */
bool tr_util_spans(const struct tr_group_by *work, const uint32_t *order, struct tr_range *spans,
                   struct tr_time_bins *bins);

/* TR_USAGE: the bins of these spans are too many. */
enum tr_status tr_util_room(struct tr_time_bins *bins, const struct tr_range *spans, size_t n, struct tr_error *err);

#endif
