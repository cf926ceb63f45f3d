/* SPDX-License-Identifier: MIT */
/* A table of distinct byte strings. */
#include "base/tr_strtab.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"

#include <stdlib.h>

struct entry {
    const char *s;
    size_t len;
};

struct tr_strtab {
    struct tr_arena *arena;
    struct entry *entries;
    size_t n, cap;
    struct tr_hash_index index; /* of entries */
};

struct tr_strtab *tr_strtab_new(void)
{
    struct tr_strtab *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->arena = tr_arena_new(1u << 16);
    if (!t->arena) {
        tr_strtab_free(t);
        return NULL;
    }
    return t;
}

void tr_strtab_free(struct tr_strtab *t)
{
    if (!t)
        return;
    tr_arena_free(t->arena);
    free(t->entries);
    tr_hash_index_free(&t->index);
    free(t);
}

static uint32_t find(const struct tr_strtab *t, const void *s, size_t len, uint64_t hash)
{
    struct tr_hash_walk walk = tr_hash_index_walk(&t->index, hash);
    uint32_t id;
    while ((id = tr_hash_index_next(&walk)) != TR_HASH_NONE)
        if (t->entries[id].len == len && (!len || memcmp(t->entries[id].s, s, len) == 0)) /* s may be NULL */
            return id;
    return TR_NO_STR;
}

uint32_t tr_strtab_add(struct tr_strtab *t, const void *s, size_t len)
{
    uint64_t hash = tr_hash(s, len);
    uint32_t id = find(t, s, len, hash);
    if (id != TR_NO_STR)
        return id;
    if (t->n >= UINT32_MAX - 1 || !tr_grow(&t->entries, &t->cap, t->n + 1, sizeof *t->entries))
        return TR_NO_STR;
    char *copy = tr_arena_alloc(t->arena, len + 1);
    if (!copy || !tr_hash_index_add(&t->index, hash, (uint32_t)t->n))
        return TR_NO_STR;
    if (len)
        memcpy(copy, s, len);
    copy[len] = '\0';
    t->entries[t->n++] = (struct entry){ copy, len };
    return (uint32_t)t->n - 1;
}

uint32_t tr_strtab_find(const struct tr_strtab *t, const void *s, size_t len)
{
    return find(t, s, len, tr_hash(s, len));
}

const char *tr_strtab_get(const struct tr_strtab *t, uint32_t id)
{
    return t->entries[id].s;
}

size_t tr_strtab_len(const struct tr_strtab *t, uint32_t id)
{
    return t->entries[id].len;
}

uint32_t tr_strtab_count(const struct tr_strtab *t)
{
    return (uint32_t)t->n;
}

size_t tr_strtab_bytes(const struct tr_strtab *t)
{
    return tr_arena_bytes(t->arena) + t->cap * sizeof *t->entries + tr_hash_index_bytes(&t->index);
}
