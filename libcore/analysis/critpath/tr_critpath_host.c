/* SPDX-License-Identifier: MIT */
/* Critical paths: edges between the host's spans. */
#include "analysis/critpath/tr_critpath_int.h"

#include "base/tr_sort.h"
#include "model/calls/tr_call_path.h"

#include <stdlib.h>

/* In a part: from here, a thread or the holders of a lock go on. */
static void keep_last(struct tr_critpath *c, uint32_t last, uint32_t next)
{
    const struct cp_part *p = c->keep && last != CP_NONE ? &c->parts[cp_source(c, cp_event(c, last))] : NULL;
    if (p && cp_time(c, last) < p->from && (next == CP_NONE || cp_time(c, next) >= p->from))
        c->keep[cp_event(c, last)] = 1;
}

/* ---- the runtime's lock ---- */

/* A start or end of a call that holds the lock. */
struct moment {
    uint32_t source;
    int64_t pid, ts;
    uint64_t record;
    uint32_t node;
};

TR_ORDER(by_time, struct moment, TR_UP(source), TR_UP(pid), TR_UP(ts), TR_UP(record), TR_UP(node))

static bool holds_lock(const struct tr_critpath *c, size_t e)
{
    return (c->flags[e] & (CP_LOCK | CP_DEAD)) == CP_LOCK;
}

static struct moment *moments(struct tr_critpath *c, size_t *n)
{
    struct moment *list;
    *n = 0;
    for (size_t e = 0; e < c->n; e++)
        *n += 2 * (size_t)holds_lock(c, e);
    list = tr__cp_alloc_temp(c, *n + 1, sizeof *list);
    if (!list)
        return NULL;
    *n = 0;
    for (size_t e = 0; e < c->n; e++) {
        const struct tr_track *t = &c->dict->tracks[c->track[e]];
        if (!holds_lock(c, e))
            continue;
        list[(*n)++] =
            (struct moment){ t->source, t->pid, c->ts[e], c->record[e], cp_start((uint32_t)e) };
        list[(*n)++] =
            (struct moment){ t->source, t->pid, c->end[e], c->record[e], cp_end((uint32_t)e) };
    }
    qsort(list, *n, sizeof *list, by_time);
    return list;
}

/* The own time of a span.  The host does no work in a call that waits for a device. */
static enum tr_cp_edge own_time(const struct tr_critpath *c, uint32_t event)
{
    return c->flags[event] & CP_WAITS ? TR_CP_OPERATOR_FREE : TR_CP_OPERATOR;
}

/*
 * The end of a call with the lock has waited for all calls that asked for the lock before.  A call that asked before
 * another's end got the lock at that end, and works from there to its own end.
 */
static bool lock_end(struct tr_critpath *c, uint32_t node, const uint32_t *open, size_t n_open,
                     uint32_t last_end)
{
    uint32_t e = cp_event(c, node);
    bool own = false, ok = true;
    for (size_t i = 0; i < n_open && ok; i++) {
        own = own || open[i] == e;
        ok = tr__cp_add_edge(c, cp_start(open[i]), node,
                             open[i] == e ? own_time(c, e) : TR_CP_DEPENDENCY);
    }
    if (ok && !own && last_end != CP_NONE)
        ok = tr__cp_add_edge(c, last_end, node, own_time(c, e));
    return ok;
}

/*
 * Process by process.  The last moment of each process is an end, after which no call waits.  The first end of the next
 * process has its own start before it.
 */
static bool lock_edges(struct tr_critpath *c)
{
    size_t n, n_open = 0;
    struct moment *list = moments(c, &n);
    uint32_t *open = list ? malloc((n / 2 + 1) * sizeof *open) : NULL;
    uint32_t last_end = CP_NONE;
    bool ok = list && open;
    for (size_t i = 0; i < n && ok; i++) {
        if (!(list[i].node & 1)) {
            open[n_open++] = cp_event(c, list[i].node);
            continue;
        }
        bool other = i + 1 == n || list[i + 1].source != list[i].source || list[i + 1].pid != list[i].pid;
        ok = lock_end(c, list[i].node, open, n_open, last_end);
        keep_last(c, last_end, list[i].node);
        if (other)
            keep_last(c, list[i].node, CP_NONE);
        last_end = list[i].node;
        n_open = 0;
    }
    free(open);
    free(list);
    return ok;
}

/* ---- threads ---- */

struct walk {
    struct tr_critpath *c;
    uint32_t *open; /* spans around the next one, outermost first */
    size_t n, cap;
    size_t depth;  /* number of open spans with nodes */
    uint32_t last; /* node */
};

/* The lock has made the edge between two such nodes, except from one call to the next. */
static bool lock_did(const struct tr_critpath *c, uint32_t from, uint32_t to)
{
    bool both = c->flags[cp_event(c, from)] & c->flags[cp_event(c, to)] & CP_LOCK;
    return both && !((from & 1) && !(to & 1));
}

static bool leave(struct walk *w)
{
    uint32_t e = w->open[--w->n], node = cp_end(e), from = w->last;
    if (w->c->flags[e] & CP_RANGE)
        return true;
    w->depth--;
    w->last = node;
    keep_last(w->c, from, node);
    return lock_did(w->c, from, node) || tr__cp_add_edge(w->c, from, node, own_time(w->c, e));
}

/* A thread that asks again and again whether work is done, as watchdogs do: nothing waits for it. */
static bool polls(const struct tr_critpath *c, uint32_t before, uint32_t e)
{
    const uint32_t names[] = { before == CP_NONE ? TR_NO_STR : c->name[cp_event(c, before)], c->name[e] };
    bool all = true;
    for (size_t i = 0; all && i < 2; i++)
        all = names[i] != TR_NO_STR && c->names[names[i]] & CP_NAME_QUERY;
    return all;
}

static bool enter(struct walk *w, uint32_t e)
{
    struct tr_critpath *c = w->c;
    uint32_t node = cp_start(e), from = w->last;
    enum tr_cp_edge outside = c->opts.gaps && (w->depth || !polls(c, from, e)) ? TR_CP_GAP : TR_CP_DEPENDENCY;
    if (!tr_grow(&w->open, &w->cap, w->n + 1, sizeof *w->open))
        return false;
    c->parent[e] = w->n ? w->open[w->n - 1] : CP_NONE;
    w->open[w->n++] = e;
    if (c->flags[e] & CP_RANGE)
        return true;
    bool ok = from == CP_NONE || lock_did(c, from, node) ||
              tr__cp_add_edge(c, from, node, w->depth ? TR_CP_OPERATOR : outside);
    w->depth++;
    w->last = node;
    keep_last(c, from, node);
    return ok;
}

/* Span a comes first: is b below it?  As in tr_call_path. */
static bool encloses(const struct tr_critpath *c, uint32_t a, uint32_t b)
{
    return c->ts[b] < c->end[a] &&
           (c->end[b] <= c->end[a] || c->end[b] - c->end[a] <= TR_CALLTREE_SLACK_NS);
}

/* Is e inside the innermost open span that has not ended? */
static bool in_open(const struct walk *w, uint32_t e)
{
    size_t n = w->n;
    while (n && w->c->end[w->open[n - 1]] <= w->c->ts[e])
        n--;
    return n && encloses(w->c, w->open[n - 1], e);
}

static bool walk_thread(struct walk *w, const uint32_t *events, size_t n)
{
    bool ok = true;
    w->n = w->depth = 0;
    w->last = CP_NONE;
    for (size_t i = 0; i < n && ok; i++) {
        uint32_t e = events[i];
        /* An annotation counts only inside an operator, and changes no other edge. */
        if (w->c->flags[e] & CP_RANGE && !in_open(w, e))
            continue;
        while (ok && w->n && !encloses(w->c, w->open[w->n - 1], e))
            ok = leave(w);
        ok = ok && enter(w, e);
    }
    while (ok && w->n)
        ok = leave(w);
    keep_last(w->c, w->last, CP_NONE);
    return ok;
}

static bool in_thread(const struct tr_critpath *c, size_t e)
{
    return (c->flags[e] & (CP_HOST | CP_DEAD)) == CP_HOST;
}

/* The host's spans by thread, in canonical order; first: where each thread starts. */
static uint32_t *by_thread(struct tr_critpath *c, size_t *first)
{
    uint32_t *list;
    for (size_t e = 0; e < c->n; e++)
        if (in_thread(c, e))
            first[c->thread_of[c->track[e]] + 2]++;
    for (size_t t = 2; t < (size_t)c->n_threads + 2; t++)
        first[t] += first[t - 1];
    list = tr__cp_alloc_temp(c, first[c->n_threads + 1] + 1, sizeof *list);
    for (size_t e = 0; list && e < c->n; e++)
        if (in_thread(c, e))
            list[first[c->thread_of[c->track[e]] + 1]++] = (uint32_t)e;
    return list;
}

bool tr__cp_host_edges(struct tr_critpath *c)
{
    struct walk w = { .c = c };
    size_t *first = calloc((size_t)c->n_threads + 2, sizeof *first);
    uint32_t *list = first && lock_edges(c) ? by_thread(c, first) : NULL;
    bool ok = list != NULL;
    for (uint32_t t = 0; t < c->n_threads && ok; t++)
        ok = walk_thread(&w, &list[first[t]], first[t + 1] - first[t]);
    free(w.open);
    free(list);
    free(first);
    return ok;
}
