/* SPDX-License-Identifier: MIT */
/* From call to kernel: how long did each call take, how long did its work wait, and how long did it run? */
#include "analysis/calls/tr_launches.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

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
