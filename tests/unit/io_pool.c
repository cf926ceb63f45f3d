/* SPDX-License-Identifier: MIT */
/* tr_pool.h. */
#include "locks.h"

#include "io_tap.h"

#include "io/tr_pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

struct job {
    unsigned number, worker;
    uint64_t in, out;
    bool dropped;
    atomic_uint *running; /* per worker */
    bool clash;
};

static enum tr_status square(void *arg, unsigned worker, struct tr_error *err)
{
    struct job *j = arg;
    (void)err;
    if (j->running && atomic_fetch_add(&j->running[worker], 1) != 0)
        j->clash = true;
    for (uint32_t i = 0, seed = j->number, n = next_random(&seed) % 50; i < n; i++)
        sched_yield(); /* later jobs overtake earlier ones */
    j->out = j->in * j->in;
    j->worker = worker;
    if (j->running)
        atomic_fetch_sub(&j->running[worker], 1);
    return TR_OK;
}

static enum tr_status fail_seventh(void *arg, unsigned worker, struct tr_error *err)
{
    struct job *j = arg;
    if (j->number == 7)
        return tr_fail(err, TR_DAMAGED, "job %u is the seventh", j->number);
    return square(arg, worker, err);
}

static void drop(void *job)
{
    ((struct job *)job)->dropped = true;
}

enum { N = 2000 };

static void one_thread_does_both(unsigned n_threads)
{
    struct tr_pool *pool;
    atomic_uint running[8] = { 0 };
    struct job *jobs = calloc(N, sizeof *jobs);
    void *got;
    size_t next = 0, bad = 0;
    enum tr_status st = TR_OK;
    if (!jobs || tr_pool_open(&pool, n_threads, 5, NULL) != TR_OK)
        bail("pool");
    for (unsigned i = 0; i < N; i++) {
        if (tr_pool_full(pool)) {
            bad += tr_pool_next(pool, &got, NULL) != TR_OK || got != &jobs[next];
            bad += jobs[next].out != (uint64_t)next * next;
            next++;
        }
        bad += tr_pool_outstanding(pool) > 4;
        jobs[i] = (struct job){ .number = i, .in = i, .running = running };
        bad += tr_pool_submit(pool, square, &jobs[i]) != TR_OK;
    }
    tr_pool_finish(pool);
    while ((st = tr_pool_next(pool, &got, NULL)) == TR_OK) {
        bad += got != &jobs[next] || jobs[next].out != (uint64_t)next * next;
        next++;
    }
    for (size_t i = 0; i < N; i++)
        bad += jobs[i].worker >= n_threads || jobs[i].clash;
    ok(bad == 0 && next == N && st == TR_END, "%u threads: results in order", n_threads);
    ok(tr_pool_submit(pool, square, &jobs[0]) == TR_END, "nothing is taken after the finish");
    tr_pool_free(pool, drop);
    ok(!jobs[0].dropped && !jobs[N - 1].dropped, "what was taken is not dropped");
    free(jobs);
}

struct submitter {
    struct tr_pool *pool;
    struct job *jobs;
    unsigned accepted;
};

static void *submit_all(void *arg)
{
    struct submitter *s = arg;
    for (; s->accepted < N; s->accepted++)
        if (tr_pool_submit(s->pool, square, &s->jobs[s->accepted]) != TR_OK)
            return NULL;
    tr_pool_finish(s->pool);
    return NULL;
}

static void two_threads(unsigned n_threads)
{
    struct submitter s = { .jobs = calloc(N, sizeof *s.jobs) };
    pthread_t t;
    void *got;
    size_t next = 0, bad = 0;
    for (unsigned i = 0; i < N; i++)
        s.jobs[i] = (struct job){ .number = i, .in = i };
    if (tr_pool_open(&s.pool, n_threads, 7, NULL) != TR_OK ||
        tr_thread_start(&t, submit_all, &s, NULL) != TR_OK)
        bail("pool");
    enum tr_status st;
    while ((st = tr_pool_next(s.pool, &got, NULL)) == TR_OK) {
        bad += got != &s.jobs[next] || s.jobs[next].out != (uint64_t)next * next;
        next++;
    }
    pthread_join(t, NULL);
    ok(st == TR_END && next == N && !bad, "%u threads, another one takes the results", n_threads);
    tr_pool_free(s.pool, NULL);

    /* The taker gives up in the middle, and the submitter must notice. */
    s.accepted = 0;
    if (tr_pool_open(&s.pool, n_threads, 7, NULL) != TR_OK ||
        tr_thread_start(&t, submit_all, &s, NULL) != TR_OK)
        bail("pool");
    for (int i = 0; i < 100; i++)
        tr_pool_next(s.pool, &got, NULL);
    tr_pool_stop(s.pool);
    st = tr_pool_next(s.pool, &got, NULL);
    pthread_join(t, NULL);
    tr_pool_free(s.pool, drop);
    for (unsigned i = 0; i < N; i++)
        bad += s.jobs[i].dropped != (i >= 100 && i < s.accepted);
    ok(st == TR_END && s.accepted >= 100 && s.accepted <= 107 && !bad,
       "%u threads, stopped: submitter wakes, the rest is dropped once", n_threads);
    free(s.jobs);
}

/* Who waits for a job or a result is woken by the end: a test that hangs is ended by the alarm. */
static void *take_one(void *arg)
{
    void *got;
    return tr_pool_next(arg, &got, NULL) == TR_END ? arg : NULL;
}

static void waiting(void (*end)(struct tr_pool *pool), const char *what)
{
    struct tr_pool *pool;
    pthread_t t;
    void *woken = NULL;
    if (tr_pool_open(&pool, 2, 2, NULL) != TR_OK || pthread_create(&t, NULL, take_one, pool) != 0)
        bail("pool");
    alarm(20);
    nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL); /* usually, it waits by then */
    end(pool);
    pthread_join(t, &woken);
    alarm(0);
    ok(woken == pool, "%s: who waits for a result is woken", what);
    tr_pool_free(pool, NULL);
}

static void failures(unsigned n_threads)
{
    struct tr_pool *pool;
    struct job jobs[12] = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    void *got;
    unsigned bad = 0;
    if (tr_pool_open(&pool, n_threads, 12, NULL) != TR_OK)
        bail("pool");
    for (unsigned i = 0; i < 12; i++) {
        jobs[i].number = i;
        tr_pool_submit(pool, fail_seventh, &jobs[i]);
    }
    tr_pool_finish(pool);
    for (unsigned i = 0; i < 12; i++) {
        enum tr_status st = tr_pool_next(pool, &got, &err);
        bad += st != (i == 7 ? TR_DAMAGED : TR_OK) || got != &jobs[i];
    }
    ok(!bad && !strcmp(err.what, "job 7 is the seventh"),
       "%u threads: a failure comes at its place, with its text", n_threads);
    tr_pool_free(pool, NULL);
}

static void abandon(unsigned n_threads)
{
    struct tr_pool *pool;
    struct job jobs[64] = { 0 };
    unsigned bad = 0;
    if (tr_pool_open(&pool, n_threads, 64, NULL) != TR_OK)
        bail("pool");
    for (unsigned i = 0; i < 64; i++) {
        jobs[i].number = i;
        tr_pool_submit(pool, square, &jobs[i]);
    }
    tr_pool_free(pool, drop);
    for (unsigned i = 0; i < 64; i++)
        bad += !jobs[i].dropped;
    ok(!bad, "%u threads: an abandoned pool drops every job", n_threads);
}

static void limits(void)
{
    struct tr_pool *pool;
    struct tr_error err = TR_ERROR_INIT;
    ok(tr_pool_open(&pool, 0, 5, &err) == TR_USAGE && !pool, "no threads");
    ok(tr_pool_open(&pool, TR_POOL_MAX_THREADS + 1, 5, &err) == TR_USAGE, "too many threads");
    ok(tr_pool_open(&pool, 1, 0, &err) == TR_USAGE, "no jobs");
    tr_pool_free(NULL, NULL);
}

static enum tr_status mask_of(void *arg, unsigned worker, struct tr_error *err)
{
    (void)worker, (void)err;
    pthread_sigmask(SIG_SETMASK, NULL, arg);
    return TR_OK;
}

static void signals(void)
{
    struct tr_pool *pool;
    sigset_t mask, own;
    void *got;
    sigemptyset(&mask);
    if (tr_pool_open(&pool, 2, 2, NULL) != TR_OK)
        bail("pool");
    tr_pool_submit(pool, mask_of, &mask);
    tr_pool_next(pool, &got, NULL);
    pthread_sigmask(SIG_SETMASK, NULL, &own);
    ok(sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGUSR1) == 1 &&
           sigismember(&own, SIGINT) == 0,
       "workers block signals, and only workers do");
    tr_pool_free(pool, NULL);
}

int main(void)
{
    static const unsigned threads[] = { 1, 2, 8 };
    for (int i = 0; i < 3; i++) {
        one_thread_does_both(threads[i]);
        two_threads(threads[i]);
        failures(threads[i]);
        abandon(threads[i]);
    }
    waiting(tr_pool_finish, "finished");
    waiting(tr_pool_stop, "stopped");
    limits();
    signals();
    return done_testing();
}
