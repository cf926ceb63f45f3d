/* SPDX-License-Identifier: MIT */
/* The spans that are open on each track while a stream passes. */
#include "model/tr_open_spans.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

struct tr_open_spans {
    struct tr_open_spans_track *tracks;
    size_t n, cap;
};

struct tr_open_spans *tr_open_spans_new(void)
{
    return calloc(1, sizeof(struct tr_open_spans));
}

void tr_open_spans_free(struct tr_open_spans *n)
{
    if (!n)
        return;
    for (size_t i = 0; i < n->n; i++) {
        free(n->tracks[i].spans);
        free(n->tracks[i].ends);
    }
    free(n->tracks);
    free(n);
}

/* ---- ends, if spans do not nest ---- */

/* Move the end at a place down the heap, until the ends below it are not earlier. */
static void sink(struct tr_open_spans_track *t, size_t at)
{
    struct tr_open_spans_end moved = t->ends[at];
    for (size_t below; (below = 2 * at + 1) < t->n_ends; at = below) {
        if (below + 1 < t->n_ends && t->ends[below + 1].end < t->ends[below].end)
            below++;
        if (t->ends[below].end >= moved.end)
            break;
        t->ends[at] = t->ends[below];
    }
    t->ends[at] = moved;
}

static bool add_end(struct tr_open_spans_track *t, int64_t end, size_t place)
{
    if (!tr_grow(&t->ends, &t->cap_ends, t->n_ends + 1, sizeof *t->ends))
        return false;
    size_t at = t->n_ends++;
    for (; at && t->ends[(at - 1) / 2].end > end; at = (at - 1) / 2)
        t->ends[at] = t->ends[(at - 1) / 2];
    t->ends[at] = (struct tr_open_spans_end){ end, place };
    return true;
}

/* The ends of all open spans, as the heap has to have them from now on. */
static bool collect_ends(struct tr_open_spans_track *t)
{
    t->n_ends = 0;
    if (!tr_grow(&t->ends, &t->cap_ends, t->len, sizeof *t->ends))
        return false;
    for (size_t i = 0; i < t->len; i++)
        if (!t->spans[i].closed)
            t->ends[t->n_ends++] = (struct tr_open_spans_end){ t->spans[i].end, i };
    for (size_t i = t->n_ends / 2; i-- > 0;)
        sink(t, i);
    return true;
}

/* ---- closing ---- */

static void close_span(struct tr_open_spans_track *t, size_t at)
{
    t->spans[at].closed = true;
    t->n--;
    t->n_roots -= t->spans[at].root;
}

/* Close ended spans at the top, and remove closed spans that are then at the top. */
static void close_top(struct tr_open_spans_track *t, int64_t ts)
{
    for (; t->len && (t->spans[t->len - 1].closed || t->spans[t->len - 1].end <= ts); t->len--)
        if (!t->spans[t->len - 1].closed)
            close_span(t, t->len - 1);
}

/*
 * Close ended spans below open ones.  The heap may still have the end of a span that was removed from the top.  The
 * span that is now at its place is closed only if it has ended itself.
 */
static bool close_inner(struct tr_open_spans_track *t, int64_t ts)
{
    while (t->n_ends && t->ends[0].end <= ts) {
        size_t at = t->ends[0].at;
        if (at < t->len && !t->spans[at].closed && t->spans[at].end <= ts)
            close_span(t, at);
        t->ends[0] = t->ends[--t->n_ends];
        if (t->n_ends)
            sink(t, 0);
    }
    while (t->first < t->len && t->spans[t->first].closed)
        t->first++;
    if (t->len <= 2 * t->n + 16)
        return true;
    size_t kept = 0;
    for (size_t i = t->first; i < t->len; i++)
        if (!t->spans[i].closed)
            t->spans[kept++] = t->spans[i];
    t->len = kept;
    t->first = 0;
    return collect_ends(t);
}

struct tr_open_spans_track *tr_open_spans_peek(struct tr_open_spans *n, uint32_t track)
{
    if (track >= n->n) {
        size_t want = (size_t)track + 1;
        if (!tr_grow(&n->tracks, &n->cap, want, sizeof *n->tracks))
            return NULL;
        memset(n->tracks + n->n, 0, (n->cap - n->n) * sizeof *n->tracks);
        n->n = n->cap;
    }
    return &n->tracks[track];
}

struct tr_open_spans_track *tr_open_spans_at(struct tr_open_spans *n, uint32_t track, int64_t ts)
{
    struct tr_open_spans_track *t = tr_open_spans_peek(n, track);
    if (!t)
        return NULL;
    close_top(t, ts);
    if (t->crossed && !close_inner(t, ts))
        return NULL;
    if (!t->len) {
        t->first = 0;
        t->crossed = false;
        t->n_ends = 0;
    }
    return t;
}

bool tr_open_spans_push(struct tr_open_spans_track *t, int64_t start, int64_t end, uint64_t tag, bool root)
{
    bool crosses = t->len && t->spans[t->len - 1].end < end;
    if (!tr_grow(&t->spans, &t->cap, t->len + 1, sizeof *t->spans) || (t->crossed && !add_end(t, end, t->len)))
        return false;
    t->spans[t->len++] = (struct tr_open_spans_span){ .start = start, .end = end, .tag = tag, .root = root };
    t->n++;
    t->n_roots += root;
    if (!crosses || t->crossed)
        return true;
    t->crossed = true;
    return collect_ends(t);
}
