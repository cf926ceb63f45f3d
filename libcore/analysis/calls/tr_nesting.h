/* SPDX-License-Identifier: MIT */
/*
 * Overlaps of spans of one thread or stream, counted by cause (enum tr_nesting).
 *
 * One pass over events in canonical order.  Memory grows with the number of open spans.
 */
#ifndef TR_NESTING_H
#define TR_NESTING_H

#include "model/calls/tr_call_path.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_nesting_count {
    uint64_t n;
    int64_t sum, max; /* of the overlaps, ns; TR_TIME_NONE: does not fit */
};

struct tr_nestings;

struct tr_nestings *tr_nestings_new(const struct tr_dict *dict); /* NULL: out of memory */
void tr_nestings_free(struct tr_nestings *a);

/* The next batch; keep: one byte per event, NULL: all.  TR_OK or TR_SYSTEM. */
enum tr_status tr_nestings_feed(struct tr_nestings *a, const struct tr_batch *b,
                                const uint8_t *keep, struct tr_error *err);

/* The TR_N_NESTINGS counts of a source so far; NULL: it had no spans. */
const struct tr_nesting_count *tr_nestings_of(const struct tr_nestings *a, uint32_t source);

#ifdef __cplusplus
}
#endif
#endif
