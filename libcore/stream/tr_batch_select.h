/* SPDX-License-Identifier: MIT */
/*
 * Copies some events of a batch to another batch, for all filters.
 *
 * A selector is working memory; one thread at a time.
 */
#ifndef TR_BATCH_SELECT_H
#define TR_BATCH_SELECT_H

#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_selector;
struct tr_selector *tr_selector_new(void); /* NULL: out of memory */
void tr_selector_free(struct tr_selector *s);

/*
 * Copy the events of a batch that a mask keeps, with their packed entries, in order.
 *
 * in    the batch; not changed
 * mask  one byte per event of it: 1 keep, 0 leave out
 * out   its old contents are dropped, and its memory is reused; it gets the dictionary of in
 *
 * Returns TR_OK; TR_DAMAGED: a packed column of in has fewer entries than its events need; TR_SYSTEM: out of memory.
 */
enum tr_status tr_batch_select(struct tr_selector *s, const struct tr_batch *in,
                               const uint8_t *mask, struct tr_batch *out, struct tr_error *err);

/*
 * The same for a range of events, appended to out.
 *
 * from, to  events of in, from inclusive, to exclusive
 * at        for each column of the dictionary: the number of entries of events before from; afterwards, before to
 */
enum tr_status tr_batch_select_range(struct tr_selector *s, const struct tr_batch *in,
                                     const uint8_t *mask, size_t from, size_t to, size_t *at,
                                     struct tr_batch *out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
