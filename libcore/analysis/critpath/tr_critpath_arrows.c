/* SPDX-License-Identifier: MIT */
/* Critical paths: arrows of unitrace from work to the call that waited for it. */
#include "analysis/critpath/tr_critpath_int.h"

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

static int by_place(const void *a, const void *b)
{
    const struct cp_arrow *x = a, *y = b;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    if (x->from_work != y->from_work)
        return x->from_work ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* The first of the arrows that is not before a place. */
static size_t first_from(const struct tr_critpath *c, const struct cp_arrow *place)
{
    size_t low = 0, high = c->n_arrows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (by_place(&c->arrows[mid], place) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/*
 * Find the work or call at each arrow.  Of calls inside each other that start together, the last one is the innermost.
 * Events of different ranks come in any order.
 */
static void find_ends(struct tr_critpath *c)
{
    for (size_t i = 0; i < c->n_arrows; i++)
        c->arrows[i].thread = c->thread_of[c->arrows[i].track];
    qsort(c->arrows, c->n_arrows, sizeof *c->arrows, by_place);
    for (uint32_t e = 0; e < c->n; e++) {
        struct cp_arrow place = { .ts = c->ts[e],
                                  .from_work = !(c->flags[e] & CP_HOST),
                                  .thread = c->thread_of[c->track[e]] };
        size_t found = cp_has_nodes(c, e) ? first_from(c, &place) : c->n_arrows;
        if (found < c->n_arrows && by_place(&c->arrows[found], &place) == 0)
            c->arrows[found].event = e;
    }
    for (size_t i = 1; i < c->n_arrows; i++)
        if (by_place(&c->arrows[i - 1], &c->arrows[i]) == 0)
            c->arrows[i].event = c->arrows[i - 1].event;
}

bool tr__cp_arrow_waits(struct tr_critpath *c)
{
    uint32_t work = CP_NONE;
    bool ok = true;
    if (!c->n_arrows)
        return true;
    find_ends(c);
    qsort(c->arrows, c->n_arrows, sizeof *c->arrows, by_work);
    for (size_t i = 0; ok && i < c->n_arrows; i++) {
        const struct cp_arrow *a = &c->arrows[i];
        if (i == 0 || a->rank != a[-1].rank || a->work != a[-1].work)
            work = CP_NONE;
        uint32_t e = a->event;
        if (a->from_work)
            work = work == CP_NONE ? e : work;
        else if (work != CP_NONE && e != CP_NONE && cp_source(c, e) == cp_source(c, work) &&
                 c->ts[work] < c->end[e] && c->end[work] <= c->end[e]) /* no wait ends before the work does */
            ok = tr__cp_wait_for(c, work, e);
    }
    return ok;
}
