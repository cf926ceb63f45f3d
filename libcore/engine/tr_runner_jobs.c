/* SPDX-License-Identifier: MIT */
/* The runner: jobs, which have nothing in common and so may run at the same time. */
#include "engine/tr_runner_int.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- remarks, in the order of the analyses ---- */

/* In a buffer: importance, whether there is a place, the place, the text; both end with a zero byte. */
void tr__runner_remark(void *self, enum tr_remark_kind how, const char *place, const char *text)
{
    struct part *p = self;
    const struct tr_runner *r = p->runner;
    if (p->kept) {
        tr__kept_remark(p->kept, how, place, text, TR_I64_NONE);
        return;
    }
    if (!r->running) {
        r->remark(r->remark_self, how, place, text);
        return;
    }
    const unsigned char head[2] = { (unsigned char)how, place != NULL };
    size_t len = p->remarks.len;
    if (!tr_buf_add(&p->remarks, head, sizeof head) || (place && !tr_buf_add(&p->remarks, place, strlen(place) + 1)) ||
        !tr_buf_add(&p->remarks, text, strlen(text) + 1)) {
        p->remarks.len = len;
        p->lost = true;
    }
}

static enum tr_status pass_on(struct tr_runner *r, struct tr_error *err)
{
    bool lost = false;
    for (size_t i = 0; i < r->n; i++) {
        struct part *p = &r->parts[i];
        for (size_t at = 0; at < p->remarks.len;) {
            const char *head = (const char *)p->remarks.data + at, *place = head[1] ? head + 2 : NULL;
            const char *text = place ? place + strlen(place) + 1 : head + 2;
            r->remark(r->remark_self, (enum tr_remark_kind)head[0], place, text);
            at = (size_t)(text + strlen(text) + 1 - (const char *)p->remarks.data);
        }
        p->remarks.len = 0;
        lost |= p->lost;
    }
    return lost ? tr_fail_memory(err) : TR_OK;
}

/* ---- jobs ---- */

static void add_job(struct tr_runner *r, size_t number, tr_runner_take *take, void *self)
{
    r->jobs[r->n_jobs] = (struct job){ .runner = r, .number = number, .take = take, .self = self };
    r->order[r->n_jobs] = &r->jobs[r->n_jobs];
    r->n_jobs++;
}

enum tr_status tr__runner_divide(struct tr_runner *r, unsigned threads, struct tr_error *err)
{
    r->jobs = calloc(r->n + r->n_own + 1, sizeof *r->jobs);
    r->order = calloc(r->n + r->n_own + 1, sizeof(struct job *));
    if (!r->jobs || !r->order)
        return tr_fail_memory(err);
    for (size_t i = 0; i < r->n_own; i++)
        add_job(r, r->n + i, r->own[i].take, r->own[i].self);
    for (size_t i = 0; i < r->n; i++)
        if (r->parts[i].job == i)
            add_job(r, i, NULL, NULL);
    if (threads > r->n_jobs)
        threads = (unsigned)r->n_jobs;
    if (threads > TR_POOL_MAX_THREADS)
        threads = TR_POOL_MAX_THREADS;
    if (threads > 1 && tr_pool_open(&r->pool, threads, r->n_jobs, NULL) != TR_OK)
        r->pool = NULL; /* it works without threads */
    r->process = getpid();
    return TR_OK;
}

void tr__runner_jobs_free(struct tr_runner *r)
{
    tr_pool_free(r->pool, NULL);
    free(r->jobs);
    free(r->order);
}

static int64_t now(void)
{
    struct timespec t = { 0, 0 };
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static enum tr_status run_job(void *job, unsigned worker, struct tr_error *err)
{
    struct job *j = job;
    int64_t start = now();
    (void)worker;
    (void)err;
    j->err = (struct tr_error)TR_ERROR_INIT;
    j->st = j->runner->act(j, &j->err);
    j->ns = now() - start;
    return TR_OK;
}

/* Long ones come first, so that none is left when the others are done. */
static void sort_jobs(struct tr_runner *r)
{
    for (size_t i = 1; i < r->n_jobs; i++) {
        struct job *j = r->order[i];
        size_t at = i;
        for (; at && r->order[at - 1]->ns < j->ns; at--)
            r->order[at] = r->order[at - 1];
        r->order[at] = j;
    }
}

enum tr_status tr__runner_jobs(struct tr_runner *r, enum tr_status (*act)(struct job *j, struct tr_error *err),
                               struct tr_error *err)
{
    void *done;
    r->act = act;
    r->running = true;
    if (r->process != getpid())
        r->pool = NULL; /* a copy of the process has no threads */
    if (r->pool)
        sort_jobs(r);
    for (size_t i = 0; i < r->n_jobs; i++) {
        if (r->pool)
            tr_pool_submit(r->pool, run_job, r->order[i]);
        else
            run_job(&r->jobs[i], 0, NULL);
    }
    for (size_t i = 0; i < r->n_jobs && r->pool; i++)
        tr_pool_next(r->pool, &done, NULL);
    r->running = false;
    enum tr_status st = r->remark ? pass_on(r, err) : TR_OK;
    for (size_t i = 0; i < r->n_jobs; i++)
        if (r->jobs[i].st != TR_OK) {
            if (err)
                *err = r->jobs[i].err;
            return r->jobs[i].st;
        }
    return st;
}
