/* SPDX-License-Identifier: MIT */
/* How long did collectives take: waiting, moving data?  And who came last? */
#include "analysis/comm/tr_collective_times.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "engine/tr_analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tr_collective_picked(const struct tr_colls *c, size_t coll)
{
    const struct tr_coll_member *m = &c->members[c->colls[coll].first];
    for (uint32_t k = 0; k < c->colls[coll].n; k++)
        if (m[k].picked)
            return true;
    return false;
}

/* Bytes on which all members agree; -1: they do not agree, or unknown. */
static int64_t bytes_of(const struct tr_dict *dict, const struct tr_colls *c,
                        const struct tr_coll *coll)
{
    const struct tr_coll_member *m = &c->members[coll->first];
    int64_t bytes = -1;
    if (coll->wrong & (TR_COLL_NAMES_DIFFER | TR_COLL_SIZES_DIFFER))
        return -1;
    for (uint32_t k = 0; k < coll->n; k++) {
        int64_t own = tr_coll_call_bytes(dict, &c->calls[m[k].call], (enum tr_coll_type)m[k].type);
        bytes = own > bytes ? own : bytes; /* for gather and scatter, only the root knows all bytes */
    }
    return bytes;
}

/*
 * Calls of the host may return before the data have moved, and a rank alone moves none.  A message has two ranks, even
 * if only one of them was read.
 */
static bool has_rate(const struct tr_colls *c, const struct tr_coll *coll)
{
    bool message = coll->type == TR_COLL_SEND || coll->type == TR_COLL_RECV;
    return !c->host && (message || tr_coll_size(c, coll) != 1);
}

static void rates(const struct tr_colls *c, const struct tr_coll *coll, struct tr_collective_times *t)
{
    t->algbw = t->busbw = 0;
    if (t->bytes < 0 || t->dur_min <= 0 || !has_rate(c, coll))
        return;
    t->algbw = (double)t->bytes / ((double)t->dur_min / 1e9);
    t->busbw = t->algbw * tr_coll_bus_factor((enum tr_coll_type)coll->type, tr_coll_size(c, coll));
}

/* Do the times of these members compare? */
static bool comparable(const struct tr_dict *dict, const struct tr_colls *c, const struct tr_coll *o)
{
    uint32_t with = 0, moved = 0;
    for (uint32_t k = 0; k < o->n; k++) {
        const struct tr_coll_member *m = &c->members[o->first + k];
        const struct tr_clock *clock = tr_dict_clock(dict, m->track);
        with += dict->sources[m->source].has_base;
        moved += clock && !clock->domain;
    }
    return c->aligned || !with || with == o->n || moved == o->n;
}

bool tr_collective_measure(const struct tr_dict *dict, const struct tr_colls *c, size_t coll,
                           bool suspect, struct tr_collective_times *t)
{
    const struct tr_coll *o = &c->colls[coll];
    int64_t first_end = INT64_MAX, last_end = INT64_MIN;
    *t = (struct tr_collective_times){ .dur_min = INT64_MAX, .bytes = bytes_of(dict, c, o) };
    for (uint32_t k = 0; k < o->n; k++) {
        const struct tr_coll_member *m = &c->members[o->first + k];
        if (m->suspect && !suspect)
            continue;
        int64_t dur = m->end - m->start;
        if (t->n++ == 0)
            t->first = t->last = k;
        t->first = m->start < c->members[o->first + t->first].start ? k : t->first;
        t->last = m->start > c->members[o->first + t->last].start ? k : t->last;
        first_end = m->end < first_end ? m->end : first_end;
        last_end = m->end > last_end ? m->end : last_end;
        t->dur_min = dur < t->dur_min ? dur : t->dur_min;
        t->dur_max = dur > t->dur_max ? dur : t->dur_max;
    }
    if (t->n == 0)
        return false;
    t->compared = t->n > 1 && comparable(dict, c, o);
    rates(c, o, t);
    if (t->n > 1 && !t->compared) {
        t->spread = t->transfer = t->end_spread = t->wait = TR_TIME_NONE;
        return true;
    }
    int64_t last = c->members[o->first + t->last].start;
    for (uint32_t k = 0; k < o->n; k++)
        if (suspect || !c->members[o->first + k].suspect)
            t->wait = tr_time_sum(t->wait, tr_time_diff(last, c->members[o->first + k].start));
    t->spread = tr_time_diff(last, c->members[o->first + t->first].start);
    t->transfer = tr_time_diff(first_end, last);
    t->end_spread = tr_time_diff(last_end, first_end);
    t->early = t->transfer != TR_TIME_NONE && t->transfer < 0 && tr_coll_is_sync((enum tr_coll_type)o->type);
    return true;
}

/* ---- clocks ---- */

bool tr_collective_skewed(const struct tr_collective_times *t)
{
    return t->end_spread != TR_TIME_NONE && t->spread != TR_TIME_NONE && t->end_spread > TR_ONE_MOMENT &&
           t->end_spread >= t->spread / 2;
}

bool tr_collective_of_one_source(const struct tr_colls *c, const struct tr_coll *coll)
{
    const struct tr_coll_member *m = &c->members[coll->first];
    for (uint32_t k = 1; k < coll->n; k++)
        if (m[k].source != m->source)
            return false;
    return true;
}

bool tr_collective_find_differ(const struct tr_dict *dict, struct tr_colls *c, bool suspect)
{
    int64_t *most = calloc(c->n_groups + 1, sizeof *most); /* those that show that clocks differ, less the others */
    struct tr_collective_times t;
    if (!c->differ && most)
        c->differ = calloc(c->n_groups + 1, 1);
    bool ok = c->differ && most;
    for (size_t i = 0; ok && i < c->n; i++) {
        const struct tr_coll *coll = &c->colls[i];
        if (!tr_coll_is_sync((enum tr_coll_type)coll->type) || !tr_collective_measure(dict, c, i, suspect, &t) ||
            !t.compared)
            continue;
        bool shows = (t.early || tr_collective_skewed(&t)) && !tr_collective_of_one_source(c, coll);
        most[coll->group] += shows ? 1 : -1;
    }
    for (size_t g = 0; ok && g < c->n_groups; g++)
        c->differ[g] = most[g] > 0;
    free(most);
    return ok;
}

/* ---- sums ---- */

static bool stat_add(struct tr_collective_stat *s, int64_t value)
{
    if (!s->hist) {
        s->stats = (struct tr_stats)TR_STATS_INIT;
        s->hist = tr_hist_new(1u << 16);
    }
    if (!s->hist)
        return false;
    tr_stats_add(&s->stats, value);
    return tr_hist_add(s->hist, value, 1);
}

static bool same_line(const struct tr_dict *dict, const struct tr_colls *c,
                      const struct tr_collective_sum *s, size_t coll, int64_t bytes, enum tr_collective_by by)
{
    const struct tr_coll *a = &c->colls[s->coll], *b = &c->colls[coll];
    if (by == TR_COLLECTIVE_BY_GROUP)
        return a->group == b->group;
    if (a->type != b->type || (by == TR_COLLECTIVE_BY_SIZE && s->bytes != bytes) ||
        tr_str_cmp(tr_coll_label(dict, c, a), tr_coll_label(dict, c, b)) != 0)
        return false;
    return by == TR_COLLECTIVE_BY_NAME ||
           c->calls[c->members[a->first].call].dtype == c->calls[c->members[b->first].call].dtype;
}

/* Equal for all collectives of one line. */
static uint64_t line_hash(const struct tr_dict *dict, const struct tr_colls *c, size_t coll, int64_t bytes,
                          enum tr_collective_by by)
{
    const struct tr_coll *l = &c->colls[coll];
    struct tr_str label = tr_coll_label(dict, c, l);
    if (by == TR_COLLECTIVE_BY_GROUP)
        return tr_hash(&l->group, sizeof l->group);
    return tr_hash(label.s, label.len) ^ (by == TR_COLLECTIVE_BY_SIZE ? tr_hash(&bytes, sizeof bytes) : 0);
}

static struct tr_collective_sum *line_of(const struct tr_dict *dict, const struct tr_colls *c,
                                         struct tr_hash_index *index, struct tr_collective_sums *out, size_t coll,
                                         int64_t bytes, enum tr_collective_by by)
{
    uint64_t hash = line_hash(dict, c, coll, bytes, by);
    struct tr_hash_walk walk = tr_hash_index_walk(index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (same_line(dict, c, &out->v[i], coll, bytes, by))
            return &out->v[i];
    if (out->n >= TR_HASH_NONE - 1 || !tr_grow(&out->v, &out->cap, out->n + 1, sizeof *out->v) ||
        !tr_hash_index_add(index, hash, (uint32_t)out->n))
        return NULL;
    out->v[out->n] = (struct tr_collective_sum){ .coll = coll, .bytes = bytes };
    return &out->v[out->n++];
}

/* together: all its members end at one moment. */
static bool line_add(struct tr_collective_sum *s, const struct tr_collective_times *t, bool together)
{
    together = together && t->n > 1 && t->end_spread != TR_TIME_NONE;
    return stat_add(&s->dur, t->dur_min) && (!together || stat_add(&s->ends, t->end_spread)) &&
           (t->n < 2 || t->spread == TR_TIME_NONE || stat_add(&s->spread, t->spread)) &&
           (t->algbw <= 0 || stat_add(&s->algbw, llround(t->algbw))) &&
           (t->busbw <= 0 || stat_add(&s->busbw, llround(t->busbw)));
}

/* Sums, the largest first; one that does not fit counts as larger than all others. */
static int largest_first(int64_t p, int64_t q)
{
    if ((p == TR_TIME_NONE) != (q == TR_TIME_NONE))
        return p == TR_TIME_NONE ? -1 : 1;
    return (p < q) - (p > q);
}

TR_ORDER(by_sum, struct tr_collective_sum, largest_first(tr_stats_sum(&a->dur.stats), tr_stats_sum(&b->dur.stats)),
         TR_UP(coll))

enum tr_status tr_collective_sum_up(const struct tr_dict *dict, const struct tr_colls *c,
                                    enum tr_collective_by by, bool suspect, struct tr_collective_sums *out,
                                    struct tr_error *err)
{
    struct tr_collective_times t;
    struct tr_hash_index lines = { 0 };
    enum tr_status st = TR_OK;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < c->n && st == TR_OK; i++) {
        if (!tr_collective_picked(c, i))
            continue;
        out->left.chosen++;
        if (!tr_collective_measure(dict, c, i, suspect, &t)) {
            out->left.untimed++;
            continue;
        }
        struct tr_collective_sum *s = line_of(dict, c, &lines, out, i, t.bytes, by);
        if (!s || !line_add(s, &t, !c->host && tr_coll_is_sync((enum tr_coll_type)c->colls[i].type)))
            st = tr_fail_memory(err);
        else
            s->differ |= tr_collective_differs(c, &c->colls[i]);
    }
    tr_hash_index_free(&lines);
    if (st != TR_OK)
        return st;
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_sum);
    for (size_t i = 0; i < out->n; i++) {
        struct tr_collective_stat *stats[] = { &out->v[i].dur, &out->v[i].spread, &out->v[i].ends, &out->v[i].algbw,
                                               &out->v[i].busbw };
        for (size_t k = 0; k < sizeof stats / sizeof *stats; k++)
            if (stats[k]->hist)
                tr_hist_seal(stats[k]->hist);
    }
    return TR_OK;
}

void tr_collective_sums_free(struct tr_collective_sums *s)
{
    for (size_t i = 0; i < s->n; i++) {
        tr_hist_free(s->v[i].dur.hist);
        tr_hist_free(s->v[i].spread.hist);
        tr_hist_free(s->v[i].ends.hist);
        tr_hist_free(s->v[i].algbw.hist);
        tr_hist_free(s->v[i].busbw.hist);
    }
    free(s->v);
    memset(s, 0, sizeof *s);
}

/* ---- who comes last ---- */

static bool everybody_waits(const struct tr_coll *coll)
{
    return tr_coll_is_sync((enum tr_coll_type)coll->type) || coll->type == TR_COLL_ALLTOALLV ||
           coll->type == TR_COLL_UNKNOWN || coll->type == TR_COLL_SENDRECV;
}

static int64_t step_of(const struct tr_colls *c, const struct tr_coll *coll, const struct tr_dict *dict,
                       const struct tr_steps *steps)
{
    int64_t step;
    for (uint32_t k = 0; steps && k < coll->n; k++) {
        const struct tr_coll_member *m = &c->members[coll->first + k];
        int64_t ts = c->host ? m->start - m->moved : m->launch; /* steps are on the clock of their rank */
        uint32_t track = c->host || m->launch == TR_TIME_NONE ? m->track : m->host_track;
        if (tr_steps_find(steps, dict, (struct tr_step_moment){ ts, m->source, track }, &step))
            return step;
    }
    return TR_I64_NONE;
}

/* The lines of a step, one for each party.  Steps come in order, so the search starts at the end. */
static struct tr_collective_lag *lags_of(struct tr_collective_lags *out, size_t n_parties, int64_t step)
{
    for (size_t i = out->n; i > 0; i -= n_parties)
        if (out->v[i - n_parties].step == step)
            return &out->v[i - n_parties];
    if (!tr_grow(&out->v, &out->cap, out->n + n_parties, sizeof *out->v))
        return NULL;
    for (size_t p = 0; p < n_parties; p++)
        out->v[out->n++] = (struct tr_collective_lag){
            .party = (uint32_t)p, .step = step, .lag = TR_STATS_INIT, .wait = TR_STATS_INIT
        };
    return &out->v[out->n - n_parties];
}

static bool lag_add(struct tr_collective_lags *out, const struct tr_colls *c, const struct tr_coll *coll,
                    const struct tr_collective_times *t, bool suspect, int64_t step)
{
    const struct tr_coll_member *m = &c->members[coll->first];
    struct tr_collective_lag *lags = lags_of(out, c->n_parties, step);
    bool apart = m[t->last].start > m[t->first].start; /* also if the spread does not fit */
    for (uint32_t k = 0; lags && k < coll->n; k++) {
        if (m[k].suspect && !suspect)
            continue;
        struct tr_collective_lag *l = &lags[m[k].party];
        l->n++;
        l->differ |= tr_collective_differs(c, coll);
        l->n_last += k == t->last && apart;
        l->n_first += k == t->first && apart;
        l->caused = tr_time_sum(l->caused, k == t->last ? t->wait : 0);
        l->dur = tr_time_sum(l->dur, m[k].end - m[k].start);
        tr_stats_add_known(&l->lag, tr_time_diff(m[k].start, m[t->first].start));
        tr_stats_add_known(&l->wait, tr_time_diff(m[t->last].start, m[k].start));
    }
    return lags != NULL;
}

static int by_cause(const void *x, const void *y)
{
    const struct tr_collective_lag *a = x, *b = y;
    int64_t p = a->step == TR_I64_NONE ? INT64_MAX : a->step; /* outside of steps: last */
    int64_t q = b->step == TR_I64_NONE ? INT64_MAX : b->step;
    if (p != q)
        return p < q ? -1 : 1;
    int c = largest_first(a->caused, b->caused);
    return c ? c : (a->party > b->party) - (a->party < b->party);
}

/* Measure a chosen collective, or count the reason why it is left out. */
static bool takes_part(const struct tr_dict *dict, const struct tr_colls *c, size_t coll, bool suspect,
                       struct tr_collective_times *t, struct tr_collective_left *left)
{
    left->chosen++;
    if (!everybody_waits(&c->colls[coll]))
        left->one_sided++;
    else if (c->colls[coll].n < 2)
        left->alone++;
    else if (!tr_collective_measure(dict, c, coll, suspect, t) || t->n < 2)
        left->untimed++;
    else if (!t->compared)
        left->no_base++;
    else
        return true;
    return false;
}

enum tr_status tr_collective_lag_of_all(const struct tr_dict *dict, const struct tr_colls *c,
                                        const struct tr_steps *steps, bool suspect,
                                        struct tr_collective_lags *out, struct tr_error *err)
{
    struct tr_collective_times t;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < c->n; i++) {
        const struct tr_coll *coll = &c->colls[i];
        if (!tr_collective_picked(c, i) || !takes_part(dict, c, i, suspect, &t, &out->left))
            continue;
        if (!lag_add(out, c, coll, &t, suspect, step_of(c, coll, dict, steps)))
            return tr_fail_memory(err);
    }
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++)
        if (out->v[i].n)
            out->v[n++] = out->v[i];
    out->n = n;
    if (n)
        qsort(out->v, n, sizeof *out->v, by_cause);
    return TR_OK;
}

void tr_collective_lags_free(struct tr_collective_lags *l)
{
    free(l->v);
    memset(l, 0, sizeof *l);
}
