/* SPDX-License-Identifier: MIT */
/* The history of hosts, for the gaps of several analyses. */
#include "analysis/time/tr_idle_hosts.h"

#include "base/tr_mem.h"
#include "model/calls/tr_call_path.h"

#include <stdlib.h>

struct tr_idle_hosts *tr_idle_hosts_new(const struct tr_dict *dict, const struct tr_summary *summary)
{
    struct tr_idle_hosts *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->dict = dict;
    h->summary = summary;
    h->history = tr_host_history_new(dict);
    if (h->history)
        return h;
    tr_idle_hosts_free(h);
    return NULL;
}

void tr_idle_hosts_free(struct tr_idle_hosts *h)
{
    if (!h)
        return;
    tr_host_history_free(h->history);
    free(h->launch_ts);
    free(h->launch_dur);
    free(h->launch_track);
    free(h->readers);
    free(h->left);
    free(h);
}

bool tr_idle_hosts_join(struct tr_idle_hosts *h, const struct tr_idle_reader *reader)
{
    if (!tr_grow(&h->readers, &h->cap_readers, h->n_readers + 1, sizeof *h->readers))
        return false;
    h->readers[h->n_readers++] = *reader;
    return true;
}

void tr_idle_hosts_leave(struct tr_idle_hosts *h, const void *self)
{
    size_t n = 0;
    for (size_t i = 0; i < h->n_readers; i++)
        if (h->readers[i].self != self)
            h->readers[n++] = h->readers[i];
    h->n_readers = n;
}

/* ---- how much to keep ---- */

static bool is_read(const struct tr_idle_hosts *h, uint32_t source)
{
    for (size_t i = 0; i < h->n_readers; i++)
        if (!h->readers[i].select || tr_select_source(h->readers[i].select, source))
            return true;
    return false;
}

/* Count the device work that a source still has.  After its last piece, the history of its host is not needed. */
static bool know_sources(struct tr_idle_hosts *h)
{
    if (!tr_grow(&h->left, &h->cap_left, h->dict->n_sources, sizeof *h->left))
        return false;
    for (; h->n_left < h->dict->n_sources; h->n_left++) {
        uint64_t n = UINT64_MAX;
        if (h->summary && h->n_left < h->summary->n) {
            const uint64_t *of = h->summary->sources[h->n_left].n_activity;
            n = of[TR_ACT_KERNEL] + of[TR_ACT_MEMCPY] + of[TR_ACT_MEMSET];
        }
        h->left[h->n_left] = is_read(h, (uint32_t)h->n_left) ? n : 0;
    }
    return true;
}

#define FORGET_EVERY 4096u /* host spans; more if there are many groups and threads to look at */

/* Forget what the host did before the gaps that are still open. */
static bool forget(struct tr_idle_hosts *h)
{
    const struct tr_dict *d = h->dict;
    size_t n_groups = 0;
    for (size_t i = 0; i < h->n_readers; i++)
        n_groups += h->readers[i].n_groups(h->readers[i].self);
    if (h->entered < FORGET_EVERY || h->entered < d->n_tracks || h->entered / (d->n_sources + 1) < n_groups)
        return true;
    int64_t *floor = malloc((d->n_sources ? d->n_sources : 1) * sizeof *floor);
    if (!floor)
        return false;
    for (uint32_t s = 0; s < d->n_sources; s++) {
        floor[s] = h->now;
        for (size_t i = 0; i < h->n_readers; i++) {
            int64_t oldest = h->readers[i].oldest(h->readers[i].self, s, h->now);
            floor[s] = oldest < floor[s] ? oldest : floor[s];
        }
    }
    for (uint32_t t = 0; t < d->n_tracks; t++)
        tr_host_history_forget(h->history, t, floor[d->tracks[t].source]);
    free(floor);
    h->entered = 0;
    return true;
}

/* ---- batches ---- */

static bool expand(struct tr_idle_hosts *h, const struct tr_batch *b)
{
    if (!tr_grow(&h->launch_ts, &h->cap_ts, b->n, sizeof *h->launch_ts) ||
        !tr_grow(&h->launch_dur, &h->cap_dur, b->n, sizeof *h->launch_dur) ||
        !tr_grow(&h->launch_track, &h->cap_track, b->n, sizeof *h->launch_track))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, h->launch_ts);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_DUR, TR_TIME_NONE, h->launch_dur);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, h->launch_track);
    return true;
}

bool tr_idle_hosts_feed(struct tr_idle_hosts *h, const struct tr_batch *b)
{
    const struct tr_track *tracks = h->dict->tracks;
    bool ok = know_sources(h) && forget(h) && expand(h, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        uint64_t *left = &h->left[tracks[b->track[i]].source];
        if (tr_is_device_work(b->activity[i])) {
            *left -= *left > 0;
        } else if (*left && tr_is_call(b, i)) {
            ok = tr_host_history_enter(h->history, b, i);
            h->entered++;
        }
    }
    if (b->n)
        h->now = b->ts[b->n - 1];
    return ok;
}

/* ---- shared ---- */

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state, struct tr_error *err)
{
    (void)options;
    *state = tr_idle_hosts_new(in->dict, in->summary);
    return *state ? TR_OK : tr_fail_memory(err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    (void)keep;
    return tr_idle_hosts_feed(state, b) ? TR_OK : tr_fail_memory(err);
}

static void release(void *state)
{
    tr_idle_hosts_free(state);
}

static const struct tr_service service = {
    .name = "idle hosts",
    .start = start,
    .feed = feed,
    .free = release,
};

enum tr_status tr_idle_hosts_shared(const struct tr_analysis_in *in, struct tr_idle_hosts **hosts, struct tr_error *err)
{
    void *state = NULL;
    enum tr_status st = tr_service_get(in, &service, NULL, &state, err);
    *hosts = state;
    return st;
}
