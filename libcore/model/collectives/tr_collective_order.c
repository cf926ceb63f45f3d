/* SPDX-License-Identifier: MIT */
/* Matches collectives without numbers: by the order of host records, by ends, or by the order of members. */
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "base/tr_time.h"
#include "model/collectives/tr_collective_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TRIES 8 /* parties that are tried as the first one, with which the others are aligned */

/* Values for members that are equal to others of their sequence.  They differ from all kinds, and from each other. */
#define MANY_A (UINT64_C(1) << 63)
#define MANY_B (MANY_A + 1)

/* ---- lanes: which streams of the parties belong together ---- */

/* The different streams of keys of one party, sorted; *n of them, in place. */
static void distinct(const struct tr__coll_key *k, size_t n_keys, int64_t *streams, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < n_keys; i++) {
        size_t at = *n;
        while (at > 0 && streams[at - 1] > k[i].seq)
            at--;
        if (at > 0 && streams[at - 1] == k[i].seq)
            continue;
        memmove(&streams[at + 1], &streams[at], (*n - at) * sizeof *streams);
        streams[at] = k[i].seq;
        ++*n;
    }
}

static size_t party_end(const struct tr__coll_key *k, size_t n, size_t i)
{
    size_t e = i;
    while (e < n && k[e].party == k[i].party)
        e++;
    return e;
}

bool tr__coll_set_lanes(const struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n)
{
    size_t n_first, n_own, e;
    bool same = true, as_many = true;
    int64_t *first = malloc((n + 1) * sizeof *first), *own = malloc((n + 1) * sizeof *own);
    if (!first || !own) {
        free(first);
        free(own);
        return false;
    }
    distinct(k, party_end(k, n, 0), first, &n_first);
    for (size_t i = 0; i < n; i = e) {
        e = party_end(k, n, i);
        distinct(k + i, e - i, own, &n_own);
        as_many = as_many && n_own == n_first;
        same = same && n_own == n_first && memcmp(own, first, n_own * sizeof *own) == 0;
    }
    for (size_t i = 0; i < n && !same && as_many; i = e) {
        e = party_end(k, n, i);
        distinct(k + i, e - i, own, &n_own);
        for (size_t j = i; j < e; j++) {
            int64_t place = 0;
            while (own[place] != k[j].seq)
                place++;
            k[j].seq = place;
        }
    }
    for (size_t i = 0; i < n && !same && !as_many; i++)
        if (w->c->groups[k->group].name != TR_NO_STR || w->c->groups[k->group].sets != TR_NO_STR)
            k[i].seq = 0;
    free(first);
    free(own);
    return true;
}

/* ---- order ---- */

/* The collectives of a lane so far, in order, and the properties of their members. */
struct profile {
    uint32_t *coll;
    struct tr__coll_mark *mark;
    size_t n;
};

/* Two profiles, because one is made from the other, and memory for the sequence to be aligned. */
struct aligner {
    struct profile now, next;
    struct tr__coll_mark *mark;
    uint64_t *sig, *own_sig, *sorted;
    size_t *at;
};

static bool aligner_init(struct aligner *a, size_t n)
{
    const size_t size = sizeof(struct tr__coll_mark);
    *a = (struct aligner){ .now = { malloc(n * sizeof(uint32_t)), malloc(n * size), 0 },
                           .next = { malloc(n * sizeof(uint32_t)), malloc(n * size), 0 },
                           .mark = malloc(n * size),
                           .sig = malloc(n * sizeof(uint64_t)),
                           .own_sig = malloc(n * sizeof(uint64_t)),
                           .sorted = malloc(n * sizeof(uint64_t)),
                           .at = malloc(n * sizeof(size_t)) };
    return a->now.coll && a->now.mark && a->next.coll && a->next.mark && a->mark && a->sig && a->own_sig && a->sorted &&
           a->at;
}

static void aligner_free(struct aligner *a)
{
    free(a->now.coll);
    free(a->now.mark);
    free(a->next.coll);
    free(a->next.mark);
    free(a->mark);
    free(a->sig);
    free(a->own_sig);
    free(a->sorted);
    free(a->at);
}

static void append(struct profile *p, uint32_t coll, const struct tr__coll_mark *mark)
{
    p->coll[p->n] = coll;
    p->mark[p->n++] = *mark;
}

static struct tr__coll_mark mark_of(const struct tr__coll_matcher *w, const struct tr__coll_key *k)
{
    const struct tr_colls *c = w->c;
    const struct tr_coll_member *m = &c->members[k->member];
    const struct tr_coll_call *call = &c->calls[m->call];
    return (struct tr__coll_mark){ .end = m->suspect ? TR_TIME_NONE : m->end,
                                   .sig = k->sig,
                                   .kind = (uint64_t)tr__coll_kind(c, m),
                                   .noted = call->name != TR_NO_STR &&
                                            tr__coll_is_note(tr_dict_text(w->f->dict, call->name)),
                                   .vague = call->dtype == TR_NO_STR && call->in_elems < 0 && call->out_elems < 0,
                                   .sync = !c->host && tr_coll_is_sync((enum tr_coll_type)m->type) };
}

/* Replace values that occur more than once by otherwise. */
static void keep_single(uint64_t *sig, size_t n, uint64_t *sorted, uint64_t otherwise)
{
    memcpy(sorted, sig, n * sizeof *sig);
    qsort(sorted, n, sizeof *sorted, tr_by_u64);
    for (size_t i = 0; i < n; i++) {
        const uint64_t *at = bsearch(&sig[i], sorted, n, sizeof *sorted, tr_by_u64);
        size_t place = (size_t)(at - sorted);
        if ((place > 0 && at[-1] == *at) || (place + 1 < n && at[1] == *at))
            sig[i] = otherwise;
    }
}

/* If neither ends nor order can be used: match only members that are equal, and occur exactly once on both sides. */
static bool pair_singles(struct aligner *a, size_t n)
{
    keep_single(a->sig, a->now.n, a->sorted, MANY_A);
    keep_single(a->own_sig, n, a->sorted, MANY_B);
    if (!tr__coll_align(a->sig, a->now.n, a->own_sig, n, a->at))
        return false;
    for (size_t i = 0; i < n; i++)
        if (a->at[i] != SIZE_MAX && a->sig[a->at[i]] != a->own_sig[i])
            a->at[i] = SIZE_MAX;
    return true;
}

/* Align the members of a party with the collectives so far: by their ends, or else by order. */
static bool find_places(struct tr__coll_matcher *w, struct aligner *a, const struct tr__coll_key *k, size_t n,
                        struct tr__coll_clock *clock)
{
    for (size_t i = 0; i < n; i++)
        a->mark[i] = mark_of(w, &k[i]);
    *clock = (struct tr__coll_clock){ .verdict = TR__COLL_AGREE }; /* with itself, if it is the first */
    if (a->now.n && !tr__coll_vote(a->now.mark, a->now.n, a->mark, n, clock, a->at))
        return false;
    if (a->now.n && clock->verdict == TR__COLL_DISAGREE &&
        !tr__coll_vote_bursts(a->now.mark, a->now.n, a->mark, n, clock, a->at))
        return false;
    for (size_t i = 0; i < n; i++) {
        w->c->members[k[i].member].doubt = clock->verdict == TR__COLL_DISAGREE;
        if (!a->now.n)
            continue;
        a->mark[i].end = clock->verdict >= TR__COLL_ORDER ? tr__coll_clock_apply(clock, a->mark[i].end) : TR_TIME_NONE;
    }
    if (a->now.n && clock->verdict >= TR__COLL_BURSTS)
        return true;
    bool noted = false; /* sizes from annotations may differ between ranks, so they are not compared for alignment */
    for (size_t i = 0; i < a->now.n; i++)
        noted = noted || a->now.mark[i].noted;
    for (size_t i = 0; i < n; i++)
        noted = noted || a->mark[i].noted;
    for (size_t i = 0; i < a->now.n; i++)
        a->sig[i] = noted ? a->now.mark[i].kind : a->now.mark[i].sig;
    for (size_t i = 0; i < n; i++)
        a->own_sig[i] = noted ? a->mark[i].kind : a->mark[i].sig;
    if (a->now.n && clock->verdict == TR__COLL_DISAGREE)
        return pair_singles(a, n);
    return tr__coll_align(a->sig, a->now.n, a->own_sig, n, a->at);
}

/* Copy collectives to the next profile, up to place to; with a time by, only while they end by this time. */
static void pass_on(struct aligner *a, size_t *from, size_t to, int64_t by)
{
    for (; *from < to && (by == TR_TIME_NONE || a->now.mark[*from].end <= by); ++*from)
        append(&a->next, a->now.coll[*from], &a->now.mark[*from]);
}

/*
 * Align the members of one party with the collectives so far.  Members without a partner become new collectives.  These
 * are not in the next profile if no clock shows their place.
 */
static bool add_sequence(struct tr__coll_matcher *w, struct aligner *a, struct tr__coll_key *k,
                         size_t n)
{
    struct tr__coll_clock clock;
    size_t from = 0, next = 0;
    if (!find_places(w, a, k, n, &clock))
        return false;
    a->next.n = 0;
    for (size_t i = 0; i < n; i++) {
        k[i].apart = (clock.verdict == TR__COLL_DISAGREE || clock.verdict == TR__COLL_BURSTS) && a->at[i] == SIZE_MAX;
        if (a->at[i] != SIZE_MAX) {
            pass_on(a, &from, a->at[i] + 1, TR_TIME_NONE);
            k[i].coll = a->now.coll[a->at[i]];
            continue;
        }
        for (next = next > i ? next : i; next < n && a->at[next] == SIZE_MAX; next++)
            ;
        if (a->mark[i].end != TR_TIME_NONE && !k[i].apart)
            pass_on(a, &from, next < n ? a->at[next] : a->now.n, a->mark[i].end);
        k[i].coll = (uint32_t)w->c->n;
        if (!tr__coll_add(w, 1, k, k[i].apart ? -1 : 0))
            return false;
        if (!k[i].apart)
            append(&a->next, k[i].coll, &a->mark[i]);
    }
    pass_on(a, &from, a->now.n, TR_TIME_NONE);
    struct profile p = a->now;
    a->now = a->next;
    a->next = p;
    return true;
}

/* The keys of one party in a lane, from the first one. */
struct turn {
    size_t from, n;
};

TR_ORDER(by_length, struct turn, TR_DOWN(n), TR_UP(from))

/* Align all parties of a lane: the first one, then each other one with the collectives so far.  *odd: the number of
 * parties that do not agree with these on any clock. */
static bool try_first(struct tr__coll_matcher *w, struct aligner *a, struct tr__coll_key *k, size_t n, size_t first,
                      size_t *odd)
{
    a->now.n = 0;
    *odd = 0;
    if (!add_sequence(w, a, k + first, party_end(k, n, first) - first))
        return false;
    for (size_t i = 0, e; i < n; i = e) {
        e = party_end(k, n, i);
        if (i != first && !add_sequence(w, a, k + i, e - i))
            return false;
        *odd += w->c->members[k[i].member].doubt;
    }
    return true;
}

/* Does every party, except the one whose keys start at from, have members that are apart? */
static bool all_apart(const struct tr__coll_key *k, size_t n, size_t from)
{
    for (size_t i = 0, e; i < n; i = e) {
        bool any = i == from;
        e = party_end(k, n, i);
        for (size_t j = i; j < e; j++)
            any = any || k[j].apart;
        if (!any)
            return false;
    }
    return party_end(k, n, 0) < n;
}

/* Then the members of this party without a partner are apart, too.  doubt: no other party agrees with it. */
static void part_first(struct tr__coll_matcher *w, struct aligner *a, struct tr__coll_key *k, size_t n, size_t from,
                       bool doubt)
{
    size_t base = w->c->n;
    for (size_t i = 0; i < n; i++)
        base = k[i].coll < base ? k[i].coll : base;
    memset(a->at, 0, n * sizeof *a->at);
    for (size_t i = 0; i < n; i++)
        a->at[k[i].coll - base]++;
    for (size_t i = from; i < n && k[i].party == k[from].party; i++)
        if (a->at[k[i].coll - base] == 1) {
            k[i].apart = true;
            w->c->members[k[i].member].doubt = doubt;
        }
}

/* Number the collectives of a lane: first those of the profile, in its order, then those that are apart. */
static void number_lane(struct tr__coll_matcher *w, const struct aligner *a, const struct tr__coll_key *k, size_t n)
{
    int64_t next = (int64_t)a->now.n;
    for (size_t i = 0; i < a->now.n; i++)
        w->c->colls[a->now.coll[i]].seq = (int64_t)i;
    for (size_t i = 0; i < n; i++) {
        struct tr_coll *coll = &w->c->colls[k[i].coll];
        if (!k[i].apart)
            continue;
        coll->seq = coll->seq < 0 ? next++ : coll->seq;
        coll->how = TR_COLL_ALONE;
        coll->line++;
    }
}

bool tr__coll_match_lane(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n)
{
    struct aligner a;
    struct turn *turns = malloc(n * sizeof *turns);
    size_t n_turns = 0, odd = 0, n_colls = w->c->n, first = 0;
    bool ok = aligner_init(&a, n) && turns;
    for (size_t i = 0, e; ok && i < n; i = e) {
        e = party_end(k, n, i);
        turns[n_turns++] = (struct turn){ i, e - i };
    }
    if (ok)
        qsort(turns, n_turns, sizeof *turns, by_length);
    size_t tries = n_turns < 3 ? 1 : n_turns < MAX_TRIES ? n_turns : MAX_TRIES;
    for (size_t t = 0; ok && t <= tries; t++) {
        first = turns[t < tries ? t * n_turns / tries : 0].from;
        w->c->n = n_colls;
        ok = try_first(w, &a, k, n, first, &odd);
        if (tries == 1 || 2 * odd < n_turns)
            break;
    }
    if (ok && all_apart(k, n, first))
        part_first(w, &a, k, n, first, odd + 1 == n_turns);
    if (ok)
        number_lane(w, &a, k, n);
    aligner_free(&a);
    free(turns);
    return ok;
}

/* ---- places among host records ---- */

/* Do all members have a place among host records that are the same on all ranks, and is each party in one source? */
static bool all_counted(const struct tr__coll_matcher *w, const struct tr__coll_key *k, size_t n)
{
    const struct tr_coll_member *all = w->c->members, *last = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct tr_coll_member *m = &all[k[i].member];
        if (m->place == TR_I64_NONE || m->order != all[k->member].order || k[i].src >= 0 ||
            (last && last->party == m->party && last->source != m->source))
            return false;
        last = m;
    }
    return true;
}

/* The n marks of one party, and their n places. */
struct counted {
    struct tr__coll_mark *mark;
    int64_t *place;
    size_t n, *at;
};

static void count_party(const struct tr__coll_matcher *w, const struct tr__coll_key *k, size_t n, struct counted *c)
{
    c->n = n;
    for (size_t i = 0; i < n; i++) {
        c->mark[i] = mark_of(w, &k[i]);
        c->place[i] = w->c->members[k[i].member].place;
    }
}

/*
 * Do ends clearly show that the places of a party do not correspond to equal places of the first party?  This happens
 * if profilers started at different collectives.  Then most ends of equal places are not even close together.
 */
static bool contradicts(const struct counted *a, const struct counted *b, const struct tr__coll_clock *clock)
{
    size_t near = 0, both = 0;
    if (clock->verdict != TR__COLL_AGREE || !clock->sure)
        return false;
    for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
        int64_t t = tr__coll_clock_apply(clock, b->mark[j].end);
        int64_t apart =
            t == TR_TIME_NONE || a->mark[i].end == TR_TIME_NONE ? TR_TIME_NONE : tr_time_diff(a->mark[i].end, t);
        if (a->place[i] == b->place[j] && apart != TR_TIME_NONE && a->mark[i].sync) {
            both++;
            near += fabs((double)apart) < clock->gap / 2;
        }
        bool first = a->place[i] <= b->place[j], second = b->place[j] <= a->place[i];
        i += first;
        j += second;
    }
    return 2 * near < both;
}

TR_ORDER(by_counted, struct tr__coll_key, TR_UP(seq), TR_UP(party), TR_UP(member))

/* *holds: no party contradicts the first.  False: out of memory. */
static bool places_hold(const struct tr__coll_matcher *w, const struct tr__coll_key *k, size_t n, bool *holds)
{
    const size_t size = sizeof(struct tr__coll_mark);
    struct counted a = { malloc(n * size), malloc(n * sizeof(int64_t)), 0, NULL };
    struct counted b = { malloc(n * size), malloc(n * sizeof(int64_t)), 0, malloc(n * sizeof(size_t)) };
    struct tr__coll_clock clock;
    bool ok = a.mark && a.place && b.mark && b.place && b.at;
    *holds = true;
    if (ok)
        count_party(w, k, party_end(k, n, 0), &a);
    for (size_t i = a.n, e; ok && *holds && i < n; i = e) {
        e = party_end(k, n, i);
        count_party(w, k + i, e - i, &b);
        ok = tr__coll_vote(a.mark, a.n, b.mark, b.n, &clock, b.at);
        *holds = ok && !contradicts(&a, &b, &clock);
    }
    free(a.mark);
    free(a.place);
    free(b.mark);
    free(b.place);
    free(b.at);
    return ok;
}

bool tr__coll_match_counted(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n, bool *counted)
{
    *counted = all_counted(w, k, n);
    if (*counted && !places_hold(w, k, n, counted))
        return false;
    if (!*counted)
        return true;
    for (size_t i = 0; i < n; i++)
        k[i].seq = w->c->members[k[i].member].place;
    qsort(k, n, sizeof *k, by_counted);
    for (size_t i = 0, e; i < n; i = e) {
        for (e = i; e < n && k[e].seq == k[i].seq; e++)
            ;
        if (!tr__coll_match_seq(w, k + i, e - i))
            return false;
    }
    return true;
}
