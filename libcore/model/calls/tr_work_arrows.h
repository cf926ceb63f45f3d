/* SPDX-License-Identifier: MIT */
/*
 * Arrows from operators to work, while a stream is read in canonical order.
 *
 * A framework may queue an operator for another thread, which then calls the driver.  So the launch call is not inside
 * the operator.  The profiler of torch_npu draws an arrow from one to the other: a flow event in the operator, and one
 * of the same id where the work starts.  In canonical order, flow events come before the spans that start with them.
 *
 *     tr_work_arrows_batch(&w, b);
 *     a flow event i, where w.any:  tr_work_arrows_add(&w, b, i, the operator that is open, or none);
 *     a host span i:                for (size_t at = 0; tr_work_arrows_start(&w, b, i, &at, &old);)
 *                                       tr_work_arrows_set(&w, at, the operator that it is or is in);
 *     device work i:                tr_work_arrows_of(&w, b, i)
 *     sometimes:                    while (tr_work_arrows_passed(&w, b, i, &old)) ...no work is of this end any more...
 *
 * Operators are numbers of the user.  Memory: 16 to 32 bytes for each arrow that has not ended.  One thread at a time.
 */
#ifndef TR_WORK_ARROWS_H
#define TR_WORK_ARROWS_H

#include "model/tr_eventmap.h"
#include "stream/tr_args.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_WORK_ARROWS_NONE UINT32_MAX
#define TR_WORK_ARROWS_KEY  "id" /* a member that it reads, where there are flow events */

struct tr_work_arrow {
    int64_t ts;
    uint64_t id;
    uint32_t track, operator_of;
};

struct tr_work_arrows {
    const struct tr_dict *dict; /* borrowed, set by the user; the rest is zero at first */
    struct tr_arg id;
    struct tr_eventmap operators;        /* of arrows that have not ended, by source and id */
    struct tr_work_arrow *starts, *ends; /* of the current moment of their source */
    size_t n_starts, cap_starts, n_ends, cap_ends;
    bool any; /* such flow events are in this batch */
};

/* Release what it holds; all-zero is fine. */
void tr_work_arrows_free(struct tr_work_arrows *w);

/* The next batch.  False, here and below: out of memory. */
bool tr_work_arrows_batch(struct tr_work_arrows *w, const struct tr_batch *b);

/* Is event i of the current batch a flow event that may start an arrow? */
bool tr_work_arrows_is_start(const struct tr_work_arrows *w, const struct tr_batch *b, size_t i);

/* Event i comes, a start or an end of an arrow or neither.  A start is in this operator, or in TR_WORK_ARROWS_NONE. */
bool tr_work_arrows_add(struct tr_work_arrows *w, const struct tr_batch *b, size_t i, uint32_t operator_of);

/* The next arrow from *at on, 0 at first, that starts when span i of the same thread does, and its operator so far. */
bool tr__work_arrows_start(struct tr_work_arrows *w, const struct tr_batch *b, size_t i, size_t *at, uint32_t *old);
static inline bool tr_work_arrows_start(struct tr_work_arrows *w, const struct tr_batch *b, size_t i, size_t *at,
                                        uint32_t *old)
{
    return w->n_starts && tr__work_arrows_start(w, b, i, at, old);
}
/* It starts in this operator. */
bool tr_work_arrows_set(struct tr_work_arrows *w, size_t at, uint32_t operator_of);

/* The operator whose arrow leads to the start of work i; TR_WORK_ARROWS_NONE: none does. */
uint32_t tr__work_arrows_of(const struct tr_work_arrows *w, const struct tr_batch *b, size_t i);
static inline uint32_t tr_work_arrows_of(const struct tr_work_arrows *w, const struct tr_batch *b, size_t i)
{
    return w->n_ends ? tr__work_arrows_of(w, b, i) : TR_WORK_ARROWS_NONE;
}

/* Take an end whose moment has passed when event i comes.  False: there is none. */
bool tr__work_arrows_passed(struct tr_work_arrows *w, const struct tr_batch *b, size_t i, uint32_t *operator_of);
static inline bool tr_work_arrows_passed(struct tr_work_arrows *w, const struct tr_batch *b, size_t i,
                                         uint32_t *operator_of)
{
    return w->n_ends && tr__work_arrows_passed(w, b, i, operator_of);
}

#ifdef __cplusplus
}
#endif
#endif
