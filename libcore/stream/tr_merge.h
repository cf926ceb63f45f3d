/* SPDX-License-Identifier: MIT */
/*
 * Merging inputs: several inputs in canonical order become one in canonical order.
 *
 * Strings, shapes, tracks and sources are renumbered by first use.  Ranks stay apart, since every track
 * belongs to a source; of events that the canonical order cannot tell apart, that of the earlier input
 * comes first.  Time bases are reconciled in integers: all times of the result count from the earliest
 * base (tr_source.base_ns); a source that names no base counts as base 0.
 *
 * Two sources of different inputs that claim to be one process of one rank at one time (same rank, host
 * and pid, overlapping times) are the same trace twice, or bear a wrong rank: most results would be
 * wrong without a sign of it, so they are refused, unless the caller asks for other ranks.
 *
 * Where the order between ranks does not matter (tr_projection.any_rank_order) and no two inputs share a rank, the
 * batches of the inputs are handed out in turn instead, the one that ends first before the others; strings,
 * shapes and tracks are numbered by first use in that order.
 *
 * Memory is bounded by what the inputs need plus one batch each.
 */
#ifndef TR_MERGE_H
#define TR_MERGE_H

#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rank of a source in the result, and why it is that. */
struct tr_merge_rank {
    int64_t rank;
    uint8_t rule; /* enum tr_rank_rule */
};

struct tr_merge_opts {
    /* Of two inputs with colliding sources give the later one the next free ranks (rank_rule
     * TR_RANK_RENUMBERED); all its sources, so that they keep their order. */
    bool renumber;
    /*
     * The ranks of all sources of all inputs, in their order; collisions are not looked for then.
     * They must not change the order of the sources of an input.  NULL: ranks are as they are.
     */
    const struct tr_merge_rank *ranks;
};

/*
 * Merge n inputs, n > 0.  They belong to the result from now on, also on failure.  opts may be NULL.
 *
 * Returns TR_OK; TR_DAMAGED: an input is not in canonical order, two sources collide, or times leave
 * the range of 64 bits of nanoseconds; TR_SYSTEM.
 */
enum tr_status tr_merge_open(struct tr_input **out, struct tr_input *const *inputs, size_t n,
                             const struct tr_merge_opts *opts, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
