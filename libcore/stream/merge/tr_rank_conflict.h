/* SPDX-License-Identifier: MIT */
/*
 * The ranks that sources claim, and collisions between them.
 *
 * Two sources of different inputs may claim to be one process of one rank at one time: same rank, host and pid, and
 * overlapping times.  Then one trace was given twice, or a rank is wrong.  Such inputs are refused, or the later input
 * gets other ranks.
 *
 * They hold the same events if they also have the same start, end, and number of events of each activity.  Then one of
 * them has to be left out: a trace and its stream, a file and another one that it was merged into.  Ranks by the order
 * of inputs do not count here, because the same trace has another one each time; two traces with such ranks have to
 * have one name, or the same bytes.
 *
 * Parts of one source (tr_parts.h) are no collision, because a merge joins them, and refuses an event that is in two of
 * them.  But they are refused here if one of them is the whole source, or if both are one file or have the same events.
 *
 *     struct tr_rank_conflicts claims = { 0 };
 *     for (i = 0; i < n; i++)
 *         tr_rank_conflicts_add(&claims, inputs[i], i);
 *     st = tr_rank_conflicts_settle(&claims, renumber, &err);
 *     ... claims.v[k].rank, in the order of inputs and of the sources in them
 *     tr_rank_conflicts_free(&claims);
 *
 * An input may be closed after its claims have been added.  So there may be any number of inputs.
 */
#ifndef TR_RANK_CONFLICT_H
#define TR_RANK_CONFLICT_H

#include "stream/merge/tr_parts.h"
#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_rank_claim {
    size_t input;          /* number of its input */
    uint32_t number, n;    /* of the source in its input; number of sources there */
    int64_t rank;          /* the caller may change it before tr_rank_conflicts_settle */
    uint8_t rule;          /* enum tr_rank_rule */
    bool by_place;         /* the rank is that of its place among the inputs, from 0 for its first source */
    int64_t pid;           /* TR_I64_NONE: unknown */
    int64_t base_ns;       /* the time that its times count from */
    int64_t start, end;    /* ns, end not included; equal: it has no events with usable times */
    uint64_t n_activity[TR_N_ACTIVITIES];
    struct tr_part part;
    char *host;            /* NULL: unknown */
    char *name, *of_input; /* for messages */
};

struct tr_rank_conflicts {
    struct tr_rank_claim *v;
    size_t n, cap;
};

/* Add the sources of an input.  False: out of memory. */
bool tr_rank_conflicts_add(struct tr_rank_conflicts *c, const struct tr_input *in, size_t input);
void tr_rank_conflicts_free(struct tr_rank_conflicts *c);

/* Do the times of two sources overlap? */
bool tr_rank_claims_overlap(const struct tr_rank_claim *a, const struct tr_rank_claim *b);

/*
 * Look for collisions, in the order of the inputs.
 *
 * renumber  if two inputs collide, all sources of the later input get the next free ranks, in their order (rule
 *           TR_RANK_RENUMBERED); they may hold the same events
 *
 * Returns TR_OK; TR_DAMAGED: two sources collide or hold the same events (err names both), or no rank is free;
 * TR_SYSTEM.
 */
enum tr_status tr_rank_conflicts_settle(struct tr_rank_conflicts *c, bool renumber, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
