/* SPDX-License-Identifier: MIT */
/* Anchors for the fit of clocks: events of one moment on several ranks. */
#include "analysis/clocks/tr_anchors.h"

#include "base/tr_mem.h"
#include "model/collectives/tr_collective.h"
#include "vendor/tr_vocab.h"

#include <stdlib.h>

struct times {
    int64_t *v;
    uint8_t *device; /* on a device's track */
    size_t n, cap, cap_device;
};

struct tr_anchors {
    const struct tr_rank_set *ranks;
    const struct tr_dict *dict;
    struct tr_coll_finder *finder; /* NULL: a mask marks the anchors, or they are given */
    const struct tr_colls *given;  /* collectives that the caller has matched */
    struct times *matches;         /* by rank */
    size_t *linked;                /* by rank: another rank that collectives lead to, itself for one of them */
    uint64_t *doubts;              /* by rank: members of collectives that fit no clock */
};

static enum tr_status new_anchors(struct tr_anchors **out, const struct tr_rank_set *ranks,
                                  const struct tr_dict *dict, struct tr_error *err)
{
    struct tr_anchors *a = calloc(1, sizeof *a);
    if (a)
        a->matches = calloc(ranks->n + 1, sizeof *a->matches);
    if (a)
        a->doubts = calloc(ranks->n + 1, sizeof *a->doubts);
    if (a)
        a->linked = calloc(ranks->n + 1, sizeof *a->linked);
    if (!a || !a->matches || !a->doubts || !a->linked) {
        free(a ? a->matches : NULL);
        free(a ? a->doubts : NULL);
        free(a ? a->linked : NULL);
        free(a);
        return tr_fail_memory(err);
    }
    for (size_t r = 0; r < ranks->n; r++)
        a->linked[r] = r;
    a->ranks = ranks;
    a->dict = dict;
    *out = a;
    return TR_OK;
}

enum tr_status tr_anchors_new(struct tr_anchors **out, const struct tr_rank_set *ranks,
                              const struct tr_dict *dict, bool marked, struct tr_error *err)
{
    enum tr_status st = new_anchors(out, ranks, dict, err);
    if (st == TR_OK && !marked)
        st = tr_coll_finder_new(dict, NULL, &(*out)->finder, err);
    if (st == TR_OK)
        return TR_OK;
    tr_anchors_free(*out);
    *out = NULL;
    return st;
}

enum tr_status tr_anchors_of(struct tr_anchors **out, const struct tr_rank_set *ranks, const struct tr_dict *dict,
                             const struct tr_colls *matched, struct tr_error *err)
{
    enum tr_status st = new_anchors(out, ranks, dict, err);
    if (st == TR_OK)
        (*out)->given = matched;
    return st;
}

void tr_anchors_free(struct tr_anchors *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->ranks->n; i++) {
        free(a->matches[i].v);
        free(a->matches[i].device);
    }
    free(a->matches);
    free(a->doubts);
    free(a->linked);
    tr_coll_finder_free(a->finder);
    free(a);
}

static bool add_match(struct times *t, int64_t at, bool device)
{
    if (!tr_grow(&t->v, &t->cap, t->n + 1, sizeof *t->v) ||
        !tr_grow(&t->device, &t->cap_device, t->n + 1, 1))
        return false;
    t->device[t->n] = device;
    t->v[t->n++] = at;
    return true;
}

enum tr_status tr_anchors_feed(struct tr_anchors *a, const struct tr_batch *b,
                               const uint8_t *marked, struct tr_error *err)
{
    if (a->finder)
        return tr_coll_feed(a->finder, b, NULL, err);
    for (size_t i = 0; i < b->n; i++) {
        const struct tr_track *t = &b->dict->tracks[b->track[i]];
        if (!marked[i] || b->ts[i] == TR_TIME_NONE || b->suspect[i] != TR_SUSPECT_NO)
            continue;
        if (!add_match(&a->matches[a->ranks->of_source[t->source]], b->ts[i],
                       t->side == TR_SIDE_DEVICE))
            return tr_fail_memory(err);
    }
    return TR_OK;
}

/* One of the ranks that collectives lead to from a rank: the same for all of them. */
static size_t leader(struct tr_anchors *a, size_t rank)
{
    while (a->linked[rank] != rank)
        rank = a->linked[rank] = a->linked[a->linked[rank]];
    return rank;
}

/* The members of one collective, one for each rank: several devices of a rank count as one member. */
static bool give_collective(struct tr_anchors *a, const struct tr_colls *all,
                            const struct tr_coll *coll, const int64_t *shift,
                            struct tr_clockfit *fit)
{
    size_t last = a->ranks->n;
    int64_t start = 0, end = 0;
    bool ok = tr_clockfit_anchor(fit);
    for (uint32_t k = 0; k < coll->n && ok; k++) {
        const struct tr_coll_member *m = &all->members[coll->first + k];
        size_t rank = a->ranks->of_source[m->source];
        int64_t by = shift && a->dict->tracks[m->track].side == TR_SIDE_DEVICE ? shift[rank] : 0;
        int64_t own_start = tr_time_sum(m->start, by), own_end = tr_time_sum(m->end, by);
        a->doubts[rank] += m->doubt;
        if (m->suspect || m->doubt || own_start == TR_TIME_NONE || own_end == TR_TIME_NONE)
            continue;
        if (rank == last) {
            start = own_start > start ? own_start : start;
            end = own_end > end ? own_end : end;
            continue;
        }
        if (last < a->ranks->n) {
            ok = tr_clockfit_member(fit, last, start, end);
            a->linked[leader(a, last)] = leader(a, rank);
        }
        last = rank;
        start = own_start;
        end = own_end;
    }
    return ok && (last == a->ranks->n || tr_clockfit_member(fit, last, start, end));
}

/*
 * Do ends of host calls say something about other ranks?  Only if the calls return when the collective is done.  Tasks
 * of oneCCL, and records, may only hand it to a device.
 */
static bool all_block(const struct tr_anchors *a, const struct tr_colls *all, const struct tr_coll *coll)
{
    bool block = true;
    for (uint32_t k = 0; k < coll->n && block; k++) {
        struct tr_str name = tr_dict_text(a->dict, all->members[coll->first + k].name);
        block = tr_vocab_blocking_mpi(name.s, name.len);
    }
    return block;
}

/*
 * A send and its receive, between ranks that no collectives lead to each other.  A send may end before its receive
 * starts, so the start of the receive says nothing.
 */
static bool give_pair(struct tr_anchors *a, const struct tr_coll_member *m, const int64_t *shift,
                      struct tr_clockfit *fit)
{
    size_t rank[2];
    int64_t end[2], start = TR_TIME_NONE;
    for (int k = 0; k < 2; k++) {
        rank[k] = a->ranks->of_source[m[k].source];
        int64_t by = shift && a->dict->tracks[m[k].track].side == TR_SIDE_DEVICE ? shift[rank[k]] : 0;
        end[k] = m[k].suspect ? TR_TIME_NONE : tr_time_sum(m[k].end, by);
        start = m[k].type == TR_COLL_SEND ? tr_time_sum(m[k].start, by) : start;
    }
    if (m[0].type == m[1].type || end[0] == TR_TIME_NONE || end[1] == TR_TIME_NONE ||
        leader(a, rank[0]) == leader(a, rank[1]))
        return true;
    bool ok = tr_clockfit_anchor(fit);
    for (int k = 0; k < 2 && ok; k++)
        ok = tr_clockfit_member(fit, rank[k], m[k].type == TR_COLL_SEND ? start : TR_TIME_NONE, end[k]);
    return ok;
}

static bool give_pairs(struct tr_anchors *a, const struct tr_colls *all, const int64_t *shift, struct tr_clockfit *fit)
{
    bool ok = true;
    for (size_t i = 0; i < all->n && !all->host && ok; i++) {
        const struct tr_coll *c = &all->colls[i];
        if (c->n == 2 && (c->type == TR_COLL_SEND || c->type == TR_COLL_RECV) && !(c->wrong & TR_COLL_NAMES_DIFFER))
            ok = give_pair(a, &all->members[c->first], shift, fit);
    }
    return ok;
}

static enum tr_status give_collectives(struct tr_anchors *a, const struct tr_colls *all, const int64_t *shift,
                                       struct tr_clockfit *fit, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    /* Ends of work that waits for only one rank say nothing about others. */
    for (size_t i = 0; i < all->n && st == TR_OK; i++)
        if (tr_coll_is_sync((enum tr_coll_type)all->colls[i].type) &&
            (!all->host || all_block(a, all, &all->colls[i])) &&
            !(all->colls[i].wrong & TR_COLL_NAMES_DIFFER) &&
            !give_collective(a, all, &all->colls[i], shift, fit))
            st = tr_fail_memory(err);
    return st == TR_OK && !give_pairs(a, all, shift, fit) ? tr_fail_memory(err) : st;
}

static enum tr_status match_and_give(struct tr_anchors *a, const int64_t *shift, struct tr_clockfit *fit,
                                     struct tr_error *err)
{
    struct tr_colls *all = NULL;
    enum tr_status st = tr_coll_match(a->finder, &all, err);
    if (st == TR_OK)
        st = give_collectives(a, all, shift, fit, err);
    tr_colls_free(all);
    return st;
}

enum tr_status tr_anchors_give(struct tr_anchors *a, const int64_t *device_shift,
                                  struct tr_clockfit *fit, struct tr_error *err)
{
    size_t few, many;
    bool ok = true;
    if (a->given)
        return give_collectives(a, a->given, device_shift, fit, err);
    if (a->finder)
        return match_and_give(a, device_shift, fit, err);
    tr_anchors_even(a, &few, &many);
    for (size_t i = 0; i < many && ok; i++) {
        ok = tr_clockfit_anchor(fit);
        for (size_t r = 0; r < a->ranks->n && ok; r++) {
            const struct times *t = &a->matches[r];
            int64_t at = i < t->n ? tr_time_sum(t->v[i], device_shift && t->device[i] ? device_shift[r] : 0)
                                  : TR_TIME_NONE;
            ok = at == TR_TIME_NONE || tr_clockfit_member(fit, r, TR_TIME_NONE, at);
        }
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

bool tr_anchors_even(const struct tr_anchors *a, size_t *few, size_t *many)
{
    *few = a->ranks->n ? a->matches[0].n : 0;
    *many = 0;
    for (size_t r = 0; r < a->ranks->n; r++) {
        *few = a->matches[r].n < *few ? a->matches[r].n : *few;
        *many = a->matches[r].n > *many ? a->matches[r].n : *many;
    }
    return *few == *many;
}

uint64_t tr_anchors_doubts(const struct tr_anchors *a, size_t rank)
{
    return a->doubts[rank];
}
