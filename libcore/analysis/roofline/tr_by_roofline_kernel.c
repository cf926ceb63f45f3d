/* SPDX-License-Identifier: MIT */
/*
 * How near do kernels come to the peak of their device, by hardware counters?
 *
 * Rows of metric files (tr_metric_values.h) count instructions of vector and matrix units, or bytes, or both; which of
 * them a row has, its metrics say.  As a rule, both were measured in different runs of one program, so rows of one
 * kernel are added up over all inputs, ranks and devices, and only kernels with both are shown.  The time of a kernel
 * is that of the rows with bytes.
 *
 * Operations of an instruction: 32 of vectors of fp32 and fp64, 64 of vectors of fp16, 512 of matrices.
 *
 * At best, a kernel takes the longest of these: the operations of each unit and precision divided by their peak, bytes
 * of the memory divided by its bandwidth, bytes of the L3 cache divided by its bandwidth.
 *
 * Memory: 200 bytes for each kernel.
 */
#include "analysis/counters/tr_metric_values.h"
#include "analysis/roofline/tr_device_peaks.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "base/tr_mem.h"
#include "base/tr_strtab.h"
#include "stream/tr_args.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum field {
    FP16, FP32, FP64, MATRIX_BF16, MATRIX_FP16, N_SPECS,
    L3_READ = N_SPECS, L3_WRITE, MEMORY_READ, MEMORY_WRITE, N_COUNTS,
    TIME = N_COUNTS, MHZ, OCCUPANCY, MATRIX_PCT, N_FIELDS
};

static const char *const metrics[N_FIELDS] = {
    [FP16] = "XVE_INST_EXECUTED_FP16",
    [FP32] = "XVE_INST_EXECUTED_FP32",
    [FP64] = "XVE_INST_EXECUTED_FP64",
    [MATRIX_BF16] = "XVE_INST_EXECUTED_XMX_BF16",
    [MATRIX_FP16] = "XVE_INST_EXECUTED_XMX_FP16",
    [L3_READ] = "L3_BYTE_READ",
    [L3_WRITE] = "L3_BYTE_WRITE",
    [MEMORY_READ] = "GPU_MEMORY_BYTE_READ",
    [MEMORY_WRITE] = "GPU_MEMORY_BYTE_WRITE",
    [TIME] = "GpuTime",
    [MHZ] = "AvgGpuCoreFrequencyMHz",
    [OCCUPANCY] = "XVE_THREADS_OCCUPANCY_ALL",
    [MATRIX_PCT] = "XVE_INST_EXECUTED_XMX_FP16_UTILIZATION",
};

static const struct {
    const char *name;
    double flop; /* of an instruction */
} specs[N_SPECS] = {
    [FP16] = { "vector_fp16", 64 },          [FP32] = { "vector_fp32", 32 },
    [FP64] = { "vector_fp64", 32 },          [MATRIX_BF16] = { "matrix_bf16", 512 },
    [MATRIX_FP16] = { "matrix_fp16", 512 },
};

enum level { L3, MEMORY, N_LEVELS };
static const char *const levels[N_LEVELS] = { "l3", "memory" };

struct kernel {
    uint32_t name;
    double sum[N_FIELDS]; /* TIME: of rows with bytes */
    double flop_time;     /* of rows with operations */
    uint64_t n[N_FIELDS]; /* values added up */
    uint64_t calls, flop_calls; /* of rows with bytes; with operations */
};

struct kernel_roofline_state {
    struct tr_analysis_in in;
    const struct tr_kernel_roofline_options *options;
    struct tr_device_peaks peaks;
    struct tr_metric_values *values;
    struct tr_arg sample;
    uint8_t *field_of; /* by metric; N_FIELDS: none */
    size_t n_field_of, cap_field_of;
    struct tr_strtab *keys; /* names of kernels */
    struct kernel *kernels;
    size_t n_kernels, cap_kernels;
    double flop[N_SPECS]; /* of all kernels that are shown */
    double time;          /* ns */
    uint64_t half, uneven; /* kernels with only one of both; with more calls in one run */
};

/* ---- columns ---- */

static const struct tr_table_column kernel_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .meaning = "the kernel" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "instances in the run that measured bytes" },
    { "device", TR_CELL_TIME, TR_ROLE_SUM, .main = true, .meaning = "their time" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "device",
      .meaning = "share of the time of all kernels" },
    { "bound", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "what takes longest at best: compute, memory, l3" },
    { "roofline", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "the time that this takes at best" },
    { "roofline_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .unit = "%", .meaning = "share of device that this is" },
    { "spec", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "unit and precision with the most operations" },
    { "flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, .extra = true, .meaning = "operations of all precisions" },
    { "vector_fp16_flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, .extra = true, .meaning = "operations of this precision" },
    { "vector_fp32_flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, .extra = true, .meaning = "operations of this precision" },
    { "vector_fp64_flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, .extra = true, .meaning = "operations of this precision" },
    { "matrix_bf16_flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, .extra = true, .meaning = "operations of this precision" },
    { "matrix_fp16_flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, .extra = true, .meaning = "operations of this precision" },
    { "bytes", TR_CELL_RATIO, TR_ROLE_SUM, 0, .unit = "bytes", .extra = true,
      .meaning = "read from memory and written" },
    { "l3_bytes", TR_CELL_RATIO, TR_ROLE_SUM, 0, .unit = "bytes", .extra = true,
      .meaning = "read from the L3 cache and written" },
    { "flop_per_byte", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .meaning = "operations for each byte of memory" },
    { "l3_flop_per_byte", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .extra = true,
      .meaning = "operations for each byte of the L3 cache" },
    { "tflops", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .meaning = "10^12 operations per second" },
    { "tb_s", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .meaning = "10^12 bytes of memory per second" },
    { "l3_tb_s", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .meaning = "10^12 bytes of the L3 cache per second" },
    { "mhz", TR_CELL_RATIO, TR_ROLE_QUANTILE, 1, .extra = true, .meaning = "mean frequency of the cores in MHz" },
    { "occupancy_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .unit = "%", .extra = true,
      .meaning = "mean occupancy of threads" },
    { "matrix_fp16_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, .unit = "%", .extra = true,
      .meaning = "mean utilization of matrix units by fp16" },
};
static const struct tr_table_column point_columns[] = {
    { "spec", TR_CELL_STRING, TR_ROLE_GROUP, .meaning = "unit and precision of the operations" },
    { "level", TR_CELL_STRING, TR_ROLE_GROUP, .meaning = "whose bytes: l3, memory" },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .meaning = "the kernel" },
    { "flop_per_byte", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, .meaning = "operations for each byte: across" },
    { "gflops", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, .main = true, .meaning = "10^9 operations per second: up" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SUM, 9, .unit = "%", .meaning = "share of the time of all kernels" },
    { "roof_gflops", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .meaning = "height of the roof above the point" },
};
static const struct tr_table_column roof_columns[] = {
    { "spec", TR_CELL_STRING, TR_ROLE_GROUP, .meaning = "unit and precision of the operations" },
    { "level", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "whose bytes: l3, memory" },
    { "GBps", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .unit = "GB/s", .meaning = "its bandwidth: the slope of the roof" },
    { "gflops", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .meaning = "the peak: the flat part of the roof" },
    { "flop_per_byte", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, .meaning = "where the flat part begins" },
};
static const struct tr_table_column precision_columns[] = {
    { "spec", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "unit and precision" },
    { "flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, .main = true, .meaning = "operations of all kernels" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "flop", .meaning = "share of all operations" },
    { "device", TR_CELL_TIME, TR_ROLE_MAX, .meaning = "time of all kernels" },
    { "gflops", TR_CELL_RATIO, TR_ROLE_SUM, 3, .meaning = "10^9 of these operations per second of that time" },
    { "peak_gflops", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .meaning = "what the device can do" },
};

/* ---- the run ---- */

static void release(void *state)
{
    struct kernel_roofline_state *s = state;
    tr_device_peaks_free(&s->peaks);
    tr_metric_values_free(s->values);
    tr_strtab_free(s->keys);
    tr_arg_free(&s->sample);
    free(s->field_of);
    free(s->kernels);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    s->in = *in;
    s->options = options;
    s->values = tr_metric_values_new(in->dict, NULL);
    s->keys = tr_strtab_new();
    return s->values && s->keys && tr_device_peaks_sources(&s->peaks, in)
               ? tr_device_peaks_choose(&s->peaks, in, s->options->peaks, err)
               : tr_fail_memory(err);
}

static uint8_t field_of_name(const char *name)
{
    struct tr_str base = tr_metric_base(name);
    for (uint8_t f = 0; f < N_FIELDS; f++)
        if (tr_str_is(base, metrics[f]))
            return f;
    return N_FIELDS;
}

static bool know_fields(struct kernel_roofline_state *s, uint32_t metric)
{
    if (!tr_grow(&s->field_of, &s->cap_field_of, (size_t)metric + 1, sizeof *s->field_of))
        return false;
    for (; s->n_field_of <= metric; s->n_field_of++)
        s->field_of[s->n_field_of] = field_of_name(tr_metric_values_name(s->values, (uint32_t)s->n_field_of));
    return true;
}

static struct kernel *kernel_of(struct kernel_roofline_state *s, uint32_t name)
{
    uint32_t number = tr_strtab_add(s->keys, &name, sizeof name);
    if (number == TR_NO_STR || !tr_grow(&s->kernels, &s->cap_kernels, (size_t)number + 1, sizeof *s->kernels))
        return NULL;
    if (number == s->n_kernels)
        s->kernels[s->n_kernels++] = (struct kernel){ .name = name };
    return &s->kernels[number];
}

/* Rows between kernels are about no kernel. */
static bool is_idle(struct tr_str name)
{
    static const char idle[] = "NoKernel(Before ";
    return name.s && name.len >= sizeof idle - 1 && !memcmp(name.s, idle, sizeof idle - 1);
}

static bool add_row(struct kernel_roofline_state *s, const struct tr_batch *b, size_t i)
{
    const struct tr_metric_value *of;
    size_t n;
    double row[N_FIELDS];
    bool has[N_FIELDS] = { false }, flops = false, bytes = false;
    if (!tr_metric_values_of(s->values, i, &of, &n))
        return false;
    for (size_t k = 0; k < n; k++) {
        if (!know_fields(s, of[k].metric))
            return false;
        uint8_t f = s->field_of[of[k].metric];
        if (f == N_FIELDS || !(tr_metric_number(of[k].m) >= 0))
            continue;
        row[f] = tr_metric_number(of[k].m);
        has[f] = true;
        flops |= f < N_SPECS;
        bytes |= f >= N_SPECS && f < N_COUNTS;
    }
    if (!flops && !bytes)
        return true;
    struct kernel *k = kernel_of(s, b->name[i]);
    if (!k)
        return false;
    bool first = tr_arg_int(&s->sample, i) <= 0; /* or there are no samples */
    k->calls += bytes && first;
    k->flop_calls += flops && first;
    if (flops && has[TIME])
        k->flop_time += row[TIME];
    for (unsigned f = 0; f < N_FIELDS; f++) {
        bool counts = f < N_COUNTS || f == MATRIX_PCT || bytes;
        if (!has[f] || !counts)
            continue;
        k->sum[f] += row[f];
        k->n[f]++;
    }
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    uint32_t category = tr_metric_file_category(s->in.dict);
    (void)t;
    bool ok = tr_arg_read(&s->sample, b, TR_PLACE_ARGS, "sample");
    tr_metric_values_batch(s->values, b);
    for (size_t i = 0; ok && i < b->n; i++)
        if (tr_metric_is_row(b, i, category) && (!keep || keep[i]) && !is_idle(tr_dict_text_if(s->in.dict, b->name[i])))
            ok = add_row(s, b, i);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- what kernels need ---- */

static double flop_of(const struct kernel *k, unsigned spec)
{
    return k->sum[spec] * specs[spec].flop;
}

static double all_flop(const struct kernel *k)
{
    double sum = 0;
    for (unsigned f = 0; f < N_SPECS; f++)
        sum += flop_of(k, f);
    return sum;
}

static double bytes_of(const struct kernel *k, unsigned level)
{
    return level == L3 ? k->sum[L3_READ] + k->sum[L3_WRITE] : k->sum[MEMORY_READ] + k->sum[MEMORY_WRITE];
}

/* ns; runs without a time of bytes have that of the operations. */
static double time_of(const struct kernel *k)
{
    return k->n[TIME] ? k->sum[TIME] : k->flop_time;
}

static bool shown(const struct kernel *k)
{
    return k->calls && k->flop_calls;
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
        flop[f] = flop_of(k, f);
    return max(flop);
}

static double bandwidth_of(const struct tr_peaks *p, unsigned level)
{
    return level == L3 ? p->l3_bandwidth : p->bandwidth;
}

/* The minimum time in ns, and what it is bound by; NULL: nothing is known. */
static const char *min_time(const struct kernel_roofline_state *s, const struct kernel *k, double *ns)
{
    const struct tr_peaks *p = s->peaks.use;
    const char *bound = NULL;
    *ns = 0;
    for (unsigned f = 0; p && f < N_SPECS; f++) {
        double peak = tr_peaks_of(p, specs[f].name) * 1e3; /* operations per ns */
        if (peak > 0 && flop_of(k, f) / peak > *ns) {
            *ns = flop_of(k, f) / peak;
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

struct sorted {
    const struct kernel_roofline_state *s;
    const struct kernel *k;
};

static int by_time(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    double p = time_of(x->k), q = time_of(y->k);
    if (p != q)
        return p > q ? -1 : 1;
    return tr_str_cmp(tr_dict_text_if(x->s->in.dict, x->k->name), tr_dict_text_if(y->s->in.dict, y->k->name));
}

/* The kernels with operations and bytes, longest first, and sums over them.  NULL: out of memory. */
static struct sorted *select_kernels(struct kernel_roofline_state *s, size_t *n)
{
    struct sorted *sorted = calloc(s->n_kernels + 1, sizeof *sorted);
    *n = 0;
    for (size_t i = 0; sorted && i < s->n_kernels; i++) {
        const struct kernel *k = &s->kernels[i];
        s->half += !shown(k);
        if (!shown(k))
            continue;
        s->uneven += k->calls != k->flop_calls;
        sorted[(*n)++] = (struct sorted){ s, k };
        s->time += time_of(k);
        for (unsigned f = 0; f < N_SPECS; f++)
            s->flop[f] += flop_of(k, f);
    }
    if (sorted)
        qsort(sorted, *n, sizeof *sorted, by_time);
    return sorted;
}

static void remark(const struct kernel_roofline_state *s)
{
    if (s->half)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "",
                           "kernels left out, with only operations or only bytes: %" PRIu64 " of %zu", s->half,
                           s->n_kernels);
    if (s->uneven)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "",
                           "kernels with more instances in one run than in the other: %" PRIu64
                           "; their rates are wrong", s->uneven);
}

/* ---- rows ---- */

static double quotient(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static void ns_cell(struct tr_table *t, double ns)
{
    tr_table_time_f(t, ns > 0 ? ns : NAN);
}

static double mean(const struct kernel *k, unsigned field)
{
    return quotient(k->sum[field], (double)k->n[field]);
}

static void kernel_row(const struct kernel_roofline_state *s, struct tr_table *t, const struct kernel *k)
{
    double time = time_of(k), flop = all_flop(k), min;
    unsigned spec = max_of(k);
    const char *bound = min_time(s, k, &min);
    tr_table_text(t, tr_dict_text_if(s->in.dict, k->name));
    tr_table_count(t, k->calls);
    ns_cell(t, time);
    tr_table_ratio(t, quotient(100 * time, s->time));
    tr_table_string(t, bound);
    ns_cell(t, bound ? min : 0);
    tr_table_ratio(t, bound ? quotient(100 * min, time) : NAN);
    tr_table_string(t, spec == N_SPECS ? NULL : specs[spec].name);
    tr_table_ratio(t, flop);
    for (unsigned f = 0; f < N_SPECS; f++)
        tr_table_ratio(t, flop_of(k, f));
    tr_table_ratio(t, bytes_of(k, MEMORY));
    tr_table_ratio(t, bytes_of(k, L3));
    tr_table_ratio(t, quotient(flop, bytes_of(k, MEMORY)));
    tr_table_ratio(t, quotient(flop, bytes_of(k, L3)));
    tr_table_ratio(t, quotient(flop, time) / 1e3);
    tr_table_ratio(t, quotient(bytes_of(k, MEMORY), time) / 1e3);
    tr_table_ratio(t, quotient(bytes_of(k, L3), time) / 1e3);
    tr_table_ratio(t, mean(k, MHZ));
    tr_table_ratio(t, mean(k, OCCUPANCY));
    tr_table_ratio(t, mean(k, MATRIX_PCT));
}

/* The precision of points and roofs: the one asked for, or that with the most operations. */
static enum tr_status choose_spec(const struct kernel_roofline_state *s, unsigned *spec, struct tr_error *err)
{
    const char *name = s->options->spec;
    *spec = name ? N_SPECS : max(s->flop);
    for (unsigned f = 0; name && f < N_SPECS; f++)
        if (strcmp(name, specs[f].name) == 0)
            *spec = f;
    if (!name || *spec < N_SPECS)
        return TR_OK;
    return tr_fail(err, TR_USAGE,
                   "option --spec: '%.80s' is none of vector_fp16, vector_fp32, vector_fp64, matrix_bf16, "
                   "matrix_fp16",
                   name);
}

/* 10^9 operations per second at most, for so many operations per byte; NaN: unknown. */
static double roof_at(const struct kernel_roofline_state *s, unsigned spec, unsigned level, double flop_per_byte)
{
    const struct tr_peaks *p = s->peaks.use;
    double peak = p ? tr_peaks_of(p, specs[spec].name) * 1e3 : 0, slope = p ? bandwidth_of(p, level) : 0;
    if (!(peak > 0 && slope > 0))
        return NAN;
    return flop_per_byte * slope < peak ? flop_per_byte * slope : peak; /* without bytes, it is the peak */
}

static void point_rows(const struct kernel_roofline_state *s, struct tr_table *t, unsigned spec,
                       const struct sorted *sorted, size_t n)
{
    for (unsigned l = 0; spec < N_SPECS && l < N_LEVELS; l++)
        for (size_t i = 0; i < n; i++) {
            const struct kernel *k = sorted[i].k;
            if (!(flop_of(k, spec) > 0))
                continue;
            tr_table_string(t, specs[spec].name);
            tr_table_string(t, levels[l]);
            tr_table_text(t, tr_dict_text_if(s->in.dict, k->name));
            tr_table_ratio(t, quotient(flop_of(k, spec), bytes_of(k, l)));
            tr_table_ratio(t, quotient(flop_of(k, spec), time_of(k)));
            tr_table_ratio(t, quotient(100 * time_of(k), s->time));
            tr_table_ratio(t, roof_at(s, spec, l, quotient(flop_of(k, spec), bytes_of(k, l))));
        }
}

static void roof_rows(const struct kernel_roofline_state *s, struct tr_table *t, unsigned spec)
{
    const struct tr_peaks *p = s->peaks.use;
    double peak = spec < N_SPECS ? tr_peaks_of(p, specs[spec].name) * 1e3 : 0;
    for (unsigned l = 0; peak > 0 && l < N_LEVELS; l++) {
        double bandwidth = bandwidth_of(p, l);
        if (!(bandwidth > 0))
            continue;
        tr_table_string(t, specs[spec].name);
        tr_table_string(t, levels[l]);
        tr_table_ratio(t, bandwidth);
        tr_table_ratio(t, peak);
        tr_table_ratio(t, peak / bandwidth);
    }
}

static void precision_rows(const struct kernel_roofline_state *s, struct tr_table *t)
{
    double sum = 0;
    for (unsigned f = 0; f < N_SPECS; f++)
        sum += s->flop[f];
    for (unsigned f = 0; f < N_SPECS; f++) {
        double peak = s->peaks.use ? tr_peaks_of(s->peaks.use, specs[f].name) * 1e3 : 0;
        tr_table_string(t, specs[f].name);
        tr_table_ratio(t, s->flop[f]);
        tr_table_ratio(t, quotient(100 * s->flop[f], sum));
        ns_cell(t, s->time);
        tr_table_ratio(t, quotient(s->flop[f], s->time));
        tr_table_ratio(t, peak > 0 ? peak : NAN);
    }
}

static enum tr_status finish_kernels(void *state, struct tr_table *t, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    size_t n;
    struct sorted *sorted = select_kernels(s, &n);
    for (size_t i = 0; sorted && i < n; i++)
        kernel_row(s, t, sorted[i].k);
    remark(s);
    free(sorted);
    return sorted ? tr_table_status(t, err) : tr_fail_memory(err);
}

static enum tr_status finish_points(void *state, struct tr_table *t, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    size_t n;
    unsigned spec;
    struct sorted *sorted = select_kernels(s, &n);
    enum tr_status st = sorted ? choose_spec(s, &spec, err) : tr_fail_memory(err);
    if (st == TR_OK)
        point_rows(s, t, spec, sorted, n);
    remark(s);
    free(sorted);
    return st == TR_OK ? tr_table_status(t, err) : st;
}

static enum tr_status finish_roofs(void *state, struct tr_table *t, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    size_t n;
    unsigned spec;
    struct sorted *sorted = select_kernels(s, &n);
    enum tr_status st = sorted ? choose_spec(s, &spec, err) : tr_fail_memory(err);
    if (st == TR_OK && !s->peaks.use)
        st = tr_fail(err, TR_USAGE, "roofs are those of a device: --arch");
    if (st == TR_OK)
        roof_rows(s, t, spec);
    free(sorted);
    return st == TR_OK ? tr_table_status(t, err) : st;
}

static enum tr_status finish_precisions(void *state, struct tr_table *t, struct tr_error *err)
{
    struct kernel_roofline_state *s = state;
    size_t n;
    struct sorted *sorted = select_kernels(s, &n);
    if (sorted && n)
        precision_rows(s, t);
    remark(s);
    free(sorted);
    return sorted ? tr_table_status(t, err) : tr_fail_memory(err);
}

static const struct tr_kernel_roofline_options defaults = { .spec = NULL };
static const struct tr_option picture_options[] = {
    { 0, "spec", "NAME", TR_OPTION_TEXT, offsetof(struct tr_kernel_roofline_options, spec),
      .help = "this precision, as matrix_bf16 [that with the most operations]" },
    { 0 },
};

#define KERNEL_ROOFLINE(id, name_of, question_of, settings, columns_of, finish_of, ...)               \
    const struct tr_analysis id = { .name = name_of,                                                  \
                                    .question = question_of,                                          \
                                    .nothing = "no kernel has operations and bytes in metric files",  \
                                    .groups = 0,                                                      \
                                    TR_OPTIONS(settings, defaults),                                   \
                                    /* metrics are found by their names without the units */          \
                                    .needs = { .want = { .fixed = TR_FIXED_ALL, .all_packed = true }, \
                                               .host = true, .all_in_any_order = true },              \
                                    TR_OWN_COLUMNS(columns_of),                                       \
                                    .state_size = sizeof(struct kernel_roofline_state),               \
                                    .start = start,                                                   \
                                    .feed = feed,                                                     \
                                    .finish = finish_of,                                              \
                                    .free = release,                                                  \
                                    .unsaved = "sums of real numbers depend on their order",          \
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
