#include <config.h>

#include "io/tr_queue.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define MAX_ITEMS ((size_t)1 << 20)

struct tr_queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    size_t first, n, max;
    bool closed, stopped;
    void *items[];
};

enum tr_status tr_queue_new(struct tr_queue **out, size_t max_items, struct tr_error *err)
{
    *out = NULL;
    if (max_items < 1 || max_items > MAX_ITEMS)
        return tr_fail(err, TR_USAGE, "queue of %zu items, 1 to %zu expected", max_items,
                       MAX_ITEMS);
    struct tr_queue *q = calloc(1, sizeof *q + max_items * sizeof *q->items);
    if (!q)
        return tr_fail_memory(err);
    q->max = max_items;
    int rc = pthread_mutex_init(&q->lock, NULL);
    if (rc)
        goto no_lock;
    rc = pthread_cond_init(&q->not_empty, NULL);
    if (rc)
        goto no_not_empty;
    rc = pthread_cond_init(&q->not_full, NULL);
    if (rc)
        goto no_not_full;
    *out = q;
    return TR_OK;

no_not_full:
    pthread_cond_destroy(&q->not_empty);
no_not_empty:
    pthread_mutex_destroy(&q->lock);
no_lock:
    free(q);
    return tr_fail_sys(err, rc, "cannot make a queue between threads");
}

void tr_queue_free(struct tr_queue *q)
{
    if (!q)
        return;
    pthread_cond_destroy(&q->not_full);
    pthread_cond_destroy(&q->not_empty);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

enum tr_status tr_queue_put(struct tr_queue *q, void *item)
{
    enum tr_status st = TR_END;
    pthread_mutex_lock(&q->lock);
    while (q->n == q->max && !q->closed && !q->stopped)
        pthread_cond_wait(&q->not_full, &q->lock);
    if (!q->closed && !q->stopped) {
        q->items[(q->first + q->n++) % q->max] = item;
        pthread_cond_signal(&q->not_empty);
        st = TR_OK;
    }
    pthread_mutex_unlock(&q->lock);
    return st;
}

static void *take(struct tr_queue *q)
{
    void *item = q->items[q->first];
    q->first = (q->first + 1) % q->max;
    q->n--;
    return item;
}

static enum tr_status get(struct tr_queue *q, void **item, bool wait)
{
    enum tr_status st = TR_END;
    pthread_mutex_lock(&q->lock);
    while (wait && q->n == 0 && !q->closed && !q->stopped)
        pthread_cond_wait(&q->not_empty, &q->lock);
    if (q->n && !q->stopped) {
        *item = take(q);
        pthread_cond_signal(&q->not_full);
        st = TR_OK;
    } else if (!q->closed && !q->stopped) {
        st = TR_NO;
    }
    pthread_mutex_unlock(&q->lock);
    return st;
}

enum tr_status tr_queue_get(struct tr_queue *q, void **item)
{
    return get(q, item, true);
}

enum tr_status tr_queue_try_get(struct tr_queue *q, void **item)
{
    return get(q, item, false);
}

void tr_queue_close(struct tr_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_broadcast(&q->not_empty);
    pthread_cond_broadcast(&q->not_full);
    pthread_mutex_unlock(&q->lock);
}

void tr_queue_stop(struct tr_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->stopped = true;
    pthread_cond_broadcast(&q->not_empty);
    pthread_cond_broadcast(&q->not_full);
    pthread_mutex_unlock(&q->lock);
}

void *tr_queue_left(struct tr_queue *q)
{
    pthread_mutex_lock(&q->lock);
    void *item = q->n ? take(q) : NULL;
    pthread_mutex_unlock(&q->lock);
    return item;
}
