/* SPDX-License-Identifier: MIT */
/* Maps the numbers that a file gives to texts, tracks and the like: see tr_numbers_int.h. */
#include "formats/common/tr_numbers_int.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

#define KEPT 256u /* places that a table keeps when it is cleared */

static size_t slot_of(const struct tr__numbers *t, uint64_t key)
{
    size_t i = (size_t)tr_mix64(key ^ 0x9e3779b97f4a7c15u, 0xe7037ed1a0b428dbu) & (t->cap - 1);
    while (t->at[i].value != UINT32_MAX && t->at[i].key != key)
        i = (i + 1) & (t->cap - 1);
    return i;
}

uint32_t tr__numbers_find(const struct tr__numbers *t, uint64_t key)
{
    return t->at[slot_of(t, key)].value;
}

static bool grow(struct tr__numbers *t)
{
    struct tr__numbers more = *t;
    more.cap = t->cap ? 2 * t->cap : 16;
    if (more.cap > SIZE_MAX / sizeof *more.at || !(more.at = malloc(more.cap * sizeof *more.at)))
        return false;
    memset(more.at, 0xff, more.cap * sizeof *more.at);
    for (size_t i = 0; i < t->cap; i++)
        if (t->at[i].value != UINT32_MAX)
            more.at[slot_of(&more, t->at[i].key)] = t->at[i];
    free(t->at);
    *t = more;
    return true;
}

/* At least an eighth of the list is used, so it takes less memory than a table. */
static bool set_in_list(struct tr__numbers *t, uint64_t key, uint32_t value)
{
    if (!tr_grow(&t->list, &t->cap_list, (size_t)key + 1, sizeof *t->list))
        return false;
    while (t->n_list <= key)
        t->list[t->n_list++] = UINT32_MAX;
    t->n += t->list[key] == UINT32_MAX;
    t->list[key] = value;
    return true;
}

bool tr__numbers_set(struct tr__numbers *t, uint64_t key, uint32_t value)
{
    if (key < t->n_list || (key <= 8 * t->n + 8 && key < SIZE_MAX / sizeof *t->list - 1))
        return set_in_list(t, key, value);
    if (2 * t->n_at >= t->cap && !grow(t))
        return false;
    size_t i = slot_of(t, key);
    t->n += t->at[i].value == UINT32_MAX;
    t->n_at += t->at[i].value == UINT32_MAX;
    t->at[i].key = key;
    t->at[i].value = value;
    return true;
}

void tr__numbers_clear(struct tr__numbers *t)
{
    if (t->cap > KEPT || t->cap_list > KEPT) { /* else a file could make the reader clear a large table many times */
        tr__numbers_free(t);
        *t = (struct tr__numbers){ 0 };
    } else if (t->n_at) {
        memset(t->at, 0xff, t->cap * sizeof *t->at);
    }
    t->n = t->n_at = t->n_list = 0;
}

void tr__numbers_free(struct tr__numbers *t)
{
    free(t->at);
    free(t->list);
}
