/* SPDX-License-Identifier: MIT */
/* Selection with context: events inside or outside of chosen spans. */
#include "model/selection/tr_related_events_int.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "model/tr_open_spans.h"
#include "model/tr_steps.h"

#include <stdlib.h>
#include <string.h>

static struct tr__window_group *group_of(struct tr__within *w, const struct tr_dict *d,
                                         uint32_t source)
{
    size_t old = w->cap_sources;
    if (!tr_grow(&w->group_of, &w->cap_sources, (size_t)source + 1, sizeof *w->group_of))
        return NULL;
    memset(w->group_of + old, 0, (w->cap_sources - old) * sizeof *w->group_of);
    if (w->group_of[source])
        return &w->groups[w->group_of[source] - 1];
    /* A source whose rank is unknown has a negative number. */
    int64_t rank = d->sources[source].rank;
    if (rank < 0)
        rank = -1 - (int64_t)source;
    size_t g = 0;
    while (g < w->n_groups && w->groups[g].rank != rank)
        g++;
    if (g == w->n_groups) {
        if (!tr_grow(&w->groups, &w->cap_groups, g + 1, sizeof *w->groups))
            return NULL;
        memset(&w->groups[g], 0, sizeof *w->groups);
        w->groups[g].rank = rank;
        w->n_groups++;
    }
    w->group_of[source] = (uint32_t)g + 1;
    return &w->groups[g];
}

bool tr__within_add(struct tr__within *w, const struct tr_batch *b, const uint8_t *mask)
{
    for (size_t i = 0; i < b->n; i++) {
        int64_t end = mask[i] ? tr_span_inner_end(b, i) : TR_TIME_NONE;
        if (end == TR_TIME_NONE || end == b->ts[i])
            continue;
        const struct tr_track *t = &b->dict->tracks[b->track[i]];
        struct tr__window_group *g = group_of(w, b->dict, t->source);
        if (!g)
            return false;
        struct tr__windows *ws = &g->side[t->side == TR_SIDE_DEVICE];
        /* Starts come in order, so only the last window can overlap. */
        if (ws->n && b->ts[i] <= ws->w[ws->n - 1].end) {
            if (end > ws->w[ws->n - 1].end)
                ws->w[ws->n - 1].end = end;
            continue;
        }
        if (!tr_grow(&ws->w, &ws->cap, ws->n + 1, sizeof *ws->w))
            return false;
        ws->w[ws->n++] = (struct tr__window){ b->ts[i], end };
    }
    return true;
}

static bool inside(const struct tr__windows *ws, int64_t ts)
{
    size_t lo = 0; /* the first window that ends after ts */
    if (ts == TR_TIME_NONE)
        return false;
    TR_BOUND(lo, ws->n, mid, ws->w[mid].end <= ts);
    return lo < ws->n && ws->w[lo].start <= ts;
}

bool tr__within_narrow(struct tr__within *w, const struct tr_batch *b, bool outside, uint8_t *mask)
{
    if (!tr_grow(&w->launch_ts, &w->cap_launch, b->n, sizeof *w->launch_ts))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, w->launch_ts);
    for (size_t i = 0; i < b->n; i++) {
        if (!mask[i])
            continue;
        const struct tr_track *t = &b->dict->tracks[b->track[i]];
        const struct tr__window_group *g = group_of(w, b->dict, t->source);
        if (!g)
            return false;
        bool in = inside(&g->side[0], tr_event_host_time(b, i, w->launch_ts[i])) ||
                  (t->side == TR_SIDE_DEVICE && inside(&g->side[1], b->ts[i]));
        mask[i] = in != outside;
    }
    return true;
}

void tr__within_free(struct tr__within *w)
{
    for (size_t i = 0; i < w->n_groups; i++) {
        free(w->groups[i].side[0].w);
        free(w->groups[i].side[1].w);
    }
    free(w->groups);
    free(w->group_of);
    free(w->launch_ts);
}
