/* SPDX-License-Identifier: MIT */
/* Spans of one track that overlap in part. */
#include "formats/common/tr_overlaps.h"

#include "base/tr_mem.h"
#include "stream/tr_batch_select.h"

#include <stdlib.h>
#include <string.h>

/* Ends of spans that are open, each no later than the one before. */
struct lane {
    int64_t *open;
    size_t n, cap;
};

/*
 * Of the lanes below a node: the latest and the earliest last end.  The last end of an empty lane is infinite.
 */
struct node {
    int64_t fits, ends;
};

struct thread {
    struct lane *lanes;
    struct node *tree; /* n_leaves inner nodes, of which the first is not used, then the lanes */
    size_t n, cap, n_leaves;
};

struct tr_overlaps {
    enum tr_overlap how;
    struct tr_strtab *keys; /* of threads, as bytes -> number */
    struct thread *threads;
    uint32_t *thread_of; /* by track; UINT32_MAX: not asked yet */
    size_t n_threads, cap_threads, n_thread_of, cap_thread_of;
    uint64_t found, shifted;
    struct tr_selector *selector;
    struct tr_batch *kept; /* the rest of a batch with dropped events */
    struct tr_batch out;
    int64_t *ts, *dur;
    uint32_t *lanes;
    uint8_t *mask, *phase;
    size_t cap_ts, cap_dur, cap_lanes, cap_mask, cap_phase;
};

struct tr_overlaps *tr_overlaps_new(enum tr_overlap how)
{
    struct tr_overlaps *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->how = how;
    o->keys = tr_strtab_new();
    o->selector = tr_selector_new();
    o->kept = tr_batch_new();
    if (!o->keys || !o->selector || !o->kept) {
        tr_overlaps_free(o);
        return NULL;
    }
    return o;
}

void tr_overlaps_free(struct tr_overlaps *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->n_threads; i++) {
        for (size_t k = 0; k < o->threads[i].n; k++)
            free(o->threads[i].lanes[k].open);
        free(o->threads[i].lanes);
        free(o->threads[i].tree);
    }
    free(o->threads);
    free(o->thread_of);
    free(o->ts);
    free(o->dur);
    free(o->lanes);
    free(o->mask);
    free(o->phase);
    tr_strtab_free(o->keys);
    tr_selector_free(o->selector);
    tr_batch_free(o->kept);
    free(o);
}

const uint32_t *tr_overlaps_lanes(const struct tr_overlaps *o)
{
    return o->lanes;
}

uint64_t tr_overlaps_found(const struct tr_overlaps *o)
{
    return o->found;
}

uint64_t tr_overlaps_shifted(const struct tr_overlaps *o)
{
    return o->shifted;
}

/* ---- the lanes of a thread ---- */

static void update(struct thread *t, size_t lane)
{
    const struct lane *l = &t->lanes[lane];
    size_t at = t->n_leaves + lane;
    t->tree[at].fits = t->tree[at].ends = l->n ? l->open[l->n - 1] : INT64_MAX;
    for (at /= 2; at > 0; at /= 2) {
        const struct node *a = &t->tree[2 * at], *b = &t->tree[2 * at + 1];
        t->tree[at].fits = a->fits > b->fits ? a->fits : b->fits;
        t->tree[at].ends = a->ends < b->ends ? a->ends : b->ends;
    }
}

static bool add_lane(struct thread *t)
{
    if (!tr_grow(&t->lanes, &t->cap, t->n + 1, sizeof *t->lanes))
        return false;
    t->lanes[t->n++] = (struct lane){ .open = NULL };
    if (t->n <= t->n_leaves) {
        update(t, t->n - 1);
        return true;
    }
    size_t n = t->n_leaves ? 2 * t->n_leaves : 1;
    struct node *tree = n <= SIZE_MAX / 2 / sizeof *tree ? realloc(t->tree, 2 * n * sizeof *tree) : NULL;
    if (!tree)
        return false;
    for (size_t i = 0; i < 2 * n; i++) /* there is no lane yet, so nothing fits and nothing ends */
        tree[i] = (struct node){ INT64_MIN, INT64_MAX };
    t->tree = tree;
    t->n_leaves = n;
    for (size_t i = 0; i < t->n; i++)
        update(t, i);
    return true;
}

/* Forget spans that end at or before ts. */
static void close_spans(struct thread *t, int64_t ts)
{
    while (t->n && t->tree[1].ends <= ts) {
        size_t at = 1;
        while (at < t->n_leaves)
            at = t->tree[2 * at].ends == t->tree[at].ends ? 2 * at : 2 * at + 1;
        struct lane *l = &t->lanes[at - t->n_leaves];
        while (l->n && l->open[l->n - 1] <= ts)
            l->n--;
        update(t, at - t->n_leaves);
    }
}

/* The first lane with room for a span up to an end; t->n: none. */
static size_t find_room(const struct thread *t, int64_t end)
{
    size_t at = 1;
    if (!t->n || t->tree[1].fits < end)
        return t->n;
    while (at < t->n_leaves)
        at = t->tree[2 * at].fits >= end ? 2 * at : 2 * at + 1;
    return at - t->n_leaves;
}

static bool open_span(struct thread *t, size_t lane, int64_t end)
{
    struct lane *l = &t->lanes[lane];
    if (l->n && l->open[l->n - 1] == end)
        return true; /* both have the same end */
    if (!tr_grow(&l->open, &l->cap, l->n + 1, sizeof *l->open))
        return false;
    l->open[l->n++] = end;
    update(t, lane);
    return true;
}

/*
 * How much later would a span have to start, to be nested or apart on the own lane of its thread?  TR_OVERLAP_SHIFT_NS:
 * that much or more.  At most that many ends are checked, because the ends in a lane differ.
 */
static int64_t needed_shift(const struct thread *t, int64_t ts, int64_t end)
{
    const struct lane *l = &t->lanes[0];
    int64_t shift = 0;
    for (size_t k = l->n; k-- && l->open[k] < end && shift < TR_OVERLAP_SHIFT_NS;)
        shift = l->open[k] - ts < TR_OVERLAP_SHIFT_NS ? l->open[k] - ts : TR_OVERLAP_SHIFT_NS;
    return shift;
}

/* ---- threads ---- */

/* NULL: out of memory. */
static struct thread *thread_of(struct tr_overlaps *o, const struct tr_dict *d, uint32_t track)
{
    if (track >= o->n_thread_of) {
        size_t n = d->n_tracks;
        if (!tr_grow(&o->thread_of, &o->cap_thread_of, n, sizeof *o->thread_of))
            return NULL;
        memset(o->thread_of + o->n_thread_of, 0xff, (n - o->n_thread_of) * sizeof *o->thread_of);
        o->n_thread_of = n;
    }
    if (o->thread_of[track] == UINT32_MAX) {
        const struct tr_track *t = &d->tracks[track];
        bool none = t->tid_type == TR_T_NULL;
        const int64_t key[] = { t->source, t->pid_type, t->pid_type == TR_T_NULL ? 0 : t->pid, t->tid_type,
                                none ? 0 : t->tid };
        uint32_t n = tr_strtab_add(o->keys, key, sizeof key);
        if (n == TR_NO_STR || !tr_grow(&o->threads, &o->cap_threads, n + (size_t)1, sizeof *o->threads))
            return NULL;
        if (n == o->n_threads)
            o->threads[o->n_threads++] = (struct thread){ .lanes = NULL };
        o->thread_of[track] = n;
    }
    return &o->threads[o->thread_of[track]];
}

/* ---- batches ---- */

static bool own_columns(struct tr_overlaps *o, const struct tr_batch *b)
{
    size_t n = b->n + 1;
    if (!tr_grow(&o->lanes, &o->cap_lanes, n, sizeof *o->lanes) || !tr_grow(&o->mask, &o->cap_mask, n, 1) ||
        !tr_grow(&o->phase, &o->cap_phase, n, 1) || !tr_grow(&o->ts, &o->cap_ts, n, sizeof *o->ts) ||
        !tr_grow(&o->dur, &o->cap_dur, n, sizeof *o->dur))
        return false;
    memset(o->mask, 1, b->n);
    if (b->n) {
        memcpy(o->phase, b->phase, b->n);
        memcpy(o->ts, b->ts, b->n * sizeof *o->ts);
        memcpy(o->dur, b->dur, b->n * sizeof *o->dur);
    }
    o->out = *b;
    o->out.phase = o->phase;
    o->out.ts = o->ts;
    o->out.dur = o->dur;
    return true;
}

static bool place(struct tr_overlaps *o, struct thread *t, size_t i)
{
    int64_t ts = o->ts[i], end = ts + o->dur[i];
    close_spans(t, ts);
    size_t lane = find_room(t, end);
    o->found += lane > 0;
    o->lanes[i] = o->how == TR_OVERLAP_LANE ? (uint32_t)lane : 0;
    if (!lane || o->how == TR_OVERLAP_LANE)
        return (lane < t->n || add_lane(t)) && open_span(t, lane, end);
    int64_t shift = o->how == TR_OVERLAP_SHIFT ? needed_shift(t, ts, end) : TR_OVERLAP_SHIFT_NS;
    if (shift < TR_OVERLAP_SHIFT_NS) {
        o->shifted++;
        o->ts[i] += shift;
        o->dur[i] -= shift;
    }
    o->mask[i] = o->how != TR_OVERLAP_DROP;
    if (o->how == TR_OVERLAP_ASYNC)
        o->phase[i] = TR_ASYNC_BEGIN;
    return true;
}

enum tr_status tr_overlaps_batch(struct tr_overlaps *o, const struct tr_batch *b, const struct tr_batch **out,
                                 struct tr_error *err)
{
    if (!own_columns(o, b))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++) {
        o->lanes[i] = TR_LANE_NONE;
        if (b->phase[i] != TR_SPAN || b->ts[i] == TR_TIME_NONE || b->dur[i] < 0 || b->suspect[i] != TR_SUSPECT_NO ||
            b->ts[i] > INT64_MAX - 1 - b->dur[i])
            continue;
        struct thread *t = thread_of(o, b->dict, b->track[i]);
        if (!t || !place(o, t, i))
            return tr_fail_memory(err);
    }
    *out = &o->out;
    if (o->how != TR_OVERLAP_DROP || !memchr(o->mask, 0, b->n))
        return TR_OK;
    enum tr_status st = tr_batch_select(o->selector, b, o->mask, o->kept, err);
    for (size_t i = 0, n = 0; i < b->n; i++)
        if (o->mask[i])
            o->lanes[n++] = o->lanes[i];
    *out = o->kept;
    return st;
}
