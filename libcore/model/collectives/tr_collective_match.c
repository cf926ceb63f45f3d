/* SPDX-License-Identifier: MIT */
/* Collectives: finds the members of several ranks that are one operation. */
#include "base/tr_hash.h"
#include "base/tr_sort.h"
#include "model/collectives/tr_collective_int.h"

#include <stdlib.h>

/* ---- keys ---- */

static uint64_t sig_of(const struct tr_colls *c, const struct tr_coll_member *m)
{
    const struct tr_coll_call *call = &c->calls[m->call];
    int64_t parts[] = { tr__coll_kind(c, m), call->dtype, tr__coll_common_elems(call, m->type) };
    return tr_hash(parts, sizeof parts);
}

static struct tr__coll_key key_of(const struct tr__coll_matcher *w, uint32_t member)
{
    const struct tr_coll_member *m = &w->c->members[member];
    const struct tr_coll_call *call = &w->c->calls[m->call];
    int64_t rank = w->c->parties[m->party].rank;
    struct tr__coll_key k = { .src = -1,
                              .dst = -1,
                              .member = member,
                              .group = call->group,
                              .party = m->party,
                              .id = m->id,
                              .sig = sig_of(w->c, m) };
    bool send = m->type == TR_COLL_SEND;
    if (send || m->type == TR_COLL_RECV) {
        k.how = rank >= 0 && call->peer >= 0 ? TR_COLL_BY_ORDER : TR_COLL_ALONE;
        k.src = send ? rank : call->peer;
        k.dst = send ? call->peer : rank;
    } else if (m->seq != TR_I64_NONE) {
        k.how = TR_COLL_BY_SEQ;
        k.seq = m->seq;
    } else if (m->id != TR_I64_NONE) {
        k.how = TR_COLL_BY_ID;
        k.seq = m->id;
    } else {
        k.how = TR_COLL_BY_ORDER;
    }
    if (k.how == TR_COLL_BY_ORDER)
        k.seq = w->f->dict->tracks[m->track].stream;
    return k;
}

TR_ORDER(by_line, struct tr__coll_key, TR_UP(group), TR_UP(how), TR_UP(src), TR_UP(dst))

static int by_party(const void *x, const void *y)
{
    const struct tr__coll_key *a = x, *b = y;
    int c = by_line(a, b);
    if (!c && (a->how == TR_COLL_BY_SEQ || a->how == TR_COLL_BY_ID))
        c = tr__coll_cmp(a->seq, b->seq);
    c = c ? c : tr__coll_cmp(a->party, b->party);
    return c ? c : tr__coll_cmp(a->member, b->member);
}

TR_ORDER(by_seq_and_id, struct tr__coll_key, TR_UP(seq), TR_UP(id), TR_UP(party), TR_UP(member))

TR_ORDER(by_lane, struct tr__coll_key, TR_UP(seq), TR_UP(party), TR_UP(member))

/* ---- lines ---- */

static bool expect(struct tr__coll_matcher *w, uint32_t party, int64_t first, int64_t last)
{
    if (!tr_grow(&w->expect, &w->cap_expect, w->n_expect + 1, sizeof *w->expect))
        return false;
    w->expect[w->n_expect++] = (struct tr__coll_expect){ party, first, last, false };
    return true;
}

static struct tr__coll_expect not_seen(uint32_t party)
{
    return (struct tr__coll_expect){ party, INT64_MAX, INT64_MIN, false };
}

/* Does a party represent its rank in a line?  All parties with members do; if there are none, the first party does. */
static bool stands_for_rank(const struct tr__coll_matcher *w, size_t party)
{
    const struct tr_coll_party *p = w->c->parties;
    size_t i = party;
    if (w->seen[party].first <= w->seen[party].last)
        return true;
    while (i > 0 && p[i - 1].rank == p[party].rank)
        i--;
    if (i < party)
        return false;
    for (; i < w->c->n_parties && p[i].rank == p[party].rank; i++)
        if (w->seen[i].first <= w->seen[i].last)
            return false;
    return true;
}

TR_ORDER(by_number, uint32_t, TR_CMP(*a, *b))

static bool touch(struct tr__coll_matcher *w, uint32_t party)
{
    if (!tr_grow(&w->touched, &w->cap_touched, w->n_touched + 1, sizeof *w->touched))
        return false;
    w->touched[w->n_touched++] = party;
    return true;
}

/* The parties of a rank. */
static bool touch_rank(struct tr__coll_matcher *w, int64_t rank)
{
    const struct tr_coll_party *p = w->c->parties;
    size_t at = 0;
    bool ok = true;
    TR_BOUND(at, w->c->n_parties, mid, p[mid].rank >= 0 && p[mid].rank < rank);
    for (; ok && at < w->c->n_parties && p[at].rank == rank; at++)
        ok = touch(w, (uint32_t)at);
    return ok;
}

/* Those that should take part in a line beside its members: ranks of a message, or those in the list of the group. */
static bool touch_others(struct tr__coll_matcher *w, const struct tr__coll_key *k)
{
    struct tr_str list = tr_dict_text_if(w->f->dict, w->c->groups[k->group].ranks);
    int64_t rank;
    bool ok = true;
    if (k->src >= 0)
        return touch_rank(w, k->src) && touch_rank(w, k->dst);
    while (ok && tr_coll_list_next(&list, &rank))
        ok = touch_rank(w, rank);
    return ok;
}

/* End the current line; its members already have their collectives. */
static bool end_line(struct tr__coll_matcher *w, const struct tr__coll_key *k, size_t n)
{
    struct tr_colls *c = w->c;
    bool ok = tr_grow(&w->lines, &w->cap_lines, w->n_lines + 1, sizeof *w->lines);
    if (!ok)
        return false;
    struct tr__coll_line *line = &w->lines[w->n_lines++];
    *line = (struct tr__coll_line){ w->n_expect, 0 };
    if (k->how == TR_COLL_ALONE)
        return true;
    w->n_touched = 0;
    for (size_t i = 0; i < n && ok; i++) {
        struct tr__coll_expect *s = &w->seen[k[i].party];
        int64_t seq = c->colls[k[i].coll].seq;
        ok = s->first <= s->last || touch(w, k[i].party);
        s->first = seq < s->first ? seq : s->first;
        s->last = seq > s->last ? seq : s->last;
        s->apart = s->apart || k[i].apart;
    }
    ok = ok && touch_others(w, k);
    if (w->n_touched)
        qsort(w->touched, w->n_touched, sizeof *w->touched, by_number);
    for (size_t i = 0; i < w->n_touched && ok; i++) {
        uint32_t p = w->touched[i];
        bool must = w->seen[p].first <= w->seen[p].last || stands_for_rank(w, p);
        if (!i || w->touched[i - 1] != p)
            ok = !must || w->seen[p].apart || expect(w, p, w->seen[p].first, w->seen[p].last);
    }
    for (size_t i = 0; i < w->n_touched; i++)
        w->seen[w->touched[i]] = not_seen(w->touched[i]);
    line->n = w->n_expect - line->first;
    return ok;
}

/* Collectives that are apart have a separate line, in which no party is missing. */
static bool end_apart(struct tr__coll_matcher *w, const struct tr__coll_key *k, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any = any || k[i].apart;
    if (!any)
        return true;
    if (!tr_grow(&w->lines, &w->cap_lines, w->n_lines + 1, sizeof *w->lines))
        return false;
    w->lines[w->n_lines++] = (struct tr__coll_line){ w->n_expect, 0 };
    return true;
}

/* Match members with the same number.  If all members of the line have an id, also with the same id. */
static bool match_by_seq(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n)
{
    bool ids = true;
    for (size_t i = 0; i < n; i++)
        ids = ids && k[i].id != TR_I64_NONE;
    if (ids)
        qsort(k, n, sizeof *k, by_seq_and_id);
    for (size_t i = 0, e; i < n; i = e) {
        for (e = i; e < n && k[e].seq == k[i].seq && (!ids || k[e].id == k[i].id); e++)
            ;
        if (!tr__coll_match_seq(w, k + i, e - i))
            return false;
    }
    return end_line(w, k, n);
}

/* The member that decides the number of a collective: the first one of the first party. */
struct place {
    uint32_t party, member, coll;
};

TR_ORDER(by_place, struct place, TR_UP(party), TR_UP(member))

/* Number collectives from first on, in the order of the first party, then those that only later parties have. */
static bool number_colls(struct tr__coll_matcher *w, size_t first, const struct tr__coll_key *k, size_t n)
{
    size_t n_colls = w->c->n - first;
    struct place *places = malloc((n_colls + 1) * sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < n_colls; i++)
        places[i] = (struct place){ UINT32_MAX, UINT32_MAX, (uint32_t)(first + i) };
    for (size_t i = 0; i < n; i++) {
        const struct place at = { k[i].party, k[i].member, k[i].coll };
        struct place *p = &places[k[i].coll - first];
        if (by_place(&at, p) < 0)
            *p = at;
    }
    qsort(places, n_colls, sizeof *places, by_place);
    for (size_t i = 0; i < n_colls; i++)
        w->c->colls[places[i].coll].seq = (int64_t)i;
    free(places);
    return true;
}

static bool match_by_id(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n)
{
    size_t first = w->c->n;
    for (size_t i = 0, e; i < n; i = e) {
        for (e = i; e < n && k[e].seq == k[i].seq; e++)
            ;
        if (!tr__coll_match_seq(w, k + i, e - i))
            return false;
    }
    return number_colls(w, first, k, n) && end_line(w, k, n);
}

static bool match_by_order(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n)
{
    bool counted;
    if (!tr__coll_match_counted(w, k, n, &counted))
        return false;
    if (counted)
        return end_line(w, k, n);
    if (!tr__coll_set_lanes(w, k, n))
        return false;
    qsort(k, n, sizeof *k, by_lane);
    for (size_t i = 0, e; i < n; i = e) {
        for (e = i; e < n && k[e].seq == k[i].seq; e++)
            ;
        if (!tr__coll_match_lane(w, k + i, e - i) || !end_line(w, k + i, e - i) || !end_apart(w, k + i, e - i))
            return false;
    }
    return true;
}

/* No other party should take part in any of these. */
static bool match_alone(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        k[i].coll = (uint32_t)w->c->n;
        if (!tr__coll_add(w, 1, &k[i], (int64_t)i))
            return false;
    }
    return end_line(w, k, n);
}

static bool match_all(struct tr__coll_matcher *w)
{
    bool ok = true;
    for (size_t i = 0, e; i < w->n_keys && ok; i = e) {
        struct tr__coll_key *k = &w->keys[i];
        for (e = i; e < w->n_keys && by_line(&w->keys[e], k) == 0; e++)
            ;
        ok = k->how == TR_COLL_BY_SEQ     ? match_by_seq(w, k, e - i)
             : k->how == TR_COLL_BY_ORDER ? match_by_order(w, k, e - i)
             : k->how == TR_COLL_BY_ID    ? match_by_id(w, k, e - i)
                                          : match_alone(w, k, e - i);
    }
    return ok;
}

/* ---- the whole ---- */

/* Move the collected members from the finder to the result. */
static void take_over(struct tr_coll_finder *f, struct tr_colls *c)
{
    struct tr__coll_rows *rows = f->kernels.n ? &f->kernels : &f->records;
    c->host = rows == &f->records && rows->n > 0;
    c->members = rows->v;
    c->n_members = rows->n;
    c->calls = f->calls;
    c->n_calls = f->n_calls;
    c->groups = f->groups;
    c->n_groups = f->n_groups;
    for (size_t g = 0; g < f->n_descs; g++)
        c->groups[g].desc = f->descs[g].desc;
    *rows = (struct tr__coll_rows){ 0 };
    free(f->records.v);
    f->records = (struct tr__coll_rows){ 0 };
    f->calls = NULL;
    f->groups = NULL;
    f->n_calls = f->n_groups = f->cap_calls = f->cap_groups = f->n_descs = 0;
}

static bool make_keys(struct tr__coll_matcher *w)
{
    struct tr_colls *c = w->c;
    if (c->n_members >= UINT32_MAX)
        return false;
    w->keys = malloc((c->n_members + 1) * sizeof *w->keys);
    w->seen = malloc((c->n_parties + 1) * sizeof *w->seen);
    if (!w->keys || !w->seen)
        return false;
    for (size_t p = 0; p < c->n_parties; p++)
        w->seen[p] = not_seen((uint32_t)p);
    w->n_keys = c->n_members;
    for (size_t i = 0; i < w->n_keys; i++)
        w->keys[i] = key_of(w, (uint32_t)i);
    qsort(w->keys, w->n_keys, sizeof *w->keys, by_party);
    return true;
}

enum tr_status tr_coll_match(struct tr_coll_finder *f, struct tr_colls **out, struct tr_error *err)
{
    struct tr__coll_matcher w = { .f = f };
    struct tr_colls *c = w.c = *out = calloc(1, sizeof *c);
    bool ok = c && tr__coll_join(f) && (!f->put || tr__coll_order_groups(f));
    if (ok)
        take_over(f, c);
    ok = ok && tr__coll_order_parties(f, c) && make_keys(&w) && match_all(&w) && tr__coll_order(&w);
    free(w.keys);
    ok = ok && tr__coll_check(&w);
    free(w.seen);
    free(w.touched);
    free(w.lines);
    free(w.expect);
    if (ok)
        return TR_OK;
    tr_colls_free(c);
    *out = NULL;
    return tr_fail_memory(err);
}

void tr_colls_free(struct tr_colls *c)
{
    if (!c)
        return;
    free(c->colls);
    free(c->members);
    free(c->calls);
    free(c->groups);
    free(c->parties);
    free(c->flaws);
    free(c->differ);
    free(c);
}
