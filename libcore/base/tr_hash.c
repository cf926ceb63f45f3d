/* SPDX-License-Identifier: MIT */
/* The index by hash of entries that stand in an array of the caller. */
#include "base/tr_hash.h"

#include <stdlib.h>

#define FIRST_SLOTS 64u

static void put(struct tr_hash_index *x, struct tr_hash_slot slot)
{
    uint32_t at = slot.tag;
    while (x->slots[at & x->mask].number)
        at++;
    x->slots[at & x->mask] = slot;
}

static bool grow(struct tr_hash_index *x)
{
    size_t n_old = x->slots ? x->mask + 1 : 0, n_slots = n_old ? n_old * 2 : FIRST_SLOTS;
    if (n_slots > SIZE_MAX / sizeof *x->slots)
        return false;
    struct tr_hash_index bigger = { .n = x->n, .mask = n_slots - 1, .in = { .spill = x->in.spill } };
    size_t cap = 0;
    if (!tr_spilling_grow(&bigger.in, &bigger.slots, &cap, n_slots, sizeof *bigger.slots))
        return false;
    if (!bigger.in.file)
        memset(bigger.slots, 0, n_slots * sizeof *bigger.slots);
    /* Entries of one tag stay in their order if what wrapped round the end comes after what did not. */
    size_t first = 0;
    while (first < n_old && x->slots[first].number)
        first++;
    for (size_t i = 0; i < n_old; i++) {
        if (x->slots[(first + i) & x->mask].number)
            put(&bigger, x->slots[(first + i) & x->mask]);
        if (i % 8192 == 0) /* slots in a row stay in a row */
            tr_spilling_touched(&bigger.in);
    }
    tr_spilling_free(&x->in, x->slots);
    *x = bigger;
    return true;
}

bool tr_hash_index_add(struct tr_hash_index *x, uint64_t hash, uint32_t number)
{
    if ((!x->slots || (x->n + 1) * 2 > x->mask + 1) && !grow(x))
        return false;
    put(x, (struct tr_hash_slot){ number + 1, (uint32_t)(hash >> 32) });
    x->n++;
    return true;
}

size_t tr_hash_index_bytes(const struct tr_hash_index *x)
{
    return x->slots ? (x->mask + 1) * sizeof *x->slots : 0;
}

void tr_hash_index_free(struct tr_hash_index *x)
{
    tr_spilling_free(&x->in, x->slots);
    memset(x, 0, sizeof *x);
}
