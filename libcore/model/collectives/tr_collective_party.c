/* SPDX-License-Identifier: MIT */
/* Collectives: the host record or annotation of each member, and the ranks that take part. */
#include "model/collectives/tr_collective_int.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

/* ---- host records ---- */

TR_ORDER(by_external, struct tr_coll_member, TR_UP(source), TR_UP(external), TR_UP(start), TR_UP(record))

/* The one record that has a kernel's External id; NULL: none, or several. */
static const struct tr_coll_member *record_of(const struct tr__coll_rows *records,
                                              const struct tr_coll_member *m, bool *several)
{
    *several = false;
    size_t lo = 0;
    TR_BOUND(lo, records->n, mid, records->v[mid].source < m->source ||
             (records->v[mid].source == m->source && records->v[mid].external < m->external));
    const struct tr_coll_member *r = &records->v[lo];
    if (lo == records->n || r->source != m->source || r->external != m->external)
        return NULL;
    *several = lo + 1 < records->n && r[1].source == m->source && r[1].external == m->external;
    return *several ? NULL : r;
}

TR_ORDER(by_place, struct tr_coll_member, TR_UP(track), TR_UP(start), TR_UP(record))

/* The record around a kernel's launch, on the same thread; NULL: none. */
static const struct tr_coll_member *record_around(const struct tr__coll_rows *records,
                                                  const struct tr_coll_member *m)
{
    size_t lo = 0; /* the first after the launch */
    TR_BOUND(lo, records->n, mid, records->v[mid].track < m->host_track ||
             (records->v[mid].track == m->host_track && records->v[mid].start <= m->launch));
    const struct tr_coll_member *r = lo ? &records->v[lo - 1] : NULL;
    return r && r->track == m->host_track && m->launch < r->end ? r : NULL;
}

static bool complete(const struct tr_coll_finder *f, const struct tr_coll_member *m)
{
    return f->calls[m->call].name != TR_NO_STR && m->seq != TR_I64_NONE;
}

/* Copy the data that a kernel lacks from a host record. */
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
    if (r) {
        m->place = r->place;
        m->order = r->order;
    }
}

/* Sends and receives do not count: each rank has its own. */
static bool counts(const struct tr_coll_member *m)
{
    return m->type != TR_COLL_SEND && m->type != TR_COLL_RECV && m->type != TR_COLL_SENDRECV;
}

static int by_group(const struct tr_coll_finder *f, const struct tr_coll_member *a, const struct tr_coll_member *b)
{
    int c = tr__coll_cmp(a->source, b->source);
    return c ? c : tr__coll_cmp(f->calls[a->call].group, f->calls[b->call].group);
}

struct sorted_record {
    const struct tr_coll_finder *f;
    struct tr_coll_member *r;
};

TR_ORDER(by_group_and_start, struct sorted_record, by_group(a->f, a->r, b->r), TR_UP(r->start), TR_UP(r->record))

static uint64_t text_hash(const struct tr_coll_finder *f, uint32_t text)
{
    struct tr_str s = text == TR_NO_STR ? (struct tr_str){ "", 0 } : tr_dict_text(f->dict, text);
    return tr_hash(s.s, s.len);
}

/* Number the records of each group in each source, and make a hash of their contents that does not depend on string
 * numbers. */
static bool place_records(struct tr_coll_finder *f)
{
    struct tr__coll_rows *rows = &f->records;
    struct sorted_record *s = malloc((rows->n + 1) * sizeof *s);
    size_t n = 0;
    if (!s)
        return false;
    for (size_t i = 0; i < rows->n; i++) {
        rows->v[i].place = TR_I64_NONE;
        if (counts(&rows->v[i]))
            s[n++] = (struct sorted_record){ f, &rows->v[i] };
    }
    qsort(s, n, sizeof *s, by_group_and_start);
    for (size_t i = 0, e; i < n; i = e) {
        uint64_t order = 0;
        for (e = i; e < n && by_group(f, s[e].r, s[i].r) == 0; e++) {
            const struct tr_coll_call *c = &f->calls[s[e].r->call];
            const uint64_t parts[] = { order, s[e].r->type, text_hash(f, c->dtype),
                                       (uint64_t)tr__coll_common_elems(c, s[e].r->type) };
            order = tr_hash(parts, sizeof parts);
            s[e].r->place = (int64_t)(e - i);
        }
        for (size_t k = i; k < e; k++)
            s[k].r->order = order;
    }
    free(s);
    return true;
}

/* ---- annotations ---- */

TR_ORDER(by_note, struct tr__coll_note, TR_UP(track), TR_UP(start), TR_UP(record))

/* The annotation around a kernel's launch, on the same thread; NULL: none. */
static const struct tr__coll_note *note_around(const struct tr_coll_finder *f, const struct tr_coll_member *m)
{
    size_t lo = 0; /* the first after the launch */
    TR_BOUND(lo, f->n_notes, mid, f->notes[mid].track < m->host_track ||
             (f->notes[mid].track == m->host_track && f->notes[mid].start <= m->launch));
    const struct tr__coll_note *note = lo ? &f->notes[lo - 1] : NULL;
    return note && note->track == m->host_track && m->launch < note->end ? note : NULL;
}

/* Copy the collective of a kernel from an annotation.  False: out of memory. */
static bool inherit_note(struct tr_coll_finder *f, struct tr_coll_member *m, const struct tr__coll_note *note)
{
    struct tr_coll_call c;
    memcpy(&c, &f->calls[m->call], sizeof c); /* with its padding */
    c.name = note->name;
    c.type = (uint8_t)tr_coll_type_of(tr_dict_text(f->dict, note->name));
    c.dtype = c.dtype == TR_NO_STR ? note->dtype : c.dtype;
    if (c.type != TR_COLL_ALLTOALLV && c.in_elems < 0 && c.out_elems < 0 && note->dims != TR_NO_STR) {
        c.in_elems = tr__coll_dims_elems(tr_dict_text(f->dict, note->dims));
        if (c.type != TR_COLL_ALLGATHER && c.type != TR_COLL_GATHER && c.type != TR_COLL_REDUCESCATTER &&
            c.type != TR_COLL_SCATTER)
            c.out_elems = c.in_elems;
    }
    m->type = c.type;
    m->call = tr__coll_call(f, &c);
    return m->call != UINT32_MAX;
}

/* ---- both ---- */

/* First from the host's records, by External id or else by place, then from annotations.  False: out of memory. */
static bool inherit_all(struct tr_coll_finder *f)
{
    struct tr__coll_rows *k = &f->kernels, *r = &f->records;
    uint8_t *known = calloc(k->n + 1, 1); /* by kernel: a record has its External id */
    if (!known)
        return false;
    if (r->n)
        qsort(r->v, r->n, sizeof *r->v, by_external);
    for (size_t i = 0; r->n && i < k->n; i++) {
        if (complete(f, &k->v[i]) || k->v[i].external == TR_I64_NONE)
            continue;
        bool several;
        const struct tr_coll_member *record = record_of(r, &k->v[i], &several);
        known[i] = record || several;
        inherit(f, &k->v[i], record);
    }
    if (r->n)
        qsort(r->v, r->n, sizeof *r->v, by_place);
    if (f->n_notes)
        qsort(f->notes, f->n_notes, sizeof *f->notes, by_note);
    bool ok = true;
    for (size_t i = 0; ok && i < k->n; i++) {
        if (k->v[i].launch == TR_TIME_NONE || complete(f, &k->v[i]))
            continue;
        if (!known[i] && r->n)
            inherit(f, &k->v[i], record_around(r, &k->v[i]));
        const struct tr__coll_note *note = note_around(f, &k->v[i]);
        ok = !note || f->calls[k->v[i].call].name != TR_NO_STR || inherit_note(f, &k->v[i], note);
    }
    free(known);
    return ok;
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

TR_ORDER(by_rank, struct tr_coll_party, TR_CMP(a->rank < 0, b->rank < 0), TR_UP(rank), TR_UP(source), TR_UP(device))

/* Add a party for each rank that was read and has no members. */
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
    tr__coll_end_messages(f);
    return place_records(f) && inherit_all(f) && join_parts(f, &f->kernels);
}
