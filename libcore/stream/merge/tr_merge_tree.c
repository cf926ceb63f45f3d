/* SPDX-License-Identifier: MIT */
/* The tree of inputs of a merge, which finds the next event. */
#include "stream/merge/tr_merge_int.h"

static const struct tr__lane_source *source_at(const struct tr__lane *l)
{
    return &l->sources[l->in->dict->tracks[l->b->track[l->at]].source];
}

/* For two lanes with the same time: compare the other keys of the canonical order.  If they are equal, the earlier
 * input comes first. */
static bool before(const struct tr__merge *m, uint32_t a, uint32_t b)
{
    if (m->over[a] || m->over[b])
        return !m->over[a];
    const struct tr__lane *x = &m->lanes[a], *y = &m->lanes[b];
    int c = tr_order_cmp(0, tr_order_dur(x->b->dur[x->at], x->b->suspect[x->at]), 0,
                         tr_order_dur(y->b->dur[y->at], y->b->suspect[y->at]));
    if (c)
        return c < 0;
    const struct tr__lane_source *sx = source_at(x), *sy = source_at(y);
    if (sx->order != sy->order)
        return sx->order < sy->order;
    if (x->b->record[x->at] != y->b->record[y->at]) /* with turns, no sources are equal, so this is not reached */
        return x->b->record[x->at] < y->b->record[y->at];
    return sx->number != sy->number ? sx->number < sy->number : a < b;
}

static struct tr__contest contest_of(const struct tr__merge *m, uint32_t lane)
{
    struct tr__contest c = { INT64_MAX, lane };
    if (!m->over[lane]) {
        const struct tr__lane *l = &m->lanes[lane];
        c.ts = l->b->ts[l->at];
        c.ts += c.ts == TR_TIME_NONE ? 0 : l->shift;
    }
    return c;
}

/*
 * A lane has a new event: it plays against the losers on its way up.  The winner cannot be predicted, so there is no
 * branch for it, unless times are equal.
 */
void tr__tree_play(struct tr__merge *m, uint32_t lane)
{
    struct tr__contest c = contest_of(m, lane);
    for (size_t k = (m->n_leaves + lane) / 2; k > 0; k /= 2) {
        struct tr__contest loser = m->tree[k];
        bool wins = loser.ts < c.ts;
        if (loser.ts == c.ts)
            wins = before(m, loser.lane, c.lane);
        m->tree[k].ts = wins ? c.ts : loser.ts;
        m->tree[k].lane = wins ? c.lane : loser.lane;
        c.ts = wins ? loser.ts : c.ts;
        c.lane = wins ? loser.lane : c.lane;
    }
    m->tree[0] = c;
}

/* The winner below node k; the losers are stored in their nodes. */
static struct tr__contest build(struct tr__merge *m, size_t k)
{
    if (k >= m->n_leaves)
        return contest_of(m, (uint32_t)(k - m->n_leaves));
    struct tr__contest a = build(m, 2 * k), b = build(m, 2 * k + 1);
    bool first = a.ts != b.ts ? a.ts < b.ts : before(m, a.lane, b.lane);
    m->tree[k] = first ? b : a;
    return first ? a : b;
}

void tr__tree_build(struct tr__merge *m)
{
    m->tree[0] = build(m, 1);
}
