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
    for (size_t i = 0; i < n->n; i++)
        free(n->tracks[i].spans);
    free(n->tracks);
    free(n);
}

/* What a span at this height says about those it stands on. */
static void sum_up(struct tr_open_spans_track *t, size_t at)
{
    struct tr_open_spans_span *s = &t->spans[at];
    s->least = s->end;
    s->any_root = s->root;
    if (at && t->spans[at - 1].least < s->least)
        s->least = t->spans[at - 1].least;
    if (at)
        s->any_root |= t->spans[at - 1].any_root;
}

/* Spans that ended lie below open ones where nesting is broken: take them out. */
static void close_inner(struct tr_open_spans_track *t, int64_t ts)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (t->spans[i].end <= ts)
            continue;
        t->spans[kept] = t->spans[i];
        sum_up(t, kept++);
    }
    t->n = kept;
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
    while (t->n && t->spans[t->n - 1].end <= ts)
        t->n--;
    if (t->n && t->spans[t->n - 1].least <= ts)
        close_inner(t, ts);
    return t;
}

bool tr_open_spans_push(struct tr_open_spans_track *t, int64_t start, int64_t end, uint64_t tag, bool root)
{
    if (!tr_grow(&t->spans, &t->cap, t->n + 1, sizeof *t->spans))
        return false;
    t->spans[t->n] = (struct tr_open_spans_span){ .start = start, .end = end, .tag = tag, .root = root };
    sum_up(t, t->n++);
    return true;
}
