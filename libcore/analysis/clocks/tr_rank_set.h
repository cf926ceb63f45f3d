/* SPDX-License-Identifier: MIT */
/*
 * The ranks of a stream in ascending order, and the rank of each source.
 */
#ifndef TR_RANK_SET_H
#define TR_RANK_SET_H

#include "stream/tr_dict.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_rank_set {
    int64_t *rank;
    size_t n;
    uint32_t *of_source; /* index of a source's rank */
    size_t n_sources;
};

/*
 * Zero-initialise it before, and call tr_rank_set_free in any case.
 * only: by source, 1 for those that count; NULL: all.
 * TR_OK; TR_DAMAGED: a source has no rank; TR_SYSTEM.
 */
enum tr_status tr_rank_set_init(struct tr_rank_set *r, const struct tr_dict *dict, const uint8_t *only,
                                struct tr_error *err);
void tr_rank_set_free(struct tr_rank_set *r);
size_t tr_rank_set_find(const struct tr_rank_set *r, int64_t rank); /* r->n: there is none */

#ifdef __cplusplus
}
#endif
#endif
