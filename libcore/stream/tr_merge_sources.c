#include "stream/tr_merge_int.h"

#include <inttypes.h>
#include <stdio.h>
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

enum tr_status tr__merge_too_far(const struct tr__lane *l, struct tr_error *err)
{
    tr_error_input(err, l->in->name);
    return tr_fail(err, TR_DAMAGED,
                   "times leave the range of 64 bits: its time base is too far from those of the "
                   "other inputs");
}

/* ---- ranks ---- */

/*
 * The time of a source, from start up to but not including end, in ns that all sources share.
 * False: it has no events, or none that can be placed.
 */
static bool span_of(const struct origin *o, int64_t *start, int64_t *end)
{
    const struct tr_summary *s = o->lane->in->summary;
    if (!s || o->number >= s->n || s->sources[o->number].first_ts == TR_TIME_NONE)
        return false;
    *start = s->sources[o->number].first_ts;
    *end = s->sources[o->number].last_end;
    if (*end <= *start) /* a single moment */
        *end = *start < INT64_MAX ? *start + 1 : *start;
    return tr__merge_time(start, result_of(o)->shift) && tr__merge_time(end, result_of(o)->shift);
}

static bool same_host(const struct origin *a, const struct origin *b)
{
    uint32_t x = source_of(a)->host, y = source_of(b)->host;
    return (x == TR_NO_STR) == (y == TR_NO_STR) &&
           strcmp(tr_dict_str(a->lane->in->dict, x), tr_dict_str(b->lane->in->dict, y)) == 0;
}

/* Do two sources claim to be one process of one rank at one time? */
static bool collide(const struct origin *a, const struct origin *b)
{
    int64_t a_start, a_end, b_start, b_end;
    return a->lane != b->lane && source_of(a)->pid != TR_TIME_NONE &&
           source_of(a)->pid == source_of(b)->pid && result_of(a)->rank == result_of(b)->rank &&
           same_host(a, b) && span_of(a, &a_start, &a_end) && span_of(b, &b_start, &b_end) &&
           a_start < b_end && b_start < a_end;
}

/* Name a source by its input, and by itself where the input has several. */
static void describe(const struct origin *o, char *out, size_t size)
{
    const char *name = tr_dict_str(o->lane->in->dict, source_of(o)->name);
    if (o->lane->in->dict->n_sources == 1)
        snprintf(out, size, "%s", o->lane->in->name);
    else if (name[0])
        snprintf(out, size, "%s: %.200s", o->lane->in->name, name);
    else
        snprintf(out, size, "%s: source %u", o->lane->in->name, o->number);
}

static enum tr_status refuse(const struct origin *first, const struct origin *second,
                             struct tr_error *err)
{
    char a[800], b[800];
    describe(first, a, sizeof a);
    describe(second, b, sizeof b);
    tr_error_input(err, b);
    return tr_fail(err, TR_DAMAGED,
                   "is rank %" PRId64 ", process %" PRId64 " at the same time as %s: "
                   "give one of them another rank (--rank), or let that be done (--renumber)",
                   result_of(second)->rank, source_of(second)->pid, a);
}

/* The ranks in use, ascending. */
struct ranks {
    int64_t *v;
    size_t n, cap;
};

static size_t rank_place(const struct ranks *r, int64_t rank)
{
    size_t low = 0, high = r->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (r->v[mid] < rank)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool rank_add(struct ranks *r, int64_t rank)
{
    size_t at = rank_place(r, rank);
    if (at < r->n && r->v[at] == rank)
        return true;
    if (!tr_grow(&r->v, &r->cap, r->n + 1, sizeof *r->v))
        return false;
    memmove(r->v + at + 1, r->v + at, (r->n - at) * sizeof *r->v);
    r->v[at] = rank;
    r->n++;
    return true;
}

/* The smallest rank above one, and not negative, that is free; -1: there is none. */
static int64_t next_free(const struct ranks *r, int64_t above)
{
    int64_t rank = above < 0 ? -1 : above;
    size_t at = rank == INT64_MAX ? r->n : rank_place(r, rank + 1);
    do {
        if (rank == INT64_MAX)
            return -1;
        rank++;
    } while (at < r->n && r->v[at++] == rank);
    return rank;
}

static int by_rank(const void *a, const void *b)
{
    int64_t x = result_of(a)->rank, y = result_of(b)->rank;
    return x < y ? -1 : x > y;
}

/*
 * Give the sources of an input free ranks.  All of them: only so do they keep their order, on which the
 * order of its events rests.
 */
static enum tr_status renumber_lane(struct origin *sources, size_t n, struct ranks *used,
                                    struct tr_error *err)
{
    int64_t from = 0, to = -1;
    qsort(sources, n, sizeof *sources, by_rank);
    for (size_t i = 0; i < n; i++) {
        struct tr__lane_source *s = result_of(&sources[i]);
        if (i == 0 || s->rank != from) {
            from = s->rank;
            to = next_free(used, to > from ? to : from);
            if (to < 0)
                return tr_fail(err, TR_DAMAGED, "no rank above %" PRId64 " is free", from);
            if (!rank_add(used, to))
                return tr_fail_memory(err);
        }
        s->rank = to;
    }
    return TR_OK;
}

/* Find sources that collide, in the order of the inputs; refuse them, or renumber the later input. */
static enum tr_status settle_ranks(struct tr__merge *m, bool renumber, struct tr_error *err)
{
    struct ranks used = { NULL, 0, 0 };
    struct origin *all = NULL;
    size_t n = 0, cap = 0;
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < m->n && st == TR_OK; i++)
        for (uint32_t k = 0; k < m->lanes[i].in->dict->n_sources && st == TR_OK; k++)
            if (!rank_add(&used, m->lanes[i].sources[k].rank))
                st = tr_fail_memory(err);
    for (size_t i = 0; i < m->n && st == TR_OK; i++) {
        uint32_t n_own = (uint32_t)m->lanes[i].in->dict->n_sources;
        const struct origin *with = NULL;
        if (!tr_grow(&all, &cap, n + n_own + 1, sizeof *all)) {
            st = tr_fail_memory(err);
            break;
        }
        for (uint32_t k = 0; k < n_own; k++)
            all[n + k] = (struct origin){ &m->lanes[i], k };
        for (uint32_t k = 0; k < n_own && !with; k++)
            for (size_t j = 0; j < n && !with; j++)
                if (collide(&all[j], &all[n + k])) {
                    with = &all[j];
                    if (!renumber)
                        st = refuse(with, &all[n + k], err);
                }
        if (with && renumber)
            st = renumber_lane(all + n, n_own, &used, err);
        n += n_own;
    }
    free(all);
    free(used.v);
    return st;
}

/* ---- the rows of the result ---- */

static bool add_source(struct tr__merge *m, const struct origin *o, int64_t base)
{
    const struct tr_source *from = source_of(o);
    struct tr_source s = *from;
    size_t n = s.n_header ? s.n_header : 1;
    s.header_keys = calloc(n, sizeof *s.header_keys);
    s.header_values = calloc(n, sizeof *s.header_values);
    bool ok = s.header_keys && s.header_values;
    s.name = tr__merge_string(m, o->lane, from->name);
    s.host = tr__merge_string(m, o->lane, from->host);
    s.mesh = tr__merge_string(m, o->lane, from->mesh);
    s.format = tr__merge_string(m, o->lane, from->format);
    for (uint32_t i = 0; ok && i < s.n_header; i++) {
        s.header_keys[i] = tr__merge_string(m, o->lane, from->header_keys[i]);
        s.header_values[i] = tr__merge_string(m, o->lane, from->header_values[i]);
    }
    s.base_ns = base;
    if (s.rank != result_of(o)->rank) {
        s.rank = result_of(o)->rank;
        s.rank_rule = TR_RANK_RENUMBERED;
    }
    ok = ok && !m->failed && tr_dict_add_source(m->dict, &s) != UINT32_MAX;
    free(s.header_keys);
    free(s.header_values);
    return ok;
}

static enum tr_status add_summary(struct tr__merge *m, const struct origin *o, struct tr_error *err)
{
    struct tr_source_summary *s = &m->summary->sources[result_of(o)->number];
    const struct tr_summary *of = o->lane->in->summary;
    if (!of || o->number >= of->n)
        return TR_OK;
    int64_t shift = result_of(o)->shift;
    *s = of->sources[o->number];
    s->steps = NULL;
    s->n_steps = s->cap_steps = 0;
    m->summary->filtered |= of->filtered;
    if (!tr__merge_time(&s->first_ts, shift) || !tr__merge_time(&s->last_end, shift))
        return tr__merge_too_far(o->lane, err);
    for (size_t i = 0; i < of->sources[o->number].n_steps; i++) {
        struct tr_step step = of->sources[o->number].steps[i];
        if (!tr__merge_time(&step.start, shift) || !tr__merge_time(&step.end, shift))
            return tr__merge_too_far(o->lane, err);
        step.track = tr__merge_track(m, o->lane, step.track);
        if (m->failed || !tr_summary_add_step(s, &step))
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
            m->lanes[i].sources[k].rank = s->rank;
        }
    return TR_OK;
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
        result_of(&all[i])->number = (uint32_t)i;
        result_of(&all[i])->order = order;
    }
    return all;
}

enum tr_status tr__merge_sources(struct tr__merge *m, bool renumber, struct tr_error *err)
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
        st = settle_ranks(m, renumber, err);
    if (st == TR_OK) {
        all = list_origins(m, n);
        st = all ? TR_OK : tr_fail_memory(err);
    }
    for (size_t i = 0; i < n && st == TR_OK; i++)
        if (!add_source(m, &all[i], base))
            st = tr_fail_memory(err);
    for (size_t i = 0; i < m->n && st == TR_OK; i++)
        st = tr__merge_clocks(m, &m->lanes[i], err);
    for (size_t i = 0; i < n && st == TR_OK; i++) /* their steps name tracks, which name sources */
        st = add_summary(m, &all[i], err);
    free(all);
    return st;
}
