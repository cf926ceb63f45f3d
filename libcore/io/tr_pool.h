/* SPDX-License-Identifier: MIT */
/*
 * A pool of worker threads whose results come back in the order in which the jobs were submitted.
 *
 * One thread submits.  One thread, the same or another, takes the results.  At most max_jobs are
 * submitted and not yet taken, so memory is bounded.  Jobs belong to the caller, who usually has max_jobs of them and
 * uses them in turn.  With one thread for both:
 *
 *     for (each block) {
 *         if (tr_pool_full(pool) && (st = tr_pool_next(pool, &job, &err)) == TR_OK)
 *             write_out(job);
 *         ...
 *         st = tr_pool_submit(pool, compress, new_job, &err);
 *     }
 *     tr_pool_finish(pool);
 *     while ((st = tr_pool_next(pool, &job, &err)) == TR_OK)
 *         write_out(job);                        st is TR_END if there was no failure
 *
 * With n_threads = 1 there are no threads: tr_pool_submit runs the job.  Worker threads have all signals blocked, so
 * signals reach only the threads of the program.
 */
#ifndef TR_POOL_H
#define TR_POOL_H

#include "base/tr_status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_POOL_MAX_THREADS 1024u
#define TR_POOL_MAX_JOBS ((size_t)1 << 16)

struct tr_pool;

/*
 * The function of a job.  worker is 0 to n_threads - 1; two jobs at the same time have different numbers, so each
 * worker can have its own scratch memory.  Returns TR_OK or a failure (never TR_END); tr_pool_next returns this status.
 */
typedef enum tr_status tr_job_run(void *job, unsigned worker, struct tr_error *err);

/*
 * n_threads: 1 to TR_POOL_MAX_THREADS.  max_jobs: 1 to TR_POOL_MAX_JOBS; at least twice n_threads is best.
 * Returns TR_OK; TR_USAGE: a number is out of range; TR_SYSTEM: out of memory, or not all threads could be started;
 * then no thread remains.
 */
enum tr_status tr_pool_open(struct tr_pool **out, unsigned n_threads, size_t max_jobs,
                            struct tr_error *err);

/*
 * Submit a job.  Waits while max_jobs are submitted and not yet taken; so a thread that also takes the results first
 * checks tr_pool_full.
 * Returns TR_OK, or TR_END if the pool was stopped: the job was not accepted and still belongs to the caller.
 */
enum tr_status tr_pool_submit(struct tr_pool *pool, tr_job_run *run, void *job);

/*
 * The oldest job not yet taken, waiting until it is done.
 * Returns TR_OK      *job is done
 *         TR_END     tr_pool_finish was called and all jobs have been taken, or the pool was stopped
 *         other      *job has failed: the status of its function, with err
 */
enum tr_status tr_pool_next(struct tr_pool *pool, void **job, struct tr_error *err);

/* Is the number of outstanding jobs (submitted, but not yet taken) max_jobs?  And this number. */
bool tr_pool_full(struct tr_pool *pool);
size_t tr_pool_outstanding(struct tr_pool *pool);

/* No more jobs will be submitted. */
void tr_pool_finish(struct tr_pool *pool);

/* Stop the pool: jobs that have not started are not run, and functions that wait return at once. */
void tr_pool_stop(struct tr_pool *pool);

/*
 * Stop, wait for the running jobs, and release.  drop (may be NULL) is called, in order, for each job that was
 * submitted but not taken, also if it did not run.  No other thread may still use the pool.
 */
void tr_pool_free(struct tr_pool *pool, void (*drop)(void *job));

/*
 * Start a thread with all signals blocked; join it with pthread_join.  Returns TR_OK or TR_SYSTEM.
 */
enum tr_status tr_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg,
                               struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
