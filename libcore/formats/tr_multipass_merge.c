/* SPDX-License-Identifier: MIT */
/*
 * Merging more inputs than can be open at one time.
 *
 * First, workers look at each input.  Traces, and inputs that cannot be opened again (pipes, members of archives), are
 * parsed into separate streams in a temporary file.  For a stream in a regular file, only its sources are kept.  Then
 * the ranks of all inputs are decided together.  Then neighbours are merged into temporary streams, until all that are
 * left can be open at one time.
 *
 * Order and numbering do not depend on how inputs are grouped, so the result is the same as that of a single merge.
 */
#include "formats/tr_merge_temp_int.h"

#include "base/tr_mem.h"
#include "io/tr_pool.h"

#include <stdlib.h>
#include <string.h>

/* ---- each input ---- */

/* The result of a worker for an input, or for all members of an archive. */
struct look {
    struct looks *all;
    const char *path;
    struct tr__items items;
    struct tr_rank_conflicts claims;
    bool *raw; /* by item */
    size_t cap_raw;
    struct tr__warnings warnings;
};

struct looks {
    const struct tr_open_opts *opts;
    struct tr_open_opts share; /* of one worker */
    struct tr__merge_temp **shelves; /* by worker */
    unsigned n_workers;
};

static enum tr_status take_in(struct look *l, const struct tr__opened *o, bool again,
                              unsigned worker, struct tr_error *err)
{
    struct looks *all = l->all;
    size_t first = l->claims.n;
    struct tr__item *item = tr__items_add(&l->items, o->in);
    if (!item || !tr_grow(&l->raw, &l->cap_raw, l->items.n, sizeof *l->raw) ||
        !tr_rank_conflicts_add(&l->claims, o->in, l->items.n - 1))
        return tr_fail_memory(err);
    l->raw[l->items.n - 1] = o->raw;
    enum tr_status st =
        tr__ranks_by_input(l->claims.v + first, l->claims.n - first, o, all->opts, err);
    if (st != TR_OK)
        return st;
    if (again && !o->raw && !o->archive) {
        item->path = l->path;
        return TR_OK;
    }
    if (!all->shelves[worker] && !(all->shelves[worker] = tr__merge_temp_new(all->opts->temp_dir, err)))
        return err->status;
    return tr__merge_temp_put(item, o->in, all->shelves[worker], 1, err);
}

static enum tr_status look_at(void *job, unsigned worker, struct tr_error *err)
{
    struct look *l = job;
    struct tr_open_opts opts = l->all->share;
    struct tr__probed probed;
    struct tr__opened o = { .archive = true };
    struct tr__archive_place place = { 0 };
    enum tr_status st = tr__open_probe(l->path, &opts, 1, &probed, err);
    opts.warn = opts.warn ? tr__warning_note : NULL;
    opts.warn_ctx = &l->warnings;
    for (size_t member = 0; st == TR_OK && o.archive; member++) {
        st = tr__open_member(&o, l->path, member, member, &opts, &place, err);
        if (st == TR_OK && !o.left_out) {
            st = take_in(l, &o, probed.regular, worker, err);
            if (st != TR_OK)
                tr_error_input(err, o.in->name);
            tr_input_close(o.in);
        }
    }
    tr__archive_place_close(&place);
    return st == TR_END ? TR_OK : st;
}

static void look_free(struct look *l)
{
    tr__items_free(&l->items);
    tr_rank_conflicts_free(&l->claims);
    free(l->raw);
    free(l->warnings.v);
    *l = (struct look){ NULL };
}

/* Add the results of a worker. */
static enum tr_status collect(struct look *l, struct tr__items *items, struct tr_rank_conflicts *claims,
                              const struct tr_open_opts *opts, struct tr_error *err)
{
    tr__warnings_give(&l->warnings, opts);
    if (!tr_grow(&items->v, &items->cap, items->n + l->items.n + 1, sizeof *items->v) ||
        !tr_grow(&claims->v, &claims->cap, claims->n + l->claims.n + 1, sizeof *claims->v))
        return tr_fail_memory(err);
    size_t first = claims->n, place = items->n;
    for (size_t i = 0; i < l->claims.n; i++) {
        claims->v[claims->n] = l->claims.v[i];
        claims->v[claims->n++].input += place;
    }
    l->claims.n = 0;
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < l->items.n; i++) {
        const struct tr__item *item = &l->items.v[i];
        if (st == TR_OK)
            st = tr__ranks_by_place(claims->v + first, item->n_sources, l->raw[i], items->n, opts, err);
        first += item->n_sources;
        items->v[items->n++] = *item;
    }
    l->items.n = 0;
    return st;
}

static enum tr_status take_look(struct tr_pool *pool, struct tr__items *items, struct tr_rank_conflicts *claims,
                                const struct tr_open_opts *opts, struct tr_error *err)
{
    void *job;
    enum tr_status st = tr_pool_next(pool, &job, err);
    if (st == TR_OK)
        st = collect(job, items, claims, opts, err);
    return st;
}

/* Let workers look at all inputs; jobs that run at the same time share the memory. */
static enum tr_status look_at_all(struct looks *all, const char *const *paths, size_t n, uint64_t n_bytes,
                                  struct tr__items *items, struct tr_rank_conflicts *claims, struct tr_error *err)
{
    size_t n_jobs = 2 * (size_t)all->n_workers;
    const struct tr_open_opts *opts = all->opts;
    struct look *looks = calloc(n, sizeof *looks);
    struct tr_pool *pool = NULL;
    enum tr_status st =
        looks ? tr_pool_open(&pool, all->n_workers, n_jobs, err) : tr_fail_memory(err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        if (tr_pool_full(pool))
            st = take_look(pool, items, claims, opts, err);
        looks[i].all = all;
        looks[i].path = paths[i];
        if (st == TR_OK)
            st = tr_pool_submit(pool, look_at, &looks[i]);
        if (st == TR_OK && n_bytes)
            st = tr_open_progress(opts, n_bytes / n * i, n_bytes, err);
    }
    if (st == TR_OK)
        tr_pool_finish(pool);
    while (st == TR_OK)
        st = take_look(pool, items, claims, opts, err);
    if (pool)
        tr_pool_free(pool, NULL);
    for (size_t i = 0; looks && i < n; i++)
        look_free(&looks[i]);
    free(looks);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status look(const char *const *paths, size_t n, uint64_t n_bytes, const struct tr_open_opts *opts,
                           struct tr__items *items, struct tr_rank_conflicts *claims, struct tr_error *err)
{
    struct looks all = { .opts = opts, .share = *opts, .n_workers = opts->n_threads };
    if (all.n_workers > n)
        all.n_workers = (unsigned)n;
    if (all.n_workers > TR_POOL_MAX_THREADS)
        all.n_workers = TR_POOL_MAX_THREADS;
    all.share.n_threads = opts->n_threads / all.n_workers;
    all.share.max_memory_bytes /= all.n_workers;
    all.share.progress = NULL;
    all.share.skip_empty = !opts->strict && opts->rank_from != TR_RANK_FROM_OPTION;
    all.shelves = calloc(all.n_workers, sizeof(struct tr__merge_temp *));
    enum tr_status st = all.shelves ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = look_at_all(&all, paths, n, n_bytes, items, claims, err);
    for (unsigned k = 0; all.shelves && k < all.n_workers; k++) {
        if (st == TR_OK && all.shelves[k])
            st = tr__merge_temp_flush(all.shelves[k], err);
        tr__merge_temp_release(all.shelves[k]);
    }
    free(all.shelves);
    return st;
}

/* ---- passes ---- */

static enum tr_status own_ranks(struct tr__item *item, const struct tr_dict *d, struct tr_error *err)
{
    item->ranks = calloc(d->n_sources + 1, sizeof *item->ranks);
    if (!item->ranks)
        return tr_fail_memory(err);
    for (size_t k = 0; k < d->n_sources; k++)
        item->ranks[k] = (struct tr_merge_rank){ d->sources[k].rank, d->sources[k].rank_rule };
    return TR_OK;
}

/* Merge n items to a shelf; the result takes the place of the first. */
static enum tr_status merge_group(struct tr__item *items, size_t n, struct tr__merge_temp *shelf,
                                  const struct tr_open_opts *opts, struct tr_error *err)
{
    struct tr__items result = { NULL, 0, 0 };
    struct tr_input *in;
    struct tr__item *item;
    enum tr_status st = tr__items_merge(items, n, opts, &in, err);
    if (st != TR_OK)
        return st;
    item = tr__items_add(&result, in);
    st = item ? own_ranks(item, in->dict, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr__merge_temp_put(item, in, shelf, opts->n_threads, err);
    tr_input_close(in);
    if (st == TR_OK)
        items[0] = *item;
    else
        tr__items_free(&result);
    free(result.v);
    return st;
}

/* One pass: no more items than needed go through a temporary file once more. */
static enum tr_status pass(struct tr__items *items, size_t fan_in, const struct tr_open_opts *opts,
                           struct tr_error *err)
{
    size_t excess = items->n - fan_in, n = items->n, out = 0;
    struct tr__merge_temp *shelf = tr__merge_temp_new(opts->temp_dir, err);
    enum tr_status st = shelf ? TR_OK : err->status;
    for (size_t i = 0, group; i < n && st == TR_OK; i += group) {
        group = excess + 1 < fan_in ? excess + 1 : fan_in;
        if (group > n - i)
            group = n - i;
        if (group > 1)
            st = merge_group(items->v + i, group, shelf, opts, err);
        excess -= group - 1;
        struct tr__item moved = items->v[i];
        items->v[i] = (struct tr__item){ NULL, NULL, NULL, NULL, 0 };
        items->v[out++] = moved;
    }
    if (st == TR_OK)
        items->n = out;
    if (st == TR_OK)
        st = tr__merge_temp_flush(shelf, err);
    tr__merge_temp_release(shelf);
    return st;
}

static enum tr_status give_ranks(struct tr__items *items, const struct tr_rank_conflicts *claims, struct tr_error *err)
{
    const struct tr_rank_claim *c = claims->v;
    for (size_t i = 0; i < items->n; i++) {
        struct tr__item *item = &items->v[i];
        item->ranks = calloc(item->n_sources + 1, sizeof *item->ranks);
        if (!item->ranks)
            return tr_fail_memory(err);
        for (size_t k = 0; k < item->n_sources; k++, c++)
            item->ranks[k] = (struct tr_merge_rank){ c->rank, c->rule };
    }
    return TR_OK;
}

enum tr_status tr__open_passes(struct tr_input **out, const char *const *paths, size_t n,
                               size_t fan_in, uint64_t n_bytes, const struct tr_open_opts *opts,
                               struct tr_error *err)
{
    struct tr__items items = { NULL, 0, 0 };
    struct tr_rank_conflicts claims = { NULL, 0, 0 };
    struct tr_error ignored = TR_ERROR_INIT;
    err = err ? err : &ignored;
    enum tr_status st = look(paths, n, n_bytes, opts, &items, &claims, err);
    if (st == TR_OK)
        st = tr__ranks_check(opts, items.n, err);
    if (st == TR_OK && !items.n) {
        tr_error_input(err, paths[0]);
        st = tr_fail(err, TR_DAMAGED, n == 1 ? "the archive has no trace" : "empty input");
    }
    tr__ranks_of_places(&claims);
    if (st == TR_OK)
        st = tr_rank_conflicts_settle(&claims, opts->renumber, err);
    if (st == TR_OK)
        st = give_ranks(&items, &claims, err);
    tr_rank_conflicts_free(&claims);
    while (st == TR_OK && items.n > fan_in)
        st = pass(&items, fan_in, opts, err);
    if (st == TR_OK)
        st = tr__items_merge(items.v, items.n, opts, out, err);
    tr__items_free(&items);
    return st;
}
