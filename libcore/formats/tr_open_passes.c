/*
 * More inputs than can be open at one time.
 *
 * First each is looked at by itself, several at a time: traces are parsed into streams of their own in a
 * temporary file, and so are inputs that cannot be opened again (pipes, members of archives); of a stream
 * in a regular file only the sources are kept in mind.  Then ranks are settled, for all inputs
 * together.  Then neighbours are merged into temporary streams until as few are left as may be open.
 *
 * Neither order nor numbering depend on how inputs are grouped, so the result is that of a merge at once.
 */
#include "formats/tr_open_int.h"

#include "base/tr_mem.h"
#include "io/tr_pool.h"
#include "io/tr_temp.h"
#include "stream/tr_reader.h"
#include "stream/tr_writer.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A temporary file with streams one behind the other; goes with the last who needs it. */
struct shelf {
    struct tr_temp *temp;
    atomic_size_t n_users;
};

/* A stream on a shelf, and how far it has been read. */
struct section {
    struct shelf *shelf;
    uint64_t at, end;
};

/* A stream to merge, and the ranks of its sources. */
struct item {
    const char *path; /* of a regular file; NULL: on a shelf */
    struct section *section;
    char *name; /* for messages */
    struct tr_merge_rank *ranks;
    size_t n_sources;
};

struct items {
    struct item *v;
    size_t n, cap;
};

/* ---- shelves ---- */

static struct shelf *shelf_new(const char *dir, struct tr_error *err)
{
    struct shelf *s = calloc(1, sizeof *s);
    if (!s) {
        tr_fail_memory(err);
        return NULL;
    }
    atomic_init(&s->n_users, 1); /* who writes it */
    if (tr_temp_open(&s->temp, dir, err) == TR_OK)
        return s;
    free(s);
    return NULL;
}

static void shelf_release(struct shelf *s)
{
    if (!s || atomic_fetch_sub(&s->n_users, 1) > 1)
        return;
    tr_temp_free(s->temp);
    free(s);
}

static void section_close(void *ctx)
{
    struct section *s = ctx;
    shelf_release(s->shelf);
    free(s);
}

static enum tr_status section_read(void *ctx, void *buf, size_t cap, size_t *got,
                                   struct tr_error *err)
{
    struct section *s = ctx;
    uint64_t left = s->end - s->at;
    *got = left < cap ? (size_t)left : cap;
    enum tr_status st = *got ? tr_temp_read_at(s->shelf->temp, buf, *got, s->at, err) : TR_OK;
    s->at += *got;
    return st;
}

static enum tr_status append(void *temp, const void *buf, size_t len, struct tr_error *err)
{
    return tr_temp_write(temp, buf, len, err);
}

static enum tr_status copy_events(struct tr_input *in, struct tr_temp *temp, unsigned n_threads,
                                  struct tr_error *err)
{
    const struct tr_writer_opts opts = { .codec = TR_CODEC_LZ4, .n_threads = n_threads };
    const struct tr_sink sink = { append, temp };
    const struct tr_batch *b;
    struct tr_writer *w;
    enum tr_status st = tr_writer_new(&w, &sink, &opts, err);
    if (st != TR_OK)
        return st;
    st = tr_writer_begin(w, in->dict, in->summary, in->provenance, in->sorted, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK)
        st = tr_writer_batch(w, b, err);
    if (st == TR_END)
        return tr_writer_finish(w, err);
    tr_writer_abandon(w);
    return st;
}

/* Copy an input to a shelf. */
static enum tr_status put_on_shelf(struct item *item, struct tr_input *in, struct shelf *shelf,
                                   unsigned n_threads, struct tr_error *err)
{
    struct section *s = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->at = tr_temp_size(shelf->temp);
    enum tr_status st = copy_events(in, shelf->temp, n_threads, err);
    if (st != TR_OK) {
        free(s);
        return st;
    }
    s->end = tr_temp_size(shelf->temp);
    s->shelf = shelf;
    atomic_fetch_add(&shelf->n_users, 1);
    item->section = s;
    return TR_OK;
}

/* ---- items ---- */

static void item_free(struct item *item)
{
    if (item->section)
        section_close(item->section);
    free(item->name);
    free(item->ranks);
    *item = (struct item){ NULL, NULL, NULL, NULL, 0 };
}

static void items_free(struct items *list)
{
    for (size_t i = 0; i < list->n; i++)
        item_free(&list->v[i]);
    free(list->v);
    *list = (struct items){ NULL, 0, 0 };
}

static struct item *item_add(struct items *list, const struct tr_input *in)
{
    if (!tr_grow(&list->v, &list->cap, list->n + 1, sizeof *list->v))
        return NULL;
    struct item *item = &list->v[list->n];
    *item = (struct item){ .n_sources = in->dict->n_sources };
    size_t len = strlen(in->name) + 1;
    item->name = malloc(len);
    if (!item->name)
        return NULL;
    memcpy(item->name, in->name, len);
    list->n++;
    return item;
}

static enum tr_status item_open(struct item *item, struct tr_input **in,
                                const struct tr_open_opts *opts, struct tr_error *err)
{
    if (item->path) {
        struct tr__opened o;
        enum tr_status st = tr__open_member(&o, item->path, 0, 0, opts, err);
        if (st == TR_OK && o.in->dict->n_sources != item->n_sources) {
            tr_input_close(o.in);
            tr_error_input(err, item->path);
            return tr_fail(err, TR_DAMAGED, "has changed while it was read");
        }
        *in = o.in;
        return st;
    }
    const struct tr_source_bytes from = { section_read, section_close, item->section };
    enum tr_status st = tr_reader_open(in, &from, item->name, err);
    if (st == TR_OK)
        item->section = NULL; /* the reader's */
    return st;
}

/* Open n items and merge them; they are used up. */
static enum tr_status merge_items(struct item *items, size_t n, const struct tr_open_opts *opts,
                                  struct tr_input **out, struct tr_error *err)
{
    struct tr_open_opts quiet = *opts;
    struct tr_merge_opts merge = { .renumber = false };
    struct tr_input **in = calloc(n, sizeof(struct tr_input *));
    struct tr_merge_rank *ranks = NULL;
    size_t n_open = 0, n_ranks = 0, cap = 0;
    enum tr_status st = in ? TR_OK : tr_fail_memory(err);
    quiet.warn = NULL; /* said before */
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        if (!tr_grow(&ranks, &cap, n_ranks + items[i].n_sources + 1, sizeof *ranks)) {
            st = tr_fail_memory(err);
            break;
        }
        if (items[i].n_sources)
            memcpy(ranks + n_ranks, items[i].ranks, items[i].n_sources * sizeof *ranks);
        n_ranks += items[i].n_sources;
        st = item_open(&items[i], &in[i], &quiet, err);
        n_open += st == TR_OK;
        item_free(&items[i]);
    }
    merge.ranks = ranks;
    if (st == TR_OK) {
        tr__read_ahead(in, n, opts);
        st = tr_merge_open(out, in, n, &merge, err);
        n_open = 0; /* the merge's, also on failure */
    }
    while (n_open > 0)
        tr_input_close(in[--n_open]);
    free(in);
    free(ranks);
    return st;
}

/* ---- looking at each input ---- */

struct warning {
    char input[512], place[320], what[256];
};

/* An input, or all members of an archive, looked at by a worker. */
struct look {
    struct looks *all;
    const char *path;
    struct items items;
    struct tr_claims claims;
    bool *raw; /* by item */
    size_t cap_raw;
    struct warning *warnings; /* said in the order of the inputs */
    size_t n_warnings, cap_warnings;
};

struct looks {
    const struct tr_open_opts *opts;
    struct tr_open_opts share; /* of one worker */
    struct shelf **shelves;    /* by worker */
    unsigned n_workers;
};

static void note_warning(void *ctx, const char *input, const char *place, const char *what)
{
    struct look *l = ctx;
    if (!tr_grow(&l->warnings, &l->cap_warnings, l->n_warnings + 1, sizeof *l->warnings))
        return;
    struct warning *w = &l->warnings[l->n_warnings++];
    snprintf(w->input, sizeof w->input, "%s", input);
    snprintf(w->place, sizeof w->place, "%s", place);
    snprintf(w->what, sizeof w->what, "%s", what);
}

static enum tr_status take_in(struct look *l, const struct tr__opened *o, bool again,
                              unsigned worker, struct tr_error *err)
{
    struct looks *all = l->all;
    size_t first = l->claims.n;
    struct item *item = item_add(&l->items, o->in);
    if (!item || !tr_grow(&l->raw, &l->cap_raw, l->items.n, sizeof *l->raw) ||
        !tr_claims_add(&l->claims, o->in, l->items.n - 1))
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
    if (!all->shelves[worker] && !(all->shelves[worker] = shelf_new(all->opts->temp_dir, err)))
        return err->status;
    return put_on_shelf(item, o->in, all->shelves[worker], 1, err);
}

static enum tr_status look_at(void *job, unsigned worker, struct tr_error *err)
{
    struct look *l = job;
    struct tr_open_opts opts = l->all->share;
    struct tr__probed probed;
    struct tr__opened o = { .archive = true };
    enum tr_status st = tr__open_probe(l->path, &opts, 1, &probed, err);
    opts.warn = opts.warn ? note_warning : NULL;
    opts.warn_ctx = l;
    for (size_t member = 0; st == TR_OK && o.archive; member++) {
        st = tr__open_member(&o, l->path, member, member, &opts, err);
        if (st == TR_OK) {
            st = take_in(l, &o, probed.regular, worker, err);
            if (st != TR_OK)
                tr_error_input(err, o.in->name);
            tr_input_close(o.in);
        }
    }
    return st == TR_END ? TR_OK : st;
}

static void look_free(struct look *l)
{
    items_free(&l->items);
    tr_claims_free(&l->claims);
    free(l->raw);
    free(l->warnings);
    *l = (struct look){ NULL };
}

/* Add what a worker has found to what there is. */
static enum tr_status collect(struct look *l, struct items *items, struct tr_claims *claims,
                              const struct tr_open_opts *opts, struct tr_error *err)
{
    for (size_t i = 0; i < l->n_warnings; i++)
        opts->warn(opts->warn_ctx, l->warnings[i].input, l->warnings[i].place, l->warnings[i].what);
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
        const struct item *item = &l->items.v[i];
        if (st == TR_OK)
            st = tr__ranks_by_place(claims->v + first, item->n_sources, l->raw[i], items->n, opts,
                                    err);
        first += item->n_sources;
        items->v[items->n++] = *item;
    }
    l->items.n = 0;
    return st;
}

static enum tr_status take_look(struct tr_pool *pool, struct items *items, struct tr_claims *claims,
                                const struct tr_open_opts *opts, struct tr_error *err)
{
    void *job;
    enum tr_status st = tr_pool_next(pool, &job, err);
    if (st == TR_OK)
        st = collect(job, items, claims, opts, err);
    return st;
}

/* Let workers look at all inputs; jobs that are under way at one time share out the memory. */
static enum tr_status look_at_all(struct looks *all, const char *const *paths, size_t n,
                                  uint64_t n_bytes, struct items *items, struct tr_claims *claims,
                                  struct tr_error *err)
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
        if (opts->progress && n_bytes)
            opts->progress(opts->progress_ctx, n_bytes / n * i, n_bytes);
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

static enum tr_status look(const char *const *paths, size_t n, uint64_t n_bytes,
                           const struct tr_open_opts *opts, struct items *items,
                           struct tr_claims *claims, struct tr_error *err)
{
    struct looks all = { .opts = opts, .share = *opts, .n_workers = opts->n_threads };
    if (all.n_workers > n)
        all.n_workers = (unsigned)n;
    if (all.n_workers > TR_POOL_MAX_THREADS)
        all.n_workers = TR_POOL_MAX_THREADS;
    all.share.n_threads = opts->n_threads / all.n_workers;
    all.share.max_memory_bytes /= all.n_workers;
    all.share.progress = NULL;
    all.shelves = calloc(all.n_workers, sizeof(struct shelf *));
    enum tr_status st = all.shelves ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = look_at_all(&all, paths, n, n_bytes, items, claims, err);
    for (unsigned k = 0; all.shelves && k < all.n_workers; k++) {
        if (st == TR_OK && all.shelves[k])
            st = tr_temp_flush(all.shelves[k]->temp, err); /* from now on it is read */
        shelf_release(all.shelves[k]);
    }
    free(all.shelves);
    return st;
}

/* ---- passes ---- */

static enum tr_status own_ranks(struct item *item, const struct tr_dict *d, struct tr_error *err)
{
    item->ranks = calloc(d->n_sources + 1, sizeof *item->ranks);
    if (!item->ranks)
        return tr_fail_memory(err);
    for (size_t k = 0; k < d->n_sources; k++)
        item->ranks[k] = (struct tr_merge_rank){ d->sources[k].rank, d->sources[k].rank_rule };
    return TR_OK;
}

/* Merge n items to a shelf; the result takes the place of the first. */
static enum tr_status merge_group(struct item *items, size_t n, struct shelf *shelf,
                                  const struct tr_open_opts *opts, struct tr_error *err)
{
    struct items result = { NULL, 0, 0 };
    struct tr_input *in;
    struct item *item;
    enum tr_status st = merge_items(items, n, opts, &in, err);
    if (st != TR_OK)
        return st;
    item = item_add(&result, in);
    st = item ? own_ranks(item, in->dict, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = put_on_shelf(item, in, shelf, opts->n_threads, err);
    tr_input_close(in);
    if (st == TR_OK)
        items[0] = *item;
    else
        items_free(&result);
    free(result.v);
    return st;
}

/* One pass: no more items than needed go through a temporary file once more. */
static enum tr_status pass(struct items *items, size_t fan_in, const struct tr_open_opts *opts,
                           struct tr_error *err)
{
    size_t excess = items->n - fan_in, n = items->n, out = 0;
    struct shelf *shelf = shelf_new(opts->temp_dir, err);
    enum tr_status st = shelf ? TR_OK : err->status;
    for (size_t i = 0, group; i < n && st == TR_OK; i += group) {
        group = excess + 1 < fan_in ? excess + 1 : fan_in;
        if (group > n - i)
            group = n - i;
        if (group > 1)
            st = merge_group(items->v + i, group, shelf, opts, err);
        excess -= group - 1;
        struct item moved = items->v[i];
        items->v[i] = (struct item){ NULL, NULL, NULL, NULL, 0 };
        items->v[out++] = moved;
    }
    if (st == TR_OK)
        items->n = out;
    if (st == TR_OK)
        st = tr_temp_flush(shelf->temp, err);
    shelf_release(shelf);
    return st;
}

static enum tr_status give_ranks(struct items *items, const struct tr_claims *claims,
                                 struct tr_error *err)
{
    const struct tr_claim *c = claims->v;
    for (size_t i = 0; i < items->n; i++) {
        struct item *item = &items->v[i];
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
    struct items items = { NULL, 0, 0 };
    struct tr_claims claims = { NULL, 0, 0 };
    struct tr_error ignored = TR_ERROR_INIT;
    err = err ? err : &ignored;
    enum tr_status st = look(paths, n, n_bytes, opts, &items, &claims, err);
    if (st == TR_OK)
        st = tr__ranks_check(opts, items.n, err);
    if (st == TR_OK)
        st = tr_claims_settle(&claims, opts->renumber, err);
    if (st == TR_OK)
        st = give_ranks(&items, &claims, err);
    tr_claims_free(&claims);
    while (st == TR_OK && items.n > fan_in)
        st = pass(&items, fan_in, opts, err);
    if (st == TR_OK)
        st = merge_items(items.v, items.n, opts, out, err);
    items_free(&items);
    return st;
}
