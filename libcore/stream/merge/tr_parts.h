/* SPDX-License-Identifier: MIT */
/*
 * Parts of a source: streams with some events of one source, which a merge joins to one source again.
 *
 * There are two kinds of parts.  A selection has the summary of its whole source, and its stream says that it is
 * filtered.  A piece (tr-filter --split) has a summary of its own events, and tr_source.whole, which is the identity of
 * the summary of the whole source.  Steps do not count for the identity, because filters remove some of them; nor do
 * n_launches and lags.
 *
 * Two streams have parts of one source if rank, host, name, header and the like are equal, and the identities of the
 * whole are.  The base of times may differ: a merge moves it.
 */
#ifndef TR_PARTS_H
#define TR_PARTS_H

#include "stream/tr_dict.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_part {
    uint64_t row;   /* of what the source says of its trace */
    uint64_t own;   /* identity of its summary */
    uint64_t whole; /* identity of the summary of the whole source */
    bool filtered;  /* its stream has not all events that its summary counts */
    bool metadata;  /* it has only metadata, which may be in several parts */
};

/* Source i of a stream; without a summary (NULL), it is a part of nothing. */
struct tr_part tr_part_of(const struct tr_dict *d, const struct tr_summary *s, uint32_t i);

/* The identity of a summary of a source; never 0. */
uint64_t tr_summary_identity(const struct tr_source *source, const struct tr_source_summary *s);

/* Are both of one source, rank and host left aside? */
bool tr_parts_of_one(const struct tr_part *a, const struct tr_part *b);

/* Is it a selection or a piece? */
bool tr_part_is(const struct tr_part *p);

/* Can both be joined to one source?  They may still share events. */
bool tr_parts_join(const struct tr_part *a, const struct tr_part *b);

/* Add the counts of another piece.  Events of metadata stand in all pieces, so they are not added up. */
void tr_summary_add_piece(struct tr_source_summary *to, const struct tr_source_summary *from);

/* Take all counts and times from another summary: all but steps and damage. */
void tr_summary_take_counts(struct tr_source_summary *to, const struct tr_source_summary *from);

/* Add the steps that are not there yet, in their order.  False: out of memory. */
bool tr_summary_join_steps(struct tr_source_summary *to, const struct tr_source_summary *from);

/* The order of the steps of a source. */
int tr_step_cmp(const struct tr_step *a, const struct tr_step *b);

#ifdef __cplusplus
}
#endif
#endif
