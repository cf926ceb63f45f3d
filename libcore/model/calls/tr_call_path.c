/* SPDX-License-Identifier: MIT */
/* The open spans of each host track, and the parent of a new span. */
#include "model/calls/tr_call_path.h"

#include "base/tr_mem.h"
#include "model/tr_open_spans.h"

#include <stdlib.h>
#include <string.h>

/*
 * The open spans of a track, each inside the one before it.  A span that another crosses goes when
 * that one comes: whatever starts later and could be its child is inside the newer span too.
 */
struct track {
    struct tr_call *open;
    size_t n, cap;
    int64_t end; /* device: of all work so far; TR_TIME_NONE: none yet */
};

struct tr_call_path {
    struct track *tracks;
    size_t n, cap;
};

const char *tr_nesting_name(enum tr_nesting nesting)
{
    static const char *const names[TR_N_NESTINGS] = { "fine", "rounding", "overrun", "concurrent",
                                                      "swallowed" };
    return names[nesting];
}

struct tr_call_path *tr_call_path_new(void)
{
    return calloc(1, sizeof(struct tr_call_path));
}

void tr_call_path_free(struct tr_call_path *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n; i++)
        free(c->tracks[i].open);
    free(c->tracks);
    free(c);
}

static struct track *track_of(struct tr_call_path *c, uint32_t track)
{
    if (!tr_grow(&c->tracks, &c->cap, (size_t)track + 1, sizeof *c->tracks))
        return NULL;
    for (; c->n <= track; c->n++)
        c->tracks[c->n] = (struct track){ .end = TR_TIME_NONE };
    return &c->tracks[track];
}

/* The end of a span that counts, not before its start. */
static int64_t end_of(const struct tr_batch *b, size_t i)
{
    int64_t end = tr_span_end(b, i);
    return end == TR_TIME_NONE ? b->ts[i] : end;
}

static bool ends_before(int64_t end, int64_t other)
{
    int64_t later = end < other ? tr_time_diff(other, end) : 0;
    return later == TR_TIME_NONE || later > TR_CALLTREE_SLACK_NS;
}

/* The shorter of two lengths; one that does not fit is longer than any that does. */
static int64_t shorter(int64_t a, int64_t b)
{
    return a == TR_TIME_NONE || (b != TR_TIME_NONE && b < a) ? b : a;
}

enum tr_status tr_call_path_enter(struct tr_call_path *c, const struct tr_batch *b, size_t i, struct tr_callpath *path,
                                  struct tr_error *err)
{
    struct track *t = track_of(c, b->track[i]);
    int64_t start = b->ts[i], end = end_of(b, i), crossed = TR_TIME_NONE;
    if (!t || !tr_grow(&t->open, &t->cap, t->n + 1, sizeof *t->open))
        return tr_fail_memory(err);
    int64_t dur = end == INT64_MAX ? end : end - start; /* fits: end is start and a duration */
    bool empty = end == start;
    while (t->n && (t->open[t->n - 1].end < start || (!empty && t->open[t->n - 1].end == start)))
        t->n--;
    if (t->n && end > t->open[t->n - 1].end)
        crossed = t->open[t->n - 1].end;
    while (t->n && ends_before(t->open[t->n - 1].end, end))
        t->n--;
    path->nesting = TR_NESTING_FINE;
    path->overlap = 0;
    if (crossed != TR_TIME_NONE)
        path->overlap = shorter(tr_time_diff(end, crossed), tr_time_diff(crossed, start));
    if (crossed != TR_TIME_NONE)
        path->nesting = ends_before(crossed, end) ? TR_NESTING_OVERRUN : TR_NESTING_ROUNDING;
    if (t->n && end > t->open[t->n - 1].end)
        end = t->open[t->n - 1].end;
    path->open = t->open;
    path->depth = t->n;
    t->open[t->n] = (struct tr_call){ .start = start,
                                      .end = end,
                                      .dur = dur,
                                      .record = b->record[i],
                                      .name = b->name[i],
                                      .activity = b->activity[i] };
    t->n += !empty;
    return TR_OK;
}

const struct tr_call *tr_call_path_open(const struct tr_call_path *c, uint32_t track, size_t *depth)
{
    *depth = track < c->n ? c->tracks[track].n : 0;
    return *depth ? c->tracks[track].open : NULL;
}

enum tr_status tr_call_path_device(struct tr_call_path *c, const struct tr_batch *b, size_t i, struct tr_callpath *path,
                                   struct tr_error *err)
{
    struct track *t = track_of(c, b->track[i]);
    int64_t start = b->ts[i], end = end_of(b, i);
    if (end == INT64_MAX)
        end = start; /* work without an end does not count */
    if (!t)
        return tr_fail_memory(err);
    *path = (struct tr_callpath){ .nesting = TR_NESTING_FINE };
    if (t->end != TR_TIME_NONE && t->end > start && end > start) {
        path->overlap = (end < t->end ? end : t->end) - start;
        path->nesting = path->overlap <= TR_CALLTREE_SLACK_NS ? TR_NESTING_ROUNDING
                        : end > t->end                        ? TR_NESTING_CONCURRENT
                                                              : TR_NESTING_SWALLOWED;
    }
    t->end = end > t->end ? end : t->end;
    return TR_OK;
}
