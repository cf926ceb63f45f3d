/* SPDX-License-Identifier: MIT */
/* From call to kernel: how long did each call take, how long did its work wait, and how long did it run? */
#include "analysis/calls/tr_launches.h"

#include "base/tr_mem.h"
#include "model/tr_eventmap.h"

#include <stdlib.h>
#include <string.h>

/* ---- pairs ---- */

enum tr_status tr_pairs_init(struct tr_pairs *p, const struct tr_group_by_opts *opts, const struct tr_dict *dict,
                             const struct tr_summary *summary, bool sorted, struct tr_select *select,
                             struct tr_error *err)
{
    memset(p, 0, sizeof *p);
    return tr_queue_ends_init(&p->streams, opts, dict, summary, sorted, select, err);
}

void tr_pairs_free(struct tr_pairs *p)
{
    tr_queue_ends_free(&p->streams);
    free(p->launch_ts);
    free(p->launch_dur);
    free(p->launch_name);
    free(p->pairs);
    memset(p, 0, sizeof *p);
}

static bool expand(struct tr_pairs *p, const struct tr_batch *b)
{
    if (!tr_grow(&p->launch_ts, &p->cap_ts, b->n, sizeof *p->launch_ts) ||
        !tr_grow(&p->launch_dur, &p->cap_dur, b->n, sizeof *p->launch_dur) ||
        !tr_grow(&p->launch_name, &p->cap_name, b->n, sizeof *p->launch_name) ||
        !tr_grow(&p->pairs, &p->cap, b->n, sizeof *p->pairs))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, p->launch_ts);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_DUR, TR_TIME_NONE, p->launch_dur);
    tr_batch_expand_str(b, TR_COL_LAUNCH_NAME, p->launch_name);
    return true;
}

/* From a time to a later one; 0 if it is not later. */
static int64_t not_below_0(int64_t to, int64_t from)
{
    return from == TR_TIME_NONE || to > from ? tr_time_diff(to, from) : 0;
}

/* cpu + queue + gpu, where all are known. */
static int64_t total_of(const struct tr_launch_pair *p)
{
    if (p->cpu == TR_TIME_NONE || p->gpu == TR_TIME_NONE || p->queue == TR_TIME_NONE)
        return TR_TIME_NONE;
    int64_t sum = tr_time_sum(p->cpu, p->queue);
    return sum == TR_TIME_NONE ? sum : tr_time_sum(sum, p->gpu);
}

static struct tr_launch_pair make_pair(const struct tr_pairs *p, size_t i, const struct tr_queue_ends_item *item)
{
    const struct tr_batch *b = p->streams.groups.batch;
    int64_t cpu = p->launch_dur[i], start = b->ts[i], before = item->before;
    int64_t called = tr_time_sum(p->launch_ts[i], cpu > 0 ? cpu : 0);
    int64_t queue = not_below_0(start, called);
    int64_t latency = not_below_0(start, called != TR_TIME_NONE && before > called ? before : called);
    struct tr_launch_pair pair = {
        .event = i,
        .group = item->work.group,
        .api = p->launch_name[i],
        .cpu = cpu,
        .gpu = b->dur[i] == TR_TIME_NONE ? TR_TIME_NONE : item->work.end - item->work.start,
        .queue = queue,
        .stream_wait = queue == TR_TIME_NONE ? TR_TIME_NONE : queue - latency,
        .start_latency = latency,
        .negative = start < p->launch_ts[i],
    };
    pair.total = total_of(&pair);
    return pair;
}

enum tr_status tr_pairs_batch(struct tr_pairs *p, const struct tr_batch *b, const uint8_t *keep,
                              struct tr_error *err)
{
    struct tr_queue_ends_item item;
    enum tr_status st = tr_queue_ends_batch(&p->streams, b, keep, err);
    if (st != TR_OK)
        return st;
    p->n = 0;
    if (!expand(p, b))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++) {
        if (!tr_group_by_counts(&p->streams.groups, i))
            continue;
        if (!tr_queue_ends_item(&p->streams, i, &item))
            return tr_fail_memory(err);
        if (p->launch_ts[i] != TR_TIME_NONE)
            p->pairs[p->n++] = make_pair(p, i, &item);
    }
    return TR_OK;
}

/* ---- summary ---- */

struct api {
    uint32_t group, name;
    struct tr_hist *queues;
    struct tr_launches_row row; /* without key and api */
};

struct tr_launches {
    struct tr_pairs pairs;
    struct tr_launches_opts opts;
    struct api *apis;
    size_t n_apis, cap_apis;
    struct tr_eventmap by_name; /* index in apis by group and name: with steps there are thousands */
    struct tr_launches_row *rows; /* NULL: not finished */
    size_t n_rows;
};

enum tr_status tr_launches_new(const struct tr_launches_opts *opts, const struct tr_dict *dict,
                               const struct tr_summary *summary, bool sorted,
                               struct tr_select *select, struct tr_launches **launches,
                               struct tr_error *err)
{
    struct tr_launches *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    a->opts = *opts;
    if (!opts->distinct)
        a->opts.distinct = TR_LAUNCHES_DISTINCT;
    enum tr_status st =
        tr_pairs_init(&a->pairs, &opts->work, dict, summary, sorted, select, err);
    if (st == TR_OK)
        *launches = a;
    else
        tr_launches_free(a);
    return st;
}

void tr_launches_free(struct tr_launches *a)
{
    if (!a)
        return;
    tr_pairs_free(&a->pairs);
    for (size_t i = 0; i < a->n_apis; i++)
        tr_hist_free(a->apis[i].queues);
    tr_eventmap_free(&a->by_name);
    free(a->apis);
    free(a->rows);
    free(a);
}

/* The entry of a name in a group; it is made if it is new.  NULL: out of memory. */
static struct api *api_of(struct tr_launches *a, uint32_t group, uint32_t name)
{
    uint32_t at = tr_eventmap_get(&a->by_name, group, name);
    if (at != TR_EVENTMAP_NONE)
        return &a->apis[at];
    struct api fresh = { group, name, a->opts.means_only ? NULL : tr_hist_new(a->opts.distinct),
                         { .cpu = TR_STATS_INIT, .gpu = TR_STATS_INIT, .total = TR_STATS_INIT,
                           .queue = TR_STATS_INIT, .start_latency = TR_STATS_INIT } };
    if ((!fresh.queues && !a->opts.means_only) || a->n_apis >= TR_EVENTMAP_NONE ||
        !tr_grow(&a->apis, &a->cap_apis, a->n_apis + 1, sizeof *a->apis) ||
        !tr_eventmap_put(&a->by_name, group, name, (uint32_t)a->n_apis)) {
        tr_hist_free(fresh.queues);
        return NULL;
    }
    a->apis[a->n_apis] = fresh;
    return &a->apis[a->n_apis++];
}

static bool add_pair(struct tr_launches *a, const struct tr_launch_pair *p)
{
    struct api *api = api_of(a, p->group, p->api);
    if (!api)
        return false;
    struct tr_launches_row *r = &api->row;
    r->pairs++;
    if (p->negative) {
        r->negative++;
        return true;
    }
    if (p->cpu != TR_TIME_NONE) {
        tr_stats_add(&r->cpu, p->cpu);
        r->short_kernels += p->cpu <= a->opts.cpu_cutoff && p->gpu != TR_TIME_NONE && p->gpu < p->cpu;
        r->slow_calls += p->cpu > a->opts.cpu_cutoff;
    }
    tr_stats_add_known(&r->gpu, p->gpu);
    tr_stats_add_known(&r->total, p->total);
    if (p->queue == TR_TIME_NONE) /* if the queue time fits, so do its parts */
        return true;
    tr_stats_add(&r->queue, p->queue);
    tr_stats_add(&r->start_latency, p->start_latency);
    r->late_starts += p->queue > a->opts.queue_cutoff;
    return !api->queues || tr_hist_add(api->queues, p->queue, 1);
}

/* Calls belong to a rank and a step, but to no device. */
static bool count_calls(struct tr_launches *a, const struct tr_batch *b, const uint8_t *keep)
{
    uint32_t group;
    if (a->opts.work.per == TR_PER_DEVICE || a->opts.work.per == TR_PER_STREAM)
        return true;
    for (size_t i = 0; i < b->n; i++) {
        if (!(b->flags[i] & TR_HAS_DEVICE) || (keep && !keep[i]))
            continue;
        if (!tr_group_by_group(&a->pairs.streams.groups, i, &group))
            return false;
        struct api *api = api_of(a, group, b->name[i]);
        if (!api)
            return false;
        api->row.calls++;
    }
    return true;
}

enum tr_status tr_launches_feed(struct tr_launches *a, const struct tr_batch *b,
                                const uint8_t *keep, struct tr_error *err)
{
    enum tr_status st = tr_pairs_batch(&a->pairs, b, keep, err);
    bool ok = st == TR_OK && count_calls(a, b, keep);
    for (size_t i = 0; ok && i < a->pairs.n; i++)
        ok = add_pair(a, &a->pairs.pairs[i]);
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

struct placed {
    uint32_t place; /* of the group */
    const struct api *api;
    struct tr_str name;
};

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->api->row.pairs != y->api->row.pairs)
        return x->api->row.pairs > y->api->row.pairs ? -1 : 1;
    return tr_str_cmp(x->name, y->name);
}

static enum tr_status make_rows(struct tr_launches *a, struct tr_error *err)
{
    const struct tr_group_by *w = &a->pairs.streams.groups;
    uint32_t *order = tr_group_by_order(w), *place = calloc(w->n_groups + 1, sizeof *place);
    struct placed *placed = calloc(a->n_apis + 1, sizeof *placed);
    a->rows = calloc(a->n_apis + 1, sizeof *a->rows);
    bool ok = order && place && placed && a->rows;
    for (size_t g = 0; ok && g < w->n_groups; g++)
        place[order[g]] = (uint32_t)g;
    for (size_t i = 0; ok && i < a->n_apis; i++)
        if (a->apis[i].row.pairs) /* not if all its work is suspect */
            placed[a->n_rows++] = (struct placed){ place[a->apis[i].group], &a->apis[i],
                                              tr_dict_text(w->dict, a->apis[i].name) };
    if (ok)
        qsort(placed, a->n_rows, sizeof *placed, by_place);
    for (size_t i = 0; ok && i < a->n_rows; i++) {
        a->rows[i] = placed[i].api->row;
        a->rows[i].key = w->groups[placed[i].api->group];
        a->rows[i].api = placed[i].name;
        a->rows[i].queues = placed[i].api->queues;
        if (placed[i].api->queues)
            tr_hist_seal(placed[i].api->queues);
    }
    free(order);
    free(place);
    free(placed);
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_launches_finish(struct tr_launches *a, const struct tr_launches_row **rows,
                                  size_t *n, struct tr_error *err)
{
    enum tr_status st = a->rows ? TR_OK : make_rows(a, err);
    *rows = a->rows;
    *n = a->n_rows;
    return st;
}

/* ---- partial results ---- */

struct saved {
    struct tr_group_key key;
    struct tr_str api;
    struct tr_launches_row row; /* without key, api and queues */
    struct tr_hist *queues;
};

static const struct tr_saved_column columns[] = {
    { NULL, TR_SAVED_GROUP, offsetof(struct saved, key) },
    { "api", TR_SAVED_TEXT, offsetof(struct saved, api) },
    { "calls", TR_SAVED_COUNT, offsetof(struct saved, row.calls) },
    { "pairs", TR_SAVED_COUNT, offsetof(struct saved, row.pairs) },
    { "negative", TR_SAVED_COUNT, offsetof(struct saved, row.negative) },
    { "short_kernels", TR_SAVED_COUNT, offsetof(struct saved, row.short_kernels) },
    { "slow_calls", TR_SAVED_COUNT, offsetof(struct saved, row.slow_calls) },
    { "late_starts", TR_SAVED_COUNT, offsetof(struct saved, row.late_starts) },
    { "cpu", TR_SAVED_STATS, offsetof(struct saved, row.cpu) },
    { "gpu", TR_SAVED_STATS, offsetof(struct saved, row.gpu) },
    { "total", TR_SAVED_STATS, offsetof(struct saved, row.total) },
    { "queue", TR_SAVED_STATS, offsetof(struct saved, row.queue) },
    { "start_latency", TR_SAVED_STATS, offsetof(struct saved, row.start_latency) },
    { "queue_values", TR_SAVED_VALUES, offsetof(struct saved, queues) },
};

const struct tr_saved_table tr_launches_saved = TR_SAVED_TABLE("calls", columns);

void tr_launches_save(const struct tr_launches *a, struct tr_partial_out *out)
{
    const struct tr_group_by *w = &a->pairs.streams.groups;
    for (size_t i = 0; i < a->n_apis; i++) {
        const struct api *api = &a->apis[i];
        const struct saved r = { w->groups[api->group], tr_dict_text_if(w->dict, api->name), api->row, api->queues };
        tr_partial_put(out, 0, &r);
    }
}

static void add_saved(struct tr_partial_in *in, struct api *to, const struct saved *from)
{
    struct tr_launches_row *a = &to->row;
    const struct tr_launches_row *b = &from->row;
    const struct { uint64_t *to, from; } counts[] = {
        { &a->calls, b->calls },           { &a->pairs, b->pairs },
        { &a->negative, b->negative },     { &a->short_kernels, b->short_kernels },
        { &a->slow_calls, b->slow_calls }, { &a->late_starts, b->late_starts },
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        tr_partial_add_count(in, counts[i].to, counts[i].from);
    tr_partial_add_stats(in, &a->cpu, &b->cpu);
    tr_partial_add_stats(in, &a->gpu, &b->gpu);
    tr_partial_add_stats(in, &a->total, &b->total);
    tr_partial_add_stats(in, &a->queue, &b->queue);
    tr_partial_add_stats(in, &a->start_latency, &b->start_latency);
    tr_partial_add_values(in, to->queues, from->queues);
}

enum tr_status tr_launches_load(struct tr_launches *a, struct tr_partial_in *in, struct tr_error *err)
{
    struct saved r;
    uint32_t group;
    while (tr_partial_get(in, 0, &r) && tr_partial_group(in, &a->pairs.streams.groups, &r.key, &group)) {
        uint32_t name = tr_partial_string(in, r.api);
        if (!r.queues || tr_hist_count(r.queues) != r.row.queue.n || r.row.start_latency.n != r.row.queue.n)
            tr_partial_wrong(in, "queue of a call");
        if (tr_partial_status(in, err) != TR_OK)
            break;
        struct api *api = api_of(a, group, name);
        if (!api)
            return tr_fail_memory(err);
        add_saved(in, api, &r);
    }
    return tr_partial_status(in, err);
}
