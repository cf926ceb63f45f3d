/* SPDX-License-Identifier: MIT */
/* Maps the numbers that a file gives to texts, tracks and the like to numbers of the reader.  Internal to libcore. */
#ifndef TR_NUMBERS_INT_H
#define TR_NUMBERS_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most files count from 1: such numbers are in a list, others in a hash table.  Zero-initialise. */
struct tr__numbers {
    uint32_t *list; /* UINT32_MAX: not there */
    size_t n_list, cap_list;
    struct tr__number {
        uint64_t key;
        uint32_t value; /* UINT32_MAX: the place is free */
    } *at;
    size_t n_at, cap;
    size_t n; /* of both */
};

uint32_t tr__numbers_find(const struct tr__numbers *t, uint64_t key); /* one that is not in the list */
static inline uint32_t tr__numbers_get(const struct tr__numbers *t, uint64_t key) /* UINT32_MAX: none */
{
    return key < t->n_list && t->list[key] != UINT32_MAX ? t->list[key]
           : t->cap                                      ? tr__numbers_find(t, key)
                                                         : UINT32_MAX;
}
static inline size_t tr__numbers_bytes(const struct tr__numbers *t)
{
    return t->cap * sizeof *t->at + t->cap_list * sizeof *t->list;
}
bool tr__numbers_set(struct tr__numbers *t, uint64_t key, uint32_t value); /* false: out of memory */
void tr__numbers_clear(struct tr__numbers *t);
void tr__numbers_free(struct tr__numbers *t);

#endif
