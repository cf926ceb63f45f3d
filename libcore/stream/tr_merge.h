/*
 * Merging inputs: several inputs in canonical order become one in canonical order.
 *
 * Strings, shapes, tracks and sources are renumbered by first use; ranks stay apart, since every track
 * belongs to a source.  Time bases are reconciled in integers: all times of the result count from the
 * earliest base (tr_source.base_ns); a source that names no base counts as base 0.  Memory is bounded by
 * what the inputs need plus one batch each.
 */
#ifndef TR_MERGE_H
#define TR_MERGE_H

#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Merge n inputs, n > 0.  They belong to the result from now on, also on failure.
 *
 * Returns TR_OK; TR_DAMAGED: an input is not in canonical order, or times leave the range of 64 bits
 * of nanoseconds; TR_SYSTEM.
 */
enum tr_status tr_merge_open(struct tr_input **out, struct tr_input *const *inputs, size_t n,
                             struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
