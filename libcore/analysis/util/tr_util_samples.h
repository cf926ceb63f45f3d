/* SPDX-License-Identifier: MIT */
/*
 * Samples of how much of a device was active: of its multiprocessors, and of their tensor cores.
 *
 * They are counter events whose metric (counters/tr_metric_values.h) is a percentage, with a name such as "SM Active
 * (%)", "SMs Active [Throughput %]", "XVE_ACTIVE[%]" or "Tensor Active [Throughput %]".  A sample is of the device in
 * the name of its process, "GPU 1", or of that number; without a number, only of its rank.
 *
 * Memory: 40 bytes per sample.  Not shared between threads.
 */
#ifndef TR_UTIL_SAMPLES_H
#define TR_UTIL_SAMPLES_H

#include "analysis/counters/tr_metric_values.h"
#include "analysis/util/tr_time_bins.h"

enum tr_util_activity { TR_UTIL_SM, TR_UTIL_TENSOR, TR_N_UTIL_ACTIVITIES };

struct tr_util_sample {
    int64_t ts, device; /* device: TR_GROUP_NONE: unknown */
    uint32_t source;
    enum tr_util_activity activity;
    uint64_t value; /* in millionths of a percent */
};

struct tr_util_samples {
    const struct tr_dict *dict;
    struct tr_metric_values *values;
    struct tr_util_sample *list;
    size_t n, cap;
};

/* What they need of events, for struct tr_projection: columns, and keys of args. */
#define TR_UTIL_SAMPLES_FIXED (TR_FIXED_BIT(NAME) | TR_FIXED_BIT(CAT))
#define TR_UTIL_SAMPLES_KEYS                                                                              \
    TR_KEYS("", "value", "SM Active (%)", "SM Active [%]", "SMs Active [Throughput %]", "Tensor Active (%)", \
            "Tensor Active [Throughput %]", "XVE_ACTIVE[%]")

/* False, here and below: out of memory. */
bool tr_util_samples_init(struct tr_util_samples *s, const struct tr_dict *dict);
void tr_util_samples_free(struct tr_util_samples *s);
bool tr_util_samples_batch(struct tr_util_samples *s, const struct tr_batch *b, const uint8_t *keep);

/*
 * Add the samples within the spans of groups of ranks or devices to their bins: sum number `first' has the values of
 * the first activity, the next one their number, and so on.  False: also too many bins.
 */
bool tr_util_samples_add(const struct tr_util_samples *s, struct tr_group_by *work, const struct tr_range *spans,
                         size_t n_spans, struct tr_time_bins *bins, size_t first);

#endif
