/* SPDX-License-Identifier: MIT */
/*
 * Merges several inputs in canonical order into one in canonical order.
 *
 * Strings, shapes, tracks and sources are renumbered by first use.  Ranks stay separate, because every track belongs to
 * a source.  If the canonical order cannot distinguish two events, the event of the earlier input comes first.  All
 * times of the result count from the earliest base (tr_source.base_ns), computed in integers; a source without a base
 * counts as base 0.
 *
 * Two sources of different inputs may claim to be one process of one rank at one time (same rank, host and pid,
 * overlapping times).  Then one trace is there twice, or a rank is wrong, and most results would be wrong without a
 * warning.  So such inputs are refused, unless the caller asks for other ranks.
 *
 * Parts of one source (tr_parts.h) become one source again.  Metadata events, and events without a time, may be in
 * several parts, and are taken once.  Another event that is in two parts is an error, found when it is its turn.
 *
 * If the order between ranks does not matter (tr_projection.any_rank_order) and no two inputs share a rank, the batches
 * of the inputs are given out in turn: the batch that ends first comes first.  Strings, shapes and tracks are numbered
 * by first use in that order.
 *
 * Memory: that of the inputs, and one batch each.
 */
#ifndef TR_MERGE_H
#define TR_MERGE_H

#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rank of a source in the result, and its rule. */
struct tr_merge_rank {
    int64_t rank;
    uint8_t rule; /* enum tr_rank_rule */
};

struct tr_merge_opts {
    /* If sources of two inputs collide, give all sources of the later input the next free ranks (rank_rule
     * TR_RANK_RENUMBERED), in their order. */
    bool renumber;
    /*
     * The ranks of all sources of all inputs, in their order; then collisions are not checked.  They must not change
     * the order of the sources of an input.  NULL: ranks do not change.
     */
    const struct tr_merge_rank *ranks;
};

/*
 * Merge n inputs, n > 0.  The result owns them, also on failure.  opts may be NULL.
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
