/* SPDX-License-Identifier: MIT */
/*
 * Opens several traces at the same time, each by its own threads.
 *
 * A trace is read whole when it is opened, and some of this work cannot be divided.  So several traces are read faster
 * next to each other than one after another, if all threads are then busy to the end.
 */
#include "formats/tr_open_int.h"

#include "base/tr_mem.h"
#include "io/tr_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- warnings ---- */

void tr__warning_note(void *ctx, const char *input, const char *place, const char *what)
{
    struct tr__warnings *l = ctx;
    if (!tr_grow(&l->v, &l->cap, l->n + 1, sizeof *l->v))
        return;
    struct tr__warning *w = &l->v[l->n++];
    snprintf(w->input, sizeof w->input, "%s", input);
    snprintf(w->place, sizeof w->place, "%s", place);
    snprintf(w->what, sizeof w->what, "%s", what);
}

void tr__warnings_give(const struct tr__warnings *l, const struct tr_open_opts *opts)
{
    for (size_t i = 0; i < l->n; i++)
        opts->warn(opts->warn_ctx, l->v[i].input, l->v[i].place, l->v[i].what);
}

/* ---- one trace ---- */

struct trace {
    struct tr__opened opened;
    const char *path;
    size_t place;
    uint64_t n_bytes;
    const struct tr_open_opts *opts; /* of one trace */
    struct tr__warnings warnings;
    bool taken; /* the input is the caller's, or was never opened */
};

static enum tr_status open_trace(void *job, unsigned worker, struct tr_error *err)
{
    struct trace *t = job;
    struct tr_open_opts opts = *t->opts;
    (void)worker;
    opts.warn = opts.warn ? tr__warning_note : NULL;
    opts.warn_ctx = &t->warnings;
    enum tr_status st = tr__open_member(&t->opened, t->path, 0, t->place, &opts, NULL, err);
    t->taken = st != TR_OK;
    return st;
}

/* ---- all ---- */

/* The bytes that the busiest of n workers reads, if each takes the next trace when it is done with one. */
static uint64_t longest(const struct tr__probed *p, size_t n, uint64_t *load, unsigned n_workers)
{
    uint64_t max = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned min = 0;
        for (unsigned k = 1; k < n_workers; k++)
            min = load[k] < load[min] ? k : min;
        load[min] += p[i].n_bytes;
        max = load[min] > max ? load[min] : max;
    }
    return max;
}

unsigned tr__open_workers(const struct tr__probed *p, size_t n, const struct tr_open_opts *opts)
{
    uint64_t total = 0, load[16] = { 0 };
    unsigned n_workers = opts->n_threads < n ? opts->n_threads : (unsigned)n;
    if (n_workers < 2 || n_workers > sizeof load / sizeof *load || opts->n_threads % n_workers || opts->no_sort)
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (!p[i].regular || p[i].stream || p[i].archive)
            return 0;
        total += p[i].n_bytes;
    }
    return longest(p, n, load, n_workers) <= total / n_workers * 5 / 4 ? n_workers : 0;
}

/* Take the next trace; TR_END: there is none. */
static enum tr_status take(struct tr_pool *pool, tr__opened_fn *fn, void *ctx, uint64_t *done, uint64_t total,
                           const struct tr_open_opts *opts, struct tr_error *err)
{
    struct trace *t;
    void *job;
    enum tr_status st = tr_pool_next(pool, &job, err);
    if (st == TR_END)
        return st;
    t = job;
    tr__warnings_give(&t->warnings, opts);
    if (st == TR_OK) {
        t->taken = true;
        st = t->opened.left_out ? TR_OK : fn(ctx, &t->opened, err);
        *done += t->n_bytes;
        if (st == TR_OK && *done < total)
            st = tr_open_progress(opts, *done, total, err);
    }
    return st;
}

enum tr_status tr__open_together(const char *const *paths, const struct tr__probed *probed, size_t n,
                                 unsigned n_workers, const struct tr_open_opts *opts, tr__opened_fn *fn, void *ctx,
                                 struct tr_error *err)
{
    struct tr_open_opts share = *opts;
    struct trace *traces = calloc(n, sizeof *traces);
    struct tr_pool *pool = NULL;
    uint64_t total = 0, done = 0;
    enum tr_status st = traces ? tr_pool_open(&pool, n_workers, n, err) : tr_fail_memory(err);
    share.n_threads /= n_workers;
    share.batches_ahead = true;
    share.progress = NULL;
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        traces[i] = (struct trace){
            .path = paths[i], .place = i, .n_bytes = probed[i].n_bytes, .opts = &share, .taken = true
        };
        total += probed[i].n_bytes;
        st = tr_pool_submit(pool, open_trace, &traces[i]);
    }
    if (st == TR_OK)
        tr_pool_finish(pool);
    while (st == TR_OK)
        st = take(pool, fn, ctx, &done, total, opts, err);
    if (pool)
        tr_pool_free(pool, NULL);
    for (size_t i = 0; traces && i < n; i++) {
        if (!traces[i].taken)
            tr_input_close(traces[i].opened.in);
        free(traces[i].warnings.v);
    }
    free(traces);
    return st == TR_END ? TR_OK : st;
}
