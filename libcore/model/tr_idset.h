/*
 * A set of event identities: pairs of (source, record).  16 bytes per member and half as much
 * again.
 */
#ifndef TR_IDSET_H
#define TR_IDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_idset_slot {
    uint64_t record;
    uint32_t source; /* number + 1; 0: empty */
};

struct tr_idset {
    struct tr_idset_slot *slots; /* NULL: empty set */
    size_t n, mask;
};

/* Zero-initialise a set.  Add a pair; source is below UINT32_MAX.  False: out of memory. */
bool tr_idset_add(struct tr_idset *s, uint32_t source, uint64_t record);
bool tr_idset_has(const struct tr_idset *s, uint32_t source, uint64_t record);
void tr_idset_free(struct tr_idset *s);

#ifdef __cplusplus
}
#endif
#endif
