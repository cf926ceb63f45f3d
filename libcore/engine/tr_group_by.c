/* SPDX-License-Identifier: MIT */
/* Device work in groups: ranks, devices, streams, steps. */
#include "engine/tr_group_by.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tr_per_name(enum tr_per per)
{
    static const char *const names[] = { "rank", "device", "stream", "step", "capture", "all",
                                         "spread", "host", "tp", "pp", "dp", "ep" };
    return names[per];
}

enum tr_status tr_group_by_init(struct tr_group_by *w, const struct tr_group_by_opts *opts, const struct tr_dict *dict,
                                const struct tr_summary *summary, bool sorted, struct tr_select *select,
                                struct tr_error *err)
{
    memset(w, 0, sizeof *w);
    if (!sorted)
        return tr_fail(err, TR_DAMAGED, "input is not sorted by time, which this needs");
    w->opts = *opts;
    if (!w->opts.activities)
        w->opts.activities = TR_DEVICE_WORK;
    w->dict = dict;
    w->select = select;
    if (opts->per == TR_PER_STEP)
        w->steps = tr_steps_new(summary);
    if (opts->per == TR_PER_STEP && !w->steps)
        return tr_fail_memory(err);
    return TR_OK;
}

void tr_group_by_free(struct tr_group_by *w)
{
    if (!w)
        return;
    tr_steps_free(w->steps);
    free(w->groups);
    tr_hash_index_free(&w->index);
    free(w->tracks);
    free(w->windows);
    tr_step_columns_free(&w->launched);
    memset(w, 0, sizeof *w);
}

enum tr_status tr_group_by_batch(struct tr_group_by *w, const struct tr_batch *b, const uint8_t *keep,
                                 struct tr_error *err)
{
    w->batch = b;
    w->keep = keep;
    w->windowed = w->select && tr_select_windowed(w->select);
    if (!tr_grow(&w->tracks, &w->cap_tracks, w->dict->n_tracks, sizeof *w->tracks))
        return tr_fail_memory(err);
    while (w->n_tracks < w->dict->n_tracks)
        w->tracks[w->n_tracks++] = UINT32_MAX;
    if (w->opts.per != TR_PER_STEP)
        return TR_OK;
    return tr_step_columns_read(&w->launched, b) ? TR_OK : tr_fail_memory(err);
}

int64_t tr_group_by_suspect_dur(const struct tr_batch *b, size_t i)
{
    bool usable = b->suspect[i] != TR_SUSPECT_NEGATIVE_DUR;
    return usable && b->dur[i] > 0 && b->dur[i] <= INT64_MAX - (b->ts[i] > 0 ? b->ts[i] : 0)
               ? b->dur[i]
               : 0;
}

void tr_group_by_clip(const struct tr_group_by *w, size_t i, struct tr_group_by_item *item)
{
    struct tr_range window;
    if (!tr_select_window(w->select, w->dict->tracks[w->batch->track[i]].source, &window))
        return;
    item->start = item->start < window.from ? window.from : item->start;
    item->end = item->end > window.to ? window.to : item->end;
    item->end = item->end < item->start ? item->start : item->end;
}

/* ---- groups ---- */

bool tr_group_by_key_group(struct tr_group_by *w, const struct tr_group_key *key, uint32_t *group)
{
    /* the newest group is that of the step which runs */
    if (w->n_groups && memcmp(&w->groups[w->n_groups - 1], key, sizeof *key) == 0)
        return *group = (uint32_t)w->n_groups - 1, true;
    uint64_t hash = tr_hash(key, sizeof *key);
    struct tr_hash_walk walk = tr_hash_index_walk(&w->index, hash);
    while ((*group = tr_hash_index_next(&walk)) != TR_HASH_NONE)
        if (memcmp(&w->groups[*group], key, sizeof *key) == 0)
            return true;
    if (w->n_groups >= UINT32_MAX - 1 || !tr_grow(&w->groups, &w->cap_groups, w->n_groups + 1, sizeof *w->groups) ||
        !tr_hash_index_add(&w->index, hash, (uint32_t)w->n_groups))
        return false;
    *group = (uint32_t)w->n_groups;
    w->groups[w->n_groups++] = *key;
    return true;
}

static int64_t known(int64_t value)
{
    return value == TR_I64_NONE ? TR_GROUP_NONE : value;
}

/* The window of a group spans the windows of its sources.  False: out of memory. */
static bool join_window(struct tr_group_by *w, uint32_t group, uint32_t source)
{
    struct tr_range of;
    if (!w->windowed || w->opts.per == TR_PER_STEP)
        return true;
    if (!tr_grow(&w->windows, &w->cap_windows, w->n_groups, sizeof *w->windows))
        return false;
    while (w->n_windows < w->n_groups)
        w->windows[w->n_windows++] = (struct tr_range){ INT64_MAX, INT64_MIN };
    struct tr_range *all = &w->windows[group];
    tr_select_window(w->select, source, &of);
    w->mixed |= all->from <= all->to && (all->from != of.from || all->to != of.to);
    all->from = of.from < all->from ? of.from : all->from;
    all->to = of.to > all->to ? of.to : all->to;
    return true;
}

static struct tr_group_key source_key(const struct tr_group_by *w, uint32_t source)
{
    struct tr_group_key key = { TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE,
                                w->dict->sources[source].capture };
    if (w->opts.per != TR_PER_ALL && w->dict->sources[source].rank >= 0)
        key.rank = w->dict->sources[source].rank;
    return key;
}

bool tr_group_by_find_group(struct tr_group_by *w, size_t i, uint32_t *group)
{
    uint32_t number = w->batch->track[i];
    const struct tr_track *track = &w->dict->tracks[number];
    struct tr_group_key key = source_key(w, track->source);
    if (w->opts.per == TR_PER_DEVICE || w->opts.per == TR_PER_STREAM)
        key.device = known(track->device);
    if (w->opts.per == TR_PER_STREAM)
        key.stream = known(track->stream);
    if (w->opts.per == TR_PER_STEP)
        tr_steps_find(w->steps, w->dict, tr_step_columns_moment(&w->launched, w->steps, w->batch, i), &key.step);
    if (!tr_group_by_key_group(w, &key, group) || !join_window(w, *group, track->source))
        return false;
    if (w->opts.per != TR_PER_STEP)
        w->tracks[number] = *group;
    return true;
}

enum tr_status tr_group_by_finish(struct tr_group_by *w, struct tr_error *err)
{
    bool sources = w->opts.per == TR_PER_RANK || w->opts.per == TR_PER_CAPTURE || w->opts.per == TR_PER_ALL;
    uint32_t group;
    w->windowed = w->select && tr_select_windowed(w->select);
    for (uint32_t s = 0; s < w->dict->n_sources && sources; s++) {
        struct tr_group_key key = source_key(w, s);
        if ((!w->select || tr_select_source(w->select, s)) &&
            (!tr_group_by_key_group(w, &key, &group) || !join_window(w, group, s)))
            return tr_fail_memory(err);
    }
    if (w->mixed)
        return tr_fail(err, TR_DAMAGED, "--time counts from the start of each host, and rows of several hosts have no "
                                        "common time: align their clocks first (tr-align)");
    return TR_OK;
}

static int compare_keys(const struct tr_group_key *a, const struct tr_group_key *b)
{
    const int64_t x[] = { a->rank, a->capture, a->device, a->stream, a->step };
    const int64_t y[] = { b->rank, b->capture, b->device, b->stream, b->step };
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

struct keyed {
    struct tr_group_key key;
    uint32_t group;
};

static int by_key(const void *a, const void *b)
{
    return compare_keys(&((const struct keyed *)a)->key, &((const struct keyed *)b)->key);
}

uint32_t *tr_group_by_order(const struct tr_group_by *w)
{
    size_t n = w->n_groups ? w->n_groups : 1;
    uint32_t *order = malloc(n * sizeof *order);
    struct keyed *keyed = malloc(n * sizeof *keyed);
    if (!order || !keyed) {
        free(order);
        free(keyed);
        return NULL;
    }
    for (uint32_t g = 0; g < w->n_groups; g++)
        keyed[g] = (struct keyed){ w->groups[g], g };
    qsort(keyed, w->n_groups, sizeof *keyed, by_key);
    for (size_t g = 0; g < w->n_groups; g++)
        order[g] = keyed[g].group;
    free(keyed);
    return order;
}

/* The work of a device in a group. */
struct device {
    uint32_t place; /* of its group in the order of keys */
    uint32_t group;
    int64_t device;
    uint64_t ns;
};

TR_ORDER(by_device, struct device, TR_UP(place), TR_UP(device))

/* The devices of all groups, in order; those of several tracks are one.  NULL: out of memory. */
static struct device *list_devices(const struct tr_group_by *w, const uint64_t *track_ns, size_t *n)
{
    uint32_t *order = tr_group_by_order(w), *place = calloc(w->n_groups + 1, sizeof *place);
    struct device *v = calloc(w->n_tracks + 1, sizeof *v);
    size_t all = 0;
    for (uint32_t g = 0; order && place && g < w->n_groups; g++)
        place[order[g]] = g;
    for (size_t t = 0; order && place && v && t < w->n_tracks; t++)
        if (w->tracks[t] != UINT32_MAX && w->dict->tracks[t].device != TR_I64_NONE)
            v[all++] = (struct device){ place[w->tracks[t]], w->tracks[t], w->dict->tracks[t].device,
                                        track_ns ? track_ns[t] : 0 };
    if (all)
        qsort(v, all, sizeof *v, by_device);
    *n = 0;
    for (size_t i = 0; i < all; i++)
        if (*n && by_device(&v[*n - 1], &v[i]) == 0)
            v[*n - 1].ns += v[i].ns;
        else
            v[(*n)++] = v[i];
    bool ok = order && place && v;
    free(order);
    free(place);
    if (!ok)
        free(v);
    return ok ? v : NULL;
}

#define UNLIKE    2 /* the work of two devices differs much if one has so many times that of the other */
#define MAX_NAMED 8u

bool tr_devices_unlike(const struct tr_device_work *v, size_t n, char text[TR_UNLIKE_TEXT])
{
    size_t max = 0, n_less = 0, len = 0;
    double low = 0, high = 0;
    char named[MAX_NAMED * 23 + 1] = "", more[32] = "", range[64];
    for (size_t i = 1; i < n; i++)
        max = v[i].work > v[max].work ? i : max;
    for (size_t i = 0; i < n; i++) {
        if (!(v[i].work < v[max].work / UNLIKE))
            continue;
        low = !n_less || v[i].work < low ? v[i].work : low;
        high = v[i].work > high ? v[i].work : high;
        if (n_less++ < MAX_NAMED)
            len += (size_t)snprintf(named + len, sizeof named - len, "%s %" PRId64, n_less > 1 ? "," : "", v[i].device);
    }
    if (!n_less)
        return false;
    const double share = 100 / v[max].work;
    if (n_less > MAX_NAMED)
        snprintf(more, sizeof more, " and %zu more", n_less - MAX_NAMED);
    snprintf(range, sizeof range, n_less > 1 ? "%.1f to %.1f" : "%.1f", share * low, share * high);
    snprintf(text, TR_UNLIKE_TEXT, "device%s%s%s ha%s %s %% of the work of device %" PRId64, n_less > 1 ? "s" : "",
             named, more, n_less > 1 ? "ve" : "s", range, v[max].device);
    return true;
}

/* The share of work that the device with least has of that with most. */
static double evenness(const struct tr_device_work *v, size_t n)
{
    double min = v[0].work, max = v[0].work;
    for (size_t i = 1; i < n; i++) {
        min = v[i].work < min ? v[i].work : min;
        max = v[i].work > max ? v[i].work : max;
    }
    return max > 0 ? min / max : 1;
}

bool tr_group_by_devices(const struct tr_group_by *w, const uint64_t *track_ns, struct tr_group_devices *out)
{
    size_t n = 0;
    double worst = 2;
    *out = (struct tr_group_devices){ 0 };
    if (w->opts.per != TR_PER_RANK && w->opts.per != TR_PER_CAPTURE)
        return true;
    struct device *v = list_devices(w, track_ns, &n);
    struct tr_device_work *work = v ? calloc(n + 1, sizeof *work) : NULL;
    for (size_t i = 0, end; work && i < n; i = end) {
        for (end = i; end < n && v[end].place == v[i].place; end++)
            work[end] = (struct tr_device_work){ v[end].device, (double)v[end].ns };
        if (end - i < 2)
            continue;
        out->n_groups++;
        if (evenness(work + i, end - i) >= worst)
            continue;
        worst = evenness(work + i, end - i);
        out->group = v[i].group;
        out->n = end - i;
        if (!tr_devices_unlike(work + i, end - i, out->unlike))
            out->unlike[0] = 0;
    }
    bool ok = work != NULL;
    free(work);
    free(v);
    return ok;
}

bool tr_group_by_widen(const struct tr_group_by *w, struct tr_range *of)
{
    uint32_t *order = w->opts.per == TR_PER_DEVICE ? tr_group_by_order(w) : NULL;
    for (size_t from = 0, to; order && from < w->n_groups; from = to) {
        const struct tr_group_key *key = &w->groups[order[from]];
        struct tr_range all = of[order[from]];
        for (to = from + 1; to < w->n_groups; to++) {
            const struct tr_group_key *other = &w->groups[order[to]];
            if (other->rank != key->rank || other->capture != key->capture)
                break;
            all.from = of[order[to]].from < all.from ? of[order[to]].from : all.from;
            all.to = of[order[to]].to > all.to ? of[order[to]].to : all.to;
        }
        for (size_t i = from; i < to; i++)
            of[order[i]] = all;
    }
    free(order);
    return w->opts.per != TR_PER_DEVICE || order;
}

struct tr_range tr_group_by_span(const struct tr_group_by *w, uint32_t group, int64_t first, int64_t last)
{
    struct tr_range span = { first, last };
    bool empty = first > last;
    if (group < w->n_windows) {
        const struct tr_range *window = &w->windows[group];
        if (window->from != INT64_MIN)
            span.from = window->from;
        if (window->to != INT64_MAX)
            span.to = window->to;
        empty = empty && (window->from == INT64_MIN || window->to == INT64_MAX);
    }
    return empty ? (struct tr_range){ 0, 0 } : span;
}

int64_t tr_group_file_time(const struct tr_dict *d, const struct tr_group_key *key, int64_t at)
{
    const struct tr_source *of = NULL;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        const struct tr_source *source = &d->sources[i];
        bool its = (key->rank == TR_GROUP_NONE || source->rank == key->rank) && source->capture == key->capture;
        if (its && (!of || (uint64_t)source->rank < (uint64_t)of->rank))
            of = source;
    }
    return of ? tr_source_to_file(of, at) : at;
}
