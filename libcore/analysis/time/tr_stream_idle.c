/* SPDX-License-Identifier: MIT */
/* The gaps between consecutive work of a stream, by cause. */
#include "analysis/time/tr_stream_idle.h"

#include "analysis/time/tr_queue_ends.h"
#include "base/tr_mem.h"

#include <stdlib.h>

struct gaps {
    struct tr_stats stats;
    struct tr_hist *lengths;
};

struct group {
    struct gaps of[TR_N_STREAM_IDLE_CAUSES];
    bool used;
};

struct tr_stream_idle {
    struct tr_queue_ends streams;
    int64_t threshold;
    size_t distinct;
    struct group *sums;
    size_t n_sums, cap_sums;
    int64_t *launch_ts; /* of this batch */
    size_t cap_launch;
    struct tr_stream_idle_row *rows;
};

const char *tr_stream_idle_cause_name(enum tr_stream_idle_cause cause)
{
    static const char *const names[TR_N_STREAM_IDLE_CAUSES] = { "host_wait", "kernel_wait", "other" };
    return names[cause];
}

enum tr_status tr_stream_idle_new(const struct tr_group_by_opts *opts, int64_t threshold, size_t distinct,
                           const struct tr_dict *dict, const struct tr_summary *summary, bool sorted,
                           struct tr_select *select, struct tr_stream_idle **idle, struct tr_error *err)
{
    struct tr_stream_idle *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    a->threshold = threshold;
    a->distinct = distinct ? distinct : TR_STREAM_IDLE_DISTINCT;
    enum tr_status st = tr_queue_ends_init(&a->streams, opts, dict, summary, sorted, select, err);
    if (st == TR_OK)
        *idle = a;
    else
        tr_stream_idle_free(a);
    return st;
}

void tr_stream_idle_free(struct tr_stream_idle *a)
{
    if (!a)
        return;
    tr_queue_ends_free(&a->streams);
    for (size_t g = 0; g < a->n_sums; g++)
        for (unsigned c = 0; c < TR_N_STREAM_IDLE_CAUSES; c++)
            tr_hist_free(a->sums[g].of[c].lengths);
    free(a->sums);
    free(a->launch_ts);
    free(a->rows);
    free(a);
}

/* Make room for all groups so far; new ones start empty. */
static bool more(struct tr_stream_idle *a)
{
    size_t n_groups = a->streams.groups.n_groups;
    if (!tr_grow(&a->sums, &a->cap_sums, n_groups, sizeof *a->sums))
        return false;
    for (; a->n_sums < n_groups; a->n_sums++) {
        struct group *g = &a->sums[a->n_sums];
        g->used = false;
        for (unsigned c = 0; c < TR_N_STREAM_IDLE_CAUSES; c++)
            g->of[c] = (struct gaps){ TR_STATS_INIT, NULL };
    }
    return true;
}

static bool add_gap(const struct tr_stream_idle *a, struct gaps *g, int64_t ns)
{
    if (!g->lengths && !(g->lengths = tr_hist_new(a->distinct)))
        return false;
    tr_stats_add(&g->stats, ns);
    return tr_hist_add(g->lengths, ns, 1);
}

static enum tr_stream_idle_cause cause_of(const struct tr_stream_idle *a, int64_t launch, int64_t end,
                                   int64_t gap)
{
    if (launch != TR_TIME_NONE && launch > end)
        return TR_STREAM_IDLE_HOST_WAIT;
    return gap < a->threshold ? TR_STREAM_IDLE_KERNEL_WAIT : TR_STREAM_IDLE_OTHER;
}

/* Add device work.  False: out of memory. */
static bool add_work(struct tr_stream_idle *a, size_t i)
{
    struct tr_queue_ends_item item;
    if (!tr_queue_ends_item(&a->streams, i, &item) || !more(a))
        return false;
    struct group *g = &a->sums[item.work.group];
    g->used = true;
    if (item.before == TR_TIME_NONE)
        return true;
    int64_t gap = item.work.start > item.before ? tr_time_diff(item.work.start, item.before) : 0;
    if (gap == TR_TIME_NONE)
        return true;
    return add_gap(a, &g->of[cause_of(a, a->launch_ts[i], item.before, gap)], gap);
}

enum tr_status tr_stream_idle_feed(struct tr_stream_idle *a, const struct tr_batch *b, const uint8_t *keep,
                            struct tr_error *err)
{
    enum tr_status st = tr_queue_ends_batch(&a->streams, b, keep, err);
    if (st != TR_OK)
        return st;
    if (!tr_grow(&a->launch_ts, &a->cap_launch, b->n, sizeof *a->launch_ts))
        return tr_fail_memory(err);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, a->launch_ts);
    for (size_t i = 0; i < b->n; i++)
        if (tr_group_by_counts(&a->streams.groups, i) && !add_work(a, i))
            return tr_fail_memory(err);
    return TR_OK;
}

static int64_t whole_of(const struct group *g)
{
    struct tr_stats all = TR_STATS_INIT;
    for (unsigned c = 0; c < TR_N_STREAM_IDLE_CAUSES; c++)
        tr_stats_merge(&all, &g->of[c].stats);
    return tr_stats_sum(&all);
}

/* Rows of a group; false: out of memory. */
static bool add_rows(struct tr_stream_idle *a, uint32_t group, size_t *n)
{
    struct group *g = &a->sums[group];
    int64_t whole = whole_of(g);
    for (unsigned c = 0; g->used && c < TR_N_STREAM_IDLE_CAUSES; c++) {
        struct gaps *of = &g->of[c];
        if (!of->lengths && !(of->lengths = tr_hist_new(1)))
            return false;
        tr_hist_seal(of->lengths);
        a->rows[(*n)++] = (struct tr_stream_idle_row){ a->streams.groups.groups[group], (enum tr_stream_idle_cause)c,
                                                of->stats, of->lengths, whole };
    }
    return true;
}

enum tr_status tr_stream_idle_finish(struct tr_stream_idle *a, const struct tr_stream_idle_row **rows, size_t *n,
                              struct tr_error *err)
{
    size_t n_groups = a->n_sums, cap = 0;
    uint32_t *order = tr_group_by_order(&a->streams.groups);
    bool ok = order && tr_grow(&a->rows, &cap, n_groups * TR_N_STREAM_IDLE_CAUSES, sizeof *a->rows);
    *n = 0;
    for (size_t r = 0; ok && r < a->streams.groups.n_groups; r++)
        ok = order[r] >= n_groups || add_rows(a, order[r], n);
    free(order);
    *rows = a->rows;
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- partial results ---- */

struct saved {
    struct tr_group_key key;
    struct tr_str cause;
    struct tr_stats stats;
    struct tr_hist *lengths; /* NULL: there was no such gap */
};

static const struct tr_saved_column columns[] = {
    { NULL, TR_SAVED_GROUP, offsetof(struct saved, key) },
    { "cause", TR_SAVED_TEXT, offsetof(struct saved, cause) },
    { "gap", TR_SAVED_STATS, offsetof(struct saved, stats) },
    { "gap", TR_SAVED_VALUES, offsetof(struct saved, lengths) },
};

const struct tr_saved_table tr_stream_idle_saved = TR_SAVED_TABLE("gaps", columns);

void tr_stream_idle_save(const struct tr_stream_idle *a, struct tr_partial_out *out)
{
    for (size_t g = 0; g < a->n_sums; g++)
        for (unsigned c = 0; a->sums[g].used && c < TR_N_STREAM_IDLE_CAUSES; c++) {
            const struct gaps *of = &a->sums[g].of[c];
            const struct saved r = { .key = a->streams.groups.groups[g],
                                     .cause = tr_str_of(tr_stream_idle_cause_name((enum tr_stream_idle_cause)c)),
                                     .stats = of->stats,
                                     .lengths = of->lengths };
            tr_partial_put(out, 0, &r);
        }
}

/* False: out of memory; other failures are in the status of in. */
static bool add_saved(const struct tr_stream_idle *a, struct tr_partial_in *in, struct group *g, const struct saved *r)
{
    unsigned c = 0;
    while (c < TR_N_STREAM_IDLE_CAUSES && !tr_str_is(r->cause, tr_stream_idle_cause_name((enum tr_stream_idle_cause)c)))
        c++;
    if (c == TR_N_STREAM_IDLE_CAUSES || (r->lengths ? tr_hist_count(r->lengths) : 0) != r->stats.n) {
        tr_partial_wrong(in, "gaps of a stream");
        return true;
    }
    struct gaps *of = &g->of[c];
    g->used = true;
    if (!r->lengths)
        return true;
    if (!of->lengths && !(of->lengths = tr_hist_new(a->distinct)))
        return false;
    tr_partial_add_stats(in, &of->stats, &r->stats);
    tr_partial_add_values(in, of->lengths, r->lengths);
    return true;
}

enum tr_status tr_stream_idle_load(struct tr_stream_idle *a, struct tr_partial_in *in, struct tr_error *err)
{
    struct saved r;
    uint32_t group;
    while (tr_partial_get(in, 0, &r) && tr_partial_group(in, &a->streams.groups, &r.key, &group))
        if (!more(a) || !add_saved(a, in, &a->sums[group], &r))
            return tr_fail_memory(err);
    return tr_partial_status(in, err);
}
