/* SPDX-License-Identifier: MIT */
/* Critical paths: arrows of unitrace from work to the call that waited for it. */
#include "analysis/tr_critpath_int.h"

#include <stdlib.h>

static int by_work(const void *a, const void *b)
{
    const struct cp_arrow *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->work != y->work)
        return x->work < y->work ? -1 : 1;
    if (x->from_work != y->from_work)
        return x->from_work ? -1 : 1;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    return (x->track > y->track) - (x->track < y->track);
}

/* The first event that does not start before ts. */
static uint32_t first_at(const struct tr_critpath *c, int64_t ts)
{
    uint32_t lo = 0, hi = (uint32_t)c->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->ts[mid] < ts)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/*
 * The work or call from whose start an arrow comes, or to which it leads; CP_NONE: it is not in the window.  Of calls
 * inside each other that start together, the last one is the innermost.
 */
static uint32_t end_of_arrow(const struct tr_critpath *c, const struct cp_arrow *a)
{
    const struct tr_track *t = &c->dict->tracks[a->track];
    uint32_t found = CP_NONE;
    for (uint32_t e = first_at(c, a->ts); e < c->n && c->ts[e] == a->ts; e++) {
        const struct tr_track *o = &c->dict->tracks[c->track[e]];
        bool host = c->flags[e] & CP_HOST;
        if (host != a->from_work && cp_has_nodes(c, e) && o->source == t->source && o->pid == t->pid &&
            o->tid == t->tid && o->pid_type == t->pid_type && o->tid_type == t->tid_type)
            found = e;
    }
    return found;
}

bool tr__cp_arrow_waits(struct tr_critpath *c)
{
    uint32_t work = CP_NONE;
    bool ok = true;
    if (c->n_arrows)
        qsort(c->arrows, c->n_arrows, sizeof *c->arrows, by_work);
    for (size_t i = 0; ok && i < c->n_arrows; i++) {
        const struct cp_arrow *a = &c->arrows[i];
        if (i == 0 || a->rank != a[-1].rank || a->work != a[-1].work)
            work = CP_NONE;
        uint32_t e = end_of_arrow(c, a);
        if (a->from_work)
            work = work == CP_NONE ? e : work;
        else if (work != CP_NONE && e != CP_NONE && cp_source(c, e) == cp_source(c, work) &&
                 c->ts[work] < c->end[e] && c->end[work] <= c->end[e]) /* no wait ends before the work does */
            ok = tr__cp_wait_for(c, work, e);
    }
    return ok;
}
