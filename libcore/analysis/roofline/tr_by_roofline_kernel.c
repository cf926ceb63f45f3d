/* SPDX-License-Identifier: MIT */
/*
 * How near do kernels come to the peak of their device, by hardware counters?
 *
 * Three kinds of events count the work of kernels (vendor/tr_work_counters.h): rows of metric files
 * (tr_metric_values.h), counter ranges, and kernels that have counters among their args.  Some count operations, some
 * bytes, some both; which, their metrics say.  As a rule, both are measured in different runs of one program, so what
 * is counted for one kernel is added up over all inputs, ranks and devices.  Metric files are two runs, so a kernel
 * with only one of both is left out; of other kernels, what was not counted is not shown.
 *
 * The time of a kernel is that of the events with bytes, else that of the events with operations.  A counter range has
 * none but a metric that is one: its duration is that of the measurement.  Kernels of the same name without counters,
 * from a run that was not slowed down, give the time of kernels without one: their mean, for each instance counted.
 *
 * At best, a kernel takes the longest of these: the operations of each unit and precision divided by their peak, bytes
 * of the memory divided by its bandwidth, bytes of the L3 cache divided by its bandwidth.
 *
 * Sums are exact: integers of 128 bits, in parts of 2^-64.  So they do not depend on the order of rows.
 *
 * Memory: 800 bytes for each name of a kernel.
 */
#include "analysis/counters/tr_metric_values.h"
#include "analysis/counters/tr_metrics.h"
#include "analysis/roofline/tr_device_peaks.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "base/tr_int128.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "engine/tr_rows.h"
#include "stream/tr_args.h"
#include "vendor/tr_work_counters.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is added up: the work that counters count, and more metrics, each with a weight of 1. */
enum field {
    N_SPECS = TR_WORK_SPECS,
    N_COUNTS = TR_WORKS,
    TIME = N_COUNTS, MHZ, OCCUPANCY, MATRIX_PCT, N_FIELDS
};

static const struct tr_work_counter more_metrics[] = {
    { "GpuTime", TIME, 0, 1 },
    { "gpu__time_duration.sum", TIME, 0, 1 },
    { "AvgGpuCoreFrequencyMHz", MHZ, 0, 1 },
    { "XVE_THREADS_OCCUPANCY_ALL", OCCUPANCY, 0, 1 },
    { "XVE_INST_EXECUTED_XMX_FP16_UTILIZATION", MATRIX_PCT, 0, 1 },
};

enum level { L3, MEMORY, N_LEVELS };
static const char *const levels[N_LEVELS] = { "l3", "memory" };

/* What is added up for a kernel. */
struct kernel {
    uint32_t group, name;
    uint64_t calls, flop_calls;   /* of events with bytes; with operations */
    uint64_t counted;             /* of them, those that are no rows of metric files */
    uint64_t plain;               /* kernels without counters */
    uint64_t n[N_FIELDS];         /* values added up */
    struct tr_u128 sum[N_FIELDS]; /* TIME: of events with bytes */
    struct tr_u128 flop_time;     /* of events with operations */
    struct tr_u128 plain_time;    /* of kernels without counters */
};

#define ADDED(name, field)                                                                \
    { "n." name, TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct kernel, n[field]) },          \
    { "sum." name, TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct kernel, sum[field]) }
static const struct tr_table_column added_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct kernel, name) },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct kernel, calls) },
    { "flop_calls", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct kernel, flop_calls) },
    { "counted", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct kernel, counted) },
    { "plain", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct kernel, plain) },
    { "flop_time", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct kernel, flop_time) },
    { "plain_time", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct kernel, plain_time) },
    ADDED("vector_fp16", TR_WORK_VECTOR_FP16), ADDED("vector_fp32", TR_WORK_VECTOR_FP32),
    ADDED("vector_fp64", TR_WORK_VECTOR_FP64), ADDED("matrix_bf16", TR_WORK_MATRIX_BF16),
    ADDED("matrix_fp16", TR_WORK_MATRIX_FP16), ADDED("matrix_fp32", TR_WORK_MATRIX_FP32),
    ADDED("matrix_fp64", TR_WORK_MATRIX_FP64), ADDED("matrix_fp8", TR_WORK_MATRIX_FP8),
    ADDED("matrix_int8", TR_WORK_MATRIX_INT8), ADDED("l3_read", TR_WORK_L3_READ),
    ADDED("l3_write", TR_WORK_L3_WRITE), ADDED("memory_read", TR_WORK_MEMORY_READ),
    ADDED("memory_write", TR_WORK_MEMORY_WRITE), ADDED("memory", TR_WORK_MEMORY),
    ADDED("time", TIME), ADDED("mhz", MHZ), ADDED("occupancy", OCCUPANCY), ADDED("matrix_pct", MATRIX_PCT),
};
static const struct tr_row_type type = {
    .name = "kernels",
    .size = sizeof(struct kernel),
    .key_size = offsetof(struct kernel, calls),
    .columns = added_columns,
    .n_columns = sizeof added_columns / sizeof *added_columns,
    .order = "name",
};

struct kernel_roofline_state {
    struct tr_rows *rows; /* struct kernel */
    struct tr_group_by all;
    struct tr_analysis_in in;
    const struct tr_kernel_roofline_options *options;
    struct tr_device_peaks peaks;
    struct tr_metric_values *values;
    struct tr_arg sample;
    const struct tr_work_counter **counter_of; /* by metric; NULL: none */
    size_t n_counter_of, cap_counter_of;
    /* After the last batch. */
    struct shown *shown; /* longest first */
    size_t n_shown;
    double flop[N_SPECS]; /* of them */
    bool counted[N_SPECS];
    double time;          /* ns */
    uint64_t half, uneven; /* kernels left out, with only one of both; with more calls in one run */
    uint64_t of_kernels, untimed; /* kernels with counters; of those shown, those without a time */
};

/* ---- columns ---- */

/* A kernel with its figures: numbers, NaN where they are unknown.  Times are in ns. */
struct shown {
    const struct kernel *k;
    struct tr_str name;
    uint64_t calls;
    const char *bound, *spec, *suspect, *measured;
    double time, device, all; /* device: NaN in place of 0; all: the time of all kernels */
    double roofline, roofline_pct, flop, bytes[N_LEVELS], flop_of[N_SPECS];
    double flop_per_byte[N_LEVELS], tflops, tb_s[N_LEVELS], mhz, occupancy, matrix_pct;
};

#define FLOP(number)                                                                                      \
    TR_CELL_RATIO, TR_ROLE_SUM, 0, TR_OF(struct shown, flop_of[number]), .extra = true,                   \
    .meaning = "operations of this precision"
static const struct tr_table_column kernel_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct shown, name), .names = true, .meaning = "the kernel" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct shown, calls),
      .meaning = "instances in the run that measured bytes, or else operations" },
    { "device", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct shown, device), .main = true, .meaning = "their time" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, TR_OF(struct shown, all), .unit = "%", .of = "device",
      .meaning = "share of the time of all kernels" },
    { "bound", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct shown, bound),
      .meaning = "what takes longest at best: compute, memory, l3" },
    { "roofline", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct shown, roofline), .extra = true,
      .meaning = "the time that this takes at best" },
    { "roofline_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, TR_OF(struct shown, roofline_pct), .unit = "%",
      .meaning = "share of device that this is" },
    { "suspect", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct shown, suspect), .quiet = TR_QUIET_0,
      .meaning = "above its roof: roofline_pct is above 100; another device (--arch), or wrong counters" },
    { "spec", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct shown, spec),
      .meaning = "unit and precision with the most operations" },
    { "flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, TR_OF(struct shown, flop), .extra = true,
      .meaning = "operations of all precisions" },
    { "vector_fp16_flop", FLOP(TR_WORK_VECTOR_FP16) },
    { "vector_fp32_flop", FLOP(TR_WORK_VECTOR_FP32) },
    { "vector_fp64_flop", FLOP(TR_WORK_VECTOR_FP64) },
    { "matrix_bf16_flop", FLOP(TR_WORK_MATRIX_BF16) },
    { "matrix_fp16_flop", FLOP(TR_WORK_MATRIX_FP16) },
    { "bytes", TR_CELL_RATIO, TR_ROLE_SUM, 0, TR_OF(struct shown, bytes[MEMORY]), .unit = "bytes", .extra = true,
      .meaning = "read from memory and written" },
    { "l3_bytes", TR_CELL_RATIO, TR_ROLE_SUM, 0, TR_OF(struct shown, bytes[L3]), .unit = "bytes", .extra = true,
      .meaning = "read from the L3 cache and written" },
    { "flop_per_byte", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct shown, flop_per_byte[MEMORY]),
      .meaning = "operations for each byte of memory" },
    { "l3_flop_per_byte", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct shown, flop_per_byte[L3]), .extra = true,
      .meaning = "operations for each byte of the L3 cache" },
    { "tflops", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct shown, tflops),
      .meaning = "10^12 operations per second" },
    { "tb_s", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct shown, tb_s[MEMORY]),
      .meaning = "10^12 bytes of memory per second" },
    { "l3_tb_s", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct shown, tb_s[L3]),
      .meaning = "10^12 bytes of the L3 cache per second" },
    { "mhz", TR_CELL_RATIO, TR_ROLE_QUANTILE, 1, TR_OF(struct shown, mhz), .extra = true,
      .meaning = "mean frequency of the cores in MHz" },
    { "occupancy_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, TR_OF(struct shown, occupancy), .unit = "%", .extra = true,
      .meaning = "mean occupancy of threads" },
    { "matrix_fp16_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(struct shown, matrix_pct), .unit = "%",
      .extra = true, .meaning = "mean utilization of matrix units by fp16" },
    { "matrix_fp32_flop", FLOP(TR_WORK_MATRIX_FP32) },
    { "matrix_fp64_flop", FLOP(TR_WORK_MATRIX_FP64) },
    { "matrix_fp8_flop", FLOP(TR_WORK_MATRIX_FP8) },
    { "matrix_int8_flop", FLOP(TR_WORK_MATRIX_INT8) },
    { "measured", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct shown, measured), .extra = true,
      .meaning = "what was measured with the counters: flop, bytes, time; a time that was not is of kernels of this "
                 "name without counters" },
};

/* A point of the picture, or a roof of it; and what a precision did in sum. */
struct point {
    const char *spec, *level;
    struct tr_str name;
    double flop_per_byte, gflops, share, roof, bandwidth;
};
static const struct tr_table_column point_columns[] = {
    { "spec", TR_CELL_STRING, TR_ROLE_GROUP, TR_OF(struct point, spec),
      .meaning = "unit and precision of the operations" },
    { "level", TR_CELL_STRING, TR_ROLE_GROUP, TR_OF(struct point, level), .meaning = "whose bytes: l3, memory" },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct point, name), .names = true, .meaning = "the kernel" },
    { "flop_per_byte", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, TR_OF(struct point, flop_per_byte),
      .meaning = "operations for each byte: across" },
    { "gflops", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, TR_OF(struct point, gflops), .main = true,
      .meaning = "10^9 operations per second: up" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SUM, 9, TR_OF(struct point, share), .unit = "%",
      .meaning = "share of the time of all kernels" },
    { "roof_gflops", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct point, roof),
      .meaning = "height of the roof above the point" },
};
static const struct tr_table_column roof_columns[] = {
    { "spec", TR_CELL_STRING, TR_ROLE_GROUP, TR_OF(struct point, spec),
      .meaning = "unit and precision of the operations" },
    { "level", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct point, level), .meaning = "whose bytes: l3, memory" },
    { "GBps", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, TR_OF(struct point, bandwidth), .unit = "GB/s",
      .meaning = "its bandwidth: the slope of the roof" },
    { "gflops", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, TR_OF(struct point, gflops),
      .meaning = "the peak: the flat part of the roof" },
    { "flop_per_byte", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, TR_OF(struct point, flop_per_byte),
      .meaning = "where the flat part begins" },
};
struct precision {
    const char *spec;
    double flop, all, time, gflops, peak; /* all: operations of all precisions */
};
static const struct tr_table_column precision_columns[] = {
    { "spec", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct precision, spec), .meaning = "unit and precision" },
    { "flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, TR_OF(struct precision, flop), .main = true,
      .meaning = "operations of all kernels" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, TR_OF(struct precision, all), .unit = "%", .of = "flop",
      .meaning = "share of all operations" },
    { "device", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct precision, time), .meaning = "time of all kernels" },
    { "gflops", TR_CELL_RATIO, TR_ROLE_SUM, 3, TR_OF(struct precision, gflops),
      .meaning = "10^9 of these operations per second of that time" },
    { "peak_gflops", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, TR_OF(struct precision, peak),
      .meaning = "what the device can do" },
};

/* ---- the run ---- */

static void release(void *state)
{
    struct kernel_roofline_state *s = state;
    tr_device_peaks_free(&s->peaks);
    tr_metric_values_free(s->values);
    tr_arg_free(&s->sample);
    tr_rows_free(s->rows);
    tr_group_by_free(&s->all);
    free(s->counter_of);
    free(s->shown);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    static const struct tr_group_by_opts all = { .per = TR_PER_ALL };
    struct kernel_roofline_state *s = state;
    s->in = *in;
    s->options = options;
    s->values = tr_metric_values_new(in->dict, NULL);
    s->rows = tr_rows_new(&type, in, &s->all, true);
    return s->values && s->rows && tr_device_peaks_sources(&s->peaks, in)
               ? tr_group_by_init(&s->all, &all, in->dict, in->summary, true, NULL, err)
               : tr_fail_memory(err);
}

static const struct tr_work_counter *counter_named(const char *name)
{
    struct tr_str base = tr_metric_base(name);
    for (size_t i = 0; i < sizeof more_metrics / sizeof *more_metrics; i++)
        if (tr_str_is(base, more_metrics[i].name))
            return &more_metrics[i];
    return tr_work_counter_find(base);
}

static bool know_counters(struct kernel_roofline_state *s, uint32_t metric)
{
    if (!tr_grow(&s->counter_of, &s->cap_counter_of, (size_t)metric + 1, sizeof *s->counter_of))
        return false;
    for (; s->n_counter_of <= metric; s->n_counter_of++)
        s->counter_of[s->n_counter_of] =
            counter_named(tr_metric_values_name(s->values, (uint32_t)s->n_counter_of));
    return true;
}

static struct kernel *kernel_of(struct kernel_roofline_state *s, uint32_t name)
{
    static const struct tr_group_key all = { TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, 0 };
    struct kernel key = { .name = name };
    return tr_group_by_key_group(&s->all, &all, &key.group) ? tr_rows_at(s->rows, &key) : NULL;
}

/* Whole ones and parts of 2^-64, in two's complement.  |value| is below 2^63. */
#define PARTS 0x1p64
static struct tr_u128 added(struct tr_u128 sum, double value)
{
    double size = fabs(value), whole = floor(size);
    struct tr_u128 v = { .hi = (uint64_t)whole, .lo = (uint64_t)((size - whole) * PARTS) };
    return value < 0 ? tr_i128_sub(sum, v) : tr_u128_add(sum, v);
}

/* NaN: below 0, so counters are missing. */
static double real(struct tr_u128 sum)
{
    return tr_i128_is_negative(sum) ? NAN : (double)sum.hi + (double)sum.lo / PARTS;
}

/* Rows between kernels are about no kernel. */
static bool is_idle(struct tr_str name)
{
    static const char idle[] = "NoKernel(Before ";
    return name.s && name.len >= sizeof idle - 1 && !memcmp(name.s, idle, sizeof idle - 1);
}

/* What an event counts. */
struct counts {
    double of[N_FIELDS];
    bool has[N_FIELDS], flops, bytes;
};

static bool read_counts(struct kernel_roofline_state *s, size_t i, struct counts *r)
{
    const struct tr_metric_value *of;
    size_t n;
    uint8_t way[N_FIELDS];
    *r = (struct counts){ .flops = false };
    if (!tr_metric_values_of(s->values, i, &of, &n))
        return false;
    for (size_t k = 0; k < n; k++) {
        if (!know_counters(s, of[k].metric))
            return false;
        const struct tr_work_counter *c = s->counter_of[of[k].metric];
        double value = c ? tr_metric_number(of[k].m) * c->weight : NAN;
        if (!(fabs(value) < 0x1p63) || tr_metric_number(of[k].m) < 0 || (r->has[c->work] && way[c->work] < c->way))
            continue;
        if (!r->has[c->work] || c->way < way[c->work])
            r->of[c->work] = 0;
        r->of[c->work] += value;
        r->has[c->work] = true;
        way[c->work] = c->way;
        r->flops |= c->work < N_SPECS;
        r->bytes |= c->work >= N_SPECS && c->work < N_COUNTS;
    }
    return true;
}

static void add_counts(struct kernel *k, const struct counts *r, bool first)
{
    k->calls += r->bytes && first;
    k->flop_calls += r->flops && first;
    if (r->flops && r->has[TIME])
        k->flop_time = added(k->flop_time, r->of[TIME]);
    for (unsigned f = 0; f < N_FIELDS; f++) {
        bool counts = f < N_COUNTS || f == MATRIX_PCT || r->bytes;
        if (!r->has[f] || !counts)
            continue;
        k->sum[f] = added(k->sum[f], r->of[f]);
        k->n[f]++;
    }
}

static bool add_row(struct kernel_roofline_state *s, const struct tr_batch *b, size_t i)
{
    struct counts row;
    if (!read_counts(s, i, &row))
        return false;
    if (!row.flops && !row.bytes)
        return true;
    struct kernel *k = kernel_of(s, b->name[i]);
    if (k)
        add_counts(k, &row, tr_arg_int(&s->sample, i) <= 0); /* the first sample, or there are no samples */
    return k != NULL;
}

/* A counter range, or a kernel, which has counters or none. */
static bool add_span(struct kernel_roofline_state *s, const struct tr_batch *b, size_t i)
{
    bool is_kernel = b->activity[i] == TR_ACT_KERNEL;
    double dur = (double)tr_dur_used(b->dur[i], b->suspect[i]);
    struct counts span;
    if (!read_counts(s, i, &span))
        return false;
    bool counted = span.flops || span.bytes;
    struct kernel *k = counted || is_kernel ? kernel_of(s, b->name[i]) : NULL;
    if (!k)
        return !counted && !is_kernel;
    if (!counted) {
        k->plain++;
        k->plain_time = added(k->plain_time, dur);
        return true;
    }
    if (is_kernel && !span.has[TIME]) {
        span.has[TIME] = true;
        span.of[TIME] = dur;
    }
    k->counted++;
    add_counts(k, &span, true);
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    uint32_t rows = tr_metric_file_category(s->in.dict);
    uint32_t ranges = tr_strtab_find(s->in.dict->strings, TR_METRICS_CATEGORY, sizeof TR_METRICS_CATEGORY - 1);
    (void)t;
    bool ok = tr_arg_read(&s->sample, b, TR_PLACE_ARGS, "sample");
    tr_metric_values_batch(s->values, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        if (keep && !keep[i])
            continue;
        if (tr_metric_is_row(b, i, rows))
            ok = is_idle(tr_dict_text_if(s->in.dict, b->name[i])) || add_row(s, b, i);
        else if (b->phase[i] == TR_SPAN &&
                 (b->activity[i] == TR_ACT_KERNEL || (b->cat[i] == ranges && ranges != TR_NO_STR)))
            ok = add_span(s, b, i);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- what kernels need ---- */

/* NaN: not counted. */
static double sum_of(const struct kernel *k, unsigned field)
{
    return k->n[field] ? real(k->sum[field]) : NAN;
}

static double plus(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

static double all_flop(const struct kernel *k)
{
    double sum = NAN;
    for (unsigned f = 0; f < N_SPECS; f++)
        sum = plus(sum, sum_of(k, f));
    return sum;
}

static double bytes_of(const struct kernel *k, unsigned level)
{
    if (level == L3)
        return plus(sum_of(k, TR_WORK_L3_READ), sum_of(k, TR_WORK_L3_WRITE));
    return k->n[TR_WORK_MEMORY] ? sum_of(k, TR_WORK_MEMORY)
                                : plus(sum_of(k, TR_WORK_MEMORY_READ), sum_of(k, TR_WORK_MEMORY_WRITE));
}

static bool has_bytes(const struct kernel *k)
{
    return !isnan(bytes_of(k, MEMORY)) || !isnan(bytes_of(k, L3));
}

static uint64_t calls_of(const struct kernel *k)
{
    return k->calls ? k->calls : k->flop_calls;
}

/* ns; 0: not known. */
static double measured_time(const struct kernel *k)
{
    return real(k->n[TIME] ? k->sum[TIME] : k->flop_time);
}

static double time_of(const struct kernel *k)
{
    double time = measured_time(k);
    return time > 0 || !k->plain ? time : real(k->plain_time) * ((double)calls_of(k) / (double)k->plain);
}

/* What counters say. */
static const char *measured(const struct kernel *k)
{
    static const char *const texts[] = { "",     "time",      "bytes",      "bytes,time",
                                         "flop", "flop,time", "flop,bytes", "flop,bytes,time" };
    return texts[4 * !isnan(all_flop(k)) + 2 * has_bytes(k) + (measured_time(k) > 0)];
}

/* The precision with the most operations; N_SPECS: there are none. */
static unsigned max(const double *flop)
{
    unsigned best = N_SPECS;
    for (unsigned f = 0; f < N_SPECS; f++)
        if (flop[f] > 0 && (best == N_SPECS || flop[f] > flop[best]))
            best = f;
    return best;
}

static unsigned max_of(const struct kernel *k)
{
    double flop[N_SPECS];
    for (unsigned f = 0; f < N_SPECS; f++)
        flop[f] = sum_of(k, f);
    return max(flop);
}

static double bandwidth_of(const struct tr_peaks *p, unsigned level)
{
    return level == L3 ? p->l3_bandwidth : p->bandwidth;
}

/* The minimum time in ns, and what it is bound by; NULL: it is not known. */
static const char *min_time(const struct kernel_roofline_state *s, const struct kernel *k, double *ns)
{
    const struct tr_peaks *p = s->peaks.use;
    const char *bound = NULL;
    *ns = 0;
    if (isnan(all_flop(k)) || !has_bytes(k))
        return NULL;
    for (unsigned f = 0; p && f < N_SPECS; f++) {
        double peak = tr_peaks_of(p, tr_work_spec(f)) * 1e3; /* operations per ns */
        if (peak > 0 && sum_of(k, f) / peak > *ns) {
            *ns = sum_of(k, f) / peak;
            bound = "compute";
        }
    }
    for (unsigned l = N_LEVELS; p && l-- > 0;) {
        double bandwidth = bandwidth_of(p, l); /* bytes per ns */
        if (bandwidth > 0 && bytes_of(k, l) / bandwidth > *ns) {
            *ns = bytes_of(k, l) / bandwidth;
            bound = levels[l];
        }
    }
    return bound;
}

static double quotient(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static double mean(const struct kernel *k, unsigned field)
{
    return quotient(real(k->sum[field]), (double)k->n[field]);
}

static struct shown figures_of(const struct kernel_roofline_state *s, const struct kernel *k)
{
    double time = time_of(k), min;
    unsigned spec = max_of(k);
    const char *bound = min_time(s, k, &min);
    struct shown r = { .k = k,
                       .name = tr_dict_text_if(s->in.dict, k->name),
                       .calls = calls_of(k),
                       .time = time,
                       .device = time > 0 ? time : NAN,
                       .bound = bound,
                       .roofline = bound && min > 0 ? min : NAN,
                       .roofline_pct = bound ? quotient(100 * min, time) : NAN,
                       .spec = spec == N_SPECS ? NULL : tr_work_spec(spec),
                       .measured = measured(k),
                       .flop = all_flop(k),
                       .mhz = mean(k, MHZ),
                       .occupancy = mean(k, OCCUPANCY),
                       .matrix_pct = mean(k, MATRIX_PCT) };
    r.suspect = r.roofline_pct > 100 ? "above its roof" : NULL;
    r.tflops = quotient(r.flop, time) / 1e3;
    for (unsigned f = 0; f < N_SPECS; f++)
        r.flop_of[f] = sum_of(k, f);
    for (unsigned l = 0; l < N_LEVELS; l++) {
        r.bytes[l] = bytes_of(k, l);
        r.flop_per_byte[l] = quotient(r.flop, r.bytes[l]);
        r.tb_s[l] = quotient(r.bytes[l], time) / 1e3;
    }
    return r;
}

TR_ORDER(by_time, struct shown, TR_DOWN(time), tr_str_cmp(a->name, b->name))

/* The kernels whose work is counted, longest first, and sums over them. */
static enum tr_status complete(void *state, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    enum tr_status st = tr_device_peaks_choose(&s->peaks, &s->in, s->options->peaks, s->options->measured, err);
    size_t n = tr_rows_count(s->rows);
    s->shown = calloc(n + 1, sizeof *s->shown);
    if (st != TR_OK || !s->shown)
        return st == TR_OK ? tr_fail_memory(err) : st;
    for (size_t i = 0; i < n; i++) {
        const struct kernel *k = tr_rows_get(s->rows, i);
        bool both = k->calls && k->flop_calls, any = k->calls || k->flop_calls;
        s->of_kernels += any;
        s->half += any && !both && !k->counted;
        s->uneven += both && k->calls != k->flop_calls;
        if (both || k->counted)
            s->shown[s->n_shown++] = figures_of(s, k);
    }
    qsort(s->shown, s->n_shown, sizeof *s->shown, by_time);
    for (size_t i = 0; i < s->n_shown; i++) {
        const struct shown *k = &s->shown[i];
        s->time += k->time;
        s->untimed += !(k->time > 0);
        for (unsigned f = 0; f < N_SPECS; f++) {
            s->flop[f] = plus(s->flop[f], k->flop_of[f]);
            s->counted[f] |= k->k->n[f] > 0;
        }
    }
    return TR_OK;
}

static void remark(const struct kernel_roofline_state *s)
{
    if (s->half)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "",
                           "kernels left out, with only operations or only bytes: %" PRIu64 " of %" PRIu64, s->half,
                           s->of_kernels);
    if (s->uneven)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "",
                           "kernels with more instances in one run than in the other: %" PRIu64
                           "; their rates are wrong", s->uneven);
    if (s->untimed)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "",
                           "kernels without a time: %" PRIu64 " of %zu; a trace of the same program without counters "
                           "as another input gives it", s->untimed, s->n_shown);
    if (s->n_shown && !s->peaks.use)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "",
                           "no peaks, so no roofs: --arch names the device, or a file of its peaks");
    size_t fast = 0;
    for (size_t i = 0; i < s->n_shown; i++)
        fast += s->shown[i].suspect != NULL;
    if (fast)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "", "%zu kernel%s faster than %s: %s, or wrong counters", fast,
                           fast == 1 ? " is" : "s are",
                           s->peaks.measured ? "what was measured" : "the device can be",
                           s->peaks.measured ? "a slow measurement (--measured)" : "another device (--arch)");
}

/* ---- rows ---- */

/* The precision of points and roofs: the one asked for, or that with the most operations. */
static enum tr_status choose_spec(const struct kernel_roofline_state *s, unsigned *spec, struct tr_error *err)
{
    const char *name = s->options->spec;
    *spec = name ? N_SPECS : max(s->flop);
    for (unsigned f = 0; name && f < N_SPECS; f++)
        if (strcmp(name, tr_work_spec(f)) == 0)
            *spec = f;
    if (!name || *spec < N_SPECS)
        return TR_OK;
    return tr_fail(err, TR_USAGE,
                   "option --spec: '%.80s' is none of vector_fp16, vector_fp32, vector_fp64, matrix_bf16, "
                   "matrix_fp16, matrix_fp32, matrix_fp64, matrix_fp8, matrix_int8",
                   name);
}

/* 10^9 operations per second at most, for so many operations per byte; NaN: unknown. */
static double roof_at(const struct kernel_roofline_state *s, unsigned spec, unsigned level, double flop_per_byte)
{
    const struct tr_peaks *p = s->peaks.use;
    double peak = p ? tr_peaks_of(p, tr_work_spec(spec)) * 1e3 : 0, slope = p ? bandwidth_of(p, level) : 0;
    if (!(peak > 0 && slope > 0))
        return NAN;
    return flop_per_byte * slope < peak ? flop_per_byte * slope : peak; /* without bytes, it is the peak */
}

static void add_row_to(struct tr_table *t, const void *row)
{
    tr_table_row(t, &(struct tr_row){ .row = row });
}

static void point_rows(const struct kernel_roofline_state *s, struct tr_table *t, unsigned spec)
{
    for (unsigned l = 0; spec < N_SPECS && l < N_LEVELS; l++)
        for (size_t i = 0; i < s->n_shown; i++) {
            const struct shown *k = &s->shown[i];
            double intensity = quotient(k->flop_of[spec], k->bytes[l]);
            const struct point row = { .spec = tr_work_spec(spec),
                                       .level = levels[l],
                                       .name = k->name,
                                       .flop_per_byte = intensity,
                                       .gflops = quotient(k->flop_of[spec], k->time),
                                       .share = quotient(100 * k->time, s->time),
                                       .roof = roof_at(s, spec, l, intensity) };
            if (k->flop_of[spec] > 0 && !isnan(k->bytes[l]))
                add_row_to(t, &row);
        }
}

static void roof_rows(const struct kernel_roofline_state *s, struct tr_table *t, unsigned spec)
{
    const struct tr_peaks *p = s->peaks.use;
    double peak = spec < N_SPECS ? tr_peaks_of(p, tr_work_spec(spec)) * 1e3 : 0;
    for (unsigned l = 0; peak > 0 && l < N_LEVELS; l++) {
        double bandwidth = bandwidth_of(p, l);
        const struct point row = { .spec = tr_work_spec(spec),
                                   .level = levels[l],
                                   .bandwidth = bandwidth,
                                   .gflops = peak,
                                   .flop_per_byte = peak / bandwidth };
        if (bandwidth > 0)
            add_row_to(t, &row);
    }
}

static enum tr_status finish_kernels(void *state, struct tr_table *t, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    for (size_t i = 0; i < s->n_shown; i++) {
        s->shown[i].all = s->time;
        add_row_to(t, &s->shown[i]);
    }
    remark(s);
    return tr_table_status(t, err);
}

static enum tr_status finish_points(void *state, struct tr_table *t, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    unsigned spec;
    enum tr_status st = choose_spec(s, &spec, err);
    if (st == TR_OK)
        point_rows(s, t, spec);
    remark(s);
    return st == TR_OK ? tr_table_status(t, err) : st;
}

static enum tr_status finish_roofs(void *state, struct tr_table *t, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    unsigned spec;
    enum tr_status st = choose_spec(s, &spec, err);
    if (st == TR_OK && !s->peaks.use)
        st = tr_fail(err, TR_USAGE, "roofs are those of a device: --arch");
    if (st == TR_OK)
        roof_rows(s, t, spec);
    return st == TR_OK ? tr_table_status(t, err) : st;
}

static enum tr_status finish_precisions(void *state, struct tr_table *t, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    double sum = 0;
    for (unsigned f = 0; f < N_SPECS; f++)
        sum += s->flop[f];
    for (unsigned f = 0; f < N_SPECS; f++) {
        if (!s->counted[f])
            continue;
        double peak = s->peaks.use ? tr_peaks_of(s->peaks.use, tr_work_spec(f)) * 1e3 : 0;
        const struct precision row = { .spec = tr_work_spec(f),
                                       .flop = s->flop[f],
                                       .all = sum,
                                       .time = s->time > 0 ? s->time : NAN,
                                       .gflops = quotient(s->flop[f], s->time),
                                       .peak = peak > 0 ? peak : NAN };
        add_row_to(t, &row);
    }
    remark(s);
    return tr_table_status(t, err);
}

/* ---- partial results: what is added up, and the devices, from which peaks follow when all has come ---- */

enum { KERNELS, DEVICES };
static const struct tr_saved_table tables[] = {
    [KERNELS] = { .rows = &type },
    [DEVICES] = { .name = "devices", .columns = tr_device_peaks_columns, .n_columns = 1 },
};

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    tr_device_peaks_save(&s->peaks, out, DEVICES);
    return tr_rows_save(s->rows, out, KERNELS, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    enum tr_status st = tr_rows_load(s->rows, in, KERNELS, err);
    return st == TR_OK ? tr_device_peaks_load(&s->peaks, in, DEVICES, err) : st;
}

static const struct tr_kernel_roofline_options defaults = { .spec = NULL };
static const struct tr_option picture_options[] = {
    { 0, "spec", "NAME", TR_OPTION_TEXT, offsetof(struct tr_kernel_roofline_options, spec),
      .help = "this precision, as matrix_bf16 [that with the most operations]" },
    { 0 },
};

#define KERNEL_ROOFLINE(id, name_of, question_of, settings, columns_of, finish_of, ...)                           \
    const struct tr_analysis id = { .name = name_of,                                                              \
                                    .question = question_of,                                                      \
                                    .nothing = "no kernel has counters of its operations and bytes",              \
                                    .groups = 0,                                                                  \
                                    TR_OPTIONS(settings, defaults),                                               \
                                    /* metrics are found by their names without the units */                      \
                                    .needs = { .want = { .fixed = TR_FIXED_ALL, .all_packed = true },             \
                                               .host = true, .all_in_any_order = true },                          \
                                    TR_OWN_COLUMNS(columns_of),                                                   \
                                    .state_size = sizeof(struct kernel_roofline_state),                           \
                                    .start = start,                                                               \
                                    .feed = feed,                                                                 \
                                    .complete = complete,                                                         \
                                    .finish = finish_of,                                                          \
                                    .free = release,                                                              \
                                    .saving = &(const struct tr_saving){                                          \
                                        .name = "roofline-" name_of, .version = 2, .tables = tables,              \
                                        .n_tables = sizeof tables / sizeof *tables, .save = save, .load = load }, \
                                    __VA_ARGS__ }

KERNEL_ROOFLINE(tr_analysis_roofline_kernel, "kernel", "How near do kernels come to what their device can do?", NULL,
                kernel_columns, finish_kernels,
                .chart = &(const struct tr_chart){ TR_CHART_ROOFLINE, .x = "flop_per_byte", .y = { "tflops" },
                                           .series = "spec", .log_x = true, .log_y = true });
KERNEL_ROOFLINE(tr_analysis_roofline_point, "point", "Where is each kernel in the picture of a roofline?",
                picture_options, point_columns, finish_points,
                .chart = &(const struct tr_chart){ TR_CHART_ROOFLINE, .x = "flop_per_byte", .y = { "gflops" },
                                           .series = "level", .facet = "spec", .log_x = true, .log_y = true });
KERNEL_ROOFLINE(tr_analysis_roofline_roof, "roof", "Which roofs has the device?", picture_options, roof_columns,
                finish_roofs,
                .chart = &(const struct tr_chart){ TR_CHART_ROOFLINE, .x = "flop_per_byte", .y = { "gflops" },
                                           .series = "level", .facet = "spec", .log_x = true, .log_y = true });
KERNEL_ROOFLINE(tr_analysis_roofline_precision, "precision", "Which precisions did kernels compute in?", NULL,
                precision_columns, finish_precisions,
                .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "spec", .y = { "gflops", "peak_gflops" } });
