/* SPDX-License-Identifier: MIT */
/* Memory: the state of pools while events pass. */
#include "analysis/memory/tr_memory_int.h"

#include <stdlib.h>
#include <string.h>

struct tr_memory *tr_memory_new(const struct tr_memory_opts *opts, const struct tr_dict *dict,
                                const struct tr_summary *summary)
{
    struct tr_memory *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->opts = *opts;
    a->dict = dict;
    a->now = TR_TIME_NONE;
    a->last.pool = UINT32_MAX;
    a->pool_keys = tr_strtab_new();
    a->account_keys = tr_strtab_new();
    a->sum_keys = tr_strtab_new();
    if (opts->per_step)
        a->steps = tr_steps_new(summary);
    if (tr__alloc_reader_init(&a->reader, dict, opts->by) && a->pool_keys && a->account_keys &&
        a->sum_keys && (a->steps || !opts->per_step))
        return a;
    tr_memory_free(a);
    return NULL;
}

void tr_memory_free(struct tr_memory *a)
{
    if (!a)
        return;
    tr__alloc_reader_free(&a->reader);
    tr_steps_free(a->steps);
    tr_strtab_free(a->pool_keys);
    tr_strtab_free(a->account_keys);
    tr_strtab_free(a->sum_keys);
    tr_eventmap_free(&a->addresses);
    free(a->pools);
    free(a->accounts);
    free(a->sums);
    free(a->live);
    tr_freelist_free(&a->places);
    free(a->changed);
    free(a->rows);
    free(a->sorted);
    free(a);
}

/* ---- pools, accounts, sums by their keys; UINT32_MAX: out of memory ---- */

static uint32_t account_of(struct tr_memory *a, uint32_t pool, uint32_t category)
{
    const uint32_t key[2] = { pool, category };
    uint32_t number = tr_strtab_add(a->account_keys, key, sizeof key);
    if (number == TR_NO_STR || number < a->n_accounts)
        return number;
    if (!tr_grow(&a->accounts, &a->cap_accounts, a->n_accounts + 1, sizeof *a->accounts))
        return UINT32_MAX;
    struct tr__account *c = &a->accounts[a->n_accounts++];
    *c = (struct tr__account){ .pool = pool, .category = category };
    for (unsigned m = 0; m < TR__N_MOMENTS; m++) /* held nothing then */
        c->aside[m].of = a->pools[pool].moments[m].n;
    return number;
}

static uint32_t pool_of(struct tr_memory *a, uint32_t source, const struct tr__alloc *e)
{
    struct tr_memory_pool who = { .source = source,
                                  .rank = a->dict->sources[source].rank,
                                  .device = e->device_id,
                                  .host = e->device_type == 0 };
    if (who.host)
        who.device = TR_MEMORY_NONE;
    const struct tr_memory_pool *last = a->n_pools ? &a->pools[a->last_pool].who : NULL;
    if (last && last->source == source && last->host == who.host && last->device == who.device)
        return a->last_pool;
    const int64_t key[3] = { source, who.host, who.device };
    uint32_t number = tr_strtab_add(a->pool_keys, key, sizeof key);
    if (number < a->n_pools)
        a->last_pool = number;
    if (number == TR_NO_STR || number < a->n_pools)
        return number;
    if (!tr_grow(&a->pools, &a->cap_pools, a->n_pools + 1, sizeof *a->pools))
        return UINT32_MAX;
    a->pools[a->n_pools++] = (struct tr__pool){ .who = who, .reserved = TR_MEMORY_NONE };
    uint32_t rest = account_of(a, number, TR_NO_STR);
    a->pools[number].rest = rest;
    return rest == UINT32_MAX ? UINT32_MAX : number;
}

static uint32_t sum_of(struct tr_memory *a, uint32_t pool, struct tr_step_moment at, int64_t before)
{
    int64_t step = TR_MEMORY_NONE;
    if (a->steps && !tr_steps_find(a->steps, a->dict, at, &step))
        step = TR_MEMORY_NONE;
    if (a->n_sums && a->last.pool == pool && a->last.step == step)
        return a->last.sum;
    const int64_t key[2] = { pool, step };
    uint32_t number = tr_strtab_add(a->sum_keys, key, sizeof key);
    if (number < a->n_sums) {
        a->last.sum = number;
        a->last.pool = pool;
        a->last.step = step;
    }
    if (number == TR_NO_STR || number < a->n_sums)
        return number;
    if (!tr_grow(&a->sums, &a->cap_sums, a->n_sums + 1, sizeof *a->sums))
        return UINT32_MAX;
    a->sums[a->n_sums++] = (struct tr_memory_sum){ .pool = a->pools[pool].who,
                                                   .step = step,
                                                   .start = before,
                                                   .peak = INT64_MIN,
                                                   .reserved = TR_MEMORY_NONE,
                                                   .unused = TR_MEMORY_NONE };
    return number;
}

/* ---- the effect of an event ---- */

/* An account is about to change: keep the values that past moments need. */
static void put_aside(const struct tr_memory *a, struct tr__account *c)
{
    for (unsigned m = 0; m < TR__N_MOMENTS; m++) {
        uint64_t n = a->pools[c->pool].moments[m].n;
        if (c->aside[m].of == n)
            continue;
        c->aside[m].of = n;
        c->aside[m].bytes = c->bytes;
        c->aside[m].n = c->n;
    }
}

static void book(struct tr_memory *a, uint32_t account, int64_t bytes, bool one_more)
{
    struct tr__account *c = &a->accounts[account];
    put_aside(a, c);
    if (c->category != TR_NO_STR)
        a->pools[c->pool].explained = tr__memory_add(a->pools[c->pool].explained, bytes);
    c->bytes = tr__memory_add(c->bytes, bytes);
    if (one_more)
        c->n++;
    else if (c->n)
        c->n--;
}

static bool note_change(struct tr_memory *a, uint32_t account)
{
    struct tr__account *c = &a->accounts[account];
    if (c->changed)
        return true;
    if (!tr_grow(&a->changed, &a->cap_changed, a->n_changed + 1, sizeof *a->changed))
        return false;
    c->changed = true;
    a->changed[a->n_changed++] = account;
    return true;
}

/* Forget an allocation. */
static void release(struct tr_memory *a, uint32_t pool, int64_t addr, uint32_t place)
{
    struct tr__live *l = &a->live[place];
    book(a, l->account, -l->bytes, false);
    tr_eventmap_remove(&a->addresses, pool, (uint64_t)addr);
    l->account = UINT32_MAX;
    tr_freelist_give(&a->places, place);
}

/* An allocation; an older one at its address must have been freed unseen.  False: out of memory. */
static bool allocate(struct tr_memory *a, uint32_t pool, const struct tr__alloc *e,
                     uint32_t account, uint32_t sum)
{
    uint32_t place = tr_eventmap_get(&a->addresses, pool, (uint64_t)e->addr);
    if (place != TR_EVENTMAP_NONE)
        release(a, pool, e->addr, place);
    place = tr_freelist_take(&a->places, &a->live, sizeof *a->live);
    if (place == TR_FREELIST_NONE)
        return false;
    a->live[place] = (struct tr__live){ e->bytes, account, sum };
    book(a, account, e->bytes, true);
    return tr_eventmap_put(&a->addresses, pool, (uint64_t)e->addr, place);
}

/* Apply an event; returns the account that it changed, or UINT32_MAX: out of memory. */
static uint32_t apply(struct tr_memory *a, uint32_t pool, const struct tr__alloc *e, uint32_t sum,
                      bool *unmatched)
{
    uint32_t account = a->pools[pool].rest, place;
    *unmatched = false;
    if (e->addr == TR_MEMORY_NONE || e->bytes > 0)
        account = account_of(a, pool, e->category);
    if (account == UINT32_MAX || e->bytes == 0)
        return account;
    if (e->addr == TR_MEMORY_NONE) {
        book(a, account, e->bytes, e->bytes > 0);
    } else if (e->bytes > 0) {
        return allocate(a, pool, e, account, sum) ? account : UINT32_MAX;
    } else if ((place = tr_eventmap_get(&a->addresses, pool, (uint64_t)e->addr)) !=
               TR_EVENTMAP_NONE) {
        account = a->live[place].account;
        release(a, pool, e->addr, place);
    } else {
        *unmatched = true;
    }
    return account;
}

/* Bring total, rest and reserve of a pool up to an event. */
static void settle(struct tr_memory *a, uint32_t pool, const struct tr__alloc *e,
                   int64_t rest_before)
{
    struct tr__pool *p = &a->pools[pool];
    struct tr__account *rest = &a->accounts[p->rest];
    p->total = e->total != TR_MEMORY_NONE ? e->total : tr__memory_add(p->total, e->bytes);
    int64_t left = tr__memory_add(p->total, -p->explained);
    if (left != rest_before)
        put_aside(a, rest);
    rest->bytes = left;
    if (e->reserved != TR_MEMORY_NONE && !p->who.host)
        p->reserved = e->reserved;
}

static void add_to_sum(struct tr_memory_sum *s, const struct tr__pool *p, const struct tr__alloc *e,
                       int64_t ts, bool unmatched)
{
    s->addresses |= e->addr != TR_MEMORY_NONE;
    s->n_unmatched += unmatched;
    if (e->bytes > 0) {
        s->n_allocs++;
        s->allocated = tr__memory_add(s->allocated, e->bytes);
        s->largest = e->bytes > s->largest ? e->bytes : s->largest;
    } else if (e->bytes < 0) {
        s->n_frees++;
        s->freed = tr__memory_add(s->freed, -e->bytes);
    }
    s->end = p->total;
    if (p->total > s->peak) {
        s->peak = p->total;
        s->peak_ts = ts;
    }
    if (p->reserved == TR_MEMORY_NONE)
        return;
    int64_t unused = tr__memory_add(p->reserved, -p->total);
    s->reserved = p->reserved > s->reserved ? p->reserved : s->reserved;
    s->unused = unused > s->unused ? unused : s->unused;
}

static void look_at(struct tr__pool *p, int64_t ts)
{
    for (unsigned m = 0; m < TR__N_MOMENTS; m++) {
        struct tr__moment_of_pool *moment = &p->moments[m];
        if (m == TR__PEAK && moment->n && p->total <= moment->total)
            continue;
        *moment = (struct tr__moment_of_pool){ ts, p->total, p->reserved, moment->n + 1 };
    }
}

static bool take_event(struct tr_memory *a, const struct tr_batch *b, size_t i, bool keep)
{
    struct tr__alloc e;
    uint32_t sum = UINT32_MAX;
    bool unmatched;
    if (!tr__alloc_reader_take(&a->reader, b, i, &e))
        return false;
    if (e.bytes == TR_MEMORY_NONE)
        return true;
    uint32_t pool = pool_of(a, a->dict->tracks[b->track[i]].source, &e);
    if (pool == UINT32_MAX)
        return false;
    int64_t rest_before = a->accounts[a->pools[pool].rest].bytes;
    int64_t before =
        e.total != TR_MEMORY_NONE ? tr__memory_add(e.total, -e.bytes) : a->pools[pool].total;
    struct tr_step_moment at = { b->ts[i], a->pools[pool].who.source, b->track[i] };
    if (keep && (sum = sum_of(a, pool, at, before)) == UINT32_MAX)
        return false;
    uint32_t account = apply(a, pool, &e, sum, &unmatched);
    if (account == UINT32_MAX)
        return false;
    settle(a, pool, &e, rest_before);
    if (!keep)
        return true;
    add_to_sum(&a->sums[sum], &a->pools[pool], &e, b->ts[i], unmatched);
    look_at(&a->pools[pool], b->ts[i]);
    uint32_t rest = a->pools[pool].rest;
    return note_change(a, account) &&
           (a->accounts[rest].bytes == rest_before || note_change(a, rest));
}

/* All events of the present time have come. */
static enum tr_status pass_changes(struct tr_memory *a, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < a->n_changed; k++) {
        struct tr__account *c = &a->accounts[a->changed[k]];
        const struct tr__pool *p = &a->pools[c->pool];
        const struct tr_memory_row row = { .pool = p->who,
                                           .ts = a->now,
                                           .category = c->category,
                                           .allocated = c->bytes,
                                           .total = p->total,
                                           .reserved = p->reserved,
                                           .n_allocations = c->n };
        c->changed = false;
        if (st == TR_OK && a->opts.change)
            st = a->opts.change(a->opts.change_self, &row, err);
    }
    a->n_changed = 0;
    return st;
}

enum tr_status tr_memory_feed(struct tr_memory *a, const struct tr_batch *b, const uint8_t *keep,
                              struct tr_error *err)
{
    enum tr_status st = TR_OK;
    bool any, opens = tr__alloc_reader_opens(&a->reader);
    if (!tr__alloc_reader_batch(&a->reader, b, &any))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n && st == TR_OK && (any || opens); i++) {
        bool ok = true;
        if (b->activity[i] != TR_ACT_MEMORY_INSTANT) {
            ok = !opens || tr__alloc_reader_open(&a->reader, b, i);
            if (any)
                tr_args_pass(&a->reader.args, b, i);
        } else {
            if (b->ts[i] != a->now)
                st = pass_changes(a, err);
            a->now = b->ts[i];
            bool seen = (!keep || keep[i]) && (b->suspect[i] == TR_SUSPECT_NO || a->opts.suspect) &&
                        (b->ts[i] != TR_TIME_NONE || !a->opts.timed);
            ok = st != TR_OK || take_event(a, b, i, seen);
        }
        if (!ok)
            st = tr_fail_memory(err);
    }
    return st;
}

enum tr_status tr_memory_finish(struct tr_memory *a, struct tr_error *err)
{
    for (size_t i = 0; i < a->places.n; i++) {
        const struct tr__live *l = &a->live[i];
        if (l->account == UINT32_MAX || l->sum == UINT32_MAX)
            continue;
        a->sums[l->sum].n_live++;
        a->sums[l->sum].live = tr__memory_add(a->sums[l->sum].live, l->bytes);
    }
    return pass_changes(a, err);
}
