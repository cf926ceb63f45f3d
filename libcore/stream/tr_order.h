/* SPDX-License-Identifier: MIT */
/*
 * Canonical order, and the check that a stream keeps it.
 *
 *   1. events without ts come first; then by ts
 *   2. longer first; an absent duration is the longest, a suspect one counts as 0
 *   3. by source: rank, then host, then name, as bytes
 *   4. by record
 *
 * No key depends on the numbers of a stream, so a merge of ordered streams is ordered.
 */
#ifndef TR_ORDER_H
#define TR_ORDER_H

#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The keys of the order. */
struct tr_order_key {
    int64_t ts, dur; /* dur from tr_order_dur */
    uint32_t source;
    uint64_t record;
};

/* <0, 0, >0: source a comes before b, is equal to b, comes after b.  They may be of different
 * dictionaries. */
int tr_source_cmp(const struct tr_dict *da, uint32_t a, const struct tr_dict *db, uint32_t b);
/* How many sources come before each of the n_sources of a dictionary.  False: out of memory. */
bool tr_sources_place(const struct tr_dict *d, uint32_t *place);

/* The same for two events of one dictionary. */
int tr_order_key_cmp(const struct tr_dict *d, const struct tr_order_key *a,
                     const struct tr_order_key *b);

/* The key of event i of a batch. */
struct tr_order_key tr_order_key(const struct tr_batch *b, size_t i);

#ifdef __cplusplus
}
#endif
#endif
