#include "base/tr_strtab.h"

#include "base/tr_mem.h"

#include <stdlib.h>

struct entry {
    const char *s;
    size_t len;
};

struct slot {
    uint32_t id;  /* number + 1; 0: empty */
    uint32_t tag; /* upper half of the hash */
};

struct tr_strtab {
    struct tr_arena *arena;
    struct entry *entries;
    size_t n, cap;
    struct slot *slots;
    size_t mask; /* number of slots - 1 */
};

struct tr_strtab *tr_strtab_new(void)
{
    struct tr_strtab *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->mask = 255;
    t->slots = calloc(t->mask + 1, sizeof *t->slots);
    t->arena = tr_arena_new(1u << 16);
    if (!t->slots || !t->arena) {
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
    free(t->slots);
    free(t);
}

static bool rehash(struct tr_strtab *t)
{
    size_t mask = t->mask * 2 + 1;
    struct slot *slots = calloc(mask + 1, sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t id = 0; id < t->n; id++) {
        uint64_t h = tr_hash(t->entries[id].s, t->entries[id].len);
        size_t i = h & mask;
        while (slots[i].id)
            i = (i + 1) & mask;
        slots[i] = (struct slot){ id + 1, (uint32_t)(h >> 32) };
    }
    free(t->slots);
    t->slots = slots;
    t->mask = mask;
    return true;
}

static size_t find_slot(const struct tr_strtab *t, const void *s, size_t len, uint64_t h)
{
    size_t i = h & t->mask;
    uint32_t tag = (uint32_t)(h >> 32);
    while (t->slots[i].id) {
        if (t->slots[i].tag == tag) {
            const struct entry *e = &t->entries[t->slots[i].id - 1];
            if (e->len == len && memcmp(e->s, s, len) == 0)
                break;
        }
        i = (i + 1) & t->mask;
    }
    return i;
}

uint32_t tr_strtab_add_hashed(struct tr_strtab *t, const void *s, size_t len, uint64_t hash)
{
    size_t i = find_slot(t, s, len, hash);
    if (t->slots[i].id)
        return t->slots[i].id - 1;
    if (t->n >= UINT32_MAX - 1 || !tr_grow(&t->entries, &t->cap, t->n + 1, sizeof *t->entries))
        return TR_NO_STR;
    char *copy = tr_arena_alloc(t->arena, len + 1);
    if (!copy)
        return TR_NO_STR;
    if (len)
        memcpy(copy, s, len);
    copy[len] = '\0';
    t->entries[t->n] = (struct entry){ copy, len };
    t->slots[i] = (struct slot){ (uint32_t)t->n + 1, (uint32_t)(hash >> 32) };
    t->n++;
    /* A failed rehash is harmless until the table is full; keep at least one slot empty. */
    if (t->n * 2 > t->mask && !rehash(t) && t->n >= t->mask)
        return TR_NO_STR;
    return (uint32_t)t->n - 1;
}

uint32_t tr_strtab_add(struct tr_strtab *t, const void *s, size_t len)
{
    return tr_strtab_add_hashed(t, s, len, tr_hash(s, len));
}

uint32_t tr_strtab_find(const struct tr_strtab *t, const void *s, size_t len)
{
    size_t i = find_slot(t, s, len, tr_hash(s, len));
    return t->slots[i].id ? t->slots[i].id - 1 : TR_NO_STR;
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
    return tr_arena_bytes(t->arena) + t->cap * sizeof *t->entries +
           (t->mask + 1) * sizeof *t->slots;
}
