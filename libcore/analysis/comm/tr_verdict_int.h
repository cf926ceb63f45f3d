/* SPDX-License-Identifier: MIT */
/* What the files of the verdict share.  Internal to libcore. */
#ifndef TR_VERDICT_INT_H
#define TR_VERDICT_INT_H

#include "analysis/comm/tr_verdict.h"

#include <stdlib.h>

/* A member of a group, and its calls of the number that is compared. */
struct tr__verdict_member {
    int64_t rank;
    uint32_t dump;  /* UINT32_MAX: it is not given */
    int64_t first;  /* the first number that the dump has; INT64_MAX: none */
    size_t call, n_calls;
    uint8_t state;  /* the least of these */
    uint32_t where; /* while places are counted */
    bool counted;
};

struct tr__verdict_group {
    uint32_t number;
    size_t first, p2p, last; /* calls: collectives from first to p2p, sends and receives to last */
    int64_t from, to;
    struct tr_verdict_ranks ranks;
    struct tr__verdict_member *members;
    uint32_t *of_dump; /* the member of a dump; UINT32_MAX: it is none */
};

static inline bool tr__verdict_rank(struct tr_verdict_ranks *r, int64_t rank)
{
    if (!tr_grow(&r->v, &r->cap, r->n + 1, sizeof *r->v))
        return false;
    r->v[r->n++] = rank;
    return true;
}

static inline void tr__verdict_free(struct tr_verdict *f)
{
    free(f->culprits.v);
    free(f->waiting.v);
    tr_buf_free(&f->expected);
    tr_buf_free(&f->seen);
    tr_buf_free(&f->where);
}

const struct tr_verdict_status *tr__verdict_status(const struct tr_verdicts *v, uint32_t group, uint32_t dump);

/*
 * Compare the calls of one number: their operations, sizes and types.  The ranks that differ from the most become
 * culprits.  TR_VERDICT_NONE: they agree.  *ok: false if memory runs out.
 */
enum tr_verdict_kind tr__verdict_compare(const struct tr_verdicts *v, const struct tr__verdict_group *g,
                                         struct tr_verdict *f, bool *ok);

/* Compare sends and receives that are not complete; what is found is added.  False: out of memory. */
bool tr__verdict_p2p(struct tr_verdicts *v, struct tr__verdict_group *g);

/* The operation of "nccl:all_reduce"; the elements of all sizes in "[[4,8],[2]]", -1: unknown. */
struct tr_str tr__verdict_operation(struct tr_str name);
int64_t tr__verdict_elements(struct tr_str sizes);

#endif
