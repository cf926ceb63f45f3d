/*
 * Some events of a batch as a batch of their own: what every filter does.
 */
#ifndef TR_BATCH_SELECT_H
#define TR_BATCH_SELECT_H

#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Copy the events of a batch that a mask keeps, with their packed entries, in order.
 *
 * in    the batch; not changed
 * mask  one byte per event of it: 1 keep, 0 leave out
 * out   what it held is dropped, its memory reused; afterwards it stands for the same dictionary
 *
 * Returns TR_OK; TR_DAMAGED if a packed column of in has fewer entries than its events ask for;
 * TR_SYSTEM when memory ran out.
 */
enum tr_status tr_batch_select(const struct tr_batch *in, const uint8_t *mask, struct tr_batch *out,
                               struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
