/* SPDX-License-Identifier: MIT */
/*
 * Values of metrics: what hardware counters and samples of series say in the args of events.
 *
 * Two kinds of events bear values.  A counter range is a span that a profiler adds for a kernel that it measured; each
 * arg of it that is a number is a metric, named by its key.  A counter event is a sample of a series; its metric is
 * named by the event, and by the key after a point where that says more: the args {"": 12.5} or {"value": 12.5} of
 * "SM Active (%)" are the metric "SM Active (%)", {"watts": 300} of "power" is "power.watts".
 *
 * The unit is part of a name: in brackets at its end, "GpuTime[ns]" or "SM Active (%)", or by the rules of
 * CUPTI: "dram__bytes.sum", "dram__bytes.sum.per_second", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
 * "gpu__time_duration.sum" (nanoseconds).
 *
 *     tr_metric_values_batch(x, b);
 *     for (size_t i = 0; i < b->n; i++)
 *         if (tr_metric_values_of(x, i, &of, &n))
 *             for (size_t k = 0; k < n; k++)
 *                 ...of[k].metric, tr_metric_number(of[k].m)...
 *
 * Not shared between threads.  Memory: 8 bytes for each event of a batch and column that is read, and the names.
 */
#ifndef TR_METRIC_VALUES_H
#define TR_METRIC_VALUES_H

#include "base/tr_status.h"
#include "base/tr_str.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_metric {
    enum { TR_METRIC_NONE, TR_METRIC_INT, TR_METRIC_REAL } is;
    union {
        int64_t i;
        double d;
    } v;
};

/* NaN: there is none. */
double tr_metric_number(struct tr_metric m);

struct tr_metric_value {
    uint32_t metric; /* numbered from 0, in the order of arrival */
    struct tr_metric m;
};

struct tr_metric_values;

/*
 * list: names of the metrics that are wanted, with commas between, each with or without its unit in brackets;
 * NULL: all.  Borrowed, as dict.  NULL: out of memory.
 */
struct tr_metric_values *tr_metric_values_new(const struct tr_dict *dict, const char *list);
void tr_metric_values_free(struct tr_metric_values *x);

/* Turn to a batch, which has to last until the next call. */
void tr_metric_values_batch(struct tr_metric_values *x, const struct tr_batch *b);

/*
 * The values of an event of the batch, in the order of its args, also of metrics that are not wanted; valid until
 * the next call.  False: out of memory.
 */
bool tr_metric_values_of(struct tr_metric_values *x, size_t i, const struct tr_metric_value **of, size_t *n);

/* How many metrics there are so far; the name of one, ended by zero; whether it is wanted. */
uint32_t tr_metric_values_count(const struct tr_metric_values *x);
const char *tr_metric_values_name(const struct tr_metric_values *x, uint32_t metric);
bool tr_metric_values_wanted(const struct tr_metric_values *x, uint32_t metric);
/* Are all wanted, without a list? */
bool tr_metric_values_all(const struct tr_metric_values *x);

/*
 * The metrics that are wanted in the order of the list, those of one name of the list and all without a list by name,
 * bytewise.  order: room for all.  Returns how many, SIZE_MAX: out of memory.
 */
size_t tr_metric_values_order(const struct tr_metric_values *x, uint32_t *order);

/* After the last batch: TR_OK; TR_ABSENT: a name of the list is that of no metric; TR_SYSTEM. */
enum tr_status tr_metric_values_check(const struct tr_metric_values *x, struct tr_error *err);

/* The unit that a name tells, without brackets; empty: none.  The name without brackets and what stands in them. */
struct tr_str tr_metric_unit(const char *name);
struct tr_str tr_metric_base(const char *name);

/* Does a metric count something, so that it can be divided by time: no percentage, no rate, no time itself? */
bool tr_metric_counts(const char *name);
/* Does it count bytes? */
bool tr_metric_is_bytes(const char *name);
/* Is it the time that the kernel itself took, in ns: GpuTime[ns] of unitrace, gpu__time_duration.sum of CUPTI? */
bool tr_metric_is_time(const char *name);

#ifdef __cplusplus
}
#endif
#endif
