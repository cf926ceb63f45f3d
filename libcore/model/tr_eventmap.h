/* SPDX-License-Identifier: MIT */
/*
 * A map from event identities, pairs of (source, record), to numbers; other pairs of numbers will do
 * as well, such as (group, name).  A map whose values do not matter is a set.  16 bytes per slot, two to
 * four slots per entry.  Not shared between threads.
 */
#ifndef TR_EVENTMAP_H
#define TR_EVENTMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_EVENTMAP_NONE UINT32_MAX

struct tr_eventmap_slot {
    uint64_t record;
    uint32_t source; /* number + 1; 0: empty */
    uint32_t value;
};

struct tr_eventmap {
    struct tr_eventmap_slot *slots; /* NULL: empty map */
    size_t n, mask;
};

/*
 * Zero-initialise a map.  source is below UINT32_MAX, value is not TR_EVENTMAP_NONE.  An entry that
 * is there already gets the new value.  False: out of memory.
 */
bool tr_eventmap_put(struct tr_eventmap *m, uint32_t source, uint64_t record, uint32_t value);
/* The value of an entry, or TR_EVENTMAP_NONE. */
uint32_t tr_eventmap_get(const struct tr_eventmap *m, uint32_t source, uint64_t record);
static inline bool tr_eventmap_has(const struct tr_eventmap *m, uint32_t source, uint64_t record)
{
    return tr_eventmap_get(m, source, record) != TR_EVENTMAP_NONE;
}
void tr_eventmap_remove(struct tr_eventmap *m, uint32_t source, uint64_t record);
void tr_eventmap_free(struct tr_eventmap *m);

#ifdef __cplusplus
}
#endif
#endif
