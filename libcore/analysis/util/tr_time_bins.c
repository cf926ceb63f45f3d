/* SPDX-License-Identifier: MIT */
/* Bins of one length over the time of a run. */
#include "analysis/util/tr_time_bins.h"

#include "model/selection/tr_job_start.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FEW  1000 /* bins that are kept if their length follows */
#define SHOW 150  /* at most so many become rows: at least 60, because lengths are 1, 2 or 5 times a power of ten */

#define FAR  ((int64_t)1 << 62)

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

bool tr_time_bins_init(struct tr_time_bins *t, int64_t length, size_t n_sums, const struct tr_analysis_in *in,
                       const struct tr_group_by *groups)
{
    *t = (struct tr_time_bins){ .in = in,
                                .groups = groups,
                                .starts = calloc(in->dict->n_sources + 1, sizeof *t->starts),
                                .kept = length ? length : 1,
                                .given = length != 0,
                                .n_sums = n_sums,
                                .from = INT64_MAX,
                                .to = INT64_MIN };
    if (t->starts)
        tr_job_starts_of(in->dict, in->summary, t->starts);
    return t->starts != NULL;
}

void tr_time_bins_free(struct tr_time_bins *t)
{
    for (size_t i = 0; i < t->n_rows; i++)
        free(t->rows[i].sums);
    free(t->rows);
    free(t->starts);
}

/* A time from the start of the job of a row; TR_TIME_NONE: it is too far away. */
static int64_t since(const struct tr_bin_row *row, int64_t ts)
{
    int64_t from = tr_time_diff(ts, row->origin);
    return from >= FAR || from <= -FAR ? TR_TIME_NONE : from;
}

/* The start of the job of a group: the first one of its sources. */
static int64_t origin_of(const struct tr_time_bins *t, const struct tr_group_key *key)
{
    int64_t origin = TR_TIME_NONE;
    for (uint32_t s = 0; s < t->in->dict->n_sources; s++) {
        const struct tr_source *source = &t->in->dict->sources[s];
        int64_t rank = source->rank < 0 ? TR_GROUP_NONE : source->rank;
        if (rank == key->rank && source->capture == key->capture && t->starts[s] != TR_TIME_NONE &&
            (origin == TR_TIME_NONE || t->starts[s] < origin))
            origin = t->starts[s];
    }
    return origin == TR_TIME_NONE ? 0 : origin;
}

static struct tr_bin_row *row_of(struct tr_time_bins *t, uint32_t group)
{
    if (!tr_grow(&t->rows, &t->cap_rows, (size_t)group + 1, sizeof *t->rows))
        return NULL;
    for (; t->n_rows <= group; t->n_rows++)
        t->rows[t->n_rows] = (struct tr_bin_row){ 0 };
    struct tr_bin_row *row = &t->rows[group];
    if (!row->known) {
        row->known = true;
        row->origin = origin_of(t, &t->groups->groups[group]);
    }
    return row;
}

/* Ten bins become one. */
static void coarsen_row(struct tr_bin_row *row, size_t n_sums)
{
    int64_t first = floor_div(row->first, 10);
    size_t n = 0;
    for (size_t i = 0; i < row->n; i++) {
        size_t to = (size_t)(floor_div(row->first + (int64_t)i, 10) - first);
        for (size_t k = 0; k < n_sums; k++) {
            uint64_t v = row->sums[i * n_sums + k];
            row->sums[to * n_sums + k] = to < n ? row->sums[to * n_sums + k] + v : v;
        }
        n = to + 1;
    }
    row->first = first;
    row->n = n;
}

static void coarsen(struct tr_time_bins *t)
{
    t->n_bins = 0;
    t->kept *= 10;
    for (size_t i = 0; i < t->n_rows; i++) {
        coarsen_row(&t->rows[i], t->n_sums);
        t->n_bins += t->rows[i].n;
    }
}

static void reach(struct tr_time_bins *t, int64_t at)
{
    if (at == TR_TIME_NONE)
        return;
    t->from = at < t->from ? at : t->from;
    t->to = at > t->to ? at : t->to;
}

bool tr_time_bins_reach(struct tr_time_bins *t, uint32_t group, int64_t start, int64_t end)
{
    const struct tr_bin_row *row = row_of(t, group);
    if (!row)
        return false;
    reach(t, since(row, start));
    reach(t, since(row, end));
    while (!t->given && t->kept < INT64_MAX / 10 && t->from <= t->to &&
           floor_div(t->to, t->kept) - floor_div(t->from, t->kept) >= FEW)
        coarsen(t);
    return true;
}

bool tr_time_bins_work(struct tr_time_bins *t, uint32_t group, int64_t start, int64_t end)
{
    if (!tr_time_bins_reach(t, group, start, end))
        return false;
    t->n_far += !tr_time_bins_hold(t, group, (struct tr_range){ start, end });
    return true;
}

bool tr_time_bins_hold(const struct tr_time_bins *t, uint32_t group, struct tr_range interval)
{
    const struct tr_bin_row *row = &t->rows[group];
    return since(row, interval.from) != TR_TIME_NONE && since(row, interval.to) != TR_TIME_NONE;
}

/* The sums of a bin that is kept.  NULL: out of memory, or too many. */
static uint64_t *sums_at(struct tr_time_bins *t, struct tr_bin_row *row, int64_t number)
{
    if (!row->n)
        row->first = number;
    uint64_t at = (uint64_t)number - (uint64_t)row->first;
    if (number >= row->first && at < row->n)
        return row->sums + at * t->n_sums;
    size_t before = number < row->first ? (size_t)((uint64_t)row->first - (uint64_t)number) : 0;
    uint64_t n = before ? row->n + before : at + 1;
    t->too_many = n > TR_TIME_BINS_MAX || t->n_bins - row->n + n > TR_TIME_BINS_MAX;
    if (t->too_many || !tr_grow(&row->sums, &row->cap, (size_t)n * t->n_sums, sizeof *row->sums))
        return NULL;
    if (before)
        memmove(row->sums + before * t->n_sums, row->sums, row->n * t->n_sums * sizeof *row->sums);
    size_t empty = before ? 0 : row->n;
    memset(row->sums + empty * t->n_sums, 0, ((size_t)n - row->n) * t->n_sums * sizeof *row->sums);
    t->n_bins += (size_t)n - row->n;
    row->n = (size_t)n;
    row->first = before ? number : row->first;
    return row->sums + (size_t)(number - row->first) * t->n_sums;
}

bool tr_time_bins_add(struct tr_time_bins *t, uint32_t group, size_t sum, int64_t start, int64_t end)
{
    struct tr_bin_row *row = row_of(t, group);
    if (!row)
        return false;
    int64_t from = since(row, start), to = since(row, end);
    if (from == TR_TIME_NONE || to == TR_TIME_NONE)
        return true;
    while (from < to) {
        int64_t number = floor_div(from, t->kept), left = t->kept - (from - number * t->kept);
        int64_t ns = left < to - from ? left : to - from;
        uint64_t *sums = sums_at(t, row, number);
        if (!sums)
            return false;
        sums[sum] += (uint64_t)ns;
        from += ns;
    }
    return true;
}

bool tr_time_bins_add_at(struct tr_time_bins *t, uint32_t group, size_t sum, int64_t at, uint64_t ns)
{
    struct tr_bin_row *row = row_of(t, group);
    int64_t from = row ? since(row, at) : 0;
    if (!row || from == TR_TIME_NONE)
        return row != NULL;
    uint64_t *sums = sums_at(t, row, floor_div(from, t->kept));
    if (sums)
        sums[sum] += ns;
    return sums != NULL;
}

int64_t tr_time_bins_edge(const struct tr_time_bins *t, uint32_t group, int64_t at)
{
    int64_t from = since(&t->rows[group], at);
    if (from == TR_TIME_NONE || from >= t->to)
        return INT64_MAX; /* there are no bins from here on */
    int64_t edge = tr_time_sum(at, t->kept - (from - floor_div(from, t->kept) * t->kept));
    return edge == TR_TIME_NONE ? INT64_MAX : edge;
}

enum tr_status tr_time_bins_fail(const struct tr_time_bins *t, struct tr_error *err)
{
    if (!t->too_many)
        return tr_fail_memory(err);
    return tr_fail(err, TR_USAGE, "--bin: more than %zu bins of %" PRId64 " ns: choose longer ones, or fewer ranks",
                   TR_TIME_BINS_MAX, t->kept);
}

int64_t tr_time_bins_length(const struct tr_time_bins *t)
{
    static const int64_t round[] = { 1, 2, 5, 10 };
    int64_t span = t->from < t->to ? tr_time_diff(t->to, t->from) : 0;
    size_t i = 0;
    if (t->given)
        return t->kept;
    while (i < 3 && span / SHOW >= round[i] * t->kept)
        i++;
    return round[i] * t->kept;
}

int64_t tr_time_bins_number(const struct tr_time_bins *t, uint32_t group, int64_t at)
{
    return floor_div(since(&t->rows[group], at), tr_time_bins_length(t));
}

struct tr_range tr_time_bins_range(const struct tr_time_bins *t, uint32_t group, int64_t number)
{
    int64_t length = tr_time_bins_length(t), start = tr_time_sum(t->rows[group].origin, number * length);
    int64_t end = tr_time_sum(start, length);
    return (struct tr_range){ start, end == TR_TIME_NONE ? INT64_MAX : end };
}

uint64_t tr_time_bins_sum(const struct tr_time_bins *t, uint32_t group, size_t sum, int64_t number)
{
    const struct tr_bin_row *row = &t->rows[group];
    int64_t each = tr_time_bins_length(t) / t->kept;
    uint64_t ns = 0;
    for (int64_t i = number * each; i < (number + 1) * each; i++)
        if (i >= row->first && (uint64_t)(i - row->first) < row->n)
            ns += row->sums[(size_t)(i - row->first) * t->n_sums + sum];
    return ns;
}

void tr_time_bins_remark(const struct tr_time_bins *t)
{
    if (t->n_far)
        tr_analysis_remark(t->in, TR_REMARK_WARN, "",
                           "%" PRIu64 " kernels, copies or memsets are more than 146 years from the start of the job: "
                           "they are left out",
                           t->n_far);
}
