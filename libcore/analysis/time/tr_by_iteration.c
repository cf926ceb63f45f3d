/* SPDX-License-Identifier: MIT */
/*
 * How long did one iteration take, in traces that mark no steps?  An iteration is a sequence of kernels that repeats.
 *
 * An iteration is found when the kernels so far, except up to a third of them at the start, are two equal halves.  It
 * is the first half.  Then each further occurrence ends an interval, from its predecessor's start to its own, unless
 * other kernels came between.
 */
#include "analysis/time/tr_time_analyses.h"
#include "base/tr_mem.h"
#include "engine/tr_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MIN_KERNELS 10u                          /* number of kernels from which an iteration is looked for */
#define MAX         32768u                       /* and up to which: the search time grows with their square */
#define BASE        UINT64_C(0x9e3779b97f4a7c15) /* of hashes of sequences; odd */

struct lane {
    int64_t rank;
    uint32_t *names; /* of the kernels so far; after the iteration is found, of its kernels */
    int64_t *starts; /* of the kernels so far; after it is found, of the last len kernels: number k at k modulo len */
    uint64_t *hash, *power; /* hash of the names before each kernel; power of BASE */
    size_t *back;           /* by number of matching kernels: how many still match if the next one does not */
    size_t n_seen, cap_names, cap_starts, cap_hash, cap_power;
    size_t len, matched;         /* length of the iteration, 0: not known; kernels of it that came last */
    bool broken;                 /* another kernel came after the last iteration ended */
    int64_t last, sum, min, max; /* start of the last iteration; the rest: intervals */
    uint64_t intervals;
};

struct iterations {
    struct tr_rows *rows; /* first: tr_rows_first */
    struct tr_group_by work; /* by rank and capture: jobs of a rank are captures, and its kernels go on */
    struct lane *lanes; /* of ranks */
    size_t *lane_of;    /* by group */
    size_t n_lanes, n_groups, cap_lanes, cap_lane_of;
};

/* What is known of a rank in the end. */
struct row {
    uint32_t group, first; /* first: kernel of the iteration */
    int64_t kernels;       /* of one iteration; TR_I64_NONE: none was found */
    uint64_t intervals;
    int64_t sum, min, max; /* of intervals; TR_TIME_NONE: there are none */
    double mean;
};

static const struct tr_table_column columns[] = {
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, sum) }, /* not printed */
    { "rank", TR_CELL_INT, TR_ROLE_KEY, .member = TR_MEMBER_GROUP, .at = offsetof(struct tr_group_key, rank),
      .meaning = "the rank" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, kernels),
      .meaning = "kernels of one iteration; absent: none was found" },
    { "intervals", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, intervals),
      .meaning = "times from the start of one to that of the next" },
    { "mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct row, mean), .per = "intervals", .main = true,
      .meaning = "mean of these" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct row, min), .meaning = "shortest" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct row, max), .meaning = "longest" },
    { "first", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, first), .names = true, .meaning = "its first kernel" },
};

static const struct tr_row_type type = {
    .name = "iterations",
    .size = sizeof(struct row),
    .key_size = sizeof(uint32_t),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
};

/* ---- one rank ---- */

static uint64_t hash_of(const struct lane *l, size_t from, size_t n)
{
    return l->hash[from + n] - l->hash[from] * l->power[n];
}

/* Are the two halves of the kernels from here on the same? */
static bool halves(const struct lane *l, size_t from)
{
    size_t half = (l->n_seen - from) / 2;
    return l->names[from + half - 1] == l->names[l->n_seen - 1] &&
           hash_of(l, from, half) == hash_of(l, from + half, half) &&
           !memcmp(l->names + from, l->names + from + half, half * sizeof *l->names);
}

static void add_interval(struct lane *l, int64_t start)
{
    int64_t dur = tr_time_diff(start, l->last), sum = tr_time_sum(l->sum, dur);
    if (!l->broken && dur != TR_TIME_NONE && sum != TR_TIME_NONE) {
        l->min = l->intervals && l->min < dur ? l->min : dur;
        l->max = l->intervals && l->max > dur ? l->max : dur;
        l->sum = sum;
        l->intervals++;
    }
    l->last = start;
    l->broken = false;
    l->matched = 0;
}

/* The iteration is found: it has just come twice. */
static bool found(struct lane *l, size_t from)
{
    size_t n = (l->n_seen - from) / 2;
    l->back = calloc(n + 1, sizeof *l->back);
    if (!l->back)
        return false;
    l->last = l->starts[from];
    add_interval(l, l->starts[from + n]);
    memmove(l->names, l->names + from, n * sizeof *l->names);
    for (size_t i = 1, k = 0; i < n; i++) {
        while (k && l->names[i] != l->names[k])
            k = l->back[k];
        k += l->names[i] == l->names[k];
        l->back[i + 1] = k;
    }
    l->len = n;
    l->n_seen = 0; /* from now on, of those whose starts are kept */
    free(l->hash);
    free(l->power);
    l->hash = l->power = NULL;
    return true;
}

static bool look(struct lane *l, uint32_t name, int64_t start)
{
    size_t n = l->n_seen;
    if (n == MAX)
        return true;
    if (!tr_grow(&l->names, &l->cap_names, n + 1, sizeof *l->names) ||
        !tr_grow(&l->starts, &l->cap_starts, n + 1, sizeof *l->starts) ||
        !tr_grow(&l->hash, &l->cap_hash, n + 2, sizeof *l->hash) ||
        !tr_grow(&l->power, &l->cap_power, n + 2, sizeof *l->power))
        return false;
    if (!n) {
        l->hash[0] = 0;
        l->power[0] = 1;
    }
    l->names[n] = name;
    l->starts[n] = start;
    l->hash[n + 1] = l->hash[n] * BASE + name + 1;
    l->power[n + 1] = l->power[n] * BASE;
    l->n_seen = ++n;
    for (size_t from = n % 2; n >= MIN_KERNELS && from < n / 3; from += 2)
        if (halves(l, from))
            return found(l, from);
    return true;
}

static bool see(struct lane *l, uint32_t name, int64_t start)
{
    if (!l->len)
        return look(l, name, start);
    l->starts[l->n_seen++ % l->len] = start;
    while (l->matched && l->names[l->matched] != name) {
        l->matched = l->back[l->matched];
        l->broken = true;
    }
    if (l->names[l->matched] == name)
        l->matched++;
    else
        l->broken = true;
    if (l->matched == l->len)
        add_interval(l, l->starts[l->n_seen % l->len]);
    return true;
}

/* ---- the analysis ---- */

static void iterations_free(void *state)
{
    struct iterations *s = state;
    for (size_t i = 0; i < s->n_lanes; i++) {
        free(s->lanes[i].names);
        free(s->lanes[i].starts);
        free(s->lanes[i].hash);
        free(s->lanes[i].power);
        free(s->lanes[i].back);
    }
    free(s->lanes);
    free(s->lane_of);
    tr_rows_free(s->rows);
    tr_group_by_free(&s->work);
}

static enum tr_status iterations_start(const struct tr_analysis_in *in, const void *options, void *state,
                                       struct tr_error *err)
{
    struct iterations *s = state;
    (void)options;
    if (!(s->rows = tr_rows_new(&type, in, &s->work, true)))
        return tr_fail_memory(err);
    struct tr_group_by_opts work = in->work;
    work.per = TR_PER_RANK;
    return tr_group_by_init(&s->work, &work, in->dict, in->summary, in->sorted, NULL, err);
}

/* Add new groups, and their ranks. */
static bool more_groups(struct iterations *s)
{
    if (!tr_grow(&s->lane_of, &s->cap_lane_of, s->work.n_groups, sizeof *s->lane_of))
        return false;
    for (; s->n_groups < s->work.n_groups; s->n_groups++) {
        int64_t rank = s->work.groups[s->n_groups].rank;
        size_t k = 0;
        while (k < s->n_lanes && s->lanes[k].rank != rank)
            k++;
        if (!tr_grow(&s->lanes, &s->cap_lanes, k + 1, sizeof *s->lanes))
            return false;
        if (k == s->n_lanes)
            s->lanes[s->n_lanes++] = (struct lane){ .rank = rank };
        s->lane_of[s->n_groups] = k;
    }
    return true;
}

static enum tr_status iterations_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                      struct tr_error *err)
{
    struct iterations *s = state;
    struct tr_group_by_item item;
    (void)t;
    enum tr_status st = tr_group_by_batch(&s->work, b, keep, err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++) {
        if (b->activity[i] != TR_ACT_KERNEL || !tr_group_by_counts(&s->work, i))
            continue;
        if (!tr_group_by_item(&s->work, i, &item) || (item.group >= s->n_groups && !more_groups(s)) ||
            !see(&s->lanes[s->lane_of[item.group]], b->name[i], item.start))
            return tr_fail_memory(err);
    }
    return st;
}

/* Captures of a rank are one row. */
static bool add_row(struct iterations *s, const struct lane *l)
{
    const struct tr_group_key key = { l->rank, TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, 0 };
    uint32_t group;
    struct row *row = tr_group_by_key_group(&s->work, &key, &group) ? tr_rows_at(s->rows, &group) : NULL;
    if (!row)
        return false;
    *row = (struct row){ .group = group,
                         .first = l->len ? l->names[0] : TR_NO_STR,
                         .kernels = l->len ? (int64_t)l->len : TR_I64_NONE,
                         .intervals = l->intervals,
                         .sum = l->sum,
                         .min = l->intervals ? l->min : TR_TIME_NONE,
                         .max = l->intervals ? l->max : TR_TIME_NONE };
    return true;
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    struct iterations *s = state;
    enum tr_status st = tr_group_by_finish(&s->work, err);
    for (size_t i = 0; st == TR_OK && i < s->n_lanes; i++)
        if (!add_row(s, &s->lanes[i]))
            st = tr_fail_memory(err);
    for (size_t i = 0; i < tr_rows_count(s->rows); i++) {
        struct row *row = tr_rows_get(s->rows, i);
        row->mean = row->intervals ? (double)row->sum / (double)row->intervals : NAN;
    }
    return st;
}

const struct tr_analysis tr_analysis_iteration = {
    .name = "iteration",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "rank", .y = { "mean" }, .low = "min", .high = "max" },
    .question = "How long did one iteration take, of the kernels that repeat?",
    .nothing = "no kernels are selected",
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(ACTIVITY),
                         .any_rank_order = true } },
    .own_columns = columns + 1,
    .n_columns = sizeof columns / sizeof *columns - 1,
    .state_size = sizeof(struct iterations),
    .start = iterations_start,
    .feed = iterations_feed,
    .complete = complete,
    .rows = tr_rows_first,
    .free = iterations_free,
    .saving = &(const struct tr_saving){ .version = 1, .whole_ranks = true, TR_SAVED_ROWS(type) },
};
