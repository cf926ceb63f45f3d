/* SPDX-License-Identifier: MIT */
/* The builder: opens an input, gives bytes to the format, and processes the resulting pieces. */
#include "ingest/tr_ingest_builder_int.h"

#include <stdlib.h>

/* ---- bytes ---- */

enum tr_status tr_ingest_read(struct tr_ingest *g, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    *got = 0;
    if (g->ended)
        return TR_END;
    enum tr_status st = g->bytes.read(g->bytes.ctx, buf, cap, got, err);
    if (st == TR_OK) {
        g->offset += *got;
        return tr_open_progress(g->load->opts, g->offset, 0, err);
    }
    if (st == TR_DAMAGED && !g->load->opts->strict) {
        *err = (struct tr_error)TR_ERROR_INIT;
        g->damaged = true;
        st = TR_END;
    }
    g->ended = st == TR_END;
    return st;
}

enum tr_status tr_ingest_rewind(struct tr_ingest *g, struct tr_error *err)
{
    g->ended = false;
    g->offset = 0;
    return g->bytes.rewind(g->bytes.ctx, err);
}

enum tr_status tr_ingest_read_at(struct tr_ingest *g, void *buf, size_t n, uint64_t at, size_t *got,
                                 struct tr_error *err)
{
    *got = 0;
    if (!g->ended) { /* nothing is read in order, so what is damaged is known */
        g->ended = true;
        g->damaged = g->bytes.damage && g->bytes.damage(g->bytes.ctx).n > 0;
    }
    enum tr_status st = g->bytes.read_at(g->bytes.ctx, buf, n, at, got, err);
    if (st != TR_OK)
        return st;
    g->offset = at + *got > g->offset ? at + *got : g->offset;
    return tr_open_progress(g->load->opts, g->offset, g->bytes.size, err);
}

uint64_t tr_ingest_size(const struct tr_ingest *g)
{
    return g->bytes.size;
}

/* ---- the driver ---- */

/* Lane and keys of a builder. */
static bool start_builder(struct tr_ingest *g, struct tr__source_state *l)
{
    static const char *const names[] = { "ph", "name", "cat", "pid", "tid", "ts", "dur", "args" };
    uint32_t *const ids[] = { &g->keys.ph, &g->keys.name, &g->keys.cat, &g->keys.pid,
                              &g->keys.tid, &g->keys.ts, &g->keys.dur, &g->keys.args };
    g->load = l;
    g->at = TR_NO_OFFSET;
    g->links = tr_strtab_new();
    bool ok = g->links && tr__source_state_lane(l, &g->lane) && tr_grow(&g->slots, &g->cap_slots, 16, sizeof *g->slots);
    for (size_t i = 0; ok && i < sizeof names / sizeof names[0]; i++) {
        *ids[i] = tr__intern_text(&g->lane.interner, names[i], strlen(names[i]), false);
        ok = *ids[i] != TR_NO_STR;
    }
    return ok;
}

static bool start_load(void *ctx, struct tr__source_state *l)
{
    struct tr_ingest *g = ctx;
    unsigned n = g->in_parts && !l->opts->no_sort ? l->n_threads : 0;
    bool ok = start_builder(g, l);
    if (ok && n)
        ok = (g->parts = calloc(n, sizeof *g->parts)) != NULL;
    for (; ok && g->n_parts < n; g->n_parts++) {
        struct tr_ingest *part = &g->parts[g->n_parts];
        part->is_part = true;
        part->rank = -1;
        ok = start_builder(part, l);
    }
    return ok;
}

enum tr_status tr__ingest_commit(struct tr_ingest *g, struct tr_error *err)
{
    enum tr_status st = g->no_memory ? tr__ingest_failed(g, err) : tr__piece_sort(g->lane.piece, err);
    if (st == TR_OK)
        st = tr__piece_commit_findings(&g->load->file, g->lane.piece, g->lane.interner_no, err);
    if (st == TR_OK)
        st = tr__piece_commit_rows(g->load, g->lane.piece, err);
    tr__piece_reset(&g->lane, &g->piece, g->load->pool);
    return st;
}

static enum tr_status read_all(void *ctx, struct tr__source_state *l, struct tr_error *err)
{
    struct tr_ingest *g = ctx;
    enum tr_status st = TR_OK;
    tr__piece_reset(&g->lane, &g->piece, l->pool);
    while (st == TR_OK) {
        st = g->reader->read(g->ctx, g, err);
        if (st == TR_END && !tr__nests_close(g))
            st = tr__ingest_failed(g, err);
        if ((st == TR_OK && g->piece.rows.bytes > TR__PIECE_BYTES) || st == TR_END) {
            enum tr_status done = tr__ingest_commit(g, err);
            st = done == TR_OK ? st : done;
        }
    }
    return st == TR_END ? TR_OK : st;
}

static enum tr_status next_piece(void *ctx, struct tr__source_state *l, struct tr__piece *piece, struct tr_error *err)
{
    struct tr_ingest *g = ctx;
    enum tr_status st = TR_OK;
    if (g->done)
        return TR_END;
    tr__piece_reset(&g->lane, piece, l->pool);
    while (st == TR_OK && piece->n_refs + piece->n_ends == 0)
        st = g->reader->read(g->ctx, g, err);
    g->done = st != TR_OK;
    if (st != TR_OK && st != TR_END) {
        tr_error_input(err, l->file.name);
        return st;
    }
    if (g->no_memory)
        return tr__ingest_failed(g, err);
    return tr__piece_commit_findings(&l->file, piece, g->lane.interner_no, err);
}

static enum tr_status understand(void *ctx, struct tr__source_state *l, struct tr_error *err)
{
    struct tr_ingest *g = ctx;
    tr__bytes_ended(&l->file, &g->bytes, g->damaged, g->ended, g->offset);
    enum tr_status st = tr__refuse_nothing(&l->file, err);
    if (st != TR_OK)
        return st;
    tr__find_rank(l, g->rank);
    if (g->has_base)
        tr__set_base(&l->file, g->base_ns);
    return TR_OK;
}

static void close_bytes(void *ctx)
{
    struct tr_ingest *g = ctx;
    tr__piece_free(&g->piece); /* its rows are the load's, which goes before this */
    for (unsigned i = 0; i < g->n_parts; i++)
        tr__piece_free(&g->parts[i].piece);
    if (g->bytes.close)
        g->bytes.close(g->bytes.ctx);
    g->bytes.close = NULL;
}

static void free_builder(struct tr_ingest *g)
{
    tr_strtab_free(g->links);
    tr_buf_free(&g->link.text);
    tr_buf_free(&g->values);
    free(g->slots);
    free(g->seen_keys);
    tr__nests_free(g);
    free(g->own);
}

static void release(void *ctx)
{
    struct tr_ingest *g = ctx;
    if (g->reader->free)
        g->reader->free(g->ctx);
    for (unsigned i = 0; i < g->n_parts; i++)
        free_builder(&g->parts[i]);
    free(g->parts);
    free_builder(g);
    free(g);
}

static enum tr_status open_source(struct tr_input **out, const struct tr_ingest_reader *reader, void *ctx,
                                  const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts, bool in_parts,
                                  struct tr_error *err)
{
    static const struct tr__driver driver = { .start = start_load, .read = read_all, .next = next_piece,
                                              .understand = understand, .close = close_bytes, .free = release };
    struct tr_ingest *g = calloc(1, sizeof *g);
    if (!g) {
        if (reader->free)
            reader->free(ctx);
        if (bytes->close)
            bytes->close(bytes->ctx);
        return tr_fail_memory(err);
    }
    g->reader = reader;
    g->format = reader->format;
    g->ctx = ctx;
    g->bytes = *bytes;
    g->rank = -1;
    g->in_parts = in_parts;
    return tr__ingest_open(out, &driver, reader->format, g, bytes->name, bytes->place, opts, err);
}

enum tr_status tr_ingest_open(struct tr_input **out, const struct tr_ingest_reader *reader, void *ctx,
                              const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                              struct tr_error *err)
{
    return open_source(out, reader, ctx, bytes, opts, false, err);
}

enum tr_status tr__ingest_open_parts(struct tr_input **out, const struct tr_ingest_reader *reader, void *ctx,
                                     const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                     struct tr_error *err)
{
    return open_source(out, reader, ctx, bytes, opts, true, err);
}
