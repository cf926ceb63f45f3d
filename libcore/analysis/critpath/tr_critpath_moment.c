/* SPDX-License-Identifier: MIT */
/* Critical paths in parts: up to which moment is a source solved, and from which one on is it kept? */
#include "analysis/critpath/tr_critpath_int.h"

/* Of the events of a source, this share is behind the moment up to which it is solved, and as many are before it. */
#define SHARE      16
#define MIN_EVENTS 32

/* Paths of a group are those of one source; a rank that has several is one graph. */
static bool shares_rank(const struct tr_critpath *c, uint32_t source)
{
    int64_t rank = c->dict->sources[source].rank;
    for (uint32_t s = 0; rank >= 0 && s < c->dict->n_sources; s++)
        if (s != source && c->dict->sources[s].rank == rank)
            return true;
    return false;
}

bool tr__cp_crosses(struct tr_critpath *c)
{
    c->crossed |= c->solved && (c->n_arrows || c->n_lists);
    for (uint32_t s = 0; s < c->n_solved; s++)
        c->crossed |= c->solved[s].any && shares_rank(c, s);
    return c->crossed;
}

bool tr__cp_watch_launch(struct tr_critpath *c, uint32_t source, int64_t launch)
{
    c->crossed |= c->parts[source].host && launch < c->parts[source].from;
    return !c->crossed;
}

/* Work that comes before its launch has its moment, at the latest. */
static void wait_for_launches(struct tr_critpath *c)
{
    for (size_t i = 0; i < c->n_kernels; i++) {
        const struct cp_kernel *k = &c->kernels[i];
        struct cp_part *p = &c->parts[c->dict->tracks[k->track].source];
        int64_t start = k->event == CP_NONE ? k->start : c->ts[k->event];
        if (k->launch_ts != TR_TIME_NONE && k->launch_ts >= p->to && start < p->to)
            p->to = start;
    }
}

bool tr__cp_choose_moments(struct tr_critpath *c)
{
    bool some = false;
    for (uint32_t s = 0; s < c->n_parts; s++)
        c->parts[s].n = c->parts[s].at = 0;
    for (uint32_t e = 0; e < c->n; e++)
        c->parts[cp_source(c, e)].n++;
    for (uint32_t s = 0; s < c->n_parts; s++) {
        struct cp_part *p = &c->parts[s];
        p->old_to = p->to;
        p->old_from = p->from;
        p->n = p->host && p->n >= MIN_EVENTS && !shares_rank(c, s) ? p->n : 0;
    }
    for (uint32_t e = 0; e < c->n; e++) {
        struct cp_part *p = &c->parts[cp_source(c, e)];
        size_t at = p->at++;
        p->from = p->n && at == p->n - 2 * (p->n / SHARE) && c->ts[e] > p->from ? c->ts[e] : p->from;
        p->to = p->n && at == p->n - p->n / SHARE && c->ts[e] > p->to ? c->ts[e] : p->to;
    }
    wait_for_launches(c);
    for (uint32_t s = 0; s < c->n_parts; s++) {
        tr__cp_settle_moments(c, s);
        some |= c->parts[s].to != c->parts[s].old_to;
    }
    return some;
}

void tr__cp_settle_moments(struct tr_critpath *c, uint32_t source)
{
    struct cp_part *p = &c->parts[source];
    int64_t near = c->opts.gaps ? CP_NEAR_NS : 0; /* what ended just before work may be what it waited for */
    if (p->to > p->old_to && p->from <= p->to - near)
        return;
    p->to = p->old_to;
    p->from = p->old_from;
}

void tr__cp_keep_calls(struct tr_critpath *c)
{
    bool again = true;
    for (size_t i = 0; again; i = 0) {
        for (again = false; i < c->n_waits; i++) {
            const struct cp_wait *w = &c->waits[i];
            uint32_t source = c->dict->tracks[w->track].source, call = tr__cp_call_of(c, source, w->launch_record);
            struct cp_part *p = &c->parts[source];
            if (call != CP_NONE && w->end < p->from && c->end[call] >= p->from) {
                p->from = w->end;
                again = true;
            }
        }
    }
}
