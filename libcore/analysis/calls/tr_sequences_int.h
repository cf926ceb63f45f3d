/* SPDX-License-Identifier: MIT */
/* The table of distinct sequences: declarations for tr_sequences.c and tr_sequences_table.c. */
#ifndef TR_SEQUENCES_INT_H
#define TR_SEQUENCES_INT_H

#include "analysis/calls/tr_sequences.h"
#include "base/tr_hash.h"
#include "base/tr_mem.h"

/* All calls with the same group, name and sequence. */
struct tr__sequence {
    uint32_t group, name;
    uint32_t *work;
    size_t n_work;
    uint64_t count;
    struct tr_stats to_launch, launch_to_start, work_dur, call_dur;
};

struct tr__sequence_table {
    struct tr__sequence *all;
    size_t n, cap;
    struct tr_hash_index index; /* of all */
    struct tr_arena *names; /* the arrays to which work points */
};

bool tr__sequences_init(struct tr__sequence_table *t);
void tr__sequences_release(struct tr__sequence_table *t);

/* The number of the sequence with these members; it is added if it is new.  UINT32_MAX: out of memory. */
uint32_t tr__sequences_find(struct tr__sequence_table *t, uint32_t group, uint32_t name,
                            const uint32_t *work, size_t n_work);

/*
 * The rows in their order (tr_sequences.h); the caller frees them.  Occurrences in found are sorted in canonical order.
 * Their row, so far the number of a sequence, becomes the number of a row.  False: out of memory.
 */
bool tr__sequences_rows(const struct tr__sequence_table *t, const struct tr_group_by *w, struct tr_occurrence *found,
                        size_t n_found, struct tr_sequences_row **rows);

/*
 * Write and read table 0 of a partial result.  False: out of memory; when reading, also any failure in
 * tr_partial_status.
 */
bool tr__sequences_put(const struct tr__sequence_table *t, const struct tr_group_by *w, struct tr_partial_out *out);
bool tr__sequences_get(struct tr__sequence_table *t, struct tr_group_by *w, struct tr_partial_in *in);

#endif
