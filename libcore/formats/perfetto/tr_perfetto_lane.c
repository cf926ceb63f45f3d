/* SPDX-License-Identifier: MIT */
/* The open slices on each lane of a thread. */
#include "formats/perfetto/tr_perfetto_int.h"

#include <stdlib.h>

bool tr__perfetto_end_slice(struct tr__perfetto_tracks *t, uint64_t uuid, int64_t ts, struct tr_buf *out)
{
    struct tr_buf *event = &t->inner, *packet = &t->row;
    event->len = packet->len = 0;
    return tr__proto_u64(event, TR__EVENT_TYPE, TR__SLICE_END) && tr__proto_u64(event, TR__EVENT_TRACK, uuid) &&
           tr__proto_u64(packet, TR__PACKET_TIMESTAMP, (uint64_t)ts) &&
           tr__proto_u64(packet, TR__PACKET_SEQUENCE, 1) &&
           tr__proto_message(packet, TR__PACKET_EVENT, event) && tr__proto_message(out, TR__TRACE_PACKET, packet);
}

/* ---- the tree over the lanes of a thread ---- */

static struct tr__perfetto_node joined(const struct tr__perfetto_node *a, const struct tr__perfetto_node *b)
{
    return (struct tr__perfetto_node){
        .fits = a->fits > b->fits ? a->fits : b->fits,
        .ends = a->ends < b->ends ? a->ends : b->ends,
        .serial = a->serial > b->serial ? a->serial : b->serial,
    };
}

/* A lane has changed. */
static void update(struct tr__perfetto_thread *th, size_t lane)
{
    const struct tr__perfetto_lane *l = &th->lanes[lane];
    const struct tr__perfetto_open *top = l->n ? &l->open[l->n - 1] : NULL;
    size_t at = th->n_leaves + lane;
    th->tree[at] = (struct tr__perfetto_node){ .fits = l->n >= TR__MAX_NESTED ? INT64_MIN : top ? top->end : INT64_MAX,
                                               .ends = top ? top->end : INT64_MAX,
                                               .serial = top ? top->serial : 0 };
    for (at /= 2; at > 0; at /= 2)
        th->tree[at] = joined(&th->tree[2 * at], &th->tree[2 * at + 1]);
}

/* Room for twice as many lanes. */
static bool grow_tree(struct tr__perfetto_thread *th)
{
    size_t n = th->n_leaves ? 2 * th->n_leaves : 1;
    if (n > SIZE_MAX / 2 / sizeof *th->tree)
        return false;
    struct tr__perfetto_node *tree = realloc(th->tree, 2 * n * sizeof *tree);
    if (!tree)
        return false;
    for (size_t i = 0; i < 2 * n; i++)
        tree[i] = (struct tr__perfetto_node){ .fits = INT64_MIN, .ends = INT64_MAX };
    th->tree = tree;
    th->n_leaves = n;
    for (size_t i = 0; i < th->n; i++)
        update(th, i);
    return true;
}

/* The first lane with room for a slice up to an end; th->n: none. */
static size_t find_room(const struct tr__perfetto_thread *th, int64_t end)
{
    size_t at = 1;
    if (!th->n || th->tree[1].fits < end)
        return th->n;
    while (at < th->n_leaves)
        at = th->tree[2 * at].fits >= end ? 2 * at : 2 * at + 1;
    return at - th->n_leaves;
}

static size_t find_first_end(const struct tr__perfetto_thread *th)
{
    size_t at = 1;
    while (at < th->n_leaves)
        at = th->tree[2 * at].ends == th->tree[at].ends ? 2 * at : 2 * at + 1;
    return at - th->n_leaves;
}

static size_t find_last_started(const struct tr__perfetto_thread *th)
{
    size_t at = 1;
    while (at < th->n_leaves)
        at = th->tree[2 * at].serial == th->tree[at].serial ? 2 * at : 2 * at + 1;
    return at - th->n_leaves;
}

/* ---- slices ---- */

/* End the slices that end at or before ts, in the order of their ends. */
static bool end_slices(struct tr__perfetto_tracks *t, struct tr__perfetto_thread *th, int64_t ts, struct tr_buf *out)
{
    if (ts == INT64_MAX)
        ts--; /* that is not an end */
    th->ended = ts;
    while (th->n && th->tree[1].ends <= ts) {
        size_t k = find_first_end(th);
        struct tr__perfetto_lane *l = &th->lanes[k];
        const struct tr__perfetto_open *top = &l->open[--l->n];
        size_t before = out->len;
        if (!(top->links & TR__LEFT_OUT) && !tr__perfetto_end_slice(t, l->uuid, top->end, out))
            return false;
        t->ends += out->len - before;
        update(th, k);
    }
    return true;
}

static bool add_lane(struct tr__perfetto_tracks *t, struct tr__perfetto_thread *th, uint32_t track,
                     struct tr_buf *out)
{
    if (!th->named) {
        th->track = track;
        th->named = true;
    }
    struct tr__perfetto_lane lane = { .uuid = tr__perfetto_describe_lane(t, th->track, th->n, out) };
    if (!lane.uuid || !tr_grow(&th->lanes, &th->cap, th->n + 1, sizeof *th->lanes) ||
        (th->n == th->n_leaves && !grow_tree(th)))
        return false;
    th->lanes[th->n++] = lane;
    update(th, th->n - 1);
    return true;
}

uint64_t tr__perfetto_slice(struct tr__perfetto_tracks *t, uint32_t track, const struct tr__perfetto_open *slice,
                            struct tr_buf *out)
{
    uint32_t number = tr__perfetto_thread(t, track);
    if (number == UINT32_MAX)
        return 0;
    struct tr__perfetto_thread *th = &t->threads[number];
    if (!end_slices(t, th, slice->start, out))
        return 0;
    size_t k = find_room(th, slice->end);
    if (k == th->n && !add_lane(t, th, track, out))
        return 0;
    struct tr__perfetto_lane *l = &th->lanes[k];
    if (!tr_grow(&l->open, &l->cap, l->n + 1, sizeof *l->open))
        return 0;
    l->open[l->n] = *slice;
    l->open[l->n++].serial = ++t->serial;
    update(th, k);
    return l->uuid;
}

uint64_t tr__perfetto_instant(struct tr__perfetto_tracks *t, uint32_t track, int64_t ts, struct tr_buf *out)
{
    uint32_t number = tr__perfetto_thread(t, track);
    if (number == UINT32_MAX)
        return 0;
    struct tr__perfetto_thread *th = &t->threads[number];
    if (!end_slices(t, th, ts, out) || (!th->n && !add_lane(t, th, track, out)))
        return 0;
    return th->lanes[0].uuid;
}

const struct tr__perfetto_open *tr__perfetto_around(struct tr__perfetto_tracks *t, uint32_t thread, int64_t ts,
                                                    uint64_t *uuid, struct tr_buf *out, bool *ok)
{
    struct tr__perfetto_thread *th = &t->threads[thread];
    /* Slices that start and end at ts are still open if no event has come after them. */
    if (th->ended < ts)
        *ok = end_slices(t, th, ts, out);
    if (!*ok || !th->n || th->tree[1].serial == 0)
        return NULL;
    const struct tr__perfetto_lane *l = &th->lanes[find_last_started(th)];
    *uuid = l->uuid;
    return &l->open[l->n - 1];
}

const struct tr__perfetto_open *tr__perfetto_ending(struct tr__perfetto_tracks *t, uint32_t thread, int64_t ts,
                                                    uint64_t *uuid, struct tr_buf *out, bool *ok)
{
    struct tr__perfetto_thread *th = &t->threads[thread];
    const struct tr__perfetto_open *found = NULL;
    if (ts > INT64_MIN && th->ended < ts - 1)
        *ok = end_slices(t, th, ts - 1, out);
    for (size_t k = 0; *ok && k < th->n && th->tree[1].ends == ts; k++) {
        const struct tr__perfetto_lane *l = &th->lanes[k];
        const struct tr__perfetto_open *top = l->n ? &l->open[l->n - 1] : NULL;
        if (top && top->end == ts && (!found || top->serial > found->serial)) {
            found = top;
            *uuid = l->uuid;
        }
    }
    return found;
}

uint64_t tr__perfetto_close(struct tr__perfetto_tracks *t, uint32_t track, int64_t ts, struct tr_buf *out, bool *ok)
{
    uint32_t number = tr__perfetto_thread(t, track);
    *ok = number != UINT32_MAX && end_slices(t, &t->threads[number], ts, out);
    if (!*ok)
        return 0;
    struct tr__perfetto_thread *th = &t->threads[number];
    size_t found = th->n;
    for (size_t k = 0; k < th->n; k++) {
        const struct tr__perfetto_lane *l = &th->lanes[k];
        if (l->n && l->open[l->n - 1].links & TR__UNPAIRED &&
            (found == th->n || l->open[l->n - 1].serial > th->lanes[found].open[th->lanes[found].n - 1].serial))
            found = k;
    }
    if (found == th->n)
        return 0;
    th->lanes[found].n--;
    update(th, found);
    return th->lanes[found].uuid;
}

bool tr__perfetto_lanes_end(struct tr__perfetto_tracks *t, struct tr_buf *out)
{
    bool ok = true;
    for (size_t i = 0; i < t->n_threads && ok; i++)
        ok = end_slices(t, &t->threads[i], INT64_MAX, out);
    return ok;
}
