/* SPDX-License-Identifier: MIT */
/* Streams that wait to be merged, in temporary files. */
#include "formats/tr_merge_temp_int.h"

#include "base/tr_mem.h"
#include "io/tr_temp.h"
#include "stream/format/tr_reader.h"
#include "stream/format/tr_writer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Packing takes longer than reading and writing unpacked data.  It pays only if a file becomes large. */
#define PLAIN_EVENTS ((uint64_t)1 << 16)

/* A temporary file with streams one after the other; released with its last user. */
struct tr__merge_temp {
    struct tr_temp *temp;
    atomic_size_t n_users;
};

/* A stream on a shelf, and how far it has been read. */
struct tr__section {
    struct tr__merge_temp *shelf;
    uint64_t at, end;
};

/* ---- shelves ---- */

struct tr__merge_temp *tr__merge_temp_new(const char *dir, struct tr_error *err)
{
    struct tr__merge_temp *s = calloc(1, sizeof *s);
    if (!s) {
        tr_fail_memory(err);
        return NULL;
    }
    atomic_init(&s->n_users, 1); /* its writer */
    if (tr_temp_open(&s->temp, dir, err) == TR_OK)
        return s;
    free(s);
    return NULL;
}

void tr__merge_temp_release(struct tr__merge_temp *s)
{
    if (!s || atomic_fetch_sub(&s->n_users, 1) > 1)
        return;
    tr_temp_free(s->temp);
    free(s);
}

static void section_close(void *ctx)
{
    struct tr__section *s = ctx;
    tr__merge_temp_release(s->shelf);
    free(s);
}

static enum tr_status section_read(void *ctx, void *buf, size_t cap, size_t *got,
                                   struct tr_error *err)
{
    struct tr__section *s = ctx;
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
    uint64_t events = in->sorted ? tr_summary_events(in->summary) : 0;
    const struct tr_writer_opts opts = { .codec = events && events <= PLAIN_EVENTS ? TR_CODEC_NONE : TR_CODEC_LZ4,
                                         .n_threads = n_threads };
    const struct tr_sink sink = { append, temp };
    const struct tr_batch *b;
    struct tr_writer *w;
    enum tr_status st = tr_writer_new(&w, &sink, &opts, err);
    if (st != TR_OK)
        return st;
    tr_writer_tables(w, in->tables);
    st = tr_writer_start(w, in->dict, in->summary, in->provenance, in->sorted, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK)
        st = tr_writer_batch(w, b, err);
    if (st == TR_END)
        return tr_writer_finish(w, err);
    tr_writer_abandon(w);
    return st;
}

enum tr_status tr__merge_temp_put(struct tr__item *item, struct tr_input *in, struct tr__merge_temp *shelf,
                                  unsigned n_threads, struct tr_error *err)
{
    struct tr__section *s = calloc(1, sizeof *s);
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

enum tr_status tr__merge_temp_flush(struct tr__merge_temp *s, struct tr_error *err)
{
    return tr_temp_flush(s->temp, err);
}

/* ---- items ---- */

static void item_free(struct tr__item *item)
{
    if (item->section)
        section_close(item->section);
    free(item->name);
    free(item->ranks);
    *item = (struct tr__item){ NULL, NULL, NULL, NULL, 0 };
}

void tr__items_free(struct tr__items *list)
{
    for (size_t i = 0; i < list->n; i++)
        item_free(&list->v[i]);
    free(list->v);
    *list = (struct tr__items){ NULL, 0, 0 };
}

struct tr__item *tr__items_add(struct tr__items *list, const struct tr_input *in)
{
    if (!tr_grow(&list->v, &list->cap, list->n + 1, sizeof *list->v))
        return NULL;
    struct tr__item *item = &list->v[list->n];
    *item = (struct tr__item){ .n_sources = in->dict->n_sources };
    size_t len = strlen(in->name) + 1;
    item->name = malloc(len);
    if (!item->name)
        return NULL;
    memcpy(item->name, in->name, len);
    list->n++;
    return item;
}

static enum tr_status item_open(struct tr__item *item, struct tr_input **in,
                                const struct tr_open_opts *opts, struct tr_error *err)
{
    if (item->path) {
        struct tr__opened o;
        enum tr_status st = tr__open_member(&o, item->path, 0, 0, opts, NULL, err);
        if (st == TR_OK && o.in->dict->n_sources != item->n_sources) {
            tr_input_close(o.in);
            tr_error_input(err, item->path);
            return tr_fail(err, TR_DAMAGED, "has changed while it was read");
        }
        *in = o.in;
        return st;
    }
    const struct tr_stream_bytes from = { section_read, section_close, item->section, NULL };
    const struct tr_reader_room room = { .budget = opts->budget, .copies = opts->n_copies, .spill = opts->spill };
    enum tr_status st = tr_reader_open_within(in, &from, item->name, &room, err);
    if (st == TR_OK)
        item->section = NULL; /* now owned by the reader */
    return st;
}

enum tr_status tr__items_merge(struct tr__item *items, size_t n, const struct tr_open_opts *opts,
                                  struct tr_input **out, struct tr_error *err)
{
    struct tr_open_opts quiet = *opts;
    struct tr_merge_opts merge = { .renumber = false };
    struct tr_input **in = calloc(n, sizeof(struct tr_input *));
    struct tr_merge_rank *ranks = NULL;
    size_t n_open = 0, n_ranks = 0, cap = 0;
    enum tr_status st = in ? TR_OK : tr_fail_memory(err);
    quiet.warn = NULL; /* reported before */
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
        n_open = 0; /* owned by the merge, also on failure */
    }
    while (n_open > 0)
        tr_input_close(in[--n_open]);
    free(in);
    free(ranks);
    return st;
}
