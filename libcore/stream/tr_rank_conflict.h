/* SPDX-License-Identifier: MIT */
/*
 * What sources claim to be, and what becomes of claims that collide.
 *
 * Two sources of different inputs that claim to be one process of one rank at one time (same rank, host
 * and pid, overlapping times) are the same trace twice, or bear a wrong rank.  They are refused, or the
 * later input gets other ranks.
 *
 *     struct tr_rank_conflicts claims = { 0 };
 *     for (i = 0; i < n; i++)
 *         tr_rank_conflicts_add(&claims, inputs[i], i);
 *     st = tr_rank_conflicts_settle(&claims, renumber, &err);
 *     ... claims.v[k].rank, in the order of inputs and of the sources in them
 *     tr_rank_conflicts_free(&claims);
 *
 * Inputs may be closed once their claims are known, so that any number of them can be looked at.
 */
#ifndef TR_RANK_CONFLICT_H
#define TR_RANK_CONFLICT_H

#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_rank_claim {
    size_t input;          /* number of its input */
    uint32_t number, n;    /* of the source in it, and how many there are */
    int64_t rank;          /* may be changed before they are settled */
    uint8_t rule;          /* enum tr_rank_rule */
    int64_t pid;           /* TR_I64_NONE: unknown */
    int64_t base_ns;       /* what its times count from */
    int64_t start, end;    /* ns, end not included; equal: it has no events that can be placed */
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

/*
 * Look for collisions, in the order of the inputs.
 *
 * renumber  of two inputs that collide give all sources of the later one the next free ranks, in
 *           their order (rule TR_RANK_RENUMBERED)
 *
 * Returns TR_OK; TR_DAMAGED: two sources collide (err names both), or no rank is free; TR_SYSTEM.
 */
enum tr_status tr_rank_conflicts_settle(struct tr_rank_conflicts *c, bool renumber, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
