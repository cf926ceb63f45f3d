/* SPDX-License-Identifier: MIT */
/*
 * Reading without sorting: events come in the order of the source, as soon as they are read.
 *
 * Events do not wait for the end of the trace.  So facts that are known only at the end come then: header members, the
 * time base, names of tracks, the summary.  Starts and ends stay separate events, and device work is not linked.
 */
#include "ingest/tr_ingest_int.h"

#include <stdio.h>
#include <stdlib.h>

struct live {
    struct tr_input input;
    struct tr__source_state load;
    struct tr_open_opts opts;
    const struct tr__driver *driver;
    void *ctx; /* of the driver */
    struct tr__names *names;
    struct tr__interner *interner;
    struct tr_batch_builder *builder;
    struct tr_dict *dict;
    struct tr_summary *summary;
    struct tr_batch *batch;
    struct tr__piece piece;
    size_t at, at_end; /* of the piece's rows, and of its starts and ends */
    size_t batch_events;
    bool ended;
};

static void live_close(void *self)
{
    struct live *v = self;
    v->driver->close(v->ctx);
    tr__piece_free(&v->piece);
    tr_batch_builder_free(v->builder);
    tr__names_free(v->names);
    tr__source_state_free(&v->load);
    v->driver->free(v->ctx);
    tr_dict_free(v->dict);
    tr_summary_free(v->summary);
    tr_batch_free(v->batch);
    free(v);
}

/* The next row of the piece, in the order of the text; NULL: none is left. */
static const struct tr_row *next_row(struct live *v)
{
    const struct tr__piece *p = &v->piece;
    const struct tr_row *a = v->at < p->n_refs ? p->refs[v->at].row : NULL;
    const struct tr_row *b = v->at_end < p->n_ends ? p->ends[v->at_end].row : NULL;
    if (a && (!b || a->record < b->record)) {
        v->at++;
        return a;
    }
    v->at_end += b != NULL;
    return b;
}

/* Metadata may be anywhere in the source, so tracks get their names at the end. */
static bool name_tracks(struct live *v)
{
    v->names = tr__names_new(&v->load);
    for (uint32_t i = 0; v->names && i < v->interner->n_tracks; i++) {
        uint32_t track = tr_batch_builder_track(v->builder, 0, i);
        if (track == TR_NO_STR)
            return false;
        if (track >= v->dict->n_tracks)
            continue; /* there was only metadata */
        if (!tr__names_give(v->names, &v->dict->tracks[track], &v->interner->tracks[i], v->dict->strings,
                            v->interner))
            return false;
    }
    return v->names != NULL;
}

/* After the last event: complete the source, the tracks and the summary. */
static enum tr_status complete(struct live *v, struct tr_error *err)
{
    struct tr__file *f = &v->load.file;
    struct tr_dict rest = { .strings = v->dict->strings };
    enum tr_status st = tr__understand(&v->load, v->driver, v->ctx, err);
    if (st != TR_OK)
        return st;
    /* the new row is made in a temporary dictionary with the same strings, and then replaces the old one */
    if (!tr__add_source(&rest, &v->load, f)) {
        free(rest.sources);
        return tr_fail_memory(err);
    }
    struct tr_source *s = &v->dict->sources[0];
    free(s->header_keys);
    free(s->header_values);
    *s = rest.sources[0];
    free(rest.sources);
    tr__believe_zero_times(f, f->sum.n_suspect[TR_SUSPECT_ZERO_TIME]); /* links are not known */
    v->summary->sources[0] = f->sum;
    v->summary->sources[0].steps = NULL;
    v->summary->sources[0].n_steps = v->summary->sources[0].cap_steps = 0;
    if (!tr__sum_up_damage(f, &v->summary->sources[0]) || !tr__file_steps(f, 0, v->builder, &v->summary->sources[0]))
        return tr_fail_memory(err);
    v->ended = true;
    return name_tracks(v) && tr__map_tables(f, v->builder, v->dict->n_tracks) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status next_piece(struct live *v, struct tr_error *err)
{
    tr__piece_free(&v->piece);
    v->at = v->at_end = 0;
    enum tr_status st = v->driver->next(v->ctx, &v->load, &v->piece, err);
    if (st == TR_END && !v->ended) {
        st = complete(v, err);
        return st == TR_OK ? TR_END : st;
    }
    return st;
}

static enum tr_status live_next(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct live *v = self;
    enum tr_status st = TR_OK;
    tr_batch_clear(v->batch);
    while (v->batch->n < v->batch_events) {
        const struct tr_row *row = next_row(v);
        if (!row) {
            if (v->batch->n > 0)
                break; /* give out the present events */
            if ((st = next_piece(v, err)) != TR_OK)
                return st;
            continue;
        }
        if (!tr_batch_builder_row(v->builder, row, v->batch))
            return tr_fail_memory(err);
    }
    const struct tr_dict_state state = tr_batch_builder_state(v->builder);
    if (!tr_batch_builder_publish(v->builder, v->dict, &state))
        return tr_fail_memory(err);
    v->batch->dict = v->dict;
    *batch = v->batch;
    return TR_OK;
}

static const struct tr_input_ops live_ops = { .next = live_next, .close = live_close };

static enum tr_status start_reading(struct live *v, struct tr_error *err)
{
    struct tr__file *f = &v->load.file;
    v->interner = &v->load.lanes[0]->interner;
    v->builder = tr_batch_builder_new(&v->interner, 1, NULL, v->opts.drop_args);
    v->dict = tr_dict_new_in(v->opts.spill);
    v->summary = tr_summary_new(1);
    v->batch = tr_batch_new();
    bool ok = v->builder && v->dict && v->summary && v->batch &&
         tr_batch_reserve(v->batch, v->batch_events);
    if (ok) { /* the rank as far as it is known before the header is read */
        tr__find_rank(&v->load, -1);
        ok = tr__add_source(tr_batch_builder_dict(v->builder), &v->load, f);
    }
    if (ok) {
        const struct tr_dict_state state = tr_batch_builder_state(v->builder);
        ok = tr_batch_builder_publish(v->builder, v->dict, &state) &&
             tr_dict_add_source(v->dict, &tr_batch_builder_dict(v->builder)->sources[0]) != UINT32_MAX;
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr__live_open(struct tr_input **out, const struct tr__driver *driver, const char *format, void *ctx,
                             const char *name, size_t place, const struct tr_open_opts *opts, struct tr_error *err)
{
    struct live *v = calloc(1, sizeof *v);
    enum tr_status st;
    if (!v) {
        driver->close(ctx);
        driver->free(ctx);
        return tr_fail_memory(err);
    }
    v->driver = driver;
    v->ctx = ctx;
    v->opts = *opts;
    v->opts.n_threads = 1;
    v->batch_events = opts->tuning.batch_events ? opts->tuning.batch_events : TR_BATCH_MAX;
    st = tr__source_state_init(&v->load, driver, format, ctx, name, place, &v->opts, err);
    if (st == TR_OK)
        st = start_reading(v, err);
    if (st != TR_OK) {
        live_close(v);
        return st;
    }
    v->input.ops = &live_ops;
    v->input.self = v;
    v->input.dict = v->dict;
    v->input.summary = v->summary;
    v->input.tables = &v->load.file.tables;
    snprintf(v->input.name, sizeof v->input.name, "%s", v->load.file.name);
    *out = &v->input;
    return TR_OK;
}
