/* SPDX-License-Identifier: MIT */
/* The merge: sources, ranks and summaries of the result. */
#include "stream/tr_captures.h"
#include "stream/tr_merge_int.h"

#include <stdlib.h>
#include <string.h>

/* A source of one of the inputs. */
struct origin {
    struct tr__lane *lane;
    uint32_t number;
};

static const struct tr_source *source_of(const struct origin *o)
{
    return &o->lane->in->dict->sources[o->number];
}

static struct tr__lane_source *result_of(const struct origin *o)
{
    return &o->lane->sources[o->number];
}

/* ---- the rows of the result ---- */

static bool add_source(struct tr__merge *m, const struct origin *o, int64_t base)
{
    uint32_t added = tr_dict_add_source(m->dict, source_of(o));
    if (added == UINT32_MAX)
        return false;
    struct tr_source *s = &m->dict->sources[added];
    tr_source_renumber(s, tr__lane_text, &(struct tr__lane_texts){ m, o->lane });
    s->base_ns = base;
    s->of_file &= m->n == 1;
    s->rank = result_of(o)->rank;
    s->rank_rule = result_of(o)->rank_rule;
    return !m->failed;
}

static enum tr_status add_summary(struct tr__merge *m, const struct origin *o, struct tr_error *err)
{
    struct tr_source_summary *s = &m->summary->sources[result_of(o)->number];
    const struct tr_summary *of = o->lane->in->summary;
    if (!of || o->number >= of->n)
        return TR_OK;
    int64_t shift = result_of(o)->shift;
    if (!tr_summary_copy_source(s, &of->sources[o->number]))
        return tr_fail_memory(err);
    m->summary->filtered |= of->filtered;
    m->summary->redacted |= of->redacted;
    if (!tr__merge_time(&s->first_ts, shift) || !tr__merge_time(&s->last_end, shift))
        return tr__merge_too_far(o->lane, err);
    for (size_t i = 0; i < s->n_steps; i++) {
        struct tr_step *step = &s->steps[i];
        if (!tr__merge_time(&step->start, shift) || !tr__merge_time(&step->end, shift))
            return tr__merge_too_far(o->lane, err);
        step->track = tr__merge_track(m, o->lane, step->track);
        if (m->failed)
            return tr_fail_memory(err);
    }
    return TR_OK;
}

/* Canonical order, by the ranks of the result. */
static int origin_cmp(const struct origin *a, const struct origin *b)
{
    if (result_of(a)->rank != result_of(b)->rank)
        return result_of(a)->rank < result_of(b)->rank ? -1 : 1;
    return tr_source_cmp(a->lane->in->dict, a->number, b->lane->in->dict, b->number);
}

/* For qsort: equal sources stay in the order of the inputs. */
static int origin_order(const void *a, const void *b)
{
    const struct origin *x = a, *y = b;
    int c = origin_cmp(x, y);
    if (c)
        return c;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* All times count from the earliest base. */
static enum tr_status settle_base(struct tr__merge *m, int64_t *base, struct tr_error *err)
{
    *base = INT64_MAX;
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < m->lanes[i].in->dict->n_sources; k++)
            if (m->lanes[i].in->dict->sources[k].base_ns < *base)
                *base = m->lanes[i].in->dict->sources[k].base_ns;
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < m->lanes[i].in->dict->n_sources; k++) {
            const struct tr_source *s = &m->lanes[i].in->dict->sources[k];
            if (*base < 0 && s->base_ns > INT64_MAX + *base)
                return tr__merge_too_far(&m->lanes[i], err);
            m->lanes[i].sources[k].shift = s->base_ns - *base;
        }
    return TR_OK;
}

/* The ranks of all sources: the given ones, or their own, which must not collide. */
static enum tr_status settle_ranks(struct tr__merge *m, const struct tr_merge_opts *opts,
                                   struct tr_error *err)
{
    struct tr_rank_conflicts claims = { NULL, 0, 0 };
    enum tr_status st = TR_OK;
    size_t at = 0;
    for (size_t i = 0; i < m->n && !opts->ranks && st == TR_OK; i++)
        if (!tr_rank_conflicts_add(&claims, m->lanes[i].in, i))
            st = tr_fail_memory(err);
    if (st == TR_OK && !opts->ranks)
        st = tr_rank_conflicts_settle(&claims, opts->renumber, err);
    for (size_t i = 0; i < m->n && st == TR_OK; i++)
        for (size_t k = 0; k < m->lanes[i].in->dict->n_sources; k++, at++) {
            m->lanes[i].sources[k].rank = opts->ranks ? opts->ranks[at].rank : claims.v[at].rank;
            m->lanes[i].sources[k].rank_rule = opts->ranks ? opts->ranks[at].rule : claims.v[at].rule;
        }
    tr_rank_conflicts_free(&claims);
    return st;
}

/*
 * The events of an input are in the order of its sources.  New ranks must not change this order.
 * all: the sources in their new order.
 */
static enum tr_status check_orders(const struct tr__merge *m, const struct origin *all, size_t n,
                                   struct tr_error *err)
{
    uint32_t *last = calloc(m->n, sizeof *last); /* source of each lane before this one, + 1 */
    enum tr_status st = last ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        const struct tr__lane *l = all[i].lane;
        uint32_t *before = &last[l - m->lanes];
        if (*before && tr_source_cmp(l->in->dict, *before - 1, l->in->dict, all[i].number) > 0) {
            tr_error_input(err, l->in->name);
            st = tr_fail(err, TR_DAMAGED, "the new ranks change the order of the sources in this stream");
        }
        *before = all[i].number + 1;
    }
    free(last);
    return st;
}

/* Compare two neighbouring sources: do two lanes share a rank, or sources?  Two unknown ranks may be the same rank. */
static void see_shared(struct tr__merge *m, const struct origin *a, const struct origin *b)
{
    int64_t x = result_of(a)->rank, y = result_of(b)->rank;
    if (a->lane == b->lane)
        return;
    m->shared_rank |= x == y || (x < 0 && y < 0);
    m->shared_source |= origin_cmp(a, b) == 0;
}

/* All sources of all inputs in canonical order, numbered. */
static struct origin *list_origins(struct tr__merge *m, size_t n)
{
    struct origin *all = calloc(n ? n : 1, sizeof *all);
    size_t at = 0;
    if (!all)
        return NULL;
    for (size_t i = 0; i < m->n; i++)
        for (uint32_t k = 0; k < m->lanes[i].in->dict->n_sources; k++)
            all[at++] = (struct origin){ &m->lanes[i], k };
    qsort(all, n, sizeof *all, origin_order);
    uint32_t order = 0;
    for (size_t i = 0; i < n; i++) {
        order += i > 0 && origin_cmp(&all[i - 1], &all[i]) != 0;
        if (i > 0)
            see_shared(m, &all[i - 1], &all[i]);
        result_of(&all[i])->number = (uint32_t)i;
        result_of(&all[i])->order = order;
    }
    return all;
}

enum tr_status tr__merge_sources(struct tr__merge *m, const struct tr_merge_opts *opts,
                                 struct tr_error *err)
{
    size_t n = 0;
    int64_t base;
    struct origin *all = NULL;
    for (size_t i = 0; i < m->n; i++) {
        size_t n_own = m->lanes[i].in->dict->n_sources;
        m->lanes[i].sources = calloc(n_own ? n_own : 1, sizeof *m->lanes[i].sources);
        if (!m->lanes[i].sources)
            return tr_fail_memory(err);
        n += n_own;
    }
    m->summary = tr_summary_new(n);
    if (!m->summary)
        return tr_fail_memory(err);
    m->summary->sorted = true;
    enum tr_status st = settle_base(m, &base, err);
    if (st == TR_OK)
        st = settle_ranks(m, opts, err);
    if (st == TR_OK) {
        all = list_origins(m, n);
        st = all ? check_orders(m, all, n, err) : tr_fail_memory(err);
    }
    for (size_t i = 0; i < n && st == TR_OK; i++)
        if (!add_source(m, &all[i], base))
            st = tr_fail_memory(err);
    for (size_t i = 0; i < m->n && st == TR_OK; i++)
        st = tr__merge_clocks(m, &m->lanes[i], err);
    for (size_t i = 0; i < n && st == TR_OK; i++) /* their steps name tracks, which name sources */
        st = add_summary(m, &all[i], err);
    if (st == TR_OK && !tr_captures_number(m->dict, m->summary))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = tr__merge_tables(m, err);
    free(all);
    return st;
}
