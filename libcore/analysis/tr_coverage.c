/* SPDX-License-Identifier: MIT */
/* Coverage: how much of the events that take part can be explained? */
#include "analysis/tr_coverage.h"

#include "base/tr_mem.h"
#include "model/tr_eventmap.h"

#include <stdlib.h>

/* Calls of one API in one source. */
struct api {
    uint32_t source;
    uint64_t n_calls, n_used;
};

struct tr_coverage {
    bool suspect;
    struct tr_coverage_counts *sources; /* without launches, which are in apis */
    size_t n_sources, cap_sources;
    int64_t *covered; /* by track: the time until which the operators so far run */
    size_t n_tracks, cap_tracks;
    struct api *apis;
    size_t n_apis, cap_apis;
    struct tr_eventmap by_name;  /* index in apis by source and name */
    struct tr_eventmap launches; /* by operators: how much of their work is still to come */
    struct tr_eventmap early;    /* index in waiting of work that came before its launch */
    int64_t *waiting;            /* durations */
    size_t n_waiting, cap_waiting;
    int64_t *launch_ts, *launch_record, *n_device; /* of this batch */
    size_t cap_ts, cap_record, cap_n_device;
};

struct tr_coverage *tr_coverage_new(bool suspect)
{
    struct tr_coverage *c = calloc(1, sizeof *c);
    if (c)
        c->suspect = suspect;
    return c;
}

void tr_coverage_free(struct tr_coverage *c)
{
    if (!c)
        return;
    tr_eventmap_free(&c->by_name);
    tr_eventmap_free(&c->launches);
    tr_eventmap_free(&c->early);
    free(c->sources);
    free(c->covered);
    free(c->apis);
    free(c->waiting);
    free(c->launch_ts);
    free(c->launch_record);
    free(c->n_device);
    free(c);
}

/* Make room for every source and track of the dictionary, and for the columns of the batch. */
static bool begin_batch(struct tr_coverage *c, const struct tr_batch *b)
{
    const struct tr_dict *d = b->dict;
    if (!tr_grow(&c->sources, &c->cap_sources, d->n_sources, sizeof *c->sources) ||
        !tr_grow(&c->covered, &c->cap_tracks, d->n_tracks, sizeof *c->covered) ||
        !tr_grow(&c->launch_ts, &c->cap_ts, b->n, sizeof *c->launch_ts) ||
        !tr_grow(&c->launch_record, &c->cap_record, b->n, sizeof *c->launch_record) ||
        !tr_grow(&c->n_device, &c->cap_n_device, b->n, sizeof *c->n_device))
        return false;
    while (c->n_sources < d->n_sources)
        c->sources[c->n_sources++] = (struct tr_coverage_counts){ 0 };
    while (c->n_tracks < d->n_tracks)
        c->covered[c->n_tracks++] = INT64_MIN;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, c->launch_ts);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, 0, c->launch_record);
    tr_batch_expand_i64(b, TR_COL_N_DEVICE, 0, c->n_device);
    return true;
}

/* ---- the host ---- */

static bool count_call(struct tr_coverage *c, const struct tr_batch *b, size_t i, uint32_t source)
{
    uint32_t at = tr_eventmap_get(&c->by_name, source, b->name[i]);
    if (at == TR_EVENTMAP_NONE) {
        at = (uint32_t)c->n_apis;
        if (!tr_grow(&c->apis, &c->cap_apis, c->n_apis + 1, sizeof *c->apis) ||
            !tr_eventmap_put(&c->by_name, source, b->name[i], at))
            return false;
        c->apis[c->n_apis++] = (struct api){ .source = source };
    }
    c->apis[at].n_calls++;
    c->apis[at].n_used += (b->flags[i] & TR_HAS_DEVICE) != 0;
    return true;
}

/* A launch by an operator: its work has come already, or will be found by the launch's record. */
static bool note_launch(struct tr_coverage *c, const struct tr_batch *b, size_t i, uint32_t source)
{
    uint32_t at = tr_eventmap_get(&c->early, source, b->record[i]);
    int64_t n = c->n_device[i];
    if (at != TR_EVENTMAP_NONE) {
        struct tr_coverage_counts *s = &c->sources[source];
        s->time_by_operator = tr_time_sum(s->time_by_operator, c->waiting[at]);
        tr_eventmap_remove(&c->early, source, b->record[i]);
    }
    uint32_t left = n < 0 || n >= TR_EVENTMAP_NONE ? TR_EVENTMAP_NONE - 1 : (uint32_t)n;
    return tr_eventmap_put(&c->launches, source, b->record[i], left);
}

static bool add_host(struct tr_coverage *c, const struct tr_batch *b, size_t i, bool counts)
{
    uint32_t source = b->dict->tracks[b->track[i]].source;
    int64_t *covered = &c->covered[b->track[i]];
    unsigned activity = b->activity[i];
    if (activity == TR_ACT_CPU_OP || activity == TR_ACT_COMM_RECORD) {
        int64_t end = b->ts[i] + tr_dur_used(b->dur[i], b->suspect[i]);
        *covered = end > *covered ? end : *covered;
        return true;
    }
    if (b->flags[i] & TR_HAS_DEVICE && b->ts[i] < *covered && !note_launch(c, b, i, source))
        return false;
    bool api = activity == TR_ACT_RUNTIME_API || activity == TR_ACT_DRIVER_API;
    return !api || !counts || count_call(c, b, i, source);
}

/* ---- device work ---- */

static bool wait_for_launch(struct tr_coverage *c, uint32_t source, uint64_t launch, int64_t dur)
{
    uint32_t at = tr_eventmap_get(&c->early, source, launch);
    if (at == TR_EVENTMAP_NONE) {
        at = (uint32_t)c->n_waiting;
        if (!tr_grow(&c->waiting, &c->cap_waiting, c->n_waiting + 1, sizeof *c->waiting) ||
            !tr_eventmap_put(&c->early, source, launch, at))
            return false;
        c->waiting[c->n_waiting++] = 0;
    }
    c->waiting[at] = tr_time_sum(c->waiting[at], dur);
    return true;
}

static bool add_work(struct tr_coverage *c, const struct tr_batch *b, size_t i, bool counts)
{
    uint32_t source = b->dict->tracks[b->track[i]].source;
    struct tr_coverage_counts *s = &c->sources[source];
    uint64_t launch = (uint64_t)c->launch_record[i];
    int64_t dur = counts && b->phase[i] == TR_SPAN ? tr_dur_used(b->dur[i], b->suspect[i]) : 0;
    s->work += counts;
    s->work_launched += counts && b->flags[i] & TR_HAS_LAUNCH;
    s->time = tr_time_sum(s->time, dur);
    if (c->launch_ts[i] == TR_TIME_NONE)
        return true;
    uint32_t left = tr_eventmap_get(&c->launches, source, launch);
    if (left == TR_EVENTMAP_NONE) /* launched by no operator; or, if clocks disagree, the launch is still to come */
        return c->launch_ts[i] < b->ts[i] || wait_for_launch(c, source, launch, dur);
    s->time_by_operator = tr_time_sum(s->time_by_operator, dur);
    if (left > 1)
        return tr_eventmap_put(&c->launches, source, launch, left - 1);
    tr_eventmap_remove(&c->launches, source, launch);
    return true;
}

enum tr_status tr_coverage_add(struct tr_coverage *c, const struct tr_batch *b, const uint8_t *keep,
                               struct tr_error *err)
{
    bool ok = begin_batch(c, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        bool counts = (!keep || keep[i]) && (c->suspect || b->suspect[i] == TR_SUSPECT_NO);
        ok = tr_is_device_work(b->activity[i]) ? add_work(c, b, i, counts) : add_host(c, b, i, counts);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- the result ---- */

static void add_launches(const struct tr_coverage *c, int64_t source, struct tr_coverage_counts *to)
{
    for (size_t i = 0; i < c->n_apis; i++) {
        if (!c->apis[i].n_used || (source >= 0 && c->apis[i].source != source))
            continue;
        to->launches += c->apis[i].n_calls;
        to->launches_used += c->apis[i].n_used;
    }
}

struct tr_coverage_counts tr_coverage_of(const struct tr_coverage *c, uint32_t source)
{
    struct tr_coverage_counts n = { 0 };
    if (source < c->n_sources)
        n = c->sources[source];
    add_launches(c, source, &n);
    return n;
}

struct tr_coverage_counts tr_coverage_all(const struct tr_coverage *c)
{
    struct tr_coverage_counts all = { 0 };
    for (size_t s = 0; s < c->n_sources; s++) {
        all.work += c->sources[s].work;
        all.work_launched += c->sources[s].work_launched;
        all.time = tr_time_sum(all.time, c->sources[s].time);
        all.time_by_operator = tr_time_sum(all.time_by_operator, c->sources[s].time_by_operator);
    }
    add_launches(c, -1, &all);
    return all;
}
