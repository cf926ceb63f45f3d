/* SPDX-License-Identifier: MIT */
/*
 * Maps numbers of one dictionary to those of another: the strings, tracks, shapes or columns of an input, and their
 * numbers in a result.
 *
 *     struct tr_number_map map = { .to = NULL };
 *     if (tr_number_of(&map, id) == TR_NUMBER_UNKNOWN)
 *         ok = tr_number_map_set(&map, id, tr_strtab_add(...));
 *     ...
 *     tr_number_map_free(&map);
 *
 * Entry 0 is for TR_NO_STR, entry i + 1 for number i, so loops over many numbers need no branch: when the map is large
 * enough, to[(uint32_t)(number + 1)] is the result.  TR_NO_STR stays TR_NO_STR.  Four bytes per number.
 */
#ifndef TR_NUMBER_MAP_H
#define TR_NUMBER_MAP_H

#include "stream/tr_dict.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_NUMBER_UNKNOWN UINT32_MAX /* no number yet */

struct tr_number_map { /* zero-initialise; in.spill may be set before the first entry */
    uint32_t *to;
    size_t n, cap; /* entries */
    struct tr_spilling in;
};

/* Room for the numbers below n; new ones are unknown.  False: out of memory, and nothing has changed. */
bool tr_number_map_grow_now(struct tr_number_map *m, size_t n); /* for tr_number_map_grow: when there is no room */
static inline bool tr_number_map_grow(struct tr_number_map *m, size_t n)
{
    return n < m->n || tr_number_map_grow_now(m, n);
}

/* The number in the result; TR_NUMBER_UNKNOWN: there is none. */
static inline uint32_t tr_number_of(const struct tr_number_map *m, uint32_t number)
{
    uint32_t at = (uint32_t)(number + 1);
    return at < m->n ? m->to[at] : TR_NUMBER_UNKNOWN;
}

/* Map a number (not TR_NO_STR) to a number in the result.  False: out of memory, or to is TR_NUMBER_UNKNOWN. */
bool tr_number_map_set(struct tr_number_map *m, uint32_t number, uint32_t to);

void tr_number_map_free(struct tr_number_map *m); /* empty afterwards */

/*
 * Give the texts of dictionary rows other numbers: fn is called for each of them, also for TR_NO_STR.  The header
 * arrays of a source are changed in place.
 */
typedef uint32_t tr_number_fn(void *ctx, uint32_t string);
void tr_track_renumber(struct tr_track *t, tr_number_fn *fn, void *ctx);
void tr_source_renumber(struct tr_source *s, tr_number_fn *fn, void *ctx);

#ifdef __cplusplus
}
#endif
#endif
