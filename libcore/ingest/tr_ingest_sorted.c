/* SPDX-License-Identifier: MIT */
/* A sorted input: the whole source is read first; then a separate thread makes batches, a few in advance. */
#include "ingest/tr_process_groups_int.h"

#include "io/tr_follow.h"
#include "io/tr_pool.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define AHEAD 3u /* batches in the ring: one in use, one ready, one being made */

struct made {
    struct tr_batch *batch;
    struct tr_dict_state state; /* of the dictionary that it needs */
};

struct sorted {
    struct tr_input input;
    struct tr__source_state load;
    const struct tr__driver *driver;
    void *ctx; /* of the driver */
    struct tr__interner **interners;
    struct tr_batch_builder *builder;
    struct tr__names *names;
    struct tr_dict *dict; /* the reader's copy */
    struct tr_summary *summary;
    size_t batch_events;
    uint64_t n_batches;

    struct made ring[AHEAD];
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t n_made, n_taken; /* batches made, and given out */
    bool in_use;              /* the reader still uses the last batch */
    bool stop;
    enum tr_status status; /* TR_OK while there may be more */
    struct tr_error err;
};

static void sorted_close(void *self)
{
    struct sorted *c = self;
    if (c->has_thread) {
        pthread_mutex_lock(&c->lock);
        c->stop = true;
        pthread_cond_broadcast(&c->changed);
        pthread_mutex_unlock(&c->lock);
        pthread_join(c->thread, NULL);
    }
    for (size_t i = 0; i < AHEAD; i++)
        tr_batch_free(c->ring[i].batch);
    tr_batch_builder_free(c->builder);
    tr__names_free(c->names);
    tr__source_state_free(&c->load);
    c->driver->free(c->ctx);
    free(c->interners);
    tr_dict_free(c->dict);
    tr_summary_free(c->summary);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->changed);
    free(c);
}

/* Make one batch.  TR_END: no rows are left (the batch is empty). */
static enum tr_status make_batch(struct sorted *c, struct made *m, struct tr_error *err)
{
    const struct tr_row *row;
    enum tr_status st = TR_OK;
    tr_batch_clear(m->batch);
    if (!tr_batch_reserve(m->batch, c->batch_events)) /* batches that are not needed have no room */
        return tr_fail_memory(err);
    if (++c->n_batches % 64 == 0) {
        tr_launch_trim(c->load.file.launches);
        tr_paged_trim(&c->load.file.launched);
    }
    while (m->batch->n < c->batch_events && (st = tr_external_sort_next(c->load.runs, &row, err)) == TR_OK) {
        size_t i = m->batch->n;
        if (!tr_batch_builder_row(c->builder, row, m->batch))
            return tr_fail_memory(err);
        if (row->ts < 0 && row->ts != TR_TIME_NONE && row->suspect == TR_SUSPECT_NO &&
            c->load.file.has_base)
            m->batch->suspect[i] = TR_SUSPECT_BEFORE_BASE;
    }
    m->state = tr_batch_builder_state(c->builder);
    return m->batch->n > 0 && st == TR_END ? TR_OK : st;
}

static void *make_batches(void *arg)
{
    struct sorted *c = arg;
    pthread_mutex_lock(&c->lock);
    while (!c->stop && c->status == TR_OK) {
        if (c->n_made - c->n_taken + c->in_use >= AHEAD) {
            pthread_cond_wait(&c->changed, &c->lock);
            continue;
        }
        struct made *m = &c->ring[c->n_made % AHEAD];
        struct tr_error err = TR_ERROR_INIT;
        pthread_mutex_unlock(&c->lock);
        enum tr_status st = make_batch(c, m, &err);
        pthread_mutex_lock(&c->lock);
        if (st == TR_OK) {
            c->n_made++;
        } else {
            c->status = st;
            c->err = err;
        }
        pthread_cond_broadcast(&c->changed);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static enum tr_status hand_out(struct sorted *c, struct made *m, const struct tr_batch **batch,
                               struct tr_error *err)
{
    if (!tr_batch_builder_publish(c->builder, c->dict, &m->state))
        return tr_fail_memory(err);
    m->batch->dict = c->dict;
    *batch = m->batch;
    return TR_OK;
}

static enum tr_status sorted_next(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct sorted *c = self;
    if (!c->has_thread) {
        enum tr_status st = make_batch(c, &c->ring[0], err);
        return st == TR_OK ? hand_out(c, &c->ring[0], batch, err) : st;
    }
    pthread_mutex_lock(&c->lock);
    c->in_use = false;
    pthread_cond_broadcast(&c->changed);
    while (c->n_made == c->n_taken && c->status == TR_OK)
        pthread_cond_wait(&c->changed, &c->lock);
    bool have = c->n_made > c->n_taken;
    struct made *m = &c->ring[c->n_taken % AHEAD];
    enum tr_status st = have ? TR_OK : c->status;
    if (have) {
        c->n_taken++;
        c->in_use = true;
    } else if (st != TR_END && err) {
        *err = c->err;
    }
    pthread_mutex_unlock(&c->lock);
    return have ? hand_out(c, m, batch, err) : st;
}

static const struct tr_input_ops sorted_ops = { .next = sorted_next, .close = sorted_close };

/* In a copy of the process, in which the source ends earlier: its arrays must not be those of the other. */
static enum tr_status own_arrays(struct tr__file *f, struct tr_error *err)
{
    bool ok = tr_paged_own(&f->work) && tr_paged_own(&f->arrows) && tr_paged_own(&f->launched) &&
              tr_launch_own(f->launches);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* Read the source and prepare everything that does not need other sources. */
static enum tr_status load_source(struct sorted *c, struct tr_error *err)
{
    struct tr__source_state *l = &c->load;
    struct tr__file *f = &l->file;
    enum tr_status st = c->driver->read(c->ctx, l, err);
    if (st == TR_OK && l->opts->follow && l->opts->follow->copied)
        st = own_arrays(f, err);
    if (st == TR_OK)
        st = tr__understand(l, c->driver, c->ctx, err);
    if (st == TR_OK)
        st = tr__pair_ends(l, err);
    if (st == TR_OK && l->opts->strict)
        st = tr__refuse_damage(f, err);
    if (st == TR_OK)
        st = f->counts_records || f->n_ranks ? tr__find_groups(l, err) : TR_OK;
    if (st == TR_OK)
        st = tr_launch_finish(f->launches, err);
    if (st == TR_OK)
        st = tr__join_arrows(l, err);
    if (st == TR_OK)
        st = tr__count_links(f, err);
    if (st == TR_OK)
        st = tr__move_rows(l, err);
    tr_paged_free(&f->work);
    tr_paged_free(&f->arrows);
    return st;
}

static bool add_summary(struct sorted *c, struct tr__file *f)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->summary->n; i++) {
        struct tr_source_summary *s = &c->summary->sources[i];
        *s = f->groups ? f->groups->v[i].sum : f->sum;
        s->steps = NULL;
        s->n_steps = s->cap_steps = 0;
        ok = (i || tr__sum_up_damage(f, s)) && tr__file_steps(f, i, c->builder, s);
    }
    return ok;
}

/* Prepare everything that the first batch needs. */
static enum tr_status start_batches(struct sorted *c, struct tr_error *err)
{
    struct tr__source_state *l = &c->load;
    bool ok = (c->interners = calloc(l->n_lanes, sizeof *c->interners)) != NULL;
    for (size_t i = 0; ok && i < l->n_lanes; i++)
        c->interners[i] = &l->lanes[i]->interner;
    if (ok)
        c->builder = tr_batch_builder_new(c->interners, l->n_lanes, l->file.launches, l->opts->drop_args);
    if (c->builder)
        tr_batch_builder_links(c->builder, l->file.arrow_ends, &l->file.launched,
                               l->file.counts_records);
    c->names = ok ? tr__names_new(l) : NULL;
    c->dict = tr_dict_new_in(l->opts->spill);
    c->summary = tr_summary_new(l->file.groups ? l->file.groups->n : 1);
    ok = ok && c->builder && c->names && c->dict && c->summary;
    if (ok) {
        tr_batch_builder_names(c->builder, tr__names_give, c->names);
        ok = tr__add_source(tr_batch_builder_dict(c->builder), l, &l->file) &&
             tr_batch_builder_clocks(c->builder, l->file.n_clocks) && add_summary(c, &l->file) &&
             tr__map_tables(&l->file, c->builder, SIZE_MAX);
    }
    if (ok) { /* the reader's copy starts with all that the source and the summary need */
        const struct tr_dict_state state = tr_batch_builder_state(c->builder);
        const struct tr_dict *of = tr_batch_builder_dict(c->builder);
        ok = tr_batch_builder_publish(c->builder, c->dict, &state);
        for (size_t i = 0; ok && i < of->n_sources; i++)
            ok = tr_dict_add_source(c->dict, &of->sources[i]) != UINT32_MAX;
    }
    for (size_t i = 0; ok && i < AHEAD; i++)
        ok = (c->ring[i].batch = tr_batch_new()) != NULL;
    if (!ok)
        return tr_fail_memory(err);
    c->summary->sorted = true;
    return tr_external_sort_merge(l->runs, l->file.groups ? l->file.groups->order : NULL, err);
}

static void start_thread(struct sorted *c)
{
    c->has_thread = c->load.batches_ahead && tr_thread_start(&c->thread, make_batches, c, NULL) == TR_OK;
}

enum tr_status tr__sorted_open(struct tr_input **out, const struct tr__driver *driver, const char *format, void *ctx,
                               const char *name, size_t place, const struct tr_open_opts *opts, struct tr_error *err)
{
    struct sorted *c = calloc(1, sizeof *c);
    enum tr_status st;
    if (!c) {
        driver->close(ctx);
        driver->free(ctx);
        return tr_fail_memory(err);
    }
    c->driver = driver;
    c->ctx = ctx;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    c->batch_events = opts->tuning.batch_events ? opts->tuning.batch_events : TR_BATCH_MAX;
    st = tr__source_state_init(&c->load, driver, format, ctx, name, place, opts, err);
    if (st == TR_OK)
        st = load_source(c, err);
    if (st == TR_OK)
        st = start_batches(c, err);
    driver->close(ctx);
    if (st != TR_OK) {
        sorted_close(c);
        return st;
    }
    c->input.ops = &sorted_ops;
    c->input.self = c;
    c->input.dict = c->dict;
    c->input.summary = c->summary;
    c->input.tables = &c->load.file.tables;
    c->input.sorted = true;
    snprintf(c->input.name, sizeof c->input.name, "%s", c->load.file.name);
    c->load.opts = NULL; /* belongs to the caller; not needed any more */
    start_thread(c);
    *out = &c->input;
    return TR_OK;
}
