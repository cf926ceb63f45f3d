/*
 * A bounded queue of pointers between threads: producers wait while it is full, consumers while it
 * is empty.
 *
 * It has two ends.  tr_queue_close: nothing more will be put in, what is there is still taken out.
 * tr_queue_stop: nobody wants the rest; all who wait return at once.  Any thread may call anything
 * except tr_queue_free, which comes last and does not touch the items that are left.
 */
#ifndef TR_QUEUE_H
#define TR_QUEUE_H

#include "base/tr_status.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_queue;

/* A queue of 1 to 2^20 items.  Returns TR_OK or TR_SYSTEM. */
enum tr_status tr_queue_new(struct tr_queue **out, size_t max_items, struct tr_error *err);
void tr_queue_free(struct tr_queue *q);

/*
 * Put an item in, waiting for room.  TR_OK, or TR_END if the queue was closed or stopped (not
 * taken).
 */
enum tr_status tr_queue_put(struct tr_queue *q, void *item);

/*
 * Take the oldest item out, waiting for one.  TR_OK, or TR_END if it is stopped, or closed and
 * empty.
 */
enum tr_status tr_queue_get(struct tr_queue *q, void **item);

/* The same without waiting; TR_NO if the queue is empty now. */
enum tr_status tr_queue_try_get(struct tr_queue *q, void **item);

/* The two ends; both wake all that wait. */
void tr_queue_close(struct tr_queue *q);
void tr_queue_stop(struct tr_queue *q);

/* An item that was left when the queue was stopped; NULL if there is none (more). */
void *tr_queue_left(struct tr_queue *q);

#ifdef __cplusplus
}
#endif
#endif
