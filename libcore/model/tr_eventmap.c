/* SPDX-License-Identifier: MIT */
/* A hash table from pairs (source, record) to numbers. */
#include "model/tr_eventmap.h"

#include "base/tr_hash.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64u

static size_t home_of(const struct tr_eventmap *m, uint32_t source, uint64_t record)
{
    return (size_t)tr_mix64(record ^ 0xa0761d6478bd642fu, 0x9e3779b97f4a7c15u + source) & m->mask;
}

/* The slot of an entry, or the empty slot for it.  The map must have slots. */
static size_t find(const struct tr_eventmap *m, uint32_t source, uint64_t record)
{
    size_t i = home_of(m, source, record);
    while (m->slots[i].source && (m->slots[i].record != record || m->slots[i].source != source + 1))
        i = (i + 1) & m->mask;
    return i;
}

static bool grow(struct tr_eventmap *m)
{
    struct tr_eventmap old = *m;
    size_t n_old = old.slots ? old.mask + 1 : 0;
    m->mask = n_old ? n_old * 2 - 1 : FIRST_SLOTS - 1;
    m->slots = calloc(m->mask + 1, sizeof *m->slots);
    if (!m->slots) {
        *m = old;
        return false;
    }
    for (size_t i = 0; i < n_old; i++)
        if (old.slots[i].source)
            m->slots[find(m, old.slots[i].source - 1, old.slots[i].record)] = old.slots[i];
    free(old.slots);
    return true;
}

bool tr_eventmap_put(struct tr_eventmap *m, uint32_t source, uint64_t record, uint32_t value)
{
    if ((!m->slots || m->n * 2 > m->mask) && !grow(m))
        return false;
    struct tr_eventmap_slot *s = &m->slots[find(m, source, record)];
    m->n += !s->source;
    *s = (struct tr_eventmap_slot){ record, source + 1, value };
    return true;
}

uint32_t tr_eventmap_get(const struct tr_eventmap *m, uint32_t source, uint64_t record)
{
    if (!m->n)
        return TR_EVENTMAP_NONE;
    const struct tr_eventmap_slot *s = &m->slots[find(m, source, record)];
    return s->source ? s->value : TR_EVENTMAP_NONE;
}

void tr_eventmap_remove(struct tr_eventmap *m, uint32_t source, uint64_t record)
{
    if (!m->n)
        return;
    size_t hole = find(m, source, record);
    if (!m->slots[hole].source)
        return;
    m->n--;
    /* Move entries after the empty slot up, if they could be in it, so that no search ends too early. */
    for (size_t i = (hole + 1) & m->mask; m->slots[i].source; i = (i + 1) & m->mask) {
        size_t home = home_of(m, m->slots[i].source - 1, m->slots[i].record);
        if (((i - home) & m->mask) < ((i - hole) & m->mask))
            continue;
        m->slots[hole] = m->slots[i];
        hole = i;
    }
    m->slots[hole] = (struct tr_eventmap_slot){ 0 };
}

void tr_eventmap_free(struct tr_eventmap *m)
{
    free(m->slots);
    memset(m, 0, sizeof *m);
}
