/* SPDX-License-Identifier: MIT */
/* Collectives: the result in order, members that differ, ranks that are missing. */
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "model/collectives/tr_collective_int.h"

#include <stdlib.h>

/* ---- the result in order ---- */

TR_ORDER(by_time, struct tr_coll, TR_UP(at), TR_UP(group), TR_UP(seq), TR_UP(line), TR_UP(first))

/* Sort collectives by first start; keys get their new numbers. */
static bool order_colls(struct tr__coll_matcher *w)
{
    struct tr_colls *c = w->c;
    uint32_t *number = malloc((c->n + 1) * sizeof *number);
    if (!number)
        return false;
    for (size_t i = 0; i < c->n; i++) {
        c->colls[i].at = INT64_MAX;
        c->colls[i].first = i;
    }
    for (size_t i = 0; i < w->n_keys; i++) {
        struct tr_coll *coll = &c->colls[w->keys[i].coll];
        int64_t start = c->members[w->keys[i].member].start;
        coll->at = start < coll->at ? start : coll->at;
        coll->n++;
    }
    if (c->n)
        qsort(c->colls, c->n, sizeof *c->colls, by_time);
    for (size_t i = 0, first = 0; i < c->n; i++) {
        number[c->colls[i].first] = (uint32_t)i;
        c->colls[i].first = first;
        first += c->colls[i].n;
    }
    for (size_t i = 0; i < w->n_keys; i++)
        w->keys[i].coll = number[w->keys[i].coll];
    free(number);
    return true;
}

/* Move members to the places of their collectives, by party; the keys of one collective are already in this order. */
static bool place_members(struct tr__coll_matcher *w)
{
    struct tr_colls *c = w->c;
    size_t *to = malloc((c->n_members + 1) * sizeof *to);
    if (!to)
        return false;
    for (size_t i = 0; i < w->n_keys; i++)
        to[w->keys[i].member] = c->colls[w->keys[i].coll].first++;
    for (size_t i = 0; i < c->n; i++)
        c->colls[i].first -= c->colls[i].n;
    for (size_t i = 0; i < c->n_members; i++) {
        while (to[i] != i) { /* move the member at i to its place, and take the one that was there */
            size_t home = to[i];
            struct tr_coll_member m = c->members[home];
            c->members[home] = c->members[i];
            c->members[i] = m;
            to[i] = to[home];
            to[home] = home;
        }
    }
    free(to);
    return true;
}

unsigned tr_coll_differs(const struct tr_colls *c, const struct tr_coll_member *a,
                         const struct tr_coll_member *b)
{
    const struct tr_coll_call *x = &c->calls[a->call], *y = &c->calls[b->call];
    if (tr__coll_kind(c, a) != tr__coll_kind(c, b))
        return TR_COLL_NAMES_DIFFER;
    return x->dtype != y->dtype ||
                   tr__coll_common_elems(x, a->type) != tr__coll_common_elems(y, b->type)
               ? TR_COLL_SIZES_DIFFER
               : 0;
}

static void compare_members(const struct tr_colls *c, struct tr_coll *coll)
{
    const struct tr_coll_member *m = &c->members[coll->first];
    coll->type = m->type;
    for (uint32_t k = 1; k < coll->n; k++)
        coll->wrong |= (uint8_t)tr_coll_differs(c, m, &m[k]);
}

static bool find_missing(struct tr__coll_matcher *w, size_t number, size_t *cap)
{
    struct tr_colls *c = w->c;
    struct tr_coll *coll = &c->colls[number];
    const struct tr__coll_line *line = &w->lines[coll->line];
    size_t m = coll->first, end = coll->first + coll->n;
    for (size_t i = line->first; i < line->first + line->n; i++) {
        const struct tr__coll_expect *e = &w->expect[i];
        while (m < end && c->members[m].party < e->party)
            m++;
        if (m < end && c->members[m].party == e->party)
            continue;
        if (!tr_grow(&c->flaws, cap, c->n_flaws + 1, sizeof *c->flaws))
            return false;
        bool outside = e->first <= e->last && (coll->seq < e->first || coll->seq > e->last);
        c->flaws[c->n_flaws++] = (struct tr_coll_flaw){ number, e->party, outside };
        coll->wrong |= TR_COLL_INCOMPLETE;
    }
    return true;
}

bool tr__coll_check(struct tr__coll_matcher *w)
{
    size_t cap = 0;
    bool ok = true;
    for (size_t i = 0; i < w->c->n && ok; i++) {
        compare_members(w->c, &w->c->colls[i]);
        ok = find_missing(w, i, &cap);
    }
    return ok;
}

bool tr__coll_order(struct tr__coll_matcher *w)
{
    return order_colls(w) && place_members(w);
}

/* ---- other clocks ---- */

static void move_member(struct tr_coll_member *m, int64_t by)
{
    int64_t start = tr_time_sum(m->start, by), end = tr_time_sum(m->end, by);
    if (start == TR_TIME_NONE || end == TR_TIME_NONE) {
        m->suspect = true;
        return;
    }
    m->start = start;
    m->end = end;
    m->moved = by;
}

static int by_coll(const void *x, const void *y)
{
    const struct tr_coll_flaw *a = x, *b = y;
    int c = tr__coll_cmp((int64_t)a->coll, (int64_t)b->coll);
    return c ? c : tr__coll_cmp(a->party, b->party);
}

bool tr_colls_move(struct tr_colls *c, const int64_t *by_source)
{
    size_t *number = malloc((c->n_members + 1) * sizeof *number); /* of the collective that starts at a member */
    if (!number)
        return false;
    for (size_t i = 0; i < c->n_members; i++)
        move_member(&c->members[i], by_source[c->members[i].source]);
    for (size_t i = 0; i < c->n_flaws; i++)
        c->flaws[i].coll = c->colls[c->flaws[i].coll].first;
    for (size_t i = 0; i < c->n; i++) {
        c->colls[i].at = INT64_MAX;
        for (size_t m = c->colls[i].first; m < c->colls[i].first + c->colls[i].n; m++)
            c->colls[i].at = c->members[m].start < c->colls[i].at ? c->members[m].start : c->colls[i].at;
    }
    if (c->n)
        qsort(c->colls, c->n, sizeof *c->colls, by_time);
    for (size_t i = 0; i < c->n; i++)
        number[c->colls[i].first] = i;
    for (size_t i = 0; i < c->n_flaws; i++)
        c->flaws[i].coll = number[c->flaws[i].coll];
    if (c->n_flaws)
        qsort(c->flaws, c->n_flaws, sizeof *c->flaws, by_coll);
    free(number);
    c->aligned = true;
    return true;
}
