/* SPDX-License-Identifier: MIT */
/*
 * Values of metrics, from the args of events: hardware counters and samples of series.
 *
 * Three kinds of events have values.  A counter range is a span that a profiler adds for a kernel that it measured.
 * Each of its args that is a number is a metric with the name of its key.  The same holds for a row of a metric file,
 * an event of the category metric_sample; but its args "instance" and "sample" are no metrics.  A counter event is a
 * sample of a series.  The name of its metric is the name of the event.  The key is added after a point, unless it is
 * "", "value" or this name. So the args {"": 12.5} or {"value": 12.5} of "SM Active (%)" are the metric "SM Active
 * (%)", and {"watts": 300} of "power" is "power.watts".
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
 * Not shared between threads.  Memory: the names, and, for each column that is read, 8 bytes per event of a batch.
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

/* The value as a number; NaN: there is none. */
double tr_metric_number(struct tr_metric m);

struct tr_metric_value {
    uint32_t metric; /* numbered from 0, in the order of arrival */
    uint32_t n;      /* values added up: 1 */
    struct tr_metric m;
};

struct tr_metric_values;

/*
 * list: names of the wanted metrics, with commas and perhaps blanks between, each with or without its unit in brackets;
 * NULL: all.  dict
 * and list are borrowed.  NULL: out of memory.
 */
struct tr_metric_values *tr_metric_values_new(const struct tr_dict *dict, const char *list);
void tr_metric_values_free(struct tr_metric_values *x);

/* Start a batch, which must stay valid until the next call. */
void tr_metric_values_batch(struct tr_metric_values *x, const struct tr_batch *b);

/*
 * The values of an event of the batch, in the order of its args, also of metrics that are not wanted; valid until
 * the next call.  False: out of memory.
 */
bool tr_metric_values_of(struct tr_metric_values *x, size_t i, const struct tr_metric_value **of, size_t *n);

/* The number of a metric, which is added if it is new.  TR_NO_STR: out of memory. */
uint32_t tr_metric_values_add(struct tr_metric_values *x, struct tr_str name);

/* The number of metrics so far; the name of a metric, which ends with zero; whether it is wanted. */
uint32_t tr_metric_values_count(const struct tr_metric_values *x);
const char *tr_metric_values_name(const struct tr_metric_values *x, uint32_t metric);
bool tr_metric_values_wanted(const struct tr_metric_values *x, uint32_t metric);
/* Are all wanted, without a list? */
bool tr_metric_values_all(const struct tr_metric_values *x);

/*
 * The wanted metrics, in the order of the list.  Metrics for the same entry of the list, and all metrics if there is no
 * list, are in the order of the bytes of their names.  order: room for all.  Returns their number; SIZE_MAX: out of
 * memory.
 */
size_t tr_metric_values_order(const struct tr_metric_values *x, uint32_t *order);

/* After the last batch: TR_OK; TR_ABSENT: no metric has a name of the list; TR_SYSTEM. */
enum tr_status tr_metric_values_check(const struct tr_metric_values *x, struct tr_error *err);

/* The unit in a name, without brackets; empty: none.  And the name without the brackets and the text in them. */
struct tr_str tr_metric_unit(const char *name);
struct tr_str tr_metric_base(const char *name);

/* Is a metric a count, which can be divided by time?  Percentages, rates and times are not counts. */
bool tr_metric_counts(const char *name);
/* Does it count bytes? */
bool tr_metric_is_bytes(const char *name);
/* Is it the duration of the kernel itself, in ns?  These are GpuTime[ns] of unitrace, gpu__time_duration.sum of CUPTI.
 * */
bool tr_metric_is_time(const char *name);


/* ---- metric files ---- */

#define TR_METRIC_FILE_CATEGORY "metric_sample"

/* How several rows of one kernel become one value. */
enum tr_metric_of_rows {
    TR_METRIC_FIRST, /* identifiers and points in time: the first one */
    TR_METRIC_ADDED, /* counts, and the duration of the kernel */
    TR_METRIC_MEAN,  /* percentages, rates and frequencies */
};
enum tr_metric_of_rows tr_metric_of_rows(const char *name);

/* That category in a dictionary; TR_NO_STR: no event has it. */
static inline uint32_t tr_metric_file_category(const struct tr_dict *dict)
{
    return tr_strtab_find(dict->strings, TR_METRIC_FILE_CATEGORY, sizeof TR_METRIC_FILE_CATEGORY - 1);
}

/* Is an event a row of a metric file?  category: that of tr_metric_file_category. */
static inline bool tr_metric_is_row(const struct tr_batch *b, size_t i, uint32_t category)
{
    return b->cat[i] == category && category != TR_NO_STR && b->phase[i] == TR_INSTANT;
}

#ifdef __cplusplus
}
#endif
#endif
