/* SPDX-License-Identifier: MIT */
/* Tracks and clocks that parts of a source have in common. */
#include "stream/merge/tr_merge_int.h"

static uint64_t track_hash(const struct tr_track *t)
{
    const int64_t key[] = { t->source, t->side, t->pid_type, t->tid_type, t->pid,
                            t->tid,    t->device, t->context, t->stream, t->clock };
    return tr_hash(key, sizeof key);
}

static bool same_track(const struct tr_track *a, const struct tr_track *b)
{
    return a->source == b->source && a->side == b->side && a->pid_type == b->pid_type && a->tid_type == b->tid_type &&
           a->pid == b->pid && a->tid == b->tid && a->device == b->device && a->context == b->context &&
           a->stream == b->stream && a->clock == b->clock;
}

uint32_t tr__join_track(const struct tr__merge *m, const struct tr_track *t)
{
    struct tr_hash_walk walk = tr_hash_index_walk(&m->joins.tracks, track_hash(t));
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (same_track(&m->dict->tracks[i], t))
            return i;
    return UINT32_MAX;
}

bool tr__join_track_added(struct tr__merge *m, uint32_t track)
{
    return tr_hash_index_add(&m->joins.tracks, track_hash(&m->dict->tracks[track]), track);
}

static bool same_clock(const struct tr_clock *a, const struct tr_clock *b)
{
    return a->source == b->source && a->before == b->before && a->frame == b->frame && a->origin == b->origin &&
           a->offset == b->offset && a->drift == b->drift && a->domain == b->domain &&
           a->keeps_summary == b->keeps_summary;
}

static bool has_clock(const struct tr__lane *l, size_t n, uint32_t number)
{
    for (size_t i = 0; i < n; i++)
        if (l->clocks[i] == number)
            return true;
    return false;
}

uint32_t tr__join_clock(struct tr__merge *m, const struct tr__lane *l, size_t n, const struct tr_clock *c)
{
    for (uint32_t i = 0; i < m->dict->n_clocks; i++) {
        struct tr_clock *o = &m->dict->clocks[i];
        if (!same_clock(o, c) || has_clock(l, n, i + 1))
            continue;
        if (c->first_ts != TR_TIME_NONE && (o->first_ts == TR_TIME_NONE || c->first_ts < o->first_ts))
            o->first_ts = c->first_ts;
        if (c->last_end != TR_TIME_NONE && (o->last_end == TR_TIME_NONE || c->last_end > o->last_end))
            o->last_end = c->last_end;
        return i + 1;
    }
    return 0;
}
