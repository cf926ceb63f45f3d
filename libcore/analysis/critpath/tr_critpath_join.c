/* SPDX-License-Identifier: MIT */
/* Critical paths: collectives join the graphs of ranks. */
#include "analysis/critpath/tr_critpath_int.h"

#include "model/tr_eventmap.h"

/* Does a pair have a send and a receive? */
static bool has_both(const struct tr_coll_member *members, uint32_t n)
{
    bool sends = false, receives = false;
    for (uint32_t i = 0; i < n; i++) {
        sends = sends || members[i].type == TR_COLL_SEND;
        receives = receives || members[i].type == TR_COLL_RECV;
    }
    return sends && receives;
}

/*
 * Collectives join if no rank ends before all have come.  So do all-to-alls of uneven parts, kernels of unknown type,
 * and pairs of a send and a receive.
 */
bool tr__cp_joins(const struct tr_coll *coll, const struct tr_coll_member *members)
{
    if (coll->type == TR_COLL_SEND || coll->type == TR_COLL_RECV)
        return has_both(members, coll->n);
    return tr_coll_is_sync((enum tr_coll_type)coll->type) || coll->type == TR_COLL_ALLTOALLV ||
           coll->type == TR_COLL_UNKNOWN || coll->type == TR_COLL_SENDRECV;
}

/*
 * A rank whose parts are empty need not wait for the others: a member of an uneven all-to-all that ends before the last
 * one came has not waited for it, and its time is its own.
 */
bool tr__cp_waited(uint8_t type, int64_t end, int64_t last)
{
    return type != TR_COLL_ALLTOALLV || end >= last;
}

/* Map device work of the window by its identity. */
static bool map_work(const struct tr_critpath *c, struct tr_eventmap *map)
{
    for (size_t i = 0; i < c->n_kernels; i++) {
        uint32_t e = c->kernels[i].event;
        if (e != CP_NONE && c->kind[e] == TR_KIND_COMM &&
            !tr_eventmap_put(map, cp_source(c, e), c->record[e], e))
            return false;
    }
    return true;
}

static uint32_t member_event(const struct tr_critpath *c, const struct tr_eventmap *map,
                             const struct tr_coll_member *m)
{
    uint32_t e = m->suspect ? CP_NONE : tr_eventmap_get(map, m->source, m->record);
    return e == TR_EVENTMAP_NONE || c->flags[e] & CP_JOINED ? CP_NONE : e;
}

/* All ranks have come at the start of the last one. */
static bool add_hub(struct tr_critpath *c, const struct tr_eventmap *map, const struct tr_coll_member *members,
                    const struct tr_coll *coll)
{
    uint32_t last = CP_NONE, found = 0, node = (uint32_t)(2 * c->n + c->n_hubs);
    for (uint32_t i = 0; i < coll->n; i++) {
        uint32_t e = member_event(c, map, &members[i]);
        if (e == CP_NONE)
            continue;
        found++;
        last = last == CP_NONE || c->ts[e] > c->ts[last] ? e : last;
    }
    if (found < 2)
        return true;
    if (!cp_grow(c, &c->hub_ts, &c->cap_hubs[0], c->n_hubs + 1, sizeof *c->hub_ts) ||
        !cp_grow(c, &c->hub_event, &c->cap_hubs[1], c->n_hubs + 1, sizeof *c->hub_event))
        return false;
    c->hub_ts[c->n_hubs] = c->ts[last];
    c->hub_event[c->n_hubs++] = last;
    for (uint32_t i = 0; i < coll->n; i++) {
        uint32_t e = member_event(c, map, &members[i]);
        if (e == CP_NONE)
            continue;
        bool waits = tr__cp_waited(coll->type, c->end[e], c->ts[last]);
        c->flags[e] |= waits ? CP_JOINED : 0;
        if (!tr__cp_add_edge(c, cp_start(e), node, TR_CP_ARRIVAL) ||
            (waits && !tr__cp_add_edge(c, node, cp_end(e), TR_CP_TRANSFER)))
            return false;
    }
    return true;
}

/* Sends and receives of two ranks spin until the other one comes.  So do kernels of unknown ones. */
bool tr__cp_waits_for_peer(const struct tr_coll_member *m)
{
    return m->type == TR_COLL_SEND || m->type == TR_COLL_RECV || m->type == TR_COLL_SENDRECV ||
           m->type == TR_COLL_PERMUTE;
}

static void find_peers(struct tr_critpath *c, const struct tr_eventmap *map, const struct tr_coll_member *members,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t e = tr__cp_waits_for_peer(&members[i]) ? member_event(c, map, &members[i]) : CP_NONE;
        if (e == CP_NONE)
            continue;
        c->flags[e] |= CP_WAITS;
        c->n_peers++;
    }
}

bool tr__cp_find_peers(struct tr_critpath *c, const struct tr_coll_member *members, size_t n)
{
    struct tr_eventmap map = { 0 };
    bool ok = map_work(c, &map);
    if (ok)
        find_peers(c, &map, members, n);
    tr_eventmap_free(&map);
    return ok;
}

bool tr__cp_find_joints(struct tr_critpath *c, const struct tr_coll_member *members, size_t n)
{
    struct tr_eventmap map = { 0 };
    bool ok = map_work(c, &map);
    c->other = ok ? tr__cp_alloc(c, c->n + 1, sizeof *c->other) : NULL;
    for (size_t i = 0; c->other && i < n; i++) {
        uint32_t e = member_event(c, &map, &members[i]);
        if (e == CP_NONE)
            continue;
        c->flags[e] |= CP_JOINED | (tr__cp_waits_for_peer(&members[i]) ? CP_WAITS : 0);
        c->other[e] = CP_NONE;
    }
    tr_eventmap_free(&map);
    return c->other != NULL;
}

bool tr__cp_join_ranks(struct tr_critpath *c, const struct tr_colls *colls)
{
    struct tr_eventmap map = { 0 };
    if (!colls || colls->host)
        return true;
    bool ok = map_work(c, &map);
    for (size_t i = 0; ok && c->opts.join && i < colls->n; i++)
        if (tr__cp_joins(&colls->colls[i], &colls->members[colls->colls[i].first]))
            ok = add_hub(c, &map, &colls->members[colls->colls[i].first], &colls->colls[i]);
    if (ok)
        find_peers(c, &map, colls->members, colls->n_members);
    tr_eventmap_free(&map);
    return ok;
}
