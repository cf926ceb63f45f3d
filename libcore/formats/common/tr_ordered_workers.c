/* SPDX-License-Identifier: MIT */
/* Several threads read pieces of one source. */
#include "formats/common/tr_ordered_workers_int.h"

#include "io/tr_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct workers {
    const struct tr__ordered_workers_steps *work;

    pthread_mutex_t finding;
    uint64_t n_found;

    pthread_mutex_t taking;
    pthread_cond_t taken;
    uint64_t n_taken;
    enum tr_status status;
    struct tr_error err;
    atomic_bool stop; /* status is no longer TR_OK */
};

struct member {
    struct workers *workers;
    void *helper;
    struct tr_error err;
    pthread_t thread;
};

/* Split off, decode and commit one piece.  False: no more to do. */
static bool work(struct member *m)
{
    struct workers *t = m->workers;
    m->err = (struct tr_error)TR_ERROR_INIT;
    pthread_mutex_lock(&t->finding);
    enum tr_status st = atomic_load(&t->stop) ? TR_END : t->work->split(m->helper, &m->err);
    bool found = st == TR_OK;
    uint64_t number = t->n_found;
    t->n_found += found;
    pthread_mutex_unlock(&t->finding);
    if (st == TR_END)
        return false;
    if (st == TR_OK)
        st = t->work->decode(m->helper, &m->err);
    pthread_mutex_lock(&t->taking);
    while (found && t->n_taken != number && t->status == TR_OK)
        pthread_cond_wait(&t->taken, &t->taking);
    if (st == TR_OK && t->status == TR_OK)
        st = t->work->commit(m->helper, &m->err);
    if (st != TR_OK && t->status == TR_OK) {
        t->status = st;
        t->err = m->err;
        atomic_store(&t->stop, true);
    }
    t->n_taken += found;
    bool go_on = t->status == TR_OK;
    pthread_cond_broadcast(&t->taken);
    pthread_mutex_unlock(&t->taking);
    return go_on;
}

static void *run(void *member)
{
    while (work(member))
        ;
    return NULL;
}

/* The caller's thread is the first of them. */
static void run_all(struct member *members, unsigned n)
{
    unsigned started = 1;
    while (started < n && tr_thread_start(&members[started].thread, run, &members[started], NULL) == TR_OK)
        started++; /* fewer threads are enough */
    run(&members[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(members[i].thread, NULL);
}

enum tr_status tr__ordered_workers_run(void *helpers, size_t size, unsigned n,
                                       const struct tr__ordered_workers_steps *work_of, struct tr_error *err)
{
    struct workers t = { .work = work_of, .status = TR_OK };
    struct member *members = calloc(n, sizeof *members);
    if (!members)
        return tr_fail_memory(err);
    for (unsigned i = 0; i < n; i++) {
        members[i].workers = &t;
        members[i].helper = (char *)helpers + i * size;
    }
    pthread_mutex_init(&t.finding, NULL);
    pthread_mutex_init(&t.taking, NULL);
    pthread_cond_init(&t.taken, NULL);
    run_all(members, n);
    if (t.status != TR_OK)
        *err = t.err;
    pthread_mutex_destroy(&t.finding);
    pthread_mutex_destroy(&t.taking);
    pthread_cond_destroy(&t.taken);
    free(members);
    return t.status;
}
