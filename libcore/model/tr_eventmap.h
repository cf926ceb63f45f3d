/* SPDX-License-Identifier: MIT */
/*
 * A map from events, as pairs (source, record), to numbers.
 *
 * It can be used for other pairs of numbers, such as (group, name).  If the values do not matter, it is a set.
 * Memory: 16 bytes per slot, two to four slots per entry.  Not shared between threads.
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
 * Set a value; a present entry is replaced.  Zero-initialise the map before the first call.  source is less than
 * UINT32_MAX, and value is not TR_EVENTMAP_NONE.  False: out of memory.
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
