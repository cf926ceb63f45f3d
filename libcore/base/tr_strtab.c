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
    struct tr_hash_index index; /* of the first n_indexed entries */
    size_t n_indexed;
    struct tr_spilling in;      /* where the entries are */
};

struct tr_strtab *tr_strtab_new(void)
{
    return tr_strtab_new_in(NULL);
}

struct tr_strtab *tr_strtab_new_in(struct tr_spill *spill)
{
    struct tr_strtab *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->in.spill = t->index.spill = spill;
    t->arena = tr_arena_new_in(1u << 16, spill);
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
    tr_spilling_free(&t->in, t->entries);
    tr_hash_index_free(&t->index);
    free(t);
}

struct tr_spill *tr_strtab_spill(const struct tr_strtab *t)
{
    return t->in.spill;
}

/* Report the use of a string, once for each 64 KiB of it: its bytes may be in a file before the entries are. */
static void touched(const struct tr_strtab *t, size_t len)
{
    tr_spilling_touched(&t->in);
    for (; t->in.spill && len >= 4096; len -= len < 65536 ? len : 65536)
        t->in.spill->touched(t->in.spill);
}

static bool is_entry(const struct tr_strtab *t, size_t id, const void *s, size_t len)
{
    return t->entries[id].len == len && (!len || memcmp(t->entries[id].s, s, len) == 0); /* s may be NULL */
}

/* Enter the strings that came without a look at the index. */
static bool index_rest(struct tr_strtab *t)
{
    for (; t->n_indexed < t->n; t->n_indexed++) {
        const struct entry *e = &t->entries[t->n_indexed];
        if (!tr_hash_index_add(&t->index, tr_hash(e->s, e->len), (uint32_t)t->n_indexed))
            return false;
        touched(t, e->len);
    }
    return true;
}

static uint32_t find(const struct tr_strtab *t, const void *s, size_t len, uint64_t hash)
{
    struct tr_hash_walk walk = tr_hash_index_walk(&t->index, hash);
    uint32_t id;
    while ((id = tr_hash_index_next(&walk)) != TR_HASH_NONE)
        if (is_entry(t, id, s, len))
            return id;
    return TR_NO_STR;
}

/* A new entry at the end; the index is not touched. */
static uint32_t append(struct tr_strtab *t, const void *s, size_t len)
{
    if (t->n >= UINT32_MAX - 1 || !tr_spilling_grow(&t->in, &t->entries, &t->cap, t->n + 1, sizeof *t->entries))
        return TR_NO_STR;
    char *copy = tr_arena_alloc(t->arena, len + 1);
    if (!copy)
        return TR_NO_STR;
    if (len)
        memcpy(copy, s, len);
    copy[len] = '\0';
    touched(t, len);
    t->entries[t->n++] = (struct entry){ copy, len };
    return (uint32_t)t->n - 1;
}

uint32_t tr_strtab_add(struct tr_strtab *t, const void *s, size_t len)
{
    uint64_t hash = tr_hash(s, len);
    if (!index_rest(t))
        return TR_NO_STR;
    uint32_t id = find(t, s, len, hash);
    if (id != TR_NO_STR || (id = append(t, s, len)) == TR_NO_STR)
        return id;
    if (!tr_hash_index_add(&t->index, hash, id)) {
        t->n--;
        return TR_NO_STR;
    }
    t->n_indexed = t->n;
    return id;
}

uint32_t tr_strtab_add_new(struct tr_strtab *t, const void *s, size_t len)
{
    return append(t, s, len);
}

uint32_t tr_strtab_find(const struct tr_strtab *t, const void *s, size_t len)
{
    if (!index_rest((struct tr_strtab *)(uintptr_t)t)) /* no memory: look at the others one by one */
        for (size_t id = t->n_indexed; id < t->n; id++)
            if (is_entry(t, id, s, len))
                return (uint32_t)id;
    return find(t, s, len, tr_hash(s, len));
}

void tr_strtab_expect(const struct tr_strtab *t, const void *s, size_t len)
{
    tr_hash_index_expect(&t->index, tr_hash(s, len));
}

const char *tr_strtab_get(const struct tr_strtab *t, uint32_t id)
{
    touched(t, t->in.spill ? t->entries[id].len : 0);
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
