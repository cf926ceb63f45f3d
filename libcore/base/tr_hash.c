/* SPDX-License-Identifier: MIT */
/* The index by hash of the entries of an array of the caller. */
#include "base/tr_hash.h"

#include "base/tr_hash_file_int.h"

#include <stdlib.h>

#define FIRST_BITS 6u    /* slots of a new table: 2 to the power of it */
#define MIN_BITS 18u     /* of the smallest table that collects entries for a file, even if memory is short */
#define MAX_BITS 32u     /* of a tag */
#define GATHER_BITS 20u  /* more would hardly be faster */

static void put(struct tr_hash_index *x, struct tr_hash_slot slot)
{
    uint32_t at = slot.tag >> x->shift;
    while (x->slots[at & x->mask].number)
        at++;
    x->slots[at & x->mask] = slot;
}

static bool take(struct tr_hash_index *x, uint64_t bytes)
{
    if (!x->spill)
        return true;
    if (!x->spill->take(x->spill, bytes))
        return false;
    x->held += bytes;
    return true;
}

/* Make a table with this number of bits, with all present entries. */
static bool enlarge(struct tr_hash_index *x, unsigned bits)
{
    struct tr_hash_index bigger = *x;
    bigger.mask = ((size_t)1 << bits) - 1;
    bigger.shift = MAX_BITS - bits;
    bigger.slots = calloc((size_t)1 << bits, sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    /* Entries of one tag stay in their order if what wrapped round the end comes after what did not. */
    size_t n_old = x->slots ? x->mask + 1 : 0, first = x->slots ? tr__hash_first_empty(x) : 0;
    for (size_t i = 0; i < n_old; i++)
        if (x->slots[(first + i) & x->mask].number)
            put(&bigger, x->slots[(first + i) & x->mask]);
    free(x->slots);
    *x = bigger;
    return true;
}

/* Twice the slots.  False: there is no memory for them. */
static bool grow(struct tr_hash_index *x)
{
    unsigned bits = x->slots ? MAX_BITS - x->shift + 1 : FIRST_BITS;
    if (bits > MAX_BITS || bits >= sizeof(size_t) * 8 - 3)
        return false;
    uint64_t old = x->held, bytes = (uint64_t)sizeof *x->slots << bits;
    if (!take(x, bytes))
        return false;
    bool ok = enlarge(x, bits);
    if (x->spill) {
        uint64_t back = ok ? old : bytes;
        x->spill->give(x->spill, back);
        x->held -= back;
    }
    return ok;
}

/* Move the entries to the file.  The table for new ones is as large as memory allows, within bounds. */
static bool move_out(struct tr_hash_index *x)
{
    if (!tr__hash_file_add(x))
        return false;
    if (x->slots)
        memset(x->slots, 0, (x->mask + 1) * sizeof *x->slots);
    x->n = 0;
    if (!x->slots || x->shift > MAX_BITS - MIN_BITS)
        return enlarge(x, MIN_BITS);
    if (x->shift > MAX_BITS - GATHER_BITS)
        (void)grow(x);
    return true;
}

bool tr_hash_index_add(struct tr_hash_index *x, uint64_t hash, uint32_t number)
{
    if ((!x->slots || (x->n + 1) * 2 > x->mask + 1) && (x->file || !grow(x)) && !(x->spill && move_out(x)))
        return false;
    put(x, (struct tr_hash_slot){ number + 1, tr__hash_tag(hash) });
    x->n++;
    return true;
}

size_t tr_hash_index_bytes(const struct tr_hash_index *x)
{
    return x->slots ? (x->mask + 1) * sizeof *x->slots : 0;
}

void tr_hash_index_free(struct tr_hash_index *x)
{
    tr__hash_file_free(x->file);
    free(x->slots);
    if (x->spill)
        x->spill->give(x->spill, x->held);
    memset(x, 0, sizeof *x);
}
