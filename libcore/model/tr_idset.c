#include "model/tr_idset.h"

#include "base/tr_strtab.h"

#include <stdlib.h>
#include <string.h>

static struct tr_idset_slot *find(const struct tr_idset *s, uint32_t source, uint64_t record)
{
    size_t i = tr_mix64(record ^ 0x9e3779b97f4a7c15u, source ^ 0xe7037ed1a0b428dbu) & s->mask;
    while (s->slots[i].source && (s->slots[i].source != source + 1 || s->slots[i].record != record))
        i = (i + 1) & s->mask;
    return &s->slots[i];
}

static bool grow(struct tr_idset *s)
{
    struct tr_idset bigger = { NULL, s->n, s->slots ? s->mask * 2 + 1 : 1023 };
    if (bigger.mask >= SIZE_MAX / 2 / sizeof *bigger.slots)
        return false;
    bigger.slots = calloc(bigger.mask + 1, sizeof *bigger.slots);
    if (!bigger.slots)
        return false;
    for (size_t i = 0; s->slots && i <= s->mask; i++)
        if (s->slots[i].source)
            *find(&bigger, s->slots[i].source - 1, s->slots[i].record) = s->slots[i];
    free(s->slots);
    *s = bigger;
    return true;
}

bool tr_idset_add(struct tr_idset *s, uint32_t source, uint64_t record)
{
    if ((!s->slots || s->n >= s->mask / 3 * 2) && !grow(s))
        return false;
    struct tr_idset_slot *at = find(s, source, record);
    if (!at->source) {
        *at = (struct tr_idset_slot){ record, source + 1 };
        s->n++;
    }
    return true;
}

bool tr_idset_has(const struct tr_idset *s, uint32_t source, uint64_t record)
{
    return s->slots && find(s, source, record)->source != 0;
}

void tr_idset_free(struct tr_idset *s)
{
    free(s->slots);
    memset(s, 0, sizeof *s);
}
