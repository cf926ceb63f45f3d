/* SPDX-License-Identifier: MIT */
/* A pool of worker threads whose results come in the order of the jobs. */
#include "io/tr_pool.h"

#include <signal.h>
#include <stdlib.h>

/*
 * The same on all systems: that of musl, 128 KiB, is too small, and 8 MiB for each thread are more addresses than there
 * are with 32 bits.
 */
#define STACK_BYTES (sizeof(void *) < 8 ? (size_t)1 << 20 : (size_t)8 << 20)

struct slot {
    tr_job_run *run;
    void *job;
    bool done;
    enum tr_status st;
    struct tr_error err;
};

/*
 * A ring of slots, numbered by three counters that only grow: taken <= started <= submitted.  Slots
 * from taken to started are running or done, from started to submitted they wait for a worker.
 */
struct tr_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, result, room;
    struct slot *slots;
    size_t max_jobs;
    size_t taken, started, submitted;
    bool finished, stopped;
    unsigned n_threads, n_started;
    pthread_t *threads; /* NULL: jobs run in the thread that submits them */
};

enum tr_status tr_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg,
                               struct tr_error *err)
{
    sigset_t all, old;
    pthread_attr_t attr;
    sigfillset(&all);
    int rc = pthread_attr_init(&attr);
    if (rc)
        return tr_fail_sys(err, rc, "cannot start a thread");
    (void)pthread_attr_setstacksize(&attr, STACK_BYTES); /* else it is the system's size */
    rc = pthread_sigmask(SIG_SETMASK, &all, &old);
    if (rc == 0) {
        rc = pthread_create(thread, &attr, run, arg);
        pthread_sigmask(SIG_SETMASK, &old, NULL);
    }
    pthread_attr_destroy(&attr);
    return rc ? tr_fail_sys(err, rc, "cannot start a thread") : TR_OK;
}

static struct slot *slot_at(struct tr_pool *p, size_t i)
{
    return &p->slots[i % p->max_jobs];
}

static void run_slot(struct slot *s, unsigned worker)
{
    s->err = (struct tr_error)TR_ERROR_INIT;
    s->st = s->run(s->job, worker, &s->err);
}

struct worker_arg {
    struct tr_pool *pool;
    unsigned number;
};

static void *run_worker(void *arg)
{
    struct worker_arg w = *(struct worker_arg *)arg;
    struct tr_pool *p = w.pool;
    free(arg);
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->started == p->submitted && !p->finished && !p->stopped)
            pthread_cond_wait(&p->work, &p->lock);
        if (p->stopped || p->started == p->submitted)
            break;
        struct slot *s = slot_at(p, p->started++);
        pthread_mutex_unlock(&p->lock);
        run_slot(s, w.number);
        pthread_mutex_lock(&p->lock);
        s->done = true;
        if (s == slot_at(p, p->taken))
            pthread_cond_broadcast(&p->result);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static enum tr_status start_threads(struct tr_pool *p, struct tr_error *err)
{
    p->threads = calloc(p->n_threads, sizeof *p->threads);
    if (!p->threads)
        return tr_fail_memory(err);
    for (; p->n_started < p->n_threads; p->n_started++) {
        struct worker_arg *w = malloc(sizeof *w);
        if (!w)
            return tr_fail_memory(err);
        *w = (struct worker_arg){ p, p->n_started };
        enum tr_status st = tr_thread_start(&p->threads[p->n_started], run_worker, w, err);
        if (st != TR_OK) {
            free(w);
            return st;
        }
    }
    return TR_OK;
}

static int init_locks(struct tr_pool *p)
{
    int rc = pthread_mutex_init(&p->lock, NULL);
    if (rc)
        return rc;
    rc = pthread_cond_init(&p->work, NULL);
    if (rc)
        goto no_work;
    rc = pthread_cond_init(&p->result, NULL);
    if (rc)
        goto no_result;
    rc = pthread_cond_init(&p->room, NULL);
    if (rc)
        goto no_room;
    return 0;

no_room:
    pthread_cond_destroy(&p->result);
no_result:
    pthread_cond_destroy(&p->work);
no_work:
    pthread_mutex_destroy(&p->lock);
    return rc;
}

enum tr_status tr_pool_open(struct tr_pool **out, unsigned n_threads, size_t max_jobs,
                            struct tr_error *err)
{
    *out = NULL;
    if (n_threads < 1 || n_threads > TR_POOL_MAX_THREADS)
        return tr_fail(err, TR_USAGE, "%u threads, 1 to %u expected", n_threads,
                       TR_POOL_MAX_THREADS);
    if (max_jobs < 1 || max_jobs > TR_POOL_MAX_JOBS)
        return tr_fail(err, TR_USAGE, "%zu jobs, 1 to %zu expected", max_jobs, TR_POOL_MAX_JOBS);
    struct tr_pool *p = calloc(1, sizeof *p);
    if (p)
        p->slots = calloc(max_jobs, sizeof *p->slots);
    if (!p || !p->slots) {
        free(p);
        return tr_fail_memory(err);
    }
    p->n_threads = n_threads;
    p->max_jobs = max_jobs;
    int rc = init_locks(p);
    if (rc) {
        free(p->slots);
        free(p);
        return tr_fail_sys(err, rc, "cannot make a pool of threads");
    }
    enum tr_status st = n_threads > 1 ? start_threads(p, err) : TR_OK;
    if (st != TR_OK) {
        tr_pool_free(p, NULL);
        return st;
    }
    *out = p;
    return TR_OK;
}

enum tr_status tr_pool_submit(struct tr_pool *p, tr_job_run *run, void *job)
{
    pthread_mutex_lock(&p->lock);
    while (p->submitted - p->taken == p->max_jobs && !p->stopped)
        pthread_cond_wait(&p->room, &p->lock);
    if (p->stopped || p->finished) {
        pthread_mutex_unlock(&p->lock);
        return TR_END;
    }
    struct slot *s = slot_at(p, p->submitted);
    s->run = run;
    s->job = job;
    s->done = false;
    if (p->threads) {
        p->submitted++;
        pthread_cond_signal(&p->work);
    } else {
        pthread_mutex_unlock(&p->lock);
        run_slot(s, 0);
        pthread_mutex_lock(&p->lock);
        s->done = true;
        p->submitted++;
        p->started++;
        pthread_cond_broadcast(&p->result);
    }
    pthread_mutex_unlock(&p->lock);
    return TR_OK;
}

enum tr_status tr_pool_next(struct tr_pool *p, void **job, struct tr_error *err)
{
    enum tr_status st = TR_END;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        bool empty = p->taken == p->submitted;
        if (p->stopped || (empty && p->finished) || (!empty && slot_at(p, p->taken)->done))
            break;
        pthread_cond_wait(&p->result, &p->lock);
    }
    if (!p->stopped && p->taken < p->submitted) {
        const struct slot *s = slot_at(p, p->taken);
        *job = s->job;
        st = s->st;
        if (st != TR_OK && err)
            *err = s->err;
        p->taken++;
        pthread_cond_signal(&p->room);
    }
    pthread_mutex_unlock(&p->lock);
    return st;
}

size_t tr_pool_outstanding(struct tr_pool *p)
{
    pthread_mutex_lock(&p->lock);
    size_t n = p->submitted - p->taken;
    pthread_mutex_unlock(&p->lock);
    return n;
}

bool tr_pool_full(struct tr_pool *p)
{
    return tr_pool_outstanding(p) == p->max_jobs;
}

static void wake_all(struct tr_pool *p, bool *flag)
{
    pthread_mutex_lock(&p->lock);
    *flag = true;
    pthread_cond_broadcast(&p->work);
    pthread_cond_broadcast(&p->result);
    pthread_cond_broadcast(&p->room);
    pthread_mutex_unlock(&p->lock);
}

void tr_pool_finish(struct tr_pool *p)
{
    wake_all(p, &p->finished);
}

void tr_pool_stop(struct tr_pool *p)
{
    wake_all(p, &p->stopped);
}

void tr_pool_free(struct tr_pool *p, void (*drop)(void *job))
{
    if (!p)
        return;
    tr_pool_stop(p);
    for (unsigned i = 0; i < p->n_started; i++)
        pthread_join(p->threads[i], NULL);
    if (drop)
        for (; p->taken < p->submitted; p->taken++)
            drop(slot_at(p, p->taken)->job);
    pthread_cond_destroy(&p->room);
    pthread_cond_destroy(&p->result);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p->threads);
    free(p->slots);
    free(p);
}
