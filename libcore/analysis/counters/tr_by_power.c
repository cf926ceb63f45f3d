/* SPDX-License-Identifier: MIT */
/*
 * Power of devices: while kernels run, while none runs, and by kernel.
 *
 * Power comes from the counter TR_COUNTER_POWER (tr_counters.h): it holds from one reading to the next.  The time of a
 * kernel counts as far as its power is known.  If kernels run at the same time, each counts.
 *
 * Memory: 40 bytes for each reading, 40 for each kernel, until the end.
 */
#include "analysis/counters/tr_counters.h"
#include "analysis/counters/tr_counters_analyses.h"
#include "base/tr_int128.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "base/tr_stats.h"

#include <math.h>
#include <stdlib.h>

#define DISTINCT ((size_t)1 << 17) /* values up to which percentiles are exact */
#define UW       1e6
#define FJ_PER_MJ 1e12 /* uW times ns are fJ */

/* Power from a time on, and the energy from the first time to this one. */
struct level {
    int64_t ts, uw;
    struct tr_u128 fj; /* two's complement */
};

struct ran {
    int64_t rank, device; /* as in struct tr_group_key */
    int64_t start, end;
    uint32_t name;
};

struct power {
    struct tr_analysis_in in;
    struct tr_counters *counters;
    struct ran *kernels;
    size_t n_kernels, cap_kernels;
    struct levels {
        struct level *v;
        size_t n, cap;
    } *levels; /* by series */
    const struct tr_series *series;
    size_t n_series;
};

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct power *p = state;
    (void)options;
    p->in = *in;
    const struct tr_counters_opts opts = { .work = in->work, .which = 1u << TR_COUNTER_POWER,
                                           .max_memory = in->max_memory, .temp_dir = in->temp_dir };
    return tr_counters_new(&opts, in->dict, in->summary, in->sorted, in->select, &p->counters, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *table,
                           struct tr_error *err)
{
    struct power *p = state;
    (void)table;
    for (size_t i = 0; i < b->n; i++) {
        bool kernel = b->activity[i] == TR_ACT_KERNEL && b->phase[i] == TR_SPAN && b->suspect[i] == TR_SUSPECT_NO &&
                      b->ts[i] != TR_TIME_NONE && b->dur[i] > 0;
        if (!kernel || (keep && !keep[i]))
            continue;
        const struct tr_track *t = &b->dict->tracks[b->track[i]];
        int64_t rank = b->dict->sources[t->source].rank;
        if (!tr_grow(&p->kernels, &p->cap_kernels, p->n_kernels + 1, sizeof *p->kernels))
            return tr_fail_memory(err);
        p->kernels[p->n_kernels++] = (struct ran){ rank < 0 ? TR_GROUP_NONE : rank,
                                                   t->device != TR_I64_NONE ? t->device : t->pid, b->ts[i],
                                                   b->ts[i] + b->dur[i], b->name[i] };
    }
    return tr_counters_feed(p->counters, b, keep, err);
}

static void release(void *state)
{
    struct power *p = state;
    for (size_t s = 0; p->levels && s < p->n_series; s++)
        free(p->levels[s].v);
    free(p->levels);
    free(p->kernels);
    tr_counters_free(p->counters);
}

/* ---- what there is ---- */

static int by_device_and_start(const void *x, const void *y)
{
    const struct ran *a = x, *b = y;
    const int64_t p[] = { a->rank, a->device, a->start, a->end, a->name };
    const int64_t q[] = { b->rank, b->device, b->start, b->end, b->name };
    for (size_t i = 0; i < sizeof p / sizeof *p; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

/* The energy up to a time at which a level still holds. */
static struct tr_u128 later(const struct level *l, int64_t ts)
{
    return tr_u128_add(l->fj, tr_i128_mul(l->uw, ts - l->ts));
}

static bool add_level(struct levels *l, const struct tr_counter_sample *s)
{
    if (!tr_grow(&l->v, &l->cap, l->n + 1, sizeof *l->v))
        return false;
    const struct level *last = l->n ? &l->v[l->n - 1] : NULL;
    struct tr_u128 fj = last ? later(last, s->ts) : tr_i128_of(0);
    l->v[l->n++] = (struct level){ s->ts, s->value, fj };
    return true;
}

/* All levels, and kernels by device. */
static enum tr_status gather(struct power *p, struct tr_error *err)
{
    struct tr_counter_sample sample;
    enum tr_status st = tr_counters_finish(p->counters, &p->series, &p->n_series, err);
    if (st == TR_OK && !(p->levels = calloc(p->n_series + 1, sizeof *p->levels)))
        return tr_fail_memory(err);
    while (st == TR_OK && (st = tr_counters_next(p->counters, &sample, err)) == TR_OK)
        if (!add_level(&p->levels[sample.series], &sample))
            return tr_fail_memory(err);
    if (p->n_kernels)
        qsort(p->kernels, p->n_kernels, sizeof *p->kernels, by_device_and_start);
    uint64_t too_much = tr_counters_too_much(p->counters);
    if (st == TR_END && too_much)
        tr_analysis_remark_sum(&p->in, TR_REMARK_WARN, NULL, too_much,
                               "# of the readings of charge make more than 100 W: counted as 0");
    return st == TR_END ? TR_OK : st;
}

/* The kernels on the device of a series: from the first to before *end. */
static size_t kernels_of(const struct power *p, const struct tr_series *s, size_t *end)
{
    size_t at[2];
    for (unsigned after = 0; after < 2; after++) {
        size_t lo = 0, hi = p->n_kernels;
        while (lo < hi) {
            size_t mid = lo + (hi - lo) / 2;
            const struct ran *k = &p->kernels[mid];
            bool less = k->rank != s->key.rank ? k->rank < s->key.rank
                                               : k->device < s->key.device || (after && k->device == s->key.device);
            lo = less ? mid + 1 : lo;
            hi = less ? hi : mid;
        }
        at[after] = lo;
    }
    *end = at[1];
    return at[0];
}

/* ---- while kernels run, and while none runs ---- */

struct sums {
    struct tr_hist *values; /* weighted by ns, of power above 0 */
    int64_t ns, above, min, max;
    struct tr_u128 fj; /* two's complement */
};

static bool add_time(struct sums *s, int64_t uw, int64_t ns)
{
    s->ns += ns;
    s->fj = tr_u128_add(s->fj, tr_i128_mul(uw, ns));
    if (uw <= 0 || ns <= 0)
        return true;
    s->min = s->above && s->min < uw ? s->min : uw;
    s->max = s->above && s->max > uw ? s->max : uw;
    s->above += ns;
    return tr_hist_add(s->values, uw, (uint64_t)ns);
}

/* The time of one series, split where kernels start and end. sums: while kernels run, while none runs. */
static bool add_series(const struct power *p, size_t series, struct sums sums[2])
{
    const struct levels *l = &p->levels[series];
    size_t last, k = kernels_of(p, &p->series[series], &last);
    int64_t open = INT64_MIN; /* the last end of the kernels that have started so far */
    for (size_t i = 0; i + 1 < l->n; i++) {
        for (int64_t at = l->v[i].ts, to = l->v[i + 1].ts, next; at < to; at = next) {
            for (; k < last && p->kernels[k].start <= at; k++)
                open = p->kernels[k].end > open ? p->kernels[k].end : open;
            next = at < open ? open : k < last ? p->kernels[k].start : to;
            next = next < to ? next : to;
            if (!add_time(&sums[at < open ? 0 : 1], l->v[i].uw, next - at))
                return false;
        }
    }
    return true;
}

static double watts(int64_t uw, bool any)
{
    return any ? (double)uw / UW : NAN;
}

/* A row while kernels run, or while none runs; W, mJ. */
struct during {
    struct tr_group_key key;
    const char *during;
    int64_t ns, above;
    double mean, energy, min, p50, max;
    bool approx;
};

static void sums_row(const struct power *p, struct tr_table *t, size_t series, const char *during, const struct sums *s)
{
    if (!s->ns)
        return;
    tr_hist_seal(s->values);
    const struct during row = { .key = p->series[series].key,
                                .during = during,
                                .ns = s->ns,
                                .above = s->above,
                                .mean = tr_i128_double(s->fj) / (double)s->ns / UW,
                                .energy = tr_i128_double(s->fj) / FJ_PER_MJ,
                                .min = watts(s->min, s->above > 0),
                                .p50 = s->above ? tr_hist_quantile(s->values, 50, 100) / UW : NAN,
                                .max = watts(s->max, s->above > 0),
                                .approx = tr_hist_approx(s->values) };
    tr_table_grouped_rows(t, &row, 1, sizeof row);
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    static const char *const during[] = { "kernels", "no_kernels" };
    struct power *p = state;
    enum tr_status st = gather(p, err);
    for (size_t s = 0; s < p->n_series && st == TR_OK; s++) {
        struct sums sums[2] = { { .values = tr_hist_new(DISTINCT) }, { .values = tr_hist_new(DISTINCT) } };
        if (!sums[0].values || !sums[1].values || !add_series(p, s, sums))
            st = tr_fail_memory(err);
        for (unsigned k = 0; k < 2; k++) {
            if (st == TR_OK)
                sums_row(p, t, s, during[k], &sums[k]);
            tr_hist_free(sums[k].values);
        }
    }
    return st == TR_OK ? tr_table_status(t, err) : st;
}

/* ---- by kernel ---- */

struct by_name {
    const struct tr_dict *dict;
    uint32_t name;
    uint64_t n;
    int64_t ns;
    struct tr_u128 fj; /* two's complement */
};

/* The same as a row; W, mJ. */
struct of_kernel {
    struct tr_group_key key;
    struct tr_str name;
    uint64_t n;
    int64_t ns;
    double mean, energy;
};

/* The energy from the first level up to a time. */
static struct tr_u128 energy_at(const struct levels *l, int64_t ts)
{
    size_t lo = 0, hi = l->n; /* the last level at or before ts */
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (l->v[mid].ts <= ts)
            lo = mid;
        else
            hi = mid;
    }
    return later(&l->v[lo], ts);
}

TR_ORDER(by_name, struct by_name, TR_UP(name))

TR_ORDER(by_energy, struct by_name, tr_i128_cmp(b->fj, a->fj),
         tr_str_cmp(tr_dict_text(a->dict, a->name), tr_dict_text(b->dict, b->name)))

static enum tr_status kernel_rows(const struct power *p, size_t series, struct tr_table *t, struct tr_error *err)
{
    const struct levels *l = &p->levels[series];
    size_t last, first = kernels_of(p, &p->series[series], &last), n = 0, named = 0;
    struct by_name *v = malloc((last - first + 1) * sizeof *v);
    if (!v)
        return tr_fail_memory(err);
    for (size_t k = first; k < last && l->n; k++) {
        const struct ran *r = &p->kernels[k];
        int64_t from = r->start > l->v[0].ts ? r->start : l->v[0].ts;
        int64_t to = r->end < l->v[l->n - 1].ts ? r->end : l->v[l->n - 1].ts;
        if (from < to)
            v[n++] = (struct by_name){ p->in.dict, r->name, 1, to - from,
                                       tr_i128_sub(energy_at(l, to), energy_at(l, from)) };
    }
    qsort(v, n, sizeof *v, by_name);
    for (size_t i = 0; i < n; i++) {
        if (named && v[named - 1].name == v[i].name) {
            v[named - 1].n++;
            v[named - 1].ns += v[i].ns;
            v[named - 1].fj = tr_u128_add(v[named - 1].fj, v[i].fj);
        } else {
            v[named++] = v[i];
        }
    }
    qsort(v, named, sizeof *v, by_energy);
    for (size_t i = 0; i < named; i++) {
        const struct of_kernel row = { p->series[series].key,
                                       tr_dict_text(p->in.dict, v[i].name),
                                       v[i].n,
                                       v[i].ns,
                                       tr_i128_double(v[i].fj) / (double)v[i].ns / UW,
                                       tr_i128_double(v[i].fj) / FJ_PER_MJ };
        tr_table_grouped_rows(t, &row, 1, sizeof row);
    }
    free(v);
    return tr_table_status(t, err);
}

static enum tr_status kernel_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct power *p = state;
    enum tr_status st = gather(p, err);
    for (size_t s = 0; s < p->n_series && st == TR_OK; s++)
        st = kernel_rows(p, s, t, err);
    return st;
}

/* ---- descriptions ---- */

#define MEAN(type)                                                                                          \
    {                                                                                                       \
        "mean_W", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(type, mean), .unit = "W", .main = true,         \
            .meaning = "mean power in that time"                                                            \
    }
#define ENERGY(type)                                                                                        \
    {                                                                                                       \
        "energy_mJ", TR_CELL_RATIO, TR_ROLE_SUM, 6, TR_OF(type, energy), .unit = "mJ",                      \
            .meaning = "energy used in that time"                                                           \
    }
static const struct tr_table_column power_columns[] = {
    { "during", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct during, during),
      .meaning = "kernels: some kernel runs; no_kernels: none does" },
    { "time", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct during, ns),
      .meaning = "how long, as far as the power is known" },
    MEAN(struct during),
    ENERGY(struct during),
    { "above_zero", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct during, above),
      .meaning = "how much of that time the power was above 0" },
    { "min_W", TR_CELL_RATIO, TR_ROLE_MIN, 6, TR_OF(struct during, min), .unit = "W",
      .meaning = "minimum of the power above 0" },
    { "p50_W", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(struct during, p50), .unit = "W",
      .meaning = "median over the time with power above 0" },
    { "max_W", TR_CELL_RATIO, TR_ROLE_MAX, 6, TR_OF(struct during, max), .unit = "W",
      .meaning = "the largest power" },
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct during, approx), .quiet = TR_QUIET_0,
      .meaning = "1: the median is approximate, to 2^-11 of its value" },
};
static const struct tr_table_column kernel_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct of_kernel, name), .names = true, .meaning = "the kernel" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct of_kernel, n),
      .meaning = "kernels of this name whose power is known" },
    { "time", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct of_kernel, ns),
      .meaning = "how long they ran, as far as the power is known" },
    MEAN(struct of_kernel),
    ENERGY(struct of_kernel),
};

/* A view of power. */
#define POWER(id, name_of, question_of, columns_of, finish_of, ...)                                   \
    const struct tr_analysis tr_analysis_##id = {                                                     \
        .name = name_of,                                                                              \
        .question = question_of,                                                                      \
        .nothing = "no span with cycle stamps and a reading of the charge is selected",               \
        .groups = TR_PER_BIT(TR_PER_DEVICE),                                                          \
        .group = TR_PER_DEVICE,                                                                       \
        .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD) | \
                                      TR_FIXED_BIT(SHAPE),                                            \
                             TR_KEYS("TS1", "TS2", "TS3", "TS4", "TS5", "Power") },                   \
                   .memory = TR_MEMORY_SORTS },                                                       \
        TR_OWN_COLUMNS(columns_of),                                                                   \
        .state_size = sizeof(struct power),                                                           \
        .start = start,                                                                               \
        .feed = feed,                                                                                 \
        .finish = finish_of,                                                                          \
        .free = release,                                                                              \
        .saving = &tr_saving_ranks,                                                                   \
        __VA_ARGS__                                                                                   \
    }

POWER(power, "power", "How much power did devices take, with kernels and without?", power_columns, finish,
      .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "during", .y = { "mean_W" }, .facet = "device",
                                         .low = "min_W", .high = "max_W" });
POWER(power_kernel, "power-kernel", "Which kernels took how much power?", kernel_columns, kernel_finish,
      .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "energy_mJ" }, .facet = "device" });
