/* SPDX-License-Identifier: MIT */
/* Calls of collectives, each different one once. */
#include "model/collectives/tr_collective_int.h"

uint32_t tr__coll_intern(struct tr_hash_index *index, void *array, size_t *n, size_t *cap, size_t size,
                       const void *row)
{
    unsigned char *rows;
    memcpy(&rows, array, sizeof rows); /* whatever its type is */
    uint64_t hash = tr_hash(row, size);
    struct tr_hash_walk walk = tr_hash_index_walk(index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (memcmp(rows + i * size, row, size) == 0)
            return i;
    if (*n >= UINT32_MAX - 1 || !tr_grow(array, cap, *n + 1, size) ||
        !tr_hash_index_add(index, hash, (uint32_t)*n))
        return UINT32_MAX;
    memcpy(&rows, array, sizeof rows);
    memcpy(rows + *n * size, row, size);
    return (uint32_t)(*n)++;
}

uint32_t tr__coll_call(struct tr_coll_finder *f, const struct tr_coll_call *call)
{
    return tr__coll_intern(&f->call_index, &f->calls, &f->n_calls, &f->cap_calls, sizeof *call, call);
}
