/* SPDX-License-Identifier: MIT */
/* Canonical order: comparing events and sources. */
#include "stream/tr_order.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

/* By bytes, no string before any string. */
static int string_cmp(const struct tr_dict *da, uint32_t a, const struct tr_dict *db, uint32_t b)
{
    if (a == TR_NO_STR || b == TR_NO_STR)
        return (b == TR_NO_STR) - (a == TR_NO_STR);
    size_t la = tr_strtab_len(da->strings, a), lb = tr_strtab_len(db->strings, b);
    int c = memcmp(tr_strtab_get(da->strings, a), tr_strtab_get(db->strings, b), la < lb ? la : lb);
    return c ? c : (la > lb) - (la < lb);
}

int tr_source_cmp(const struct tr_dict *da, uint32_t a, const struct tr_dict *db, uint32_t b)
{
    if (da == db && a == b)
        return 0;
    const struct tr_source *x = &da->sources[a], *y = &db->sources[b];
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    int c = string_cmp(da, x->host, db, y->host);
    return c ? c : string_cmp(da, x->name, db, y->name);
}

struct source {
    const struct tr_dict *dict;
    uint32_t number;
};

TR_ORDER(by_order, struct source, tr_source_cmp(a->dict, a->number, b->dict, b->number))

bool tr_sources_place(const struct tr_dict *d, uint32_t *place)
{
    struct source *all = malloc((d->n_sources + 1) * sizeof *all);
    if (!all)
        return false;
    for (uint32_t i = 0; i < d->n_sources; i++)
        all[i] = (struct source){ d, i };
    qsort(all, d->n_sources, sizeof *all, by_order);
    for (uint32_t i = 0; i < d->n_sources; i++) /* equal ones share a place */
        place[all[i].number] = i && !by_order(&all[i - 1], &all[i]) ? place[all[i - 1].number] : i;
    free(all);
    return true;
}

int tr_order_key_cmp(const struct tr_dict *d, const struct tr_order_key *a,
                     const struct tr_order_key *b)
{
    int c = tr_order_cmp(a->ts, a->dur, b->ts, b->dur);
    if (c == 0)
        c = tr_source_cmp(d, a->source, d, b->source);
    return c ? c : (a->record > b->record) - (a->record < b->record);
}

struct tr_order_key tr_order_key(const struct tr_batch *b, size_t i)
{
    return (struct tr_order_key){
        .ts = b->ts[i],
        .dur = tr_order_dur(b->dur[i], b->suspect[i]),
        .source = b->dict->tracks[b->track[i]].source,
        .record = b->record[i],
    };
}
