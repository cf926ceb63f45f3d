/* Opening: all files are read, then batches are made by a thread of their own, a few ahead. */
#include "formats/tr_chrome_load.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define AHEAD 3u /* batches in the ring: one in use, one ready, one being made */

struct made {
    struct tr_batch *batch;
    struct tr__dict_state state; /* of the dictionary that it needs */
};

struct chrome_input {
    struct tr_input input;
    struct tr__load load;
    struct tr__space **spaces;
    struct tr__source_links *links;
    struct tr_gather *gather;
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
    uint64_t n_made, n_taken; /* batches made, and handed out */
    bool in_use;              /* the reader still looks at the batch handed out last */
    bool stop;
    enum tr_status status; /* TR_OK while there may be more */
    struct tr_error err;
};

void tr__load_free(struct tr__load *l)
{
    tr_runs_free(l->runs);
    for (size_t i = 0; l->files && i < l->n_files; i++) {
        struct tr__file *f = &l->files[i];
        for (size_t k = 0; k < f->n_header; k++) {
            free(f->header[k].key);
            free(f->header[k].value);
        }
        free(f->header);
        free(f->steps);
        tr_paged_free(&f->work);
        free(f->names);
        free(f->name);
        tr_launch_free(f->launches);
        tr_runs_free(f->ends);
    }
    free(l->files);
    for (size_t i = 0; l->parsers && i < l->n_parsers; i++)
        tr__parser_free(&l->parsers[i]);
    free(l->parsers);
    free(l->order_of);
    tr_block_pool_free(l->pool);
}

static void chrome_close(void *self)
{
    struct chrome_input *c = self;
    if (c->has_thread) {
        pthread_mutex_lock(&c->lock);
        c->stop = true;
        pthread_cond_broadcast(&c->changed);
        pthread_mutex_unlock(&c->lock);
        pthread_join(c->thread, NULL);
    }
    for (size_t i = 0; i < AHEAD; i++)
        tr_batch_free(c->ring[i].batch);
    tr_gather_free(c->gather);
    tr__names_free(c->names);
    tr__load_free(&c->load);
    free(c->spaces);
    free(c->links);
    tr_dict_free(c->dict);
    tr_summary_free(c->summary);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->changed);
    free(c);
}

/* Make one batch.  TR_END: no rows are left (the batch is empty). */
static enum tr_status make_batch(struct chrome_input *c, struct made *m, struct tr_error *err)
{
    const struct tr_row *row;
    enum tr_status st = TR_OK;
    tr_batch_clear(m->batch);
    if (++c->n_batches % 64 == 0)
        for (size_t i = 0; i < c->load.n_files; i++)
            tr_launch_trim(c->load.files[i].launches);
    while (m->batch->n < c->batch_events && (st = tr_runs_next(c->load.runs, &row, err)) == TR_OK) {
        size_t i = m->batch->n;
        if (!tr_gather_row(c->gather, row, m->batch))
            return tr_fail_memory(err);
        if (row->ts < 0 && row->ts != TR_TIME_NONE && row->suspect == TR_SUSPECT_NO &&
            c->load.files[row->source].has_base)
            m->batch->suspect[i] = TR_SUSPECT_BEFORE_BASE;
    }
    m->state = tr_gather_state(c->gather);
    return m->batch->n > 0 && st == TR_END ? TR_OK : st;
}

static void *make_batches(void *arg)
{
    struct chrome_input *c = arg;
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

static enum tr_status hand_out(struct chrome_input *c, struct made *m, const struct tr_batch **batch,
                               struct tr_error *err)
{
    if (!tr_gather_publish(c->gather, c->dict, &m->state))
        return tr_fail_memory(err);
    m->batch->dict = c->dict;
    *batch = m->batch;
    return TR_OK;
}

static enum tr_status chrome_next(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct chrome_input *c = self;
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

static const struct tr_input_ops chrome_ops = { chrome_next, chrome_close };

static enum tr_status init_load(struct tr__load *l, const struct tr_open_opts *opts,
                                const struct tr_tuning *tuning, size_t n_files,
                                struct tr_error *err)
{
    l->opts = opts;
    l->tuning = *tuning;
    l->n_threads = opts->n_threads ? opts->n_threads : 1;
    if (l->n_threads > 1000)
        l->n_threads = 1000;
    l->pool = tr_block_pool_new();
    /* a third of the memory for rows; the rest is for what reading them back and other stages need */
    l->runs = tr_runs_new(opts->max_memory_bytes / 3, opts->temp_dir);
    l->files = calloc(n_files, sizeof *l->files);
    l->n_files = n_files;
    l->order_of = calloc(n_files, sizeof *l->order_of);
    l->parsers = calloc(l->n_threads + 1u, sizeof *l->parsers);
    if (!l->pool || !l->runs || !l->files || !l->parsers || !l->order_of)
        return tr_fail_memory(err);
    for (; l->n_parsers < l->n_threads + 1u; l->n_parsers++) {
        struct tr__parser *ps = &l->parsers[l->n_parsers];
        if (!tr__parser_init(ps))
            return tr_fail_memory(err);
        ps->space_no = (uint16_t)l->n_parsers;
        ps->tokenize_all = tuning->tokenize_all;
    }
    return TR_OK;
}

/* Read one file and settle what can be settled by itself. */
static enum tr_status load_file(struct tr__load *l, const struct tr_text_sources *sources, size_t i,
                                struct tr_error *err)
{
    struct tr__file *f = &l->files[i];
    struct tr_text_source source;
    enum tr_status st = sources->open(sources->ctx, i, &source, err);
    if (st != TR_OK)
        return st;
    f->sum.first_ts = f->sum.last_end = TR_TIME_NONE;
    f->name = strdup(source.name);
    f->place = source.place;
    f->launches = tr_launch_new(l->opts->max_memory_bytes / 16, l->opts->temp_dir);
    tr_paged_init(&f->work, sizeof(struct tr__device_work), l->opts->max_memory_bytes / 16,
                  l->opts->temp_dir);
    f->ends = tr_runs_new(l->opts->max_memory_bytes / 8, l->opts->temp_dir);
    if (f->name && f->launches && f->ends)
        st = tr__read_file(l, i, &source, err);
    else
        st = tr_fail_memory(err);
    if (st != TR_OK)
        tr_error_input(err, source.name);
    sources->close(sources->ctx, i, &source);
    if (st == TR_OK)
        st = tr__understand_file(l, i, err);
    if (st == TR_OK)
        st = tr__pair_ends(l, i, err);
    if (st == TR_OK)
        st = tr_launch_finish(f->launches, err);
    if (st == TR_OK)
        tr__count_links(f);
    tr_paged_free(&f->work);
    return st;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int file_cmp(const struct tr__file *a, const struct tr__file *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    int c = strcmp(a->host, b->host);
    return c ? c : strcmp(base_name(a->name), base_name(b->name));
}

/* Number the sources by rank, host and name.  A few thousand at most, nearly sorted: insertion does. */
static size_t *order_files(struct tr__load *l)
{
    size_t *by_order = malloc(l->n_files * sizeof *by_order);
    for (size_t i = 0; by_order && i < l->n_files; i++) {
        size_t k = i;
        for (; k > 0 && file_cmp(&l->files[by_order[k - 1]], &l->files[i]) > 0; k--)
            by_order[k] = by_order[k - 1];
        by_order[k] = i;
    }
    for (size_t k = 0; by_order && k < l->n_files; k++)
        l->order_of[by_order[k]] = (uint32_t)k;
    return by_order;
}

static uint32_t add_text(struct tr_dict *d, const char *s)
{
    return s && s[0] ? tr_strtab_add(d->strings, s, strlen(s)) : TR_NO_STR;
}

static bool add_source(struct tr_dict *d, const struct tr__load *l, const struct tr__file *f)
{
    struct tr_source s;
    memset(&s, 0, sizeof s);
    size_t n = f->n_header ? f->n_header : 1;
    s.header_keys = calloc(n, sizeof *s.header_keys);
    s.header_values = calloc(n, sizeof *s.header_values);
    bool ok = s.header_keys && s.header_values;
    s.rank = f->rank;
    s.rank_rule = f->rank_rule;
    s.has_base = f->has_base;
    s.partial = f->partial;
    s.name = l->opts->keep_names ? add_text(d, base_name(f->name)) : TR_NO_STR;
    s.host = add_text(d, f->host);
    s.mesh = add_text(d, f->mesh);
    s.format = add_text(d, f->format);
    s.base_ns = s.file_base_ns = f->base_ns;
    for (size_t i = 0; ok && i < f->n_header; i++) {
        s.header_keys[i] = tr_strtab_add(d->strings, f->header[i].key, f->header[i].key_len);
        s.header_values[i] = tr_strtab_add(d->strings, f->header[i].value, f->header[i].value_len);
        ok = s.header_keys[i] != TR_NO_STR && s.header_values[i] != TR_NO_STR;
    }
    s.n_header = (uint32_t)f->n_header;
    s.events_at = (uint32_t)f->events_at;
    s.bare_array = f->bare_array;
    ok = ok && tr_dict_add_source(d, &s) != UINT32_MAX;
    free(s.header_keys);
    free(s.header_values);
    return ok;
}

static int step_cmp(const void *a, const void *b)
{
    const struct tr__step_note *x = a, *y = b;
    if (x->step.start != y->step.start)
        return x->step.start < y->step.start ? -1 : 1;
    if (x->step.end != y->step.end)
        return x->step.end > y->step.end ? -1 : 1;
    return x->step.number < y->step.number ? -1 : x->step.number > y->step.number;
}

static bool add_summary(struct chrome_input *c, struct tr__file *f, size_t at)
{
    struct tr_source_summary *s = &c->summary->sources[at];
    *s = f->sum;
    s->steps = NULL;
    s->n_steps = s->cap_steps = 0;
    if (f->n_steps)
        qsort(f->steps, f->n_steps, sizeof *f->steps, step_cmp);
    for (size_t i = 0; i < f->n_steps; i++) {
        struct tr_step step = f->steps[i].step;
        step.track = tr_gather_track(c->gather, f->steps[i].space, step.track);
        if (step.track == TR_NO_STR || !tr_summary_add_step(s, &step))
            return false;
    }
    return true;
}

/* Two sources of one rank, host and process that overlap in time cannot be told apart later. */
static enum tr_status prepare(struct chrome_input *c, struct tr_error *err)
{
    struct tr__load *l = &c->load;
    size_t *by_order = order_files(l);
    bool ok = by_order != NULL;
    c->spaces = calloc(l->n_parsers, sizeof *c->spaces);
    c->links = calloc(l->n_files, sizeof *c->links);
    ok = ok && c->spaces && c->links;
    for (size_t i = 0; ok && i < l->n_parsers; i++)
        c->spaces[i] = &l->parsers[i].space;
    for (size_t i = 0; ok && i < l->n_files; i++)
        c->links[i].launches = l->files[i].launches;
    if (ok)
        c->gather = tr_gather_new(c->spaces, l->n_parsers, c->links, l->n_files, l->opts->drop_args);
    c->names = ok ? tr__names_new(l) : NULL;
    c->dict = tr_dict_new();
    c->summary = tr_summary_new(l->n_files);
    ok = ok && c->gather && c->names && c->dict && c->summary;
    if (ok)
        tr_gather_names(c->gather, tr__names_give, c->names);
    for (size_t k = 0; ok && k < l->n_files; k++)
        ok = add_source(tr_gather_dict(c->gather), l, &l->files[by_order[k]]);
    for (size_t k = 0; ok && k < l->n_files; k++)
        ok = add_summary(c, &l->files[by_order[k]], k);
    /* the reader's copy begins with all that the sources and the summary need */
    if (ok) {
        struct tr__dict_state state = tr_gather_state(c->gather);
        ok = tr_gather_publish(c->gather, c->dict, &state);
    }
    const struct tr_dict *d = ok ? tr_gather_dict(c->gather) : NULL;
    for (size_t k = 0; ok && k < d->n_sources; k++)
        ok = tr_dict_add_source(c->dict, &d->sources[k]) != UINT32_MAX;
    for (size_t i = 0; ok && i < AHEAD; i++)
        ok = (c->ring[i].batch = tr_batch_new()) != NULL && tr_batch_reserve(c->ring[i].batch, c->batch_events);
    free(by_order);
    if (!ok)
        return tr_fail_memory(err);
    c->summary->sorted = true;
    return tr_runs_merge(l->runs, l->order_of, err);
}

static void start_thread(struct chrome_input *c)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    c->has_thread = c->load.n_threads > 1 && !pthread_create(&c->thread, NULL, make_batches, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

enum tr_status tr_chrome_open_tuned(struct tr_input **out, const struct tr_text_sources *sources,
                                    const struct tr_open_opts *opts,
                                    const struct tr_tuning *tuning, struct tr_error *err)
{
    struct chrome_input *c = calloc(1, sizeof *c);
    enum tr_status st;
    if (!c)
        return tr_fail_memory(err);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    c->batch_events = tuning->batch_events ? tuning->batch_events : TR_BATCH_MAX;
    st = init_load(&c->load, opts, tuning, sources->n, err);
    for (size_t i = 0; st == TR_OK && i < sources->n; i++)
        st = load_file(&c->load, sources, i, err);
    if (st == TR_OK)
        st = prepare(c, err);
    if (st != TR_OK) {
        chrome_close(c);
        return st;
    }
    c->input.ops = &chrome_ops;
    c->input.self = c;
    c->input.dict = c->dict;
    c->input.summary = c->summary;
    c->input.sorted = true;
    snprintf(c->input.name, sizeof c->input.name, "%s",
             sources->n == 1 ? c->load.files[0].name : "merged inputs");
    c->load.opts = NULL; /* the caller's; no longer needed */
    start_thread(c);
    *out = &c->input;
    return TR_OK;
}

enum tr_status tr_chrome_open(struct tr_input **out, const struct tr_text_sources *sources,
                              const struct tr_open_opts *opts, struct tr_error *err)
{
    const struct tr_tuning tuning = { 0 };
    return tr_chrome_open_tuned(out, sources, opts, &tuning, err);
}
