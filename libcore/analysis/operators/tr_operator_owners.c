/* SPDX-License-Identifier: MIT */
/* Device work counted once: which call owns it? */
#include "analysis/operators/tr_operator_owners_int.h"

#include <stdlib.h>
#include <string.h>

#define NO_CLAIM TR__OWNERS_NONE

void tr__owners_free(struct tr__owners *o)
{
    tr_rows_free(o->rows);
    free(o->claims);
    tr_freelist_free(&o->places);
}

bool tr__owners_add(struct tr__owners *o, const struct tr__owner_work *w, int64_t ns, uint64_t pieces)
{
    struct tr_operator_owned *r = tr_rows_at(o->rows, &w->key);
    if (!r)
        return false;
    r->pieces += pieces;
    r->host = tr_time_sum(r->host, w->host);
    tr_stats_add_known(&r->device, ns);
    if (ns > 0) { /* in units of 2^-64 per ns, so that the sum does not depend on the order */
        r->n_inverse++;
        r->inverse = tr_u128_add(r->inverse, (struct tr_u128){ ns == 1, ns == 1 ? 0 : UINT64_MAX / (uint64_t)ns });
    }
    if (r->start == TR_I64_NONE || w->start < r->start || (w->start == r->start && w->record < r->record)) {
        r->start = w->start;
        r->record = w->record;
    }
    tr__opening_note(&r->opening, w->opening);
    return true;
}

bool tr__owners_nobody(struct tr__owners *o, const struct tr_operator_key *key, int64_t ns, uint64_t pieces)
{
    struct tr_operator_owned *r = tr_rows_at(o->rows, key);
    if (r) {
        r->pieces += pieces;
        tr_stats_add_known(&r->device, ns);
    }
    return r != NULL;
}

/* The claims inside a call become owners, or are dropped. */
static bool settle(struct tr__owners *o, struct tr__owner_call *c, bool keep)
{
    bool ok = true;
    for (uint32_t i = c->first, next; i != NO_CLAIM; i = next) {
        const struct tr__owner_work w = o->claims[i].work;
        next = o->claims[i].next;
        tr_freelist_give(&o->places, i);
        ok = ok && (!keep || tr__owners_add(o, &w, w.all, w.n_all));
    }
    c->first = c->last = NO_CLAIM;
    return ok;
}

/* A call claims all work below it. */
static bool claim(struct tr__owners *o, struct tr__owner_call *c, const struct tr__owner_work *w)
{
    uint32_t i = tr_freelist_take(&o->places, &o->claims, sizeof *o->claims);
    if (i == NO_CLAIM)
        return false;
    o->claims[i] = (struct tr__claim){ *w, NO_CLAIM };
    c->first = c->last = i;
    return true;
}

bool tr__owners_done(struct tr__owners *o, struct tr__owner_call *c, struct tr__owner_call *around,
                     const struct tr__owner_work *w)
{
    bool ok = true, owner = c->model && (!c->covered || o->models.nested);
    if (owner && w->n_all)
        ok = tr__owners_add(o, w, w->all, w->n_all);
    if (c->covered || c->model) {
        ok = settle(o, c, false) && ok;
    } else if (c->model_below) {
        ok = (!w->n_own || tr__owners_add(o, w, w->own, w->n_own)) && settle(o, c, true);
    } else if (w->n_own) {
        ok = settle(o, c, false) && claim(o, c, w);
    }
    if (!around || !ok)
        return ok && settle(o, c, true);
    around->model_below |= c->model_below || c->model;
    if (c->first == NO_CLAIM)
        return true;
    if (around->first == NO_CLAIM)
        around->first = c->first;
    else
        o->claims[around->last].next = c->first;
    around->last = c->last;
    return true;
}
