/* Collectives: the host record of each member, and the ranks that take part. */
#include "model/tr_collective_int.h"

#include <stdlib.h>

/* ---- host records ---- */

static int by_external(const void *x, const void *y)
{
    const struct tr_coll_member *a = x, *b = y;
    int c = tr__coll_cmp(a->source, b->source);
    c = c ? c : tr__coll_cmp(a->external, b->external);
    c = c ? c : tr__coll_cmp(a->start, b->start);
    return c ? c : (a->record > b->record) - (a->record < b->record);
}

/* The one record that has a kernel's External id; NULL: none or several. */
static const struct tr_coll_member *record_of(const struct tr__coll_rows *records,
                                              const struct tr_coll_member *m)
{
    size_t lo = 0, hi = records->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct tr_coll_member *r = &records->v[mid];
        if (r->source < m->source || (r->source == m->source && r->external < m->external))
            lo = mid + 1;
        else
            hi = mid;
    }
    const struct tr_coll_member *r = &records->v[lo];
    if (lo == records->n || r->source != m->source || r->external != m->external)
        return NULL;
    bool more = lo + 1 < records->n && r[1].source == m->source && r[1].external == m->external;
    return more ? NULL : r;
}

static int by_place(const void *x, const void *y)
{
    const struct tr_coll_member *a = x, *b = y;
    int c = tr__coll_cmp(a->track, b->track);
    c = c ? c : tr__coll_cmp(a->start, b->start);
    return c ? c : (a->record > b->record) - (a->record < b->record);
}

/* The record around a kernel's launch, on the same thread; NULL: none. */
static const struct tr_coll_member *record_around(const struct tr__coll_rows *records,
                                                  const struct tr_coll_member *m)
{
    size_t lo = 0, hi = records->n; /* the first after the launch */
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct tr_coll_member *r = &records->v[mid];
        if (r->track < m->host_track || (r->track == m->host_track && r->start <= m->launch))
            lo = mid + 1;
        else
            hi = mid;
    }
    const struct tr_coll_member *r = lo ? &records->v[lo - 1] : NULL;
    return r && r->track == m->host_track && m->launch < r->end ? r : NULL;
}

static bool complete(const struct tr_coll_finder *f, const struct tr_coll_member *m)
{
    return f->calls[m->call].name != TR_NO_STR && m->seq != TR_I64_NONE;
}

/* Take from a host record what a kernel does not say. */
static void inherit(const struct tr_coll_finder *f, struct tr_coll_member *m,
                    const struct tr_coll_member *r)
{
    if (r && f->calls[m->call].name == TR_NO_STR) {
        m->call = r->call;
        m->type = r->type;
    }
    if (r && m->seq == TR_I64_NONE)
        m->seq = r->seq;
    if (r && m->id == TR_I64_NONE)
        m->id = r->id;
}

static void inherit_all(struct tr_coll_finder *f)
{
    struct tr__coll_rows *k = &f->kernels, *r = &f->records;
    if (r->n == 0)
        return;
    qsort(r->v, r->n, sizeof *r->v, by_external);
    for (size_t i = 0; i < k->n; i++)
        if (!complete(f, &k->v[i]) && k->v[i].external != TR_I64_NONE)
            inherit(f, &k->v[i], record_of(r, &k->v[i]));
    qsort(r->v, r->n, sizeof *r->v, by_place);
    for (size_t i = 0; i < k->n; i++)
        if (!complete(f, &k->v[i]) && k->v[i].external == TR_I64_NONE &&
            k->v[i].launch != TR_TIME_NONE)
            inherit(f, &k->v[i], record_around(r, &k->v[i]));
}

/* Make one member of kernels in a row that one host record launched. */
static bool join_parts(const struct tr_coll_finder *f, struct tr__coll_rows *rows)
{
    size_t n = 0, *last = malloc((f->n_parties + 1) * sizeof *last);
    if (!last)
        return false;
    for (size_t p = 0; p < f->n_parties; p++)
        last[p] = SIZE_MAX;
    for (size_t i = 0; i < rows->n; i++) {
        const struct tr_coll_member *m = &rows->v[i];
        struct tr_coll_member *l = last[m->party] == SIZE_MAX ? NULL : &rows->v[last[m->party]];
        if (l && l->call == m->call && f->calls[m->call].name != TR_NO_STR &&
            m->external != TR_I64_NONE && l->external == m->external && l->seq == m->seq && l->id == m->id &&
            l->source == m->source) {
            l->end = m->end > l->end ? m->end : l->end;
            l->suspect = l->suspect || m->suspect;
            l->picked = l->picked || m->picked;
            continue;
        }
        last[m->party] = n;
        rows->v[n++] = *m;
    }
    rows->n = n;
    free(last);
    return true;
}

/* ---- parties ---- */

static int by_rank(const void *x, const void *y)
{
    const struct tr_coll_party *a = x, *b = y;
    if ((a->rank < 0) != (b->rank < 0))
        return a->rank < 0 ? 1 : -1;
    int c = tr__coll_cmp(a->rank, b->rank);
    c = c ? c : tr__coll_cmp(a->source, b->source);
    return c ? c : tr__coll_cmp(a->device, b->device);
}

/* One for each rank that was looked at and has no members. */
static void add_silent(const struct tr_coll_finder *f, struct tr_colls *c)
{
    for (uint32_t s = 0; s < f->dict->n_sources; s++) {
        int64_t rank = f->dict->sources[s].rank;
        bool has = rank < 0 || (f->select && !tr_select_source(f->select, s));
        for (size_t p = 0; p < c->n_parties && !has; p++)
            has = c->parties[p].rank == rank;
        if (!has)
            c->parties[c->n_parties++] = (struct tr_coll_party){ rank, s, TR_TIME_NONE };
    }
}

bool tr__coll_order_parties(const struct tr_coll_finder *f, struct tr_colls *c)
{
    uint32_t *number = calloc(f->n_parties + 1, sizeof *number); /* first 1: has members */
    c->parties = malloc((f->n_parties + f->dict->n_sources + 1) * sizeof *c->parties);
    if (!number || !c->parties) {
        free(number);
        return false;
    }
    for (size_t i = 0; i < c->n_members; i++)
        number[c->members[i].party] = 1;
    for (size_t p = 0; p < f->n_parties; p++)
        if (number[p])
            c->parties[c->n_parties++] = f->parties[p];
    add_silent(f, c);
    qsort(c->parties, c->n_parties, sizeof *c->parties, by_rank);
    for (size_t p = 0; p < f->n_parties; p++) {
        uint32_t k = 0;
        while (number[p] && by_rank(&c->parties[k], &f->parties[p]) != 0)
            k++;
        number[p] = k;
    }
    for (size_t i = 0; i < c->n_members; i++)
        c->members[i].party = number[c->members[i].party];
    free(number);
    return true;
}

bool tr__coll_join(struct tr_coll_finder *f)
{
    inherit_all(f);
    return join_parts(f, &f->kernels);
}
